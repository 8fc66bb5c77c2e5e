//! Where providers tell of progress by calling back. Each request has an address with a token of its own; a call to any
//! other is nobody's. What is told is progress only: the end of a request is read from the provider itself.

use std::{
    collections::HashMap,
    convert::Infallible,
    fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use serde_json::Value;
use tokio::sync::mpsc;

use super::profile::Profile;
use crate::Context;

/// Messages of one request that wait to be read; later ones are dropped, and the next tells more anyway.
const WAITING: usize = 8;

type Waiting = Mutex<HashMap<String, mpsc::Sender<Value>>>;

/// The requests that may be called back about.
#[derive(Default)]
pub struct Callbacks {
    open: OnceLock<Open>,
    waiting: Arc<Waiting>,
}

/// Where this process can be called.
struct Open {
    /// An address that ends in a slash; tokens follow.
    prefix: String,
    token: Box<dyn Fn() -> String + Send + Sync>,
}

impl Callbacks {
    /// From now on requests say that they may be called back about, below `prefix`, which ends in a slash. `token` makes texts
    /// that cannot be guessed.
    pub fn open(&self, prefix: String, token: impl Fn() -> String + Send + Sync + 'static) {
        let _ = self.open.set(Open {
            prefix,
            token: Box::new(token),
        });
    }

    /// Takes what a provider told. False: nobody waits for this token.
    pub fn tell(&self, token: &str, told: Value) -> bool {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sender) = waiting.get(token) else {
            return false;
        };
        let _ = sender.try_send(told);
        true
    }

    /// An address for one request, where this process can be called.
    pub(super) fn expect(&self, context: &Context) -> Option<Expected> {
        let Open { prefix, token } = self.open.get()?;
        let token = token();
        let (sender, receiver) = mpsc::channel(WAITING);
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(token.clone(), sender);
        Some(Expected {
            url: format!("{prefix}{token}"),
            token,
            receiver: tokio::sync::Mutex::new(receiver),
            waiting: Arc::clone(&self.waiting),
            context: context.clone(),
        })
    }
}

impl fmt::Debug for Callbacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = self.open.get().map(|open| &open.prefix);
        f.debug_struct("Callbacks")
            .field("prefix", &prefix)
            .finish_non_exhaustive()
    }
}

/// One request's address, valid until this is dropped.
#[derive(Debug)]
pub(super) struct Expected {
    url: String,
    token: String,
    receiver: tokio::sync::Mutex<mpsc::Receiver<Value>>,
    waiting: Arc<Waiting>,
    context: Context,
}

impl Expected {
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Passes progress on for as long as it is polled.
    pub(super) async fn listen(&self, profile: &Profile) -> Infallible {
        let mut receiver = self.receiver.lock().await;
        loop {
            match receiver.recv().await {
                Some(told) => {
                    if let Some(done) = profile.progress(&told) {
                        self.context.progress(done);
                    }
                }
                None => std::future::pending::<()>().await,
            }
        }
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&self.token);
    }
}
