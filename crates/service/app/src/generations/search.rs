//! Searching an account's generations, newest first, for what no index answers: words, and whether they were cancelled.

use atelier_domain::{Failure, Generation, GenerationId, Scope};
use atelier_store::PageRequest;
use serde_json::Value;

use super::list::{DEFAULT_LIMIT, ListGenerations, MAX_LIMIT};
use crate::{App, Caller, Error, Result};

/// How many generations one search looks at, so that its work has a limit however long the history is. The cursor
/// leads to those before them.
pub const DEPTH: usize = 1_000;
/// How many are read at once.
const STEP: u32 = 200;
/// The most words that are compared.
const MAX_WORDS: usize = 10;
/// The fields of requests that have words.
const FIELDS: [&str; 6] = ["title", "prompt", "text", "lyrics", "style", "negative_prompt"];

/// The conditions of a search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sought<'a> {
    /// Words of the request, in any case and order. All of them must be there.
    pub words: &'a str,
    /// Whether the owner cancelled it. A failed generation that was not cancelled matches `false`.
    pub cancelled: Option<bool>,
}

/// The results of a search.
#[derive(Debug)]
pub struct FoundGenerations {
    pub items: Vec<Generation>,
    /// How many generations it has looked at.
    pub looked_at: usize,
    /// The cursor of the next page; `None` at the end of the history.
    pub next_cursor: Option<String>,
}

impl App {
    /// The generations of a list that match. One call looks at [`DEPTH`] generations at most.
    pub async fn search_generations(
        &self,
        caller: &Caller,
        list: ListGenerations,
        sought: Sought<'_>,
    ) -> Result<FoundGenerations> {
        let account = caller.account(Scope::Read)?.id;
        let most = list.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT) as usize;
        let wrong = |_| Error::invalid("`cursor` must be the `next_cursor` of the previous page");
        let cursor = list.cursor.map(|cursor| cursor.parse::<GenerationId>());
        let mut before = cursor.transpose().map_err(wrong)?;
        let words: Vec<String> = sought
            .words
            .split_whitespace()
            .take(MAX_WORDS)
            .map(str::to_lowercase)
            .collect();
        let filter = list.filter.for_store();
        let (mut items, mut looked_at) = (Vec::new(), 0);
        loop {
            let request = PageRequest { limit: STEP, before };
            let page = self.store().generations(account, filter.clone(), request).await?;
            let last = page.items.last().map(|last| last.id);
            for generation in page.items {
                looked_at += 1;
                let id = generation.id;
                before = Some(id);
                if has_words(&generation, &words) && is_cancelled(&generation, sought.cancelled) {
                    items.push(generation);
                }
                let is_end = Some(id) == last && !page.more;
                if (items.len() == most || looked_at == DEPTH) && !is_end {
                    return Ok(FoundGenerations {
                        items,
                        looked_at,
                        next_cursor: before.map(|before| before.to_string()),
                    });
                }
            }
            if !page.more {
                return Ok(FoundGenerations {
                    items,
                    looked_at,
                    next_cursor: None,
                });
            }
        }
    }
}

fn is_cancelled(generation: &Generation, wanted: Option<bool>) -> bool {
    let cancelled = generation.failure.as_ref().is_some_and(Failure::is_cancelled);
    wanted.is_none_or(|wanted| wanted == cancelled)
}

fn has_words(generation: &Generation, words: &[String]) -> bool {
    let fields = FIELDS.iter().filter_map(|name| generation.params.get(*name));
    let text: Vec<String> = fields.filter_map(Value::as_str).map(str::to_lowercase).collect();
    words
        .iter()
        .all(|word| text.iter().any(|text| text.contains(word)))
}
