//! Announcements of writes between nodes, over a channel of the database: hints, sent after the commit and many at a
//! time. They only save time; a node that misses one finds the same by polling.

use std::{
    collections::{BTreeSet, HashMap},
    future::poll_fn,
    sync::{Arc, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use atelier_domain::GenerationId;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, mpsc};
use tokio_postgres::{AsyncMessage, Config, Notification};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{
    PATIENCE,
    error::{Error, Result},
};
use crate::News;

/// The name of the channel, and its form in a statement: the nodes of a schema share a channel.
const CHANNEL: &str =
    "SELECT 'atelier_' || current_schema(), quote_ident('atelier_' || current_schema()), pg_backend_pid()";
/// The most announcements that wait to be sent or received; further ones are dropped.
const QUEUE: usize = 1_024;
/// How long announcements are gathered before they are sent.
const GATHER: Duration = Duration::from_millis(10);
/// The most ends in one message, which may have 8,000 bytes.
const ENDS: usize = 128;
/// A connection that a network has forgotten looks like one on which nothing is announced: after this time without a
/// message, the server is asked whether it is still there.
const ASK: Duration = Duration::from_secs(5);
/// The pause between tries to connect.
const AGAIN: Duration = Duration::from_secs(2);

/// An announcement, and when it was made.
type Told = (News, Instant);

/// When the last claim of this node began that left nothing in a lane.
type Emptied = Arc<std::sync::Mutex<HashMap<String, Instant>>>;

/// Takes announcements of writes.
#[derive(Debug)]
pub(super) struct Teller {
    queue: mpsc::Sender<Told>,
    emptied: Emptied,
    /// Taken by the receiver; without one, nothing is sent either.
    waiting: Mutex<Option<mpsc::Receiver<Told>>>,
}

/// One message.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Message {
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    work: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ended: Vec<GenerationId>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    delivery: bool,
}

impl Message {
    fn is_empty(&self) -> bool {
        self.work.is_empty() && self.ended.is_empty() && !self.delivery
    }
}

impl Teller {
    pub(super) fn new() -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        Self {
            queue,
            emptied: Emptied::default(),
            waiting: Mutex::new(Some(waiting)),
        }
    }

    /// Announces a committed write; drops the announcement if there is no room.
    pub(super) fn tell(&self, news: News) {
        let _ = self.queue.try_send((news, Instant::now()));
    }

    /// Notes that a claim which began then has left nothing in this lane: other nodes need not look for what was
    /// announced before.
    pub(super) fn emptied(&self, lane: &str, begun: Instant) {
        let mut emptied = lock(&self.emptied);
        match emptied.get_mut(lane) {
            Some(last) => *last = begun.max(*last),
            None => {
                emptied.insert(lane.to_owned(), begun);
            }
        }
    }

    /// Starts to send and receive; `None` if that was started before.
    pub(super) fn listen(&self, config: Config, tls: MakeRustlsConnect) -> Option<mpsc::Receiver<News>> {
        let waiting = self.waiting.try_lock().ok()?.take()?;
        let (heard, receiver) = mpsc::channel(QUEUE);
        tokio::spawn(keep_listening(
            config,
            tls,
            (waiting, Arc::clone(&self.emptied)),
            heard,
        ));
        Some(receiver)
    }
}

/// Ends when the receiver is dropped.
async fn keep_listening(
    config: Config,
    tls: MakeRustlsConnect,
    mut told: (mpsc::Receiver<Told>, Emptied),
    heard: mpsc::Sender<News>,
) {
    loop {
        let listening = listen(&config, tls.clone(), &mut told, &heard);
        tokio::select! {
            () = heard.closed() => return,
            ended = listening => {
                if let Err(error) = ended {
                    tracing::debug!(?error, "cannot receive announcements of other nodes");
                }
            }
        }
        tokio::select! {
            () = heard.closed() => return,
            () = tokio::time::sleep(AGAIN) => {}
        }
    }
}

/// Sends and receives over one connection until it breaks or goes silent.
async fn listen(
    config: &Config,
    tls: MakeRustlsConnect,
    (waiting, emptied): &mut (mpsc::Receiver<Told>, Emptied),
    heard: &mpsc::Sender<News>,
) -> Result<()> {
    let (client, mut connection) = answered(config.connect(tls)).await?;
    let (messages, mut notifications) = mpsc::channel(QUEUE);
    // The messages of the connection must be read while statements wait for it.
    let mut pump = tokio::task::JoinSet::new();
    pump.spawn(async move {
        while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(notification) = message {
                let _ = messages.try_send(notification);
            }
        }
    });
    let found = answered(client.query_one(CHANNEL, &[])).await?;
    let (channel, quoted, own): (String, String, i32) =
        (found.try_get(0)?, found.try_get(1)?, found.try_get(2)?);
    answered(client.batch_execute(&format!("LISTEN {quoted}"))).await?;
    loop {
        tokio::select! {
            first = waiting.recv() => {
                let Some(first) = first else { return Ok(()) };
                tokio::time::sleep(GATHER).await;
                for message in gathered(first, waiting, emptied) {
                    if message.is_empty() {
                        continue;
                    }
                    let Ok(text) = serde_json::to_string(&message) else { continue };
                    answered(client.execute("SELECT pg_notify($1, $2)", &[&channel, &text])).await?;
                }
            }
            notification = notifications.recv() => {
                let Some(notification) = notification else { return Ok(()) };
                if notification.process_id() != own {
                    hear(&notification, heard);
                }
            }
            () = tokio::time::sleep(ASK) => answered(client.batch_execute("")).await?,
        }
    }
}

/// The answer of the server, which may not take long.
async fn answered<T>(answer: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T> {
    let late = |_| Error::Late { after: PATIENCE };
    Ok(tokio::time::timeout(PATIENCE, answer).await.map_err(late)??)
}

/// The first announcement and those after it, in as few messages as possible. Work that this node has taken itself is
/// not announced.
fn gathered(first: Told, waiting: &mut mpsc::Receiver<Told>, emptied: &Emptied) -> Vec<Message> {
    let emptied = lock(emptied);
    let mut messages = vec![Message::default()];
    let mut next = Some(first);
    while let Some((news, at)) = next {
        let last = messages.len() - 1;
        match news {
            News::Work(lane) if emptied.get(&lane).is_some_and(|begun| *begun > at) => {}
            News::Work(lane) => {
                messages[0].work.insert(lane);
            }
            News::Delivery => messages[0].delivery = true,
            News::Ended(id) if messages[last].ended.len() < ENDS => messages[last].ended.push(id),
            News::Ended(id) => messages.push(Message {
                ended: vec![id],
                ..Message::default()
            }),
        }
        next = waiting.try_recv().ok();
    }
    messages
}

/// The map is valid after a panic at any point.
fn lock(emptied: &Emptied) -> MutexGuard<'_, HashMap<String, Instant>> {
    emptied.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hear(notification: &Notification, heard: &mpsc::Sender<News>) {
    // A node of another version may announce something unknown here.
    let Ok(message) = serde_json::from_str::<Message>(notification.payload()) else {
        return;
    };
    let work = message.work.into_iter().map(News::Work);
    let delivery = message.delivery.then_some(News::Delivery);
    let ended = message.ended.into_iter().map(News::Ended);
    for news in work.chain(delivery).chain(ended) {
        let _ = heard.try_send(news);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_this_node_has_taken_is_not_announced() {
        let teller = Teller::new();
        let told = |news| (news, Instant::now());
        let work = |lane: &str| News::Work(lane.to_owned());
        let (taken, other) = (told(work("fast")), told(work("slow")));
        teller.emptied("fast", Instant::now());
        let (later, end) = (
            told(work("fast")),
            told(News::Ended(GenerationId(uuid::Uuid::nil()))),
        );
        let (queue, mut waiting) = mpsc::channel(QUEUE);
        let sent = |first, rest: Vec<Told>, waiting: &mut mpsc::Receiver<Told>| {
            for told in rest {
                queue.try_send(told).unwrap();
            }
            let messages = gathered(first, waiting, &teller.emptied);
            serde_json::to_value(&messages).unwrap()
        };
        let id = uuid::Uuid::nil();
        assert_eq!(
            sent(taken.clone(), vec![other, end], &mut waiting),
            serde_json::json!([{ "work": ["slow"], "ended": [id] }])
        );
        assert_eq!(sent(taken, vec![], &mut waiting), serde_json::json!([{}]));
        assert_eq!(
            sent(later, vec![], &mut waiting),
            serde_json::json!([{ "work": ["fast"] }])
        );
    }
}
