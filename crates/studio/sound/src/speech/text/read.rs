//! How a chunk of English text is read.

use super::{
    Chunk,
    letters::{ascii_word, spelled},
    lexicon::{abbreviation, currency, is_month, magnitude, month, sign, unit},
    numbers::{cardinal, decimal, is_digits, one_by_one, ordinal, year},
};

/// The spoken form, and the number of chunks that it covers.
pub(super) struct Read {
    pub(super) say: String,
    pub(super) taken: usize,
}

impl Read {
    fn one(say: String) -> Self {
        Self { say, taken: 1 }
    }
}

/// The literal form: words unchanged, digits one by one, signs by their names.
pub(super) fn literally(chunk: &Chunk) -> Read {
    Read::one(runs(&chunk.core, one_by_one))
}

/// The meaning of the first chunk, together with the following chunks that belong to it.
pub(super) fn meaning(chunks: &[Chunk]) -> Read {
    let chunk = &chunks[0];
    let core = chunk.core.as_str();
    let next = chunks.get(1).filter(|_| !chunk.dotted);
    if let Some(say) = address(core) {
        return Read::one(say);
    }
    if let Some(read) = money(core, next) {
        return read;
    }
    if let Some(say) = clock(core).or_else(|| date(core)) {
        return Read::one(say);
    }
    if let Some(read) = number(core, next) {
        return read;
    }
    let lower = core.to_lowercase();
    if let Some(say) = abbreviation(&lower, chunk.dotted) {
        return Read::one(say.to_owned());
    }
    if is_month(&lower)
        && let Some(read) = day_after(&lower, chunks)
    {
        return read;
    }
    if is_acronym(core) {
        return Read::one(spelled(core));
    }
    Read::one(runs(core, |digits| decimal(digits).unwrap_or_default()))
}

/// Runs of letters as words, of digits by `digits`, and signs by name.
fn runs(core: &str, digits: impl Fn(&str) -> String) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut rest = core;
    while let Some(letter) = rest.chars().next() {
        let is_word =
            |letter: char| letter.is_alphabetic() || is_mark(letter) || matches!(letter, '\'' | '\u{2019}');
        let end = |inside: &dyn Fn(char) -> bool| rest.find(|letter| !inside(letter)).unwrap_or(rest.len());
        let length = if letter.is_ascii_digit() {
            let length = end(&|letter| letter.is_ascii_digit());
            words.push(digits(&rest[..length]));
            length
        } else if is_word(letter) {
            let length = end(&is_word);
            words.extend(in_parts(&ascii_word(&rest[..length])));
            length
        } else {
            words.extend(sign(letter).map(str::to_owned));
            letter.len_utf8()
        };
        rest = &rest[length..];
    }
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

/// Whether a character combines with the letter before it.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}')
}

/// Splits a word that is too long to be spoken at once.
fn in_parts(word: &str) -> Vec<String> {
    const LONGEST: usize = 30;
    word.as_bytes()
        .chunks(LONGEST)
        .map(|part| String::from_utf8_lossy(part).into_owned())
        .collect()
}

/// "https://example.com/a" → "example dot com slash a"; "me@example.org".
fn address(core: &str) -> Option<String> {
    const ENDINGS: [&str; 14] = [
        "com", "org", "net", "edu", "gov", "io", "dev", "app", "ai", "co", "uk", "de", "eu", "info",
    ];
    let bare = core.split_once("://").map(|(_, rest)| rest);
    let text = bare.unwrap_or(core);
    let host = text.split('/').next().unwrap_or_default();
    let named = host.contains('.')
        && host
            .rsplit('.')
            .next()
            .is_some_and(|ending| ENDINGS.contains(&ending.to_ascii_lowercase().as_str()))
        && !host.starts_with('.');
    if bare.is_none() && !named {
        return None;
    }
    let mut words = String::new();
    for letter in text.trim_end_matches('/').chars() {
        match letter {
            '.' => words.push_str(" dot "),
            '/' => words.push_str(" slash "),
            '-' => words.push_str(" dash "),
            '_' => words.push_str(" underscore "),
            ':' => words.push_str(" colon "),
            '?' => words.push_str(" question mark "),
            other => words.push(other),
        }
    }
    let said: Vec<String> = words
        .split_whitespace()
        .map(|word| match word {
            "www" => spelled(word),
            word => runs(word, |digits| decimal(digits).unwrap_or_default()),
        })
        .filter(|word| !word.is_empty())
        .collect();
    Some(said.join(" "))
}

/// "$5", "€3.50", "£2 million".
fn money(core: &str, next: Option<&Chunk>) -> Option<Read> {
    let mut letters = core.chars();
    let (one, many, part) = currency(letters.next()?)?;
    let amount = letters.as_str();
    let (figure, suffix) = split_number(amount);
    if let Some(power) = magnitude(suffix).filter(|_| !suffix.is_empty()) {
        return Some(Read::one(format!("{} {power} {many}", decimal(figure)?)));
    }
    if !suffix.is_empty() {
        return None;
    }
    let word = next.map(|next| next.core.as_str()).filter(|word| word.len() > 2);
    if let Some(power) = word.and_then(magnitude) {
        return Some(Read {
            say: format!("{} {power} {many}", decimal(figure)?),
            taken: 2,
        });
    }
    let name = |digits: &str| if digits == "1" { one } else { many };
    match figure.split_once('.') {
        Some((whole, cents)) if cents.len() == 2 && is_digits(cents) => {
            let whole_said = decimal(whole)?;
            let cents_said = cardinal(cents);
            let say = match (whole, cents) {
                (_, "00") => format!("{whole_said} {}", name(whole)),
                ("0", _) => format!("{cents_said} {part}"),
                _ => format!("{whole_said} {} {cents_said}", name(whole)),
            };
            Some(Read::one(say))
        }
        _ => Some(Read::one(format!("{} {}", decimal(figure)?, name(figure)))),
    }
}

/// "10:30", "7:05pm", "12:00:30".
fn clock(core: &str) -> Option<String> {
    let lower = core.to_ascii_lowercase();
    let figures = lower.trim_end_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '.');
    let half = match &lower[figures.len()..] {
        "" => "",
        "am" | "a.m" => " eigh em",
        "pm" | "p.m" => " pea em",
        _ => return None,
    };
    let parts: Vec<&str> = figures.split(':').collect();
    let good = (2..=3).contains(&parts.len())
        && is_digits(parts[0])
        && parts[0].parse::<u32>().is_ok_and(|hour| hour < 25)
        && parts[1..].iter().all(|part| part.len() == 2 && is_digits(part));
    if !good {
        let alone = is_digits(figures) && figures.len() <= 2 && !half.is_empty();
        return alone.then(|| format!("{}{half}", cardinal(figures)));
    }
    let minutes = match parts[1] {
        "00" if half.is_empty() => " o'clock".to_owned(),
        "00" => String::new(),
        low if low.starts_with('0') => format!(" oh {}", cardinal(low)),
        other => format!(" {}", cardinal(other)),
    };
    let seconds = parts
        .get(2)
        .map(|seconds| format!(" and {} seconds", cardinal(seconds)));
    Some(format!(
        "{}{minutes}{}{half}",
        cardinal(parts[0]),
        seconds.unwrap_or_default()
    ))
}

/// "2024-03-15" and "3/15/2024".
fn date(core: &str) -> Option<String> {
    let by_dash: Vec<&str> = core.split('-').collect();
    let by_slash: Vec<&str> = core.split('/').collect();
    let (y, m, d) = match (by_dash.as_slice(), by_slash.as_slice()) {
        (&[y, m, d], _) if y.len() == 4 => (y, m, d),
        (_, &[m, d, y]) if y.len() == 4 => (y, m, d),
        _ => return None,
    };
    let good = [y, m, d].iter().all(|part| is_digits(part)) && (1..=31).contains(&d.parse::<u32>().ok()?);
    if !good {
        return None;
    }
    Some(format!("{} {} {}", month(m)?, ordinal(d), year(y)))
}

/// "March 3" and "March 3, 2024".
fn day_after(month: &str, chunks: &[Chunk]) -> Option<Read> {
    let day = chunks.get(1)?;
    if !is_digits(&day.core) || day.core.len() > 2 {
        return None;
    }
    let in_year = chunks
        .get(2)
        .filter(|chunk| chunk.core.len() == 4 && is_digits(&chunk.core));
    let (tail, taken) = match in_year {
        Some(chunk) => (format!(" {}", year(&chunk.core)), 3),
        None => (String::new(), 2),
    };
    Some(Read {
        say: format!("{month} {}{tail}", ordinal(&day.core)),
        taken,
    })
}

/// Numbers with their suffixes: "1st", "50%", "5 km", "10-20", "1/2", "1990s".
fn number(core: &str, next: Option<&Chunk>) -> Option<Read> {
    let (figure, suffix) = split_number(core);
    if figure.is_empty() {
        return None;
    }
    let said = || plain(figure);
    let named = |(one, many): (&'static str, &'static str)| if figure == "1" { one } else { many };
    if suffix.is_empty() {
        if let Some(power) = next.and_then(|next| magnitude(&next.core).filter(|_| next.core.len() > 2)) {
            return Some(Read {
                say: format!("{} {power}", decimal(figure)?),
                taken: 2,
            });
        }
        if let Some(name) = next.and_then(|next| unit(&next.core)) {
            return Some(Read {
                say: format!("{} {}", decimal(figure)?, named(name)),
                taken: 2,
            });
        }
        return said().map(Read::one);
    }
    let say = match suffix {
        "st" | "nd" | "rd" | "th" if is_digits(figure) => ordinal(figure),
        "s" | "'s" | "\u{2019}s" if figure.len() == 4 => plural(&year(figure)),
        suffix => {
            if let Some(name) = unit(suffix) {
                format!("{} {}", decimal(figure)?, named(name))
            } else if let Some(power) = magnitude(suffix) {
                format!("{} {power}", decimal(figure)?)
            } else {
                between(figure, suffix)?
            }
        }
    };
    Some(Read::one(say))
}

/// The rest of "10-20", "1/2", "16:9" and "3x4", after the first figure.
fn between(figure: &str, suffix: &str) -> Option<String> {
    let mut letters = suffix.chars();
    let joint = letters.next()?;
    let other = letters.as_str();
    let right = plain(other)?;
    Some(match (joint, figure, other) {
        ('/', "1", "2") => "one half".to_owned(),
        ('/', "1", "4") => "one quarter".to_owned(),
        ('/', "3", "4") => "three quarters".to_owned(),
        ('/', ..) => format!("{} over {right}", plain(figure)?),
        ('-' | '\u{2013}' | ':', ..) => format!("{} to {right}", plain(figure)?),
        ('x' | '\u{d7}', ..) => format!("{} by {right}", plain(figure)?),
        _ => return None,
    })
}

/// A number alone. Four digits from 1100 to 2099 are a year.
fn plain(figure: &str) -> Option<String> {
    let is_year = figure.len() == 4
        && is_digits(figure)
        && figure
            .parse::<u32>()
            .is_ok_and(|number| (1_100..2_100).contains(&number));
    if is_year {
        Some(year(figure))
    } else {
        decimal(figure)
    }
}

fn plural(said: &str) -> String {
    match said.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{said}s"),
    }
}

/// The number at the beginning of a text, and the rest.
fn split_number(text: &str) -> (&str, &str) {
    let unsigned = text.trim_start_matches(['-', '+', '\u{2212}']);
    if text.len() - unsigned.len() > 3
        || !unsigned.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.')
    {
        return ("", text);
    }
    let signs = text.len() - unsigned.len();
    let end = unsigned
        .find(|letter: char| !(letter.is_ascii_digit() || matches!(letter, '.' | ',')))
        .unwrap_or(unsigned.len());
    let figure = text[..signs + end].trim_end_matches(['.', ',']);
    if figure.bytes().any(|byte| byte.is_ascii_digit()) {
        text.split_at(figure.len())
    } else {
        ("", text)
    }
}

/// Whether capitals are read letter by letter: "USA", "FBI", "U.S". Longer ones are read as words, like NASA.
fn is_acronym(core: &str) -> bool {
    let bare: String = core.chars().filter(|letter| *letter != '.').collect();
    let capitals = bare.len() > 1 && bare.bytes().all(|byte| byte.is_ascii_uppercase());
    let vowels = bare.bytes().filter(|byte| b"AEIOUY".contains(byte)).count();
    let words = [
        "OK", "NO", "ON", "IN", "IT", "IS", "TO", "DO", "GO", "MY", "WE", "HE", "SO", "OR", "AND", "THE",
        "NOT", "YOU", "ALL", "ARE", "FOR", "NOW", "OUT", "OUR", "NEW", "ONE", "TWO",
    ];
    capitals && !words.contains(&bare.as_str()) && (bare.len() <= 3 || vowels == 0 || core.contains('.'))
}
