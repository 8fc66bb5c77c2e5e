-- Identities at an OpenID provider. Users whom they create have an empty password, which no password matches.

CREATE TABLE identities (
    issuer  text COLLATE "C" NOT NULL,
    -- What the issuer calls somebody; unique there and never given to somebody else.
    subject text COLLATE "C" NOT NULL,
    user_id uuid NOT NULL REFERENCES users (id),
    at      bigint NOT NULL,
    PRIMARY KEY (issuer, subject)
);

CREATE INDEX identities_by_user ON identities (user_id);
