-- Secrets of the whole service, such as the key of its watermarks. All nodes share them.

CREATE TABLE secrets (
    name    text COLLATE "C" PRIMARY KEY,
    value   bytea NOT NULL,
    made_at bigint NOT NULL
);
