-- Workers on other machines, which join over HTTPS, and the tokens that let them in.

CREATE TABLE worker_tokens (
    -- SHA-256 of the token's text, which itself is kept nowhere.
    hash       BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id         BLOB    NOT NULL UNIQUE CHECK (length(id) = 16),
    name       TEXT    NOT NULL,
    prefix     TEXT    NOT NULL,
    -- JSON lists of engines and of models that it may claim jobs of; an empty one means all.
    engines    TEXT    NOT NULL,
    models     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE remote_workers (
    id        BLOB    NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    token     BLOB    NOT NULL REFERENCES worker_tokens (id),
    name      TEXT    NOT NULL,
    version   TEXT    NOT NULL,
    joined_at INTEGER NOT NULL,
    seen_at   INTEGER NOT NULL,
    -- JSON: what it has.
    offer     TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
