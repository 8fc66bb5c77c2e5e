//! The command line: what can be typed. What it does stands in `commands/`.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand};

use crate::config;

/// Images, videos and audio from one command, or as a service behind one API.
///
/// Exit status: 0 done, 1 failed, 2 wrong usage.
#[derive(Debug, Parser)]
#[command(name = "atelier", version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Global {
    /// The data folder [default: the platform's folder for atelier]
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The configuration file [default: atelier.toml in the data folder]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print one JSON value on standard output and nothing else there
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
    /// Run workers only, beside servers that share the store
    Worker,
    /// Make media and save the files
    Generate(Generate),
    /// Show the catalog, or one model's fields
    Models(Models),
    /// Make, show and change accounts, and invite people to them
    #[command(subcommand)]
    Account(Account),
    /// Who signs in: list people, change what they may do
    #[command(subcommand)]
    User(User),
    /// Which engines there are, and what they serve
    #[command(subcommand)]
    Engines(Engines),
    /// Make, list and revoke API keys
    #[command(subcommand)]
    Key(Key),
    /// The secret that webhooks are signed with
    #[command(subcommand)]
    Secret(Secret),
    /// Look at webhook deliveries, send them again, send a test
    #[command(subcommand)]
    Webhook(Webhook),
    /// Take stored files down
    #[command(subcommand)]
    Media(Media),
    /// The global switch of the API
    #[command(subcommand)]
    Api(Api),
    /// Show the configuration in force and where each value came from
    Config,
    /// Check that queue, ledger and webhooks agree with each other
    Audit,
    /// Print the API's OpenAPI document
    Openapi,
    /// Print a shell's completion script
    Completions { shell: clap_complete::Shell },
    /// Be a child process of the embedded engines
    #[command(hide = true)]
    DraftHost {
        /// What music is played with, if not the synthesis
        #[arg(long)]
        soundfont: Option<std::path::PathBuf>,
    },
    /// Be a child process of an engine of the kind `onnx`
    #[command(hide = true)]
    OnnxHost {
        /// ONNX Runtime's shared library
        #[arg(long)]
        library: std::path::PathBuf,
        /// The folder of models
        #[arg(long)]
        models: std::path::PathBuf,
    },
}

#[derive(Debug, Args)]
pub struct Serve {
    /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// Serve the API only; `atelier worker` does the work
    #[arg(long)]
    pub no_workers: bool,
}

/// Which service to ask.
#[derive(Debug, Args)]
pub struct Target {
    /// Ask this service, with the key in ATELIER_API_KEY [default: the one on the data folder, started if none runs]
    #[arg(long, value_name = "URL")]
    pub server: Option<url::Url>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    atelier generate image-gen-4 \"a lighthouse on a cliff at dusk, watercolor\" -o out\n  \
    atelier generate image-gen-4 \"two foxes\" --param n=4 --param resolution=4K\n  \
    atelier generate upscale --image photo.jpg --param factor=4\n\n\
    Without --server, the service on the data folder is used; if none runs, one is started for the time of this \
    command. An account named `local` with 1,000,000 credits is made on first use; its key is kept in the file \
    `local.key` of the data folder.")]
pub struct Generate {
    /// A model's slug: `atelier models` lists them
    pub model: String,
    /// What to make
    pub prompt: Option<String>,
    /// A field of the model: `atelier models MODEL` lists them
    #[arg(short, long = "param", value_name = "NAME=VALUE", value_parser = parse_param)]
    pub params: Vec<(String, String)>,
    /// An input image; local files are uploaded. Can be given several times
    #[arg(short, long = "image", value_name = "FILE|URL")]
    pub images: Vec<String>,
    /// An input video; local files are uploaded
    #[arg(long = "video", value_name = "FILE|URL")]
    pub videos: Vec<String>,
    /// An input audio file; local files are uploaded
    #[arg(long = "audio", value_name = "FILE|URL")]
    pub audios: Vec<String>,
    /// Where to save the files; made if missing
    #[arg(short, long = "out", value_name = "DIR", default_value = ".")]
    pub out: PathBuf,
    /// A public https URL that receives a signed POST when the job ends
    #[arg(long, value_name = "URL")]
    pub webhook: Option<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct Models {
    /// Show this model's fields
    pub slug: Option<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Subcommand)]
pub enum Account {
    /// Make an account with a first key, which is shown this once
    Create(CreateAccount),
    /// List all accounts
    List,
    /// Show one account
    Show { name: String },
    /// Change an account; what is not named stays
    Update(UpdateAccount),
    /// Print a link that lets one person sign in to this account, once and within seven days
    Invite {
        /// The account's name
        name: String,
        /// As an operator, who has the whole service at his desk
        #[arg(long)]
        operator: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum User {
    /// List people: of one account, or all
    List {
        /// The account's name
        account: Option<String>,
    },
    /// Change what somebody may do
    Update(UpdateUser),
}

#[derive(Debug, Args)]
#[group(skip)]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true))]
pub struct UpdateUser {
    /// What he signs in with
    pub login: String,
    /// operator or member
    #[arg(long, group = "change", value_name = "ROLE")]
    pub role: Option<atelier_domain::Role>,
    /// Shut him out and end his sessions
    #[arg(long, group = "change", overrides_with = "enable")]
    pub disable: bool,
    /// Let him in again
    #[arg(long, group = "change", overrides_with = "disable")]
    pub enable: bool,
}

#[derive(Debug, Args)]
pub struct CreateAccount {
    /// Unique among accounts
    pub name: String,
    /// What it can spend
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(i64).range(0..))]
    pub credits: i64,
    /// Its active plan; without one it may not use the API
    #[arg(long, value_name = "NAME|none", default_value = "standard")]
    pub plan: String,
    /// Keep it out of the beta: it may not use the API
    #[arg(long)]
    pub no_beta: bool,
    /// Its own limit on generations and uploads [default: limits.generations_per_minute]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub generations_per_minute: Option<u32>,
}

#[derive(Debug, Args)]
#[group(skip)]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true))]
pub struct UpdateAccount {
    pub name: String,
    /// Add credits, or take some away; never below zero
    #[arg(long, group = "change", value_name = "+N|-N", allow_hyphen_values = true, value_parser = parse_relative)]
    pub credits: Option<i64>,
    /// Why credits are added or taken away; the account's ledger says it
    #[arg(long, value_name = "TEXT", requires = "credits")]
    pub reason: Option<String>,
    /// Put it on this active plan, or on none
    #[arg(long, group = "change", value_name = "NAME|none")]
    pub plan: Option<String>,
    /// Let it into the beta
    #[arg(long, group = "change", overrides_with = "no_beta")]
    pub beta: bool,
    /// Take it out of the beta
    #[arg(long, group = "change", overrides_with = "beta")]
    pub no_beta: bool,
    /// Its own limit on generations and uploads
    #[arg(long, group = "change", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub generations_per_minute: Option<u32>,
}

#[derive(Debug, Subcommand)]
pub enum Key {
    /// Make a key, which is shown this once
    Create {
        /// The account's name
        account: String,
        /// What to recognise it by
        #[arg(long, value_name = "N", default_value = "key")]
        name: String,
    },
    /// List an account's keys
    List {
        /// The account's name
        account: String,
    },
    /// Revoke a key: it stops working at once
    Revoke {
        /// As `atelier key list` shows it
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Secret {
    /// Give an account a new signing secret; for 24 hours the old one signs beside it
    Rotate {
        /// The account's name
        account: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Webhook {
    /// List an account's deliveries, newest first
    List(ListDeliveries),
    /// Show a delivery: every attempt, the exact body, the headers that sign it
    Show {
        /// The account's name
        account: String,
        /// As `atelier webhook list` shows it
        id: String,
    },
    /// Send a delivery again, or all that failed: same id, same bytes
    Redeliver {
        /// The account's name
        account: String,
        /// As `atelier webhook list` shows it
        #[arg(required_unless_present = "failed")]
        id: Option<String>,
        /// All that failed; the newest 1,000
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
    /// pending, sending, delivered or failed
    #[arg(long, value_name = "STATE")]
    pub state: Option<String>,
    /// generation.completed, generation.failed or webhook.test
    #[arg(long, value_name = "EVENT")]
    pub event: Option<String>,
    /// Of this generation
    #[arg(long, value_name = "ID")]
    pub generation: Option<String>,
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub limit: u32,
}

#[derive(Debug, Subcommand)]
pub enum Media {
    /// Serve a file no more and never take its bytes in again
    Takedown {
        /// The file's name or URL
        file: String,
        /// Why; operators see it
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub enum Api {
    /// Refuse every request with `api_disabled`
    Disable,
    /// Serve again
    Enable,
}

fn parse_param(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE, such as resolution=4K".to_owned()),
    }
}

fn parse_relative(text: &str) -> Result<i64, String> {
    let signed = text.starts_with(['+', '-']);
    text.parse()
        .ok()
        .filter(|_| signed)
        .ok_or_else(|| "write +N to add or -N to take away".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(line.split(' '))
    }

    #[test]
    fn the_definitions_agree_with_each_other() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_flags_of_every_command_may_stand_anywhere() {
        for line in [
            "atelier --data d --json account list",
            "atelier account --json list --data d",
        ] {
            let cli = parse(line).unwrap();
            assert!(cli.global.json);
            assert_eq!(cli.global.data, Some(PathBuf::from("d")));
        }
    }

    #[test]
    fn credits_are_changed_by_signed_numbers_only() {
        let credits = |line: &str| match parse(line).unwrap().command {
            Command::Account(Account::Update(update)) => update.credits,
            other => panic!("{other:?}"),
        };
        assert_eq!(credits("atelier account update a --credits +5"), Some(5));
        assert_eq!(credits("atelier account update a --credits -5"), Some(-5));
        assert_eq!(credits("atelier account update a --credits=-5"), Some(-5));
        let error = parse("atelier account update a --credits 5").unwrap_err();
        assert!(
            error.to_string().contains("write +N to add or -N to take away"),
            "{error}"
        );
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn an_update_that_changes_nothing_is_wrong_usage() {
        assert_eq!(parse("atelier account update a").unwrap_err().exit_code(), 2);
    }

    #[test]
    fn params_are_names_and_values() {
        let Command::Generate(generate) =
            parse("atelier generate m --param a=1 --param b=x=y -o out --image a.png --image b.png")
                .unwrap()
                .command
        else {
            panic!("not generate")
        };
        assert_eq!(
            generate.params,
            [
                ("a".to_owned(), "1".to_owned()),
                ("b".to_owned(), "x=y".to_owned())
            ]
        );
        assert_eq!(generate.images, ["a.png", "b.png"]);
        assert_eq!(generate.out, PathBuf::from("out"));
        assert!(parse("atelier generate m --param a").is_err());
    }
}

#[derive(Debug, Subcommand)]
pub enum Engines {
    /// All engines and how many models each serves
    List,
    /// The same, after asking each whether it answers, and ComfyUI servers whether they have the nodes and models that the workflows
    /// of their routes need
    Check,
    /// Have an engine make one thing, without a job, a charge or another engine to fall back on
    Try(TryEngine),
}

#[derive(Debug, Args)]
pub struct TryEngine {
    /// The engine's name in the configuration
    pub engine: String,
    /// A model that a route leads to this engine
    pub model: String,
    /// What to make
    pub prompt: String,
    /// The folder for the files
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub out: PathBuf,
}
