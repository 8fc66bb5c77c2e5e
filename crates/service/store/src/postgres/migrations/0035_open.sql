-- What waits and what runs of an account is counted by one small index. Before, what waits was counted by an index that
-- has an entry of its own for each generation that has ended since the last vacuum.
CREATE INDEX generations_open ON generations (state, account) WHERE ended_at IS NULL;
DROP INDEX generations_running_by_account;
