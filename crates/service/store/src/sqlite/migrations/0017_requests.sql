-- What accounts asked for lately. Rows are written in batches after the answers, and go after a few days.
CREATE TABLE requests (
    -- In the order of the requests.
    id         BLOB    NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account    BLOB    NOT NULL,
    -- NULL: not known.
    key        BLOB,
    at         INTEGER NOT NULL,
    method     TEXT    NOT NULL,
    path       TEXT    NOT NULL,
    status     INTEGER NOT NULL,
    code       TEXT,
    latency_ms INTEGER NOT NULL,
    request_id TEXT    NOT NULL,
    generation BLOB,
    -- How many of the same kind came in the same minute.
    count      INTEGER NOT NULL CHECK (count >= 1)
) STRICT, WITHOUT ROWID;

-- Lists and their counts read this index alone up to the page they show.
CREATE INDEX requests_by_account ON requests (account, id, status, key);
