//! A program as the scheduler sees it.

use std::{collections::BTreeSet, time::Duration};

use super::{Counts, DeviceId, JobId, Time};

/// The needs of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needs {
    /// The devices that it uses, and the memory that it holds there in bytes, which may be 0.
    pub memory: Vec<(DeviceId, u64)>,
    /// The most jobs at a time.
    pub jobs: usize,
    /// Whether no jobs of other such programs may run on its devices meanwhile.
    pub alone: bool,
    /// It stops after it has had nothing to do for this long.
    pub idle: Option<Duration>,
}

impl Needs {
    pub(super) fn on(&self, device: DeviceId) -> u64 {
        let here = self.memory.iter().filter(|(id, _)| *id == device);
        here.map(|(_, bytes)| *bytes).sum()
    }

    pub(super) fn uses(&self, device: DeviceId) -> bool {
        self.memory.iter().any(|(id, _)| *id == device)
    }
}

/// How a program is, in words for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Residence {
    Absent,
    /// It waits until others have made room.
    WaitsForRoom,
    Loading,
    Resident,
    /// It makes room, and ends its running jobs before.
    Draining,
    Stopping,
}

impl Residence {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::WaitsForRoom => "waits_for_room",
            Self::Loading => "loading",
            Self::Resident => "resident",
            Self::Draining => "draining",
            Self::Stopping => "stopping",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Absent,
    /// Its room is reserved. Those who hold it drain or stop.
    MakingRoom,
    Loading,
    Resident,
    Draining,
    Stopping,
}

impl State {
    /// Whether its memory may be in use.
    pub(super) const fn holds(self) -> bool {
        !matches!(self, Self::Absent | Self::MakingRoom)
    }

    /// Whether its memory is in use, or promised, for longer than jobs and stops take that have begun.
    pub(super) const fn keeps(self) -> bool {
        matches!(self, Self::MakingRoom | Self::Loading | Self::Resident)
    }

    pub(super) const fn residence(self) -> Residence {
        match self {
            Self::Absent => Residence::Absent,
            Self::MakingRoom => Residence::WaitsForRoom,
            Self::Loading => Residence::Loading,
            Self::Resident => Residence::Resident,
            Self::Draining => Residence::Draining,
            Self::Stopping => Residence::Stopping,
        }
    }
}

#[derive(Debug)]
pub(super) struct Program {
    pub(super) needs: Needs,
    /// The needs of its next process, if they differ.
    pub(super) next_needs: Option<Needs>,
    pub(super) state: State,
    pub(super) running: BTreeSet<JobId>,
    /// When it was loaded, or its last job left it.
    pub(super) last_active: Time,
    /// When its first job after loading began.
    pub(super) turn_began: Option<Time>,
    /// When it last left the memory.
    pub(super) left_at: Time,
    /// Failures in a row.
    pub(super) failures: u32,
    /// It is not started before.
    pub(super) not_before: Time,
    /// Since when the operator wants it in memory.
    pub(super) wanted: Option<Time>,
    pub(super) pinned: bool,
    pub(super) counts: Counts,
}

/// A program that runs no job would keep its jobs waiting.
fn usable(needs: Needs) -> Needs {
    Needs {
        jobs: needs.jobs.max(1),
        ..needs
    }
}

impl Program {
    pub(super) fn new(needs: Needs) -> Self {
        Self {
            needs: usable(needs),
            next_needs: None,
            state: State::Absent,
            running: BTreeSet::new(),
            last_active: Time::ZERO,
            turn_began: None,
            left_at: Time::ZERO,
            failures: 0,
            not_before: Time::ZERO,
            wanted: None,
            pinned: false,
            counts: Counts::default(),
        }
    }

    /// The current process is gone: what the next one needs counts from now on.
    pub(super) fn take_needs(&mut self) {
        if let Some(needs) = self.next_needs.take() {
            self.needs = usable(needs);
        }
    }

    /// Whether it has failed and is not started again yet.
    pub(super) fn is_recovering(&self, now: Time) -> bool {
        !self.state.keeps() && now < self.not_before
    }
}
