//! The results and spending of an account: by day, by model, entry by entry.

pub mod csv;
pub mod days;
pub mod ledger;

pub use csv::LedgerCsv;
pub use days::{AccountUsage, DayTotal, MAX_ACCOUNTS, ModelTotal, UsageReport};
