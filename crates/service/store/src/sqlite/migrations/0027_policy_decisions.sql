-- What the content policy decided. Nothing here says what a job asked for.
CREATE TABLE policy_decisions (
    -- In the order of the decisions.
    id         BLOB    NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    at         INTEGER NOT NULL,
    rule       TEXT    NOT NULL,
    stage      TEXT    NOT NULL,
    decision   TEXT    NOT NULL,
    account    BLOB    NOT NULL,
    model      TEXT    NOT NULL,
    generation BLOB    NOT NULL,
    UNIQUE (generation, stage, rule)
) STRICT, WITHOUT ROWID;

-- Lists of one account, and its erasure.
CREATE INDEX policy_decisions_by_account ON policy_decisions (account, id);
