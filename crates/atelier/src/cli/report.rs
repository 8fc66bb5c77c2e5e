//! The arguments of `atelier report`.

use clap::Args;

#[derive(Debug, Args)]
pub struct Report {
    /// The month, in UTC
    #[arg(long, value_name = "YYYY-MM")]
    pub month: String,
    /// Print rows of comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}
