//! The scratch folder, where files are while they are made: how much may lie in it, the room that writers reserve, and
//! the removal of what an interrupted process left there. Live files are deleted by their owners (see
//! [`Received`](crate::Received)). Every writer into the folder holds a [`Reservation`]. Its bytes count until they are
//! written; from then on, the folder itself says how large it is.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::AsyncWriteExt as _,
    sync::Mutex,
    task::spawn_blocking,
    time::{Instant, sleep},
};

/// Folders within folders that are measured.
const DEPTH: usize = 8;
/// Bytes granted at a time, so that the folder is not measured for each write.
const STEP: u64 = 8 << 20;
/// With less room than this, writers get only what they need.
const AMPLE: u64 = 32 * STEP;
/// How long a measurement counts, less what was granted since.
const FRESH: Duration = Duration::from_millis(250);
/// How often a folder is measured that another process writes to.
const WATCH: Duration = Duration::from_millis(200);
/// The room that such a process has between two measurements.
const AHEAD: u64 = 16 << 20;
/// A disk with less free space is full: even a small file may find no room.
const NOTHING: u64 = 256 << 10;

/// How much the scratch folder may hold, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Of all files in the folder together.
    pub most: u64,
    /// Free space that must remain on the disk.
    pub reserve: u64,
}

impl Quota {
    pub const NONE: Self = Self {
        most: u64::MAX,
        reserve: 0,
    };

    /// How many bytes may still be written to `folder`. Blocks while it looks at the folder and the disk.
    fn room(self, folder: &Path) -> io::Result<u64> {
        let own = match self.most {
            u64::MAX => u64::MAX,
            most => most.saturating_sub(used(folder, DEPTH)?),
        };
        let disk = match self.reserve {
            0 => u64::MAX,
            reserve => free(folder)?.saturating_sub(reserve),
        };
        Ok(own.min(disk))
    }
}

/// The scratch folder or a folder in it. All of them share one quota.
#[derive(Debug, Clone)]
pub struct Scratch {
    path: PathBuf,
    /// Whether a writer in this folder found no room.
    found_no_place: Arc<AtomicBool>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    root: PathBuf,
    quota: Quota,
    /// Bytes that were granted and are not written yet.
    granted: AtomicU64,
    /// The room that was left at the last look, and when that was.
    looked: Mutex<Option<(Instant, u64)>>,
    /// Whether no job could begin at the last look.
    is_full: AtomicBool,
}

/// Why nothing can be written to the scratch folder.
#[derive(Debug, thiserror::Error)]
pub enum ScratchError {
    #[error("the scratch folder is full")]
    Full,
    #[error("cannot write to the scratch folder: {0}")]
    Io(#[source] io::Error),
}

impl From<io::Error> for ScratchError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::Io(error),
        }
    }
}

impl Scratch {
    /// The scratch folder at `path`.
    pub fn new(path: impl Into<PathBuf>, quota: Quota) -> Self {
        let root = path.into();
        Self {
            path: root.clone(),
            found_no_place: Arc::default(),
            shared: Arc::new(Shared {
                root,
                quota,
                granted: AtomicU64::new(0),
                looked: Mutex::new(None),
                is_full: AtomicBool::new(false),
            }),
        }
    }

    /// A folder in this one, within the same quota. Does not create it.
    #[must_use]
    pub fn below(&self, name: impl AsRef<Path>) -> Self {
        Self {
            path: self.path.join(name),
            found_no_place: Arc::default(),
            shared: Arc::clone(&self.shared),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The right to write, of no bytes yet.
    pub fn reservation(&self) -> Reservation {
        Reservation {
            found_no_place: Arc::clone(&self.found_no_place),
            shared: Arc::clone(&self.shared),
            left: 0,
        }
    }

    /// Whether a writer in this folder, not in those below it, found no room, or something else noted that.
    pub fn found_no_place(&self) -> bool {
        self.found_no_place.load(Ordering::Relaxed)
    }

    /// Notes that files of this folder found no place: those of another process here, or any in the media storage.
    pub fn note_no_place(&self) {
        self.found_no_place.store(true, Ordering::Relaxed);
    }

    /// Whether the disk itself takes nothing more, whatever the quota is. Blocks while it looks at the disk.
    pub fn is_disk_full(&self) -> bool {
        free(&self.shared.root).is_ok_and(|free| free < NOTHING)
    }

    /// Whether there is room for a job to begin. The log says when this changes.
    pub async fn has_room(&self) -> bool {
        let shared = &self.shared;
        let mut room = Reservation {
            found_no_place: Arc::default(),
            shared: Arc::clone(shared),
            left: 0,
        };
        let least = STEP.min(shared.quota.most / 4);
        // A folder that cannot be measured is the job's problem, which says why.
        let is_full = matches!(room.need(least).await, Err(ScratchError::Full));
        if shared.is_full.swap(is_full, Ordering::Relaxed) != is_full {
            let folder = shared.root.display();
            if is_full {
                tracing::warn!(%folder, "the scratch folder is full: jobs wait in the queue, and uploads are refused");
            } else {
                tracing::info!(%folder, "the scratch folder has room again");
            }
        }
        !is_full
    }

    /// Whether it was full when [`has_room`](Self::has_room) last looked.
    pub fn is_full(&self) -> bool {
        self.shared.is_full.load(Ordering::Relaxed)
    }

    /// Bytes that may still be written to the folder; `None` if that is not limited or cannot be measured.
    pub async fn room(&self) -> Option<u64> {
        let (quota, root) = (self.shared.quota, self.shared.root.clone());
        let room = spawn_blocking(move || quota.room(&root)).await.ok()?.ok()?;
        (room != u64::MAX).then_some(room)
    }

    /// Creates a file in this folder.
    pub async fn create(&self, name: impl AsRef<Path>) -> Result<ScratchFile, ScratchError> {
        Ok(ScratchFile {
            file: tokio::fs::File::create(self.path.join(name)).await?,
            room: self.reservation(),
        })
    }

    /// Writes a whole file in this folder.
    pub async fn write(&self, name: impl AsRef<Path>, bytes: &[u8]) -> Result<(), ScratchError> {
        self.create(name).await?.write(bytes).await
    }

    /// Reserves room for another process that writes to this folder, as it writes. Returns when the room runs out.
    pub async fn until_full(&self) -> ScratchError {
        if self.shared.quota == Quota::NONE {
            return std::future::pending().await;
        }
        let mut room = self.reservation();
        let (mut before, mut written) = (None, 0);
        loop {
            let folder = self.path.clone();
            let size = match spawn_blocking(move || used(&folder, DEPTH)).await {
                Ok(Ok(size)) => size,
                Ok(Err(error)) => return error.into(),
                Err(error) => return io::Error::other(error).into(),
            };
            let so_far = size.saturating_sub(*before.get_or_insert(size));
            room.wrote(so_far.saturating_sub(written));
            written = written.max(so_far);
            let ahead = AHEAD.min(self.shared.quota.most / 4);
            if let Err(error) = room.need(ahead).await {
                return error;
            }
            sleep(WATCH).await;
        }
    }
}

impl Shared {
    /// Takes at least `bytes` out of the room, and says how many.
    async fn grant(&self, bytes: u64) -> Result<u64, ScratchError> {
        if self.quota == Quota::NONE {
            self.granted.fetch_add(bytes, Ordering::Relaxed);
            return Ok(bytes);
        }
        let mut looked = self.looked.lock().await;
        let room = match *looked {
            Some((at, room)) if at.elapsed() < FRESH && room >= bytes => room,
            _ => {
                let (quota, root, at) = (self.quota, self.root.clone(), Instant::now());
                // Read before the folder is measured: what is written meanwhile counts twice rather than not at all.
                let granted = self.granted.load(Ordering::Relaxed);
                let room = spawn_blocking(move || quota.room(&root)).await;
                let room = room.map_err(io::Error::other)??.saturating_sub(granted);
                *looked = Some((at, room));
                room
            }
        };
        if room < bytes {
            return Err(ScratchError::Full);
        }
        // The last of the room goes to those who need it now.
        let amount = if room > AMPLE { STEP.max(bytes) } else { bytes };
        self.granted.fetch_add(amount, Ordering::Relaxed);
        if let Some((_, left)) = looked.as_mut() {
            *left = room.saturating_sub(amount);
        }
        Ok(amount)
    }
}

/// The right to write some bytes into the scratch folder. The unused part is given back when this is dropped.
#[derive(Debug)]
pub struct Reservation {
    found_no_place: Arc<AtomicBool>,
    shared: Arc<Shared>,
    left: u64,
}

impl Reservation {
    /// Makes sure that `bytes` can be written now.
    pub async fn need(&mut self, bytes: u64) -> Result<(), ScratchError> {
        if self.left < bytes {
            let granted = self.shared.grant(bytes - self.left).await;
            if matches!(granted, Err(ScratchError::Full)) {
                self.found_no_place.store(true, Ordering::Relaxed);
            }
            self.left += granted?;
        }
        Ok(())
    }

    /// These bytes are in a file now.
    pub fn wrote(&mut self, bytes: u64) {
        let bytes = bytes.min(self.left);
        self.left -= bytes;
        self.shared.granted.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.wrote(self.left);
    }
}

/// A file in the scratch folder that is being written.
#[derive(Debug)]
pub struct ScratchFile {
    file: tokio::fs::File,
    room: Reservation,
}

impl ScratchFile {
    /// Adds bytes to its end.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), ScratchError> {
        self.room.need(bytes.len() as u64).await?;
        let written = async {
            self.file.write_all(bytes).await?;
            self.file.flush().await
        };
        let written = written.await.map_err(ScratchError::from);
        if matches!(written, Err(ScratchError::Full)) {
            self.room.found_no_place.store(true, Ordering::Relaxed);
        }
        written?;
        self.room.wrote(bytes.len() as u64);
        Ok(())
    }
}

/// Bytes of all files below `folder`. Files come and go meanwhile: one that is gone counts nothing.
fn used(folder: &Path, depth: usize) -> io::Result<u64> {
    let mut sum = 0_u64;
    for entry in fs::read_dir(folder)?.filter_map(Result::ok) {
        let Ok(metadata) = entry.metadata() else { continue };
        let size = if metadata.is_dir() && depth > 0 {
            used(&entry.path(), depth - 1).unwrap_or(0)
        } else {
            metadata.len()
        };
        sum = sum.saturating_add(size);
    }
    Ok(sum)
}

/// Free bytes of the disk that `folder` is on.
#[cfg(unix)]
pub(crate) fn free(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Elsewhere, free space is not measured: a write to a full disk fails by itself.
#[cfg(not(unix))]
pub(crate) fn free(_: &Path) -> io::Result<u64> {
    Ok(u64::MAX)
}

/// Removes the files directly in `folder` that were last written more than `older_than` ago, and returns how many. Age
/// is measured by the folder's own clock, that is, against a file created there now.
pub fn sweep(folder: &Path, older_than: Duration) -> io::Result<usize> {
    let now = tempfile::tempfile_in(folder)?.metadata()?.modified()?;
    let mut removed = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        let age = now.duration_since(metadata.modified()?).unwrap_or_default();
        if metadata.is_file() && age >= older_than {
            fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests;
