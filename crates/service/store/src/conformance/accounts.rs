//! Accounts, keys, grants, the switch, and who is calling.

use std::time::Duration;

use atelier_domain::{Account, AccountId, KeyId, Plan, PromptInFiles};

use super::world::{Shared, World, account, at, change, id, key};
use crate::{AccountChange, Created, EntryKind, Grant, Granted, NewAccount, TokenTaken};

pub async fn a_new_account_has_its_credits_its_key_and_an_entry(store: &Shared) {
    let new = Account {
        private_media: true,
        ..account("ada", 250)
    };
    let first = key(new.id);
    let created = store
        .create_account(
            NewAccount {
                account: new.clone(),
                key: first.clone(),
            },
            change(),
        )
        .await
        .unwrap();
    assert_eq!(created, Created::Created);
    assert_eq!(store.account(new.id).await.unwrap(), Some(new.clone()));
    assert_eq!(store.account_by_name("ada").await.unwrap(), Some(new.clone()));
    assert_eq!(store.keys(new.id).await.unwrap(), [first.record]);
    let ledger = store.ledger(new.id, 10).await.unwrap();
    assert_eq!(ledger.len(), 1);
    let entry = &ledger[0];
    assert_eq!(
        (entry.kind, entry.issued, entry.available, entry.held, entry.spent),
        (EntryKind::Grant, -250, 250, 0, 0)
    );
    assert_eq!(store.audit().await.unwrap().violations, Vec::<String>::new());
}

pub async fn an_account_without_credits_has_no_entry(store: &Shared) {
    let world = World::new(store, 0).await;
    assert_eq!(world.balance().await, (0, 0));
    assert_eq!(store.ledger(world.account, 10).await.unwrap(), []);
    world.audited().await;
}

pub async fn a_taken_name_makes_no_account(store: &Shared) {
    let world = World::new(store, 10).await;
    let second = account("ada", 99);
    let new = NewAccount {
        key: key(second.id),
        account: second.clone(),
    };
    assert_eq!(
        store.create_account(new.clone(), change()).await.unwrap(),
        Created::NameTaken
    );
    assert_eq!(store.account(second.id).await.unwrap(), None);
    assert!(store.caller(&new.key.hash).await.unwrap().is_none());
    assert_eq!(
        store.account_by_name("ada").await.unwrap().unwrap().id,
        world.account
    );
}

pub async fn accounts_are_listed_by_name(store: &Shared) {
    for name in ["grace", "ada", "mary"] {
        let account = account(name, 1);
        store
            .create_account(
                NewAccount {
                    key: key(account.id),
                    account,
                },
                change(),
            )
            .await
            .unwrap();
    }
    let names: Vec<_> = store
        .accounts()
        .await
        .unwrap()
        .into_iter()
        .map(|account| account.name)
        .collect();
    assert_eq!(names, ["ada", "grace", "mary"]);
    assert_eq!(store.account_by_name("nobody").await.unwrap(), None);
}

pub async fn only_what_is_named_changes(store: &Shared) {
    let world = World::new(store, 10).await;
    let before = store.account(world.account).await.unwrap().unwrap();
    let limit = AccountChange {
        generations_per_minute: Some(Some(7)),
        ..AccountChange::default()
    };
    let changed = store
        .update_account(world.account, limit, change())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(changed.generations_per_minute, Some(7));
    assert_eq!(
        (changed.beta, &changed.plan, &changed.name),
        (before.beta, &before.plan, &before.name)
    );

    let rest = AccountChange {
        beta: Some(false),
        plan: Some(Some(Plan {
            name: "free".to_owned(),
            active: false,
        })),
        generations_per_minute: Some(None),
        max_queued: Some(Some(9)),
        max_running: Some(Some(3)),
        monthly_budget: Some(Some(500)),
        retention_days: Some(Some(30)),
        private_media: Some(true),
        prompt_in_files: Some(PromptInFiles::Signed),
    };
    store
        .update_account(world.account, rest, change())
        .await
        .unwrap()
        .unwrap();
    let after = store.account(world.account).await.unwrap().unwrap();
    assert!(!after.beta);
    let plan = after.plan.as_ref().unwrap();
    assert_eq!((&*plan.name, plan.active), ("free", false));
    assert_eq!(after.generations_per_minute, None);
    let limits = (after.queue.max_queued, after.queue.max_running);
    assert_eq!(limits, (Some(9), Some(3)));
    assert_eq!((after.retention_days, after.private_media), (Some(30), true));
    let places = (before.prompt_in_files, after.prompt_in_files);
    assert_eq!(places, (PromptInFiles::Metadata, PromptInFiles::Signed));
    assert_eq!(after.signing, before.signing);
    assert_eq!(after.available, before.available);

    let no_plan = AccountChange {
        plan: Some(None),
        ..AccountChange::default()
    };
    assert_eq!(
        store
            .update_account(world.account, no_plan, change())
            .await
            .unwrap()
            .unwrap()
            .plan,
        None
    );
    let nobody = AccountId(id());
    assert_eq!(
        store
            .update_account(nobody, AccountChange::default(), change())
            .await
            .unwrap(),
        None
    );
}

pub async fn a_rotated_secret_signs_beside_the_one_before_for_its_time(store: &Shared) {
    let world = World::new(store, 10).await;
    let rotated = store
        .rotate_secret(world.account, "whsec_new".to_owned(), at(9), change())
        .await
        .unwrap()
        .unwrap();
    let stored = store.account(world.account).await.unwrap().unwrap();
    assert_eq!(stored, rotated);
    let signing_at = |seconds| stored.signing.at(at(seconds)).collect::<Vec<_>>();
    assert_eq!(signing_at(8), ["whsec_new", "whsec_ada"]);
    assert_eq!(signing_at(9), ["whsec_new"]);
    let nobody = AccountId(id());
    let missing = store
        .rotate_secret(nobody, "whsec_x".to_owned(), at(9), change())
        .await;
    assert_eq!(missing.unwrap(), None);
}

pub async fn a_grant_and_a_change_are_made_together_or_not_at_all(store: &Shared) {
    let world = World::new(store, 10).await;
    let before = store.changes(None, None, 100).await.unwrap().len();
    let grant_and_end_plan = async |credits| {
        let grant = Grant {
            credits,
            reason: "a gift".to_owned(),
            at: at(1),
            record: change(),
        };
        let no_plan = AccountChange {
            plan: Some(None),
            ..AccountChange::default()
        };
        store
            .grant_and_update(world.account, grant, no_plan, change())
            .await
            .unwrap()
    };
    let granted = grant_and_end_plan(-11).await;
    assert_eq!(granted, Granted::Uncovered { available: 10 });
    let unchanged = store.account(world.account).await.unwrap().unwrap();
    assert!(unchanged.plan.is_some(), "the refused grant left the plan alone");
    assert_eq!(store.changes(None, None, 100).await.unwrap().len(), before);

    assert_eq!(grant_and_end_plan(5).await, Granted::Done { available: 15 });
    let changed = store.account(world.account).await.unwrap().unwrap();
    assert_eq!((changed.plan, changed.available), (None, 15));
    let records = store.changes(None, None, 100).await.unwrap().len() - before;
    assert_eq!(records, 2, "one record each");
    world.audited().await;
}

pub async fn grants_add_and_take_away_but_never_below_zero(store: &Shared) {
    let world = World::new(store, 10).await;
    let grant = async |credits| {
        store
            .grant(world.account, credits, "a gift", at(1), change())
            .await
            .unwrap()
    };
    assert_eq!(grant(15).await, Granted::Done { available: 25 });
    assert_eq!(grant(-25).await, Granted::Done { available: 0 });
    assert_eq!(grant(-1).await, Granted::Uncovered { available: 0 });
    assert_eq!(world.balance().await, (0, 0));
    let kinds: Vec<_> = store
        .ledger(world.account, 10)
        .await
        .unwrap()
        .iter()
        .map(|entry| entry.available)
        .collect();
    assert_eq!(kinds, [-25, 15, 10], "newest first");
    assert_eq!(
        store.ledger(world.account, 1).await.unwrap()[0].reason.as_deref(),
        Some("a gift")
    );
    assert_eq!(
        store
            .grant(AccountId(id()), 1, "", at(1), change())
            .await
            .unwrap(),
        Granted::NoAccount
    );
    world.audited().await;
}

pub async fn held_credits_cannot_be_taken_away(store: &Shared) {
    let world = World::new(store, 10).await;
    world.accepted(8).await;
    let granted = store
        .grant(world.account, -3, "back", at(1), change())
        .await
        .unwrap();
    assert_eq!(granted, Granted::Uncovered { available: 2 });
    world.audited().await;
}

pub async fn a_grant_beyond_all_numbers_changes_nothing(store: &Shared) {
    let world = World::new(store, 10).await;
    let granted = store
        .grant(world.account, i64::MAX, "too much", at(1), change())
        .await;
    assert!(!matches!(granted, Ok(Granted::Done { .. })), "{granted:?}");
    assert_eq!(world.balance().await, (10, 0));
    world.audited().await;
}

pub async fn a_key_leads_to_its_account_until_it_is_revoked(store: &Shared) {
    let world = World::new(store, 10).await;
    let caller = store.caller(&world.key.hash).await.unwrap().unwrap();
    assert_eq!(
        (caller.key, caller.account.id),
        (world.key.record.id, world.account)
    );
    assert_eq!(caller.account.available, 10);
    assert!(caller.api_enabled);
    assert_eq!(caller.key_last_used_at, None);
    assert!(store.caller(&[0; 32]).await.unwrap().is_none(), "an unknown key");

    let revoked = store
        .revoke_key(None, world.key.record.id, at(5), change())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(revoked.revoked_at, Some(at(5)));
    assert!(store.caller(&world.key.hash).await.unwrap().is_none());
    let again = store
        .revoke_key(None, world.key.record.id, at(9), change())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(again.revoked_at, Some(at(5)), "the first time stays");
    assert_eq!(
        store
            .revoke_key(None, KeyId(id()), at(9), change())
            .await
            .unwrap(),
        None
    );
}

pub async fn an_account_has_several_keys_oldest_first(store: &Shared) {
    let world = World::new(store, 10).await;
    let second = key(world.account);
    store.create_key(second.clone(), change()).await.unwrap();
    store
        .revoke_key(None, world.key.record.id, at(1), change())
        .await
        .unwrap();
    let ids: Vec<_> = store
        .keys(world.account)
        .await
        .unwrap()
        .into_iter()
        .map(|key| key.id)
        .collect();
    assert_eq!(ids, [world.key.record.id, second.record.id], "revoked ones too");
    assert!(store.caller(&second.hash).await.unwrap().is_some());
}

pub async fn a_key_for_no_account_is_not_made(store: &Shared) {
    let stray = key(AccountId(id()));
    assert!(store.create_key(stray.clone(), change()).await.is_err());
    assert!(store.caller(&stray.hash).await.unwrap().is_none());
    store.check().await.unwrap();
}

pub async fn keys_remember_when_they_were_last_used(store: &Shared) {
    let world = World::new(store, 10).await;
    let key = world.key.record.id;
    store
        .touch_keys(vec![(key, at(20)), (KeyId(id()), at(20))])
        .await
        .unwrap();
    store.touch_keys(vec![(key, at(10))]).await.unwrap();
    assert_eq!(
        store
            .caller(&world.key.hash)
            .await
            .unwrap()
            .unwrap()
            .key_last_used_at,
        Some(at(20))
    );
    assert_eq!(
        store.keys(world.account).await.unwrap()[0].last_used_at,
        Some(at(20)),
        "never back in time"
    );
}

pub async fn the_api_is_switched_off_for_every_caller_and_on_again(store: &Shared) {
    let world = World::new(store, 10).await;
    assert!(store.api_enabled().await.unwrap());
    store.set_api_enabled(false, change()).await.unwrap();
    assert!(!store.api_enabled().await.unwrap());
    assert!(!store.caller(&world.key.hash).await.unwrap().unwrap().api_enabled);
    store.set_api_enabled(true, change()).await.unwrap();
    assert!(store.caller(&world.key.hash).await.unwrap().unwrap().api_enabled);
}

pub async fn tokens_run_out_and_come_back_with_time(store: &Shared) {
    let world = World::new(store, 10).await;
    let take = async |now| store.take_token(world.account, 2, now).await.unwrap();
    for left in [1, 0] {
        let TokenTaken::Taken(state) = take(at(0)).await else {
            panic!("limited")
        };
        assert_eq!(state.remaining, left);
    }
    let TokenTaken::Limited(limited) = take(at(0)).await else {
        panic!("not limited")
    };
    assert_eq!(limited.retry_after_seconds, 30);
    assert!(matches!(take(at(30)).await, TokenTaken::Taken(_)));
    assert!(
        store
            .caller(&world.key.hash)
            .await
            .unwrap()
            .unwrap()
            .generation_tat
            > at(30)
    );
}

pub async fn an_accounts_own_limit_goes_before_the_default(store: &Shared) {
    let world = World::new(store, 10).await;
    let limit = AccountChange {
        generations_per_minute: Some(Some(1)),
        ..AccountChange::default()
    };
    store
        .update_account(world.account, limit, change())
        .await
        .unwrap();
    assert!(matches!(
        store.take_token(world.account, 50, at(0)).await.unwrap(),
        TokenTaken::Taken(_)
    ));
    assert!(matches!(
        store.take_token(world.account, 50, at(0)).await.unwrap(),
        TokenTaken::Limited(_)
    ));
}

pub async fn a_clock_set_back_locks_nobody_out(store: &Shared) {
    let world = World::new(store, 10).await;
    let take = async |now| store.take_token(world.account, 2, now).await.unwrap();
    for _ in 0..2 {
        assert!(matches!(take(at(0)).await, TokenTaken::Taken(_)));
    }
    assert!(matches!(take(at(0)).await, TokenTaken::Limited(_)));
    let earlier = at(0).minus(Duration::from_hours(1));
    for left in [1, 0] {
        let TokenTaken::Taken(state) = take(earlier).await else {
            panic!("limited after the clock was set back")
        };
        assert_eq!(state.remaining, left);
    }
    assert!(
        matches!(take(earlier).await, TokenTaken::Limited(_)),
        "the limit still counts"
    );
    let caller = store.caller(&world.key.hash).await.unwrap().unwrap();
    assert!(caller.generation_tat < at(0), "the stored time moved back too");
}

pub async fn limits_of_any_size_let_requests_pass(store: &Shared) {
    let world = World::new(store, 10).await;
    for limit in [1, 60_000_000, 60_000_001, u32::MAX] {
        let own = AccountChange {
            generations_per_minute: Some(Some(limit)),
            ..AccountChange::default()
        };
        store.update_account(world.account, own, change()).await.unwrap();
        // Far apart, so that each limit finds a full bucket.
        let now = at(u64::from(limit) + 100_000);
        let taken = store.take_token(world.account, 20, now).await.unwrap();
        let TokenTaken::Taken(state) = taken else {
            panic!("{limit}: {taken:?}")
        };
        assert_eq!((state.per_minute, state.remaining), (limit, limit - 1));
    }
}
