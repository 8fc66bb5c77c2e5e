//! The definition of `atelier models`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Catalog, Target};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Models {
    #[command(subcommand)]
    command: Option<Weights>,
    /// The same as `atelier catalog MODEL`
    #[arg(hide = true)]
    slug: Option<String>,
    /// The same as `atelier catalog --server URL`
    #[arg(long, value_name = "URL", hide = true)]
    server: Option<url::Url>,
}

impl Models {
    /// The command about weights; without one, the listing of the catalog, which had this name first.
    pub fn resolve(self) -> Result<Weights, Catalog> {
        let Self {
            command,
            slug,
            server,
        } = self;
        command.ok_or(Catalog {
            slug,
            target: Target { server },
        })
    }
}

#[derive(Debug, Subcommand)]
pub enum Weights {
    /// List the installed weights
    List {
        /// Also list weights that can be pulled
        #[arg(long)]
        all: bool,
    },
    /// Show one entry: licence, files, requirements and models
    Show {
        /// The name from `atelier models list --all`
        name: String,
    },
    /// Download weights with their dependencies, and check every byte
    #[command(after_help = "Examples:\n  \
        atelier models pull u2netp\n  \
        atelier models pull flux-2-klein-4b-q4 --for linux-x86_64 --to pack.tar\n\n\
        An interrupted pull continues where it was.")]
    Pull(Pull),
    /// Run weights once on a sample, and compare the result with the one in their entry
    Probe {
        /// Names from `atelier models list` [default: all installed weights]
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Choose which weights serve a model; a running service uses them immediately
    #[command(after_help = "Examples:\n  \
        atelier models use z-image-turbo --for image-gen-4\n  \
        atelier models unuse image-gen-4")]
    Use {
        /// The name from `atelier models list`
        name: String,
        /// The model of the catalog
        #[arg(long = "for", value_name = "MODEL")]
        model: String,
    },
    /// Undo `use`: serve a model with the default weights again
    Unuse {
        /// The model of the catalog
        model: String,
    },
    /// Remove weights, and parts that no other weights use
    Rm {
        /// The name from `atelier models list`
        name: String,
        /// Remove them even if a job is using them; the job continues with its open files
        #[arg(long)]
        force: bool,
    },
    /// Remove files that no weights use, and downloads that were not continued for seven days
    Gc {
        /// Instead, remove files in the bucket of `models.share` that no weights on this node use
        #[arg(long)]
        shared: bool,
    },
    /// Read the files of weights and compare their digests
    Verify {
        /// Only these weights
        name: Option<String>,
        /// Download damaged files again
        #[arg(long)]
        repair: bool,
    },
    /// Import weights from a file, a folder or a pack; files are recognized by their digests
    Import {
        /// A file, a folder such as that of ComfyUI or of the hub's cache, or a pack
        path: PathBuf,
        /// Leave the files where they are and link to them
        #[arg(long)]
        link: bool,
        /// Accept the licences that are not permissive
        #[arg(long)]
        accept_licence: bool,
    },
    /// Write weights into a pack for a machine without a network
    Export {
        /// Names from `atelier models list`
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Ask the servers for sizes and digests, compare them with entries, and add missing ones
    Lock {
        /// Only these entries
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// The folder of entries
        #[arg(long, value_name = "DIR", default_value = "models.d")]
        folder: PathBuf,
    },
}

#[derive(Debug, Args)]
pub struct Pull {
    /// Names from `atelier models list --all`
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
    /// Accept the licences that are not permissive
    #[arg(long)]
    pub accept_licence: bool,
    /// Download for another machine, such as linux-x86_64 or macos-aarch64
    #[arg(long = "for", value_name = "TARGET", requires = "to")]
    pub target: Option<String>,
    /// Write a pack instead of installing the weights here
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
}
