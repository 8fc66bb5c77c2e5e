//! Turns pulled files into graphs that the program runs: the conversions and rewrites that entries of the index name.

use std::{fs, path::Path};

use atelier_weights::{Prepare, PrepareStep};

use crate::studio;

/// The role of the file that describes the layers of an ncnn network.
const PARAM: &str = "param";

/// The embedded runtime's preparation of weights. Without the feature `studio`, entries that need it are refused.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Graphs;

impl Prepare for Graphs {
    fn prepare(&self, step: &PrepareStep<'_>) -> Result<(), String> {
        let mut bytes = read(step.source)?;
        if let Some(convert) = &step.file.convert {
            let mut files = step.entry.files.iter();
            let layers = files
                .find(|file| file.role == PARAM)
                .ok_or_else(|| format!("the conversion `{convert}` needs a file with the role `{PARAM}`"))?;
            let layers = String::from_utf8(read(&step.beside.join(&layers.name))?)
                .map_err(|_| format!("{} is not text", layers.name))?;
            bytes = studio::converted(convert, &layers, &bytes)?;
        }
        if !step.file.rewrite.is_empty() {
            let names: Vec<&str> = step.file.rewrite.iter().map(String::as_str).collect();
            bytes = studio::rewritten(&bytes, &names)?;
        }
        fs::write(step.target, bytes).map_err(|error| format!("{}: {error}", step.target.display()))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}
