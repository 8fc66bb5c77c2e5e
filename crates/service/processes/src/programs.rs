//! Does what the scheduler says: starts and stops programs, and lets jobs run.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, atomic::AtomicBool},
    time::Duration,
};

use tokio::{
    runtime::Handle,
    sync::{Notify, oneshot, watch},
    time::Instant,
};

use crate::{
    Description,
    child::Listener,
    history::History,
    scheduler::{
        Action, Counts, Device, Event, JobId, ProgramId, Refusal, Residence, Rules, Scheduler, TooLarge,
    },
};

mod add;
mod moves;
mod process;
mod ticket;

use process::Order;
pub use ticket::Ticket;

/// How long programs may take to end when the service does.
const CLOSING: Duration = Duration::from_secs(8);

/// The setup of all programs.
#[derive(Debug)]
pub struct Setup {
    /// The file of a program that becomes a guard if its first argument is [`crate::guard::COMMAND`].
    pub guard: PathBuf,
    pub devices: Vec<Device>,
    /// In `needs`, devices are places in `devices`.
    pub programs: Vec<Description>,
    pub rules: Rules,
    /// The folder that remembers how long loads took.
    pub history: Option<PathBuf>,
    /// The folder for the sockets of programs that listen there.
    pub sockets: PathBuf,
}

/// All programs of a service. Cheap to clone.
#[derive(Clone)]
pub struct Programs(Arc<Inner>);

/// One of the programs. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Program {
    programs: Programs,
    id: ProgramId,
}

/// A process that serves jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served {
    /// As in [`Ticket::process`].
    pub process: u64,
    /// On this machine's loopback address.
    pub port: u16,
}

/// The operators' view of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramState {
    pub name: String,
    pub device: String,
    /// The memory that it holds of each device while it is loaded, in bytes.
    pub memory: Vec<(String, u64)>,
    pub residence: Residence,
    pub is_pinned: bool,
    pub waiting: usize,
    /// How long the oldest waiting job has waited.
    pub waited: Option<Duration>,
    pub running: usize,
    pub counts: Counts,
    /// How long it has been loading, while it does.
    pub loading_for: Option<Duration>,
    /// How long it took to load last time.
    pub last_load: Option<Duration>,
    /// Why it last failed, with the end of its output. Forgotten when it is loaded again.
    pub last_failure: Option<String>,
    /// After a failure: how long it will not be started.
    pub recovers_in: Option<Duration>,
    pub too_large: Option<TooLarge>,
}

/// The operators' view of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceState {
    pub name: String,
    /// In bytes.
    pub budget: u64,
    /// The memory that programs hold, in bytes.
    pub held: u64,
}

struct Inner {
    guard: PathBuf,
    sockets: PathBuf,
    /// They only grow.
    descriptions: RwLock<Vec<Arc<Description>>>,
    history: History,
    begun: Instant,
    state: Mutex<State>,
    /// The next wake may have changed.
    changed: Notify,
    /// Programs may have been loaded or stopped.
    moved: watch::Sender<()>,
    is_watched: AtomicBool,
}

struct State {
    scheduler: Scheduler,
    next_job: JobId,
    jobs: HashMap<JobId, Waiter>,
    /// The current process of each program.
    processes: Vec<Option<Process>>,
    started: u64,
    last_loads: Vec<Option<Duration>>,
    last_failures: Vec<Option<String>>,
    is_closed: bool,
}

type Waiter = (ProgramId, oneshot::Sender<Result<Current, Refusal>>);

/// A process of a program, for those who use it.
#[derive(Debug, Clone)]
struct Current {
    /// Unique among the processes of this service.
    number: u64,
    port: u16,
    is_gone: watch::Receiver<bool>,
    output: Listener,
}

#[derive(Debug)]
struct Process {
    orders: watch::Sender<Order>,
    begun: Instant,
    current: Option<Current>,
}

impl Programs {
    pub fn new(setup: Setup) -> Self {
        let needs = setup.programs.iter().map(|program| program.needs.clone());
        let count = setup.programs.len();
        let history = History::new(setup.history);
        let last_loads = setup
            .programs
            .iter()
            .map(|program| history.last_load(&program.name));
        let state = State {
            scheduler: Scheduler::new(setup.devices, needs.collect(), setup.rules),
            next_job: 0,
            jobs: HashMap::new(),
            processes: (0..count).map(|_| None).collect(),
            started: 0,
            last_loads: last_loads.collect(),
            last_failures: vec![None; count],
            is_closed: false,
        };
        Self(Arc::new(Inner {
            guard: setup.guard,
            sockets: setup.sockets,
            descriptions: RwLock::new(setup.programs.into_iter().map(Arc::new).collect()),
            history,
            begun: Instant::now(),
            state: Mutex::new(state),
            changed: Notify::new(),
            moved: watch::Sender::new(()),
            is_watched: AtomicBool::new(false),
        }))
    }

    /// The program of this name.
    pub fn program(&self, name: &str) -> Option<Program> {
        let id = self
            .0
            .descriptions()
            .iter()
            .position(|program| program.name == name)?;
        Some(Program {
            programs: self.clone(),
            id,
        })
    }

    /// All programs, in the order in which they were given.
    pub fn states(&self) -> Vec<ProgramState> {
        let count = self.0.count();
        (0..count).map(|id| self.0.state_of(id)).collect()
    }

    pub fn devices(&self) -> Vec<DeviceState> {
        let state = self.0.lock();
        let devices = state.scheduler.devices().iter().enumerate();
        devices
            .map(|(id, device)| DeviceState {
                name: device.name.clone(),
                budget: device.budget,
                held: state.scheduler.held(id),
            })
            .collect()
    }

    /// Stops all programs and waits until they are gone. No program is started afterwards.
    pub async fn close(&self) {
        let until = Instant::now() + CLOSING;
        self.0.lock().is_closed = true;
        for id in 0..self.0.count() {
            self.0.order(id, Order::Stop);
        }
        let is_gone = || self.0.lock().processes.iter().all(Option::is_none);
        while !is_gone() && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl fmt::Debug for Programs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let descriptions = self.0.descriptions();
        let names = descriptions.iter().map(|program| &program.name);
        f.debug_list().entries(names).finish()
    }
}

impl Program {
    /// Waits until a job may run. An impatient one is refused while the program recovers from a failure.
    pub async fn admit(&self, patient: bool) -> Result<Ticket, Refusal> {
        ticket::admit(&self.programs.0, self.id, patient).await
    }

    /// The process that serves jobs now.
    pub fn current(&self) -> Option<Served> {
        let state = self.programs.0.lock();
        let current = state.processes[self.id].as_ref()?.current.as_ref()?;
        Some(Served {
            process: current.number,
            port: current.port,
        })
    }

    pub fn state(&self) -> ProgramState {
        self.programs.0.state_of(self.id)
    }

    /// All programs of the service.
    pub fn all(&self) -> &Programs {
        &self.programs
    }

    /// Loads the program as soon as there is room.
    pub fn load(&self) -> Result<(), TooLarge> {
        let too_large = self.programs.0.lock().scheduler.too_large(self.id);
        if let Some(too_large) = too_large {
            return Err(too_large);
        }
        self.programs.0.tell(Event::Load(self.id));
        Ok(())
    }

    /// Stops the program after its running jobs. It is loaded again for the next one.
    pub fn unload(&self) {
        self.programs.0.tell(Event::Unload(self.id));
    }

    /// Whether the program stays in memory.
    pub fn pin(&self, pinned: bool) -> Result<(), TooLarge> {
        if pinned {
            self.load()?;
        }
        self.programs.0.tell(Event::Pin {
            program: self.id,
            pinned,
        });
        Ok(())
    }

    /// Stops the program after its running jobs, and waits until it is gone.
    pub async fn close(&self) {
        self.unload();
        self.programs.0.order(self.id, Order::Stop);
        let until = Instant::now() + CLOSING;
        let is_gone = || self.programs.0.lock().processes[self.id].is_none();
        while !is_gone() && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Inner {
    fn descriptions(&self) -> RwLockReadGuard<'_, Vec<Arc<Description>>> {
        self.descriptions.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self) -> usize {
        self.descriptions().len()
    }

    fn description(&self, id: ProgramId) -> Arc<Description> {
        Arc::clone(&self.descriptions()[id])
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_of(&self, id: ProgramId) -> ProgramState {
        let (description, state) = (self.description(id), self.lock());
        let (scheduler, now) = (&state.scheduler, self.begun.elapsed());
        let (waiting, running) = scheduler.jobs(id);
        let residence = scheduler.residence(id);
        let is_loading = residence == Residence::Loading;
        let process = state.processes[id].as_ref().filter(|_| is_loading);
        let memory = description.needs.memory.iter();
        ProgramState {
            name: description.name.clone(),
            device: description.device.clone(),
            memory: memory
                .map(|(device, bytes)| (scheduler.devices()[*device].name.clone(), *bytes))
                .collect(),
            residence,
            is_pinned: scheduler.is_pinned(id),
            waiting,
            waited: scheduler.waiting_since(id).map(|since| now.saturating_sub(since)),
            running,
            counts: scheduler.counts(id),
            loading_for: process.map(|process| process.begun.elapsed()),
            last_load: state.last_loads[id],
            last_failure: state.last_failures[id].clone(),
            recovers_in: scheduler.recovers_at(id, now).map(|at| at.saturating_sub(now)),
            too_large: scheduler.too_large(id),
        }
    }

    fn order(&self, id: ProgramId, order: Order) {
        if let Some(process) = &self.lock().processes[id] {
            process.orders.send_if_modified(|current| {
                let is_more = *current < order;
                if is_more {
                    *current = order;
                }
                is_more
            });
        }
    }

    /// Tells the scheduler what has happened, and does what it says.
    fn tell(self: &Arc<Self>, event: Event) {
        let mut state = self.lock();
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            let now = self.begun.elapsed();
            for action in state.scheduler.handle(now, event) {
                events.extend(self.act(&mut state, action));
            }
        }
        drop(state);
        self.changed.notify_one();
        self.moved.send_replace(());
    }

    /// Does one action. Returns what has happened by that.
    fn act(self: &Arc<Self>, state: &mut State, action: Action) -> Option<Event> {
        match action {
            Action::Start(id) => {
                let Ok(runtime) = Handle::try_current() else {
                    return Some(Event::Ended(id));
                };
                if state.is_closed {
                    return Some(Event::Ended(id));
                }
                state.started += 1;
                let (orders, heard) = watch::channel(Order::None);
                state.processes[id] = Some(Process {
                    orders,
                    begun: Instant::now(),
                    current: None,
                });
                runtime.spawn(process::live(Arc::clone(self), id, state.started, heard));
            }
            Action::Stop(id) | Action::Kill(id) => {
                let order = if action == Action::Kill(id) {
                    Order::Kill
                } else {
                    Order::Stop
                };
                match &state.processes[id] {
                    Some(process) => {
                        process.orders.send_replace(order);
                    }
                    None => return Some(Event::Ended(id)),
                }
            }
            Action::Run(job) => {
                let (id, waiter) = state.jobs.remove(&job)?;
                let current = state.processes[id]
                    .as_ref()
                    .and_then(|process| process.current.clone());
                let answer = current.ok_or(Refusal::Recovering);
                if answer.is_err() || waiter.send(answer).is_err() {
                    return Some(Event::Left { job, made: false });
                }
            }
            Action::Refuse(job, refusal) => {
                if let Some((_, waiter)) = state.jobs.remove(&job) {
                    // A caller that no longer waits needs no answer.
                    let _ = waiter.send(Err(refusal));
                }
            }
        }
        None
    }
}
