-- After how many days the jobs and uploads of an account go; NULL: as the configuration says.
ALTER TABLE accounts ADD COLUMN retention_days INTEGER CHECK (retention_days >= 2);

CREATE INDEX accounts_with_retention ON accounts (id) WHERE retention_days IS NOT NULL;
