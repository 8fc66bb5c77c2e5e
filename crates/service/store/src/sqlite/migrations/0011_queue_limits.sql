-- How many generations of an account may be queued, and how many may run. NULL: no limit.

ALTER TABLE accounts ADD COLUMN max_queued INTEGER CHECK (max_queued >= 1);
ALTER TABLE accounts ADD COLUMN max_running INTEGER CHECK (max_running >= 1);
