//! Makes room for programs that have jobs and are not in memory.

use std::collections::BTreeSet;

use super::{Action, DeviceId, ProgramId, Scheduler, State, Time};

impl Scheduler {
    /// Since when a program is wanted that is not in memory: its oldest job's arrival, but not before it last left the
    /// memory, so that programs take turns.
    pub(super) fn wanted_since(&self, id: ProgramId) -> Option<Time> {
        let program = &self.programs[id];
        let job = self.waiting.iter().find(|job| job.program == id);
        let pinned = program.pinned.then_some(program.left_at);
        let since = [job.map(|job| job.since), program.wanted, pinned];
        let since = since.into_iter().flatten().min()?;
        Some(since.max(program.left_at))
    }

    /// Starts programs for which there is room, and makes room for others.
    pub(super) fn place(&mut self) {
        let mut wanted: Vec<(Time, ProgramId)> = Vec::new();
        for id in 0..self.programs.len() {
            let program = &self.programs[id];
            match (program.state, self.wanted_since(id)) {
                (State::MakingRoom, None) => self.programs[id].state = State::Absent,
                (State::Absent, Some(since))
                    if self.now >= program.not_before && self.too_large(id).is_none() =>
                {
                    wanted.push((since, id));
                }
                _ => {}
            }
        }
        wanted.sort_unstable();
        // Devices whose room is for a program that has waited for a turn.
        let mut reserved: BTreeSet<DeviceId> = BTreeSet::new();
        for (since, id) in wanted {
            let devices: Vec<DeviceId> = self.devices_of(id);
            if devices.iter().any(|device| reserved.contains(device)) {
                continue;
            }
            let is_due = since + self.rules.turn <= self.now;
            match self.victims(id, is_due) {
                Some(victims) => {
                    for victim in victims {
                        self.evict(victim);
                    }
                    self.programs[id].state = State::MakingRoom;
                }
                None if is_due => reserved.extend(devices),
                None => {}
            }
        }
        for id in 0..self.programs.len() {
            if self.programs[id].state == State::MakingRoom && self.has_room(id) {
                let program = &mut self.programs[id];
                program.state = State::Loading;
                program.counts.loads += 1;
                self.actions.push(Action::Start(id));
            }
        }
    }

    fn devices_of(&self, id: ProgramId) -> Vec<DeviceId> {
        let memory = self.programs[id].needs.memory.iter();
        memory.map(|(device, _)| *device).collect()
    }

    /// Whether the memory that a program needs is free now.
    fn has_room(&self, id: ProgramId) -> bool {
        let mut needs = self.programs[id].needs.memory.iter();
        needs.all(|&(device, bytes)| self.held(device) + bytes <= self.devices[device].budget)
    }

    /// The programs that leave for this one, none if there is room already. `None`: there is no room for it yet.
    /// `is_due`: programs with jobs leave too, if they have had a turn.
    fn victims(&self, id: ProgramId, is_due: bool) -> Option<Vec<ProgramId>> {
        let short = |victims: &[ProgramId]| {
            let memory = self.programs[id].needs.memory.iter();
            let mut short = memory.filter(|&&(device, bytes)| {
                let kept: u64 = (self.programs.iter().enumerate())
                    .filter(|(other, program)| program.state.keeps() && !victims.contains(other))
                    .map(|(_, program)| program.needs.on(device))
                    .sum();
                kept + bytes > self.devices[device].budget
            });
            short.next().map(|(device, _)| *device)
        };
        let candidates = self.candidates(is_due);
        let mut victims = Vec::new();
        while let Some(device) = short(&victims) {
            let mut others = candidates.iter().filter(|other| !victims.contains(other));
            let victim = others.find(|other| self.programs[**other].needs.on(device) > 0)?;
            victims.push(*victim);
        }
        // Programs that need not leave stay.
        for candidate in victims.clone() {
            let others: Vec<_> = victims.iter().copied().filter(|id| *id != candidate).collect();
            if short(&others).is_none() {
                victims = others;
            }
        }
        Some(victims)
    }

    /// The programs that may leave, in the order in which they do: idle ones, the least recently used first, then
    /// those with jobs that have had a turn, the longest turn first.
    fn candidates(&self, is_due: bool) -> Vec<ProgramId> {
        let all = 0..self.programs.len();
        let mut idle: Vec<_> = all
            .clone()
            .filter(|id| self.has_idled(*id, self.rules.linger))
            .collect();
        idle.sort_by_key(|id| self.programs[*id].last_active);
        let had_turn = |id: &ProgramId| {
            let program = &self.programs[*id];
            let began = program
                .turn_began
                .filter(|_| !program.pinned && program.state == State::Resident);
            began.is_some_and(|began| began + self.rules.turn <= self.now)
        };
        let mut busy: Vec<_> = all
            .filter(|id| is_due && !idle.contains(id) && had_turn(id))
            .collect();
        busy.sort_by_key(|id| self.programs[*id].turn_began);
        idle.extend(busy);
        idle
    }

    fn evict(&mut self, id: ProgramId) {
        let program = &mut self.programs[id];
        program.state = State::Draining;
        program.counts.evictions += 1;
    }
}
