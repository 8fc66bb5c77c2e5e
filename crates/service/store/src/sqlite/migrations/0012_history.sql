-- What deletion needs: who uses a stored file, what was deleted, and the sums of entries whose generations are gone.

CREATE TABLE file_uses (
    -- A generation, the account of an upload, or zeros: the program itself.
    holder BLOB    NOT NULL CHECK (length(holder) = 16),
    file   TEXT    NOT NULL,
    kind   TEXT    NOT NULL CHECK (kind IN ('input', 'output', 'upload', 'program')),
    at     INTEGER NOT NULL,
    PRIMARY KEY (holder, file)
) STRICT, WITHOUT ROWID;

CREATE INDEX file_uses_by_file ON file_uses (file);
CREATE INDEX file_uses_of_uploads ON file_uses (at) WHERE kind = 'upload';

INSERT OR IGNORE INTO file_uses (holder, file, kind, at)
SELECT g.id, json_extract(asset.value, '$.file'), 'output', g.ended_at
FROM generations g, json_each(g.output, '$.assets') asset WHERE g.output IS NOT NULL;

INSERT OR IGNORE INTO file_uses (holder, file, kind, at)
SELECT id, json_extract(output, '$.timestamps'), 'output', ended_at
FROM generations WHERE json_extract(output, '$.timestamps') IS NOT NULL;

-- An input is the last part of an address.
INSERT OR IGNORE INTO file_uses (holder, file, kind, at)
SELECT g.id, f.name, 'input', g.created_at
FROM generations g, json_tree(g.params) value
JOIN files f ON f.name = replace(value.value, rtrim(value.value, replace(value.value, '/', '')), '')
WHERE g.params LIKE '%://%' AND value.type = 'text';

-- Until now nobody wrote down who uploaded a file: whoever used it.
INSERT OR IGNORE INTO file_uses (holder, file, kind, at)
SELECT g.account, u.file, 'upload', min(u.at) FROM file_uses u JOIN generations g ON g.id = u.holder
WHERE u.kind = 'input' AND NOT EXISTS (SELECT 1 FROM file_uses o WHERE o.file = u.file AND o.kind = 'output')
GROUP BY g.account, u.file;

CREATE TABLE deleted_files (
    name       TEXT    NOT NULL PRIMARY KEY,
    deleted_at INTEGER NOT NULL,
    -- When its bytes may be removed by whoever comes then; NULL: they are gone.
    due_at     INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX deleted_files_due ON deleted_files (due_at) WHERE due_at IS NOT NULL;

-- What is kept of a generation that its owner deleted.
CREATE TABLE deleted_generations (
    id         BLOB    NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account    BLOB    NOT NULL REFERENCES accounts (id),
    model      TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('completed', 'failed')),
    hold       INTEGER NOT NULL,
    charged    INTEGER,
    created_at INTEGER NOT NULL,
    ended_at   INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How many of those that a day counts are not listed any more.
ALTER TABLE usage ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;

-- The sums of an account's entries that belonged to generations of which nothing is left.
CREATE TABLE folded (
    account     BLOB    NOT NULL PRIMARY KEY REFERENCES accounts (id),
    generations INTEGER NOT NULL,
    entries     INTEGER NOT NULL,
    issued      INTEGER NOT NULL,
    available   INTEGER NOT NULL,
    held        INTEGER NOT NULL,
    spent       INTEGER NOT NULL,
    -- The time of the newest of them.
    through     INTEGER NOT NULL,
    CHECK (issued + available + held + spent = 0)
) STRICT, WITHOUT ROWID;

-- An entry outlives its generation, so it does not refer to its row any more. SQLite cannot drop a reference in place.
CREATE TABLE entries_new (
    id         INTEGER PRIMARY KEY,
    account    BLOB    NOT NULL REFERENCES accounts (id),
    generation BLOB,
    kind       TEXT    NOT NULL,
    issued     INTEGER NOT NULL,
    available  INTEGER NOT NULL,
    held       INTEGER NOT NULL,
    spent      INTEGER NOT NULL,
    reason     TEXT,
    at         INTEGER NOT NULL,
    CHECK (issued + available + held + spent = 0),
    CHECK (
        CASE kind
            WHEN 'grant'   THEN generation IS NULL AND held = 0 AND spent = 0
            WHEN 'hold'    THEN generation IS NOT NULL AND issued = 0 AND held >= 0 AND spent = 0
            WHEN 'settle'  THEN generation IS NOT NULL AND issued = 0 AND held <= 0 AND spent >= 0
            WHEN 'release' THEN generation IS NOT NULL AND issued = 0 AND held <= 0 AND spent = 0
            ELSE FALSE
        END
    )
) STRICT;

INSERT INTO entries_new SELECT * FROM entries;
DROP TABLE entries;
ALTER TABLE entries_new RENAME TO entries;

CREATE INDEX entries_by_account ON entries (account);
CREATE UNIQUE INDEX entries_hold ON entries (generation) WHERE kind = 'hold';
CREATE UNIQUE INDEX entries_end ON entries (generation) WHERE kind IN ('settle', 'release');

CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entries
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

-- Only entries of generations that are gone may leave, and their sums stay.
CREATE TRIGGER entries_are_never_deleted BEFORE DELETE ON entries
WHEN OLD.generation IS NULL
    OR EXISTS (SELECT 1 FROM generations WHERE id = OLD.generation)
    OR EXISTS (SELECT 1 FROM deleted_generations WHERE id = OLD.generation)
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER entries_are_folded AFTER DELETE ON entries
BEGIN
    INSERT INTO folded (account, generations, entries, issued, available, held, spent, through)
    VALUES (OLD.account, OLD.kind = 'hold', 1, OLD.issued, OLD.available, OLD.held, OLD.spent, OLD.at)
    ON CONFLICT (account) DO UPDATE SET
        generations = generations + excluded.generations, entries = entries + 1,
        issued = issued + excluded.issued, available = available + excluded.available,
        held = held + excluded.held, spent = spent + excluded.spent, through = max(through, excluded.through);
END;

CREATE TABLE idempotency_new (
    account    BLOB    NOT NULL REFERENCES accounts (id),
    key        TEXT    NOT NULL,
    body_hash  BLOB    NOT NULL CHECK (length(body_hash) = 32),
    generation BLOB    NOT NULL,
    used_at    INTEGER NOT NULL,
    PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;

INSERT INTO idempotency_new SELECT * FROM idempotency;
DROP TABLE idempotency;
ALTER TABLE idempotency_new RENAME TO idempotency;

CREATE INDEX idempotency_by_use ON idempotency (used_at);
