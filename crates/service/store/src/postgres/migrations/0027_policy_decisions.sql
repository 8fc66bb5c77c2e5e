-- What the content policy decided. Nothing here says what a job asked for.
CREATE TABLE policy_decisions (
    -- In the order of the decisions.
    id         uuid PRIMARY KEY,
    at         bigint NOT NULL,
    rule       text COLLATE "C" NOT NULL,
    stage      text COLLATE "C" NOT NULL,
    decision   text COLLATE "C" NOT NULL,
    account    uuid NOT NULL,
    model      text COLLATE "C" NOT NULL,
    generation uuid NOT NULL,
    UNIQUE (generation, stage, rule)
);

-- Lists of one account, and its erasure.
CREATE INDEX policy_decisions_by_account ON policy_decisions (account, id);
