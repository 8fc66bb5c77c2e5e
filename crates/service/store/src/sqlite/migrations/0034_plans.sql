-- What all accounts of a plan share: limits, which an account's own limits precede, and a weight. Accounts name their
-- plan; a name without a row here has no limits and weight 1.

CREATE TABLE plans (
    name                   TEXT    NOT NULL PRIMARY KEY,
    max_queued             INTEGER CHECK (max_queued >= 1),
    max_running            INTEGER CHECK (max_running >= 1),
    generations_per_minute INTEGER CHECK (generations_per_minute >= 1),
    -- The turns in a row that an account has when claims go round.
    weight                 INTEGER NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 100)
) STRICT, WITHOUT ROWID;
