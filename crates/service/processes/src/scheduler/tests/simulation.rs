//! A world for the scheduler: programs that take time to load and to stop, jobs that take time, and faults. Checks
//! after every step that the scheduler keeps its promises.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap},
    time::Duration,
};

use super::super::*;

/// More steps than any case needs.
const MOST_STEPS: usize = 200_000;

pub(super) const fn seconds(seconds: u64) -> Time {
    Duration::from_secs(seconds)
}

/// How a program behaves.
#[derive(Debug, Clone)]
pub(super) struct Behaviour {
    pub needs: Needs,
    pub load: Time,
    pub stop: Time,
    /// The loads that fail, in order. Later ones succeed.
    pub failed_loads: Vec<bool>,
}

#[derive(Debug, Clone)]
pub(super) struct SimulatedJob {
    pub program: ProgramId,
    pub arrives: Time,
    pub takes: Time,
    pub patient: bool,
    /// Not wanted any more after this time since its arrival.
    pub cancelled: Option<Time>,
    /// The program ends in the middle of it.
    pub crashes: bool,
}

/// The fate of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Made { waited: Time },
    Cancelled,
    Crashed,
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Arrives(usize),
    Cancelled(usize),
    Leaves(usize),
    /// A load of this number has come to its end.
    Ready(ProgramId, u64),
    Gone(ProgramId, u64),
    Operator(usize),
}

#[derive(Debug)]
pub(super) struct World {
    scheduler: Scheduler,
    rules: Rules,
    behaviours: Vec<Behaviour>,
    jobs: Vec<SimulatedJob>,
    operator: Vec<Event>,
    due: BinaryHeap<Reverse<(Time, usize, Due)>>,
    count: usize,
    now: Time,
    /// The number of the current process of a program, if it has one.
    processes: Vec<Option<u64>>,
    started: Vec<u64>,
    ready: Vec<bool>,
    first_run: Vec<Option<Time>>,
    unloaded: BTreeSet<ProgramId>,
    waiting: BTreeSet<usize>,
    running: BTreeMap<usize, ProgramId>,
    pub fates: BTreeMap<usize, Fate>,
}

impl World {
    pub(super) fn new(
        devices: Vec<Device>,
        behaviours: Vec<Behaviour>,
        jobs: Vec<SimulatedJob>,
        operator: &[(Time, Event)],
        rules: Rules,
    ) -> Self {
        let needs = behaviours.iter().map(|program| program.needs.clone()).collect();
        let count = behaviours.len();
        let mut world = Self {
            scheduler: Scheduler::new(devices, needs, rules),
            rules,
            behaviours,
            jobs,
            operator: operator.iter().map(|(_, event)| *event).collect(),
            due: BinaryHeap::new(),
            count: 0,
            now: Time::ZERO,
            processes: vec![None; count],
            started: vec![0; count],
            ready: vec![false; count],
            first_run: vec![None; count],
            unloaded: BTreeSet::new(),
            waiting: BTreeSet::new(),
            running: BTreeMap::new(),
            fates: BTreeMap::new(),
        };
        for (id, job) in world.jobs.clone().into_iter().enumerate() {
            world.at(job.arrives, Due::Arrives(id));
            if let Some(after) = job.cancelled {
                world.at(job.arrives + after, Due::Cancelled(id));
            }
        }
        for (at, (time, _)) in operator.iter().enumerate() {
            world.at(*time, Due::Operator(at));
        }
        world
    }

    fn at(&mut self, time: Time, due: Due) {
        self.count += 1;
        self.due.push(Reverse((time, self.count, due)));
    }

    /// Runs until nothing is left to do.
    pub(super) fn run(&mut self) {
        for _ in 0..MOST_STEPS {
            let next = self.due.peek().map(|Reverse((time, ..))| *time);
            let wake = self.scheduler.next_wake();
            match (next, wake) {
                (None, None) => return,
                (None, Some(_)) if self.fates.len() == self.jobs.len() => return,
                (Some(next), Some(wake)) if wake < next => self.tick(wake),
                (Some(_), _) => self.step(),
                (None, Some(wake)) => self.tick(wake),
            }
        }
        panic!("no end after {MOST_STEPS} steps: {self:?}");
    }

    fn tick(&mut self, wake: Time) {
        assert!(wake >= self.now, "the scheduler wakes in the past");
        self.now = wake;
        self.tell(Event::Tick);
    }

    fn step(&mut self) {
        let Some(Reverse((time, _, due))) = self.due.pop() else {
            return;
        };
        self.now = time;
        match due {
            Due::Arrives(id) => {
                let job = &self.jobs[id];
                let event = Event::Arrived {
                    job: id as JobId,
                    program: job.program,
                    patient: job.patient,
                };
                self.waiting.insert(id);
                self.tell(event);
            }
            Due::Cancelled(id) => {
                if !self.fates.contains_key(&id) {
                    self.end(id, Fate::Cancelled, false);
                }
            }
            Due::Leaves(id) => {
                let Some(program) = self.running.get(&id).copied() else {
                    return;
                };
                if self.jobs[id].crashes {
                    self.gone(program);
                } else {
                    let waited = self
                        .now
                        .saturating_sub(self.jobs[id].arrives + self.jobs[id].takes);
                    self.end(id, Fate::Made { waited }, true);
                }
            }
            Due::Ready(program, process) if self.processes[program] == Some(process) => {
                let load = self.started[program] as usize - 1;
                if self.behaviours[program].failed_loads.get(load) == Some(&true) {
                    self.gone(program);
                } else {
                    self.ready[program] = true;
                    self.tell(Event::Loaded(program));
                }
            }
            Due::Gone(program, process) if self.processes[program] == Some(process) => self.gone(program),
            Due::Ready(..) | Due::Gone(..) => {}
            Due::Operator(at) => {
                let event = self.operator[at];
                if let Event::Unload(program) | Event::Kill(program) | Event::Renew(program) = event {
                    self.unloaded.insert(program);
                }
                self.tell(event);
            }
        }
    }

    fn end(&mut self, id: usize, fate: Fate, made: bool) {
        self.waiting.remove(&id);
        self.running.remove(&id);
        self.fates.insert(id, fate);
        self.tell(Event::Left {
            job: id as JobId,
            made,
        });
    }

    /// A process has ended. Its jobs fail.
    fn gone(&mut self, program: ProgramId) {
        self.processes[program] = None;
        (self.ready[program], self.first_run[program]) = (false, None);
        self.unloaded.remove(&program);
        let lost: Vec<_> = (self.running.iter())
            .filter(|(_, at)| **at == program)
            .map(|(id, _)| *id)
            .collect();
        self.running.retain(|_, at| *at != program);
        self.tell(Event::Ended(program));
        for id in lost {
            self.end(id, Fate::Crashed, false);
        }
    }

    fn tell(&mut self, event: Event) {
        for action in self.scheduler.handle(self.now, event) {
            self.act(&action);
        }
        self.check();
    }

    fn act(&mut self, action: &Action) {
        match *action {
            Action::Start(program) => {
                assert_eq!(self.processes[program], None, "it is already started");
                self.started[program] += 1;
                let process = self.started[program];
                self.processes[program] = Some(process);
                self.at(
                    self.now + self.behaviours[program].load,
                    Due::Ready(program, process),
                );
            }
            Action::Stop(program) | Action::Kill(program) => {
                let process = self.processes[program].expect("only what runs is stopped");
                let busy = self.running.values().any(|at| *at == program);
                assert!(
                    !busy || matches!(action, Action::Kill(_)),
                    "jobs run in {program}"
                );
                self.no_thrash(program);
                self.at(
                    self.now + self.behaviours[program].stop,
                    Due::Gone(program, process),
                );
            }
            Action::Run(job) => {
                let id = job as usize;
                assert!(self.waiting.remove(&id), "job {id} does not wait");
                let program = self.jobs[id].program;
                assert!(self.ready[program], "program {program} is not loaded");
                self.running.insert(id, program);
                self.first_run[program].get_or_insert(self.now);
                self.at(self.now + self.jobs[id].takes, Due::Leaves(id));
            }
            Action::Refuse(job, _) => {
                assert!(self.waiting.remove(&(job as usize)), "job {job} does not wait");
                self.fates.insert(job as usize, Fate::Refused);
            }
        }
    }

    /// A program with waiting jobs stops only after a turn.
    fn no_thrash(&self, program: ProgramId) {
        let has_jobs = self.waiting.iter().any(|id| self.jobs[*id].program == program);
        if has_jobs && !self.unloaded.contains(&program) {
            let began = self.first_run[program].expect("it ran a job before it made room");
            assert!(
                began + self.rules.turn <= self.now,
                "program {program} had no turn"
            );
        }
    }

    fn check(&self) {
        for (device, facts) in self.scheduler.devices().iter().enumerate() {
            let using = |program: &ProgramId| self.behaviours[*program].needs.uses(device);
            let started = (0..self.behaviours.len()).filter(|program| self.processes[*program].is_some());
            let held: u64 = started
                .map(|program| self.behaviours[program].needs.on(device))
                .sum();
            assert!(
                held <= facts.budget,
                "{} holds {held} of {}",
                facts.name,
                facts.budget
            );
            assert_eq!(held, self.scheduler.held(device));
            let alone: BTreeSet<_> = (self.running.values())
                .filter(|program| using(program) && self.behaviours[**program].needs.alone)
                .collect();
            assert!(
                alone.len() <= 1,
                "jobs of {alone:?} run on {} at a time",
                facts.name
            );
        }
        for (program, behaviour) in self.behaviours.iter().enumerate() {
            let running = self.running.values().filter(|at| **at == program).count();
            assert!(running <= behaviour.needs.jobs, "{running} jobs run in {program}");
        }
    }

    pub(super) fn loads(&self) -> u64 {
        self.started.iter().sum()
    }

    pub(super) fn longest_wait(&self, of: impl Fn(&SimulatedJob) -> bool) -> Time {
        let fates = self.fates.iter().filter(|(id, _)| of(&self.jobs[**id]));
        let waits = fates.map(|(id, fate)| match fate {
            Fate::Made { waited } => *waited,
            other => panic!("job {id}: {other:?}"),
        });
        waits.max().unwrap_or_default()
    }
}
