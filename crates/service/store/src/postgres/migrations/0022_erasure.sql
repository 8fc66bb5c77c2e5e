-- Accounts that are erased: their row and their bookkeeping stay, without a name.

-- Since when the account is being erased, and when that was done.
ALTER TABLE accounts ADD COLUMN erasing_at bigint;
ALTER TABLE accounts ADD COLUMN erased_at bigint;

CREATE INDEX changes_by_user ON changes (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX deleted_generations_by_account ON deleted_generations (account, id);

-- Of the entries of such an account, the reason may go.
CREATE FUNCTION atelier_forget_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.account, NEW.generation, NEW.kind, NEW.issued, NEW.available, NEW.held, NEW.spent, NEW.at)
           IS DISTINCT FROM
           (OLD.id, OLD.account, OLD.generation, OLD.kind, OLD.issued, OLD.available, OLD.held, OLD.spent, OLD.at)
        OR NEW.reason IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account AND erasing_at IS NOT NULL) THEN
        RAISE EXCEPTION 'the ledger is append-only';
    END IF;
    RETURN NEW;
END
$$;

DROP TRIGGER entries_are_never_changed ON entries;

CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entries
    FOR EACH ROW EXECUTE FUNCTION atelier_forget_entry();

CREATE TRIGGER entries_are_never_emptied BEFORE TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION atelier_append_only('the ledger');

-- Of the record of changes, everything may go but what happened when, if it is about such an account or was done by
-- one of its users.
CREATE FUNCTION atelier_forget_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.at, NEW.action, NEW.account) IS DISTINCT FROM (OLD.id, OLD.at, OLD.action, OLD.account)
        OR (NEW.actor <> OLD.actor AND NEW.actor <> 'erased')
        OR (NEW.user_id IS DISTINCT FROM OLD.user_id AND NEW.user_id IS NOT NULL)
        OR (NEW.object <> OLD.object AND NEW.object <> 'erased')
        OR (NEW.details <> OLD.details AND NEW.details <> '{}')
        OR NOT (EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account AND erasing_at IS NOT NULL)
                OR EXISTS (SELECT 1 FROM users u JOIN accounts a ON a.id = u.account
                           WHERE u.id = OLD.user_id AND a.erasing_at IS NOT NULL)) THEN
        RAISE EXCEPTION 'the record of changes is append-only';
    END IF;
    RETURN NEW;
END
$$;

DROP TRIGGER changes_are_never_changed ON changes;

CREATE TRIGGER changes_are_never_changed BEFORE UPDATE ON changes
    FOR EACH ROW EXECUTE FUNCTION atelier_forget_change();

CREATE TRIGGER changes_are_never_deleted BEFORE DELETE OR TRUNCATE ON changes
    FOR EACH STATEMENT EXECUTE FUNCTION atelier_append_only('the record of changes');
