//! The credits that an account can spend.

use atelier_domain::Right;

use crate::{App, Caller, Result};

impl App {
    /// The credits that the caller's account can still spend: the total, minus what is held.
    pub fn balance(&self, caller: &Caller) -> Result<i64> {
        Ok(caller.account(Right::Spending)?.available)
    }
}
