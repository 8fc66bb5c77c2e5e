//! The export of accounts and their erasure: what is handed out, what goes, and what stays in the books.

use atelier_domain::{
    AccountId, AccountRole, Actor, AuditRecord, Collection, CollectionId, Failure, GenerationId, Role, User,
};
use serde_json::Value;

use super::{
    history::{file, is_stored, made, recorded},
    identities::identity,
    members::join_as,
    people::{invitation, member, session},
    requests::request,
    world::{Shared, World, at, change, id},
};
use crate::{
    Accept, Accepted, ChangeMember, Erase, ErasedStep, ErasureBegun, Gone, Holder, Idempotency, PARTS,
};

/// Words that appear only in rows about the people and the work of the account.
pub const WORDS: [&str; 6] = [
    "ada@people",
    "subject-of-ada",
    "lighthouse",
    "ada-pays",
    "https://hooks.example.com",
    "whsec_ada",
];

fn erasing(account: AccountId) -> AuditRecord {
    AuditRecord {
        account: Some(account),
        action: "account.erase",
        object: "erased".to_owned(),
        ..change()
    }
}

fn by(user: &User, account: Option<AccountId>, object: &str) -> AuditRecord {
    AuditRecord {
        actor: Actor::User {
            id: user.id,
            login: user.login.clone(),
        },
        account,
        object: object.to_owned(),
        ..change()
    }
}

pub fn erase(account: AccountId) -> Erase {
    Erase {
        account,
        now: at(50),
        lease_until: at(650),
        limit: 2,
        cancel: Failure::cancelled(),
        record: erasing(account),
    }
}

async fn step(world: &World) -> ErasedStep {
    world.store.erase(erase(world.account)).await.unwrap()
}

/// Begins an erasure and does all its steps.
pub async fn erase_all(world: &World) {
    let begun = world
        .store
        .begin_erasure(world.account, at(40), erasing(world.account))
        .await;
    assert_eq!(begun.unwrap(), ErasureBegun::Begun);
    while !step(world).await.is_done {}
}

/// The rows of a file of the export, read in pages of two.
async fn exported(world: &World, file: &str) -> Vec<Value> {
    let mut rows = Vec::new();
    for part in PARTS.iter().filter(|part| part.file == file) {
        let mut after = Vec::new();
        loop {
            let page = world.store.export(world.account, part, &after, 2).await.unwrap();
            rows.extend(page.rows.into_iter().map(Value::Object));
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
    }
    rows
}

async fn changed_by(world: &World, record: AuditRecord) {
    world.store.record(record).await.unwrap();
}

/// An account with everything that an account can have, beside another one that shares a file and a member with it.
pub async fn full(store: &Shared) -> (World, World) {
    let world = World::new(store, 1_000).await;
    let other = world.beside("grace", 10).await;
    let ada = member(&world, 1, "ada@people").await;
    let both = join_as(&world, 2, "both@people", AccountRole::Viewer).await;
    let add = ChangeMember {
        user: both.id,
        account: other.account,
        role: Some(AccountRole::Developer),
        add: true,
        now: at(3),
    };
    store.change_member(add, change()).await.unwrap();
    store
        .connect_identity(identity("subject-of-ada", &ada), change())
        .await
        .unwrap();
    for (byte, user) in [(3, &ada), (4, &both)] {
        let record = by(user, Some(world.account), &user.login);
        store
            .start_session(session(byte, user.id, at(2)), record)
            .await
            .unwrap();
    }
    let mut invited = invitation(5, Some(world.account), Role::Member);
    invited.invitation.inviter = Some(ada.id);
    store.invite(invited, change()).await.unwrap();
    changed_by(&world, by(&ada, Some(other.account), "ada@people")).await;
    let reason = "ada-pays by card";
    store
        .grant(world.account, 500, reason, at(1), erasing(other.account))
        .await
        .unwrap();
    let made = made(&world, &[], 1).await;
    let collection = Collection {
        id: CollectionId(id()),
        name: "every lighthouse".to_owned(),
        generations: 0,
        created_at: at(5),
    };
    let collected = collection.id;
    store.create_collection(world.account, collection).await.unwrap();
    store
        .collect(world.account, collected, vec![made.id], at(6))
        .await
        .unwrap();
    world.delivery_to("hooks.example.com:443", at(2)).await;
    recorded(store, 2, Holder::Upload(world.account), 4).await;
    recorded(store, 3, Holder::Upload(world.account), 4).await;
    recorded(store, 3, Holder::Upload(other.account), 4).await;
    store
        .log_requests(vec![request(&world, 201), request(&other, 201)])
        .await
        .unwrap();
    super::endpoints::registered(&world).await;
    let queued = Accept {
        idempotency: Some(Idempotency {
            key: "once".to_owned(),
            body_hash: [1; 32],
            valid_since: at(0),
        }),
        ..super::world::accept(super::world::generation(world.account, 10))
    };
    let accepted = store.accept(queued).await.unwrap();
    assert!(matches!(accepted, Accepted::Accepted(_)), "{accepted:?}");
    (world, other)
}

pub async fn an_erased_account_leaves_its_sums_and_nothing_of_its_people(store: &Shared) {
    let (world, other) = full(store).await;
    let begin = || store.begin_erasure(world.account, at(40), erasing(world.account));
    assert_eq!(begin().await.unwrap(), ErasureBegun::Begun);
    // From now on nobody gets in, and the other account notices nothing.
    assert!(
        store
            .caller(&world.key.hash)
            .await
            .unwrap()
            .is_none_or(|found| !found.account.may_use_api())
    );
    assert!(store.signed_in(&[3; 32], at(41)).await.unwrap().is_none());
    let both = store.signed_in(&[4; 32], at(41)).await.unwrap().unwrap();
    assert_eq!(
        (both.account.id, both.role),
        (other.account, AccountRole::Developer)
    );
    assert!(!both.has_other_accounts);
    assert_eq!(
        store.account_by_name("ada").await.unwrap().unwrap().id,
        world.account
    );
    let (mut erased, mut steps, mut files) = (ErasedStep::default(), 0, Vec::new());
    while !erased.is_done {
        assert_eq!(begin().await.unwrap(), ErasureBegun::Begun, "it goes on");
        erased = step(&world).await;
        files.extend(erased.files.clone());
        world.audited().await;
        steps += 1;
        assert!(steps < 50);
    }
    assert_eq!(erased.users, 1);
    files.sort();
    let mut expected = vec![file(1), file(2)];
    expected.sort();
    assert_eq!(files, expected, "the other account still uses the third");
    assert_eq!(store.gone(&file(1)).await.unwrap(), Some(Gone::Deleted));
    assert!(is_stored(store, 3).await);
    assert_eq!(store.account_by_name("ada").await.unwrap(), None);
    assert_eq!(begin().await.unwrap(), ErasureBegun::Missing);
    let names: Vec<String> = store
        .accounts()
        .await
        .unwrap()
        .into_iter()
        .map(|account| account.name)
        .collect();
    assert_eq!(names, ["grace"]);
    // Two grants, and what took the rest; the three generations are sums.
    let ledger = store.ledger(world.account, 9).await.unwrap();
    let grants: Vec<_> = ledger
        .iter()
        .map(|entry| (entry.available, entry.reason.as_deref()))
        .collect();
    assert_eq!(
        grants,
        [(-1_496, Some("account erased")), (500, None), (1_000, None)]
    );
    assert_eq!(world.balance().await, (0, 0));
    let recorded = store.changes(Some(world.account), None, 9).await.unwrap();
    assert!(
        recorded
            .iter()
            .all(|change| change.object == "erased" && change.details.is_empty())
    );
    assert_eq!(
        recorded
            .iter()
            .filter(|change| change.action == "account.erase")
            .count(),
        2
    );
    let elsewhere = store.changes(Some(other.account), None, 9).await.unwrap();
    assert!(
        elsewhere.iter().all(|change| !change.actor.contains("ada@")),
        "{elsewhere:?}"
    );
    assert_eq!(store.user_by_login("ada@people").await.unwrap(), None);
    assert!(store.user_by_login("both@people").await.unwrap().is_some());
    let named = super::world::account("ada", 5);
    let (key, id) = (super::world::key(named.id), named.id);
    store
        .create_account(crate::NewAccount { account: named, key }, change())
        .await
        .unwrap();
    assert_eq!(
        store.account_by_name("ada").await.unwrap().unwrap().id,
        id,
        "the name is free"
    );
    world.audited().await;
}

pub async fn an_account_of_operators_is_not_erased(store: &Shared) {
    let world = World::new(store, 10).await;
    let operator = super::links::operator(&world, 1, "root").await;
    let begun = store
        .begin_erasure(world.account, at(1), erasing(world.account))
        .await;
    assert_eq!(begun.unwrap(), ErasureBegun::Operators(vec!["root".to_owned()]));
    assert_eq!(store.users(None).await.unwrap()[0].id, operator.id);
    let missing = store
        .begin_erasure(AccountId(id()), at(1), erasing(world.account))
        .await;
    assert_eq!(missing.unwrap(), ErasureBegun::Missing);
}

pub async fn an_export_has_every_row_once_and_no_secret(store: &Shared) {
    let (world, _) = full(store).await;
    let mut counts = Vec::new();
    let mut all = String::new();
    for part in PARTS {
        let rows = exported(&world, part.file).await;
        if counts.last().is_none_or(|(file, _)| *file != part.file) {
            counts.push((part.file, rows.len()));
        }
        all.push_str(&serde_json::to_string(&rows).unwrap());
    }
    let expected = [
        ("account", 1),
        ("members", 2),
        ("identities", 1),
        ("sessions", 1),
        ("invitations", 3),
        ("keys", 1),
        ("generations", 3),
        ("collections", 1),
        ("collected", 1),
        ("deleted_generations", 0),
        ("uploads", 2),
        ("ledger", 7),
        ("ledger_sums", 0),
        ("usage", 1),
        ("webhook_endpoints", 1),
        ("webhook_events", 0),
        ("deliveries", 1),
        ("delivery_attempts", 0),
        ("requests", 1),
        ("policy_decisions", 0),
        ("changes", 4),
        ("files", 3),
    ];
    assert_eq!(counts, expected);
    for secret in ["whsec_", "argon2id"] {
        assert!(!all.contains(secret), "{secret}");
    }
    let generations = exported(&world, "generations").await;
    assert_eq!(generations[0]["state"], "queued");
    assert_eq!(generations[1]["params"]["n"], 2);
    assert_eq!(generations[1]["completed_at"], at(2).rfc3339());
    let mut ids: Vec<_> = generations.iter().map(|row| row["id"].to_string()).collect();
    ids.dedup();
    assert_eq!(ids.len(), 3);
    let deliveries = exported(&world, "deliveries").await;
    assert!(deliveries[0]["body"]["id"].is_string(), "{deliveries:?}");
}

/// A worker that ends after the erasure keeps nothing.
pub async fn a_file_for_a_job_that_is_gone_goes(store: &Shared) {
    let world = World::new(store, 10).await;
    recorded(store, 1, Holder::Output(GenerationId(id())), 1).await;
    assert_eq!(store.gone(&file(1)).await.unwrap(), Some(Gone::Deleted));
    let due = store.claim_deleted_files(at(2), at(9), 5).await.unwrap();
    assert_eq!(due, [file(1)]);
    recorded(store, 2, Holder::Upload(world.account), 1).await;
    assert!(is_stored(store, 2).await);
    world.audited().await;
}
