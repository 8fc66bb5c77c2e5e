-- When a user of the account marked a result as a favourite.

ALTER TABLE generations ADD COLUMN favourite_at INTEGER;

CREATE INDEX generations_favourite ON generations (account, id) WHERE favourite_at IS NOT NULL;
