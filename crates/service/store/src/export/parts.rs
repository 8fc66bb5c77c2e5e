//! The parts of an export, with their columns. Other columns are secrets, or of use to the program only.

use super::{Column, ExportPart, Kind};

macro_rules! columns {
    ($($name:literal $sql:literal $kind:ident,)*) => {
        &[$(Column { name: $name, sql: $sql, kind: Kind::$kind }),*]
    };
}

/// A generation as it is exported; the parts differ by the index that they read.
macro_rules! generations {
    ($state:literal) => {
        ExportPart {
            file: "generations",
            columns: columns! {
                "id" "g.id" Id,
                "model" "g.model" Text,
                "type" "g.kind" Text,
                "state" "g.state" Text,
                "params" "g.params" Json,
                "webhook_url" "g.webhook_url" Text,
                "credits_held" "g.hold" Integer,
                "credits_charged" "g.charged" Integer,
                "output" "g.output" Json,
                "error" "g.failure" Json,
                "served_by" "g.served_by" Text,
                "key" "g.key" Id,
                "attempt" "g.attempt" Integer,
                "past_attempts" "g.past_attempts" Json,
                "created_at" "g.created_at" Time,
                "started_at" "g.started_at" Time,
                "completed_at" "g.ended_at" Time,
                "favourite_since" "g.favourite_at" Time,
            },
            from: "generations g",
            owned: concat!("g.account = ?1 AND ", $state),
            key: &[("g.id", Kind::Id)],
        }
    };
}

/// A user `u` who belongs to no other account.
macro_rules! only_here {
    () => {
        "u.account = ?1 AND NOT EXISTS (SELECT 1 FROM members m WHERE m.{user} = u.id AND m.account <> ?1
             AND m.role <> 'none')"
    };
}

/// In the order of an export. A generation that ends meanwhile may be there twice, but it is never missing. The last
/// part names the files to copy.
pub const PARTS: &[ExportPart] = &[
    ExportPart {
        file: "account",
        columns: columns! {
            "id" "a.id" Id,
            "name" "a.name" Text,
            "beta" "a.beta" Bool,
            "plan" "a.plan_name" Text,
            "plan_active" "a.plan_active" Bool,
            "credits" "a.available" Integer,
            "credits_held" "a.held" Integer,
            "generations_per_minute" "a.generations_per_minute" Integer,
            "max_queued" "a.max_queued" Integer,
            "max_running" "a.max_running" Integer,
            "monthly_budget" "a.monthly_budget" Integer,
            "retention_days" "a.retention_days" Integer,
            "private_media" "a.private_media" Bool,
            "prompt_in_files" "a.prompt_in_files" Text,
            "low_balance" "a.low_balance" Integer,
            "created_at" "a.created_at" Time,
        },
        from: "accounts a",
        owned: "a.id = ?1",
        key: &[("a.id", Kind::Id)],
    },
    ExportPart {
        file: "members",
        columns: columns! {
            "login" "u.login" Text,
            "account_role" "coalesce(m.role, 'owner')" Text,
            "role" "u.role" Text,
            "since" "coalesce(m.since, u.created_at)" Time,
            "created_at" "u.created_at" Time,
            "disabled_at" "u.disabled_at" Time,
        },
        from: "users u LEFT JOIN members m ON m.{user} = u.id AND m.account = ?1",
        owned: "(m.role <> 'none' OR (m.role IS NULL AND u.account = ?1))",
        key: &[("u.id", Kind::Id)],
    },
    ExportPart {
        file: "identities",
        columns: columns! {
            "login" "u.login" Text,
            "issuer" "i.issuer" Text,
            "subject" "i.subject" Text,
            "connected_at" "i.at" Time,
        },
        from: "users u JOIN identities i ON i.{user} = u.id",
        owned: only_here!(),
        key: &[("i.issuer", Kind::Text), ("i.subject", Kind::Text)],
    },
    ExportPart {
        file: "sessions",
        columns: columns! {
            "login" "u.login" Text,
            "created_at" "s.created_at" Time,
            "last_seen_at" "s.last_seen_at" Time,
            "expires_at" "s.expires_at" Time,
            "ended_at" "s.ended_at" Time,
            "user_agent" "s.user_agent" Text,
            "address" "s.address" Text,
        },
        from: "users u JOIN sessions s ON s.{user} = u.id",
        owned: only_here!(),
        key: &[("s.id", Kind::Id)],
    },
    ExportPart {
        file: "invitations",
        columns: columns! {
            "id" "i.id" Id,
            "role" "i.role" Text,
            "account_role" "coalesce(i.account_role, 'owner')" Text,
            "created_at" "i.created_at" Time,
            "expires_at" "i.expires_at" Time,
            "used_at" "i.used_at" Time,
            "revoked_at" "i.revoked_at" Time,
        },
        from: "invitations i",
        owned: "i.account = ?1",
        key: &[("i.id", Kind::Id)],
    },
    ExportPart {
        file: "keys",
        columns: columns! {
            "id" "k.id" Id,
            "name" "k.name" Text,
            "prefix" "k.prefix" Text,
            "limits" "k.limits" Json,
            "created_at" "k.created_at" Time,
            "last_used_at" "k.last_used_at" Time,
            "revoked_at" "k.revoked_at" Time,
        },
        from: "keys k",
        owned: "k.account = ?1",
        key: &[("k.id", Kind::Id)],
    },
    generations!("g.ended_at IS NULL"),
    generations!("g.state = 'completed'"),
    generations!("g.state = 'failed'"),
    ExportPart {
        file: "collections",
        columns: columns! {
            "id" "c.id" Id,
            "name" "c.name" Text,
            "created_at" "c.created_at" Time,
        },
        from: "collections c",
        owned: "c.account = ?1",
        key: &[("c.id", Kind::Id)],
    },
    ExportPart {
        file: "collected",
        columns: columns! {
            "collection" "i.collection" Id,
            "generation" "i.generation" Id,
            "added_at" "i.at" Time,
        },
        from: "collections c JOIN collected i ON i.collection = c.id",
        owned: "c.account = ?1",
        key: &[("i.collection", Kind::Id), ("i.generation", Kind::Id)],
    },
    ExportPart {
        file: "deleted_generations",
        columns: columns! {
            "id" "d.id" Id,
            "model" "d.model" Text,
            "type" "d.kind" Text,
            "state" "d.state" Text,
            "credits_held" "d.hold" Integer,
            "credits_charged" "d.charged" Integer,
            "created_at" "d.created_at" Time,
            "completed_at" "d.ended_at" Time,
            "deleted_at" "d.deleted_at" Time,
        },
        from: "deleted_generations d",
        owned: "d.account = ?1",
        key: &[("d.id", Kind::Id)],
    },
    ExportPart {
        file: "uploads",
        columns: columns! {
            "file" "u.file" Text,
            "uploaded_at" "u.at" Time,
        },
        from: "file_uses u",
        owned: "u.holder = ?1",
        key: &[("u.file", Kind::Text)],
    },
    ExportPart {
        file: "ledger",
        columns: columns! {
            "id" "e.id" Integer,
            "generation" "e.generation" Id,
            "kind" "e.kind" Text,
            "issued" "e.issued" Integer,
            "available" "e.available" Integer,
            "held" "e.held" Integer,
            "spent" "e.spent" Integer,
            "reason" "e.reason" Text,
            "at" "e.at" Time,
        },
        from: "entries e",
        owned: "e.account = ?1",
        key: &[("e.id", Kind::Integer)],
    },
    ExportPart {
        file: "ledger_sums",
        columns: columns! {
            "generations" "f.generations" Integer,
            "entries" "f.entries" Integer,
            "issued" "f.issued" Integer,
            "available" "f.available" Integer,
            "held" "f.held" Integer,
            "spent" "f.spent" Integer,
            "through" "f.through" Time,
        },
        from: "folded f",
        owned: "f.account = ?1",
        key: &[("f.account", Kind::Id)],
    },
    ExportPart {
        file: "usage",
        columns: columns! {
            "day" "u.day * 86400000000" Time,
            "model" "u.model" Text,
            "type" "u.kind" Text,
            "outcome" "u.outcome" Text,
            "generations" "u.generations" Integer,
            "credits" "u.credits" Integer,
            "removed" "u.removed" Integer,
            "cancelled" "u.cancelled" Integer,
        },
        from: "usage u",
        owned: "u.account = ?1",
        key: &[
            ("u.day", Kind::Integer),
            ("u.model", Kind::Text),
            ("u.outcome", Kind::Text),
        ],
    },
    ExportPart {
        file: "webhook_endpoints",
        columns: columns! {
            "id" "w.id" Id,
            "url" "w.url" Text,
            "events" "w.events" Text,
            "enabled" "w.enabled" Bool,
            "created_at" "w.created_at" Time,
            "deleted_at" "w.deleted_at" Time,
        },
        from: "webhook_endpoints w",
        owned: "w.account = ?1",
        key: &[("w.id", Kind::Id)],
    },
    ExportPart {
        file: "webhook_events",
        columns: columns! {
            "id" "w.id" Id,
            "kind" "w.kind" Text,
            "at" "w.at" Time,
            "credits" "w.available" Integer,
            "threshold" "w.threshold" Integer,
        },
        from: "webhook_events w",
        owned: "w.account = ?1",
        key: &[("w.id", Kind::Id)],
    },
    ExportPart {
        file: "deliveries",
        columns: columns! {
            "id" "d.id" Id,
            "generation" "coalesce(d.generation, d.about)" Id,
            "endpoint" "d.endpoint" Id,
            "event" "d.event" Text,
            "url" "d.url" Text,
            "state" "d.state" Text,
            "body" "d.body" Body,
            "created_at" "d.created_at" Time,
            "ended_at" "d.ended_at" Time,
        },
        from: "deliveries d",
        owned: "d.account = ?1",
        key: &[("d.id", Kind::Id)],
    },
    ExportPart {
        file: "delivery_attempts",
        columns: columns! {
            "delivery" "d.id" Id,
            "number" "t.number" Integer,
            "at" "t.at" Time,
            "latency_ms" "t.latency_ms" Integer,
            "status" "t.status" Integer,
            "error" "t.error" Text,
            "response" "t.response" Text,
        },
        from: "deliveries d JOIN attempts t ON t.delivery = d.id",
        owned: "d.account = ?1",
        key: &[("d.id", Kind::Id), ("t.number", Kind::Integer)],
    },
    ExportPart {
        file: "requests",
        columns: columns! {
            "id" "r.id" Id,
            "at" "r.at" Time,
            "key" "r.key" Id,
            "method" "r.method" Text,
            "path" "r.path" Text,
            "status" "r.status" Integer,
            "code" "r.code" Text,
            "latency_ms" "r.latency_ms" Integer,
            "request_id" "r.request_id" Text,
            "generation" "r.generation" Id,
            "count" "r.count" Integer,
        },
        from: "requests r",
        owned: "r.account = ?1",
        key: &[("r.id", Kind::Id)],
    },
    ExportPart {
        file: "policy_decisions",
        columns: columns! {
            "id" "d.id" Id,
            "at" "d.at" Time,
            "rule" "d.rule" Text,
            "stage" "d.stage" Text,
            "decision" "d.decision" Text,
            "model" "d.model" Text,
            "generation" "d.generation" Id,
            "verdict" "d.verdict" Text,
            "verdict_at" "d.verdict_at" Time,
            "note" "d.note" Text,
        },
        from: "policy_decisions d",
        owned: "d.account = ?1",
        key: &[("d.id", Kind::Id)],
    },
    ExportPart {
        file: "changes",
        columns: columns! {
            "id" "c.id" Integer,
            "at" "c.at" Time,
            "actor" "c.actor" Text,
            "action" "c.action" Text,
            "object" "c.object" Text,
            "details" "c.details" Json,
        },
        from: "changes c",
        owned: "c.account = ?1",
        key: &[("c.id", Kind::Integer)],
    },
    ExportPart {
        file: "files",
        columns: columns! {
            "file" "f.name" Text,
            "media_type" "f.media_type" Text,
            "size" "f.size" Integer,
            "width" "f.width" Integer,
            "height" "f.height" Integer,
            "duration" "f.duration" Real,
        },
        from: "files f",
        owned: "EXISTS (SELECT 1 FROM file_uses u LEFT JOIN generations g ON g.id = u.holder
                        WHERE u.file = f.name AND (u.holder = ?1 OR g.account = ?1))",
        key: &[("f.name", Kind::Text)],
    },
];
