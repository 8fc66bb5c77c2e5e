//! Use cases, one file per verb. Owns ids, time and transactions.
