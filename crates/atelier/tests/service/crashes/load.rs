//! Clients of a server that may die at any time, and their knowledge of their jobs.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use atelier_testkit::{Http, Receiver};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use crate::{
    files,
    setup::{Account, World},
};

/// Pseudo-random numbers that are the same in every run.
#[derive(Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// SplitMix64.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// A host that accepts connections and never answers.
#[derive(Debug)]
pub(crate) struct Hanging {
    listener: TcpListener,
    held: Mutex<Vec<TcpStream>>,
}

impl Hanging {
    pub(crate) async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self {
            listener,
            held: Mutex::default(),
        }
    }

    fn url(&self) -> String {
        format!("http://{}/never.png", self.listener.local_addr().unwrap())
    }

    /// Waits for a connection.
    pub(crate) async fn until_asked(&self) {
        let (connection, _) = self.listener.accept().await.unwrap();
        self.held.lock().unwrap().push(connection);
    }
}

/// The requests of the clients, by idempotency key, with their answers.
#[derive(Debug, Clone)]
pub(crate) struct Books(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    http: Mutex<Http>,
    receiver: Receiver,
    next: AtomicU32,
    asked: Mutex<BTreeMap<String, Asked>>,
}

#[derive(Debug, Clone)]
struct Asked {
    body: Value,
    /// The id of the job, after an answer.
    id: Option<String>,
}

impl Books {
    pub(crate) async fn new(account: &Account) -> Self {
        Self(Arc::new(Inner {
            http: Mutex::new(account.http.clone()),
            receiver: Receiver::start().await,
            next: AtomicU32::new(0),
            asked: Mutex::default(),
        }))
    }

    fn http(&self) -> Http {
        self.0.http.lock().unwrap().clone()
    }

    /// Clients that each create this many jobs, one after the other, until one gets no answer.
    pub(crate) fn clients(&self, count: usize, jobs: usize) -> Vec<JoinHandle<()>> {
        let client = move |books: Self| async move {
            for _ in 0..jobs {
                let body = json!({ "model": "image-gen-4", "prompt": "a fox", "resolution": "1K" });
                if books.ask(body).await.is_none() {
                    return;
                }
            }
        };
        (0..count).map(|_| tokio::spawn(client(self.clone()))).collect()
    }

    /// Clients that each create this many jobs and repeat every request until it is accepted.
    pub(crate) fn patient_clients(&self, count: usize, jobs: usize) -> Vec<JoinHandle<()>> {
        let client = || self.patient_client(jobs, Duration::ZERO);
        (0..count).map(|_| client()).collect()
    }

    /// One such client, which pauses after each job.
    pub(crate) fn patient_client(&self, jobs: usize, pause: Duration) -> JoinHandle<()> {
        let books = self.clone();
        tokio::spawn(async move {
            for _ in 0..jobs {
                let key =
                    books.note(json!({ "model": "image-gen-4", "prompt": "a fox", "resolution": "1K" }));
                while !books.is_accepted(&key).await {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                tokio::time::sleep(pause).await;
            }
        })
    }

    /// Whether a request is accepted now. The service may be away, or refuse it for a while.
    async fn is_accepted(&self, key: &str) -> bool {
        let asked = self.0.asked.lock().unwrap()[key].clone();
        let request = self
            .http()
            .request(Method::POST, "/generations")
            .header("idempotency-key", key)
            .json(&asked.body);
        let Ok(answer) = request.send().await else {
            return false;
        };
        let status = answer.status().as_u16();
        assert!([201, 503].contains(&status), "{key}: {status}");
        status == 201
    }

    /// A job whose input never arrives, one whose input is not available, one that is refused, and an upload. `cancel`:
    /// whether to cancel the first.
    pub(crate) fn special_requests(&self, hanging: &Hanging, cancel: bool) -> JoinHandle<()> {
        let (books, url) = (self.clone(), hanging.url());
        tokio::spawn(async move {
            let with_input = |url: &str| json!({ "model": "upscale", "image_urls": [url] });
            let hanging = books.ask(with_input(&url)).await;
            books.ask(with_input("http://127.0.0.1:9/nobody.png")).await;
            books
                .ask(json!({ "model": "image-gen-4", "prompt": "csam" }))
                .await;
            if let Some(id) = hanging.filter(|_| cancel) {
                // The server may have died before.
                let path = format!("/generations/{id}/cancel");
                let _ = books.http().request(Method::POST, &path).send().await;
            }
            let part = reqwest::multipart::Part::bytes(files::PNG.to_vec()).file_name("a.png");
            let form = reqwest::multipart::Form::new().part("file", part);
            let _ = books
                .http()
                .request(Method::POST, "/uploads")
                .multipart(form)
                .send()
                .await;
        })
    }

    /// Creates a job with a webhook. Returns its id, or `None` if the connection broke.
    async fn ask(&self, body: Value) -> Option<String> {
        let key = self.note(body);
        self.ask_again(&key).await
    }

    /// Notes a request for a job with a webhook, and returns its key.
    fn note(&self, mut body: Value) -> String {
        body["webhook_url"] = json!(self.0.receiver.url("/hook"));
        let key = format!("job-{:05}", self.0.next.fetch_add(1, Ordering::SeqCst));
        self.0
            .asked
            .lock()
            .unwrap()
            .insert(key.clone(), Asked { body, id: None });
        key
    }

    async fn ask_again(&self, key: &str) -> Option<String> {
        let asked = self.0.asked.lock().unwrap()[key].clone();
        let request = self
            .http()
            .request(Method::POST, "/generations")
            .header("idempotency-key", key)
            .json(&asked.body);
        let answer = request.send().await.ok()?;
        let status = answer.status();
        let answer: Value = answer.json().await.ok()?;
        assert_eq!(status, 201, "{key}: {answer}");
        let id = answer["data"]["id"].as_str().unwrap().to_owned();
        assert!(asked.id.is_none_or(|known| known == id), "{key} has two jobs");
        self.0.asked.lock().unwrap().get_mut(key).unwrap().id = Some(id.clone());
        Some(id)
    }

    /// Waits until all these clients have noticed the end of the server.
    pub(crate) async fn wait_for_clients(&self, clients: Vec<JoinHandle<()>>) {
        for client in clients {
            client.await.unwrap();
        }
    }

    /// Repeats every request, waits until all jobs have ended and been reported, and compares. Returns the jobs.
    pub(crate) async fn balance(&self, world: &World, account: &Account) -> HashMap<String, Value> {
        // Connections to dead servers are useless.
        *self.0.http.lock().unwrap() = world.server.http(&account.key);
        let keys: Vec<String> = self.0.asked.lock().unwrap().keys().cloned().collect();
        for key in &keys {
            assert!(
                self.ask_again(key).await.is_some(),
                "{key}: the server is up and does not answer"
            );
        }
        let ids: BTreeSet<String> = self
            .0
            .asked
            .lock()
            .unwrap()
            .values()
            .map(|asked| asked.id.clone().unwrap())
            .collect();
        assert_eq!(ids.len(), keys.len(), "two requests share a job");

        let jobs = self.ended_jobs().await;
        assert_eq!(
            jobs.keys().cloned().collect::<BTreeSet<_>>(),
            ids,
            "accepted jobs and those there are"
        );
        let charged: i64 = jobs
            .values()
            .filter_map(|job| job["credits_charged"].as_i64())
            .sum();
        let shown = world.shown(account);
        assert_eq!(
            (&shown["credits"], &shown["held"]),
            (&json!(1_000_000 - charged), &json!(0))
        );
        let completed = jobs.values().filter(|job| job["status"] == "completed").count();
        assert_eq!(charged, 4 * completed as i64, "each was charged once");
        for job in jobs.values().filter(|job| job["status"] == "failed") {
            let code = job["error"]["code"].as_str().unwrap();
            assert!(
                ["generation_failed", "invalid_input", "content_policy_violation"].contains(&code),
                "{job}"
            );
        }
        self.told(&jobs).await;
        world.audit();
        jobs
    }

    /// All jobs, after none is processing.
    async fn ended_jobs(&self) -> HashMap<String, Value> {
        let end = Instant::now() + Duration::from_mins(2);
        while self
            .http()
            .get("/generations?status=processing&limit=1")
            .await
            .json()["meta"]["total"]
            != 0
        {
            assert!(Instant::now() < end, "accepted jobs do not end");
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        let mut jobs = HashMap::new();
        let mut cursor = String::new();
        loop {
            let page = self
                .http()
                .get(&format!("/generations?limit=100{cursor}"))
                .await
                .json();
            for job in page["data"].as_array().unwrap() {
                jobs.insert(job["id"].as_str().unwrap().to_owned(), job.clone());
            }
            match page["meta"]["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return jobs,
            }
        }
    }

    /// Checks that the end of every job arrived at least once, in one delivery.
    async fn told(&self, jobs: &HashMap<String, Value>) {
        let end = Instant::now() + Duration::from_secs(90);
        loop {
            let mut deliveries: HashMap<String, BTreeSet<(String, Vec<u8>)>> = HashMap::new();
            for came in self.0.receiver.received() {
                let id = came.json()["data"]["id"].as_str().unwrap().to_owned();
                let delivery = (came.header("x-service-delivery").to_owned(), came.body.to_vec());
                deliveries.entry(id).or_default().insert(delivery);
            }
            let missing = jobs.keys().filter(|id| !deliveries.contains_key(*id)).count();
            if missing == 0 {
                for (id, deliveries) in &deliveries {
                    assert_eq!(deliveries.len(), 1, "{id} has several deliveries");
                    let body: Value = serde_json::from_slice(&deliveries.first().unwrap().1).unwrap();
                    assert_eq!(body["data"], jobs[id]);
                }
                return;
            }
            assert!(Instant::now() < end, "{missing} webhooks did not come");
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    }
}
