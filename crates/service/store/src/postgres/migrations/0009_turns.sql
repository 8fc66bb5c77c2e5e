-- Claims go round the accounts that wait in a lane, and take the oldest of each. Nodes of the version before sort
-- what waits in a lane.

CREATE INDEX generations_queued_by_account ON generations (lane, account, run_at, id) WHERE state = 'queued';

DROP INDEX generations_queued;
