-- Limits of keys, budgets of accounts, and keys whose text was changed.

-- JSON; NULL: none.
ALTER TABLE keys ADD COLUMN limits text;

-- Texts that keys had before, which work for a while beside the present one.
CREATE TABLE old_keys (
    hash  bytea PRIMARY KEY CHECK (length(hash) = 32),
    key   uuid NOT NULL REFERENCES keys (id),
    until bigint NOT NULL
);

CREATE INDEX old_keys_by_key ON old_keys (key);

-- The most credits in one month in UTC. NULL: no limit.
ALTER TABLE accounts ADD COLUMN monthly_budget bigint CHECK (monthly_budget >= 0);

-- The key that it was accepted for, and the day on which its credits count in `spent`, if they do.
ALTER TABLE generations ADD COLUMN key uuid;
ALTER TABLE generations ADD COLUMN spent_day bigint;

-- The credits that count against the limits of keys and accounts, by the day of acceptance: holds of unfinished
-- generations, and charges of others. Its rows are written only while the account's row is locked.
CREATE TABLE spent (
    -- The id of a key or of an account.
    owner   uuid NOT NULL,
    -- Days since 1970-01-01 in UTC.
    day     bigint NOT NULL,
    credits bigint NOT NULL,
    PRIMARY KEY (owner, day)
) WITH (fillfactor = 50);

CREATE FUNCTION atelier_spent_gets_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE spent SET credits = credits - NEW.hold + coalesce(NEW.charged, 0)
    WHERE owner IN (NEW.key, NEW.account) AND day = NEW.spent_day;
    RETURN NULL;
END
$$;

-- Whichever version of the program ends a generation.
CREATE TRIGGER spent_gets_back_what_is_released AFTER UPDATE OF ended_at ON generations
    FOR EACH ROW WHEN (NEW.spent_day IS NOT NULL AND OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
    EXECUTE FUNCTION atelier_spent_gets_back();
