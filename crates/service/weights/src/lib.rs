//! Weights of trained models: the index of what can be had, as data.

mod check;
mod entry;
mod index;
mod licence;
mod source;

pub use check::{is_digest, is_name};
pub use entry::{
    ArchiveKind, Entry, File, Kind, Member, Needs, Pin, SERVICE_TASKS, Serves, Status, Table, this_target,
};
pub use index::{Index, IndexError, parse};
pub use licence::{Commercial, Licence, Policy};
pub use source::{HUB, Source};
