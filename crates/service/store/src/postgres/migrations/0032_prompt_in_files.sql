-- Where the files of an account say from which prompt they were made.
ALTER TABLE accounts ADD COLUMN prompt_in_files text NOT NULL DEFAULT 'metadata'
    CHECK (prompt_in_files IN ('none', 'metadata', 'signed'));
