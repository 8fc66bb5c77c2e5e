-- Ids are UUIDs of version 7, moments are microseconds since 1970 in UTC, credits are integers, JSON is text.
-- Texts are compared byte by byte. Rows are never deleted, except idempotency keys that are too old to count.

CREATE TABLE atelier_schema (
    -- The newest migration that this database has seen.
    version bigint NOT NULL
);

INSERT INTO atelier_schema VALUES (0);

CREATE TABLE settings (
    id          integer PRIMARY KEY CHECK (id = 1),
    api_enabled boolean NOT NULL
);

INSERT INTO settings VALUES (1, true);

-- Raised by each readiness check, which thereby proves that the database takes writes. Of its own table and with
-- room in its pages, so that nobody who reads the settings reads its old versions.
CREATE TABLE checks (
    id     integer PRIMARY KEY CHECK (id = 1),
    checks bigint NOT NULL
) WITH (fillfactor = 50);

INSERT INTO checks VALUES (1, 0);

CREATE TABLE accounts (
    id                     uuid PRIMARY KEY,
    name                   text COLLATE "C" NOT NULL UNIQUE,
    beta                   boolean NOT NULL,
    plan_name              text,
    plan_active            boolean,
    -- Both are sums over the account's entries, kept so that they need not be added up.
    available              bigint NOT NULL CHECK (available >= 0),
    held                   bigint NOT NULL CHECK (held >= 0),
    signing_secret         text NOT NULL,
    -- The signing secret before the current one, and until when both sign.
    previous_secret        text,
    previous_secret_until  bigint,
    generations_per_minute bigint CHECK (generations_per_minute >= 0),
    -- The generation limit's token bucket, as one moment.
    generation_tat         bigint NOT NULL,
    created_at             bigint NOT NULL,
    CHECK ((plan_name IS NULL) = (plan_active IS NULL))
) WITH (fillfactor = 50);

CREATE TABLE keys (
    -- SHA-256 of the key's text, which itself is kept nowhere.
    hash         bytea PRIMARY KEY CHECK (length(hash) = 32),
    id           uuid NOT NULL UNIQUE,
    account      uuid NOT NULL REFERENCES accounts (id),
    name         text NOT NULL,
    prefix       text NOT NULL,
    created_at   bigint NOT NULL,
    last_used_at bigint,
    revoked_at   bigint
) WITH (fillfactor = 80);

CREATE INDEX keys_by_account ON keys (account, id);

CREATE TABLE generations (
    id                 uuid PRIMARY KEY,
    account            uuid NOT NULL REFERENCES accounts (id),
    state              text COLLATE "C" NOT NULL CHECK (state IN ('queued', 'running', 'completed', 'failed')),
    epoch              bigint NOT NULL CHECK (epoch >= 0),
    attempt            bigint NOT NULL CHECK (attempt >= 0),
    lane               text COLLATE "C" NOT NULL,
    run_at             bigint NOT NULL,
    worker             uuid,
    lease_until        bigint,
    deadline           bigint NOT NULL,
    hold               bigint NOT NULL CHECK (hold >= 0),
    charged            bigint CHECK (charged >= 0),
    progress           double precision NOT NULL,
    created_at         bigint NOT NULL,
    started_at         bigint,
    ended_at           bigint,
    -- When the attempt that runs, or ran last, began.
    attempt_started_at bigint,
    model              text COLLATE "C" NOT NULL,
    kind               text COLLATE "C" NOT NULL,
    served_by          text,
    webhook_url        text,
    params             text NOT NULL,
    output             text,
    failure            text,
    -- Why the attempt before this one ended without media.
    last_failure       text,
    -- What the attempt remembered of a request that it made elsewhere: outlives a crash and a lost lease, not a retry.
    request            text,
    -- The attempts before it, as a JSON list; NULL: none.
    past_attempts      text,
    CHECK ((state = 'running') = (lease_until IS NOT NULL)),
    CHECK ((state IN ('completed', 'failed')) = (ended_at IS NOT NULL))
) WITH (fillfactor = 75);

CREATE INDEX generations_by_account ON generations (account, id);
CREATE INDEX generations_by_model ON generations (account, model, id);
CREATE INDEX generations_by_kind ON generations (account, kind, id);
CREATE INDEX generations_failed ON generations (account, id) WHERE state = 'failed';
CREATE INDEX generations_queued ON generations (lane, run_at, id) WHERE state = 'queued';
CREATE INDEX generations_running ON generations (lease_until) WHERE state = 'running';
CREATE INDEX generations_unfinished ON generations (deadline) WHERE ended_at IS NULL;
CREATE INDEX generations_unfinished_by_account ON generations (account, id) WHERE ended_at IS NULL;

-- The ledger. An entry books one movement between four sides and is balanced by itself.
CREATE TABLE entries (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account    uuid NOT NULL REFERENCES accounts (id),
    generation uuid REFERENCES generations (id),
    kind       text COLLATE "C" NOT NULL,
    issued     bigint NOT NULL,
    available  bigint NOT NULL,
    held       bigint NOT NULL,
    spent      bigint NOT NULL,
    reason     text,
    at         bigint NOT NULL,
    CHECK (issued + available + held + spent = 0),
    CHECK (
        CASE kind
            WHEN 'grant' THEN generation IS NULL AND held = 0 AND spent = 0
            WHEN 'hold' THEN generation IS NOT NULL AND issued = 0 AND held >= 0 AND spent = 0
            WHEN 'settle' THEN generation IS NOT NULL AND issued = 0 AND held <= 0 AND spent >= 0
            WHEN 'release' THEN generation IS NOT NULL AND issued = 0 AND held <= 0 AND spent = 0
            ELSE false
        END
    )
);

CREATE INDEX entries_by_account ON entries (account, id);
-- A generation is held for once, and settled or released once.
CREATE UNIQUE INDEX entries_hold ON entries (generation) WHERE kind = 'hold';
CREATE UNIQUE INDEX entries_end ON entries (generation) WHERE kind IN ('settle', 'release');

CREATE FUNCTION atelier_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_ARGV[0];
END
$$;

CREATE TRIGGER entries_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION atelier_append_only('the ledger');

CREATE TABLE idempotency (
    account    uuid NOT NULL REFERENCES accounts (id),
    key        text COLLATE "C" NOT NULL,
    body_hash  bytea NOT NULL CHECK (length(body_hash) = 32),
    generation uuid NOT NULL REFERENCES generations (id),
    used_at    bigint NOT NULL,
    PRIMARY KEY (account, key)
);

CREATE INDEX idempotency_by_use ON idempotency (used_at);

CREATE TABLE files (
    name        text COLLATE "C" PRIMARY KEY,
    media_type  text NOT NULL,
    size        bigint NOT NULL CHECK (size >= 0),
    width       bigint,
    height      bigint,
    duration    double precision,
    recorded_at bigint NOT NULL
);

CREATE TABLE deliveries (
    id              uuid PRIMARY KEY,
    -- NULL: a test.
    generation      uuid UNIQUE REFERENCES generations (id),
    account         uuid NOT NULL REFERENCES accounts (id),
    state           text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'sending', 'delivered', 'failed')),
    epoch           bigint NOT NULL CHECK (epoch >= 0),
    attempts        bigint NOT NULL CHECK (attempts >= 0),
    -- When it may be claimed: while it is being sent, that is when its lease runs out.
    due_at          bigint NOT NULL,
    worker          uuid,
    created_at      bigint NOT NULL,
    ended_at        bigint,
    event           text COLLATE "C" NOT NULL,
    host            text COLLATE "C" NOT NULL,
    -- Attempts made before it was last sent again by hand: the schedule begins anew after them.
    attempts_before bigint NOT NULL DEFAULT 0,
    url             text NOT NULL,
    body            bytea NOT NULL,
    CHECK (attempts_before BETWEEN 0 AND attempts),
    CHECK ((state IN ('delivered', 'failed')) = (ended_at IS NOT NULL))
) WITH (fillfactor = 75);

CREATE INDEX deliveries_due ON deliveries (due_at, id, host) WHERE ended_at IS NULL;
CREATE INDEX deliveries_by_host ON deliveries (host, due_at, id) WHERE ended_at IS NULL;
-- Lists and their counts read this index alone up to the page they show.
CREATE INDEX deliveries_by_account ON deliveries (account, id, state, event);

CREATE TABLE attempts (
    delivery   uuid NOT NULL REFERENCES deliveries (id),
    number     bigint NOT NULL CHECK (number >= 1),
    at         bigint NOT NULL,
    latency_ms bigint NOT NULL,
    status     bigint,
    error      text,
    response   text,
    PRIMARY KEY (delivery, number)
);

-- What accounts made and spent, per day, kept up to date by the end of each generation. Whoever writes here holds
-- the account's row.
CREATE TABLE usage (
    account     uuid NOT NULL REFERENCES accounts (id),
    -- Days since 1970-01-01 in UTC.
    day         bigint NOT NULL,
    model       text COLLATE "C" NOT NULL,
    -- `completed`, or the code of the failure.
    outcome     text COLLATE "C" NOT NULL,
    kind        text NOT NULL,
    generations bigint NOT NULL,
    credits     bigint NOT NULL,
    PRIMARY KEY (account, day, model, outcome)
) WITH (fillfactor = 50);

-- People who sign in, and what they change.
CREATE TABLE users (
    id          uuid PRIMARY KEY,
    -- A name or an e-mail address, in lower case.
    login       text COLLATE "C" NOT NULL UNIQUE,
    -- Argon2id in PHC form.
    password    text NOT NULL,
    role        text NOT NULL CHECK (role IN ('operator', 'member')),
    account     uuid NOT NULL REFERENCES accounts (id),
    created_at  bigint NOT NULL,
    disabled_at bigint
);

CREATE INDEX users_by_account ON users (account, id);

CREATE TABLE sessions (
    -- SHA-256 of the cookie's text, which itself is kept nowhere.
    hash         bytea PRIMARY KEY CHECK (length(hash) = 32),
    id           uuid NOT NULL UNIQUE,
    user_id      uuid NOT NULL REFERENCES users (id),
    created_at   bigint NOT NULL,
    last_seen_at bigint NOT NULL,
    expires_at   bigint NOT NULL,
    ended_at     bigint,
    user_agent   text NOT NULL,
    address      text NOT NULL
) WITH (fillfactor = 80);

CREATE INDEX sessions_by_user ON sessions (user_id, id);

CREATE TABLE invitations (
    -- SHA-256 of the link's text, which itself is kept nowhere.
    hash       bytea PRIMARY KEY CHECK (length(hash) = 32),
    id         uuid NOT NULL UNIQUE,
    role       text NOT NULL CHECK (role IN ('operator', 'member')),
    -- NULL: the first operator's, who gets an account of his own.
    account    uuid REFERENCES accounts (id),
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    used_at    bigint
);

-- Who changed what. Written in the transaction that makes the change.
CREATE TABLE changes (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at      bigint NOT NULL,
    actor   text NOT NULL,
    user_id uuid REFERENCES users (id),
    action  text NOT NULL,
    account uuid REFERENCES accounts (id),
    object  text NOT NULL,
    details text NOT NULL
);

CREATE INDEX changes_by_account ON changes (account, id);

CREATE TRIGGER changes_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON changes
    FOR EACH STATEMENT EXECUTE FUNCTION atelier_append_only('the record of changes');

-- One row per process that works or answers, renewed while it does.
CREATE TABLE nodes (
    id         uuid PRIMARY KEY,
    pid        bigint NOT NULL,
    version    text NOT NULL,
    started_at bigint NOT NULL,
    seen_at    bigint NOT NULL,
    -- A JSON list of engines.
    engines    text NOT NULL
) WITH (fillfactor = 50);

-- Files that may be neither served nor stored again, by the hash of their bytes.
CREATE TABLE takedowns (
    sha256 text COLLATE "C" PRIMARY KEY CHECK (length(sha256) = 64),
    name   text NOT NULL,
    reason text NOT NULL,
    at     bigint NOT NULL
);

CREATE TABLE previews (
    file    text COLLATE "C" PRIMARY KEY,
    -- NULL: none can be made of it.
    preview text,
    made_at bigint NOT NULL
);

-- Stored files by media type, counted by triggers whoever writes.
CREATE TABLE storage (
    media_type text COLLATE "C" PRIMARY KEY,
    files      bigint NOT NULL,
    bytes      bigint NOT NULL
) WITH (fillfactor = 50);

CREATE FUNCTION atelier_count_storage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO storage AS s (media_type, files, bytes) VALUES (NEW.media_type, 1, NEW.size)
        ON CONFLICT (media_type) DO UPDATE SET files = s.files + 1, bytes = s.bytes + excluded.bytes;
    ELSE
        UPDATE storage SET files = files - 1, bytes = bytes - OLD.size WHERE media_type = OLD.media_type;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER storage_is_counted AFTER INSERT OR DELETE ON files
    FOR EACH ROW EXECUTE FUNCTION atelier_count_storage();
