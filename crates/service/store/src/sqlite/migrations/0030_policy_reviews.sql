-- Jobs that wait until a person decides, and what people said about decisions.

-- The parameter that the rule was about; empty: the whole job.
ALTER TABLE policy_decisions ADD COLUMN part TEXT;
-- Of a job that waits or has waited: until when, and whether it runs if nobody has decided by then.
ALTER TABLE policy_decisions ADD COLUMN review_until INTEGER;
ALTER TABLE policy_decisions ADD COLUMN review_approves INTEGER CHECK (review_approves IN (0, 1));
-- Its place in the queue, and the time that was left until its deadline.
ALTER TABLE policy_decisions ADD COLUMN queue_place INTEGER;
ALTER TABLE policy_decisions ADD COLUMN time_left INTEGER;
-- When it stopped waiting.
ALTER TABLE policy_decisions ADD COLUMN settled_at INTEGER;
-- `approved`, `refused` or `withdrawn`; of a refusal that was a mistake, `overturned`.
ALTER TABLE policy_decisions ADD COLUMN verdict TEXT;
ALTER TABLE policy_decisions ADD COLUMN verdict_at INTEGER;
ALTER TABLE policy_decisions ADD COLUMN note TEXT;

CREATE INDEX policy_decisions_waiting ON policy_decisions (review_until)
    WHERE review_until IS NOT NULL AND settled_at IS NULL;
