//! Remote workers: their tokens, who has joined, what they claim and hold.

use atelier_domain::{
    RemoteWorker, WorkerEngine, WorkerId, WorkerOffer, WorkerSeen, WorkerToken, WorkerTokenId,
};

use super::world::{Shared, World, at, change, claim, generation, id};
use crate::{Claim, NewWorkerToken};

fn token(name: &str, byte: u8) -> NewWorkerToken {
    NewWorkerToken {
        token: WorkerToken {
            id: WorkerTokenId(id()),
            name: name.to_owned(),
            prefix: "atw_abcdefgh".to_owned(),
            engines: vec!["gpu".to_owned()],
            models: vec!["flux-*".to_owned()],
            created_at: at(1),
            revoked_at: None,
        },
        hash: [byte; 32],
    }
}

fn worker(token: WorkerTokenId, seen: u64) -> RemoteWorker {
    RemoteWorker {
        id: WorkerId(id()),
        token,
        name: "box".to_owned(),
        version: "1.2.3".to_owned(),
        joined_at: at(2),
        seen_at: at(seen),
        offer: WorkerOffer {
            engines: vec![WorkerEngine {
                name: "draft".to_owned(),
                slots: 2,
                models: 90,
            }],
            memory: Some(1 << 34),
        },
    }
}

pub async fn a_worker_token_works_until_it_is_revoked(store: &Shared) {
    let (first, second) = (token("first", 1), token("second", 2));
    for new in [&first, &second] {
        store.create_worker_token(new.clone(), change()).await.unwrap();
    }
    let found = store.worker_token(&[1; 32], None).await.unwrap();
    assert_eq!(found, Some(first.token.clone()));
    assert_eq!(store.worker_token(&[3; 32], None).await.unwrap(), None);
    let revoked = WorkerToken {
        revoked_at: Some(at(5)),
        ..first.token.clone()
    };
    for now in [5, 6] {
        let found = store.revoke_worker_token(first.token.id, at(now), change()).await;
        assert_eq!(found.unwrap(), Some(revoked.clone()), "the first time counts");
    }
    assert_eq!(store.worker_token(&[1; 32], None).await.unwrap(), None);
    assert_eq!(store.worker_tokens().await.unwrap(), [revoked, second.token]);
    let unknown = store.revoke_worker_token(WorkerTokenId(id()), at(7), change());
    assert_eq!(unknown.await.unwrap(), None);
}

pub async fn a_remote_worker_belongs_to_its_token_until_it_is_forgotten(store: &Shared) {
    let (first, second) = (token("first", 1), token("second", 2));
    for new in [&first, &second] {
        store.create_worker_token(new.clone(), change()).await.unwrap();
    }
    let mut joined = worker(first.token.id, 10);
    store.note_worker(joined.clone(), at(0)).await.unwrap();
    let with = |hash: [u8; 32], id| async move { store.worker_token(&hash, Some(id)).await.unwrap() };
    assert_eq!(with([1; 32], joined.id).await, Some(first.token.clone()));
    assert_eq!(
        with([2; 32], joined.id).await,
        None,
        "it joined with the other token"
    );
    assert_eq!(with([1; 32], WorkerId(id())).await, None);
    joined.seen_at = at(20);
    joined.offer.memory = None;
    store.note_worker(joined.clone(), at(0)).await.unwrap();
    let seen = WorkerSeen {
        worker: joined.clone(),
        token: "first".to_owned(),
        running: Vec::new(),
    };
    assert_eq!(store.remote_workers().await.unwrap(), [seen]);
    let later = worker(second.token.id, 40);
    store.note_worker(later.clone(), at(30)).await.unwrap();
    let names: Vec<_> = store.remote_workers().await.unwrap();
    assert_eq!(names.len(), 1, "the other is forgotten");
    assert_eq!(names[0].worker, later);
}

pub async fn a_claim_of_some_models_takes_only_those_in_turn(store: &Shared) {
    let ada = World::new(store, 100).await;
    let bob = ada.beside("bob", 100).await;
    let of = |world: &World, model: &str| {
        let mut generation = generation(world.account, 1);
        model.clone_into(&mut generation.model);
        generation
    };
    for (world, model) in [(&ada, "a"), (&ada, "b"), (&bob, "a"), (&bob, "b"), (&ada, "b")] {
        world.accept(of(world, model)).await;
    }
    let claimed = |models: &[&str], max| {
        let models = models.iter().map(|model| (*model).to_owned()).collect();
        let claim = Claim {
            models: Some(models),
            ..claim(ada.worker, max, at(9))
        };
        async move {
            let claimed = store.claim(claim).await.unwrap();
            claimed
                .into_iter()
                .map(|job| (job.account, job.model))
                .collect::<Vec<_>>()
        }
    };
    assert_eq!(claimed(&[], 9).await, []);
    assert_eq!(claimed(&["c"], 9).await, []);
    let b = "b".to_owned();
    assert_eq!(claimed(&["b", "c"], 1).await, [(ada.account, b.clone())]);
    assert_eq!(claimed(&["b"], 1).await, [(bob.account, b.clone())], "its turn");
    assert_eq!(claimed(&["b"], 9).await, [(ada.account, b)]);
    let mut rest = claimed(&["a", "b"], 9).await;
    rest.sort();
    assert_eq!(
        rest,
        [(ada.account, "a".to_owned()), (bob.account, "a".to_owned())]
    );
}

pub async fn an_attempt_is_found_only_by_the_worker_that_holds_it(store: &Shared) {
    let world = World::new(store, 100).await;
    let new = token("first", 1);
    let mut joined = worker(new.token.id, 10);
    joined.id = world.worker;
    store.create_worker_token(new, change()).await.unwrap();
    store.note_worker(joined, at(0)).await.unwrap();
    world.accepted(1).await;
    let held = world.claimed(at(3)).await;
    let found = store.held_by(world.worker, held.id, held.epoch).await.unwrap();
    assert_eq!(found.unwrap().id, held.id);
    let seen = store.remote_workers().await.unwrap();
    assert_eq!(seen[0].running, std::slice::from_ref(&held.model));
    let others = [
        (WorkerId(id()), held.epoch),
        (world.worker, held.epoch - 1),
        (world.worker, held.epoch + 1),
    ];
    for (worker, epoch) in others {
        assert!(store.held_by(worker, held.id, epoch).await.unwrap().is_none());
    }
    store.give_back(vec![(held.id, held.epoch)], at(4)).await.unwrap();
    assert!(
        store
            .held_by(world.worker, held.id, held.epoch)
            .await
            .unwrap()
            .is_none()
    );
}
