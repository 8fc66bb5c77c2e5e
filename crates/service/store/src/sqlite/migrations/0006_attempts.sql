-- Which engines tried a generation, and what the running attempt has asked of a provider.

-- When the attempt that runs, or ran last, began.
ALTER TABLE generations ADD COLUMN attempt_started_at INTEGER;
-- What it remembered of a request that it made elsewhere: outlives a crash and a lost lease, not a retry.
ALTER TABLE generations ADD COLUMN request TEXT;
-- The attempts before it, as a JSON list; NULL: none.
ALTER TABLE generations ADD COLUMN past_attempts TEXT;
