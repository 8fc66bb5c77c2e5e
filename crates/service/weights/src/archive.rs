//! Unpacks the archives of runtimes: regular files with plain names inside the target, nothing else.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use crate::{
    check::is_relative,
    entry::{ArchiveKind, Member},
    error::{Error, Result, at},
};

/// The largest archive, unpacked.
const MOST_BYTES: u64 = 8 << 30;
const MOST_FILES: usize = 20_000;

/// An unpacked file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unpacked {
    /// Its path in the target folder.
    pub(crate) name: String,
    /// The digest that the entry names, if it does.
    pub(crate) sha256: Option<String>,
    pub(crate) executable: bool,
}

/// Unpacks the named members, or every regular file if none is named, into an empty folder. Links, devices, absolute
/// paths and `..` are refused if they are named; otherwise they are left out, or refuse the archive if they lead out
/// of the folder.
pub(crate) fn unpack(
    path: &Path,
    kind: ArchiveKind,
    members: &[Member],
    target: &Path,
) -> Result<Vec<Unpacked>> {
    let mut unpacking = Unpacking {
        members,
        target,
        left: MOST_BYTES,
        done: Vec::new(),
    };
    let file = File::open(path).map_err(at(path))?;
    let found = match kind {
        ArchiveKind::Zip => unpacking.zip(file),
        ArchiveKind::TarGz => unpacking.tar_gz(file),
    };
    let name = || {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    found.map_err(|fault| match fault {
        Fault::Invalid(reason) => Error::Archive {
            archive: name(),
            reason,
        },
        Fault::Io(error) if is_of_disk(&error) => at(target)(error),
        Fault::Io(error) => Error::Archive {
            archive: name(),
            reason: error.to_string(),
        },
    })?;
    let missing = members.iter().find(|member| {
        let name = member.name.as_deref().unwrap_or(&member.path);
        !unpacking.done.iter().any(|done| done.name == name)
    });
    match missing {
        Some(member) => Err(Error::Archive {
            archive: name(),
            reason: format!("there is no regular file `{}` in it", member.path),
        }),
        None => Ok(unpacking.done),
    }
}

enum Fault {
    Invalid(String),
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<zip::result::ZipError> for Fault {
    fn from(error: zip::result::ZipError) -> Self {
        match error {
            zip::result::ZipError::Io(error) => Self::Io(error),
            other => Self::Invalid(other.to_string()),
        }
    }
}

fn is_of_disk(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

struct Unpacking<'a> {
    members: &'a [Member],
    target: &'a Path,
    /// How many bytes may still come.
    left: u64,
    done: Vec<Unpacked>,
}

impl Unpacking<'_> {
    fn zip(&mut self, file: File) -> Result<(), Fault> {
        let mut archive = zip::ZipArchive::new(file)?;
        for place in 0..archive.len() {
            let member = archive.by_index(place)?;
            let name = member.name()?.into_owned();
            let mode = member.unix_mode().unwrap_or(0o644);
            // The upper bits say what kind of file it was.
            let regular = member.is_file() && matches!(mode & 0o170_000, 0 | 0o100_000);
            self.member(&name, regular, mode, member)?;
        }
        Ok(())
    }

    fn tar_gz(&mut self, file: File) -> Result<(), Fault> {
        let mut archive = tar::Archive::new(flate2::read::MultiGzDecoder::new(file));
        for member in archive.entries()? {
            let member = member?;
            let name = String::from_utf8_lossy(&member.path_bytes()).into_owned();
            let regular = member.header().entry_type().is_file();
            let mode = member.header().mode().unwrap_or(0o644);
            self.member(&name, regular, mode, member)?;
        }
        Ok(())
    }

    fn member(&mut self, path: &str, regular: bool, mode: u32, content: impl Read) -> Result<(), Fault> {
        let path = path.trim_start_matches("./");
        if path.is_empty() || path.ends_with('/') {
            return Ok(());
        }
        if path.starts_with(['/', '\\']) || path.contains('\\') || path.split('/').any(|part| part == "..") {
            return Err(Fault::Invalid(format!("`{path}` leads out of the folder")));
        }
        let named = self.members.iter().find(|member| member.path == path);
        if !self.members.is_empty() && named.is_none() {
            return Ok(());
        }
        if !regular {
            return match named {
                Some(_) => Err(Fault::Invalid(format!("`{path}` is a link or a device"))),
                None => Ok(()),
            };
        }
        let name = named.and_then(|member| member.name.as_deref()).unwrap_or(path);
        if !is_relative(name) {
            // Without a list, files of no use to a runtime may have any names.
            return match named {
                Some(_) => Err(Fault::Invalid(format!("`{name}` is not a plain name"))),
                None => Ok(()),
            };
        }
        if self.done.len() == MOST_FILES {
            return Err(Fault::Invalid(format!(
                "there are more than {MOST_FILES} files in it"
            )));
        }
        self.write(name, content)?;
        self.done.push(Unpacked {
            name: name.to_owned(),
            sha256: named.and_then(|member| member.sha256.clone()),
            executable: named.map_or(mode & 0o100 != 0, |member| member.executable),
        });
        Ok(())
    }

    fn write(&mut self, name: &str, content: impl Read) -> Result<(), Fault> {
        let target = self.target.join(name);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = File::create_new(&target)?;
        let copied = io::copy(&mut content.take(self.left + 1), &mut file)?;
        self.left = self.left.checked_sub(copied).ok_or_else(|| {
            Fault::Invalid(format!(
                "it has more than {} when unpacked",
                crate::bytes(MOST_BYTES)
            ))
        })?;
        file.sync_all()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn member(path: &str) -> Member {
        Member {
            path: path.to_owned(),
            name: None,
            sha256: None,
            executable: false,
        }
    }

    fn zip_of(folder: &Path, files: &[(&str, &[u8])]) -> std::path::PathBuf {
        let path = folder.join("a.zip");
        let mut writer = zip::ZipWriter::new(File::create(&path).unwrap());
        for (name, bytes) in files {
            let options = zip::write::SimpleFileOptions::default().unix_permissions(0o4755);
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap();
        path
    }

    fn tar_of(folder: &Path, fill: impl FnOnce(&mut tar::Builder<Vec<u8>>)) -> std::path::PathBuf {
        let path = folder.join("a.tar.gz");
        let mut builder = tar::Builder::new(Vec::new());
        fill(&mut builder);
        let mut gz = flate2::write::GzEncoder::new(File::create(&path).unwrap(), flate2::Compression::fast());
        gz.write_all(&builder.into_inner().unwrap()).unwrap();
        gz.finish().unwrap();
        path
    }

    /// A header whose path is not checked by the writer.
    fn header(path: &str, kind: tar::EntryType, size: u64) -> tar::Header {
        let mut header = tar::Header::new_gnu();
        header.as_mut_bytes()[..path.len()].copy_from_slice(path.as_bytes());
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_mode(0o755);
        header.set_cksum();
        header
    }

    #[test]
    fn named_members_are_unpacked_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = zip_of(folder.path(), &[("lib/a.so", b"a"), ("lib/b.so", b"b")]);
        let target = folder.path().join("target");
        let renamed = Member {
            name: Some("liba.so".to_owned()),
            ..member("lib/a.so")
        };
        let done = unpack(&path, ArchiveKind::Zip, &[renamed], &target).unwrap();
        assert_eq!(done.len(), 1);
        assert_eq!(fs::read(target.join("liba.so")).unwrap(), b"a");
        assert!(!target.join("lib").exists());
        let error = unpack(&path, ArchiveKind::Zip, &[member("lib/c.so")], &target).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.zip: there is no regular file `lib/c.so` in it"
        );
    }

    #[test]
    fn a_file_outside_the_folder_refuses_the_archive() {
        for name in ["../evil", "lib/../../evil", "/etc/evil", "..\\evil"] {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("target");
            let path = zip_of(folder.path(), &[("good", b"x"), (name, b"x")]);
            let error = unpack(&path, ArchiveKind::Zip, &[], &target)
                .unwrap_err()
                .to_string();
            assert!(error.contains("leads out of the folder"), "{name}: {error}");
            let path = tar_of(folder.path(), |tar| {
                tar.append(&header(name, tar::EntryType::Regular, 1), &b"x"[..])
                    .unwrap();
            });
            fs::remove_dir_all(&target).unwrap();
            let error = unpack(&path, ArchiveKind::TarGz, &[], &target)
                .unwrap_err()
                .to_string();
            assert!(error.contains("leads out of the folder"), "{name}: {error}");
            assert!(!folder.path().join("evil").exists());
        }
    }

    #[test]
    fn links_are_left_out_and_special_bits_are_dropped() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        let path = tar_of(folder.path(), |tar| {
            for kind in [tar::EntryType::Symlink, tar::EntryType::Link] {
                let mut link = header("lib/link", kind, 0);
                link.set_link_name("/etc/passwd").unwrap();
                link.set_cksum();
                tar.append(&link, io::empty()).unwrap();
            }
            let mut program = header("bin/program", tar::EntryType::Regular, 1);
            program.set_mode(0o4755);
            program.set_cksum();
            tar.append(&program, &b"x"[..]).unwrap();
        });
        let done = unpack(&path, ArchiveKind::TarGz, &[], &target).unwrap();
        assert_eq!(done.len(), 1);
        assert!(done[0].executable && done[0].name == "bin/program");
        let mode = fs::metadata(target.join("bin/program"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o7000, 0);
        fs::remove_dir_all(&target).unwrap();
        let error = unpack(&path, ArchiveKind::TarGz, &[member("lib/link")], &target).unwrap_err();
        assert_eq!(error.to_string(), "a.tar.gz: `lib/link` is a link or a device");
    }

    #[test]
    fn a_bomb_is_refused_when_the_limit_is_reached() {
        let folder = tempfile::tempdir().unwrap();
        let mut unpacking = Unpacking {
            members: &[],
            target: folder.path(),
            left: 1000,
            done: Vec::new(),
        };
        unpacking.member("a", true, 0o644, &[0; 600][..]).ok().unwrap();
        let fault = unpacking.member("b", true, 0o644, io::repeat(0)).err().unwrap();
        assert!(matches!(fault, Fault::Invalid(reason) if reason.contains("when unpacked")));
        assert_eq!(fs::metadata(folder.path().join("b")).unwrap().len(), 401);
    }
}
