//! Programs that come after the others were made, and other versions of them.

use std::sync::{Arc, PoisonError};

use super::{Program, Programs};
use crate::{
    Description,
    scheduler::{Device, DeviceId, Event},
};

impl Programs {
    /// The place of the device of this name, which is added with this budget if there is none.
    pub fn device(&self, device: Device) -> DeviceId {
        let mut state = self.0.lock();
        let known = state.scheduler.devices().iter();
        let place = known.clone().position(|known| known.name == device.name);
        place.unwrap_or_else(|| state.scheduler.add_device(device))
    }

    /// Adds a program. In its `needs`, devices are places that [`Self::device`] has returned.
    pub fn add(&self, program: Description) -> Program {
        let last_load = self.0.history.last_load(&program.name);
        let mut descriptions = self
            .0
            .descriptions
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let mut state = self.0.lock();
        let id = state.scheduler.add_program(program.needs.clone());
        state.processes.push(None);
        state.last_loads.push(last_load);
        state.last_failures.push(None);
        descriptions.push(Arc::new(program));
        Program {
            programs: self.clone(),
            id,
        }
    }

    /// Replaces the program of this name by another version. A process of the earlier one ends after its running jobs;
    /// the next jobs, and those that wait, get the new one. In its `needs`, devices are as in [`Self::add`].
    pub fn renew(&self, program: Description) {
        let Some(Program { id, .. }) = self.program(&program.name) else {
            return;
        };
        {
            let mut descriptions = self
                .0
                .descriptions
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            self.0.lock().scheduler.set_needs(id, program.needs.clone());
            descriptions[id] = Arc::new(program);
        }
        self.0.tell(Event::Renew(id));
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.count() == 0
    }
}
