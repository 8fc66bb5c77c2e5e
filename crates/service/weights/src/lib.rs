//! Weights of trained models: the index of what can be had, the store on disk, and pulls from one to the other.

mod archive;
mod check;
mod depot;
mod download;
mod entry;
mod error;
mod gc;
mod import;
mod index;
mod lease;
mod licence;
mod locks;
mod meter;
mod pack;
mod part;
mod pin;
mod place;
mod pull;
mod pulls;
mod source;
mod store;
mod verify;

pub use check::{is_digest, is_name};
pub use depot::Depot;
pub use download::{Downloader, Options, Proxies};
pub use entry::{
    ArchiveKind, Entry, File, Kind, Member, Needs, Pin, SERVICE_TASKS, Serves, Status, Table, this_target,
};
pub use error::{Error, Result, bytes};
pub use gc::Removed;
pub use import::{Find, Imported, Incomplete, Recognised};
pub use index::{Index, IndexError, parse};
pub use lease::{Holder, Lease};
pub use licence::{Commercial, Licence, Policy};
pub use meter::{Meter, Step};
pub use pack::Packed;
pub use pin::{Outcome, Pinned, pin};
pub use place::{NoPreparation, Prepare, Step as PrepareStep};
pub use pull::{Plan, Puller, Runs, to_accept};
pub use pulls::{PullStatus, Pulls, State};
pub use source::{HUB, Source};
pub use store::{Installed, Placed, Store};
pub use verify::{Damaged, DiskFault, Verified};
