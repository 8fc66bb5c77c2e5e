//! The first part of an audit: few walks, whose sums show whether any rule about credits, states or deliveries can be
//! broken. Only then does it look for what breaks which.

use std::collections::HashMap;

use uuid::Uuid;

/// Something that adds up to 0 over all screens: in total, or for each account.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sum {
    /// Generations and deleted ones, less the rows of their walks: an entry too many makes a row too many.
    Jobs,
    /// Entries, less those that the walks came across.
    Entries,
    /// Ended generations that asked for a webhook, less deliveries that are about one.
    Told,
    /// Attempts that deliveries count, less those that are recorded.
    Attempts,
    /// The balance, less what entries, and generations in their place, add up to.
    Available,
    Held,
    /// Generations that ended and what they cost, less what the days of the account count.
    Ended,
    Cost,
    /// The removals that its days count, less the files that are gone.
    Removed,
    /// The files that its totals count, less those that its days count and those that are listed.
    Listed,
}

pub(crate) const SUMS: usize = 10;
/// So many are compared in total, the others for each account.
const TOTALS: usize = 4;

/// A walk. Its columns are an account, how much is broken, and these sums.
pub(crate) struct Screen {
    pub(crate) sums: &'static [Sum],
    pub(crate) sql: &'static str,
}

/// A condition that is unknown counts as broken. A generation that is not broken stands for its entries: what they add
/// up to follows from its columns.
pub(crate) const SCREENS: &[Screen] = &[
    Screen {
        sums: &[
            Sum::Jobs,
            Sum::Entries,
            Sum::Told,
            Sum::Available,
            Sum::Held,
            Sum::Ended,
            Sum::Cost,
        ],
        sql: "SELECT g.account,
                     CASE WHEN h.account = g.account AND h.held = g.hold AND h.available = -g.hold
                           AND h.issued = 0 AND h.spent = 0
                           AND g.attempt BETWEEN 0 AND g.epoch AND (g.epoch > 0) = (g.started_at IS NOT NULL)
                           AND CASE g.state
                               WHEN 'completed' THEN
                                   g.ended_at IS NOT NULL AND g.lease_until IS NULL AND g.worker IS NULL
                                   AND g.output IS NOT NULL AND g.failure IS NULL AND g.attempt >= 1
                                   AND e.account = g.account AND e.kind = 'settle' AND e.issued = 0
                                   AND e.available = g.hold - g.charged AND e.held = -g.hold AND e.spent = g.charged
                               WHEN 'failed' THEN
                                   g.ended_at IS NOT NULL AND g.lease_until IS NULL AND g.worker IS NULL
                                   AND g.output IS NULL AND g.charged IS NULL AND g.failure IS NOT NULL
                                   AND e.account = g.account AND e.kind = 'release' AND e.issued = 0
                                   AND e.available = g.hold AND e.held = -g.hold AND e.spent = 0
                               WHEN 'running' THEN
                                   g.ended_at IS NULL AND g.lease_until IS NOT NULL AND g.worker IS NOT NULL
                                   AND g.output IS NULL AND g.charged IS NULL AND g.failure IS NULL
                                   AND g.attempt >= 1 AND e.id IS NULL
                               WHEN 'queued' THEN
                                   g.ended_at IS NULL AND g.lease_until IS NULL AND g.worker IS NULL
                                   AND g.output IS NULL AND g.charged IS NULL AND g.failure IS NULL
                                   AND e.id IS NULL
                               END
                     THEN 0 ELSE 1 END,
                     -1,
                     CASE WHEN g.ended_at IS NULL THEN -1 ELSE -2 END,
                     CASE WHEN g.ended_at IS NOT NULL AND g.webhook_url IS NOT NULL THEN 1 ELSE 0 END,
                     CASE WHEN g.ended_at IS NULL THEN g.hold ELSE coalesce(g.charged, 0) END,
                     CASE WHEN g.ended_at IS NULL THEN -g.hold ELSE 0 END,
                     CASE WHEN g.ended_at IS NULL THEN 0 ELSE 1 END,
                     coalesce(g.charged, 0)
              FROM generations g
              LEFT JOIN entries h ON h.generation = g.id AND h.kind = 'hold'
              LEFT JOIN entries e ON e.generation = g.id AND e.kind IN ('settle', 'release')",
    },
    Screen {
        sums: &[
            Sum::Jobs,
            Sum::Entries,
            Sum::Available,
            Sum::Held,
            Sum::Ended,
            Sum::Cost,
            Sum::Removed,
        ],
        sql: "SELECT d.account,
                     CASE WHEN g.id IS NULL AND h.account = d.account AND e.account = d.account
                           AND h.issued + h.available + h.held + h.spent = 0
                           AND e.issued + e.available + e.held + e.spent = 0
                           AND e.spent = coalesce(d.charged, 0)
                     THEN 0 ELSE 1 END,
                     -1, -2,
                     coalesce(-h.available - e.available, 0), coalesce(-h.held - e.held, 0),
                     1, coalesce(d.charged, 0), -1
              FROM deleted_generations d
              LEFT JOIN generations g ON g.id = d.id
              LEFT JOIN entries h ON h.generation = d.id AND h.kind = 'hold'
              LEFT JOIN entries e ON e.generation = d.id AND e.kind IN ('settle', 'release')",
    },
    Screen {
        sums: &[Sum::Entries, Sum::Available, Sum::Held],
        sql: "SELECT account, CASE WHEN issued + available + held + spent = 0 THEN 0 ELSE 1 END,
                     -1, -available, -held
              FROM entries WHERE generation IS NULL",
    },
    Screen {
        sums: &[
            Sum::Available,
            Sum::Held,
            Sum::Ended,
            Sum::Cost,
            Sum::Removed,
        ],
        sql: "SELECT account,
                     CASE WHEN issued + available + held + spent = 0 AND held = 0 AND entries = 2 * generations
                     THEN 0 ELSE 1 END,
                     -available, -held, generations, spent, -generations
              FROM folded",
    },
    Screen {
        sums: &[Sum::Available, Sum::Held],
        sql: "SELECT id, CASE WHEN available >= 0 AND held >= 0 THEN 0 ELSE 1 END, available, held FROM accounts",
    },
    Screen {
        sums: &[Sum::Ended, Sum::Cost, Sum::Removed, Sum::Listed],
        sql: "SELECT account, 0, CAST(-sum(generations) AS bigint), CAST(-sum(credits) AS bigint),
                     CAST(sum(removed) AS bigint), CAST(sum(removed - generations) AS bigint)
              FROM usage GROUP BY account",
    },
    Screen {
        sums: &[Sum::Listed],
        sql: "SELECT account, CASE WHEN generations >= 0 THEN 0 ELSE 1 END, generations FROM usage_totals",
    },
    Screen {
        sums: &[Sum::Told, Sum::Attempts],
        sql: "SELECT CAST(NULL AS uuid),
                     count(*) - count(CASE WHEN d.attempts <= d.epoch
                         AND (d.state IN ('delivered', 'failed')) = (d.ended_at IS NOT NULL)
                         AND (d.state NOT IN ('delivered', 'failed') OR d.attempts >= 1)
                         AND (d.state <> 'sending' OR d.epoch >= 1)
                         AND (d.endpoint IS NOT NULL OR (d.event = 'webhook.test') = (d.generation IS NULL))
                         AND (d.generation IS NULL
                              OR (g.account = d.account AND g.ended_at IS NOT NULL AND g.webhook_url IS NOT NULL
                                  AND d.event = 'generation.' || g.state))
                     THEN 1 END),
                     -count(d.generation), CAST(coalesce(sum(d.attempts), 0) AS bigint)
              FROM deliveries d LEFT JOIN generations g ON g.id = d.generation",
    },
    // No delivery has more recorded attempts than it counts. So if the totals are equal, none has fewer.
    Screen {
        sums: &[Sum::Attempts],
        sql: "SELECT CAST(NULL AS uuid),
                     count(*) - count(CASE WHEN t.number BETWEEN 1 AND d.attempts THEN 1 END), -count(*)
              FROM attempts t LEFT JOIN deliveries d ON d.id = t.delivery",
    },
    Screen {
        sums: &[Sum::Jobs, Sum::Entries],
        sql: "SELECT CAST(NULL AS uuid), 0,
                     (SELECT count(*) FROM generations) + (SELECT count(*) FROM deleted_generations),
                     (SELECT count(*) FROM entries)",
    },
];

/// The findings of the screens, added up as they are read.
#[derive(Debug, Default)]
pub(crate) struct Balances {
    broken: i64,
    totals: [i64; TOTALS],
    accounts: HashMap<Uuid, [i64; SUMS - TOTALS]>,
}

impl Balances {
    /// Adds a row of a screen: its account, how much of it is broken, and its sums. They may wrap around: what is not
    /// 0 then is not 0 either.
    pub(crate) fn add(&mut self, account: Option<Uuid>, broken: i64, sums: impl Iterator<Item = (Sum, i64)>) {
        self.broken = self.broken.wrapping_add(broken);
        let mut of_account = account.map(|account| self.accounts.entry(account).or_default());
        for (sum, amount) in sums {
            let place = sum as usize;
            let sum = match (&mut of_account, place.checked_sub(TOTALS)) {
                (_, None) => &mut self.totals[place],
                (Some(sums), Some(place)) => &mut sums[place],
                (None, Some(_)) => continue,
            };
            *sum = sum.wrapping_add(amount);
        }
    }

    /// Whether every rule that the screens stand for holds.
    pub(crate) fn are_even(&self) -> bool {
        self.broken == 0
            && self.totals == [0; TOTALS]
            && self.accounts.values().all(|sums| *sums == [0; SUMS - TOTALS])
    }
}
