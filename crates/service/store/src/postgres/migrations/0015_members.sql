-- Members of accounts and their roles. A user without an entry for the account that they joined first owns it: that is
-- every user from before, and every one whom a node of the version before creates.

CREATE TABLE members (
    user_id uuid NOT NULL REFERENCES users (id),
    account uuid NOT NULL REFERENCES accounts (id),
    -- `none`: was removed.
    role    text NOT NULL CHECK (role IN ('owner', 'developer', 'viewer', 'billing', 'none')),
    since   bigint NOT NULL,
    PRIMARY KEY (user_id, account)
);

CREATE INDEX members_by_account ON members (account, user_id);

-- The account that a session shows; NULL: the one that the user joined first.
ALTER TABLE sessions ADD COLUMN account uuid REFERENCES accounts (id);

-- The role in the account; NULL: owner.
ALTER TABLE invitations ADD COLUMN account_role text
    CHECK (account_role IN ('owner', 'developer', 'viewer', 'billing'));
