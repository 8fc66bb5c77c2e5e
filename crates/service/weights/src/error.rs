//! Why something could not be done with weights. Every message says what to do next.

use std::{io, path::Path, time::Duration};

use crate::index::IndexError;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("unknown model `{0}`; `atelier models list --all` lists what can be pulled")]
    Unknown(String),
    #[error("`{0}` is not here; `atelier models pull {0}` downloads it")]
    NotHere(String),
    #[error(
        "`{name}` cannot be pulled: size or digest of `{file}` is not known; `atelier models lock {name}` looks them up"
    )]
    NotPinned { name: String, file: String },
    #[error("`{name}` is for {target}, and not for {wanted}; use --for {target} --to FILE")]
    OtherTarget {
        name: String,
        target: String,
        wanted: String,
    },
    #[error("`models.offline` is on: {0} is not downloaded; use `atelier models import`")]
    Offline(String),
    #[error("the licence of `{name}` is not allowed by `models.licences`: {licence}")]
    LicenceRefused { name: String, licence: String },
    #[error("the licence of `{name}` must be accepted first: {licence}")]
    NotAccepted { name: String, licence: String },
    #[error("{path} is a folder of your own: rename it, or name the entry otherwise")]
    InTheWay { path: String },
    #[error("`{name}` is used by {by}; remove that first")]
    Used { name: String, by: String },
    #[error("`{name}` is in use by {by}; wait until its job ends, or use `atelier models rm {name} --force`")]
    Leased { name: String, by: String },
    #[error("a pull or an import is in progress; run this again after it")]
    Busy,
    #[error("nodes share no files: that requires `models.share = \"on\"`, and `media.url` in a bucket")]
    NotShared,
    #[error("the bucket with the files of the nodes: {0}")]
    Shared(String),
    #[error("{needed} are missing on the disk of {path}: {missing} are needed, and {free} are free")]
    NoSpace {
        path: String,
        needed: String,
        missing: String,
        free: String,
    },
    #[error("`models.max_gb` is {limit}: {here} are here, and {missing} more are needed; {hint}")]
    Quota {
        limit: String,
        here: String,
        missing: String,
        hint: String,
    },
    #[error("the disk of {path} is full; what was downloaded is kept: make room and pull again")]
    DiskFull { path: String },
    #[error("{url}: {reason}")]
    Source { url: String, reason: String },
    #[error(
        "{host} refuses access to `{name}` (status {status}). {page} shows the conditions; after you accepted them, \
         set the token of your account in `models.token_file` or in HF_TOKEN"
    )]
    Gated {
        name: String,
        host: String,
        status: u16,
        page: String,
    },
    #[error("{url} does not answer: {reason}; what was downloaded is kept, and `pull` goes on from there")]
    Unreachable { url: String, reason: String },
    #[error(
        "{url} asks to wait for {} minutes; what was downloaded is kept, and `pull` goes on from there",
        .wait.as_secs() / 60
    )]
    Wait { url: String, wait: Duration },
    #[error("{url} serves other bytes than the index says: SHA-256 {found} instead of {expected}")]
    WrongBytes {
        url: String,
        found: String,
        expected: String,
    },
    #[error("{archive}: {reason}")]
    Archive { archive: String, reason: String },
    #[error("`{file}` cannot be prepared: {reason}")]
    Prepare { file: String, reason: String },
    #[error("{0}")]
    Invalid(String),
    #[error("{0}")]
    Index(#[from] IndexError),
    #[error("{path}: {source}")]
    Io { path: String, source: io::Error },
    #[error("the HTTP client cannot be set up: {0}")]
    Client(String),
}

impl Error {
    /// The code for scripts.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unknown(_) | Self::NotHere(_) => "not_found",
            Self::NotPinned { .. } => "not_pinned",
            Self::OtherTarget { .. } => "other_target",
            Self::Offline(_) => "offline",
            Self::LicenceRefused { .. } => "licence_refused",
            Self::NotAccepted { .. } => "licence_not_accepted",
            Self::Used { .. } | Self::Leased { .. } | Self::Busy => "in_use",
            Self::NoSpace { .. } | Self::DiskFull { .. } => "disk_full",
            Self::Quota { .. } => "quota",
            Self::Gated { .. } => "gated",
            Self::Unreachable { .. } | Self::Wait { .. } => "network",
            Self::Source { .. } | Self::WrongBytes { .. } => "wrong_source",
            _ => "failed",
        }
    }

    /// Whether the same pull may succeed later without anybody changing anything.
    pub const fn is_temporary(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Wait { .. })
    }
}

/// Names the path of a failed file operation; a full disk is an error of its own.
pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
    move |source| match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Error::DiskFull {
                path: path.display().to_string(),
            }
        }
        _ => Error::Io {
            path: path.display().to_string(),
            source,
        },
    }
}

/// A number of bytes for people.
pub fn bytes(count: u64) -> String {
    match count {
        0..1_000_000 => format!("{:.0} kB", (count as f64 / 1e3).ceil()),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.2} GB", count as f64 / 1e9),
    }
}
