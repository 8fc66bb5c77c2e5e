-- What the operator's desk shows and does: nodes, storage, takedowns; and previews of stored files.

-- One row per process that works or answers, renewed while it does.
CREATE TABLE nodes (
    id         BLOB    NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    pid        INTEGER NOT NULL,
    version    TEXT    NOT NULL,
    started_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,
    -- A JSON list of engines.
    engines    TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- Files that may be neither served nor stored again, by the hash of their bytes.
CREATE TABLE takedowns (
    sha256 TEXT    NOT NULL PRIMARY KEY CHECK (length(sha256) = 64),
    name   TEXT    NOT NULL,
    reason TEXT    NOT NULL,
    at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE previews (
    file    TEXT    NOT NULL PRIMARY KEY,
    -- NULL: none can be made of it.
    preview TEXT,
    made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE storage (
    media_type TEXT    NOT NULL PRIMARY KEY,
    files      INTEGER NOT NULL,
    bytes      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO storage SELECT media_type, count(*), sum(size) FROM files GROUP BY media_type;

CREATE TRIGGER storage_counts_what_comes AFTER INSERT ON files
BEGIN
    INSERT INTO storage (media_type, files, bytes) VALUES (NEW.media_type, 1, NEW.size)
    ON CONFLICT (media_type) DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER storage_counts_what_goes AFTER DELETE ON files
BEGIN
    UPDATE storage SET files = files - 1, bytes = bytes - OLD.size WHERE media_type = OLD.media_type;
END;
