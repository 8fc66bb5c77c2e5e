//! Lyrics: [`read()`] parses given ones word for word, [`write()`] writes new ones.

mod frames;
mod write;

pub use write::{subject, write};

use super::form::{Kind, Stanza};

/// Reads lyrics with marks such as `[Verse 1]` and `[Chorus]`. Everything outside the marks is sung word for word.
/// Without marks, blank lines separate stanzas; the chorus is a stanza that returns, or else the second one.
pub fn read(text: &str) -> Vec<Stanza> {
    let mut stanzas: Vec<Stanza> = Vec::new();
    let mut marked = false;
    let mut open = false;
    for line in text.lines().map(str::trim) {
        if let Some(mark) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            stanzas.push(Stanza {
                kind: kind_of(mark),
                lines: Vec::new(),
            });
            (marked, open) = (true, true);
        } else if line.is_empty() {
            // A blank line within a marked section is a breath, not a new section.
            open = open && marked;
        } else if open && let Some(stanza) = stanzas.last_mut() {
            stanza.lines.push(line.to_owned());
        } else {
            let kind = if marked {
                stanzas.last().map_or(Kind::Verse, |last| last.kind)
            } else {
                Kind::Verse
            };
            stanzas.push(Stanza {
                kind,
                lines: vec![line.to_owned()],
            });
            open = true;
        }
    }
    if !marked {
        name_choruses(&mut stanzas);
    }
    break_long(stanzas)
}

/// The kind of section that a mark asks for.
fn kind_of(mark: &str) -> Kind {
    let mark = mark.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| mark.contains(word));
    if has(&["pre-chorus", "prechorus", "pre chorus", "verse"]) {
        Kind::Verse
    } else if has(&["chorus", "hook", "refrain", "drop"]) {
        Kind::Chorus
    } else if has(&["bridge", "middle"]) {
        Kind::Bridge
    } else if has(&["solo", "instrumental", "interlude", "break"]) {
        Kind::Solo
    } else if has(&["intro"]) {
        Kind::Intro
    } else if has(&["outro", "end", "coda"]) {
        Kind::Outro
    } else {
        Kind::Verse
    }
}

fn name_choruses(stanzas: &mut [Stanza]) {
    let returns: Vec<bool> = (0..stanzas.len())
        .map(|at| {
            stanzas
                .iter()
                .enumerate()
                .any(|(other, stanza)| other != at && stanza.lines == stanzas[at].lines)
        })
        .collect();
    let none = !returns.contains(&true);
    for (at, stanza) in stanzas.iter_mut().enumerate() {
        if returns[at] || (none && at % 2 == 1) {
            stanza.kind = Kind::Chorus;
        }
    }
}

/// Splits sections of more than eight lines, which would be long to listen to.
fn break_long(stanzas: Vec<Stanza>) -> Vec<Stanza> {
    stanzas
        .into_iter()
        .flat_map(|stanza| {
            let kind = stanza.kind;
            if stanza.lines.len() <= 8 {
                return vec![stanza];
            }
            stanza
                .lines
                .chunks(8)
                .map(|lines| Stanza {
                    kind,
                    lines: lines.to_vec(),
                })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_make_sections_and_every_word_is_kept() {
        let stanzas = read(
            "[Verse 1]\nI walk the line\n\nYou walk it too\n[Chorus]\nOh, we go!\n\
             [Bridge]\nSlow down\n[Guitar solo]\n[Chorus]\nOh, we go!",
        );
        let kinds: Vec<_> = stanzas.iter().map(|stanza| stanza.kind).collect();
        assert_eq!(
            kinds,
            [Kind::Verse, Kind::Chorus, Kind::Bridge, Kind::Solo, Kind::Chorus]
        );
        assert_eq!(stanzas[0].lines, ["I walk the line", "You walk it too"]);
        assert_eq!(stanzas[1].lines, ["Oh, we go!"]);
        assert!(stanzas[3].lines.is_empty());
    }

    #[test]
    fn a_stanza_that_returns_is_the_chorus() {
        let stanzas = read("one\ntwo\n\nsing it\nagain\n\nthree\nfour\n\nsing it\nagain");
        let kinds: Vec<_> = stanzas.iter().map(|stanza| stanza.kind).collect();
        assert_eq!(kinds, [Kind::Verse, Kind::Chorus, Kind::Verse, Kind::Chorus]);
    }
}
