//! Every invariant of queue, ledger and outbox, checked on one snapshot. Both databases run the same queries.

mod screens;

pub(crate) use screens::{Balances, SCREENS, SUMS, Screen};

/// How many rows are named for one invariant; the others are only counted.
const NAMED: usize = 20;

/// An invariant: a query for what breaks it, whose columns fill the `{}` of the sentence.
pub(crate) struct Rule {
    /// Whether it holds if the balances of all [`SCREENS`] are even.
    is_screened: bool,
    sentence: &'static str,
    pub(crate) breaks: &'static str,
}

/// The message if the balances are not even and no rule names the reason.
const UNNAMED: &str =
    "generations, entries, deliveries, days and balances do not add up, and no rule says where";

/// The rules to look at, by what [`SCREENS`] found.
pub(crate) fn rules(balances: &Balances) -> impl Iterator<Item = &'static Rule> {
    let are_even = balances.are_even();
    RULES.iter().filter(move |rule| !(are_even && rule.is_screened))
}

/// The violations, of what rules have reported.
pub(crate) fn all(mut violations: Vec<String>, balances: &Balances) -> Vec<String> {
    if violations.is_empty() && !balances.are_even() {
        violations.push(UNNAMED.to_owned());
    }
    violations
}

pub(crate) const RULES: &[Rule] = &[
    Rule {
        is_screened: true,
        sentence: "account {}: available and held are {} and {}, its entries add up to {} and {}",
        breaks: "SELECT a.id, a.available, a.held, coalesce(e.available, 0) + coalesce(f.available, 0),
                        coalesce(e.held, 0) + coalesce(f.held, 0) FROM accounts a
                 LEFT JOIN (SELECT account, sum(available) AS available, sum(held) AS held FROM entries
                 GROUP BY account) e
                     ON e.account = a.id
                 LEFT JOIN folded f ON f.account = a.id
                 WHERE a.available <> coalesce(e.available, 0) + coalesce(f.available, 0)
                    OR a.held <> coalesce(e.held, 0) + coalesce(f.held, 0)",
    },
    Rule {
        is_screened: true,
        sentence: "account {}: its folded entries add up to {} and hold {} instead of 0",
        breaks: "SELECT account, issued + available + held + spent, held FROM folded
                 WHERE issued + available + held + spent <> 0 OR held <> 0 OR entries <> 2 * generations",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: was deleted and cost {}, its entry spends {}",
        breaks: "SELECT d.id, coalesce(d.charged, 0), coalesce(e.spent, 0) FROM deleted_generations d
                 LEFT JOIN entries e ON e.generation = d.id AND e.kind IN ('settle', 'release')
                 WHERE e.id IS NULL OR e.spent <> coalesce(d.charged, 0)",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: was deleted and is still there, or has {} entries that hold for it instead of 1",
        breaks: "SELECT d.id, count(e.id) FROM deleted_generations d
                 LEFT JOIN generations g ON g.id = d.id
                 LEFT JOIN entries e ON e.generation = d.id AND e.kind = 'hold'
                 GROUP BY d.id HAVING count(e.id) <> 1 OR count(g.id) <> 0",
    },
    Rule {
        is_screened: true,
        sentence: "account {}: holds {}, its unfinished generations hold {}",
        breaks: "SELECT a.id, a.held, coalesce(g.held, 0) FROM accounts a
                 LEFT JOIN (SELECT account, sum(hold) AS held FROM generations
                 WHERE ended_at IS NULL GROUP BY account) g
                     ON g.account = a.id
                 WHERE a.held <> coalesce(g.held, 0)",
    },
    Rule {
        is_screened: true,
        sentence: "account {}: a balance is negative (available {}, held {})",
        breaks: "SELECT id, available, held FROM accounts WHERE available < 0 OR held < 0",
    },
    Rule {
        is_screened: true,
        sentence: "entry {}: its sides add up to {} instead of 0",
        breaks: "SELECT id, issued + available + held + spent FROM entries
                 WHERE issued + available + held + spent <> 0",
    },
    Rule {
        is_screened: true,
        sentence: "entry {}: names generation {} of another account, or none that exists",
        breaks: "SELECT e.id, e.generation FROM entries e LEFT JOIN generations g ON g.id = e.generation
                 LEFT JOIN deleted_generations d ON d.id = e.generation
                 WHERE e.generation IS NOT NULL AND coalesce(g.account, d.account) IS DISTINCT FROM e.account",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: has {} entries that hold for it instead of 1",
        breaks: "SELECT g.id, count(e.id) FROM generations g
                 LEFT JOIN entries e ON e.generation = g.id AND e.kind = 'hold' GROUP BY g.id HAVING count(e.id) <> 1",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: its hold is {}, its entry holds {}",
        breaks: "SELECT g.id, g.hold, e.held FROM generations g
                 JOIN entries e ON e.generation = g.id AND e.kind = 'hold'
                 WHERE e.held <> g.hold OR e.available <> -g.hold",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: has ended and was settled or released {} times instead of once",
        breaks: "SELECT g.id, count(e.id) FROM generations g
                 LEFT JOIN entries e ON e.generation = g.id AND e.kind IN ('settle', 'release')
                 WHERE g.ended_at IS NOT NULL GROUP BY g.id HAVING count(e.id) <> 1",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: has not ended, but was settled or released (entry {})",
        breaks: "SELECT g.id, e.id FROM generations g
                 JOIN entries e ON e.generation = g.id AND e.kind IN ('settle', 'release') WHERE g.ended_at IS NULL",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: is {}, but its last entry is a {}",
        breaks: "SELECT g.id, g.state, e.kind FROM generations g
                 JOIN entries e ON e.generation = g.id AND e.kind IN ('settle', 'release')
                 WHERE (g.state = 'completed') <> (e.kind = 'settle') AND g.ended_at IS NOT NULL",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: holds {}, but {} came back from its hold",
        breaks: "SELECT g.id, g.hold, -e.held FROM generations g
                 JOIN entries e ON e.generation = g.id AND e.kind IN ('settle', 'release') WHERE e.held <> -g.hold",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: is charged {}, its entry spends {}",
        breaks: "SELECT g.id, coalesce(CAST(g.charged AS text), 'nothing'), e.spent FROM generations g
                 JOIN entries e ON e.generation = g.id AND e.kind = 'settle'
                 WHERE g.charged IS NULL OR g.charged <> e.spent",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: has failed, but its entry spends {}",
        breaks: "SELECT g.id, e.spent FROM generations g JOIN entries e ON e.generation = g.id
                 WHERE g.state = 'failed' AND e.spent <> 0",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: is {}, which goes with neither its end nor its lease",
        breaks: "SELECT id, state FROM generations
                 WHERE (state IN ('completed', 'failed')) <> (ended_at IS NOT NULL)
                    OR (state = 'running') <> (lease_until IS NOT NULL)
                    OR (state = 'running') <> (worker IS NOT NULL)
                    OR state NOT IN ('queued', 'running', 'completed', 'failed')",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: is {}, which does not go with its output or its charge",
        breaks: "SELECT id, state FROM generations
                 WHERE (state = 'completed') <> (output IS NOT NULL) OR (state = 'completed') <> (charged IS NOT NULL)",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: is {}, which does not go with its failure",
        breaks: "SELECT id, state FROM generations WHERE (state = 'failed') <> (failure IS NOT NULL)",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: is {} after {} attempts under epoch {}",
        breaks: "SELECT id, state, attempt, epoch FROM generations
                 WHERE attempt < 0 OR attempt > epoch OR (state IN ('running', 'completed') AND attempt < 1)
                    OR (epoch > 0) <> (started_at IS NOT NULL)",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: has ended and asked for a webhook, but has {} deliveries instead of 1",
        breaks: "SELECT g.id, count(d.id) FROM generations g LEFT JOIN deliveries d ON d.generation = g.id
                 WHERE g.ended_at IS NOT NULL AND g.webhook_url IS NOT NULL GROUP BY g.id HAVING count(d.id) <> 1",
    },
    Rule {
        is_screened: true,
        sentence: "generation {}: has not ended or asked for no webhook, but has delivery {}",
        breaks: "SELECT g.id, d.id FROM deliveries d JOIN generations g ON g.id = d.generation
                 WHERE g.ended_at IS NULL OR g.webhook_url IS NULL",
    },
    Rule {
        is_screened: true,
        sentence: "delivery {}: tells {} of generation {}, which is {}",
        breaks: "SELECT d.id, d.event, g.id, g.state FROM deliveries d JOIN generations g ON g.id = d.generation
                 WHERE g.ended_at IS NOT NULL AND d.event <> 'generation.' || g.state",
    },
    Rule {
        is_screened: true,
        sentence: "delivery {}: belongs to another account than its generation {}, or that does not exist",
        breaks: "SELECT d.id, d.generation FROM deliveries d LEFT JOIN generations g ON g.id = d.generation
                 WHERE d.generation IS NOT NULL AND (g.id IS NULL OR g.account <> d.account)",
    },
    Rule {
        is_screened: true,
        sentence: "delivery {}: tells {}, which goes with no generation or with one only",
        breaks: "SELECT id, event FROM deliveries
                 WHERE endpoint IS NULL AND (event = 'webhook.test') <> (generation IS NULL)",
    },
    Rule {
        is_screened: true,
        sentence: "account {}: {} generations have ended and cost {} credits, its days count {} and {}",
        breaks: "SELECT a.id, coalesce(g.ended, 0) + coalesce(d.ended, 0) + coalesce(f.generations, 0),
                        coalesce(g.cost, 0) + coalesce(d.cost, 0) + coalesce(f.spent, 0),
                        coalesce(u.ended, 0), coalesce(u.cost, 0)
                 FROM accounts a
                 LEFT JOIN (SELECT account, count(*) AS ended, sum(coalesce(charged, 0)) AS cost FROM generations
                            WHERE ended_at IS NOT NULL GROUP BY account) g ON g.account = a.id
                 LEFT JOIN (SELECT account, count(*) AS ended, sum(coalesce(charged, 0)) AS cost
                            FROM deleted_generations GROUP BY account) d ON d.account = a.id
                 LEFT JOIN folded f ON f.account = a.id
                 LEFT JOIN (SELECT account, sum(generations) AS ended, sum(credits) AS cost FROM usage
                            GROUP BY account) u ON u.account = a.id
                 WHERE coalesce(g.ended, 0) + coalesce(d.ended, 0) + coalesce(f.generations, 0)
                           <> coalesce(u.ended, 0)
                    OR coalesce(g.cost, 0) + coalesce(d.cost, 0) + coalesce(f.spent, 0) <> coalesce(u.cost, 0)",
    },
    Rule {
        is_screened: true,
        sentence: "account {}: its days count {} generations that are not listed any more, {} are gone",
        breaks: "SELECT a.id, coalesce(u.removed, 0), coalesce(d.ended, 0) + coalesce(f.generations, 0) FROM accounts a
                 LEFT JOIN (SELECT account, count(*) AS ended FROM deleted_generations GROUP BY account) d
                     ON d.account = a.id
                 LEFT JOIN folded f ON f.account = a.id
                 LEFT JOIN (SELECT account, sum(removed) AS removed FROM usage GROUP BY account) u ON u.account = a.id
                 WHERE coalesce(u.removed, 0) <> coalesce(d.ended, 0) + coalesce(f.generations, 0)",
    },
    Rule {
        is_screened: true,
        sentence: "account {}: its days count {} listed generations of {} with the outcome {}, the total is {}",
        breaks: "SELECT coalesce(u.account, t.account), coalesce(u.listed, 0), coalesce(u.model, t.model),
                        coalesce(u.outcome, t.outcome), coalesce(t.listed, 0)
                 FROM (SELECT account, model, outcome, sum(generations - removed) AS listed FROM usage
                       GROUP BY account, model, outcome) u
                 FULL JOIN (SELECT account, model, outcome, sum(generations) AS listed FROM usage_totals
                            GROUP BY account, model, outcome) t
                     ON t.account = u.account AND t.model = u.model AND t.outcome = u.outcome
                 WHERE coalesce(u.listed, 0) <> coalesce(t.listed, 0)",
    },
    Rule {
        is_screened: false,
        sentence: "file {}: is used by {}, but is neither stored nor gone",
        breaks: "SELECT u.file, u.holder FROM file_uses u LEFT JOIN files f ON f.name = u.file
                 WHERE f.name IS NULL AND NOT EXISTS (SELECT 1 FROM takedowns t WHERE t.name = u.file)",
    },
    Rule {
        is_screened: false,
        sentence: "file {}: was deleted and is recorded as stored",
        breaks: "SELECT d.name FROM deleted_files d JOIN files f ON f.name = d.name",
    },
    Rule {
        is_screened: true,
        sentence: "delivery {}: counts {} attempts, {} are recorded",
        breaks: "SELECT d.id, d.attempts, count(t.number) FROM deliveries d LEFT JOIN attempts t ON t.delivery = d.id
                 GROUP BY d.id HAVING d.attempts <> count(t.number)",
    },
    Rule {
        is_screened: true,
        sentence: "delivery {}: is {} after {} attempts under epoch {}",
        breaks: "SELECT id, state, attempts, epoch FROM deliveries
                 WHERE attempts > epoch OR (state IN ('delivered', 'failed')) <> (ended_at IS NOT NULL)
                    OR (state IN ('delivered', 'failed') AND attempts < 1) OR (state = 'sending' AND epoch < 1)",
    },
    Rule {
        is_screened: false,
        sentence: "collection {}: contains {}, which is not a completed generation of its account",
        breaks: "SELECT i.collection, i.generation FROM collected i JOIN collections c ON c.id = i.collection
                 LEFT JOIN generations g ON g.id = i.generation
                 WHERE g.account IS DISTINCT FROM c.account OR g.state <> 'completed'",
    },
    Rule {
        is_screened: false,
        sentence: "account {}: its idempotency key `{}` leads to generation {}, which is not its own",
        breaks: "SELECT i.account, i.key, i.generation FROM idempotency i LEFT JOIN generations g ON g.id = i.generation
                 LEFT JOIN deleted_generations d ON d.id = i.generation
                 WHERE coalesce(g.account, d.account) IS DISTINCT FROM i.account",
    },
];

/// The violations of a rule, as they are read: some rows as the texts of their columns, and the number of the others.
pub(crate) struct Report<'a> {
    rule: &'static Rule,
    rows: usize,
    violations: &'a mut Vec<String>,
}

impl Rule {
    pub(crate) const fn report<'a>(&'static self, violations: &'a mut Vec<String>) -> Report<'a> {
        Report {
            rule: self,
            rows: 0,
            violations,
        }
    }
}

impl Report<'_> {
    /// Adds a row. The texts of its columns are read only if it is named.
    pub(crate) fn add<E>(&mut self, columns: impl Iterator<Item = Result<String, E>>) -> Result<(), E> {
        self.rows += 1;
        if self.rows <= NAMED {
            let mut sentence = self.rule.sentence.to_owned();
            for value in columns {
                sentence = sentence.replacen("{}", &value?, 1);
            }
            self.violations.push(sentence);
        }
        Ok(())
    }

    pub(crate) fn end(self) {
        if self.rows > NAMED {
            self.violations
                .push(format!("… and {} more like the last one", self.rows - NAMED));
        }
    }
}
