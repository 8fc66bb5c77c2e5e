-- What a picture looked like that was taken down, as 256 bits: copies that differ in few of them are refused.

ALTER TABLE takedowns ADD COLUMN likeness BLOB CHECK (length(likeness) = 32);

CREATE INDEX takedowns_with_likeness ON takedowns (sha256) WHERE likeness IS NOT NULL;
