//! eSpeak NG's data, embedded in the program.

use std::{collections::BTreeMap, sync::OnceLock};

/// Names and contents of the data files, sorted by name.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

pub(crate) fn find(name: &str) -> Option<&'static [u8]> {
    let place = FILES.binary_search_by_key(&name, |(name, _)| name).ok()?;
    Some(FILES[place].1)
}

/// The known ISO 639-1 codes, with the names of eSpeak NG's files for them.
pub(crate) fn languages() -> BTreeMap<&'static str, &'static str> {
    let is_code = |(code, _): &(&&str, &&str)| code.len() == 2;
    let known = tags().iter().filter(is_code);
    known.map(|(code, voice)| (*code, *voice)).collect()
}

/// All known tags, such as `en` and `en-us`, with the names of eSpeak NG's files for them.
fn tags() -> &'static BTreeMap<&'static str, &'static str> {
    static TAGS: OnceLock<BTreeMap<&str, &str>> = OnceLock::new();
    TAGS.get_or_init(|| {
        let mut tags = BTreeMap::new();
        for (name, content) in FILES {
            let Some(voice) = name.strip_prefix("lang/") else {
                continue;
            };
            let lines = std::str::from_utf8(content).unwrap_or_default().lines();
            for tag in lines.filter_map(|line| line.strip_prefix("language")?.split_whitespace().next()) {
                tags.entry(tag).or_insert(voice);
            }
        }
        tags
    })
}

/// The name of eSpeak NG's file for an ISO 639-1 code, or for a code with a region.
pub(crate) fn voice(language: &str) -> Option<&'static str> {
    tags().get(language).copied()
}
