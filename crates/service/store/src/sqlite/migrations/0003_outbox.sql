-- A test delivery belongs to no generation, and an ended delivery can be sent again. SQLite cannot loosen a
-- column in place, so the table is made anew under its name; a node of the version before reads and writes it
-- as it did.

CREATE TABLE deliveries_new (
    seq             INTEGER PRIMARY KEY,
    id              BLOB    NOT NULL UNIQUE CHECK (length(id) = 16),
    -- NULL: a test.
    generation      BLOB    UNIQUE REFERENCES generations (id),
    account         BLOB    NOT NULL REFERENCES accounts (id),
    state           TEXT    NOT NULL CHECK (state IN ('pending', 'sending', 'delivered', 'failed')),
    epoch           INTEGER NOT NULL CHECK (epoch >= 0),
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    -- When it may be claimed: while it is being sent, that is when its lease runs out.
    due_at          INTEGER NOT NULL,
    worker          BLOB,
    created_at      INTEGER NOT NULL,
    ended_at        INTEGER,
    event           TEXT    NOT NULL,
    host            TEXT    NOT NULL,
    -- Attempts made before it was last sent again by hand: the schedule begins anew after them.
    attempts_before INTEGER NOT NULL DEFAULT 0 CHECK (attempts_before BETWEEN 0 AND attempts),
    url             TEXT    NOT NULL,
    body            BLOB    NOT NULL,
    CHECK ((state IN ('delivered', 'failed')) = (ended_at IS NOT NULL))
) STRICT;

INSERT INTO deliveries_new (seq, id, generation, account, state, epoch, attempts, due_at, worker, created_at,
                            ended_at, event, host, url, body)
SELECT seq, id, generation, account, state, epoch, attempts, due_at, worker, created_at, ended_at, event, host,
       url, body
FROM deliveries;

DROP TABLE deliveries;
ALTER TABLE deliveries_new RENAME TO deliveries;

CREATE INDEX deliveries_due ON deliveries (due_at, id, host) WHERE ended_at IS NULL;
CREATE INDEX deliveries_by_host ON deliveries (host, due_at, id) WHERE ended_at IS NULL;
-- Lists and their counts read this index alone up to the page they show.
CREATE INDEX deliveries_by_account ON deliveries (account, id, state, event);
