-- How many generations of an account have ended and are listed, by what lists filter by: the days of years need not be
-- added up for each page. A trigger keeps it, also for nodes of the version before. Whoever writes here holds the
-- account's row.

CREATE TABLE usage_totals (
    account     uuid NOT NULL REFERENCES accounts (id),
    model       text COLLATE "C" NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    outcome     text COLLATE "C" NOT NULL,
    generations bigint NOT NULL,
    PRIMARY KEY (account, model, kind, outcome)
) WITH (fillfactor = 50);

-- Until the trigger is there, nobody counts.
LOCK TABLE usage IN SHARE ROW EXCLUSIVE MODE;

INSERT INTO usage_totals (account, model, kind, outcome, generations)
SELECT account, model, kind, outcome, sum(generations - removed)::bigint FROM usage GROUP BY 1, 2, 3, 4;

CREATE FUNCTION atelier_count_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO usage_totals AS t (account, model, kind, outcome, generations)
        VALUES (NEW.account, NEW.model, NEW.kind, NEW.outcome, NEW.generations - NEW.removed)
        ON CONFLICT (account, model, kind, outcome)
        DO UPDATE SET generations = t.generations + excluded.generations;
    ELSIF TG_OP = 'UPDATE' THEN
        UPDATE usage_totals
        SET generations = generations + NEW.generations - NEW.removed - OLD.generations + OLD.removed
        WHERE account = NEW.account AND model = NEW.model AND kind = NEW.kind AND outcome = NEW.outcome;
    ELSE
        UPDATE usage_totals SET generations = generations - OLD.generations + OLD.removed
        WHERE account = OLD.account AND model = OLD.model AND kind = OLD.kind AND outcome = OLD.outcome;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER totals_are_counted AFTER INSERT OR UPDATE OF generations, removed OR DELETE ON usage
    FOR EACH ROW EXECUTE FUNCTION atelier_count_totals();

-- What an account has in progress is counted by this index alone, whatever the filter.
DROP INDEX generations_unfinished_by_account;
CREATE INDEX generations_unfinished_by_account ON generations (account, id) INCLUDE (model, kind)
    WHERE ended_at IS NULL;
