-- Usage of all accounts within some days, and the record of changes by kind: the part of an action before the dot.

CREATE INDEX usage_by_day ON usage (day);

CREATE INDEX changes_by_kind ON changes (substr(action, 1, instr(action, '.') - 1));
CREATE INDEX changes_by_account_and_kind ON changes (account, substr(action, 1, instr(action, '.') - 1));
