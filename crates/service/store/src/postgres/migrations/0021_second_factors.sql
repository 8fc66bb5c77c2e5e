-- Codes of an authenticator app, which some users are asked for when they sign in.

CREATE TABLE second_factors (
    user_id   uuid   NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- What user and service share (RFC 6238).
    secret    bytea  NOT NULL CHECK (length(secret) = 20),
    -- The period of the last code that was used. Codes of it and of earlier ones do not count any more.
    last_step bigint NOT NULL,
    at        bigint NOT NULL
);

CREATE TABLE recovery_codes (
    user_id uuid   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- SHA-256 of the code.
    hash    bytea  NOT NULL CHECK (length(hash) = 32),
    used_at bigint,
    PRIMARY KEY (user_id, hash)
);
