-- Codes of an authenticator app, which some users are asked for when they sign in.

CREATE TABLE second_factors (
    user      BLOB    NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- What user and service share (RFC 6238).
    secret    BLOB    NOT NULL CHECK (length(secret) = 20),
    -- The period of the last code that was used. Codes of it and of earlier ones do not count any more.
    last_step INTEGER NOT NULL,
    at        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_codes (
    user    BLOB    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- SHA-256 of the code.
    hash    BLOB    NOT NULL CHECK (length(hash) = 32),
    used_at INTEGER,
    PRIMARY KEY (user, hash)
) STRICT, WITHOUT ROWID;
