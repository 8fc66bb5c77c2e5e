//! What an account made and spent: by day, by model, entry by entry.

pub mod csv;
pub mod days;
pub mod ledger;

pub use atelier_store::AccountUsage;
pub use csv::LedgerCsv;
pub use days::{DayTotal, MAX_ACCOUNTS, ModelTotal, UsageReport};
