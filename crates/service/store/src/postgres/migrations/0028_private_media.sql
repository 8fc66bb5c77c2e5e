-- Whether links to the files of an account are signed and expire.
ALTER TABLE accounts ADD COLUMN private_media boolean NOT NULL DEFAULT false;

CREATE INDEX accounts_with_private_media ON accounts (id) WHERE private_media;

-- Whose a file is: who made or uploaded it is found without a walk through the jobs that use it.
DROP INDEX file_uses_by_file;
CREATE INDEX file_uses_by_file ON file_uses (file, kind);
CREATE INDEX previews_by_preview ON previews (preview) WHERE preview IS NOT NULL;
