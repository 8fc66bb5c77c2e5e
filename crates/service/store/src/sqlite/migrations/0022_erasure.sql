-- Accounts that are erased: their row and their bookkeeping stay, without a name.

-- Since when the account is being erased, and when that was done.
ALTER TABLE accounts ADD COLUMN erasing_at INTEGER;
ALTER TABLE accounts ADD COLUMN erased_at INTEGER;

CREATE INDEX changes_by_user ON changes (user) WHERE user IS NOT NULL;
CREATE INDEX deleted_generations_by_account ON deleted_generations (account, id);

-- Of the entries of such an account, the reason may go.
DROP TRIGGER entries_are_never_changed;

CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entries
WHEN (NEW.id, NEW.account, NEW.kind, NEW.issued, NEW.available, NEW.held, NEW.spent, NEW.at)
         IS NOT (OLD.id, OLD.account, OLD.kind, OLD.issued, OLD.available, OLD.held, OLD.spent, OLD.at)
    OR NEW.generation IS NOT OLD.generation
    OR NEW.reason IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account AND erasing_at IS NOT NULL)
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

-- Of the record of changes, everything may go but what happened when, if it is about such an account or was done by
-- one of its users.
DROP TRIGGER changes_are_never_changed;

CREATE TRIGGER changes_are_never_changed BEFORE UPDATE ON changes
WHEN (NEW.id, NEW.at, NEW.action) IS NOT (OLD.id, OLD.at, OLD.action)
    OR NEW.account IS NOT OLD.account
    OR (NEW.actor <> OLD.actor AND NEW.actor <> 'erased')
    OR (NEW.user IS NOT OLD.user AND NEW.user IS NOT NULL)
    OR (NEW.object <> OLD.object AND NEW.object <> 'erased')
    OR (NEW.details <> OLD.details AND NEW.details <> '{}')
    OR NOT (EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account AND erasing_at IS NOT NULL)
            OR EXISTS (SELECT 1 FROM users u JOIN accounts a ON a.id = u.account
                       WHERE u.id = OLD.user AND a.erasing_at IS NOT NULL))
BEGIN
    SELECT RAISE(ABORT, 'the record of changes is append-only');
END;
