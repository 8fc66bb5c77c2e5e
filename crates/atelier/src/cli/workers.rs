//! The arguments of `atelier worker` and `atelier workers`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    atelier worker --config atelier.toml\n  \
    atelier worker --join https://studio.example --token-file token\n\n\
    With --join, the engines and routes of this machine's configuration decide which models the worker serves.")]
pub struct Worker {
    /// Run jobs of the service at this https URL
    #[arg(long, value_name = "URL", requires = "token_file")]
    pub join: Option<url::Url>,
    /// The file with the token of `atelier workers create-token`
    #[arg(long, value_name = "FILE", requires = "join")]
    pub token_file: Option<PathBuf>,
    /// A name by which operators recognize the worker [default: the name of this machine]
    #[arg(long, value_name = "NAME", requires = "join")]
    pub name: Option<String>,
    /// Also trust the certificate authorities in this PEM file
    #[arg(long, value_name = "FILE", requires = "join")]
    pub ca_file: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum RemoteWorkers {
    /// List the remote workers of the last seven days, with the jobs that they run
    List,
    /// Create a token for remote workers, which is shown only once
    CreateToken {
        /// A name by which to recognize the token
        name: String,
        /// Only jobs of this engine of the kind `remote`. You can use this option several times
        #[arg(long = "engine", value_name = "NAME")]
        engines: Vec<String>,
        /// Only jobs of this model, or of models like `flux-*`. You can use this option several times
        #[arg(long = "model", value_name = "SLUG")]
        models: Vec<String>,
    },
    /// List the tokens of remote workers
    Tokens,
    /// Revoke a token; it stops working immediately
    RevokeToken {
        /// The id from `atelier workers tokens`
        id: String,
    },
}
