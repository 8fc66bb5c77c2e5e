//! Devices and programs that come after the others.

use super::{Device, DeviceId, Needs, Program, ProgramId, Scheduler};

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
}
