//! The two-letter language codes of ISO 639-1.

/// In alphabetical order.
pub(crate) const CODES: [&str; 183] = [
    "aa", "ab", "ae", "af", "ak", "am", "an", "ar", "as", "av", "ay", "az", "ba", "be", "bg", "bi", "bm",
    "bn", "bo", "br", "bs", "ca", "ce", "ch", "co", "cr", "cs", "cu", "cv", "cy", "da", "de", "dv", "dz",
    "ee", "el", "en", "eo", "es", "et", "eu", "fa", "ff", "fi", "fj", "fo", "fr", "fy", "ga", "gd", "gl",
    "gn", "gu", "gv", "ha", "he", "hi", "ho", "hr", "ht", "hu", "hy", "hz", "ia", "id", "ie", "ig", "ii",
    "ik", "io", "is", "it", "iu", "ja", "jv", "ka", "kg", "ki", "kj", "kk", "kl", "km", "kn", "ko", "kr",
    "ks", "ku", "kv", "kw", "ky", "la", "lb", "lg", "li", "ln", "lo", "lt", "lu", "lv", "mg", "mh", "mi",
    "mk", "ml", "mn", "mr", "ms", "mt", "my", "na", "nb", "nd", "ne", "ng", "nl", "nn", "no", "nr", "nv",
    "ny", "oc", "oj", "om", "or", "os", "pa", "pi", "pl", "ps", "pt", "qu", "rm", "rn", "ro", "ru", "rw",
    "sa", "sc", "sd", "se", "sg", "si", "sk", "sl", "sm", "sn", "so", "sq", "sr", "ss", "st", "su", "sv",
    "sw", "ta", "te", "tg", "th", "ti", "tk", "tl", "tn", "to", "tr", "ts", "tt", "tw", "ty", "ug", "uk",
    "ur", "uz", "ve", "vi", "vo", "wa", "wo", "xh", "yi", "yo", "za", "zh", "zu",
];

/// The code in lower case, if the standard has it.
pub(crate) fn code(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    CODES
        .binary_search(&lower.as_str())
        .ok()
        .map(|found| CODES[found])
}

/// A regular expression of codes in any case, grouped by their first letter.
pub(crate) fn pattern<'a>(codes: impl IntoIterator<Item = &'a str>) -> String {
    let mut codes: Vec<&str> = codes.into_iter().collect();
    codes.sort_unstable();
    let mut pattern = String::from("^(");
    let mut first = None;
    for code in codes {
        let mut letters = code.chars();
        let (head, tail) = (
            letters.next().unwrap_or_default(),
            letters.next().unwrap_or_default(),
        );
        if first != Some(head) {
            pattern.push_str(if first.is_some() { "]|" } else { "" });
            pattern.extend(['[', head.to_ascii_uppercase(), head, ']', '[']);
            first = Some(head);
        }
        pattern.extend([tail.to_ascii_uppercase(), tail]);
    }
    pattern.push_str("])$");
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_unique() {
        assert!(CODES.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn a_code_is_known_in_any_case_and_a_name_is_not() {
        assert_eq!(code("DE"), Some("de"));
        assert_eq!(code("zh"), Some("zh"));
        for unknown in ["xx", "deu", "d", "", "german", "de-DE"] {
            assert_eq!(code(unknown), None, "{unknown}");
        }
    }
}
