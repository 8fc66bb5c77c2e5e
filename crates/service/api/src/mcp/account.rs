//! The use cases as one account calls them.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use atelier_app::{
    App, Caller, Error,
    generations::{create::CreateGeneration, list::ListGenerations},
    models::ListModels,
};
use atelier_domain::{Generation, Scope};
use atelier_mcp::{Page, Preview, Refused, Result, Service, Upload};
use futures::{TryStreamExt as _, future::BoxFuture};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use crate::error::ApiError;

pub(super) struct Account {
    app: App,
    caller: Caller,
    created: Arc<Created>,
}

/// The job that a request creates.
#[derive(Debug, Default)]
pub(super) struct Created {
    id: OnceLock<String>,
    decided: Notify,
}

impl Created {
    pub(super) fn id(&self) -> Option<&str> {
        self.id.get().map(String::as_str)
    }

    /// Waits until the job is accepted or refused.
    pub(super) async fn decided(&self) {
        self.decided.notified().await;
    }
}

impl Account {
    pub(super) fn new(app: App, caller: Caller) -> Self {
        Self {
            app,
            caller,
            created: Arc::default(),
        }
    }

    pub(super) fn created(&self) -> Arc<Created> {
        Arc::clone(&self.created)
    }

    pub(super) fn new_session(&self) -> String {
        let mut name = [0_u8; 16];
        self.app.entropy().fill(&mut name);
        name.map(|byte| format!("{byte:02x}")).concat()
    }

    /// Cancels the job that a request with this key has made. There is none if it has not been accepted yet, or if the
    /// request was about something else.
    pub(super) async fn cancel_job_of(&self, key: String) {
        let lookup = created_by(Map::new(), Some(key));
        if let Ok(found) = self.app.create_generation(&self.caller, lookup).await {
            let id = found.generation.id.to_string();
            // If it has ended, there is nothing to cancel.
            let _ = self.app.cancel_generation(&self.caller, &id).await;
        }
    }

    async fn view(&self, generation: &Generation) -> Result<Value> {
        let links = self.app.links(&self.caller).await.map_err(refused)?;
        value(self.app.view(generation, &links))
    }

    async fn follow(&self, id: &str, wait: Duration) -> Result<Generation, Error> {
        const STOPPING: Error = Error::Unavailable("the service is restarting; the job continues");
        if wait.is_zero() {
            return self.app.generation(&self.caller, id).await;
        }
        let follow = self.app.follow_generation(&self.caller, id, None).await?;
        let mut follow = follow.ok_or_else(|| Error::NotFound("unknown generation".to_owned()))?;
        let now = follow.next().await.ok_or(STOPPING)??.generation;
        if now.state.is_ended() {
            return Ok(now);
        }
        match tokio::time::timeout(wait, follow.next()).await {
            Ok(Some(told)) => Ok(told?.generation),
            Ok(None) if self.app.is_closing() => Err(STOPPING),
            Ok(None) | Err(_) => Ok(now),
        }
    }
}

/// The key stands for the body too: a cancellation knows nothing else.
fn created_by(fields: Map<String, Value>, key: Option<String>) -> CreateGeneration {
    let body = key.clone().unwrap_or_default();
    CreateGeneration::new(fields, body.as_bytes(), key)
}

impl Service for Account {
    fn models(&self) -> BoxFuture<'_, Result<Vec<Value>>> {
        Box::pin(async move {
            let listed = self.app.list_models(&ListModels::default()).map_err(refused)?;
            listed.models.iter().map(value).collect()
        })
    }

    fn model<'a>(&'a self, slug: &'a str) -> BoxFuture<'a, Result<Value>> {
        Box::pin(async move { value(self.app.described_model(slug).map_err(refused)?) })
    }

    fn create(&self, fields: Map<String, Value>, key: Option<String>) -> BoxFuture<'_, Result<String>> {
        Box::pin(async move {
            let request = created_by(fields, key);
            let created = self.app.create_generation(&self.caller, request).await;
            let id = created.map(|created| created.generation.id.to_string());
            if let Ok(id) = &id {
                let _ = self.created.id.set(id.clone());
            }
            self.created.decided.notify_one();
            id.map_err(refused)
        })
    }

    fn job<'a>(&'a self, id: &'a str, wait: Duration) -> BoxFuture<'a, Result<Value>> {
        Box::pin(async move { self.view(&self.follow(id, wait).await.map_err(refused)?).await })
    }

    fn cancel<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let cancelled = self.app.cancel_generation(&self.caller, id).await;
            cancelled.map(|_| ()).map_err(refused)
        })
    }

    fn jobs(&self, limit: u32, cursor: Option<String>) -> BoxFuture<'_, Result<Page>> {
        Box::pin(async move {
            let list = ListGenerations {
                limit: Some(limit),
                cursor,
                ..ListGenerations::default()
            };
            let listed = self
                .app
                .list_generations(&self.caller, list)
                .await
                .map_err(refused)?;
            let links = self.app.links(&self.caller).await.map_err(refused)?;
            let view = |job| value(self.app.view(job, &links));
            let jobs: Result<Vec<Value>> = listed.items.iter().map(view).collect();
            Ok(Page {
                jobs: jobs?,
                next_cursor: listed.next_cursor,
            })
        })
    }

    fn upload(&self, file: Upload) -> BoxFuture<'_, Result<Value>> {
        Box::pin(async move {
            let Upload::Bytes(bytes) = file else {
                return Err(refused(Error::parameter(
                    "path",
                    "`path` is not supported: send `data`",
                )));
            };
            let stored = async {
                self.app
                    .take_generation_token(&self.caller, Scope::Upload)
                    .await?;
                let mut intake = self.app.begin_upload(&self.caller).await?;
                intake.write(&bytes).await?;
                let received = intake.finish().await?;
                self.app.finish_upload(&self.caller, &received).await
            };
            let stored = stored.await.map_err(refused)?;
            Ok(json!({ "url": stored.url, "mime_type": stored.media_type.mime(), "size": stored.size }))
        })
    }

    fn balance(&self) -> BoxFuture<'_, Result<i64>> {
        Box::pin(async move { self.app.balance(&self.caller).map_err(refused) })
    }

    fn preview<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Option<Preview>>> {
        Box::pin(async move {
            let Some(Ok(file)) = self.app.stored_file(url) else {
                return Ok(None);
            };
            let is_open = self.app.may_use_file(&self.caller, &file, url).await;
            if !is_open.map_err(refused)? {
                return Ok(None);
            }
            let Some(preview) = self.app.preview(&file).await.map_err(refused)? else {
                return Ok(None);
            };
            let Some(blob) = self.app.media(&preview, None).await.map_err(refused)? else {
                return Ok(None);
            };
            let bytes: Vec<bytes::Bytes> = blob
                .stream
                .try_collect()
                .await
                .map_err(|error| refused(Error::Internal(error.to_string())))?;
            Ok(Some(Preview {
                bytes: bytes.concat(),
                mime_type: preview.media_type().mime().to_owned(),
            }))
        })
    }
}

fn value(of: impl serde::Serialize) -> Result<Value> {
    serde_json::to_value(of).map_err(|error| refused(Error::Internal(error.to_string())))
}

/// In the terms of the error table.
fn refused(error: Error) -> Refused {
    let refusal = ApiError::from(error).refusal();
    Refused {
        code: refusal.code.to_owned(),
        message: refusal.message,
        details: refusal
            .details
            .into_iter()
            .map(|problem| (problem.parameter, problem.message))
            .collect(),
    }
}
