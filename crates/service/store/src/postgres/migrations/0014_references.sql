-- What a job costs: its rows are written by few statements, which have locked its account and know its generation.
-- The checks of references repeated that for each row, eight times a job and a fifth of its whole cost. The audit
-- checks the same references.

ALTER TABLE generations DROP CONSTRAINT generations_account_fkey;
ALTER TABLE entries DROP CONSTRAINT entries_account_fkey;
ALTER TABLE idempotency DROP CONSTRAINT idempotency_account_fkey;
ALTER TABLE deliveries DROP CONSTRAINT deliveries_generation_fkey;
ALTER TABLE deliveries DROP CONSTRAINT deliveries_account_fkey;
ALTER TABLE attempts DROP CONSTRAINT attempts_delivery_fkey;
ALTER TABLE usage DROP CONSTRAINT usage_account_fkey;

-- Lists are made of one part per status, so nothing reads this index except nodes of the version before, which then
-- sort.
DROP INDEX generations_by_account;

-- A heartbeat changes only columns without an index, so it writes no index at all.
CREATE INDEX generations_running_by_account ON generations (account) WHERE state = 'running';
DROP INDEX generations_running;
