//! Devices and programs that come after the others, and other versions of programs.

use super::{Device, DeviceId, Needs, Program, ProgramId, Scheduler, program::State};

impl Scheduler {
    /// Adds a device, after those that are there.
    pub fn add_device(&mut self, device: Device) -> DeviceId {
        self.devices.push(device);
        self.devices.len() - 1
    }

    /// Adds a program, after those that are there.
    pub fn add_program(&mut self, needs: Needs) -> ProgramId {
        self.programs.push(Program::new(needs));
        self.programs.len() - 1
    }

    /// Changes what a program needs. It counts as soon as the current process is gone, which
    /// [`super::Event::Renew`] sees to.
    pub fn set_needs(&mut self, id: ProgramId, needs: Needs) {
        let program = &mut self.programs[id];
        program.next_needs = Some(needs);
        if !program.state.holds() {
            program.take_needs();
        }
    }

    /// Ends what runs of an earlier version: at once while it loads, otherwise after its jobs.
    pub(super) fn renew(&mut self, id: ProgramId) {
        let program = &mut self.programs[id];
        match program.state {
            State::Resident => program.state = State::Draining,
            // The room that it was promised may be too small.
            State::MakingRoom => program.state = State::Absent,
            State::Loading => self.kill(id),
            State::Absent | State::Draining | State::Stopping => {}
        }
    }
}
