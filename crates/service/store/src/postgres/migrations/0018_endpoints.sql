-- Webhook endpoints that accounts register, and what happened that they may want to know. Nodes of the version before
-- tell endpoints nothing of what they end.

-- Below so many credits the balance is low; NULL: it never is. And since when it is.
ALTER TABLE accounts ADD COLUMN low_balance bigint CHECK (low_balance >= 0);
ALTER TABLE accounts ADD COLUMN low_since bigint;

CREATE TABLE webhook_endpoints (
    id                    uuid PRIMARY KEY,
    account               uuid NOT NULL REFERENCES accounts (id),
    url                   text NOT NULL,
    -- The names of events, with spaces between them.
    events                text NOT NULL,
    enabled               boolean NOT NULL,
    signing_secret        text NOT NULL,
    previous_secret       text,
    previous_secret_until bigint,
    created_at            bigint NOT NULL,
    -- Its deliveries stay, and are shown with its secret.
    deleted_at            bigint
);

CREATE INDEX webhook_endpoints_by_account ON webhook_endpoints (account, id) WHERE deleted_at IS NULL;

-- What happened and was not yet turned into deliveries. Rows are written by who has locked the account.
CREATE TABLE webhook_events (
    -- That of the generation, if it is about one.
    id        uuid PRIMARY KEY,
    account   uuid NOT NULL,
    kind      text COLLATE "C" NOT NULL CHECK (kind IN ('end', 'low_balance')),
    at        bigint NOT NULL,
    available bigint,
    threshold bigint
);

-- NULL: the delivery goes to a URL that a request named.
ALTER TABLE deliveries ADD COLUMN endpoint uuid;
-- The generation of a delivery to an endpoint. `generation` is that of the one delivery to a request's URL.
ALTER TABLE deliveries ADD COLUMN about uuid;

CREATE INDEX deliveries_about ON deliveries (about) WHERE about IS NOT NULL;

CREATE FUNCTION atelier_low_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.available >= NEW.low_balance THEN
        NEW.low_since := NULL;
    ELSE
        NEW.low_since := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
        INSERT INTO webhook_events (id, account, kind, at, available, threshold)
        VALUES (gen_random_uuid(), NEW.id, 'low_balance', NEW.low_since, NEW.available, NEW.low_balance);
    END IF;
    RETURN NEW;
END
$$;

-- Whatever moves the credits. The function runs only if the balance crosses the threshold.
CREATE TRIGGER low_balance_is_told BEFORE UPDATE OF available ON accounts
    FOR EACH ROW WHEN ((NEW.available < NEW.low_balance) <> (NEW.low_since IS NOT NULL))
    EXECUTE FUNCTION atelier_low_balance();
