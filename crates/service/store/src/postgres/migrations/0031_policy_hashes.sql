-- What pictures look like that the policy is about: lists that operators import.

CREATE TABLE policy_hashes (
    list        text COLLATE "C" NOT NULL,
    hash        bytea NOT NULL CHECK (length(hash) = 32),
    -- What the file said beside it.
    note        text COLLATE "C" NOT NULL,
    imported_at bigint NOT NULL,
    PRIMARY KEY (list, hash)
);

-- Changed by every import and removal, so that nodes know that what they have read is out of date.
CREATE TABLE policy_hash_lists (
    name        text COLLATE "C" PRIMARY KEY,
    hashes      bigint NOT NULL CHECK (hashes >= 0),
    imported_at bigint NOT NULL
);
