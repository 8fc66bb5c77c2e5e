-- How many of the failures that a day counts were cancelled by their owner.
ALTER TABLE usage ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0;

UPDATE usage SET cancelled = c.generations
FROM (SELECT account, ended_at / 86400000000 AS day, model, count(*) AS generations
      FROM generations
      WHERE state = 'failed' AND json_extract(failure, '$.code') = 'generation_failed'
        AND json_extract(failure, '$.message') = 'cancelled'
      GROUP BY 1, 2, 3) c
WHERE usage.account = c.account AND usage.day = c.day AND usage.model = c.model
  AND usage.outcome = 'generation_failed';

DROP TRIGGER usage_counts_what_ends;

CREATE TRIGGER usage_counts_what_ends AFTER UPDATE OF ended_at ON generations
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
    INSERT INTO usage (account, day, model, outcome, kind, generations, credits, cancelled)
    VALUES (NEW.account, NEW.ended_at / 86400000000, NEW.model,
            iif(NEW.state = 'completed', 'completed',
                coalesce(json_extract(NEW.failure, '$.code'), 'generation_failed')),
            NEW.kind, 1, coalesce(NEW.charged, 0),
            coalesce(NEW.state = 'failed' AND json_extract(NEW.failure, '$.code') = 'generation_failed'
                     AND json_extract(NEW.failure, '$.message') = 'cancelled', 0))
    ON CONFLICT (account, day, model, outcome)
    DO UPDATE SET generations = generations + 1, credits = credits + excluded.credits,
                  cancelled = cancelled + excluded.cancelled;
END;
