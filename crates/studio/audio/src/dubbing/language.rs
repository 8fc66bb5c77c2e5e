//! The target language, as an ISO 639 code of two or three letters.

use atelier_sound::speech::LANGUAGES;

use atelier_protocol::Error;

/// Three-letter codes of the supported languages: ISO 639-3, and those of ISO 639-2/B that differ.
const THREE: &[(&str, &str)] = &[
    ("afr", "af"),
    ("amh", "am"),
    ("arg", "an"),
    ("ara", "ar"),
    ("asm", "as"),
    ("aze", "az"),
    ("bak", "ba"),
    ("bel", "be"),
    ("bul", "bg"),
    ("ben", "bn"),
    ("bos", "bs"),
    ("cat", "ca"),
    ("ces", "cs"),
    ("cze", "cs"),
    ("chv", "cv"),
    ("cym", "cy"),
    ("wel", "cy"),
    ("dan", "da"),
    ("deu", "de"),
    ("ger", "de"),
    ("ell", "el"),
    ("gre", "el"),
    ("eng", "en"),
    ("epo", "eo"),
    ("spa", "es"),
    ("est", "et"),
    ("eus", "eu"),
    ("baq", "eu"),
    ("fas", "fa"),
    ("per", "fa"),
    ("fin", "fi"),
    ("fra", "fr"),
    ("fre", "fr"),
    ("gle", "ga"),
    ("gla", "gd"),
    ("grn", "gn"),
    ("guj", "gu"),
    ("heb", "he"),
    ("hin", "hi"),
    ("hrv", "hr"),
    ("hat", "ht"),
    ("hun", "hu"),
    ("hye", "hy"),
    ("arm", "hy"),
    ("ina", "ia"),
    ("ind", "id"),
    ("ido", "io"),
    ("isl", "is"),
    ("ice", "is"),
    ("ita", "it"),
    ("jpn", "ja"),
    ("kat", "ka"),
    ("geo", "ka"),
    ("kaz", "kk"),
    ("kal", "kl"),
    ("kan", "kn"),
    ("kor", "ko"),
    ("kur", "ku"),
    ("kir", "ky"),
    ("lat", "la"),
    ("ltz", "lb"),
    ("lit", "lt"),
    ("lav", "lv"),
    ("mri", "mi"),
    ("mao", "mi"),
    ("mkd", "mk"),
    ("mac", "mk"),
    ("mal", "ml"),
    ("mar", "mr"),
    ("msa", "ms"),
    ("may", "ms"),
    ("mlt", "mt"),
    ("mya", "my"),
    ("bur", "my"),
    ("nob", "nb"),
    ("nep", "ne"),
    ("nld", "nl"),
    ("dut", "nl"),
    ("nor", "no"),
    ("orm", "om"),
    ("ori", "or"),
    ("pan", "pa"),
    ("pol", "pl"),
    ("por", "pt"),
    ("que", "qu"),
    ("ron", "ro"),
    ("rum", "ro"),
    ("rus", "ru"),
    ("snd", "sd"),
    ("sin", "si"),
    ("slk", "sk"),
    ("slo", "sk"),
    ("slv", "sl"),
    ("sqi", "sq"),
    ("alb", "sq"),
    ("srp", "sr"),
    ("swe", "sv"),
    ("swa", "sw"),
    ("tam", "ta"),
    ("tel", "te"),
    ("tha", "th"),
    ("tir", "ti"),
    ("tuk", "tk"),
    ("tsn", "tn"),
    ("tur", "tr"),
    ("tat", "tt"),
    ("uig", "ug"),
    ("ukr", "uk"),
    ("urd", "ur"),
    ("uzb", "uz"),
    ("vie", "vi"),
    ("zho", "zh"),
    ("chi", "zh"),
    ("cmn", "zh"),
    ("pes", "fa"),
    ("arb", "ar"),
    ("zsm", "ms"),
];

/// The two-letter code of a supported language.
pub(super) fn spoken(parameter: &str, code: &str) -> Result<&'static str, Error> {
    let asked = code.trim().to_lowercase();
    let two = THREE
        .iter()
        .find(|(three, _)| *three == asked)
        .map(|(_, two)| *two);
    let two = two.unwrap_or(&asked);
    let found = LANGUAGES.iter().find(|code| **code == two);
    found.copied().ok_or_else(|| {
        Error::InvalidInput(format!(
            "unsupported language in `{parameter}`: {code:?}; supported languages: {}",
            LANGUAGES.join(", ")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_two_and_of_three_letters_name_the_same_language() {
        for code in ["de", "DE", "deu", "ger"] {
            assert_eq!(spoken("target_language", code).unwrap(), "de", "{code}");
        }
        // Every language has a three-letter code, and every such code names a language.
        for language in LANGUAGES {
            assert!(THREE.iter().any(|(_, two)| two == language), "{language}");
        }
        for (three, two) in THREE {
            assert_eq!(spoken("target_language", three).unwrap(), *two);
        }
    }

    #[test]
    fn an_unsupported_language_is_refused_with_the_list_of_supported_ones() {
        let error = spoken("target_language", "xx").unwrap_err().to_string();
        assert!(
            error.starts_with("unsupported language in `target_language`: \"xx\""),
            "{error}"
        );
        assert!(error.contains("af, am, an") && error.ends_with(", zh"), "{error}");
    }
}
