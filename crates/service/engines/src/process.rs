//! The process engine: a program on this machine that the service starts for its jobs, and stops when it is idle or
//! when another needs its memory. The program speaks an interface that another engine knows; this one waits until the
//! program may work, and then lets that engine do the job.

use std::{
    collections::hash_map::RandomState,
    convert::Infallible,
    fmt,
    future::pending,
    hash::{BuildHasher as _, Hasher as _},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use atelier_domain::{Failure, FailureCode};
use atelier_outbound::{Guard, Outbound, Timeouts};
use atelier_processes::{Probe, Program, Refusal, Ticket, scheduler::Residence};
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::timeout;
use url::Url;

use crate::{Context, Engine, Job, Loading, Made, Memory, RouteOptions, http::Output, remote::misconfigured};

mod steps;

use steps::Steps;

/// The delay before the next attempt.
const DELAY: Duration = Duration::from_secs(1);
/// How long after a failed request its cause may show: the end of the program.
const CAUSE: Duration = Duration::from_millis(300);
/// How long a program may take to answer whether it is ready.
const ANSWER: Duration = Duration::from_secs(5);

/// Makes the engine that speaks to a program at an address.
pub type Connect = Box<dyn Fn(Url) -> Result<Arc<dyn Engine>, String> + Send + Sync>;

/// The options of a process engine.
#[derive(Debug)]
pub struct ProcessOptions {
    pub name: String,
    pub program: Program,
    pub connection: Arc<Connection>,
    /// The most jobs that wait for the program or run there.
    pub concurrency: usize,
    /// Whether a cancelled job ends by killing the program.
    pub kill_to_cancel: bool,
    /// Whether it ends in the same way if the program has not named its request yet, which nobody can cancel.
    pub kills_unnamed: bool,
}

/// The engine that speaks to the program, at the port where the program is now.
pub struct Connection {
    connect: Connect,
    /// A path that answers with success when the program is ready; without one, the engine's own check decides.
    health: Option<String>,
    /// The meaning of the program's output, for its progress.
    output: Option<Output>,
    /// Matches its output if it has found no graphics card.
    no_device: Option<Regex>,
    client: Outbound,
    current: Mutex<Option<(u16, Arc<dyn Engine>)>>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("health", &self.health)
            .finish_non_exhaustive()
    }
}

impl Connection {
    pub fn new(connect: Connect, health: Option<String>) -> Result<Self, String> {
        let timeouts = Timeouts {
            connect: ANSWER,
            read: ANSWER,
            total: ANSWER,
        };
        // The program is on this machine.
        let client = Outbound::new(Guard { allow_private: true }, timeouts);
        Ok(Self {
            connect,
            health,
            output: None,
            no_device: None,
            client: client.map_err(|error| error.to_string())?,
            current: Mutex::new(None),
        })
    }

    /// The same with what the program's output says about its work. A program on a graphics card must find one.
    pub fn with_output(self, output: Option<Output>, is_on_card: bool) -> Self {
        let no_device = output.as_ref().filter(|_| is_on_card);
        let no_device = no_device.and_then(|output| output.no_device.as_ref());
        Self {
            // Reading the profile has checked it.
            no_device: no_device.and_then(|pattern| Regex::new(pattern).ok()),
            output,
            ..self
        }
    }

    fn at(&self, port: u16) -> Result<Arc<dyn Engine>, String> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, engine)) = &*current
            && *at == port
        {
            return Ok(Arc::clone(engine));
        }
        let engine = (self.connect)(address(port)?)?;
        *current = Some((port, Arc::clone(&engine)));
        Ok(engine)
    }
}

fn address(port: u16) -> Result<Url, String> {
    Url::parse(&format!("http://127.0.0.1:{port}")).map_err(|error| error.to_string())
}

/// Tells whether the program is ready.
#[derive(Debug)]
pub struct HttpProbe(pub Arc<Connection>);

#[async_trait]
impl Probe for HttpProbe {
    async fn ready(&self, port: u16) -> Result<(), String> {
        let Some(path) = &self.0.health else {
            return self.0.at(port)?.health().await.map(drop);
        };
        let url = address(port)?.join(path).map_err(|error| error.to_string())?;
        let request = self.0.client.get(&url).map_err(|refused| refused.to_string())?;
        let answer = request.send().await;
        let status = answer.map_err(|_| "no answer".to_owned())?.status();
        if status.is_success() {
            return Ok(());
        }
        Err(format!("{path} answers with status {}", status.as_u16()))
    }

    fn unfit(&self, output: &str) -> Option<String> {
        let found = self.0.no_device.as_ref()?.find(output)?;
        Some(format!(
            "it found no device to compute on and would use the CPU: it wrote `{}`",
            found.as_str()
        ))
    }
}

/// An engine whose program runs only while it is needed.
#[derive(Debug)]
pub struct ProcessEngine {
    options: ProcessOptions,
    /// Tells requests to processes of this service from those of an earlier one.
    service: u64,
}

/// A request, as it is remembered for later attempts: it lives no longer than its process.
#[derive(Debug, Serialize, Deserialize)]
struct Sent {
    process: String,
    request: String,
}

struct Remembers {
    memory: Arc<dyn Memory>,
    process: String,
    is_named: Arc<AtomicBool>,
}

#[async_trait]
impl Memory for Remembers {
    async fn remember(&self, request: &str) -> Result<(), Failure> {
        let sent = json!(Sent {
            process: self.process.clone(),
            request: request.to_owned(),
        });
        self.memory.remember(&sent.to_string()).await?;
        self.is_named.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// A ticket that kills its program if the job is given up.
struct Guarded {
    ticket: Option<Ticket>,
    kills: bool,
    kills_unnamed: bool,
    /// Whether the request can be cancelled at the program.
    is_named: Arc<AtomicBool>,
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let is_lost = self.kills_unnamed && !self.is_named.load(Ordering::Relaxed);
        if let Some(ticket) = self.ticket.take().filter(|_| self.kills || is_lost) {
            ticket.kill();
        }
    }
}

impl ProcessEngine {
    pub fn new(options: ProcessOptions) -> Self {
        Self {
            options,
            service: RandomState::new().build_hasher().finish(),
        }
    }

    /// The program that it runs.
    pub fn program(&self) -> &Program {
        &self.options.program
    }

    fn process(&self, number: u64) -> String {
        format!("{:016x}-{number}", self.service)
    }

    fn refused(&self, refusal: &Refusal) -> Failure {
        let message = match refusal {
            Refusal::TooLarge(why) => {
                return misconfigured(&format!("the engine `{}`: {why}", self.options.name));
            }
            Refusal::NotLoaded => "the engine's program could not be started",
            Refusal::Recovering => "the engine's program has failed and is not started again yet",
        };
        Failure::retry(FailureCode::GenerationFailed, message, DELAY)
    }

    /// Waits for the program, and says whenever the job waits for a load: of its first process, or of another because
    /// its process made room meanwhile.
    async fn admitted(&self, context: &Context) -> Result<Ticket, Refusal> {
        let program = &self.options.program;
        let mut moves = program.moves();
        let admitted = program.admit(!context.has_alternative());
        tokio::pin!(admitted);
        let mut was_loading = false;
        let ticket = loop {
            moves.mark_unchanged();
            let (is_resident, estimate) = program.is_resident();
            if is_resident == was_loading {
                was_loading = !is_resident;
                context.loading(was_loading.then_some(Loading { estimate }));
            }
            tokio::select! {
                biased;
                ticket = &mut admitted => break ticket,
                moved = moves.changed() => if moved.is_err() {
                    break admitted.await;
                },
            }
        };
        if was_loading {
            context.loading(None);
        }
        ticket
    }

    /// Reports the steps that the program's output names.
    fn steps(
        &self,
        ticket: &Ticket,
        job: &Job,
        context: Context,
    ) -> impl Future<Output = Infallible> + use<> {
        let output = self.options.connection.output.as_ref();
        let steps = output.and_then(|output| Steps::new(output, &job.params));
        let mut listener = ticket.output();
        async move {
            if let Some(mut steps) = steps {
                while let Some(text) = listener.more().await {
                    if let Some(done) = steps.done(&text) {
                        context.progress(done);
                    }
                }
            }
            pending().await
        }
    }

    async fn make(
        &self,
        ticket: &Ticket,
        is_named: &Arc<AtomicBool>,
        mut job: Job,
        context: Context,
    ) -> Result<Made, Failure> {
        let engine = self.options.connection.at(ticket.port());
        let engine =
            engine.map_err(|why| misconfigured(&format!("the engine `{}`: {why}", self.options.name)))?;
        let process = self.process(ticket.process());
        job.resume = job.resume.and_then(|text| sent_to(&text, &process));
        is_named.store(job.resume.is_some(), Ordering::Relaxed);
        let context = context.map_memory(|memory| {
            let is_named = Arc::clone(is_named);
            Arc::new(Remembers {
                memory,
                process,
                is_named,
            })
        });
        let ended = || {
            let message = "the engine's program ended before the job did";
            Failure::retry(FailureCode::GenerationFailed, message, DELAY)
        };
        let steps = self.steps(ticket, &job, context.clone());
        let made = tokio::select! {
            biased;
            made = engine.run(job, context) => made,
            () = ticket.gone() => return Err(ended()),
            never = steps => match never {},
        };
        match made {
            Err(_) if timeout(CAUSE, ticket.gone()).await.is_ok() => Err(ended()),
            made => made,
        }
    }
}

/// The request that was sent to a process.
fn sent_to(text: &str, process: &str) -> Option<String> {
    let sent: Sent = serde_json::from_str(text).ok()?;
    (sent.process == process).then_some(sent.request)
}

#[async_trait]
impl Engine for ProcessEngine {
    fn name(&self) -> &str {
        &self.options.name
    }

    fn concurrency(&self) -> usize {
        self.options.concurrency
    }

    fn is_remote(&self) -> bool {
        true
    }

    async fn run(&self, job: Job, context: Context) -> Result<Made, Failure> {
        let ticket = self.admitted(&context).await;
        let is_named = Arc::new(AtomicBool::new(false));
        let mut guarded = Guarded {
            ticket: Some(ticket.map_err(|refusal| self.refused(&refusal))?),
            kills: self.options.kill_to_cancel,
            kills_unnamed: self.options.kills_unnamed,
            is_named: Arc::clone(&is_named),
        };
        let Some(ticket) = &guarded.ticket else {
            return Err(misconfigured("a ticket is missing"));
        };
        let made = self.make(ticket, &is_named, job, context).await;
        if let Some(ticket) = guarded.ticket.take()
            && made.is_ok()
        {
            ticket.made();
        }
        made
    }

    async fn health(&self) -> Result<String, String> {
        let state = self.options.program.state();
        if let Some(why) = state.too_large {
            return Err(why.to_string());
        }
        if let Some(why) = state.last_failure {
            return Err(why);
        }
        let load = state.last_load.map_or_else(String::new, |time| {
            format!("; it took {:.1} s to load", time.as_secs_f64())
        });
        let device = state.device;
        Ok(match state.residence {
            Residence::Absent => format!("started on `{device}` when a job comes{load}"),
            other => format!("{} on `{device}`{load}", other.as_str().replace('_', " ")),
        })
    }

    async fn check(&self, options: &RouteOptions) -> Vec<String> {
        // A program that does not run cannot be asked.
        let current = &self.options.connection.current;
        let engine = current.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match engine {
            Some((_, engine)) if self.options.program.state().residence == Residence::Resident => {
                engine.check(options).await
            }
            _ => Vec::new(),
        }
    }

    async fn abandon(&self, request: &str) {
        let Ok(sent) = serde_json::from_str::<Sent>(request) else {
            return;
        };
        let Some(current) = self.options.program.current() else {
            return;
        };
        if self.process(current.process) == sent.process
            && let Ok(engine) = self.options.connection.at(current.port)
        {
            engine.abandon(&sent.request).await;
        }
    }

    async fn close(&self) {
        self.options.program.close().await;
    }
}
