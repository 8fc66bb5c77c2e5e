//! `atelier mcp`: the Model Context Protocol over standard input and output, for programs that start their servers.

use std::{
    collections::HashMap,
    io::{self, BufRead as _, Write as _},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use atelier_client::{Client, Error, GenerationFilter};
use atelier_mcp::{Exchange, Message, Page, Preview, Refused, Request, Service, Upload};
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::sync::{
    Mutex as AsyncMutex,
    mpsc::{self, UnboundedReceiver, UnboundedSender},
};
use tokio_util::sync::CancellationToken;

use super::Session;
use crate::{cli, failure::Failure, local::Reached, logging};

pub(super) fn run(session: Session, asked: &cli::Mcp) -> Result<(), Failure> {
    // Clients show what is logged as errors of the server.
    logging::start("error", session.config.log_format);
    let server = asked.target.server.clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let reached = reach(&session, server.as_ref()).await?;
        let elsewhere = Arc::new(Elsewhere {
            session,
            server,
            reached: AsyncMutex::new(reached),
        });
        serve(&elsewhere).await;
        let Some(elsewhere) = Arc::into_inner(elsewhere) else {
            // A request in progress still uses the service, which ends with the process.
            return Ok(());
        };
        elsewhere.reached.into_inner().close().await
    })
}

async fn reach(session: &Session, server: Option<&url::Url>) -> Result<Reached, Failure> {
    match server {
        Some(server) => {
            let client = Client::new(server.as_str(), session.api_key_for_server()?)?;
            Ok(Reached::remote(client))
        }
        None => Reached::local(&session.config, session.api_key.as_deref()).await,
    }
}

/// Answers messages until standard input ends.
async fn serve(service: &Arc<Elsewhere>) {
    let mut lines = lines();
    let (said, writer) = write();
    let running = Running::default();
    loop {
        let line = tokio::select! {
            line = lines.recv() => line,
            _ = tokio::signal::ctrl_c() => None,
        };
        let Some(line) = line else { break };
        let message = match Message::parse(&line) {
            Ok(message) => message,
            Err(answer) => {
                let _ = said.send(answer);
                continue;
            }
        };
        if let Some(id) = message.cancels() {
            running.cancel(id);
            continue;
        }
        let Message::Request { id, method, params } = message else {
            continue;
        };
        let request = match Request::new(id, method, params) {
            Ok(request) => request,
            Err((_, answer)) => {
                let _ = said.send(answer);
                continue;
            }
        };
        let (service, said, running) = (Arc::clone(service), said.clone(), running.clone());
        tokio::spawn(async move {
            let id = request.id().clone();
            let exchange = Exchange {
                cancelled: running.begin(&id),
                notify: said.clone(),
                key: None,
            };
            if let Some(Ok(answer) | Err((_, answer))) = request.answer(&*service, exchange).await {
                let _ = said.send(answer);
            }
            running.end(&id);
        });
    }
    drop(said);
    // Answers that are ready are written; a request in progress keeps its sender.
    let _ = tokio::time::timeout(Duration::from_millis(200), writer).await;
}

/// The requests in progress, by their ids.
#[derive(Clone, Default)]
struct Running(Arc<Mutex<HashMap<String, CancellationToken>>>);

impl Running {
    fn begin(&self, id: &Value) -> CancellationToken {
        let token = CancellationToken::new();
        self.all().insert(id.to_string(), token.clone());
        token
    }

    fn cancel(&self, id: &Value) {
        if let Some(token) = self.all().get(&id.to_string()) {
            token.cancel();
        }
    }

    fn end(&self, id: &Value) {
        self.all().remove(&id.to_string());
    }

    fn all(&self) -> std::sync::MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The lines of standard input. A thread reads them, which does not keep the process from ending.
fn lines() -> UnboundedReceiver<Vec<u8>> {
    let (sender, lines) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            match input.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) if line.trim_ascii().is_empty() => {}
                Ok(_) if sender.send(line).is_err() => return,
                Ok(_) => {}
            }
        }
    });
    lines
}

/// Writes messages to standard output, one per line.
fn write() -> (UnboundedSender<Value>, tokio::task::JoinHandle<()>) {
    let (sender, mut messages) = mpsc::unbounded_channel::<Value>();
    let writer = tokio::task::spawn_blocking(move || {
        let mut output = io::stdout().lock();
        while let Some(message) = messages.blocking_recv() {
            if writeln!(output, "{message}")
                .and_then(|()| output.flush())
                .is_err()
            {
                return;
            }
        }
    });
    (sender, writer)
}

/// A service that is reached over HTTP: one elsewhere, or that of the data folder.
struct Elsewhere {
    session: Session,
    server: Option<url::Url>,
    reached: AsyncMutex<Reached>,
}

impl Elsewhere {
    /// Calls the service. If that of the data folder has ended, another takes its place.
    async fn call<T, F>(&self, call: impl Fn(Client) -> F) -> Result<T, Refused>
    where
        F: Future<Output = Result<T, Error>> + Send,
    {
        let client = self.reached.lock().await.client.clone();
        match call(client).await {
            Err(Error::Network(_)) if self.server.is_none() => {}
            done => return done.map_err(refused),
        }
        let client = {
            let mut reached = self.reached.lock().await;
            if reached.client.balance().await.is_err() {
                *reached = reach(&self.session, None).await.map_err(|failure| Refused {
                    code: failure.code().to_owned(),
                    message: failure.to_string(),
                    details: Vec::new(),
                })?;
            }
            reached.client.clone()
        };
        call(client).await.map_err(refused)
    }
}

impl Service for Elsewhere {
    fn models(&self) -> BoxFuture<'_, Result<Vec<Value>, Refused>> {
        Box::pin(async move {
            let models = self.call(|client| async move { client.models().await }).await?;
            models.iter().map(value).collect()
        })
    }

    fn model<'a>(&'a self, slug: &'a str) -> BoxFuture<'a, Result<Value, Refused>> {
        Box::pin(async move {
            value(
                &self
                    .call(|client| async move { client.model(slug).await })
                    .await?,
            )
        })
    }

    fn create(
        &self,
        fields: Map<String, Value>,
        _: Option<String>,
    ) -> BoxFuture<'_, Result<String, Refused>> {
        Box::pin(async move {
            let fields = &fields;
            let accepted = self.call(|client| async move { client.create_with(fields).await });
            Ok(accepted.await?.id)
        })
    }

    fn job<'a>(&'a self, id: &'a str, wait: Duration) -> BoxFuture<'a, Result<Value, Refused>> {
        Box::pin(async move {
            if !wait.is_zero() && wait < Duration::from_secs(1) {
                // The service counts whole seconds.
                tokio::time::sleep(wait).await;
            }
            value(
                &self
                    .call(|client| async move { client.wait(id, wait).await })
                    .await?,
            )
        })
    }

    fn cancel<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), Refused>> {
        Box::pin(async move {
            self.call(|client| async move { client.cancel(id).await }).await?;
            Ok(())
        })
    }

    fn jobs(&self, limit: u32, cursor: Option<String>) -> BoxFuture<'_, Result<Page, Refused>> {
        Box::pin(async move {
            let filter = GenerationFilter {
                limit: Some(limit),
                cursor,
                ..GenerationFilter::default()
            };
            let filter = &filter;
            let page = self
                .call(|client| async move { client.list(filter).await })
                .await?;
            let jobs: Result<Vec<Value>, Refused> = page.data.iter().map(value).collect();
            Ok(Page {
                jobs: jobs?,
                next_cursor: page.meta.next_cursor,
            })
        })
    }

    fn upload(&self, file: Upload) -> BoxFuture<'_, Result<Value, Refused>> {
        Box::pin(async move {
            let file = &file;
            let uploaded = self.call(|client| async move {
                match file {
                    Upload::Bytes(bytes) => client.upload_bytes(bytes.clone()).await,
                    Upload::Path(path) => client.upload(Path::new(path)).await,
                }
            });
            value(&uploaded.await?)
        })
    }

    fn balance(&self) -> BoxFuture<'_, Result<i64, Refused>> {
        Box::pin(async move { self.call(|client| async move { client.balance().await }).await })
    }

    fn preview<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Option<Preview>, Refused>> {
        Box::pin(async move {
            let preview = self
                .call(|client| async move { client.preview(url).await })
                .await?;
            Ok(preview.map(|(mime_type, bytes)| Preview { bytes, mime_type }))
        })
    }

    fn reads_paths(&self) -> bool {
        true
    }
}

fn value(of: &impl serde::Serialize) -> Result<Value, Refused> {
    serde_json::to_value(of).map_err(|error| Refused {
        code: "internal_error".to_owned(),
        message: error.to_string(),
        details: Vec::new(),
    })
}

fn refused(error: Error) -> Refused {
    let message = error.to_string();
    match error {
        Error::Api { code, details, .. } => Refused {
            code,
            message,
            details: details
                .into_iter()
                .map(|problem| (problem.parameter, problem.message))
                .collect(),
        },
        Error::Setup(_) | Error::File { .. } => Refused {
            code: "invalid_request".to_owned(),
            message,
            details: Vec::new(),
        },
        Error::Network(_) | Error::Answer { .. } => Refused {
            code: "unavailable".to_owned(),
            message,
            details: Vec::new(),
        },
    }
}
