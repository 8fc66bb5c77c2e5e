-- What pictures look like that the policy is about: lists that operators import.

CREATE TABLE policy_hashes (
    list        TEXT    NOT NULL,
    hash        BLOB    NOT NULL CHECK (length(hash) = 32),
    -- What the file said beside it.
    note        TEXT    NOT NULL,
    imported_at INTEGER NOT NULL,
    PRIMARY KEY (list, hash)
) STRICT, WITHOUT ROWID;

-- Changed by every import and removal, so that nodes know that what they have read is out of date.
CREATE TABLE policy_hash_lists (
    name        TEXT    NOT NULL PRIMARY KEY,
    hashes      INTEGER NOT NULL CHECK (hashes >= 0),
    imported_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
