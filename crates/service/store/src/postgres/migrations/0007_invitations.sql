-- Who created an invitation and when it was revoked; and links that reset a password.

-- NULL: the command line or the program itself.
ALTER TABLE invitations ADD COLUMN inviter uuid REFERENCES users (id);
-- When it was taken back, or ended with its inviter.
ALTER TABLE invitations ADD COLUMN revoked_at bigint;

-- The invitations that may still be open: few, however many were ever created.
CREATE INDEX invitations_unused ON invitations (id) WHERE used_at IS NULL AND revoked_at IS NULL;

-- A table of its own: a node of the version before would take a reset link for an invitation.
CREATE TABLE password_resets (
    -- SHA-256 of the link's text, which is not stored.
    hash       bytea PRIMARY KEY CHECK (length(hash) = 32),
    id         uuid NOT NULL UNIQUE,
    user_id    uuid NOT NULL REFERENCES users (id),
    -- The operator who created it; NULL: the command line.
    issuer     uuid REFERENCES users (id),
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    used_at    bigint,
    revoked_at bigint
);

CREATE INDEX password_resets_unused ON password_resets (user_id, issuer)
    WHERE used_at IS NULL AND revoked_at IS NULL;
