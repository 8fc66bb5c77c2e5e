//! The whole ledger as CSV (RFC 4180), oldest entry first, read in pieces.

use std::fmt::Write as _;

use atelier_domain::{AccountId, Entry, Right};

use crate::{App, Caller, Result};

const HEADER: &str = "at,kind,generation,credits,held,spent,balance,reason\r\n";
/// Entries read at a time.
const PIECE: u32 = 2_000;

/// An export in progress.
#[derive(Debug)]
pub struct LedgerCsv {
    app: App,
    account: AccountId,
    last: i64,
    balance: i64,
    state: Reading,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Header,
    Entries,
    Over,
}

impl App {
    /// The account's ledger as CSV; see [`LedgerCsv::next`].
    pub fn ledger_csv(&self, caller: &Caller) -> Result<LedgerCsv> {
        Ok(LedgerCsv {
            app: self.clone(),
            account: caller.account(Right::Spending)?.id,
            last: 0,
            balance: 0,
            state: Reading::Header,
        })
    }
}

impl LedgerCsv {
    /// The next piece of text, whole lines; `None` after the last.
    pub async fn next(&mut self) -> Option<Result<String>> {
        match self.state {
            Reading::Over => None,
            Reading::Header => {
                self.state = Reading::Entries;
                Some(Ok(HEADER.to_owned()))
            }
            Reading::Entries => self.entries().await,
        }
    }

    async fn entries(&mut self) -> Option<Result<String>> {
        let entries = match self
            .app
            .store()
            .ledger_after(self.account, self.last, PIECE)
            .await
        {
            Ok(entries) => entries,
            Err(error) => {
                self.state = Reading::Over;
                return Some(Err(error.into()));
            }
        };
        if entries.len() < PIECE as usize {
            self.state = Reading::Over;
        }
        let mut text = String::new();
        for entry in &entries {
            self.last = entry.id;
            self.balance += entry.available;
            line(&mut text, entry, self.balance);
        }
        (!text.is_empty()).then_some(Ok(text))
    }
}

fn line(text: &mut String, entry: &Entry, balance: i64) {
    let generation = entry.generation.map(|id| id.to_string()).unwrap_or_default();
    // Writing to a text cannot fail.
    let _ = write!(
        text,
        "{},{},{generation},{},{},{},{balance},{}\r\n",
        entry.at,
        entry.kind.as_str(),
        entry.available,
        entry.held,
        entry.spent,
        quoted(entry.reason.as_deref().unwrap_or_default()),
    );
}

/// A text as one field. A leading apostrophe keeps spreadsheets from reading it as a formula.
pub(crate) fn quoted(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_and_formulas_defused() {
        assert_eq!(quoted("a gift"), "a gift");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
    }
}
