-- Identities at an OpenID provider. Users whom they create have an empty password, which no password matches.

CREATE TABLE identities (
    issuer  TEXT    NOT NULL,
    -- What the issuer calls somebody; unique there and never given to somebody else.
    subject TEXT    NOT NULL,
    user    BLOB    NOT NULL REFERENCES users (id),
    at      INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX identities_by_user ON identities (user);
