//! The arguments of `atelier policy`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum Policy {
    /// Check a file of rules, without a server
    Check {
        /// The file [default: the one of the configuration]
        file: Option<PathBuf>,
    },
    /// Say whether the policy allows a text, and which rule refuses it
    Test {
        /// The text, as it would be in a prompt
        text: String,
        /// Use this file of rules [default: the one of the configuration]
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
        /// Apply only the rules for this account [default: all rules]
        #[arg(long, value_name = "NAME")]
        account: Option<String>,
        /// Apply only the rules for this plan, and for the account
        #[arg(long, value_name = "NAME")]
        plan: Option<String>,
    },
    /// List decisions of the policy, newest first
    Decisions(ListDecisions),
    /// Decide about a job that waits for a review
    Review(Review),
    /// Lists of hashes of pictures that are refused or reviewed
    #[command(subcommand)]
    Hashes(Hashes),
    /// Mark a refusal as a mistake; the job stays failed, and its owner sees the note
    Overturn {
        /// The decision, or its job
        id: String,
        /// A note for the job's owner
        #[arg(long, value_name = "TEXT", default_value = "")]
        note: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Hashes {
    /// Import a list, which replaces an existing list of this name
    Import {
        /// A file with one hash per line: 64 hexadecimal digits, and optionally a comma and a comment
        file: PathBuf,
        /// The list's name, which owners of refused jobs see
        #[arg(long, value_name = "NAME")]
        list: String,
    },
    /// Show all lists
    List,
    /// Remove a list
    Remove {
        /// The list's name
        list: String,
    },
    /// Print the hashes of pictures, as lines for a list
    Of {
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub struct Review {
    /// The decision, or its job
    pub id: String,
    /// Let the job run
    #[arg(long, required_unless_present = "refuse", conflicts_with = "refuse")]
    pub approve: bool,
    /// Let the job fail
    #[arg(long)]
    pub refuse: bool,
    /// A note for the job's owner, if the job is refused
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub note: String,
}

#[derive(Debug, Args)]
pub struct ListDecisions {
    /// Only jobs of this account
    #[arg(long, value_name = "NAME")]
    pub account: Option<String>,
    /// Only decisions of this rule
    #[arg(long, value_name = "RULE")]
    pub rule: Option<String>,
    /// Only jobs that wait for a review
    #[arg(long, conflicts_with_all = ["account", "rule"])]
    pub waiting: bool,
    /// The largest number of decisions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub limit: u32,
}
