//! The common parts of the tests: a world with an account, and short names for its events.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use atelier_domain::{
    Account, AccountId, Actor, Asset, Attempt, AuditRecord, DeliveryId, Event, Failure, FailureCode,
    FileName, Generation, GenerationId, KeyId, KeyLimits, KeyRecord, LowBalance, MediaKind, MediaType,
    NewGeneration, Output, Plan, PromptInFiles, QueueLimits, SigningSecrets, Timestamp, WorkerId,
};
use serde_json::{Map, json};
use uuid::Uuid;

use crate::{
    Accept, Accepted, Claim, ClaimDeliveries, ClaimedDelivery, Created, End, Ending, Finish, Finished,
    NewAccount, NewDelivery, NewKey, NextAttempt, Outcome, RecordAttempt, Store,
};

pub type Shared = Arc<dyn Store>;

/// The time at which every test starts.
pub const START: Timestamp = Timestamp(1_800_000_000_000_000);
pub const LANE: &str = "echo";
pub const PER_MINUTE: u32 = 1_000_000;

static IDS: AtomicU64 = AtomicU64::new(1);

/// An id later than every one before it.
pub fn id() -> Uuid {
    let number = IDS.fetch_add(1, Ordering::Relaxed);
    let mut random = [0; 10];
    random[2..].copy_from_slice(&number.to_be_bytes());
    uuid::Builder::from_unix_timestamp_millis(START.millis().unsigned_abs() + number, &random).into_uuid()
}

pub fn at(seconds: u64) -> Timestamp {
    START.plus(Duration::from_secs(seconds))
}

/// A store with one account in it.
pub struct World {
    pub store: Shared,
    pub account: AccountId,
    pub key: NewKey,
    pub worker: WorkerId,
}

impl World {
    pub async fn new(store: &Shared, credits: i64) -> Self {
        let account = account("ada", credits);
        let key = key(account.id);
        let id = account.id;
        let created = store
            .create_account(
                NewAccount {
                    account,
                    key: key.clone(),
                },
                change(),
            )
            .await
            .unwrap();
        assert_eq!(created, Created::Created);
        Self {
            store: Arc::clone(store),
            account: id,
            key,
            worker: WorkerId(self::id()),
        }
    }

    /// Another account in the same store.
    pub async fn beside(&self, name: &str, credits: i64) -> Self {
        let account = account(name, credits);
        let key = key(account.id);
        let new = NewAccount {
            account: account.clone(),
            key: key.clone(),
        };
        assert_eq!(
            self.store.create_account(new, change()).await.unwrap(),
            Created::Created
        );
        Self {
            store: Arc::clone(&self.store),
            account: account.id,
            key,
            worker: self.worker,
        }
    }

    /// The available and the held credits.
    pub async fn balance(&self) -> (i64, i64) {
        let account = self.store.account(self.account).await.unwrap().unwrap();
        (account.available, account.held)
    }

    /// Accepts a generation with this hold.
    pub async fn accepted(&self, hold: i64) -> Generation {
        let generation = generation(self.account, hold);
        self.accept(generation.clone()).await;
        generation
    }

    /// Accepts a generation with a webhook.
    pub async fn accepted_with_webhook(&self, hold: i64) -> Generation {
        let mut generation = generation(self.account, hold);
        generation.webhook_url = Some("https://hooks.example.com/in".to_owned());
        self.accept(generation.clone()).await;
        generation
    }

    pub async fn accept(&self, generation: Generation) {
        let accepted = self.store.accept(accept(generation)).await.unwrap();
        assert!(matches!(accepted, Accepted::Accepted(_)), "{accepted:?}");
    }

    pub async fn claim(&self, max: u32, now: Timestamp) -> Vec<Generation> {
        self.store.claim(claim(self.worker, max, now)).await.unwrap()
    }

    /// Claims exactly one generation.
    pub async fn claimed(&self, now: Timestamp) -> Generation {
        let mut claimed = self.claim(1, now).await;
        assert_eq!(claimed.len(), 1, "nothing to claim");
        claimed.remove(0)
    }

    pub async fn get(&self, id: GenerationId) -> Generation {
        self.store.generation(self.account, id).await.unwrap().unwrap()
    }

    pub async fn complete(&self, generation: &Generation, charge: i64, now: Timestamp) -> Finished {
        self.store
            .finish(finish(generation, completed(generation, charge), now))
            .await
            .unwrap()
    }

    pub async fn fail(&self, generation: &Generation, now: Timestamp) -> Finished {
        self.store
            .finish(finish(generation, failed(generation), now))
            .await
            .unwrap()
    }

    /// Accepts, claims and completes a generation with a webhook to this host; returns its pending delivery.
    pub async fn delivery_to(&self, host: &str, now: Timestamp) -> DeliveryId {
        let accepted = self.accepted_with_webhook(0).await;
        let claimed = self.claimed(now).await;
        assert_eq!(claimed.id, accepted.id);
        let mut ending = completed(&claimed, 0);
        let delivery = ending.delivery.as_mut().unwrap();
        host.clone_into(&mut delivery.host);
        let id = delivery.id;
        self.store.finish(finish(&claimed, ending, now)).await.unwrap();
        id
    }

    /// Does the same for many at once.
    pub async fn deliveries_to(&self, host: &str, count: u32, now: Timestamp) {
        let mut accepting = tokio::task::JoinSet::new();
        for _ in 0..count {
            let mut generation = generation(self.account, 0);
            generation.webhook_url = Some("https://hooks.example.com/in".to_owned());
            let store = Arc::clone(&self.store);
            accepting.spawn(async move { store.accept(accept(generation)).await.unwrap() });
        }
        accepting.join_all().await;
        let mut finishing = tokio::task::JoinSet::new();
        for claimed in self.claim(count, now).await {
            let mut ending = completed(&claimed, 0);
            host.clone_into(&mut ending.delivery.as_mut().unwrap().host);
            let store = Arc::clone(&self.store);
            finishing.spawn(async move { store.finish(finish(&claimed, ending, now)).await.unwrap() });
        }
        assert_eq!(finishing.join_all().await.len(), count as usize);
    }

    pub async fn claim_deliveries(&self, max: u32, per_host: u32, now: Timestamp) -> Vec<ClaimedDelivery> {
        self.store
            .claim_deliveries(claim_deliveries(self.worker, max, per_host, now))
            .await
            .unwrap()
    }

    /// Checks every invariant.
    pub async fn audited(&self) {
        assert_eq!(self.store.audit().await.unwrap().violations, Vec::<String>::new());
    }
}

pub fn account(name: &str, credits: i64) -> Account {
    Account {
        id: AccountId(id()),
        name: name.to_owned(),
        beta: true,
        plan: Some(Plan {
            name: "studio".to_owned(),
            active: true,
        }),
        available: credits,
        held: 0,
        signing: SigningSecrets::new(format!("whsec_{name}")),
        generations_per_minute: None,
        plan_per_minute: None,
        queue: QueueLimits::default(),
        monthly_budget: None,
        retention_days: None,
        private_media: false,
        prompt_in_files: PromptInFiles::Metadata,
        low_balance: LowBalance::default(),
        created_at: START,
    }
}

/// The record of a change that a test makes.
pub fn change() -> AuditRecord {
    AuditRecord {
        at: START,
        actor: Actor::Cli,
        action: "test.change",
        account: None,
        object: "something".to_owned(),
        details: Map::new(),
    }
}

pub fn key(account: AccountId) -> NewKey {
    let id = id();
    let mut hash = [7; 32];
    hash[..16].copy_from_slice(id.as_bytes());
    let record = KeyRecord {
        id: KeyId(id),
        account,
        name: "laptop".to_owned(),
        prefix: "ak_1234".to_owned(),
        created_at: START,
        last_used_at: None,
        revoked_at: None,
        limits: KeyLimits::default(),
        previous_until: None,
    };
    NewKey { record, hash }
}

pub fn generation(account: AccountId, hold: i64) -> Generation {
    let mut params = Map::new();
    params.insert("prompt".to_owned(), json!("a lighthouse at dusk – \"zwei\" 灯台"));
    params.insert("n".to_owned(), json!(2));
    Generation::queued(NewGeneration {
        id: GenerationId(id()),
        account,
        model: "image-gen-4".to_owned(),
        kind: MediaKind::Image,
        params,
        webhook_url: None,
        hold,
        created_at: START,
        deadline: at(300),
    })
}

pub fn accept(generation: Generation) -> Accept {
    Accept {
        generation,
        lane: LANE.to_owned(),
        idempotency: None,
        files: Vec::new(),
        default_per_minute: PER_MINUTE,
        key: None,
    }
}

/// Takes back every claim, as a database does that dies before it has written them to the disk.
#[cfg(test)]
pub(crate) const LOSE_CLAIMS: &str = "UPDATE generations SET state = 'queued', epoch = 0, attempt = 0, worker = NULL, \
    lease_until = NULL, started_at = NULL, attempt_started_at = NULL, served_by = NULL WHERE state = 'running'";

pub fn claim(worker: WorkerId, max: u32, now: Timestamp) -> Claim {
    Claim {
        models: None,
        worker,
        lane: LANE.to_owned(),
        max,
        now,
        lease_until: now.plus(Duration::from_mins(1)),
    }
}

pub fn output() -> Output {
    let file = FileName::new(&[3; 32], MediaType::Png);
    let mut metadata = Map::new();
    metadata.insert("words".to_owned(), json!(["lighthouse", "dusk"]));
    Output {
        assets: vec![Asset {
            file,
            kind: MediaKind::Image,
        }],
        timestamps: None,
        metadata: Some(metadata),
    }
}

pub fn failure() -> Failure {
    Failure::fail(FailureCode::GenerationFailed, "the engine gave up")
}

pub fn completed(generation: &Generation, charge: i64) -> Ending {
    Ending {
        outcome: Outcome::Completed {
            output: output(),
            charge,
        },
        delivery: new_delivery(generation, Event::Completed),
    }
}

pub fn failed(generation: &Generation) -> Ending {
    Ending {
        outcome: Outcome::Failed(failure()),
        delivery: new_delivery(generation, Event::Failed),
    }
}

pub fn new_delivery(generation: &Generation, event: Event) -> Option<NewDelivery> {
    generation.webhook_url.as_ref().map(|url| NewDelivery {
        id: DeliveryId(id()),
        event,
        url: url.clone(),
        host: "hooks.example.com:443".to_owned(),
        endpoint: None,
        body: format!("{{\"id\":\"{}\"}}", generation.id).into_bytes(),
    })
}

pub fn finish(generation: &Generation, ending: Ending, now: Timestamp) -> Finish {
    Finish {
        id: generation.id,
        account: generation.account,
        epoch: generation.epoch,
        now,
        served_by: "echo-1".to_owned(),
        ending,
        if_uncovered: None,
        deliver_now: None,
    }
}

pub fn end(generation: &Generation, now: Timestamp) -> End {
    End {
        account: None,
        id: generation.id,
        now,
        epoch: None,
        failure: failure(),
        delivery: new_delivery(generation, Event::Failed),
        record: None,
    }
}

pub fn claim_deliveries(worker: WorkerId, max: u32, per_host: u32, now: Timestamp) -> ClaimDeliveries {
    ClaimDeliveries {
        worker,
        max,
        per_host,
        in_flight: std::collections::HashMap::new(),
        now,
        lease_until: now.plus(Duration::from_secs(30)),
    }
}

pub fn record(claimed: &ClaimedDelivery, next: NextAttempt, now: Timestamp) -> RecordAttempt {
    RecordAttempt {
        id: claimed.delivery.id,
        epoch: claimed.epoch,
        attempt: Attempt {
            at: now,
            latency_ms: 12,
            status: Some(503),
            error: Some("not now".to_owned()),
            response: Some("busy".to_owned()),
        },
        next,
    }
}
