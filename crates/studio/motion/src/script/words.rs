//! Words of a prompt, from which phrases are taken.

use atelier_picture::prompt::Prompt;

/// Prompts are cut after this many words, as for pictures.
const MOST_WORDS: usize = 600;

/// Words in lower case, without hyphens; marks that end a phrase become commas, except colons; quoted text is one
/// word.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    let mut quote: Option<String> = None;
    let flush = |word: &mut String, out: &mut Vec<String>| {
        if !word.is_empty() {
            out.push(std::mem::take(word));
        }
    };
    for c in text.chars() {
        let mark = matches!(c, '"' | '“' | '”' | '„' | '«' | '»');
        if let Some(open) = &mut quote {
            if mark {
                out.push(format!("\"{open}\""));
                quote = None;
            } else {
                open.push(c);
            }
            continue;
        }
        match c {
            _ if mark => {
                flush(&mut word, &mut out);
                quote = Some(String::new());
            }
            // Marks of references stay with their words: `@Image1`.
            _ if c.is_alphanumeric() || matches!(c, '\'' | '’' | '@' | '_' | '#') => {
                word.extend(c.to_lowercase());
            }
            ',' | '.' | ';' | '!' | '?' | '(' | ')' | '\n' => {
                flush(&mut word, &mut out);
                out.push(",".into());
            }
            ':' => {
                flush(&mut word, &mut out);
                out.push(":".into());
            }
            _ => flush(&mut word, &mut out),
        }
        if out.len() > MOST_WORDS {
            break;
        }
    }
    flush(&mut word, &mut out);
    if let Some(open) = quote {
        out.extend(open.split_whitespace().take(MOST_WORDS).map(str::to_lowercase));
    }
    out
}

/// The words of each shot.
pub(super) fn shots(words: &[String]) -> Vec<Vec<String>> {
    let mut shots = vec![Vec::new()];
    let mut at = 0;
    let is = |at: usize, word: &str| words.get(at).is_some_and(|w| w == word);
    while at < words.len() {
        let numbered = matches!(words[at].as_str(), "shot" | "scene" | "clip")
            && words.get(at + 1).is_some_and(|w| w.parse::<u32>().is_ok())
            && (is(at + 2, ":") || is(at + 2, ","));
        let cut = (is(at, "cut") || is(at, "cuts")) && is(at + 1, "to");
        let next = is(at, "then") && {
            let end = words[at + 1..]
                .iter()
                .position(|word| word == "then")
                .map_or(words.len(), |end| at + 1 + end);
            is_scene(&words[at + 1..end])
        };
        let length = match (numbered, cut, next) {
            (true, ..) => 3,
            (_, true, _) => 2,
            (.., true) => 1,
            _ => {
                if let Some(shot) = shots.last_mut() {
                    shot.push(words[at].clone());
                }
                at += 1;
                continue;
            }
        };
        at += length;
        shots.push(Vec::new());
    }
    shots.retain(|shot| {
        shot.iter()
            .any(|word| !matches!(word.as_str(), "," | ":" | "and"))
    });
    if shots.is_empty() {
        shots.push(Vec::new());
    }
    shots
}

/// Whether words name something visible, rather than what happens next.
fn is_scene(words: &[String]) -> bool {
    let first = words.iter().find(|word| *word != ",").map(String::as_str);
    if matches!(
        first,
        Some("it" | "the" | "he" | "she" | "they" | "rain" | "snow" | "night" | "fog")
    ) {
        return false;
    }
    let prompt = Prompt::read(&words.join(" "));
    !prompt.terrain.is_empty() || !prompt.mentions.is_empty() || prompt.place.is_some()
}

/// Words from which phrases are removed as they are understood.
#[derive(Debug, Clone)]
pub(super) struct Words {
    words: Vec<String>,
}

impl Words {
    pub(super) fn new(words: Vec<String>) -> Self {
        Self { words }
    }

    pub(super) fn all(&self) -> &[String] {
        &self.words
    }

    pub(super) fn has(&self, any: &[&str]) -> bool {
        self.words.iter().any(|word| any.contains(&word.as_str()))
    }

    pub(super) fn find(&self, phrase: &str) -> Option<(usize, usize)> {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        let at = self
            .words
            .windows(phrase.len())
            .position(|window| window.iter().zip(&phrase).all(|(word, wanted)| word == wanted))?;
        Some((at, phrase.len()))
    }

    /// Whether a phrase is followed by this word.
    pub(super) fn follows(&self, phrase: &str, word: &str) -> bool {
        self.find(phrase)
            .is_some_and(|(at, length)| self.words.get(at + length).is_some_and(|next| next == word))
    }

    /// Removes a phrase; a comma stays.
    pub(super) fn take(&mut self, phrase: &str) -> bool {
        let Some((at, length)) = self.find(phrase) else {
            return false;
        };
        self.cut(at, length);
        true
    }

    pub(super) fn cut(&mut self, at: usize, length: usize) {
        self.words.splice(at..at + length, [",".to_owned()]);
    }

    /// The remaining words as text.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        let last = self
            .words
            .iter()
            .rposition(|word| !is_mark(word))
            .map_or(0, |last| last + 1);
        let mut comma = false;
        for word in &self.words[..last] {
            if is_mark(word) {
                comma = !out.is_empty();
                continue;
            }
            if out.is_empty()
                && matches!(
                    word.as_str(),
                    "of" | "and" | "on" | "as" | "while" | "with" | "around"
                )
            {
                continue;
            }
            if !out.is_empty() {
                out.push_str(if comma { ", " } else { " " });
            }
            comma = false;
            out.push_str(word);
        }
        out
    }
}

fn is_mark(word: &str) -> bool {
    matches!(word, "," | ":")
}
