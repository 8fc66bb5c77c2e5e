//! Programs that this node starts for its engines: what operators see of them, and what they change.

pub use atelier_engines::{DeviceState, ProgramState, Residence};

use crate::{App, Error, Operator, Result, audit};

/// The programs of this node, and the devices that they share.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramList {
    pub devices: Vec<DeviceState>,
    pub programs: Vec<ProgramState>,
}

/// A change to a program that an operator requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramChange {
    /// It is loaded as soon as there is room.
    Load,
    /// It ends its running jobs and stops. The next job loads it again.
    Unload,
    /// It is loaded, and stays in memory.
    Pin,
    /// Others may have its memory again.
    Unpin,
}

impl ProgramChange {
    /// The change of this name, as it is in paths.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "load" => Self::Load,
            "unload" => Self::Unload,
            "pin" => Self::Pin,
            "unpin" => Self::Unpin,
            _ => return None,
        })
    }

    const fn action(self) -> &'static str {
        match self {
            Self::Load => "program.load",
            Self::Unload => "program.unload",
            Self::Pin => "program.pin",
            Self::Unpin => "program.unpin",
        }
    }
}

impl App {
    /// The programs of this node in the order of the configuration. Empty lists if it starts none.
    pub fn programs(&self, _: &Operator) -> ProgramList {
        let Some(programs) = self.routes().programs() else {
            return ProgramList::default();
        };
        ProgramList {
            devices: programs.devices(),
            programs: programs.states(),
        }
    }

    /// Loads, unloads or pins a program of this node. The change is recorded, and happens soon afterwards. A program
    /// that does not fit is refused.
    pub async fn change_program(&self, operator: &Operator, name: &str, change: ProgramChange) -> Result<()> {
        let program = self.routes().programs().and_then(|all| all.program(name));
        let program = program
            .ok_or_else(|| Error::NotFound(format!("no engine of this node starts the program `{name}`")))?;
        let needs_room = matches!(change, ProgramChange::Load | ProgramChange::Pin);
        if let Some(why) = program.state().too_large.filter(|_| needs_room) {
            return Err(Error::invalid(why.to_string()));
        }
        let record = audit::record(self.now(), &operator.actor(), change.action(), None, name);
        self.store().record(record).await?;
        let changed = match change {
            ProgramChange::Load => program.load(),
            ProgramChange::Pin => program.pin(true),
            ProgramChange::Unpin => program.pin(false),
            ProgramChange::Unload => {
                program.unload();
                Ok(())
            }
        };
        // Another program was pinned meanwhile.
        changed.map_err(|why| Error::invalid(why.to_string()))
    }
}
