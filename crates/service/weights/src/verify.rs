//! Reads the blobs of models and compares their digests; repairs what is wrong by downloading its pieces.

use std::{fs, io::Read as _, path::Path};

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::{
    download::blocking,
    entry::Pin,
    error::{Error, Result, at},
    meter::Meter,
    part::{self, Hash},
    place::hash,
    pull::{Plan, Puller},
    store::{Installed, Store},
};

/// A blob that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damaged {
    /// The model that needs it.
    pub name: String,
    /// The file, in the model's folder or as it was downloaded.
    pub file: String,
    pub sha256: String,
    pub fault: DiskFault,
    pub repaired: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DiskFault {
    Missing,
    /// Its bytes changed.
    Changed,
}

/// The counts of what was read, and the damage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    pub models: usize,
    pub files: usize,
    pub bytes: u64,
    pub damaged: Vec<Damaged>,
}

impl Puller {
    /// Reads every file of this model, or of all. With `repair`, what is wrong is downloaded again: only the wrong
    /// pieces of a file, if its download left their digests.
    pub async fn verify(&self, name: Option<&str>, repair: bool, meter: &Meter) -> Result<Verified> {
        let models = match name {
            None => self.store.installed()?,
            Some(name) => vec![
                self.store
                    .find(name)?
                    .ok_or_else(|| Error::NotHere(name.to_owned()))?,
            ],
        };
        let mut verified = Verified {
            models: models.len(),
            ..Verified::default()
        };
        let mut seen = std::collections::HashSet::new();
        for model in &models {
            let mut damaged = Vec::new();
            for pin in model.pins().filter(|pin| seen.insert(pin.sha256.clone())) {
                verified.files += 1;
                verified.bytes += pin.size;
                let (store, pin) = (self.store.clone(), pin.clone());
                let found = blocking(move || Ok((fault(&store, &pin)?, pin))).await?;
                if let (Some(fault), pin) = found {
                    damaged.push((pin, fault));
                }
            }
            let repaired = repair && !damaged.is_empty() && self.repair(model, &damaged, meter).await?;
            verified
                .damaged
                .extend(damaged.into_iter().map(|(pin, fault)| Damaged {
                    name: model.entry.name.clone(),
                    file: file_of(model, &pin),
                    sha256: pin.sha256,
                    fault,
                    repaired,
                }));
        }
        Ok(verified)
    }

    /// Downloads what is wrong and makes the model anew.
    async fn repair(&self, model: &Installed, damaged: &[(Pin, DiskFault)], meter: &Meter) -> Result<bool> {
        for (pin, fault) in damaged {
            if *fault == DiskFault::Changed {
                let (store, pin) = (self.store.clone(), pin.clone());
                blocking(move || set_aside(&store, &pin)).await?;
            }
        }
        let plan = Plan {
            entries: vec![model.entry.clone()],
            missing: Vec::new(),
            total_bytes: model.entry.download_bytes(),
            missing_bytes: 0,
        };
        self.fetch(&plan, meter).await?;
        self.install_again(&model.entry).await?;
        let store = self.store.clone();
        let pins: Vec<Pin> = damaged.iter().map(|(pin, _)| pin.clone()).collect();
        blocking(move || {
            let mut whole = true;
            for pin in &pins {
                whole &= fault(&store, pin)?.is_none();
            }
            Ok(whole)
        })
        .await
    }
}

fn file_of(model: &Installed, pin: &Pin) -> String {
    let placed = model
        .files
        .iter()
        .find(|file| file.pin == *pin)
        .map(|file| &file.name);
    let downloaded = || {
        let same = |file: &&crate::File| file.sha256.as_ref() == Some(&pin.sha256);
        model.entry.files.iter().find(same).map(|file| &file.name)
    };
    placed.or_else(downloaded).cloned().unwrap_or_default()
}

fn fault(store: &Store, pin: &Pin) -> Result<Option<DiskFault>> {
    let blob = store.blob(&pin.sha256);
    if !blob.exists() {
        return Ok(Some(DiskFault::Missing));
    }
    Ok((hash(&blob)? != *pin).then_some(DiskFault::Changed))
}

/// Makes a part of a blob: the pieces that are still right are kept. Models that link to the blob keep the wrong bytes
/// until they are made anew.
fn set_aside(store: &Store, pin: &Pin) -> Result<()> {
    let blob = store.blob(&pin.sha256);
    let pieces = store.pieces(&pin.sha256);
    let text = fs::read_to_string(&pieces).unwrap_or_default();
    let known = part::parse(&text, pin.size)
        .filter(|_| fs::symlink_metadata(&blob).is_ok_and(|found| found.is_file()));
    if let Some((size, mut known)) = known {
        let path = store.parts().join(format!("{}.part", pin.sha256));
        // A copy: the blob has other names, and those must not change while they are in use.
        fs::copy(&blob, &path).map_err(at(&path))?;
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(&path, mode).map_err(at(&path))?;
        let found = hashes(&path, size)?;
        for (number, piece) in known.iter_mut().enumerate() {
            if piece.is_some_and(|piece| found.get(number) != Some(&piece.hash)) {
                *piece = None;
            }
        }
        let journal = store.parts().join(format!("{}.journal", pin.sha256));
        part::rewrite(&journal, pin.size, size, &known)?;
    }
    let _ = fs::remove_file(&pieces);
    fs::remove_file(&blob).map_err(at(&blob))
}

fn hashes(path: &Path, size: u64) -> Result<Vec<Hash>> {
    let mut file = fs::File::open(path).map_err(at(path))?;
    let mut found = Vec::new();
    loop {
        let mut buffer = Vec::new();
        (&mut file)
            .take(size)
            .read_to_end(&mut buffer)
            .map_err(at(path))?;
        if buffer.is_empty() {
            return Ok(found);
        }
        found.push(Sha256::digest(&buffer).into());
    }
}
