-- What accounts made and spent, per day, kept up to date by the end of each generation, whichever version of
-- the program writes it.

CREATE TABLE usage (
    account     BLOB    NOT NULL REFERENCES accounts (id),
    -- Days since 1970-01-01 in UTC.
    day         INTEGER NOT NULL,
    model       TEXT    NOT NULL,
    -- `completed`, or the code of the failure.
    outcome     TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    generations INTEGER NOT NULL,
    credits     INTEGER NOT NULL,
    PRIMARY KEY (account, day, model, outcome)
) STRICT, WITHOUT ROWID;

INSERT INTO usage (account, day, model, outcome, kind, generations, credits)
SELECT account, ended_at / 86400000000, model,
       iif(state = 'completed', 'completed', coalesce(json_extract(failure, '$.code'), 'generation_failed')),
       kind, count(*), sum(coalesce(charged, 0))
FROM generations WHERE ended_at IS NOT NULL GROUP BY 1, 2, 3, 4;

CREATE TRIGGER usage_counts_what_ends AFTER UPDATE OF ended_at ON generations
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
    INSERT INTO usage (account, day, model, outcome, kind, generations, credits)
    VALUES (NEW.account, NEW.ended_at / 86400000000, NEW.model,
            iif(NEW.state = 'completed', 'completed',
                coalesce(json_extract(NEW.failure, '$.code'), 'generation_failed')),
            NEW.kind, 1, coalesce(NEW.charged, 0))
    ON CONFLICT (account, day, model, outcome)
    DO UPDATE SET generations = generations + 1, credits = credits + excluded.credits;
END;

-- Lists of one model or of one kind, and of what failed, go to their pages directly.
CREATE INDEX generations_by_model ON generations (account, model, id);
CREATE INDEX generations_by_kind ON generations (account, kind, id);
CREATE INDEX generations_failed ON generations (account, id) WHERE state = 'failed';
