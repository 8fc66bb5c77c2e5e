//! Many calls at the same time.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use atelier_domain::{Role, State};
use tokio::task::JoinSet;

use super::world::{
    START, Shared, World, accept, account, at, change, completed, end, finish, generation, key,
};
use super::{
    links::{disabled, invitation_by, new_password, operator, reset_link},
    people::{acceptance, invitation, member},
};
use crate::{
    Accept, Accepted, Created, Ended, Finished, Idempotency, InvitationAccepted, NewAccount, TokenTaken,
};

pub async fn sixty_four_race_for_the_last_credits_and_none_is_spent_twice(store: &Shared) {
    let world = World::new(store, 100).await;
    let mut tasks = JoinSet::new();
    for _ in 0..64 {
        let store = Arc::clone(store);
        let request = accept(generation(world.account, 7));
        tasks.spawn(async move { store.accept(request).await.unwrap() });
    }
    let outcomes = tasks.join_all().await;
    let accepted = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Accepted::Accepted(_)))
        .count();
    let refused = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Accepted::Uncovered { available: 2 }))
        .count();
    assert_eq!((accepted, refused), (14, 50));
    assert_eq!(world.balance().await, (2, 98));
    world.audited().await;
}

pub async fn one_idempotency_key_sent_at_once_makes_one_generation(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let mut tasks = JoinSet::new();
    for _ in 0..32 {
        let store = Arc::clone(store);
        let idempotency = Idempotency {
            key: "k".to_owned(),
            body_hash: [1; 32],
            valid_since: START.minus(Duration::from_hours(1)),
        };
        let generation = generation(world.account, 10);
        let id = generation.id;
        let request = Accept {
            idempotency: Some(idempotency),
            ..accept(generation)
        };
        tasks.spawn(async move {
            match store.accept(request).await.unwrap() {
                Accepted::Accepted(_) => (true, id),
                Accepted::Replayed(first) => (false, first.id),
                other => panic!("{other:?}"),
            }
        });
    }
    let outcomes = tasks.join_all().await;
    let first: Vec<_> = outcomes.iter().filter(|(accepted, _)| *accepted).collect();
    assert_eq!(first.len(), 1);
    assert!(outcomes.iter().all(|(_, id)| *id == first[0].1));
    assert_eq!(world.balance().await, (990, 10));
    world.audited().await;
}

pub async fn the_rate_limit_is_exact_under_concurrency(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let mut tasks = JoinSet::new();
    for number in 0..60 {
        let store = Arc::clone(store);
        let request = Accept {
            default_per_minute: 20,
            ..accept(generation(world.account, 1))
        };
        let account = world.account;
        tasks.spawn(async move {
            if number % 2 == 0 {
                matches!(store.accept(request).await.unwrap(), Accepted::Accepted(_))
            } else {
                matches!(
                    store.take_token(account, 20, START).await.unwrap(),
                    TokenTaken::Taken(_)
                )
            }
        });
    }
    assert_eq!(
        tasks
            .join_all()
            .await
            .into_iter()
            .filter(|passed| *passed)
            .count(),
        20
    );
}

pub async fn a_cancellation_and_a_completion_at_once_end_it_once(store: &Shared) {
    let world = World::new(store, 1_000).await;
    for round in 0..20 {
        world.accepted_with_webhook(10).await;
        let claimed = world.claimed(at(1)).await;
        let (canceller, finisher) = (Arc::clone(store), Arc::clone(store));
        let cancellation = end(&claimed, at(2));
        let completion = finish(&claimed, completed(&claimed, 10), at(2));
        let (cancelled, finished) = tokio::join!(
            tokio::spawn(async move { canceller.end(cancellation).await.unwrap() }),
            tokio::spawn(async move { finisher.finish(completion).await.unwrap() }),
        );
        let completed = matches!(finished.unwrap(), Finished::Ended { .. });
        assert_eq!(cancelled.unwrap() == Ended::Ended, !completed, "round {round}");
        let state = world.get(claimed.id).await.state;
        assert_eq!(
            state,
            if completed {
                State::Completed
            } else {
                State::Failed
            }
        );
        assert_eq!(store.deliveries(claimed.id).await.unwrap().len(), 1);
    }
    world.audited().await;
}

pub async fn many_finish_one_generation_at_once_and_one_does(store: &Shared) {
    let world = World::new(store, 1_000).await;
    world.accepted_with_webhook(10).await;
    let claimed = world.claimed(at(1)).await;
    let mut tasks = JoinSet::new();
    for _ in 0..16 {
        let store = Arc::clone(store);
        let request = finish(&claimed, completed(&claimed, 4), at(2));
        tasks.spawn(async move { matches!(store.finish(request).await.unwrap(), Finished::Ended { .. }) });
    }
    assert_eq!(
        tasks.join_all().await.into_iter().filter(|ended| *ended).count(),
        1
    );
    assert_eq!(world.balance().await, (996, 0));
    world.audited().await;
}

pub async fn one_of_many_gets_a_name(store: &Shared) {
    let mut tasks = JoinSet::new();
    for _ in 0..16 {
        let store = Arc::clone(store);
        let account = account("ada", 5);
        let new = NewAccount {
            key: key(account.id),
            account,
        };
        tasks.spawn(async move { store.create_account(new, change()).await.unwrap() == Created::Created });
    }
    assert_eq!(
        tasks
            .join_all()
            .await
            .into_iter()
            .filter(|created| *created)
            .count(),
        1
    );
    assert_eq!(store.accounts().await.unwrap().len(), 1);
    assert_eq!(store.audit().await.unwrap().violations, Vec::<String>::new());
}

pub async fn two_rotations_at_once_leave_both_new_secrets_valid(store: &Shared) {
    let world = World::new(store, 10).await;
    for round in 0..20 {
        let mut tasks = JoinSet::new();
        for which in ["one", "other"] {
            let (store, account) = (Arc::clone(store), world.account);
            let secret = format!("whsec_{round}_{which}");
            tasks.spawn(async move {
                let rotated = store
                    .rotate_secret(account, secret.clone(), at(9), change())
                    .await;
                assert_eq!(rotated.unwrap().unwrap().signing.current, secret);
                secret
            });
        }
        let mut shown = tasks.join_all().await;
        shown.sort();
        let account = store.account(world.account).await.unwrap().unwrap();
        let mut valid: Vec<_> = account.signing.at(at(8)).collect();
        valid.sort_unstable();
        assert_eq!(valid, shown, "round {round}");
    }
}

pub async fn an_invitation_revoked_and_accepted_at_once_is_one_of_both(store: &Shared) {
    let world = World::new(store, 10).await;
    for round in 0..20 {
        let new = invitation(round, Some(world.account), Role::Member);
        let invited = new.invitation.id;
        store.invite(new, change()).await.unwrap();
        let (revoker, accepter) = (Arc::clone(store), Arc::clone(store));
        let accept = acceptance(round, &format!("user{round}"), at(1));
        let (revoked, accepted) = tokio::join!(
            tokio::spawn(async move {
                let revoked = revoker.revoke_invitation(None, invited, at(1), change()).await;
                revoked.unwrap().is_some()
            }),
            tokio::spawn(async move { accepter.accept_invitation(accept, change()).await.unwrap() }),
        );
        let accepted = matches!(accepted.unwrap(), InvitationAccepted::Accepted(_));
        assert_ne!(revoked.unwrap(), accepted, "round {round}");
        let stored = store.invitation(&[round; 32]).await.unwrap().unwrap();
        assert_eq!(
            (stored.used_at.is_some(), stored.revoked_at.is_some()),
            (accepted, !accepted)
        );
    }
}

pub async fn an_inviter_disabled_at_once_leaves_no_open_invitation(store: &Shared) {
    let world = World::new(store, 10).await;
    for round in 0..20 {
        let ada = operator(&world, 100 + round, &format!("ada{round}")).await;
        let new = invitation_by(round, &ada, world.account, Role::Member);
        let (inviter, disabler) = (Arc::clone(store), Arc::clone(store));
        let (invited, disabled) = tokio::join!(
            tokio::spawn(async move { inviter.invite(new, change()).await.unwrap() }),
            tokio::spawn(async move {
                let disabled = disabler
                    .update_user(ada.id, disabled(true), at(2), change())
                    .await;
                disabled.unwrap().unwrap()
            }),
        );
        assert!(disabled.unwrap().disabled_at.is_some());
        let stored = store.invitation(&[round; 32]).await.unwrap();
        assert_eq!(invited.unwrap(), stored.is_some(), "round {round}");
        let open = store.open_invitations(None, at(3)).await.unwrap();
        assert_eq!(open, [], "round {round}");
    }
}

pub async fn a_reset_link_used_many_times_at_once_works_once(store: &Shared) {
    let world = World::new(store, 10).await;
    let grace = member(&world, 1, "grace").await;
    let new = reset_link(10, &grace, None);
    assert!(store.start_password_reset(new, change()).await.unwrap());
    let mut tasks = JoinSet::new();
    for number in 0..16 {
        let store = Arc::clone(store);
        let mut reset = new_password(10, at(1));
        reset.password = number.to_string();
        tasks.spawn(async move {
            let password = reset.password.clone();
            let done = store.reset_password(reset, change()).await.unwrap();
            done.map(|_| password)
        });
    }
    let done: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
    let (_, stored) = store.user_by_login("grace").await.unwrap().unwrap();
    assert_eq!(done, [stored]);
}

pub async fn a_caller_that_goes_away_takes_no_write_with_it(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let mut sent = Vec::new();
    for _ in 0..50 {
        let generation = generation(world.account, 1);
        sent.push(generation.id);
        let store = Arc::clone(store);
        // Polled once and dropped, like a request whose client is gone.
        let mut asked = Box::pin(async move { store.accept(accept(generation)).await });
        let _ = poll_once(asked.as_mut()).await;
        drop(asked);
    }
    // Nobody waits for the answers, but the writes are done sooner or later.
    let until = Instant::now() + Duration::from_mins(1);
    while world.balance().await != (950, 50) {
        assert!(
            Instant::now() < until,
            "not all were written: {:?}",
            world.balance().await
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for id in sent {
        assert_eq!(world.get(id).await.state, State::Queued);
    }
    world.audited().await;
}

/// Polls a future once.
async fn poll_once<F: Future>(mut future: std::pin::Pin<&mut F>) -> Option<F::Output> {
    std::future::poll_fn(|context| match future.as_mut().poll(context) {
        std::task::Poll::Ready(output) => std::task::Poll::Ready(Some(output)),
        std::task::Poll::Pending => std::task::Poll::Ready(None),
    })
    .await
}
