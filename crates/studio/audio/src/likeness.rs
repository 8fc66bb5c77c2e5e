//! Maps voices and languages of other models to the built-in voices and to ISO 639-1. An unknown voice name always
//! gets the same stand-in.

use atelier_sound::{chance::hash, speech::Voice};

const WOMEN: [&str; 12] = [
    "Amara", "Chiara", "Elif", "Greta", "Ingrid", "Kavya", "Mei", "Nneka", "Paloma", "Rosalind", "Tala",
    "Wren",
];
const MEN: [&str; 9] = [
    "Björn", "Dmitri", "Farid", "Haruki", "Joaquim", "Liam", "Omar", "Quentin", "Santiago",
];
/// Female and male voices that the models in the catalog name.
const KNOWN_WOMEN: [&str; 10] = [
    "tara",
    "leah",
    "jess",
    "mia",
    "zoe",
    "vivian",
    "serena",
    "ono_anna",
    "sohee",
    "ana florence",
];
const KNOWN_MEN: [&str; 7] = ["leo", "dan", "zac", "uncle_fu", "dylan", "eric", "ryan"];
/// Languages that models call by their English names.
const NAMES: [(&str, &str); 11] = [
    ("arabic", "ar"),
    ("chinese", "zh"),
    ("english", "en"),
    ("french", "fr"),
    ("german", "de"),
    ("italian", "it"),
    ("japanese", "ja"),
    ("korean", "ko"),
    ("portuguese", "pt"),
    ("russian", "ru"),
    ("spanish", "es"),
];

/// The voice with this name, or the fixed stand-in for another model's voice.
pub(super) fn voice(name: &str) -> Option<&'static Voice> {
    if let Some(voice) = Voice::named(name) {
        return Some(voice);
    }
    let lower = name.to_lowercase();
    // `af_heart` and `bm_lewis` mean: language, `f` or `m`, name.
    let mark = lower.split_once('_').map(|(mark, _)| mark.as_bytes());
    let mark = mark.filter(|mark| mark.len() == 2).map(|mark| mark[1]);
    let is_woman = KNOWN_WOMEN.contains(&lower.as_str()) || mark == Some(b'f');
    let is_man = KNOWN_MEN.contains(&lower.as_str()) || mark == Some(b'm');
    let of = |names: &[&'static str]| {
        // The same name gets the same voice on every machine.
        names[(hash(&lower) % names.len() as u64) as usize]
    };
    let stand_in = match (is_woman, is_man) {
        (true, _) => of(&WOMEN),
        (_, true) => of(&MEN),
        _ => of(&[WOMEN.as_slice(), MEN.as_slice()].concat()),
    };
    Voice::named(stand_in)
}

/// The ISO 639-1 code of a language as models write it: `en`, `en-us`, `en_US`, `English`. `None` means that the text
/// decides.
pub fn language(said: &str) -> Option<String> {
    let said = said.trim().to_lowercase();
    if said.is_empty() || said == "auto" {
        return None;
    }
    let named = NAMES.iter().find(|(name, _)| *name == said);
    let base = || said.split(['-', '_']).next().unwrap_or_default();
    Some(named.map_or_else(base, |(_, code)| code).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> &'static str {
        voice(name).unwrap().name
    }

    #[test]
    fn built_in_voices_are_used_directly_and_others_have_a_stand_in() {
        for voice in &Voice::ALL {
            assert_eq!(named(voice.name), voice.name);
        }
        for woman in ["af_heart", "tara", "Ana Florence", "Serena"] {
            assert!(WOMEN.contains(&named(woman)), "{woman}");
        }
        for man in ["bm_lewis", "Uncle_Fu", "zac"] {
            assert!(MEN.contains(&named(man)), "{man}");
        }
        assert_eq!(named("en_US-lessac-medium"), named("en_us-lessac-medium"));
        assert_ne!(named("tara"), named("mia"));
    }

    #[test]
    fn languages_are_understood_however_a_model_writes_them() {
        for english in ["en", "en-us", "en_US", "English", "EN"] {
            assert_eq!(language(english).as_deref(), Some("en"), "{english}");
        }
        assert_eq!(language("zh-cn").as_deref(), Some("zh"));
        assert_eq!((language("Auto"), language("")), (None, None));
    }
}
