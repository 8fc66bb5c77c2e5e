//! eSpeak NG's data, embedded in the program.

use std::{collections::BTreeMap, sync::OnceLock};

/// Names and contents of the data files, sorted by name.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

pub(crate) fn find(name: &str) -> Option<&'static [u8]> {
    let place = FILES.binary_search_by_key(&name, |(name, _)| name).ok()?;
    Some(FILES[place].1)
}

/// The known ISO 639-1 codes, with the names of eSpeak NG's files for them.
pub(crate) fn languages() -> &'static BTreeMap<&'static str, &'static str> {
    static LANGUAGES: OnceLock<BTreeMap<&str, &str>> = OnceLock::new();
    LANGUAGES.get_or_init(|| {
        let mut languages = BTreeMap::new();
        for (name, content) in FILES {
            let Some(voice) = name.strip_prefix("lang/") else {
                continue;
            };
            let lines = std::str::from_utf8(content).unwrap_or_default().lines();
            let codes = lines.filter_map(|line| line.strip_prefix("language")?.split_whitespace().next());
            for code in codes.filter(|code| code.len() == 2) {
                languages.entry(code).or_insert(voice);
            }
        }
        languages
    })
}

/// The name of eSpeak NG's file for an ISO 639-1 code.
pub(crate) fn voice(language: &str) -> Option<&'static str> {
    languages().get(language).copied()
}
