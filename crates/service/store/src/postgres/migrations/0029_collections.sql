-- Named collections of results. A result may be in several; deleting a collection leaves its results.

CREATE TABLE collections (
    id         uuid PRIMARY KEY,
    account    uuid NOT NULL REFERENCES accounts (id),
    name       text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL
);

CREATE UNIQUE INDEX collections_by_name ON collections (account, name);

-- Rows are written by who has locked the collection.
CREATE TABLE collected (
    collection uuid NOT NULL REFERENCES collections (id),
    generation uuid NOT NULL,
    at         bigint NOT NULL,
    PRIMARY KEY (collection, generation)
);

CREATE INDEX collected_by_generation ON collected (generation);

CREATE FUNCTION atelier_deleted_leaves_collections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM collected WHERE generation = OLD.id;
    RETURN NULL;
END
$$;

-- A result that is deleted leaves its collections, also if a node of the version before deletes it.
CREATE TRIGGER deleted_leaves_collections AFTER DELETE ON generations
    FOR EACH ROW EXECUTE FUNCTION atelier_deleted_leaves_collections();
