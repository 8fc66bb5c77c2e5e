//! Callbacks: how providers report the progress of their requests. Each request has its own address with a secret
//! token; other calls are rejected. Callbacks carry progress only: the end of a request is always read from the
//! provider itself.

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

/// The most unread messages of one request. Further ones are dropped: a later message has newer progress.
const UNREAD: usize = 8;

type Waiting = Mutex<HashMap<String, mpsc::Sender<Value>>>;

/// The requests that wait for callbacks.
#[derive(Default)]
pub struct Callbacks {
    open: OnceLock<Open>,
    waiting: Arc<Waiting>,
}

/// The address at which providers can reach this process.
struct Open {
    /// A URL that ends with a slash; a token follows it.
    prefix: String,
    token: Box<dyn Fn() -> String + Send + Sync>,
    /// Only programs on this machine can reach it.
    is_local: bool,
}

impl Callbacks {
    /// From now on, requests name a callback address below `prefix`, which ends with a slash. `token` generates secret
    /// tokens.
    pub fn open(&self, prefix: String, token: impl Fn() -> String + Send + Sync + 'static) {
        let _ = self.open.set(Open {
            prefix,
            token: Box::new(token),
            is_local: false,
        });
    }

    /// The same with an address that only programs on this machine can reach: other providers are not told of it.
    pub fn open_locally(&self, prefix: String, token: impl Fn() -> String + Send + Sync + 'static) {
        let _ = self.open.set(Open {
            prefix,
            token: Box::new(token),
            is_local: true,
        });
    }

    /// Delivers a provider's message. Returns false if no request has this token.
    pub fn deliver(&self, token: &str, message: Value) -> bool {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sender) = waiting.get(token) else {
            return false;
        };
        let _ = sender.try_send(message);
        true
    }

    /// A callback address for one request; `None` if callbacks are not open for a provider on this machine or another.
    pub(super) fn expect(&self, is_local: bool, context: &Context) -> Option<Expected> {
        let open = self.open.get()?;
        let Open { prefix, token, .. } = (is_local || !open.is_local).then_some(open)?;
        let token = token();
        let (sender, receiver) = mpsc::channel(UNREAD);
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

/// The callback address of one request, valid until this is dropped.
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

    /// Passes progress and partial images on, for as long as this future is polled.
    pub(super) async fn listen(&self, profile: &Profile) -> Infallible {
        let mut receiver = self.receiver.lock().await;
        loop {
            match receiver.recv().await {
                Some(message) => profile.report(&message, &self.context),
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

#[cfg(test)]
mod tests {
    use tokio_util::sync::CancellationToken;

    use super::*;

    #[test]
    fn a_local_address_is_told_only_to_programs_on_this_machine() {
        let context = Context::new(CancellationToken::new(), |_| {});
        let url = |callbacks: &Callbacks, is_local| {
            let expected = callbacks.expect(is_local, &context);
            expected.map(|expected| expected.url().to_owned())
        };
        let (local, public) = (Callbacks::default(), Callbacks::default());
        assert_eq!(url(&local, true), None, "not open yet");
        local.open_locally("http://127.0.0.1:1/".to_owned(), || "token".to_owned());
        public.open("https://studio.example/".to_owned(), || "token".to_owned());
        assert_eq!(url(&local, false), None);
        assert_eq!(url(&local, true).unwrap(), "http://127.0.0.1:1/token");
        assert_eq!(url(&public, false).unwrap(), "https://studio.example/token");
    }
}
