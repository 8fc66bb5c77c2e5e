-- Limits of keys, budgets of accounts, and keys whose text was changed.

-- JSON; NULL: none.
ALTER TABLE keys ADD COLUMN limits TEXT;

-- Texts that keys had before, which work for a while beside the present one.
CREATE TABLE old_keys (
    hash  BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    key   BLOB    NOT NULL REFERENCES keys (id),
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX old_keys_by_key ON old_keys (key);

-- The most credits in one month in UTC. NULL: no limit.
ALTER TABLE accounts ADD COLUMN monthly_budget INTEGER CHECK (monthly_budget >= 0);

-- The key that it was accepted for, and the day on which its credits count in `spent`, if they do.
ALTER TABLE generations ADD COLUMN key BLOB;
ALTER TABLE generations ADD COLUMN spent_day INTEGER;

-- The credits that count against the limits of keys and accounts, by the day of acceptance: holds of unfinished
-- generations, and charges of others.
CREATE TABLE spent (
    -- The id of a key or of an account.
    owner   BLOB    NOT NULL CHECK (length(owner) = 16),
    -- Days since 1970-01-01 in UTC.
    day     INTEGER NOT NULL,
    credits INTEGER NOT NULL,
    PRIMARY KEY (owner, day)
) STRICT, WITHOUT ROWID;

-- Whichever version of the program ends a generation.
CREATE TRIGGER spent_gets_back_what_is_released AFTER UPDATE OF ended_at ON generations
WHEN NEW.spent_day IS NOT NULL AND OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
    UPDATE spent SET credits = credits - NEW.hold + coalesce(NEW.charged, 0)
    WHERE owner IN (NEW.key, NEW.account) AND day = NEW.spent_day;
END;
