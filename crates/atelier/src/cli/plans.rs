//! The commands on plans.

use atelier_domain::PlanLimits;
use clap::{Args, Subcommand, builder::RangedI64ValueParser};

use super::Maximum;

#[derive(Debug, Subcommand)]
pub enum Plan {
    /// List the plans that have limits or a weight
    List,
    /// Set the given limits and the weight of a plan, for all accounts that have it
    Set(SetPlan),
    /// Remove the limits and the weight of a plan; its accounts keep its name
    Remove {
        /// The plan's name
        name: String,
    },
}

#[derive(Debug, Args)]
#[group(skip)]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true))]
pub struct SetPlan {
    /// The plan's name; an account has it with `atelier account update ACCOUNT --plan NAME`
    pub name: String,
    /// The most jobs in the queue of each account without a limit of its own; additional jobs are refused
    #[arg(long, group = "change", value_name = "N|none")]
    pub max_queued: Option<Maximum>,
    /// The most jobs of each such account that run at the same time; additional jobs wait
    #[arg(long, group = "change", value_name = "N|none")]
    pub max_running: Option<Maximum>,
    /// The limit on generations and uploads of each such account [none: limits.generations_per_minute]
    #[arg(long, group = "change", value_name = "N|none")]
    pub generations_per_minute: Option<Maximum>,
    /// How many jobs of each account start in its turn, 1 to 100; a plan without a weight has 1
    #[arg(long, group = "change", value_name = "N", value_parser = weight())]
    pub weight: Option<u32>,
}

fn weight() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=PlanLimits::MAX_WEIGHT.into())
}
