//! Stored files in a folder of this machine: `ab/abcdef….png`, one folder per first two digits of the name.
//! A file appears under its name complete or not at all, and survives a crash once a put has returned.

use std::{
    fs::{self, File},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use atelier_domain::FileName;
use bytes::Bytes;
use futures_util::{Stream, stream};

use super::BlobError;
use crate::scratch;

/// Holds files until they are completely copied.
const STAGING: &str = ".staging";
/// The remains of a crashed copy are removed at the next start if they are this old.
const STALE: Duration = Duration::from_hours(24);
/// How long no further files are made after one found no room.
const NO_ROOM: Duration = Duration::from_mins(1);
/// Bytes read at a time.
const CHUNK: usize = 128 * 1024;

pub(super) struct Folder {
    root: PathBuf,
    /// One for each shard: `true` once this process knows that the shard's directory is on disk. The lock makes a put
    /// that finds its file present wait for the put that is still making it durable.
    shards: Vec<Mutex<bool>>,
    /// The bytes of the largest file that found no room lately, and when the last one did not.
    without_room: Mutex<Option<(u64, Instant)>>,
}

impl Folder {
    pub(super) fn open(root: &Path) -> io::Result<Self> {
        let staging = root.join(STAGING);
        fs::create_dir_all(&staging)?;
        scratch::sweep(&staging, STALE)?;
        Ok(Self {
            root: root.to_owned(),
            shards: (0..256).map(|_| Mutex::new(false)).collect(),
            without_room: Mutex::new(None),
        })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn path(&self, name: &FileName) -> PathBuf {
        self.shard_path(name).join(name.as_str())
    }

    fn shard_path(&self, name: &FileName) -> PathBuf {
        self.root.join(&name.as_str()[..2])
    }

    pub(super) fn put_file(&self, source: &Path, name: &FileName) -> Result<(), BlobError> {
        if self.present(name)? {
            return Ok(());
        }
        // A symbolic link at `source` would store another file under this name.
        if !fs::symlink_metadata(source).map_err(unreadable)?.is_file() {
            return Err(BlobError::Storage(
                format!("{} is no plain file", source.display()).into(),
            ));
        }
        let file = File::open(source).map_err(unreadable)?;
        seal(&file)?;
        let size = file.metadata()?.len();
        self.publish((name, size), |target| match fs::hard_link(source, target) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !full(&error) => {
                // Another file system, or one without hard links.
                self.copy_in(&mut &file, target)
            }
            other => other,
        })
    }

    pub(super) fn put_bytes(&self, bytes: &[u8], name: &FileName) -> Result<(), BlobError> {
        if self.present(name)? {
            return Ok(());
        }
        self.publish((name, bytes.len() as u64), |target| {
            self.copy_in(&mut &*bytes, target)
        })
    }

    pub(super) fn open_file(&self, name: &FileName) -> Result<(File, u64), BlobError> {
        let file = File::open(self.path(name))?;
        let size = file.metadata()?.len();
        Ok((file, size))
    }

    pub(super) fn size(&self, name: &FileName) -> Result<u64, BlobError> {
        Ok(fs::metadata(self.path(name))?.len())
    }

    pub(super) fn delete(&self, name: &FileName) -> Result<(), BlobError> {
        Ok(fs::remove_file(self.path(name))?)
    }

    pub(super) fn check(&self) -> Result<(), BlobError> {
        let mut file = tempfile::tempfile_in(self.root.join(STAGING)).map_err(unreadable)?;
        file.write_all(b"ready").map_err(unreadable)
    }

    /// A file of this many bytes found no room.
    pub(super) fn found_no_room(&self, size: u64, now: Instant) {
        let mut without_room = self.without_room();
        let largest = without_room.map_or(size, |(largest, _)| largest.max(size));
        *without_room = Some((largest, now));
    }

    /// The bytes of the largest file that found no room within the last minute. Then it may be tried again: smaller
    /// ones must not wait for it for ever.
    pub(super) fn lacks_room_for(&self, now: Instant) -> Option<u64> {
        let (largest, since) = (*self.without_room())?;
        (now.saturating_duration_since(since) < NO_ROOM).then_some(largest)
    }

    /// Fails if that file still would not fit.
    pub(super) fn check_room(&self, now: Instant) -> Result<(), BlobError> {
        if let Some(largest) = self.lacks_room_for(now)
            && scratch::free(&self.root).map_err(unreadable)? < largest
        {
            return Err(BlobError::DiskFull);
        }
        *self.without_room() = None;
        Ok(())
    }

    fn without_room(&self) -> MutexGuard<'_, Option<(u64, Instant)>> {
        self.without_room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the file is stored durably.
    fn present(&self, name: &FileName) -> Result<bool, BlobError> {
        let target = self.path(name);
        if !target.try_exists()? {
            return Ok(false);
        }
        let mut durable = self.shard(name).lock().unwrap_or_else(PoisonError::into_inner);
        if !*durable {
            // A process that died after naming the file may not have made the name durable.
            self.sync_directories(name, false)?;
            *durable = true;
        }
        // The file may have been deleted in the meantime.
        Ok(target.try_exists()?)
    }

    /// Gives the file, which has so many bytes, its name with `link`, then makes that name durable.
    fn publish(
        &self,
        (name, size): (&FileName, u64),
        link: impl Fn(&Path) -> io::Result<()>,
    ) -> Result<(), BlobError> {
        let target = self.path(name);
        let mut durable = self.shard(name).lock().unwrap_or_else(PoisonError::into_inner);
        // If a step fails, nothing is known about the directory.
        let mut known = std::mem::take(&mut *durable);
        match fs::create_dir(self.shard_path(name)) {
            Ok(()) => known = false,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(unreadable(error)),
        }
        match link(&target) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                if full(&error) {
                    self.found_no_room(size, Instant::now());
                }
                return Err(unreadable(error));
            }
            Ok(()) => {}
        }
        self.sync_directories(name, known).map_err(unreadable)?;
        *durable = true;
        Ok(())
    }

    /// Makes a new name durable: syncs its directory, and the one above unless the shard is `known` to be in it.
    fn sync_directories(&self, name: &FileName, known: bool) -> io::Result<()> {
        File::open(self.shard_path(name))?.sync_all()?;
        if known {
            Ok(())
        } else {
            File::open(&self.root)?.sync_all()
        }
    }

    fn copy_in(&self, source: &mut dyn io::Read, target: &Path) -> io::Result<()> {
        let mut staged = tempfile::NamedTempFile::new_in(self.root.join(STAGING))?;
        io::copy(source, staged.as_file_mut())?;
        seal(staged.as_file())?;
        staged.persist_noclobber(target).map_err(|error| error.error)?;
        Ok(())
    }

    fn shard(&self, name: &FileName) -> &Mutex<bool> {
        let index = usize::from_str_radix(&name.as_str()[..2], 16).unwrap_or(0);
        &self.shards[index]
    }
}

/// The bytes of a range, read in chunks on a thread that may block.
pub(super) fn stream(
    file: File,
    range: Range<u64>,
) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    stream::try_unfold((file, range.start, range.end), |(mut file, at, end)| async move {
        if at >= end {
            return Ok(None);
        }
        let read = tokio::task::spawn_blocking(move || {
            let wanted = usize::try_from(end - at).unwrap_or(CHUNK).min(CHUNK);
            let mut chunk = vec![0; wanted];
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut chunk)?;
            Ok::<_, io::Error>((Bytes::from(chunk), file))
        });
        let (chunk, file) = read.await.map_err(io::Error::other)??;
        let next = at + chunk.len() as u64;
        Ok(Some((chunk, (file, next, end))))
    })
}

/// Syncs a file to the disk and makes it read-only, because it never changes.
fn seal(file: &File) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    #[cfg(unix)]
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o444);
    #[cfg(not(unix))]
    permissions.set_readonly(true);
    file.set_permissions(permissions)?;
    file.sync_all()
}

fn full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// Converts an error while writing. "Not found" here means a broken folder, not a missing file.
fn unreadable(error: io::Error) -> BlobError {
    if full(&error) {
        BlobError::DiskFull
    } else {
        BlobError::Storage(Box::new(error))
    }
}
