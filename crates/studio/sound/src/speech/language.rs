//! The supported languages, and detection of a text's language.

use whatlang::{Lang, detect};

/// ISO 639-1 codes of all supported languages, in alphabetical order. English needs no helper program.
pub const LANGUAGES: &[&str] = &[
    "af", "am", "an", "ar", "as", "az", "ba", "be", "bg", "bn", "bs", "ca", "cs", "cv", "cy", "da", "de",
    "el", "en", "eo", "es", "et", "eu", "fa", "fi", "fr", "ga", "gd", "gn", "gu", "he", "hi", "hr", "ht",
    "hu", "hy", "ia", "id", "io", "is", "it", "ja", "ka", "kk", "kl", "kn", "ko", "ku", "ky", "la", "lb",
    "lt", "lv", "mi", "mk", "ml", "mr", "ms", "mt", "my", "nb", "ne", "nl", "no", "om", "or", "pa", "pl",
    "pt", "qu", "ro", "ru", "sd", "si", "sk", "sl", "sq", "sr", "sv", "sw", "ta", "te", "th", "ti", "tk",
    "tn", "tr", "tt", "ug", "uk", "ur", "uz", "vi", "zh",
];

/// The confidence that a guess needs if the text is in Latin letters, as English is.
const SURE: f64 = 0.85;

/// The language of a text; English if in doubt.
pub fn language_of(text: &str) -> &'static str {
    let Some(guess) = detect(text) else { return "en" };
    let sure = guess.is_reliable() || guess.confidence() >= SURE;
    if guess.script() == whatlang::Script::Latin && !sure {
        return "en";
    }
    code(guess.lang()).unwrap_or("en")
}

/// The ISO 639-1 code of a language, if it is supported.
fn code(language: Lang) -> Option<&'static str> {
    let code = match language {
        Lang::Afr => "af",
        Lang::Amh => "am",
        Lang::Ara => "ar",
        Lang::Aze => "az",
        Lang::Bel => "be",
        Lang::Ben => "bn",
        Lang::Bul => "bg",
        Lang::Cat => "ca",
        Lang::Ces => "cs",
        Lang::Cmn => "zh",
        Lang::Cym => "cy",
        Lang::Dan => "da",
        Lang::Deu => "de",
        Lang::Ell => "el",
        Lang::Epo => "eo",
        Lang::Est => "et",
        Lang::Fin => "fi",
        Lang::Fra => "fr",
        Lang::Guj => "gu",
        Lang::Heb => "he",
        Lang::Hin => "hi",
        Lang::Hrv => "hr",
        Lang::Hun => "hu",
        Lang::Hye => "hy",
        Lang::Ind => "id",
        Lang::Ita => "it",
        Lang::Jpn => "ja",
        Lang::Kan => "kn",
        Lang::Kat => "ka",
        Lang::Kor => "ko",
        Lang::Lat => "la",
        Lang::Lav => "lv",
        Lang::Lit => "lt",
        Lang::Mal => "ml",
        Lang::Mar => "mr",
        Lang::Mkd => "mk",
        Lang::Mya => "my",
        Lang::Nep => "ne",
        Lang::Nld => "nl",
        Lang::Nob => "nb",
        Lang::Ori => "or",
        Lang::Pan => "pa",
        Lang::Pes => "fa",
        Lang::Pol => "pl",
        Lang::Por => "pt",
        Lang::Ron => "ro",
        Lang::Rus => "ru",
        Lang::Sin => "si",
        Lang::Slk => "sk",
        Lang::Slv => "sl",
        Lang::Spa => "es",
        Lang::Srp => "sr",
        Lang::Swe => "sv",
        Lang::Tam => "ta",
        Lang::Tel => "te",
        Lang::Tha => "th",
        Lang::Tuk => "tk",
        Lang::Tur => "tr",
        Lang::Ukr => "uk",
        Lang::Urd => "ur",
        Lang::Uzb => "uz",
        Lang::Vie => "vi",
        _ => return None,
    };
    Some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_of_texts_are_detected() {
        for (text, language) in [
            (
                "The weather is fine today, and we are going to the seaside.",
                "en",
            ),
            ("Das Wetter ist heute sch\u{f6}n, und wir fahren ans Meer.", "de"),
            (
                "Il fait beau aujourd\u{2019}hui et nous allons \u{e0} la mer.",
                "fr",
            ),
            (
                "Hoy hace buen tiempo y vamos a la playa con los ni\u{f1}os.",
                "es",
            ),
            (
                "\u{41f}\u{440}\u{438}\u{432}\u{435}\u{442}, \u{43a}\u{430}\u{43a} \u{434}\u{435}\u{43b}\u{430}?",
                "ru",
            ),
            (
                "Oggi il tempo \u{e8} bello e andiamo al mare con i bambini.",
                "it",
            ),
            (
                "Dzisiaj jest \u{142}adna pogoda i idziemy nad morze z dzie\u{107}mi.",
                "pl",
            ),
            (
                "Hoje o tempo est\u{e1} bom e n\u{f3}s vamos \u{e0} praia com as crian\u{e7}as.",
                "pt",
            ),
            (
                "Bug\u{fc}n hava \u{e7}ok g\u{fc}zel ve \u{e7}ocuklarla denize gidiyoruz.",
                "tr",
            ),
            (
                "\u{41f}\u{43e}\u{433}\u{43e}\u{434}\u{430} \
                 \u{441}\u{44c}\u{43e}\u{433}\u{43e}\u{434}\u{43d}\u{456} \
                 \u{447}\u{443}\u{434}\u{43e}\u{432}\u{430}, \u{456} \u{43c}\u{438} \
                 \u{457}\u{434}\u{435}\u{43c}\u{43e} \u{434}\u{43e} \u{43c}\u{43e}\u{440}\u{44f}.",
                "uk",
            ),
            (
                "\u{39f} \u{3ba}\u{3b1}\u{3b9}\u{3c1}\u{3cc}\u{3c2} \u{3b5}\u{3af}\u{3bd}\u{3b1}\u{3b9} \
                 \u{3ba}\u{3b1}\u{3bb}\u{3cc}\u{3c2}",
                "el",
            ),
            (
                "\u{627}\u{644}\u{637}\u{642}\u{633} \u{62c}\u{645}\u{64a}\u{644} \u{627}\u{644}\u{64a}\u{648}\u{645}",
                "ar",
            ),
            (
                "\u{906}\u{91c} \u{92e}\u{94c}\u{938}\u{92e} \u{92c}\u{939}\u{941}\u{924} \
                 \u{905}\u{91a}\u{94d}\u{91b}\u{93e} \u{939}\u{948}",
                "hi",
            ),
            (
                "\u{4eca}\u{65e5}\u{306f}\u{5929}\u{6c17}\u{304c}\u{3044}\u{3044}\u{3067}\u{3059}",
                "ja",
            ),
            ("\u{4f60}\u{597d}\u{4e16}\u{754c}", "zh"),
            ("\u{3053}\u{3093}\u{306b}\u{3061}\u{306f}", "ja"),
            ("\u{c548}\u{b155}\u{d558}\u{c138}\u{c694}", "ko"),
        ] {
            assert_eq!(language_of(text), language, "{text}");
        }
    }

    #[test]
    fn a_doubtful_text_is_english() {
        for text in ["", "123", "Hello", "OK", "Wren, 12:30", "Dr. Smith"] {
            assert_eq!(language_of(text), "en", "{text}");
        }
    }

    #[test]
    fn every_detected_language_is_supported() {
        assert!(LANGUAGES.is_sorted());
        for language in Lang::all() {
            if let Some(code) = code(*language) {
                assert!(LANGUAGES.contains(&code), "{code}");
            }
        }
    }
}
