//! The comfyui engine: graphs run by a ComfyUI server. One engine is one server; a route says which workflow serves a
//! model. Our id of a request is also the server's, so a request that was sent before a crash is found again and not
//! made twice.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use atelier_domain::{Failure, FailureCode};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::{
    Context, Engine, Input, Job, Made, MadeFile, RouteOptions,
    remote::{
        Auth, Connected, Endpoint, EndpointError, Fields, OutputFiles, Uploaded, misconfigured,
        unusable_answer,
    },
};

mod check;
mod graph;
mod holes;
mod server;
mod shipped;
mod verdict;
mod watch;

use graph::Filled;
pub use graph::{Graph, GraphError};
use server::{Place, Server, Unqueued};
pub use shipped::{shipped, shipped_names};
use watch::Watch;

/// Without a socket, the delay between polls is this share of the request's age, within the bounds.
const SHARE: f64 = 0.04;
const SHORTEST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_secs(5);
/// With an open socket, one in this many polls also looks at the queue.
const QUEUE_INTERVAL: u32 = 6;
/// The delay after the server has announced the end of a request, which is then about to appear in its history.
const AFTER_END: Duration = Duration::from_millis(50);
/// How long a server may be unreachable before its jobs go elsewhere.
const PATIENCE: Duration = Duration::from_mins(1);
/// How many refused connections in a row mean that a server is gone.
const REFUSALS: u32 = 2;

/// The options of a comfyui engine.
#[derive(Debug)]
pub struct ComfyOptions {
    /// A key is sent as a bearer token, for a proxy in front of the server.
    pub endpoint: Endpoint,
    /// The workflows that routes name.
    pub graphs: BTreeMap<String, Arc<Graph>>,
}

/// An engine at a ComfyUI server.
#[derive(Debug)]
pub struct ComfyEngine {
    at: Connected,
    graphs: BTreeMap<String, Arc<Graph>>,
    server: Server,
    patience: Duration,
}

/// A request, as it is remembered for later attempts.
#[derive(Debug, Serialize, Deserialize)]
struct SentPrompt {
    prompt_id: String,
}

impl ComfyEngine {
    pub fn new(options: ComfyOptions) -> Result<Self, EndpointError> {
        let (at, remote) = options
            .endpoint
            .connect(Some(Auth::bearer()), Vec::new(), PATIENCE)?;
        Ok(Self {
            at,
            graphs: options.graphs,
            server: Server { remote },
            patience: PATIENCE,
        })
    }

    /// The graph that a route names, with the route's `body` laid over it.
    fn graph(&self, options: &RouteOptions) -> Result<Graph, String> {
        let name = options.workflow.as_deref();
        let name = name.ok_or("the route names no `workflow`")?;
        let graph = self.graphs.get(name);
        let graph = graph.ok_or_else(|| format!("unknown workflow `{name}`"))?;
        match &options.body {
            None => Ok(Graph::clone(graph)),
            Some(over) => graph
                .overlaid(over)
                .map_err(|why| format!("the route's `body`: {why}")),
        }
    }

    async fn fill(&self, job: &Job, id: &str, graph: &Graph) -> Result<Map<String, Value>, Failure> {
        if let Some(input) = job.inputs.iter().find(|input| !graph.names(&input.parameter)) {
            let parameter = &input.parameter;
            return Err(Failure::invalid_input(format!(
                "the workflow of this model does not use `{parameter}`"
            )));
        }
        let mut uploaded = Uploaded::new();
        let fields = graph.uploaded_fields();
        let wanted = |input: &&Input| fields.contains(input.parameter.as_str());
        for input in job.inputs.iter().filter(wanted) {
            uploaded.insert(input.path.clone(), self.server.upload(input).await?);
        }
        let (job, request, graph) = (job.clone(), id.to_owned(), graph.clone());
        // This may read and encode files, so it runs on a thread that may block.
        let filled = tokio::task::spawn_blocking(move || {
            graph.fill(&holes::Holes(Fields {
                job: &job,
                request: &request,
                callback: None,
                uploaded,
            }))
        });
        match filled
            .await
            .map_err(|_| misconfigured("the request could not be filled in"))?
        {
            Filled::Graph(graph) => Ok(graph),
            Filled::Lacks(fields) => {
                let fields: Vec<_> = fields.iter().map(|field| format!("`{field}`")).collect();
                Err(Failure::invalid_input(format!(
                    "the workflow of this model requires {}",
                    fields.join(", ")
                )))
            }
        }
    }

    /// Sends the job's request, unless the server already has it from an earlier attempt.
    async fn begin(&self, job: &Job, context: &Context, graph: &Graph) -> Result<(String, Watch), Failure> {
        let earlier: Option<SentPrompt> = job
            .resume
            .as_deref()
            .and_then(|text| serde_json::from_str(text).ok());
        if let Some(SentPrompt { prompt_id: id }) = earlier
            && self.has(&id).await?
        {
            let watch = Watch::open(&self.server, &id, graph.classes(), context).await;
            return Ok((id, watch));
        }
        let id = prompt_id(job);
        self.at.throttle.wait().await;
        let filled = self.fill(job, &id, graph).await?;
        // Opened before the request is sent: the server may report progress before it answers.
        let classes = graph.classes().filter(|(node, _)| filled.contains_key(*node));
        let mut watch = Watch::open(&self.server, &id, classes, context).await;
        let sent = json!(SentPrompt {
            prompt_id: id.clone()
        });
        context.remember(&sent.to_string()).await?;
        tokio::select! {
            queued = self.queue(&id, &filled, graph) => queued?,
            never = watch.listen() => match never {},
        }
        Ok((id, watch))
    }

    /// Whether the server has this request: queued, running or ended.
    async fn has(&self, id: &str) -> Result<bool, Failure> {
        Ok(self.server.place(id).await? != Place::Nowhere || self.server.history(id).await?.is_some())
    }

    /// Queues the graph. If the server does not answer, its queue shows whether it accepted the request.
    async fn queue(&self, id: &str, filled: &Map<String, Value>, graph: &Graph) -> Result<(), Failure> {
        match self.server.queue(id, filled).await {
            Ok(()) => Ok(()),
            Err(Unqueued::Refused(failure)) => Err(failure),
            Err(Unqueued::Invalid(said)) => Err(verdict::invalid(&said, graph)),
            Err(Unqueued::Unanswered(failure)) => match self.has(id).await {
                Ok(true) => Ok(()),
                // The next attempt looks for this request before it makes another.
                Ok(false) | Err(_) => Err(failure),
            },
        }
    }

    /// Waits for the end of a request. Returns its entry in the server's history.
    async fn wait(&self, id: &str, watch: &mut Watch, context: &Context) -> Result<Value, Failure> {
        let begun = Instant::now();
        let mut answered = begun;
        let mut refusals = 0;
        for poll in 0_u32.. {
            // A queue contains whole graphs and may be long. An open socket shows that the server has not restarted.
            let with_queue = !watch.is_open() || poll % QUEUE_INTERVAL == QUEUE_INTERVAL - 1;
            match self.poll(id, with_queue).await {
                Ok(Some(entry)) => return Ok(entry),
                Ok(None) => (answered, refusals) = (Instant::now(), 0),
                Err(Lost::Request) => {
                    let why = "the engine has lost the request; it may have restarted";
                    return Err(Failure::retry(FailureCode::GenerationFailed, why, verdict::DELAY));
                }
                Err(Lost::Server(failure)) if answered.elapsed() >= self.patience => return Err(failure),
                // The server's requests are lost. If there is another engine, there is nothing to wait for.
                Err(Lost::Server(failure)) if context.has_alternative() && self.server.is_gone().await => {
                    refusals += 1;
                    if refusals == REFUSALS {
                        return Err(failure);
                    }
                }
                Err(Lost::Server(_)) => refusals = 0,
            }
            let pause = match (watch.has_ended, watch.is_open()) {
                (true, _) => AFTER_END,
                (false, true) => LONGEST,
                (false, false) => begun.elapsed().mul_f64(SHARE).clamp(SHORTEST, LONGEST),
            };
            tokio::select! {
                () = sleep(pause) => {}
                () = watch.until_news() => {}
            }
        }
        Err(unusable_answer("the request does not end"))
    }

    /// The history entry of a request, once it has ended. With `with_queue`, also makes sure that the server still
    /// has a request that has not ended.
    async fn poll(&self, id: &str, with_queue: bool) -> Result<Option<Value>, Lost> {
        let entry = self.server.history(id).await.map_err(Lost::Server)?;
        if entry.is_some() || !with_queue {
            return Ok(entry);
        }
        if self.server.place(id).await.map_err(Lost::Server)? != Place::Nowhere {
            return Ok(None);
        }
        // It may have ended between the two requests.
        let entry = self.server.history(id).await.map_err(Lost::Server)?;
        entry.map_or(Err(Lost::Request), |entry| Ok(Some(entry)))
    }
}

/// A loss while waiting for a request.
enum Lost {
    Request,
    Server(Failure),
}

/// Our id of a job's request, which is also the server's. It must be a UUID, so it combines the job's id and the
/// attempt.
fn prompt_id(job: &Job) -> String {
    let attempt = u128::from(job.attempt.saturating_sub(1));
    Uuid::from_u128(job.id.0.as_u128() ^ attempt)
        .hyphenated()
        .to_string()
}

#[async_trait]
impl Engine for ComfyEngine {
    fn name(&self) -> &str {
        &self.at.name
    }

    fn concurrency(&self) -> usize {
        self.at.concurrency
    }

    fn is_remote(&self) -> bool {
        true
    }

    async fn run(&self, job: Job, context: Context) -> Result<Made, Failure> {
        let graph = self.graph(&job.options).map_err(|why| misconfigured(&why))?;
        let (id, mut watch) = self.begin(&job, &context, &graph).await?;
        let entry = self.wait(&id, &mut watch, &context).await?;
        let addresses = verdict::outputs(&entry, job.kind)?;
        let mut outputs = OutputFiles::new(&self.server.remote, &job);
        outputs.expect(addresses.len())?;
        let mut files = Vec::new();
        for address in addresses {
            files.push(MadeFile::Path(outputs.add(&address).await?));
        }
        let metadata = Map::from_iter([
            ("engine".to_owned(), json!(self.at.name)),
            ("provider_id".to_owned(), json!(id)),
        ]);
        Ok(Made { files, metadata })
    }

    async fn health(&self) -> Result<String, String> {
        self.server.health().await
    }

    async fn check(&self, options: &RouteOptions) -> Vec<String> {
        let graph = match self.graph(options) {
            Ok(graph) => graph,
            Err(why) => return vec![why],
        };
        match self.server.object_info().await {
            Ok(info) => check::problems(&graph, &info),
            Err(failure) => vec![failure.message],
        }
    }

    async fn abandon(&self, request: &str) {
        let Ok(sent) = serde_json::from_str::<SentPrompt>(request) else {
            return;
        };
        match self.server.cancel(&sent.prompt_id).await {
            Ok(()) => tracing::debug!(request = sent.prompt_id, "cancelled a request"),
            Err(failure) => tracing::warn!(
                request = sent.prompt_id,
                error = failure.message,
                "cannot cancel a request at its engine"
            ),
        }
    }
}

#[cfg(test)]
mod tests;
