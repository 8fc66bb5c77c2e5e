-- Workers on other machines, which join over HTTPS, and the tokens that let them in.

CREATE TABLE worker_tokens (
    -- SHA-256 of the token's text, which itself is kept nowhere.
    hash       bytea PRIMARY KEY CHECK (length(hash) = 32),
    id         uuid NOT NULL UNIQUE,
    name       text NOT NULL,
    prefix     text NOT NULL,
    -- JSON lists of engines and of models that it may claim jobs of; an empty one means all.
    engines    text NOT NULL,
    models     text NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint
);

CREATE TABLE remote_workers (
    id        uuid PRIMARY KEY,
    token     uuid NOT NULL REFERENCES worker_tokens (id),
    name      text NOT NULL,
    version   text NOT NULL,
    joined_at bigint NOT NULL,
    seen_at   bigint NOT NULL,
    -- JSON: what it has.
    offer     text NOT NULL
) WITH (fillfactor = 50);
