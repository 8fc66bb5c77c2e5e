//! Decides which programs are in memory and whose jobs run: a state machine without clocks and I/O. Events go in,
//! actions come out.
//!
//! - A program holds its memory from its start until its process has gone. The programs on a device never hold more
//!   than its budget.
//! - Jobs of programs that are in memory go first. A program that waits for room gets it from idle programs, the
//!   least recently used first. After it has waited for a turn, it also gets the room of programs that have had a
//!   turn: they end their running jobs and stop.
//! - On a device, the jobs of one program run at a time, unless a program may run beside others. Among programs in
//!   memory, the oldest job goes first.
//! - A program that ends by itself is started again after a delay, which doubles with each failure in a row.

mod add;
mod place;
mod program;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeSet, VecDeque},
    time::Duration,
};

pub use program::{Needs, Residence};
use program::{Program, State};

/// Time since the scheduler was made.
pub type Time = Duration;
/// The place of a device in the list that the scheduler was made with.
pub type DeviceId = usize;
/// The place of a program in the list that the scheduler was made with.
pub type ProgramId = usize;
pub type JobId = u64;

/// The memory of a device that programs may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    pub name: String,
    /// In bytes.
    pub budget: u64,
}

/// The times that the scheduler keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// How long a program that has jobs keeps its room while another waits for it.
    pub turn: Duration,
    /// How long a program must have had nothing to do before another gets its room. Its next job may be on its way.
    pub linger: Duration,
    /// The delay after the first of several failures, and the longest.
    pub backoff: (Duration, Duration),
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            turn: Duration::from_mins(1),
            linger: Duration::from_millis(500),
            backoff: (Duration::from_secs(1), Duration::from_mins(1)),
        }
    }
}

/// An event for the scheduler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A job wants to run. An impatient one can go elsewhere, and is refused while its program recovers.
    Arrived {
        job: JobId,
        program: ProgramId,
        patient: bool,
    },
    /// A job has ended, or is not wanted any more. `made`: its program has done its work.
    Left { job: JobId, made: bool },
    /// A started program is ready.
    Loaded(ProgramId),
    /// A program's process no longer exists, or could not be started.
    Ended(ProgramId),
    /// The operator wants the program in memory.
    Load(ProgramId),
    /// The operator wants the program out of memory. It ends its running jobs.
    Unload(ProgramId),
    /// The program is another version now. A process of the earlier one ends its running jobs.
    Renew(ProgramId),
    /// The program must stop immediately, whatever it does.
    Kill(ProgramId),
    /// Whether the program stays in memory.
    Pin { program: ProgramId, pinned: bool },
    /// Only time has passed.
    Tick,
}

/// An action to take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    Start(ProgramId),
    /// Nothing runs there any more. [`Event::Ended`] must follow.
    Stop(ProgramId),
    /// Jobs may still run there. [`Event::Ended`] must follow.
    Kill(ProgramId),
    Run(JobId),
    Refuse(JobId, Refusal),
}

/// Why a job cannot run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the program ended while it was loading")]
    NotLoaded,
    #[error("the program has failed and is not started again yet")]
    Recovering,
    #[error("{0}")]
    TooLarge(TooLarge),
}

/// A program that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "it requires {} MiB on the device `{device}`, which has {} MiB{}",
    .needs >> 20,
    .has >> 20,
    if *.beside_pinned { " beside pinned programs" } else { "" }
)]
pub struct TooLarge {
    pub device: String,
    /// In bytes.
    pub needs: u64,
    /// In bytes.
    pub has: u64,
    /// Whether pinned programs hold the rest.
    pub beside_pinned: bool,
}

/// The counts since the start, by program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub loads: u64,
    /// How often it made room for another.
    pub evictions: u64,
    /// How often it ended by itself, or did not become ready.
    pub failures: u64,
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
    job: JobId,
    program: ProgramId,
    since: Time,
    patient: bool,
}

/// The state machine.
#[derive(Debug)]
pub struct Scheduler {
    devices: Vec<Device>,
    programs: Vec<Program>,
    rules: Rules,
    /// In the order of arrival.
    waiting: VecDeque<Waiting>,
    now: Time,
    actions: Vec<Action>,
}

impl Scheduler {
    /// The devices in `needs` must be places in `devices`.
    pub fn new(devices: Vec<Device>, needs: Vec<Needs>, rules: Rules) -> Self {
        Self {
            devices,
            programs: needs.into_iter().map(Program::new).collect(),
            rules,
            waiting: VecDeque::new(),
            now: Time::ZERO,
            actions: Vec::new(),
        }
    }

    /// Takes an event and returns what is to be done, in this order.
    pub fn handle(&mut self, now: Time, event: Event) -> Vec<Action> {
        self.now = now.max(self.now);
        self.apply(event);
        self.refuse_what_cannot_run();
        self.place();
        self.run();
        self.stop();
        std::mem::take(&mut self.actions)
    }

    /// When [`Event::Tick`] is due, if nothing happens before.
    pub fn next_wake(&self) -> Option<Time> {
        let mut times = Vec::new();
        for (id, program) in self.programs.iter().enumerate() {
            match program.state {
                State::Absent => {
                    if let Some(since) = self.wanted_since(id) {
                        times.extend([program.not_before, since + self.rules.turn]);
                    }
                }
                State::Resident => {
                    if let Some(began) = program.turn_began {
                        times.push(began + self.rules.turn);
                    }
                    times.push(program.last_active + self.rules.linger);
                    times.extend(program.needs.idle.map(|idle| program.last_active + idle));
                }
                State::MakingRoom | State::Loading | State::Draining | State::Stopping => {}
            }
        }
        times.into_iter().filter(|time| *time > self.now).min()
    }

    /// Why a program cannot be loaded, now that the pinned programs are what they are.
    pub fn too_large(&self, program: ProgramId) -> Option<TooLarge> {
        let needs = &self.programs[program].needs;
        needs.memory.iter().find_map(|&(device, bytes)| {
            let pinned: u64 = (self.programs.iter().enumerate())
                .filter(|(id, other)| *id != program && other.pinned)
                .map(|(_, other)| other.needs.on(device))
                .sum();
            let has = self.devices[device].budget.saturating_sub(pinned);
            (bytes > has).then(|| TooLarge {
                device: self.devices[device].name.clone(),
                needs: bytes,
                has,
                beside_pinned: pinned > 0,
            })
        })
    }

    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// The memory that programs hold on a device, in bytes.
    pub fn held(&self, device: DeviceId) -> u64 {
        let holding = self.programs.iter().filter(|program| program.state.holds());
        holding.map(|program| program.needs.on(device)).sum()
    }

    /// How a program is now.
    pub fn residence(&self, program: ProgramId) -> Residence {
        self.programs[program].state.residence()
    }

    pub fn is_pinned(&self, program: ProgramId) -> bool {
        self.programs[program].pinned
    }

    pub fn counts(&self, program: ProgramId) -> Counts {
        self.programs[program].counts
    }

    /// How many jobs of a program wait, and how many run.
    pub fn jobs(&self, program: ProgramId) -> (usize, usize) {
        let waiting = self.waiting.iter().filter(|job| job.program == program);
        (waiting.count(), self.programs[program].running.len())
    }

    /// Since when the oldest waiting job of a program has waited.
    pub fn waiting_since(&self, program: ProgramId) -> Option<Time> {
        let mut waiting = self.waiting.iter().filter(|job| job.program == program);
        waiting.next().map(|job| job.since)
    }

    /// When a program that has failed may be started again.
    pub fn recovers_at(&self, program: ProgramId, now: Time) -> Option<Time> {
        let program = &self.programs[program];
        program.is_recovering(now).then_some(program.not_before)
    }

    fn apply(&mut self, event: Event) {
        match event {
            Event::Arrived {
                job,
                program,
                patient,
            } => {
                if !patient && self.programs[program].is_recovering(self.now) {
                    self.actions.push(Action::Refuse(job, Refusal::Recovering));
                    return;
                }
                self.waiting.push_back(Waiting {
                    job,
                    program,
                    since: self.now,
                    patient,
                });
            }
            Event::Left { job, made } => self.left(job, made),
            Event::Loaded(id) => {
                let program = &mut self.programs[id];
                if program.state == State::Loading {
                    program.state = State::Resident;
                    program.wanted = None;
                    program.turn_began = None;
                    program.last_active = self.now;
                }
            }
            Event::Ended(id) => self.ended(id),
            Event::Load(id) => {
                let program = &mut self.programs[id];
                if program.state != State::Resident {
                    program.wanted.get_or_insert(self.now);
                    program.not_before = self.now;
                }
            }
            Event::Unload(id) => {
                let program = &mut self.programs[id];
                (program.wanted, program.pinned) = (None, false);
                match program.state {
                    State::Resident => program.state = State::Draining,
                    State::MakingRoom => program.state = State::Absent,
                    State::Loading => self.kill(id),
                    State::Absent | State::Draining | State::Stopping => {}
                }
            }
            Event::Renew(id) => self.renew(id),
            Event::Kill(id) => self.kill(id),
            Event::Pin { program, pinned } => self.programs[program].pinned = pinned,
            Event::Tick => {}
        }
    }

    fn kill(&mut self, id: ProgramId) {
        let program = &mut self.programs[id];
        if matches!(program.state, State::Loading | State::Resident | State::Draining) {
            program.state = State::Stopping;
            self.actions.push(Action::Kill(id));
        }
    }

    fn left(&mut self, job: JobId, made: bool) {
        self.waiting.retain(|waiting| waiting.job != job);
        for program in &mut self.programs {
            if program.running.remove(&job) {
                program.last_active = self.now;
                if made {
                    program.failures = 0;
                }
            }
        }
    }

    fn ended(&mut self, id: ProgramId) {
        let program = &mut self.programs[id];
        let state = std::mem::replace(&mut program.state, State::Absent);
        if !state.holds() {
            program.state = state;
            return;
        }
        program.running.clear();
        program.take_needs();
        program.left_at = self.now;
        if state == State::Stopping {
            return;
        }
        let (first, longest) = self.rules.backoff;
        program.not_before = self.now + (first * 2_u32.saturating_pow(program.failures)).min(longest);
        program.failures = (program.failures + 1).min(16);
        program.counts.failures += 1;
        program.wanted = None;
        let was_loading = state == State::Loading;
        self.refuse(|waiting| {
            let refusal = if was_loading {
                Refusal::NotLoaded
            } else {
                Refusal::Recovering
            };
            (waiting.program == id && (was_loading || !waiting.patient)).then_some(refusal)
        });
    }

    fn refuse_what_cannot_run(&mut self) {
        let waited_for: BTreeSet<ProgramId> = self.waiting.iter().map(|job| job.program).collect();
        for id in waited_for {
            if let Some(too_large) = self.too_large(id) {
                self.refuse(|waiting| (waiting.program == id).then(|| Refusal::TooLarge(too_large.clone())));
            }
        }
    }

    fn refuse(&mut self, why: impl Fn(&Waiting) -> Option<Refusal>) {
        let actions = &mut self.actions;
        self.waiting.retain(|waiting| match why(waiting) {
            Some(refusal) => {
                actions.push(Action::Refuse(waiting.job, refusal));
                false
            }
            None => true,
        });
    }

    /// Runs what can run: the oldest job first on every device.
    fn run(&mut self) {
        // Devices with an older job that waits for the device.
        let mut claimed = BTreeSet::new();
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain(|job| {
            let program = &self.programs[job.program];
            if program.state != State::Resident || program.running.len() >= program.needs.jobs {
                return true;
            }
            let mut devices = program.needs.memory.iter().map(|(device, _)| *device);
            let blocked = program.needs.alone
                && devices.any(|device| claimed.contains(&device) || self.is_busy(device, job.program));
            if blocked {
                claimed.extend(program.needs.memory.iter().map(|(device, _)| *device));
                return true;
            }
            let program = &mut self.programs[job.program];
            program.running.insert(job.job);
            program.turn_began.get_or_insert(self.now);
            self.actions.push(Action::Run(job.job));
            false
        });
        self.waiting = waiting;
    }

    /// Whether jobs of another program that must be alone run on a device.
    fn is_busy(&self, device: DeviceId, except: ProgramId) -> bool {
        self.programs.iter().enumerate().any(|(id, program)| {
            id != except && program.needs.alone && !program.running.is_empty() && program.needs.uses(device)
        })
    }

    /// Stops what has ended its jobs for another, and what has been idle for its time.
    fn stop(&mut self) {
        for id in 0..self.programs.len() {
            let program = &self.programs[id];
            let is_drained = program.state == State::Draining && program.running.is_empty();
            let is_over = program.needs.idle.is_some_and(|idle| self.has_idled(id, idle));
            if is_drained || is_over {
                self.programs[id].state = State::Stopping;
                self.actions.push(Action::Stop(id));
            }
        }
    }

    /// Whether a program in memory has had nothing to do for this long, and need not stay.
    fn has_idled(&self, id: ProgramId, time: Duration) -> bool {
        let program = &self.programs[id];
        program.state == State::Resident
            && !program.pinned
            && program.running.is_empty()
            && !self.waiting.iter().any(|job| job.program == id)
            && program.last_active + time <= self.now
    }
}
