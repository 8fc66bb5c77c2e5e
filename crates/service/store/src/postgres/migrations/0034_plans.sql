-- What all accounts of a plan share: limits, which an account's own limits precede, and a weight. Accounts name their
-- plan; a name without a row here has no limits and weight 1.

CREATE TABLE plans (
    name                   text PRIMARY KEY,
    max_queued             bigint CHECK (max_queued >= 1),
    max_running            bigint CHECK (max_running >= 1),
    generations_per_minute bigint CHECK (generations_per_minute >= 1),
    -- The turns in a row that an account has when claims go round.
    weight                 bigint NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 100)
);
