//! The definition of the command line. The commands themselves are in `commands/`.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand};

use crate::config;

mod accounts;
mod backups;
mod keys;
mod models;
mod plans;
mod policy;
mod report;
mod workers;

pub use accounts::{Account, ChangeMember, CreateAccount, Maximum, UpdateAccount, UpdateUser, User};
pub use backups::{Backup, MoveStore, Restore, Store};
pub use keys::{Expiry, Key, Limits, List, Most};
pub use models::{Models, Pull, Weights};
pub use plans::{Plan, SetPlan};
pub use policy::{Hashes, ListDecisions, Policy};
pub use report::Report;
pub use workers::{RemoteWorkers, Worker};

/// Generate images, videos and audio with one command, or run a service with one API.
///
/// Exit status: 0 success, 1 failure, 2 wrong usage.
#[derive(Debug, Parser)]
#[command(name = "atelier", version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The data folder [default: the platform's folder for atelier]
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The configuration file [default: atelier.toml in the data folder]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print the result as one JSON value on standard output
    #[arg(long, global = true)]
    pub json: bool,
}

impl Global {
    pub fn flags(&self) -> config::Flags {
        config::Flags {
            data: self.data.clone(),
            config: self.config.clone(),
            listen: None,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the service: API, media and workers in one process
    Serve(Serve),
    /// Run workers only, for servers on the same store or for a service elsewhere (--join)
    Worker(Worker),
    /// Generate media and save the files
    Generate(Generate),
    /// Check whether a service made a file, by its bytes, its watermark and its metadata
    Verify(Verify),
    /// Serve the Model Context Protocol on standard input and output, for programs such as Claude Desktop
    Mcp(Mcp),
    /// List the models of the catalog, or show the fields of one
    Catalog(Catalog),
    /// Download, list, check and remove the weights of trained models
    Models(Models),
    /// Create, show and change accounts, and invite users to them
    #[command(subcommand)]
    Account(Account),
    /// Set the limits that the accounts of a plan share, and its weight
    #[command(subcommand)]
    Plan(Plan),
    /// List users and change their roles
    #[command(subcommand)]
    User(User),
    /// List, check and try engines
    #[command(subcommand)]
    Engines(Engines),
    /// Create, list and revoke API keys
    #[command(subcommand)]
    Key(Key),
    /// List remote workers; create, list and revoke their tokens
    #[command(subcommand)]
    Workers(RemoteWorkers),
    /// Rotate the secret that signs webhooks
    #[command(subcommand)]
    Secret(Secret),
    /// List webhook deliveries, send them again, send a test
    #[command(subcommand)]
    Webhook(Webhook),
    /// Take down stored files
    #[command(subcommand)]
    Media(Media),
    /// Check the rules of the content policy, test texts, and list decisions
    #[command(subcommand)]
    Policy(Policy),
    /// Report a month: jobs by outcome, marked results, refusals and takedowns
    Report(Report),
    /// Switch the API off and on
    #[command(subcommand)]
    Api(Api),
    /// Check that the server of this configuration is ready, for the health checks of containers
    Health(Health),
    /// Show the current configuration and the source of each value
    Config,
    /// Check that the queue, the ledger and the webhooks are consistent
    Audit,
    /// Copy the database and the media to a folder, even while the server runs
    Backup(Backup),
    /// Restore a backup into an empty data folder
    Restore(Restore),
    /// Move everything to another database
    #[command(subcommand)]
    Store(Store),
    /// Print the OpenAPI document
    Openapi,
    /// Print the completion script for a shell
    Completions { shell: clap_complete::Shell },
    /// Run as a child process of the embedded engines
    #[command(hide = true)]
    DraftHost {
        /// The SoundFont for music, instead of the built-in synthesis
        #[arg(long)]
        soundfont: Option<std::path::PathBuf>,
    },
    /// Run as the guard of a program that an engine of the kind `process` starts
    #[command(hide = true)]
    ProgramGuard {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Run as a child process of an engine of the kind `onnx`
    #[command(hide = true)]
    OnnxHost {
        /// The runtime that runs the graphs
        #[arg(long, value_parser = ["auto", "rten", "onnxruntime"], default_value = "auto")]
        runtime: String,
        /// The shared library of ONNX Runtime
        #[arg(long)]
        library: Option<std::path::PathBuf>,
        /// The shared library that lets ONNX Runtime use a GPU
        #[arg(long)]
        provider: Option<std::path::PathBuf>,
        /// The device for graphs
        #[arg(long, value_parser = ["auto", "cpu", "gpu"], default_value = "auto")]
        device: String,
        /// The folder of models
        #[arg(long)]
        models: std::path::PathBuf,
    },
}

#[derive(Debug, Args)]
pub struct Serve {
    /// Address and port to listen on; port 0 selects a free port [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// Serve the API only; run the jobs with `atelier worker`
    #[arg(long)]
    pub no_workers: bool,
}

#[derive(Debug, Args)]
pub struct Health {
    /// Check only that the process answers, not its store and media storage
    #[arg(long, conflicts_with = "worker")]
    pub live: bool,
    /// Check a worker, which has only the listener for metrics
    #[arg(long)]
    pub worker: bool,
}

#[derive(Debug, Args)]
pub struct Verify {
    /// A file, or the https URL of one, which the service fetches
    #[arg(value_name = "FILE|URL")]
    pub file: String,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct Mcp {
    #[command(flatten)]
    pub target: Target,
}

/// The service to use.
#[derive(Debug, Args)]
pub struct Target {
    /// Use this service, with the key in ATELIER_API_KEY [default: the service of the data folder; it is started if
    /// necessary]
    #[arg(long, value_name = "URL")]
    pub server: Option<url::Url>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    atelier generate image-gen-4 \"a lighthouse on a cliff at dusk, watercolor\" -o out\n  \
    atelier generate image-gen-4 \"two foxes\" --param n=4 --param resolution=4K\n  \
    atelier generate upscale --image photo.jpg --param factor=4\n\n\
    Without --server, the command uses the service of the data folder. If it is not running, the command starts it \
    and stops it at the end. The first use creates an account named `local` with 1,000,000 credits. Its key is stored \
    in the file `local.key` in the data folder.")]
pub struct Generate {
    /// The slug of a model; `atelier catalog` lists them
    pub model: String,
    /// The prompt
    pub prompt: Option<String>,
    /// A field of the model; `atelier catalog MODEL` lists them
    #[arg(short, long = "param", value_name = "NAME=VALUE", value_parser = parse_param)]
    pub params: Vec<(String, String)>,
    /// An input image; local files are uploaded. You can use this option several times
    #[arg(short, long = "image", value_name = "FILE|URL")]
    pub images: Vec<String>,
    /// An input video; local files are uploaded
    #[arg(long = "video", value_name = "FILE|URL")]
    pub videos: Vec<String>,
    /// An input audio file; local files are uploaded
    #[arg(long = "audio", value_name = "FILE|URL")]
    pub audios: Vec<String>,
    /// The folder for the files; it is created if it is missing
    #[arg(short, long = "out", value_name = "DIR", default_value = ".")]
    pub out: PathBuf,
    /// A public https URL that receives a signed POST when the job ends
    #[arg(long, value_name = "URL")]
    pub webhook: Option<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct Catalog {
    /// Show the fields of this model
    pub slug: Option<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Subcommand)]
pub enum Secret {
    /// Create a new signing secret for an account; the previous one also signs for 24 hours
    Rotate {
        /// The account's name
        account: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Webhook {
    /// List an account's deliveries, newest first
    List(ListDeliveries),
    /// Show a delivery with every attempt, the exact body and the headers that sign it
    Show {
        /// The account's name
        account: String,
        /// The id from `atelier webhook list`
        id: String,
    },
    /// Send a delivery again, or all failed deliveries, with the same ids and bodies
    Redeliver {
        /// The account's name
        account: String,
        /// The id from `atelier webhook list`
        #[arg(required_unless_present = "failed")]
        id: Option<String>,
        /// Send the newest 1,000 failed deliveries
        #[arg(long, conflicts_with = "id")]
        failed: bool,
    },
    /// Send a signed test event to a URL
    Test {
        /// The account's name
        account: String,
        /// A public https URL
        url: String,
    },
}

#[derive(Debug, Args)]
pub struct ListDeliveries {
    /// The account's name
    pub account: String,
    /// Only deliveries in this state: pending, sending, delivered or failed
    #[arg(long, value_name = "STATE")]
    pub state: Option<String>,
    /// Only this event: generation.completed, generation.failed or webhook.test
    #[arg(long, value_name = "EVENT")]
    pub event: Option<String>,
    /// Only deliveries of this generation
    #[arg(long, value_name = "ID")]
    pub generation: Option<String>,
    /// The largest number of deliveries
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub limit: u32,
}

#[derive(Debug, Subcommand)]
pub enum Media {
    /// Stop serving a file and refuse to store the same bytes again
    Takedown {
        /// The file's name or URL
        file: String,
        /// The reason; shown to operators
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub enum Api {
    /// Refuse every request with `api_disabled`
    Disable,
    /// Serve requests again
    Enable,
}

#[derive(Debug, Subcommand)]
pub enum Engines {
    /// List all engines with the number of models that each serves
    List,
    /// Also check that each engine answers, and that ComfyUI servers have the nodes and models that the workflows of
    /// their routes require
    Check,
    /// Run one engine once, without a job, a charge or a fallback
    Try(TryEngine),
}

#[derive(Debug, Args)]
pub struct TryEngine {
    /// The engine's name in the configuration
    pub engine: String,
    /// A model that has a route to this engine
    pub model: String,
    /// The prompt
    pub prompt: String,
    /// The folder for the files
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub out: PathBuf,
}

fn parse_param(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("use NAME=VALUE, such as resolution=4K".to_owned()),
    }
}

#[cfg(test)]
mod tests;
