-- Named collections of results. A result may be in several; deleting a collection leaves its results.

CREATE TABLE collections (
    id         BLOB    NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account    BLOB    NOT NULL REFERENCES accounts (id),
    name       TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX collections_by_name ON collections (account, name);

CREATE TABLE collected (
    collection BLOB    NOT NULL REFERENCES collections (id),
    generation BLOB    NOT NULL,
    at         INTEGER NOT NULL,
    PRIMARY KEY (collection, generation)
) STRICT, WITHOUT ROWID;

CREATE INDEX collected_by_generation ON collected (generation);

-- A result that is deleted leaves its collections, also if a node of the version before deletes it.
CREATE TRIGGER deleted_leaves_collections AFTER DELETE ON generations
BEGIN
    DELETE FROM collected WHERE generation = OLD.id;
END;
