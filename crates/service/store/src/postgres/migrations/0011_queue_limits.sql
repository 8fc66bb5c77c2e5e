-- How many generations of an account may be queued, and how many may run. NULL: no limit.

ALTER TABLE accounts ADD COLUMN max_queued bigint CHECK (max_queued >= 1);
ALTER TABLE accounts ADD COLUMN max_running bigint CHECK (max_running >= 1);

-- Each claim looks for them.
CREATE INDEX accounts_with_max_running ON accounts (id) WHERE max_running IS NOT NULL;
