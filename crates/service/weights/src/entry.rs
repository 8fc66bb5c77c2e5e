//! An entry of the index: what one set of weights is, where its files are, and under which licence.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{licence::Licence, source::Source};

/// A table that this crate only carries.
pub type Table = Map<String, Value>;

/// One entry, as written in `models.d/NAME.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The file's name without `.toml`: lower-case letters, digits, `-`, `_` and `.`.
    pub name: String,
    pub title: String,
    pub kind: Kind,
    /// One line.
    pub summary: String,
    pub status: Status,
    /// The unverified part; only with `status = "unverified"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The models of the catalog that these weights can serve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub serves: Vec<Serves>,
    /// The runtime of a model, such as `onnx`, `speech` or `sd-server`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// Other entries that this one needs. Entries of other targets are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<String>,
    /// The machines that an entry is for, such as `linux-x86_64`; every machine if it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    pub licence: Licence,
    #[serde(default)]
    pub needs: Needs,
    #[serde(default)]
    pub files: Vec<File>,
    /// The inputs and outputs of the graph: the keys of `model.json`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub graph: Table,
    /// The settings for the runtime.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub settings: Table,
    /// A request that shows whether the weights work.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub probe: Table,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Weights that serve models of the catalog.
    Model,
    /// Files that several models share, such as a text encoder.
    Part,
    /// A program or a library that runs models.
    Runtime,
}

impl Kind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Part => "part",
            Self::Runtime => "runtime",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Sizes and digests were compared with the files.
    Verified,
    /// Something is missing, or was only read and not compared; `missing` says what.
    Unverified,
}

/// Tasks that belong to no model of the catalog: words in a recording, and whether a picture may be shown.
pub const SERVICE_TASKS: &[&str] = &["recognition", "safety"];

/// The purpose of weights: a task of a model of the catalog, or a task of the service itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Serves {
    /// The slug; absent for the tasks of the service itself, [`SERVICE_TASKS`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    pub task: String,
}

/// The needs of running the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Needs {
    /// Memory of one process, in MB of 1,000,000 bytes.
    pub memory_mb: u64,
    /// Memory of a GPU, in MB; 0 if none is required.
    pub vram_mb: u64,
    /// Disk, in MB: what is downloaded, and what is unpacked, converted or rewritten beside it.
    pub disk_mb: u64,
}

/// A file of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The runtime's name for the file, such as `graph` or `vae`.
    pub role: String,
    /// Its name in the model's folder; may contain folders.
    pub name: String,
    /// In bytes. Required for a download.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// 64 hexadecimal digits in lower case. Required for a download.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    pub url: Source,
    /// Other addresses of the same bytes, in the order to try them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mirrors: Vec<Source>,
    /// A built-in conversion that makes the file `into` of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convert: Option<String>,
    /// The name of the conversion's result, in place of `name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<String>,
    /// Built-in changes of a graph, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rewrite: Vec<String>,
    /// The members of an archive that are unpacked; all of its regular files if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Member>,
}

/// A file in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Its path in the archive.
    pub path: String,
    /// Its name in the model's folder; its path if it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Whether it is a program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

/// The kinds of archives that are unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchiveKind {
    Zip,
    TarGz,
}

impl File {
    /// The kind of archive that the name says, if it is one.
    pub fn archive(&self) -> Option<ArchiveKind> {
        let has = |ending: &str| self.name.ends_with(ending);
        if has(".zip") || has(".whl") {
            Some(ArchiveKind::Zip)
        } else if has(".tar.gz") || has(".tgz") {
            Some(ArchiveKind::TarGz)
        } else {
            None
        }
    }

    /// Whether the file is changed after its download.
    pub const fn is_prepared(&self) -> bool {
        self.convert.is_some() || !self.rewrite.is_empty()
    }

    /// The name in the model's folder.
    pub fn installed_name(&self) -> &str {
        self.into.as_deref().unwrap_or(&self.name)
    }

    /// The digest and the size, if both are known.
    pub fn pin(&self) -> Option<Pin> {
        Some(Pin {
            sha256: self.sha256.clone()?,
            size: self.size?,
        })
    }
}

/// The digest and size of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pin {
    /// 64 hexadecimal digits in lower case.
    pub sha256: String,
    /// In bytes.
    pub size: u64,
}

impl Entry {
    /// Whether the entry is for such a machine.
    pub fn is_for(&self, target: &str) -> bool {
        self.target.as_deref().is_none_or(|own| own == target)
    }

    /// The bytes of all files whose size is known.
    pub fn download_bytes(&self) -> u64 {
        self.files.iter().filter_map(|file| file.size).sum()
    }

    /// Whether the sizes and digests of all files are known, so that the entry can be pulled.
    pub fn is_pinned(&self) -> bool {
        self.files.iter().all(|file| file.pin().is_some())
    }
}

/// The name of this machine in `target`: system and processor, such as `linux-x86_64` or `macos-aarch64`.
pub fn this_target() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}
