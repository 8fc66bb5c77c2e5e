//! The comfyui engine: graphs run by a ComfyUI server. One engine is one server; a route says which workflow makes a model's things
//! there. The server's id of a request is ours, so that one which was sent before a crash is found again and not made twice.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use atelier_domain::{Failure, FailureCode};
use atelier_outbound::SetupError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::{
    Asked, Context, Engine, Job, Made, MadeFile,
    endpoint::{Connected, Endpoint},
    http::{
        Auth,
        exchange::{Uploaded, misconfigured, misread},
        outputs::Gather,
        source::Fields,
    },
};

mod check;
mod graph;
mod server;
mod shipped;
mod source;
mod verdict;
mod watch;

use graph::Filled;
pub use graph::{Graph, GraphError};
use server::{Place, Server, Unqueued};
pub use shipped::{shipped, shipped_names};
use watch::Watch;

/// The wait before the server is asked again, where no socket tells when: this share of the time that the request has taken,
/// within the bounds.
const SHARE: f64 = 0.04;
const SOONEST: Duration = Duration::from_millis(200);
const LATEST: Duration = Duration::from_secs(5);
/// Of this many questions while a socket stands, one is also about the queue.
const THOROUGHLY: u32 = 6;
/// The wait after the server has said that a request has ended: its history has it at once.
const AT_ONCE: Duration = Duration::from_millis(50);
/// How long a server may be out of reach before its jobs go elsewhere.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often in a row nothing listens at a server's address before it counts as gone.
const GONE: u32 = 2;

/// What makes an engine of a server.
#[derive(Debug)]
pub struct ComfyOptions {
    /// A key is sent as a bearer token, where a proxy in front of the server wants one.
    pub endpoint: Endpoint,
    /// The workflows that routes name.
    pub graphs: BTreeMap<String, Arc<Graph>>,
}

/// See the module's documentation.
#[derive(Debug)]
pub struct ComfyEngine {
    at: Connected,
    graphs: BTreeMap<String, Arc<Graph>>,
    server: Server,
    patience: Duration,
}

/// A request as it is remembered.
#[derive(Debug, Serialize, Deserialize)]
struct Sent {
    prompt_id: String,
}

impl ComfyEngine {
    pub fn new(options: ComfyOptions) -> Result<Self, SetupError> {
        let (at, remote) = options.endpoint.connect(Some(Auth::bearer()), PATIENCE)?;
        Ok(Self {
            at,
            graphs: options.graphs,
            server: Server { remote },
            patience: PATIENCE,
        })
    }

    /// The graph that a route names, with what the route lays over it.
    fn graph(&self, asked: &Asked) -> Result<Graph, String> {
        let name = asked.workflow.as_deref();
        let name = name.ok_or("the route names no `workflow`")?;
        let graph = self.graphs.get(name);
        let graph = graph.ok_or_else(|| format!("there is no workflow `{name}`"))?;
        match &asked.body {
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
                "the workflow that serves this model has no use for `{parameter}`"
            )));
        }
        let mut uploaded = Uploaded::new();
        let fields = graph.uploaded_fields();
        let wanted = |input: &&crate::Input| fields.contains(input.parameter.as_str());
        for input in job.inputs.iter().filter(wanted) {
            uploaded.insert(input.path.clone(), self.server.upload(input).await?);
        }
        let (job, request, graph) = (job.clone(), id.to_owned(), graph.clone());
        // Files may be read and encoded: not on the threads that everybody waits for.
        let filled = tokio::task::spawn_blocking(move || {
            graph.fill(&source::Holes(Fields {
                job: &job,
                request: &request,
                callback: None,
                uploaded,
            }))
        });
        match filled
            .await
            .map_err(|_| misread("the request could not be made"))?
        {
            Filled::Graph(graph) => Ok(graph),
            Filled::Lacks(fields) => {
                let fields: Vec<_> = fields.iter().map(|field| format!("`{field}`")).collect();
                Err(Failure::invalid_input(format!(
                    "the workflow that serves this model needs {}",
                    fields.join(", ")
                )))
            }
        }
    }

    /// Sends the job's request, unless the server has it from an earlier attempt already.
    async fn begin(&self, job: &Job, context: &Context, graph: &Graph) -> Result<(String, Watch), Failure> {
        let earlier: Option<Sent> = job
            .resume
            .as_deref()
            .and_then(|text| serde_json::from_str(text).ok());
        if let Some(Sent { prompt_id: id }) = earlier
            && self.has(&id).await?
        {
            let watch = Watch::open(&self.server, &id, graph.classes(), context).await;
            return Ok((id, watch));
        }
        let id = prompt_id(job);
        self.at.pace.turn().await;
        let filled = self.fill(job, &id, graph).await?;
        // Before the request is sent: the server may tell of it before it has answered.
        let classes = graph.classes().filter(|(node, _)| filled.contains_key(*node));
        let mut watch = Watch::open(&self.server, &id, classes, context).await;
        let sent = json!(Sent {
            prompt_id: id.clone()
        });
        context.remember(&sent.to_string()).await?;
        tokio::select! {
            queued = self.queue(&id, &filled, graph) => queued?,
            never = watch.listen() => match never {},
        }
        Ok((id, watch))
    }

    /// Whether the server has this request: in its queue, at work, or ended.
    async fn has(&self, id: &str) -> Result<bool, Failure> {
        Ok(self.server.place(id).await? != Place::Nowhere || self.server.history(id).await?.is_some())
    }

    /// Puts the graph into the server's queue. Without an answer, the queue tells whether it was taken.
    async fn queue(&self, id: &str, filled: &Map<String, Value>, graph: &Graph) -> Result<(), Failure> {
        match self.server.queue(id, filled).await {
            Ok(()) => Ok(()),
            Err(Unqueued::Refused(failure)) => Err(failure),
            Err(Unqueued::Invalid(said)) => Err(verdict::invalid(&said, graph)),
            Err(Unqueued::Unanswered(failure)) => match self.has(id).await {
                Ok(true) => Ok(()),
                // The next attempt looks for this very request before it makes one.
                Ok(false) | Err(_) => Err(failure),
            },
        }
    }

    /// Waits for the end of a request; returns what the server's history says of it.
    async fn wait(&self, id: &str, watch: &mut Watch, context: &Context) -> Result<Value, Failure> {
        let begun = Instant::now();
        let mut answered = begun;
        let mut gone = 0;
        for question in 0_u32.. {
            // A queue with all its graphs may be long. Where the socket stands, the server has not been started anew.
            let thoroughly = !watch.is_open() || question % THOROUGHLY == THOROUGHLY - 1;
            match self.look(id, thoroughly).await {
                Ok(Some(entry)) => return Ok(entry),
                Ok(None) => (answered, gone) = (Instant::now(), 0),
                Err(Lost::Request) => {
                    let why = "the engine has lost the request; it may have been started anew";
                    return Err(Failure::retry(FailureCode::GenerationFailed, why, verdict::PAUSE));
                }
                Err(Lost::Server(failure)) if answered.elapsed() >= self.patience => return Err(failure),
                // Its jobs are lost with it: where another engine stands by, there is nothing to wait for.
                Err(Lost::Server(failure)) if context.has_alternative() && self.server.is_gone().await => {
                    gone += 1;
                    if gone == GONE {
                        return Err(failure);
                    }
                }
                Err(Lost::Server(_)) => gone = 0,
            }
            let pause = match (watch.has_ended, watch.is_open()) {
                (true, _) => AT_ONCE,
                (false, true) => LATEST,
                (false, false) => begun.elapsed().mul_f64(SHARE).clamp(SOONEST, LATEST),
            };
            tokio::select! {
                () = sleep(pause) => {}
                () = watch.turn() => {}
            }
        }
        Err(misread("the request does not end"))
    }

    /// What the server remembers of a request that has ended; thoroughly, also whether it still has one that has not.
    async fn look(&self, id: &str, thoroughly: bool) -> Result<Option<Value>, Lost> {
        let entry = self.server.history(id).await.map_err(Lost::Server)?;
        if entry.is_some() || !thoroughly {
            return Ok(entry);
        }
        if self.server.place(id).await.map_err(Lost::Server)? != Place::Nowhere {
            return Ok(None);
        }
        // It may have ended between the two questions.
        let entry = self.server.history(id).await.map_err(Lost::Server)?;
        entry.map_or(Err(Lost::Request), |entry| Ok(Some(entry)))
    }
}

/// Why a request cannot be waited for.
enum Lost {
    Request,
    Server(Failure),
}

/// Our id of a job's request, which is the server's too: the job's own, told apart by attempt. It has to be a UUID.
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
        let graph = self.graph(&job.asked).map_err(|why| misconfigured(&why))?;
        let (id, mut watch) = self.begin(&job, &context, &graph).await?;
        let entry = self.wait(&id, &mut watch, &context).await?;
        let gather = Gather {
            remote: &self.server.remote,
            elsewhere: &self.at.elsewhere,
            job: &job,
        };
        let mut files = Vec::new();
        for (index, address) in verdict::outputs(&entry, job.kind)?.iter().enumerate() {
            files.push(MadeFile::Path(gather.one(index, address).await?));
        }
        let metadata = Map::from_iter([
            ("engine".to_owned(), json!(self.at.name)),
            ("provider_id".to_owned(), json!(id)),
        ]);
        Ok(Made { files, metadata })
    }

    async fn reach(&self) -> Result<String, String> {
        self.server.reach().await
    }

    async fn check(&self, asked: &Asked) -> Vec<String> {
        let graph = match self.graph(asked) {
            Ok(graph) => graph,
            Err(why) => return vec![why],
        };
        match self.server.object_info().await {
            Ok(info) => check::problems(&graph, &info),
            Err(failure) => vec![failure.message],
        }
    }

    async fn abandon(&self, request: &str) {
        let Ok(sent) = serde_json::from_str::<Sent>(request) else {
            return;
        };
        match self.server.cancel(&sent.prompt_id).await {
            Ok(()) => tracing::debug!(request = sent.prompt_id, "a request was cancelled"),
            Err(failure) => tracing::warn!(
                request = sent.prompt_id,
                error = failure.message,
                "a request could not be cancelled at the engine"
            ),
        }
    }
}

#[cfg(test)]
mod tests;
