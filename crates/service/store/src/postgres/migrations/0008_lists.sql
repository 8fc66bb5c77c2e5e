-- Lists with any filter go to their pages directly, however many generations there are and however many of them
-- have failed or wait: each status has indexes of its own, and a list of all statuses is made of three. Nodes of the
-- version before list by the index of all generations of an account.

CREATE INDEX generations_completed ON generations (account, id) WHERE state = 'completed';
CREATE INDEX generations_completed_by_model ON generations (account, model, id) WHERE state = 'completed';
CREATE INDEX generations_completed_by_kind ON generations (account, kind, id) WHERE state = 'completed';
CREATE INDEX generations_failed_by_model ON generations (account, model, id) WHERE state = 'failed';
CREATE INDEX generations_failed_by_kind ON generations (account, kind, id) WHERE state = 'failed';

DROP INDEX generations_by_model;
DROP INDEX generations_by_kind;
