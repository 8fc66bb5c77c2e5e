//! Packs: one tar file with everything that some models need, for machines without a network.
//!
//! The first member is `atelier-models.json` with the entries; each further one is `blobs/sha256-HEX`.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{
    check,
    entry::{Entry, Pin},
    error::{Error, Result, at},
    place::pin_of,
    store::{Store, sync, write_whole},
};

const HEAD: &str = "atelier-models.json";
/// The list of entries is read into memory.
const MOST_HEAD: u64 = 16 << 20;

#[derive(Debug, Serialize, Deserialize)]
struct Head {
    version: u32,
    entries: Vec<Entry>,
}

/// The contents of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Packed {
    pub entries: Vec<String>,
    pub files: usize,
    pub bytes: u64,
}

/// Writes a pack of these entries, whose blobs must be here.
pub(crate) fn write(store: &Store, entries: &[Entry], path: &Path) -> Result<Packed> {
    let mut pins: BTreeMap<String, Pin> = BTreeMap::new();
    for file in entries.iter().flat_map(|entry| &entry.files) {
        let pin = pin_of(store, file)?;
        pins.insert(pin.sha256.clone(), pin);
    }
    let head = Head {
        version: 1,
        entries: entries.to_vec(),
    };
    let temporary = path.with_extension("part");
    let file = File::create(&temporary).map_err(at(&temporary))?;
    let mut tar = tar::Builder::new(io::BufWriter::with_capacity(1 << 20, file));
    let text = serde_json::to_vec_pretty(&head).map_err(|error| Error::Invalid(error.to_string()))?;
    let mut append = |name: &str, size: u64, content: &mut dyn Read| {
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, content)
            .map_err(at(&temporary))
    };
    append(HEAD, text.len() as u64, &mut text.as_slice())?;
    for pin in pins.values() {
        let blob = store.blob(&pin.sha256);
        let mut file = File::open(&blob).map_err(at(&blob))?;
        append(&format!("blobs/sha256-{}", pin.sha256), pin.size, &mut file)?;
    }
    let file = tar
        .into_inner()
        .and_then(|buffer| buffer.into_inner().map_err(io::IntoInnerError::into_error))
        .map_err(at(&temporary))?;
    file.sync_all().map_err(at(&temporary))?;
    fs::rename(&temporary, path).map_err(at(path))?;
    Ok(Packed {
        entries: entries.iter().map(|entry| entry.name.clone()).collect(),
        files: pins.len(),
        bytes: pins.values().map(|pin| pin.size).sum(),
    })
}

/// The entries of a pack, or `None` if the file is not one.
pub(crate) fn entries(path: &Path) -> Result<Option<Vec<Entry>>> {
    let file = File::open(path).map_err(at(path))?;
    let mut tar = tar::Archive::new(file);
    let Ok(mut members) = tar.entries() else {
        return Ok(None);
    };
    let Some(Ok(member)) = members.next() else {
        return Ok(None);
    };
    if member.path_bytes().as_ref() != HEAD.as_bytes() {
        return Ok(None);
    }
    let mut text = String::new();
    member
        .take(MOST_HEAD)
        .read_to_string(&mut text)
        .map_err(at(path))?;
    let wrong = |reason: String| Error::Invalid(format!("{}: {reason}", path.display()));
    let head: Head = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    if head.version != 1 {
        return Err(wrong(format!(
            "a pack of version {} is of a later program",
            head.version
        )));
    }
    for entry in &head.entries {
        if let Some(fault) = check::fault(entry, None) {
            return Err(wrong(format!("`{}`: {fault}", entry.name)));
        }
    }
    Ok(Some(head.entries))
}

/// Stores the blobs of a pack whose bytes have the digest in their name. Returns their digests.
pub(crate) fn unpack(store: &Store, path: &Path) -> Result<Vec<String>> {
    let file = File::open(path).map_err(at(path))?;
    let mut tar = tar::Archive::new(io::BufReader::with_capacity(1 << 20, file));
    let mut stored = Vec::new();
    for member in tar.entries().map_err(at(path))? {
        let mut member = member.map_err(at(path))?;
        let name = String::from_utf8_lossy(&member.path_bytes()).into_owned();
        let Some(digest) = name
            .strip_prefix("blobs/sha256-")
            .filter(|digest| check::is_digest(digest))
        else {
            continue;
        };
        let size = member.size();
        let pin = Pin {
            sha256: digest.to_owned(),
            size,
        };
        if !store.has(&pin) {
            let found = copy_in(store, &mut member)?;
            if found != pin {
                return Err(Error::Invalid(format!(
                    "{}: `{name}` has the SHA-256 {}; the pack is damaged",
                    path.display(),
                    found.sha256
                )));
            }
        }
        stored.push(pin.sha256);
    }
    Ok(stored)
}

/// Copies bytes into the store and makes a blob of them, named by what they are.
pub(crate) fn copy_in(store: &Store, content: &mut dyn Read) -> Result<Pin> {
    use std::os::unix::fs::PermissionsExt as _;
    let temporary = store.parts().join(format!("import-{}.part", std::process::id()));
    let mut file = File::create(&temporary).map_err(at(&temporary))?;
    let mut digest = Sha256::new();
    let mut size = 0;
    let mut buffer = vec![0; 1 << 20];
    let copied = loop {
        match content.read(&mut buffer) {
            Ok(0) => break Ok(()),
            Ok(count) => {
                digest.update(&buffer[..count]);
                size += count as u64;
                if let Err(error) = io::Write::write_all(&mut file, &buffer[..count]) {
                    break Err(at(&temporary)(error));
                }
            }
            Err(error) => break Err(at(&temporary)(error)),
        }
    };
    let pin = Pin {
        sha256: hex::encode(digest.finalize()),
        size,
    };
    let blob = store.blob(&pin.sha256);
    let done = copied.and_then(|()| {
        file.sync_all().map_err(at(&temporary))?;
        file.set_permissions(fs::Permissions::from_mode(0o444))
            .map_err(at(&temporary))?;
        fs::rename(&temporary, &blob).map_err(at(&blob))?;
        sync(&store.blobs())
    });
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done.map(|()| pin)
}

/// Keeps an entry of a pack that the index does not have, so that the machine knows what it imported.
pub(crate) fn keep_entry(folder: &Path, entry: &Entry) -> Result<()> {
    let text = toml::to_string_pretty(entry).map_err(|error| Error::Invalid(error.to_string()))?;
    fs::create_dir_all(folder).map_err(at(folder))?;
    write_whole(&folder.join(format!("{}.toml", entry.name)), text.as_bytes())
}
