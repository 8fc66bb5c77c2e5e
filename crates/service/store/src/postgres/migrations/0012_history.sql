-- What deletion needs: who uses a stored file, what was deleted, and the sums of entries whose generations are gone.
-- Nodes of the version before do not write down uses: delete nothing until all nodes are new.

CREATE TABLE file_uses (
    -- A generation, the account of an upload, or zeros: the program itself.
    holder uuid NOT NULL,
    file   text COLLATE "C" NOT NULL,
    kind   text NOT NULL CHECK (kind IN ('input', 'output', 'upload', 'program')),
    at     bigint NOT NULL,
    PRIMARY KEY (holder, file)
);

INSERT INTO file_uses (holder, file, kind, at)
SELECT DISTINCT ON (g.id, f.name) g.id, f.name, 'output', g.ended_at
FROM generations g, regexp_matches(g.output, '"([0-9a-f]{64}\.[a-z0-9]+)"', 'g') found
JOIN files f ON f.name = found[1]
WHERE g.output IS NOT NULL;

-- An input is the last part of an address.
INSERT INTO file_uses (holder, file, kind, at)
SELECT DISTINCT ON (g.id, f.name) g.id, f.name, 'input', g.created_at
FROM generations g, regexp_matches(g.params, '/([0-9a-f]{64}\.[a-z0-9]+)"', 'g') found
JOIN files f ON f.name = found[1]
WHERE g.params LIKE '%://%'
ON CONFLICT DO NOTHING;

CREATE INDEX file_uses_by_file ON file_uses (file);

-- Until now nobody wrote down who uploaded a file: whoever used it.
INSERT INTO file_uses (holder, file, kind, at)
SELECT g.account, u.file, 'upload', min(u.at) FROM file_uses u JOIN generations g ON g.id = u.holder
WHERE u.kind = 'input' AND NOT EXISTS (SELECT 1 FROM file_uses o WHERE o.file = u.file AND o.kind = 'output')
GROUP BY g.account, u.file;

CREATE INDEX file_uses_of_uploads ON file_uses (at) WHERE kind = 'upload';

CREATE TABLE deleted_files (
    name       text COLLATE "C" PRIMARY KEY,
    deleted_at bigint NOT NULL,
    -- When its bytes may be removed by whoever comes then; NULL: they are gone.
    due_at     bigint
);

CREATE INDEX deleted_files_due ON deleted_files (due_at) WHERE due_at IS NOT NULL;

-- What is kept of a generation that its owner deleted.
CREATE TABLE deleted_generations (
    id         uuid PRIMARY KEY,
    account    uuid NOT NULL REFERENCES accounts (id),
    model      text COLLATE "C" NOT NULL,
    kind       text COLLATE "C" NOT NULL,
    state      text COLLATE "C" NOT NULL CHECK (state IN ('completed', 'failed')),
    hold       bigint NOT NULL,
    charged    bigint,
    created_at bigint NOT NULL,
    ended_at   bigint NOT NULL,
    deleted_at bigint NOT NULL
);

-- How many of those that a day counts are not listed any more.
ALTER TABLE usage ADD COLUMN removed bigint NOT NULL DEFAULT 0;

-- The sums of an account's entries that belonged to generations of which nothing is left.
CREATE TABLE folded (
    account     uuid PRIMARY KEY REFERENCES accounts (id),
    generations bigint NOT NULL,
    entries     bigint NOT NULL,
    issued      bigint NOT NULL,
    available   bigint NOT NULL,
    held        bigint NOT NULL,
    spent       bigint NOT NULL,
    -- The time of the newest of them.
    through     bigint NOT NULL,
    CHECK (issued + available + held + spent = 0)
);

-- An entry outlives its generation. So does the use of a key, until it is too old to count.
ALTER TABLE entries DROP CONSTRAINT IF EXISTS entries_generation_fkey;
ALTER TABLE idempotency DROP CONSTRAINT IF EXISTS idempotency_generation_fkey;

DROP TRIGGER entries_are_never_changed ON entries;

CREATE TRIGGER entries_are_never_changed BEFORE UPDATE OR TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION atelier_append_only('the ledger');

-- Only entries of generations that are gone may leave, and their sums stay.
CREATE FUNCTION atelier_fold_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM gone e WHERE e.generation IS NULL
                   OR EXISTS (SELECT 1 FROM generations g WHERE g.id = e.generation)
                   OR EXISTS (SELECT 1 FROM deleted_generations d WHERE d.id = e.generation)) THEN
        RAISE EXCEPTION 'the ledger is append-only';
    END IF;
    INSERT INTO folded AS f (account, generations, entries, issued, available, held, spent, through)
    SELECT account, count(*) FILTER (WHERE kind = 'hold'), count(*), sum(issued)::bigint, sum(available)::bigint,
           sum(held)::bigint, sum(spent)::bigint, max(at)
    FROM gone GROUP BY account ORDER BY account
    ON CONFLICT (account) DO UPDATE SET
        generations = f.generations + excluded.generations, entries = f.entries + excluded.entries,
        issued = f.issued + excluded.issued, available = f.available + excluded.available,
        held = f.held + excluded.held, spent = f.spent + excluded.spent,
        through = greatest(f.through, excluded.through);
    RETURN NULL;
END
$$;

CREATE TRIGGER entries_are_never_deleted AFTER DELETE ON entries
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION atelier_fold_entries();
