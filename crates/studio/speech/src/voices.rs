//! The choice of a trained voice for a voice of the catalog, and of its language.

use atelier_audio::likeness;
use atelier_sound::speech::{LANGUAGES, language_of};

use crate::folder;

/// A language of Kokoro.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Language {
    /// As the catalog writes it.
    pub(crate) name: &'static str,
    /// ISO 639-1.
    code: &'static str,
    /// As the helper program calls it.
    pub(crate) helper: &'static str,
    /// The first letter of its voices.
    letter: char,
    /// Its women and its men, the clearest first. Men or women that a language lacks are served by no other.
    women: &'static [&'static str],
    men: &'static [&'static str],
}

const fn language(
    name: &'static str,
    code: &'static str,
    helper: &'static str,
    letter: char,
    women: &'static [&'static str],
    men: &'static [&'static str],
) -> Language {
    Language {
        name,
        code,
        helper,
        letter,
        women,
        men,
    }
}

/// English voices of the catalog have their own table, [`CATALOG`].
static KOKORO: [Language; 9] = [
    language("en-us", "en", "en-us", 'a', &[], &[]),
    language("en-gb", "en", "en", 'b', &[], &[]),
    language("es", "es", "es", 'e', &["ef_dora"], &["em_alex"]),
    language("fr-fr", "fr", "fr", 'f', &["ff_siwis"], &[]),
    language(
        "hi",
        "hi",
        "hi",
        'h',
        &["hf_alpha", "hf_beta"],
        &["hm_omega", "hm_psi"],
    ),
    language("it", "it", "it", 'i', &["if_sara"], &["im_nicola"]),
    language(
        "ja",
        "ja",
        "ja",
        'j',
        &["jf_alpha", "jf_gongitsune", "jf_tebukuro", "jf_nezumi"],
        &["jm_kumo"],
    ),
    language("pt-br", "pt", "pt-br", 'p', &["pf_dora"], &["pm_alex"]),
    language(
        "zh",
        "zh",
        "zh",
        'z',
        &["zf_xiaobei", "zf_xiaoni", "zf_xiaoxiao", "zf_xiaoyi"],
        &["zm_yunjian", "zm_yunxi", "zm_yunxia", "zm_yunyang"],
    ),
];

/// The voices of `tts-v3`, and Kokoro's voices that are nearest in sex, age and manner. A `b` is British.
const CATALOG: [(&str, &str); 21] = [
    ("Amara", "af_nova"),
    ("Björn", "bm_lewis"),
    ("Chiara", "af_bella"),
    ("Dmitri", "am_onyx"),
    ("Elif", "af_aoede"),
    ("Farid", "am_puck"),
    ("Greta", "bf_alice"),
    ("Haruki", "am_echo"),
    ("Ingrid", "bf_isabella"),
    ("Joaquim", "am_eric"),
    ("Kavya", "af_sarah"),
    ("Liam", "am_liam"),
    ("Mei", "af_sky"),
    ("Nneka", "af_alloy"),
    ("Omar", "am_michael"),
    ("Paloma", "af_kore"),
    ("Quentin", "bm_daniel"),
    ("Rosalind", "bf_emma"),
    ("Santiago", "am_fenrir"),
    ("Tala", "af_nicole"),
    ("Wren", "af_heart"),
];

/// The name of Kokoro's voice for a voice of the catalog, and the language to speak. `Err` says why there is none.
pub(crate) fn kokoro(
    asked: &str,
    code: Option<&str>,
    text: &str,
) -> Result<(String, &'static Language), String> {
    if let Some(own) = own_language(asked) {
        // Its own voices speak every language, with their accent.
        let named = code.map(|code| named(code, own.letter).ok_or_else(|| unspoken(code)));
        return Ok((asked.to_owned(), named.transpose()?.unwrap_or(own)));
    }
    let row = CATALOG.iter().position(|(name, _)| *name == asked);
    let row = row.ok_or_else(|| format!("the weights have no voice for {asked:?}"))?;
    let english = CATALOG[row].1;
    let code = code
        .and_then(likeness::language)
        .unwrap_or_else(|| language_of(text).to_owned());
    if code == "en" {
        let language = own_language(english).ok_or_else(|| unspoken(&code))?;
        return Ok((english.to_owned(), language));
    }
    let language = KOKORO.iter().find(|language| language.code == code);
    let language = language.ok_or_else(|| unspoken(&code))?;
    let is_woman = is_woman(english);
    let voices = if is_woman { language.women } else { language.men };
    // Voices of one sex are shared out in the catalog's order.
    let number = CATALOG[..row]
        .iter()
        .filter(|(_, other)| self::is_woman(other) == is_woman)
        .count();
    let voice = voices.get(number % voices.len().max(1));
    let voice = voice.ok_or_else(|| {
        let sex = if is_woman { "woman" } else { "man" };
        format!("the weights have no {sex} who speaks `{}`", language.name)
    })?;
    Ok(((*voice).to_owned(), language))
}

fn unspoken(code: &str) -> String {
    format!("the weights do not speak `{code}`")
}

/// `af_heart` is an American woman.
fn is_woman(voice: &str) -> bool {
    voice.as_bytes().get(1) == Some(&b'f')
}

/// The language of one of Kokoro's voices.
fn own_language(voice: &str) -> Option<&'static Language> {
    let (mark, name) = voice.split_once('_')?;
    let mut letters = mark.chars();
    let (letter, sex, None) = (letters.next()?, letters.next()?, letters.next()) else {
        return None;
    };
    // It becomes the name of a file.
    let plain = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_lowercase());
    let language = KOKORO.iter().find(|language| language.letter == letter);
    language.filter(|_| plain && matches!(sex, 'f' | 'm'))
}

/// The language with this name or code; of two, the one with this letter.
fn named(code: &str, letter: char) -> Option<&'static Language> {
    let lower = code.to_lowercase().replace('_', "-");
    let base = likeness::language(code)?;
    let exact = KOKORO.iter().find(|language| language.name == lower);
    let own = || {
        KOKORO
            .iter()
            .find(|language| language.code == base && language.letter == letter)
    };
    exact
        .or_else(own)
        .or_else(|| KOKORO.iter().find(|language| language.code == base))
}

/// The helper's name for a language as Piper's files call it: `en-us`, `en-gb-x-rp`, `de`.
pub(crate) fn helper_language(voice: &str) -> Option<&'static str> {
    let exact = [("en-us", "en-us"), ("pt-br", "pt-br"), ("cmn", "zh")];
    if let Some((_, name)) = exact.iter().find(|(known, _)| *known == voice) {
        return Some(name);
    }
    let base = voice.split('-').next()?;
    LANGUAGES.iter().find(|code| **code == base).copied()
}

/// The voice that `piper` has if nobody asks for one; every voice of its language may stand for it.
const PIPER_DEFAULT: &str = "en_US-lessac-medium";
/// The language that it has if nobody asks for one.
const PIPER_DEFAULT_LANGUAGE: &str = "en_us";

/// Whether Piper's weights are what a request asks for. `Err` says why not.
pub(crate) fn piper(
    settings: &folder::Piper,
    voice: Option<&str>,
    code: Option<&str>,
    text: &str,
) -> Result<(), String> {
    let own = with_region(&settings.language).unwrap_or_default();
    // A code without a region asks for any.
    let speaks = |asked: &str| own == asked || own.split('_').next() == Some(asked);
    let asked = code.and_then(with_region);
    match voice {
        // The catalog's default language comes with every voice.
        Some(voice) if voice == settings.voice => {
            let other = asked.filter(|asked| !speaks(asked) && asked != PIPER_DEFAULT_LANGUAGE);
            other.map_or(Ok(()), |other| Err(unspoken(&other)))
        }
        Some(PIPER_DEFAULT) | None => {
            let asked = asked.unwrap_or_else(|| language_of(text).to_owned());
            if speaks(&asked) {
                Ok(())
            } else {
                Err(unspoken(&asked))
            }
        }
        Some(voice) => Err(format!(
            "the weights have the voice {:?}, not {voice:?}",
            settings.voice
        )),
    }
}

/// `en_us` for `en-US`, `en` for `English`.
fn with_region(code: &str) -> Option<String> {
    let base = likeness::language(code)?;
    let whole = code.trim().to_lowercase().replace('-', "_");
    Some(if whole.starts_with(&format!("{base}_")) {
        whole
    } else {
        base
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(voice: &str, code: Option<&str>, text: &str) -> Result<(String, &'static str), String> {
        kokoro(voice, code, text).map(|(voice, language)| (voice, language.name))
    }

    #[test]
    fn every_voice_of_the_catalog_has_its_own_english_voice() {
        let text = include_str!("../../../../catalog/audio/tts-v3.toml");
        let mut seen = std::collections::BTreeSet::new();
        let mut profiles = 0;
        for profile in text.split("[[capabilities.voice_profiles]]").skip(1) {
            let value = |key: &str| {
                let line = profile.lines().find(|line| line.starts_with(key)).unwrap();
                line.split('"').nth(1).unwrap().to_owned()
            };
            let (voice, language) = of(&value("name"), None, "Hello there, this is a test.").unwrap();
            assert!(language.starts_with("en-"));
            assert_eq!(is_woman(&voice), value("gender") == "woman", "{voice}");
            assert!(seen.insert(voice.clone()), "{voice} speaks for two");
            profiles += 1;
        }
        assert_eq!(profiles, 21);
    }

    #[test]
    fn the_voices_of_the_tables_are_files_of_the_index() {
        let index = include_str!("../../../../models.d/kokoro-voices.toml");
        let listed = KOKORO
            .iter()
            .flat_map(|language| language.women.iter().chain(language.men));
        for voice in listed.chain(CATALOG.iter().map(|(_, voice)| voice)) {
            assert!(index.contains(&format!("\"voices/{voice}.bin\"")), "{voice}");
            assert!(own_language(voice).is_some());
        }
    }

    #[test]
    fn other_languages_keep_the_sex_or_have_no_voice() {
        assert_eq!(of("Wren", Some("es"), ""), Ok(("ef_dora".to_owned(), "es")));
        assert_eq!(of("Omar", Some("pt"), ""), Ok(("pm_alex".to_owned(), "pt-br")));
        assert_eq!(
            of("Omar", Some("fr"), "").unwrap_err(),
            "the weights have no man who speaks `fr-fr`"
        );
        assert_eq!(
            of("Wren", Some("de"), "").unwrap_err(),
            "the weights do not speak `de`"
        );
        assert_eq!(
            of(
                "Wren",
                None,
                "Das Wetter ist heute sch\u{f6}n, und wir fahren ans Meer."
            )
            .unwrap_err(),
            "the weights do not speak `de`"
        );
        assert_eq!(
            of("Nobody", None, "Hello").unwrap_err(),
            "the weights have no voice for \"Nobody\""
        );
    }

    #[test]
    fn its_own_voices_speak_their_language_or_the_one_that_is_asked_for() {
        assert_eq!(
            of("bm_george", None, "Bonjour"),
            Ok(("bm_george".to_owned(), "en-gb"))
        );
        assert_eq!(
            of("bm_george", Some("en"), ""),
            Ok(("bm_george".to_owned(), "en-gb"))
        );
        assert_eq!(
            of("bm_george", Some("en-us"), ""),
            Ok(("bm_george".to_owned(), "en-us"))
        );
        assert_eq!(
            of("af_heart", Some("fr-fr"), ""),
            Ok(("af_heart".to_owned(), "fr-fr"))
        );
        for not in ["af_../../etc", "af_", "xx_heart", "af_Heart", "afm_heart"] {
            assert!(of(not, None, "Hello").is_err(), "{not}");
        }
    }

    #[test]
    fn a_piper_voice_serves_itself_its_language_and_no_other_voice() {
        let settings = folder::Piper {
            sample_rate: 22_050,
            voice: "en_US-joe-medium".to_owned(),
            language: "en_US".to_owned(),
            noise_scale: 0.667,
            length_scale: 1.0,
            noise_w: 0.8,
        };
        let asked = |voice: &str, code: &str| piper(&settings, Some(voice), Some(code), "Hello");
        assert_eq!(asked("en_US-joe-medium", "en_US"), Ok(()));
        assert_eq!(asked(PIPER_DEFAULT, "en_US"), Ok(()));
        for any in ["en", "English"] {
            assert_eq!(asked(PIPER_DEFAULT, any), Ok(()));
        }
        for voice in [PIPER_DEFAULT, "en_US-joe-medium"] {
            for (other, told) in [("de_DE", "de_de"), ("en-GB", "en_gb"), ("de", "de")] {
                let error = asked(voice, other).unwrap_err();
                assert_eq!(error, format!("the weights do not speak `{told}`"));
            }
        }
        let german = folder::Piper {
            voice: "de_DE-thorsten-medium".to_owned(),
            language: "de_DE".to_owned(),
            ..settings.clone()
        };
        let named = piper(&german, Some("de_DE-thorsten-medium"), Some("en_US"), "Hallo");
        assert_eq!(named, Ok(()), "the default language comes with every voice");
        assert!(piper(&german, None, Some("en_US"), "Hallo").is_err());
        assert!(asked("de_DE-thorsten-medium", "de_DE").is_err());
        assert_eq!(helper_language("en-gb-x-rp"), Some("en"));
        assert_eq!(helper_language("cmn"), Some("zh"));
        assert_eq!(helper_language("xx"), None);
    }
}
