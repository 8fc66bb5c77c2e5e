-- Secrets of the whole service, such as the key of its watermarks. All nodes share them.

CREATE TABLE secrets (
    name    TEXT    NOT NULL PRIMARY KEY,
    value   BLOB    NOT NULL,
    made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
