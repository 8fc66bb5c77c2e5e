-- What waits or runs is found by its state and its account. The condition is one that no other index has: a server that
-- expects one row or none takes any index that fits, and reads all of it.
DROP INDEX generations_open;
CREATE INDEX generations_open ON generations (state, account) WHERE coalesce(ended_at, 0) = 0;
