-- People who sign in, what they change, and the signing secret's overlap.

CREATE TABLE users (
    id          BLOB    NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    -- A name or an e-mail address, in lower case.
    login       TEXT    NOT NULL UNIQUE,
    -- Argon2id in PHC form.
    password    TEXT    NOT NULL,
    role        TEXT    NOT NULL CHECK (role IN ('operator', 'member')),
    account     BLOB    NOT NULL REFERENCES accounts (id),
    created_at  INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX users_by_account ON users (account, id);

CREATE TABLE sessions (
    -- SHA-256 of the cookie's text, which itself is kept nowhere.
    hash         BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id           BLOB    NOT NULL UNIQUE CHECK (length(id) = 16),
    user         BLOB    NOT NULL REFERENCES users (id),
    created_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    ended_at     INTEGER,
    user_agent   TEXT    NOT NULL,
    address      TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_user ON sessions (user, id);

CREATE TABLE invitations (
    -- SHA-256 of the link's text, which itself is kept nowhere.
    hash       BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id         BLOB    NOT NULL UNIQUE CHECK (length(id) = 16),
    role       TEXT    NOT NULL CHECK (role IN ('operator', 'member')),
    -- NULL: the first operator's, who gets an account of his own.
    account    BLOB    REFERENCES accounts (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER
) STRICT, WITHOUT ROWID;

-- Who changed what. Written in the transaction that makes the change.
CREATE TABLE changes (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    actor   TEXT    NOT NULL,
    user    BLOB    REFERENCES users (id),
    action  TEXT    NOT NULL,
    account BLOB    REFERENCES accounts (id),
    object  TEXT    NOT NULL,
    details TEXT    NOT NULL
) STRICT;

CREATE INDEX changes_by_account ON changes (account);

CREATE TRIGGER changes_are_never_changed BEFORE UPDATE ON changes
BEGIN
    SELECT RAISE(ABORT, 'the record of changes is append-only');
END;

CREATE TRIGGER changes_are_never_deleted BEFORE DELETE ON changes
BEGIN
    SELECT RAISE(ABORT, 'the record of changes is append-only');
END;

-- The signing secret before the current one, and until when both sign.
ALTER TABLE accounts ADD COLUMN previous_secret TEXT;
ALTER TABLE accounts ADD COLUMN previous_secret_until INTEGER;
