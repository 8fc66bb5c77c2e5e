//! The commands on accounts and users.

use atelier_domain::PromptInFiles;
use clap::{Args, Subcommand};

use super::Most;

#[derive(Debug, Subcommand)]
pub enum Account {
    /// Create an account with a first key, which is shown only once
    Create(CreateAccount),
    /// List all accounts
    List,
    /// Show one account
    Show { name: String },
    /// Change the given values of an account
    Update(UpdateAccount),
    /// Export everything about an account except secrets, with its files
    Export {
        /// The account's name
        name: String,
        /// A new folder, or the file of a new archive: .tar.gz, .tgz or .tar
        #[arg(value_name = "DIR|FILE")]
        to: std::path::PathBuf,
    },
    /// Remove an account with its jobs, files and users; sums of its ledger stay, without a name
    ///
    /// This cannot be undone. If it is interrupted, run it again.
    Erase {
        /// The account's name
        name: String,
        /// Cancel jobs that are in progress instead of refusing
        #[arg(long)]
        cancel: bool,
        /// Erase the account; without this, the command only says what it would do
        #[arg(long)]
        yes: bool,
    },
    /// Print or mail a link for joining this account; it works once, within seven days
    Invite {
        /// The account's name
        name: String,
        /// Invite as an operator, who can manage the whole service
        #[arg(long)]
        operator: bool,
        /// The role in the account: owner, developer, viewer or billing
        #[arg(
            long,
            value_name = "ROLE",
            default_value = "owner",
            conflicts_with = "operator"
        )]
        role: atelier_domain::AccountRole,
        /// Mail the invitation to this address instead of printing its link; requires a mail server (`[mail]`)
        #[arg(long, value_name = "ADDRESS")]
        mail: Option<String>,
    },
    /// List the members of an account with their roles
    Members {
        /// The account's name
        name: String,
    },
    /// Make a user a member of an account, change their role in it, or remove them
    Member(ChangeMember),
    /// List open invitations to one account, or all
    Invitations {
        /// The account's name
        name: Option<String>,
    },
    /// Revoke an open invitation; its link stops working immediately
    RevokeInvitation {
        /// The id from `atelier account invitations`
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum User {
    /// List the users who belong to one account, or all users
    List {
        /// The account's name
        account: Option<String>,
    },
    /// Change the role or the access of a user
    Update(UpdateUser),
    /// Print a link for choosing a new password; it works once, within 24 hours
    ResetPassword {
        /// The user's login
        login: String,
    },
    /// Turn two-step sign-in off for a user who lost their app and their recovery codes
    ResetTwoStep {
        /// The user's login
        login: String,
    },
}

#[derive(Debug, Args)]
#[group(skip)]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true))]
pub struct UpdateUser {
    /// The user's login
    pub login: String,
    /// The user's new role in the service: operator or member
    #[arg(long, group = "change", value_name = "ROLE")]
    pub role: Option<atelier_domain::Role>,
    /// Disable the user and end their sessions
    #[arg(long, group = "change", overrides_with = "enable")]
    pub disable: bool,
    /// Enable the user again
    #[arg(long, group = "change", overrides_with = "disable")]
    pub enable: bool,
}

#[derive(Debug, Args)]
#[group(skip)]
#[command(group = clap::ArgGroup::new("change").required(true))]
pub struct ChangeMember {
    /// The account's name
    pub name: String,
    /// The user's login
    pub login: String,
    /// The user's role in the account: owner, developer, viewer or billing
    #[arg(long, group = "change", value_name = "ROLE")]
    pub role: Option<atelier_domain::AccountRole>,
    /// Remove the user from the account
    #[arg(long, group = "change")]
    pub remove: bool,
}

#[derive(Debug, Args)]
pub struct CreateAccount {
    /// A unique name
    pub name: String,
    /// The account's initial credits
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(i64).range(0..))]
    pub credits: i64,
    /// The account's active plan; without a plan it cannot use the API
    #[arg(long, value_name = "NAME|none", default_value = "standard")]
    pub plan: String,
    /// Do not enable the beta; the account cannot use the API
    #[arg(long)]
    pub no_beta: bool,
    /// The account's own limit on generations and uploads [default: limits.generations_per_minute]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub generations_per_minute: Option<u32>,
    /// Sign links to its files, which then expire
    #[arg(long)]
    pub private_media: bool,
}

#[derive(Debug, Args)]
#[group(skip)]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true))]
#[expect(clippy::struct_excessive_bools, reason = "flags of the command line")]
pub struct UpdateAccount {
    pub name: String,
    /// Credits to add (+N) or remove (-N); the balance cannot go below zero
    #[arg(long, group = "change", value_name = "+N|-N", allow_hyphen_values = true, value_parser = parse_relative)]
    pub credits: Option<i64>,
    /// Why credits are added or removed; shown in the account's ledger
    #[arg(long, value_name = "TEXT", requires = "credits")]
    pub reason: Option<String>,
    /// The account's new active plan, or none
    #[arg(long, group = "change", value_name = "NAME|none")]
    pub plan: Option<String>,
    /// Enable the beta for the account
    #[arg(long, group = "change", overrides_with = "no_beta")]
    pub beta: bool,
    /// Disable the beta for the account
    #[arg(long, group = "change", overrides_with = "beta")]
    pub no_beta: bool,
    /// The account's own limit on generations and uploads
    #[arg(long, group = "change", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub generations_per_minute: Option<u32>,
    /// The most jobs in the queue; additional jobs are refused
    #[arg(long, group = "change", value_name = "N|none")]
    pub max_queued: Option<Maximum>,
    /// The most jobs that run at the same time; additional jobs wait
    #[arg(long, group = "change", value_name = "N|none")]
    pub max_running: Option<Maximum>,
    /// The most credits that its jobs can use in one month in UTC
    #[arg(long, group = "change", value_name = "N|none")]
    pub monthly_budget: Option<Most<i64>>,
    /// Days after which its jobs and uploads are removed, at least 2; overrides `[retention]`
    #[arg(long, group = "change", value_name = "N|none")]
    pub retention_days: Option<Maximum>,
    /// Sign links to its files, which then expire
    #[arg(long, group = "change", overrides_with = "no_private_media")]
    pub private_media: bool,
    /// Make links to its files permanent and public
    #[arg(long, group = "change", overrides_with = "private_media")]
    pub no_private_media: bool,
    /// The place where its files name their prompt: none, metadata (XMP), or signed (XMP and the signed manifest)
    #[arg(long, group = "change", value_name = "PLACE")]
    pub prompt_in_files: Option<PromptInFiles>,
}

/// A limit, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Maximum(pub Option<u32>);

impl std::str::FromStr for Maximum {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(number @ 1..) => Ok(Self(Some(number))),
            Err(_) if text == "none" => Ok(Self(None)),
            _ => Err("use a number of at least 1, or none"),
        }
    }
}

fn parse_relative(text: &str) -> Result<i64, String> {
    let signed = text.starts_with(['+', '-']);
    text.parse()
        .ok()
        .filter(|_| signed)
        .ok_or_else(|| "use +N to add or -N to remove credits".to_owned())
}
