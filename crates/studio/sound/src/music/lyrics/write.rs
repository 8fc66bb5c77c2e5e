//! Writes lyrics about a subject: verses and a chorus in alternating rhymes, from a grammar of lines.

use super::frames::{ADJECTIVES, FAMILIES, Family};
use crate::{
    chance::Rng,
    music::{
        form::{Kind, Stanza},
        genre,
        instrument::Instrument,
        words::{holds, plain},
    },
};

/// Words that cannot be the subject of a song.
const EMPTY: &str = "\
    a an the and or but of for from with without about in on at to by as is are was be been it its this \
    that these those my your our their his her me you we they i he she song songs music track tune piece \
    style make made write create please something some any very really more most little bit kind like \
    feel feeling vibe vibes mood sound sounds sounding beat beats beautiful nice good great cool new old \
    modern classic fast slow tempo bpm major minor key vocals vocal singer voice female male lyrics \
    instrumental instrument upbeat catchy who when where while into over under through up down out after \
    before one two three happy sad dark calm energetic angry romantic epic mysterious nostalgic dreamy \
    playful hopeful tense melancholic uplifting guitar piano drums bass melody chorus verse anthem \
    ballad warm soft gentle powerful driving emotional short long minute seconds theme background not no \
    can will would should just all every riding walking running dancing singing falling waiting coming \
    going finding losing getting being having doing";

/// Returns the subject of an idea: a noun phrase of one or two words, or `None`.
pub fn subject(idea: &str) -> Option<String> {
    let text = plain(idea);
    let telling = |word: &&str| {
        word.len() > 2
            && !holds(EMPTY, word)
            && word.chars().all(|c| c.is_ascii_alphabetic() || c == '\'')
            && !genre::all().any(|genre| {
                genre.name == *word
                    || genre.words.contains(word)
                    || genre.name.split(' ').any(|part| part == *word)
            })
            && !Instrument::ALL
                .iter()
                .any(|instrument| instrument.is_named_in(word))
    };
    // If the idea says "about", the subject comes after it.
    let after = super::super::words::find(&text, "about").map(|at| text[at + 5..].trim().to_owned());
    for part in after.iter().chain([&text]) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let Some(at) = words.iter().position(telling) else {
            continue;
        };
        let mut phrase = vec![words[at]];
        if let Some(next) = words.get(at + 1).filter(|next| telling(next)) {
            phrase.push(next);
        }
        return Some(phrase.join(" "));
    }
    None
}

/// Writes stanzas about an idea. `short` gives a verse and a chorus of two lines each.
pub fn write(idea: &str, mood: Option<&str>, seed: u64, short: bool) -> Vec<Stanza> {
    let mut rng = Rng::named(seed, "lyrics");
    let about = subject(idea).unwrap_or_else(|| "this feeling".to_owned());
    let adjectives = ADJECTIVES
        .iter()
        .find(|(name, _)| Some(*name) == mood)
        .map_or(ADJECTIVES[ADJECTIVES.len() - 1].1, |(_, words)| *words);
    let mut families: Vec<Family> = FAMILIES.to_vec();
    shuffle(&mut families, &mut rng);
    let mut writer = Writer {
        about,
        adjectives,
        rng,
        told: 0,
    };
    let first = writer.stanza(Kind::Verse, [families[0], families[1]], short);
    let chorus = writer.stanza(Kind::Chorus, [families[2], families[3]], short);
    if short {
        return vec![first, chorus];
    }
    let second = writer.stanza(Kind::Verse, [families[4], families[5]], false);
    let mut bridge = writer.stanza(Kind::Bridge, [families[6], families[6]], true);
    bridge.lines.truncate(2);
    vec![first, chorus.clone(), second, chorus.clone(), bridge, chorus]
}

struct Writer {
    about: String,
    adjectives: &'static [&'static str],
    rng: Rng,
    /// How often the subject has been named.
    told: usize,
}

impl Writer {
    /// Four lines with alternating rhymes, or a couplet.
    fn stanza(&mut self, kind: Kind, families: [Family; 2], short: bool) -> Stanza {
        let mut pairs = families.map(<[_]>::to_vec);
        for pair in &mut pairs {
            shuffle(pair, &mut self.rng);
        }
        let ends = if short {
            vec![pairs[0][0], pairs[0][1]]
        } else {
            vec![pairs[0][0], pairs[1][0], pairs[0][1], pairs[1][1]]
        };
        // The first line of each stanza names the subject, and some later lines do.
        let lines = ends
            .iter()
            .enumerate()
            .map(|(at, (_, frames))| self.line(frames, at == 0 || (kind == Kind::Chorus && at == 2)))
            .collect();
        Stanza { kind, lines }
    }

    fn line(&mut self, frames: &[&'static str], tell: bool) -> String {
        let named = |frame: &&&str| frame.contains("{s}") || frame.contains("{n}");
        let fitting: Vec<&&str> = frames.iter().filter(|frame| named(frame) == tell).collect();
        let frame = if fitting.is_empty() {
            frames[0]
        } else {
            **self.rng.pick(&fitting)
        };
        if named(&&frame) {
            self.told += 1;
        }
        let adjective = *self.rng.pick(self.adjectives);
        let subject = with_article(&self.about);
        let line = frame
            .replace("{s}", &subject)
            .replace("{n}", &self.about)
            .replace("{a}", adjective);
        let line = line
            .replace(" a e", " an e")
            .replace(" a o", " an o")
            .replace("There's a an", "There's an");
        let mut letters = line.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect())
            .unwrap_or_default()
    }
}

/// Adds an article: "the lighthouse", but "this feeling" and "my mother" stay.
fn with_article(about: &str) -> String {
    let first = about.split(' ').next().unwrap_or_default();
    if [
        "this",
        "that",
        "my",
        "your",
        "our",
        "the",
        "love",
        "life",
        "friendship",
        "freedom",
        "hope",
        "summer",
        "winter",
        "spring",
        "autumn",
    ]
    .contains(&first)
    {
        about.to_owned()
    } else {
        format!("the {about}")
    }
}

fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for at in (1..items.len()).rev() {
        items.swap(at, rng.below(at + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lyrics_are_about_the_subject_and_rhyme_alternately() {
        assert_eq!(
            subject("an upbeat pop song about a lighthouse keeper").as_deref(),
            Some("lighthouse keeper")
        );
        assert_eq!(
            subject("slow jazz, piano and brushes").as_deref(),
            Some("brushes")
        );
        let stanzas = write("a pop song about a lighthouse", Some("happy"), 7, false);
        let chorus = &stanzas[1];
        assert!(
            chorus.lines.iter().any(|line| line.contains("lighthouse")),
            "{chorus:?}"
        );
        assert_eq!(chorus, &stanzas[3]);
        let end = |line: &String| line.rsplit(' ').next().unwrap().to_owned();
        let family = |word: &str| {
            FAMILIES
                .iter()
                .position(|family| family.iter().any(|(end, _)| *end == word))
        };
        for stanza in stanzas.iter().filter(|stanza| stanza.lines.len() == 4) {
            let families: Vec<_> = stanza
                .lines
                .iter()
                .map(|line| family(&end(line).replace("tonight", "night")))
                .collect();
            assert_eq!(families[0], families[2], "{stanza:?}");
            assert_eq!(families[1], families[3], "{stanza:?}");
        }
        assert_ne!(
            write("a lighthouse", None, 1, false),
            write("a lighthouse", None, 2, false)
        );
    }
}
