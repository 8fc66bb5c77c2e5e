-- Lists with any filter go to their pages directly, however many generations there are and however many of them
-- have failed or wait: each status has indexes of its own, and a list of all statuses is made of three.

CREATE INDEX generations_completed ON generations (account, id) WHERE state = 'completed';
CREATE INDEX generations_completed_by_model ON generations (account, model, id) WHERE state = 'completed';
CREATE INDEX generations_completed_by_kind ON generations (account, kind, id) WHERE state = 'completed';
CREATE INDEX generations_failed_by_model ON generations (account, model, id) WHERE state = 'failed';
CREATE INDEX generations_failed_by_kind ON generations (account, kind, id) WHERE state = 'failed';
-- Unfinished ones are counted and filtered in the index alone.
CREATE INDEX generations_unfinished_by_account ON generations (account, id, model, kind, ended_at)
    WHERE ended_at IS NULL;

DROP INDEX generations_by_account;
DROP INDEX generations_by_model;
DROP INDEX generations_by_kind;
