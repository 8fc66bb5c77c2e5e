-- Jobs that wait until a person decides, and what people said about decisions.

-- The parameter that the rule was about; empty: the whole job.
ALTER TABLE policy_decisions ADD COLUMN part text COLLATE "C";
-- Of a job that waits or has waited: until when, and whether it runs if nobody has decided by then.
ALTER TABLE policy_decisions ADD COLUMN review_until bigint;
ALTER TABLE policy_decisions ADD COLUMN review_approves boolean;
-- Its place in the queue, and the time that was left until its deadline.
ALTER TABLE policy_decisions ADD COLUMN queue_place bigint;
ALTER TABLE policy_decisions ADD COLUMN time_left bigint;
-- When it stopped waiting.
ALTER TABLE policy_decisions ADD COLUMN settled_at bigint;
-- `approved`, `refused` or `withdrawn`; of a refusal that was a mistake, `overturned`.
ALTER TABLE policy_decisions ADD COLUMN verdict text COLLATE "C";
ALTER TABLE policy_decisions ADD COLUMN verdict_at bigint;
ALTER TABLE policy_decisions ADD COLUMN note text COLLATE "C";

CREATE INDEX policy_decisions_waiting ON policy_decisions (review_until)
    WHERE review_until IS NOT NULL AND settled_at IS NULL;
