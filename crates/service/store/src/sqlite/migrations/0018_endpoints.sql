-- Webhook endpoints that accounts register, and what happened that they may want to know.

-- Below so many credits the balance is low; NULL: it never is. And since when it is.
ALTER TABLE accounts ADD COLUMN low_balance INTEGER CHECK (low_balance >= 0);
ALTER TABLE accounts ADD COLUMN low_since INTEGER;

CREATE TABLE webhook_endpoints (
    id                    BLOB    NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account               BLOB    NOT NULL REFERENCES accounts (id),
    url                   TEXT    NOT NULL,
    -- The names of events, with spaces between them.
    events                TEXT    NOT NULL,
    enabled               INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    signing_secret        TEXT    NOT NULL,
    previous_secret       TEXT,
    previous_secret_until INTEGER,
    created_at            INTEGER NOT NULL,
    -- Its deliveries stay, and are shown with its secret.
    deleted_at            INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_endpoints_by_account ON webhook_endpoints (account, id) WHERE deleted_at IS NULL;

-- What happened and was not yet turned into deliveries.
CREATE TABLE webhook_events (
    -- That of the generation, if it is about one.
    id        BLOB    NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account   BLOB    NOT NULL REFERENCES accounts (id),
    kind      TEXT    NOT NULL CHECK (kind IN ('end', 'low_balance')),
    at        INTEGER NOT NULL,
    available INTEGER,
    threshold INTEGER
) STRICT, WITHOUT ROWID;

-- NULL: the delivery goes to a URL that a request named.
ALTER TABLE deliveries ADD COLUMN endpoint BLOB;
-- The generation of a delivery to an endpoint. `generation` is that of the one delivery to a request's URL.
ALTER TABLE deliveries ADD COLUMN about BLOB;

CREATE INDEX deliveries_about ON deliveries (about) WHERE about IS NOT NULL;

CREATE TRIGGER ends_are_told AFTER UPDATE OF ended_at ON generations
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
     AND EXISTS (SELECT 1 FROM webhook_endpoints
                 WHERE account = NEW.account AND enabled = 1 AND deleted_at IS NULL)
BEGIN
    INSERT INTO webhook_events (id, account, kind, at) VALUES (NEW.id, NEW.account, 'end', NEW.ended_at);
END;

-- Whatever moves the credits.
CREATE TRIGGER low_balance_is_told AFTER UPDATE OF available ON accounts
WHEN NEW.available < NEW.low_balance AND NEW.low_since IS NULL
BEGIN
    UPDATE accounts SET low_since = CAST(unixepoch('subsec') * 1000000 AS INTEGER) WHERE id = NEW.id;
    INSERT INTO webhook_events (id, account, kind, at, available, threshold)
    VALUES (randomblob(16), NEW.id, 'low_balance', CAST(unixepoch('subsec') * 1000000 AS INTEGER), NEW.available,
            NEW.low_balance);
END;

CREATE TRIGGER low_balance_is_over AFTER UPDATE OF available ON accounts
WHEN NEW.available >= NEW.low_balance AND NEW.low_since IS NOT NULL
BEGIN
    UPDATE accounts SET low_since = NULL WHERE id = NEW.id;
END;
