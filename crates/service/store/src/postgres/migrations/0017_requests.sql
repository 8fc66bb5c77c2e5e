-- What accounts asked for lately. Rows are written in batches after the answers, and go after a few days.
CREATE TABLE requests (
    -- In the order of the requests.
    id         uuid PRIMARY KEY,
    account    uuid NOT NULL,
    -- NULL: not known.
    key        uuid,
    at         bigint NOT NULL,
    method     text COLLATE "C" NOT NULL,
    path       text COLLATE "C" NOT NULL,
    status     bigint NOT NULL,
    code       text COLLATE "C",
    latency_ms bigint NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    generation uuid,
    -- How many of the same kind came in the same minute.
    count      bigint NOT NULL CHECK (count >= 1)
) WITH (fillfactor = 90);

-- Lists and their counts read this index alone up to the page they show.
CREATE INDEX requests_by_account ON requests (account, id, status, key);
