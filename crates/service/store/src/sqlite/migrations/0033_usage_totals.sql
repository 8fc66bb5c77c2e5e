-- How many generations of an account have ended and are listed, by what lists filter by: the days of years need not be
-- added up for each page. Triggers keep it, whoever counts a day.

CREATE TABLE usage_totals (
    account     BLOB    NOT NULL REFERENCES accounts (id),
    model       TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    outcome     TEXT    NOT NULL,
    generations INTEGER NOT NULL,
    PRIMARY KEY (account, model, kind, outcome)
) STRICT, WITHOUT ROWID;

INSERT INTO usage_totals (account, model, kind, outcome, generations)
SELECT account, model, kind, outcome, sum(generations - removed) FROM usage GROUP BY 1, 2, 3, 4;

CREATE TRIGGER totals_count_a_new_day AFTER INSERT ON usage
BEGIN
    INSERT INTO usage_totals (account, model, kind, outcome, generations)
    VALUES (NEW.account, NEW.model, NEW.kind, NEW.outcome, NEW.generations - NEW.removed)
    ON CONFLICT (account, model, kind, outcome) DO UPDATE SET generations = generations + excluded.generations;
END;

CREATE TRIGGER totals_count_what_a_day_counts AFTER UPDATE OF generations, removed ON usage
BEGIN
    UPDATE usage_totals SET generations = generations + NEW.generations - NEW.removed - OLD.generations + OLD.removed
    WHERE account = NEW.account AND model = NEW.model AND kind = NEW.kind AND outcome = NEW.outcome;
END;

CREATE TRIGGER totals_forget_a_day AFTER DELETE ON usage
BEGIN
    UPDATE usage_totals SET generations = generations - OLD.generations + OLD.removed
    WHERE account = OLD.account AND model = OLD.model AND kind = OLD.kind AND outcome = OLD.outcome;
END;
