-- Ids are UUIDs of version 7 in 16 bytes, moments are microseconds since 1970 in UTC, credits are integers.
-- Rows are never deleted, except idempotency keys that are too old to count.

CREATE TABLE settings (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    api_enabled INTEGER NOT NULL CHECK (api_enabled IN (0, 1)),
    -- Raised by the readiness check, which thereby proves that the disk takes writes.
    checks      INTEGER NOT NULL
) STRICT;

INSERT INTO settings VALUES (1, 1, 0);

CREATE TABLE accounts (
    id                     BLOB    NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name                   TEXT    NOT NULL UNIQUE,
    beta                   INTEGER NOT NULL CHECK (beta IN (0, 1)),
    plan_name              TEXT,
    plan_active            INTEGER CHECK (plan_active IN (0, 1)),
    -- Both are sums over the account's entries, kept so that they need not be added up.
    available              INTEGER NOT NULL CHECK (available >= 0),
    held                   INTEGER NOT NULL CHECK (held >= 0),
    signing_secret         TEXT    NOT NULL,
    generations_per_minute INTEGER CHECK (generations_per_minute >= 0),
    -- The generation limit's token bucket, as one moment.
    generation_tat         INTEGER NOT NULL,
    created_at             INTEGER NOT NULL,
    CHECK ((plan_name IS NULL) = (plan_active IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE keys (
    -- SHA-256 of the key's text, which itself is kept nowhere.
    hash         BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id           BLOB    NOT NULL UNIQUE CHECK (length(id) = 16),
    account      BLOB    NOT NULL REFERENCES accounts (id),
    name         TEXT    NOT NULL,
    prefix       TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at   INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX keys_by_account ON keys (account, id);

-- What is read and written often stands first and the long texts last, so that no statement walks through
-- them to what it wants.
CREATE TABLE generations (
    seq          INTEGER PRIMARY KEY,
    id           BLOB    NOT NULL UNIQUE CHECK (length(id) = 16),
    account      BLOB    NOT NULL REFERENCES accounts (id),
    state        TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'completed', 'failed')),
    epoch        INTEGER NOT NULL CHECK (epoch >= 0),
    attempt      INTEGER NOT NULL CHECK (attempt >= 0),
    lane         TEXT    NOT NULL,
    run_at       INTEGER NOT NULL,
    worker       BLOB,
    lease_until  INTEGER,
    deadline     INTEGER NOT NULL,
    hold         INTEGER NOT NULL CHECK (hold >= 0),
    charged      INTEGER CHECK (charged >= 0),
    progress     REAL    NOT NULL,
    created_at   INTEGER NOT NULL,
    started_at   INTEGER,
    ended_at     INTEGER,
    model        TEXT    NOT NULL,
    kind         TEXT    NOT NULL,
    served_by    TEXT,
    webhook_url  TEXT,
    params       TEXT    NOT NULL,
    output       TEXT,
    failure      TEXT,
    -- Why the attempt before this one ended without media.
    last_failure TEXT,
    CHECK ((state = 'running') = (lease_until IS NOT NULL)),
    CHECK ((state IN ('completed', 'failed')) = (ended_at IS NOT NULL))
) STRICT;

CREATE INDEX generations_by_account ON generations (account, id);
CREATE INDEX generations_queued ON generations (lane, run_at, id) WHERE state = 'queued';
CREATE INDEX generations_running ON generations (lease_until) WHERE state = 'running';
CREATE INDEX generations_unfinished ON generations (deadline) WHERE ended_at IS NULL;

-- The ledger. An entry books one movement between four sides and is balanced by itself.
CREATE TABLE entries (
    id         INTEGER PRIMARY KEY,
    account    BLOB    NOT NULL REFERENCES accounts (id),
    generation BLOB    REFERENCES generations (id),
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

CREATE INDEX entries_by_account ON entries (account);
-- A generation is held for once, and settled or released once.
CREATE UNIQUE INDEX entries_hold ON entries (generation) WHERE kind = 'hold';
CREATE UNIQUE INDEX entries_end ON entries (generation) WHERE kind IN ('settle', 'release');

CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entries
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER entries_are_never_deleted BEFORE DELETE ON entries
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TABLE idempotency (
    account    BLOB    NOT NULL REFERENCES accounts (id),
    key        TEXT    NOT NULL,
    body_hash  BLOB    NOT NULL CHECK (length(body_hash) = 32),
    generation BLOB    NOT NULL REFERENCES generations (id),
    used_at    INTEGER NOT NULL,
    PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_by_use ON idempotency (used_at);

CREATE TABLE files (
    name        TEXT    NOT NULL PRIMARY KEY,
    media_type  TEXT    NOT NULL,
    size        INTEGER NOT NULL CHECK (size >= 0),
    width       INTEGER,
    height      INTEGER,
    duration    REAL,
    recorded_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE deliveries (
    seq        INTEGER PRIMARY KEY,
    id         BLOB    NOT NULL UNIQUE CHECK (length(id) = 16),
    generation BLOB    NOT NULL UNIQUE REFERENCES generations (id),
    account    BLOB    NOT NULL REFERENCES accounts (id),
    state      TEXT    NOT NULL CHECK (state IN ('pending', 'sending', 'delivered', 'failed')),
    epoch      INTEGER NOT NULL CHECK (epoch >= 0),
    attempts   INTEGER NOT NULL CHECK (attempts >= 0),
    -- When it may be claimed: while it is being sent, that is when its lease runs out.
    due_at     INTEGER NOT NULL,
    worker     BLOB,
    created_at INTEGER NOT NULL,
    ended_at   INTEGER,
    event      TEXT    NOT NULL,
    host       TEXT    NOT NULL,
    url        TEXT    NOT NULL,
    body       BLOB    NOT NULL,
    CHECK ((state IN ('delivered', 'failed')) = (ended_at IS NOT NULL))
) STRICT;

CREATE INDEX deliveries_due ON deliveries (due_at, id, host) WHERE ended_at IS NULL;
CREATE INDEX deliveries_by_host ON deliveries (host, due_at, id) WHERE ended_at IS NULL;

CREATE TABLE attempts (
    delivery   BLOB    NOT NULL REFERENCES deliveries (id),
    number     INTEGER NOT NULL CHECK (number >= 1),
    at         INTEGER NOT NULL,
    latency_ms INTEGER NOT NULL,
    status     INTEGER,
    error      TEXT,
    response   TEXT,
    PRIMARY KEY (delivery, number)
) STRICT, WITHOUT ROWID;
