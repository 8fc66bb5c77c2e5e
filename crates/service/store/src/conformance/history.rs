//! Deletion and retention: what goes, what stays, and who wins.

use std::{sync::Arc, time::Duration};

use atelier_domain::{AccountId, FileFacts, FileName, Generation, MediaType, State};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::world::{START, Shared, World, accept, at, change, generation, record};
use crate::{
    Accept, Accepted, Deletion, Expire, Expired, ExpiredStep, GenerationFilter, Gone, Holder, Idempotency,
    NextAttempt, PageRequest, Recorded, Redelivered, Removal,
};

const DAY: u64 = 24 * 60 * 60;

pub(super) fn file(byte: u8) -> FileName {
    FileName::new(&[byte; 32], MediaType::Png)
}

fn facts() -> FileFacts {
    FileFacts {
        media_type: MediaType::Png,
        size: 100,
        width: Some(10),
        height: Some(10),
        duration: None,
    }
}

fn deletion(seconds: u64) -> Deletion {
    Deletion {
        now: at(seconds),
        lease_until: at(seconds + 600),
        record: None,
    }
}

pub(super) async fn recorded(store: &Shared, byte: u8, holder: Holder, seconds: u64) -> Recorded {
    let recorded = store
        .record_file(&file(byte), &facts(), holder, at(seconds))
        .await;
    recorded.unwrap()
}

pub(super) async fn is_stored(store: &Shared, byte: u8) -> bool {
    store.files(&[file(byte)]).await.unwrap()[0].is_some()
}

/// A generation with these inputs, which has completed and made `output`.
pub(super) async fn made(world: &World, inputs: &[u8], output: u8) -> Generation {
    let generation = generation(world.account, 10);
    let request = Accept {
        files: inputs.iter().map(|byte| file(*byte)).collect(),
        ..accept(generation.clone())
    };
    let accepted = world.store.accept(request).await.unwrap();
    assert!(matches!(accepted, Accepted::Accepted(_)), "{accepted:?}");
    let claimed = world.claimed(at(1)).await;
    assert_eq!(claimed.id, generation.id);
    recorded(&world.store, output, Holder::Output(generation.id), 2).await;
    world.complete(&claimed, 4, at(2)).await;
    generation
}

pub(super) async fn listed(world: &World) -> (u64, usize) {
    let page = PageRequest {
        limit: 100,
        before: None,
    };
    let page = world
        .store
        .generations(world.account, GenerationFilter::default(), page);
    let page = page.await.unwrap();
    (page.total, page.items.len())
}

pub async fn a_deleted_generation_takes_its_files_and_deliveries_and_leaves_the_ledger(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted_with_webhook(10).await;
    let generation = world.claimed(at(1)).await;
    recorded(store, 1, Holder::Output(generation.id), 2).await;
    world.complete(&generation, 4, at(2)).await;
    let kept = made(&world, &[], 2).await;
    let removal = store
        .delete_generation(world.account, generation.id, deletion(5))
        .await;
    assert_eq!(removal.unwrap(), Removal::Removed(vec![file(1)]));
    let found = store.generation(world.account, generation.id).await.unwrap();
    assert_eq!(found, None);
    assert_eq!(listed(&world).await, (1, 1));
    let deleted = store.deleted_generation(world.account, generation.id).await;
    let deleted = deleted.unwrap().unwrap();
    assert_eq!(
        (deleted.state, deleted.charged, deleted.deleted_at),
        (State::Completed, Some(4), at(5))
    );
    assert_eq!(store.gone(&file(1)).await.unwrap(), Some(Gone::Deleted));
    assert_eq!(store.gone(&file(2)).await.unwrap(), None);
    assert!(store.deliveries(generation.id).await.unwrap().is_empty());
    // The grant, two holds, two settlements.
    assert_eq!(store.ledger(world.account, 9).await.unwrap().len(), 5);
    assert_eq!(world.balance().await, (92, 0));
    let used = store.usage(Some(world.account), (0, 1_000_000)).await.unwrap();
    assert_eq!(
        (used[0].generations, used[0].credits),
        (2, 8),
        "what was used stays"
    );
    let again = store
        .delete_generation(world.account, generation.id, deletion(9))
        .await;
    assert_eq!(again.unwrap(), Removal::Before);
    assert_eq!(world.get(kept.id).await.state, State::Completed);
    world.audited().await;
}

pub async fn only_what_has_ended_is_deleted_and_only_by_its_account(store: &Shared) {
    let world = World::new(store, 100).await;
    let other = world.beside("grace", 10).await;
    let queued = world.accepted(10).await;
    let delete = |account, id| store.delete_generation(account, id, deletion(5));
    assert_eq!(
        delete(world.account, queued.id).await.unwrap(),
        Removal::Unfinished
    );
    let running = world.claimed(at(1)).await;
    assert_eq!(
        delete(world.account, running.id).await.unwrap(),
        Removal::Unfinished
    );
    world.complete(&running, 4, at(2)).await;
    assert_eq!(delete(other.account, running.id).await.unwrap(), Removal::Missing);
    assert_eq!(world.get(running.id).await.state, State::Completed);
    recorded(store, 1, Holder::Upload(world.account), 3).await;
    let uploads = store.delete_upload(other.account, &file(1), deletion(5)).await;
    assert_eq!(uploads.unwrap(), Removal::Missing);
    assert!(is_stored(store, 1).await);
    world.audited().await;
}

pub async fn a_file_stays_until_its_last_user_is_gone(store: &Shared) {
    let world = World::new(store, 100).await;
    let other = world.beside("grace", 10).await;
    assert_eq!(
        recorded(store, 1, Holder::Upload(world.account), 0).await,
        Recorded::New
    );
    assert_eq!(
        recorded(store, 1, Holder::Upload(other.account), 0).await,
        Recorded::Known
    );
    let input = made(&world, &[1], 2).await;
    // Another job makes the same picture.
    let same = made(&world, &[], 2).await;
    let uploads = store.uploads(world.account, None, 9).await.unwrap();
    assert_eq!(uploads.len(), 1);
    assert_eq!(uploads[0].name, file(1));
    let nothing = Removal::Removed(Vec::new());
    let name = file(1);
    let upload = |account| store.delete_upload(account, &name, deletion(5));
    assert_eq!(upload(world.account).await.unwrap(), nothing);
    assert_eq!(upload(other.account).await.unwrap(), nothing);
    assert_eq!(upload(other.account).await.unwrap(), Removal::Missing);
    assert!(is_stored(store, 1).await, "a job has it as its input");
    let job = |id| store.delete_generation(world.account, id, deletion(6));
    assert_eq!(
        job(input.id).await.unwrap(),
        Removal::Removed(vec![file(1)]),
        "another job has made the same picture"
    );
    assert_eq!(job(same.id).await.unwrap(), Removal::Removed(vec![file(2)]));
    recorded(store, 3, Holder::Program, 7).await;
    let echoed = made(&world, &[], 3).await;
    assert_eq!(
        job(echoed.id).await.unwrap(),
        nothing,
        "it is part of the program"
    );
    world.audited().await;
}

pub async fn a_deleted_file_comes_back_only_after_its_bytes_are_gone(store: &Shared) {
    let world = World::new(store, 100).await;
    let holder = Holder::Upload(world.account);
    recorded(store, 1, holder, 0).await;
    let removal = store.delete_upload(world.account, &file(1), deletion(5)).await;
    assert_eq!(removal.unwrap(), Removal::Removed(vec![file(1)]));
    assert_eq!(recorded(store, 1, holder, 6).await, Recorded::Leaving);
    let claim = |seconds| store.claim_deleted_files(at(seconds), at(seconds + 600), 9);
    assert_eq!(
        claim(10).await.unwrap(),
        [],
        "whoever deleted it removes its bytes"
    );
    assert_eq!(claim(700).await.unwrap(), [file(1)]);
    assert_eq!(claim(700).await.unwrap(), []);
    store.files_removed(&[file(1)]).await.unwrap();
    assert_eq!(store.gone(&file(1)).await.unwrap(), Some(Gone::Deleted));
    assert_eq!(claim(9_000).await.unwrap(), []);
    assert_eq!(recorded(store, 1, holder, 800).await, Recorded::Known);
    assert_eq!(store.gone(&file(1)).await.unwrap(), None);
    assert!(is_stored(store, 1).await);
    let taken = store.take_down(&file(1), "asked for", at(900), change()).await;
    assert!(taken.unwrap());
    assert_eq!(store.gone(&file(1)).await.unwrap(), Some(Gone::TakenDown));
    assert_eq!(recorded(store, 1, holder, 900).await, Recorded::TakenDown);
    world.audited().await;
}

pub async fn a_generation_is_not_accepted_with_an_input_that_was_deleted(store: &Shared) {
    let world = World::new(store, 100).await;
    recorded(store, 1, Holder::Upload(world.account), 0).await;
    store
        .delete_upload(world.account, &file(1), deletion(5))
        .await
        .unwrap();
    let request = Accept {
        files: vec![file(1)],
        ..accept(generation(world.account, 10))
    };
    let accepted = store.accept(request).await.unwrap();
    assert!(
        matches!(&accepted, Accepted::FileGone(gone) if *gone == file(1)),
        "{accepted:?}"
    );
    assert_eq!(world.balance().await, (100, 0));
    assert_eq!(listed(&world).await, (0, 0));
    world.audited().await;
}

pub async fn a_deleted_generation_still_answers_its_idempotency_key(store: &Shared) {
    let world = World::new(store, 100).await;
    let request = |body: u8| Accept {
        idempotency: Some(Idempotency {
            key: "k".to_owned(),
            body_hash: [body; 32],
            valid_since: START.minus(Duration::from_hours(1)),
        }),
        ..accept(generation(world.account, 10))
    };
    store.accept(request(1)).await.unwrap();
    let first = world.claimed(at(1)).await;
    world.complete(&first, 4, at(2)).await;
    store
        .delete_generation(world.account, first.id, deletion(5))
        .await
        .unwrap();
    let again = store.accept(request(1)).await.unwrap();
    assert!(
        matches!(&again, Accepted::Replayed(found) if found.id == first.id),
        "{again:?}"
    );
    let key = request(1).idempotency.unwrap();
    let earlier = store.earlier_use(world.account, &key).await.unwrap();
    assert!(matches!(earlier, Some(Accepted::Replayed(found)) if found.id == first.id));
    let other = store.accept(request(2)).await.unwrap();
    assert!(matches!(other, Accepted::KeyReused), "{other:?}");
    assert_eq!(world.balance().await, (96, 0));
    world.audited().await;
}

pub async fn an_input_deleted_at_once_with_the_job_that_uses_it_is_kept_or_refused(store: &Shared) {
    let world = World::new(store, 1_000).await;
    for round in 0..20 {
        recorded(store, round, Holder::Upload(world.account), 0).await;
        let request = Accept {
            files: vec![file(round)],
            ..accept(generation(world.account, 1))
        };
        let (deleter, account) = (Arc::clone(store), world.account);
        let maker = Arc::clone(store);
        let (removed, accepted) = tokio::join!(
            tokio::spawn(async move { deleter.delete_upload(account, &file(round), deletion(5)).await }),
            tokio::spawn(async move { maker.accept(request).await }),
        );
        let removed = removed.unwrap().unwrap();
        let was_accepted = matches!(accepted.unwrap().unwrap(), Accepted::Accepted(_));
        let kept = Removal::Removed(Vec::new());
        let went = Removal::Removed(vec![file(round)]);
        assert_eq!(removed, if was_accepted { kept } else { went }, "round {round}");
        assert_eq!(is_stored(store, round).await, was_accepted, "round {round}");
    }
    world.audited().await;
}

pub async fn one_file_deleted_by_all_its_users_at_once_goes_once(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let mut jobs = Vec::new();
    for _ in 0..8 {
        jobs.push(made(&world, &[], 1).await);
    }
    let mut tasks = JoinSet::new();
    for job in jobs {
        let (store, account) = (Arc::clone(store), world.account);
        tasks.spawn(async move { store.delete_generation(account, job.id, deletion(5)).await });
    }
    let mut files = Vec::new();
    for removal in tasks.join_all().await {
        match removal.unwrap() {
            Removal::Removed(more) => files.extend(more),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(files, [file(1)]);
    world.audited().await;
}

/// Steps until nothing is left; returns how much was removed, and the files.
pub(super) async fn expire(store: &Shared, what: Expired, days: u64, limit: u32) -> (u32, Vec<FileName>) {
    expire_of(store, what, None, days, limit).await
}

pub(super) async fn expire_of(
    store: &Shared,
    what: Expired,
    account: Option<AccountId>,
    days: u64,
    limit: u32,
) -> (u32, Vec<FileName>) {
    let mut step = Expire {
        what,
        account,
        before: at(days * DAY),
        after: Uuid::nil(),
        limit,
        now: at(90 * DAY),
        lease_until: at(91 * DAY),
    };
    let (mut removed, mut files) = (0, Vec::new());
    loop {
        let ExpiredStep {
            removed: more,
            files: gone,
            next,
        } = store.expire(step).await.unwrap();
        assert!(more <= limit, "{more} in one step");
        removed += more;
        files.extend(gone);
        match next {
            Some(after) => step.after = after,
            None => return (removed, files),
        }
    }
}

pub async fn old_generations_leave_their_sums_in_the_ledger(store: &Shared) {
    let world = World::new(store, 100).await;
    let other = world.beside("grace", 100).await;
    let mut made_by = Vec::new();
    for byte in 1..=5 {
        made_by.push(made(&world, &[], byte).await);
    }
    made(&other, &[], 6).await;
    let unfinished = world.accepted_with_webhook(10).await;
    store
        .delete_generation(world.account, made_by[0].id, deletion(5))
        .await
        .unwrap();
    assert_eq!(expire(store, Expired::Jobs, 0, 2).await, (0, Vec::new()));
    let (removed, mut files) = expire(store, Expired::Jobs, 30, 2).await;
    files.sort();
    assert_eq!(removed, 6);
    assert_eq!(files, (2..=6).map(file).collect::<Vec<_>>());
    assert_eq!(listed(&world).await, (1, 1), "what has not ended stays");
    assert_eq!(world.get(unfinished.id).await.state, State::Queued);
    assert_eq!(world.balance().await, (70, 10));
    // The grant and the hold of the one that is left.
    assert_eq!(store.ledger(world.account, 99).await.unwrap().len(), 2);
    assert_eq!(store.ledger(other.account, 99).await.unwrap().len(), 1);
    let deleted = store.deleted_generation(world.account, made_by[0].id).await;
    assert_eq!(deleted.unwrap(), None);
    let used = store.usage(Some(world.account), (0, 1_000_000)).await.unwrap();
    assert_eq!((used[0].generations, used[0].credits), (5, 20));
    world.audited().await;
}

pub async fn old_media_and_uploads_go_and_jobs_stay(store: &Shared) {
    let world = World::new(store, 100).await;
    recorded(store, 1, Holder::Upload(world.account), 0).await;
    recorded(store, 2, Holder::Upload(world.account), 40 * DAY).await;
    recorded(store, 3, Holder::Program, 0).await;
    let job = made(&world, &[1], 4).await;
    assert_eq!(
        expire(store, Expired::Uploads, 30, 1).await,
        (1, Vec::new()),
        "a job uses it"
    );
    let (removed, mut files) = expire(store, Expired::Media, 30, 2).await;
    files.sort();
    assert_eq!((removed, files), (2, vec![file(1), file(4)]));
    assert_eq!(world.get(job.id).await.state, State::Completed);
    assert_eq!(store.gone(&file(4)).await.unwrap(), Some(Gone::Deleted));
    assert!(is_stored(store, 2).await && is_stored(store, 3).await);
    world.audited().await;
}

pub async fn old_bodies_of_deliveries_go_and_their_attempts_stay(store: &Shared) {
    let world = World::new(store, 100).await;
    let first = world.accepted_with_webhook(10).await.id;
    for delivered in [true, false] {
        if !delivered {
            world.accepted_with_webhook(10).await;
        }
        world.complete(&world.claimed(at(1)).await, 4, at(2)).await;
        if delivered {
            let claimed = world.claim_deliveries(9, 9, at(3)).await.remove(0);
            let done = record(&claimed, NextAttempt::Delivered, at(3));
            assert!(store.record_attempt(done).await.unwrap());
        }
    }
    assert_eq!(expire(store, Expired::DeliveryBodies, 30, 9).await.0, 1);
    assert_eq!(expire(store, Expired::DeliveryBodies, 30, 9).await.0, 0);
    let page = PageRequest {
        limit: 9,
        before: None,
    };
    let jobs = store.generations(world.account, GenerationFilter::default(), page);
    let mut bodies = Vec::new();
    for job in jobs.await.unwrap().items {
        let (delivery, attempts) = store.deliveries(job.id).await.unwrap().remove(0);
        bodies.push((delivery.body.is_empty(), attempts.len()));
        assert!(attempts.iter().all(|attempt| attempt.response.is_none()));
    }
    let again = |id| store.redeliver(world.account, id, at(90 * DAY), None);
    let emptied = world.store.deliveries(first).await.unwrap().remove(0).0;
    assert_eq!(again(emptied.id).await.unwrap(), Redelivered::Emptied);
    assert_eq!(bodies, [(false, 0), (true, 1)], "what is still to be sent stays");
    world.audited().await;
}
