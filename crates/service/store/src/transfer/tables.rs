//! The tables of both stores, in an order in which no row names a later one. A test compares this with the schemas.

/// How a value is stored: as it is named here in PostgreSQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A UUID; 16 bytes in SQLite.
    Id,
    Bytes,
    Integer,
    /// 0 or 1 in SQLite.
    Bool,
    Real,
    Text,
}

#[derive(Debug)]
pub(super) struct Column {
    pub(super) sqlite: &'static str,
    pub(super) postgres: &'static str,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// The order of the rows in SQLite.
    pub(super) order: &'static str,
    pub(super) columns: &'static [Column],
}

/// A column of the same name in both. `user` is a keyword in PostgreSQL.
macro_rules! column {
    (user $kind:ident) => {
        Column {
            sqlite: "user",
            postgres: "user_id",
            kind: Kind::$kind,
        }
    };
    ($name:ident $kind:ident) => {
        Column {
            sqlite: stringify!($name),
            postgres: stringify!($name),
            kind: Kind::$kind,
        }
    };
}

macro_rules! tables {
    ($($table:ident by $order:literal { $($name:ident $kind:ident),* $(,)? })*) => {
        &[$(Table {
            name: stringify!($table),
            order: $order,
            columns: &[$(column!($name $kind)),*],
        }),*]
    };
}

/// The tables that are moved. `settings` is one row, `storage` and `usage_totals` are counted by triggers, and `nodes`
/// are processes, which have ended.
pub(super) const TABLES: &[Table] = tables! {
    accounts by "id" {
        id Id, name Text, beta Bool, plan_name Text, plan_active Bool, available Integer, held Integer,
        signing_secret Text, previous_secret Text, previous_secret_until Integer, generations_per_minute Integer,
        generation_tat Integer, created_at Integer, max_queued Integer, max_running Integer,
        monthly_budget Integer, low_balance Integer, low_since Integer, erasing_at Integer,
        erased_at Integer, retention_days Integer, private_media Bool, prompt_in_files Text,
    }
    plans by "name" {
        name Text, max_queued Integer, max_running Integer, generations_per_minute Integer, weight Integer,
    }
    keys by "hash" {
        hash Bytes, id Id, account Id, name Text, prefix Text, created_at Integer, last_used_at Integer,
        revoked_at Integer, limits Text,
    }
    old_keys by "hash" {
        hash Bytes, key Id, until Integer,
    }
    users by "id" {
        id Id, login Text, password Text, role Text, account Id, created_at Integer, disabled_at Integer,
    }
    sessions by "hash" {
        hash Bytes, id Id, user Id, created_at Integer, last_seen_at Integer, expires_at Integer, ended_at Integer,
        user_agent Text, address Text, account Id,
    }
    invitations by "hash" {
        hash Bytes, id Id, role Text, account Id, created_at Integer, expires_at Integer, used_at Integer, inviter Id,
        revoked_at Integer, account_role Text,
    }
    members by "user, account" {
        user Id, account Id, role Text, since Integer,
    }
    identities by "issuer, subject" {
        issuer Text, subject Text, user Id, at Integer,
    }
    second_factors by "user" {
        user Id, secret Bytes, last_step Integer, at Integer,
    }
    recovery_codes by "user, hash" {
        user Id, hash Bytes, used_at Integer,
    }
    password_resets by "hash" {
        hash Bytes, id Id, user Id, issuer Id, created_at Integer, expires_at Integer, used_at Integer,
        revoked_at Integer,
    }
    changes by "id" {
        id Integer, at Integer, actor Text, user Id, action Text, account Id, object Text, details Text,
    }
    generations by "seq" {
        id Id, account Id, state Text, epoch Integer, attempt Integer, lane Text, run_at Integer, worker Id,
        lease_until Integer, deadline Integer, hold Integer, charged Integer, progress Real, created_at Integer,
        started_at Integer, ended_at Integer, attempt_started_at Integer, model Text, kind Text, served_by Text,
        webhook_url Text, params Text, output Text, failure Text, last_failure Text, request Text, past_attempts Text,
        key Id, spent_day Integer, favourite_at Integer,
    }
    collections by "id" {
        id Id, account Id, name Text, created_at Integer,
    }
    collected by "collection, generation" {
        collection Id, generation Id, at Integer,
    }
    entries by "id" {
        id Integer, account Id, generation Id, kind Text, issued Integer, available Integer, held Integer,
        spent Integer, reason Text, at Integer,
    }
    idempotency by "account, key" {
        account Id, key Text, body_hash Bytes, generation Id, used_at Integer,
    }
    files by "name" {
        name Text, media_type Text, size Integer, width Integer, height Integer, duration Real, recorded_at Integer,
    }
    webhook_endpoints by "id" {
        id Id, account Id, url Text, events Text, enabled Bool, signing_secret Text, previous_secret Text,
        previous_secret_until Integer, created_at Integer, deleted_at Integer,
    }
    webhook_events by "id" {
        id Id, account Id, kind Text, at Integer, available Integer, threshold Integer,
    }
    deliveries by "seq" {
        id Id, generation Id, account Id, state Text, epoch Integer, attempts Integer, due_at Integer, worker Id,
        created_at Integer, ended_at Integer, event Text, host Text, attempts_before Integer, url Text, body Bytes,
        endpoint Id, about Id,
    }
    attempts by "delivery, number" {
        delivery Id, number Integer, at Integer, latency_ms Integer, status Integer, error Text, response Text,
    }
    usage by "account, day" {
        account Id, day Integer, model Text, outcome Text, kind Text, generations Integer, credits Integer,
        removed Integer, cancelled Integer,
    }
    file_uses by "holder, file" {
        holder Id, file Text, kind Text, at Integer,
    }
    deleted_files by "name" {
        name Text, deleted_at Integer, due_at Integer,
    }
    deleted_generations by "id" {
        id Id, account Id, model Text, kind Text, state Text, hold Integer, charged Integer, created_at Integer,
        ended_at Integer, deleted_at Integer,
    }
    folded by "account" {
        account Id, generations Integer, entries Integer, issued Integer, available Integer, held Integer,
        spent Integer, through Integer,
    }
    spent by "owner, day" {
        owner Id, day Integer, credits Integer,
    }
    requests by "id" {
        id Id, account Id, key Id, at Integer, method Text, path Text, status Integer, code Text, latency_ms Integer,
        request_id Text, generation Id, count Integer,
    }
    policy_decisions by "id" {
        id Id, at Integer, rule Text, stage Text, decision Text, account Id, model Text, generation Id, part Text,
        review_until Integer, review_approves Bool, queue_place Integer, time_left Integer, settled_at Integer,
        verdict Text, verdict_at Integer, note Text,
    }
    policy_hashes by "list, hash" {
        list Text, hash Bytes, note Text, imported_at Integer,
    }
    policy_hash_lists by "name" {
        name Text, hashes Integer, imported_at Integer,
    }
    takedowns by "sha256" {
        sha256 Text, name Text, reason Text, at Integer, likeness Bytes,
    }
    previews by "file" {
        file Text, preview Text, made_at Integer,
    }
    secrets by "name" {
        name Text, value Bytes, made_at Integer,
    }
    worker_tokens by "hash" {
        hash Bytes, id Id, name Text, prefix Text, engines Text, models Text, created_at Integer, revoked_at Integer,
    }
    remote_workers by "id" {
        id Id, token Id, name Text, version Text, joined_at Integer, seen_at Integer, offer Text,
    }
};
