//! The prompt: from words to what is to be seen. A small grammar over a lexicon: phrases are matched longest first,
//! adjectives and counts wait for their noun, relations tie a noun to the one before, negation takes things away.

pub(crate) mod lexicon;
mod lexicon_colors;
mod lexicon_words;
mod plural;

use lexicon::{Camera, Mood, Palette, Place, Relation, Terrain, Word};

use crate::image::color::Rgb;
use crate::image::scene::light::{Season, Time, Weather};
use crate::image::style::Style;
use crate::image::subjects::{self, Home, Subject};

/// Prompts are cut after this many words: what comes later changes no picture.
const MOST_WORDS: usize = 400;
const MOST_SUBJECTS: usize = 10;
const MOST_OF_A_KIND: u32 = 40;

/// One kind of thing to be seen.
#[derive(Debug, Clone)]
pub(crate) struct Mention {
    pub(crate) subject: &'static Subject,
    pub(crate) count: u32,
    pub(crate) color: Option<Rgb>,
    /// 1 is its usual size.
    pub(crate) size: f32,
    /// How it stands to what was named before it.
    pub(crate) relation: Option<Relation>,
    /// Named after "add".
    pub(crate) added: bool,
}

/// What was understood.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prompt {
    pub(crate) mentions: Vec<Mention>,
    pub(crate) terrain: Vec<Terrain>,
    /// Colours that belong to no noun: the palette's.
    pub(crate) colors: Vec<Rgb>,
    pub(crate) time: Option<Time>,
    pub(crate) weather: Option<Weather>,
    pub(crate) season: Option<Season>,
    pub(crate) place: Option<Place>,
    pub(crate) style: Option<Style>,
    pub(crate) mood: Option<Mood>,
    pub(crate) camera: Option<Camera>,
    pub(crate) palette: Option<Palette>,
    pub(crate) reflected: bool,
    /// Text in quotes.
    pub(crate) quotes: Vec<String>,
    /// Things that must not be seen.
    pub(crate) without: Vec<&'static str>,
    pub(crate) understood: Vec<String>,
    pub(crate) unknown: Vec<String>,
}

impl Prompt {
    pub(crate) fn has(&self, terrain: Terrain) -> bool {
        self.terrain.contains(&terrain)
    }

    /// A harbour has boats, unless it is said that it has none.
    fn moor_boats(&mut self) {
        let afloat = self
            .mentions
            .iter()
            .any(|mention| mention.subject.home == Home::Water);
        if !self.has(Terrain::Harbor) || afloat || self.without.contains(&"boat") {
            return;
        }
        for (name, count) in [("boat", 3), ("fishing boat", 2)] {
            let Some(subject) = subjects::named(name) else {
                continue;
            };
            let boats = Mention {
                subject,
                count,
                color: None,
                size: 1.0,
                relation: None,
                added: false,
            };
            self.mentions.push(boats);
        }
    }

    /// Reads a prompt. Never fails: words that mean nothing here are listed.
    pub(crate) fn read(text: &str) -> Self {
        let mut reader = Reader::default();
        let (rest, quotes) = without_quotes(text);
        reader.prompt.quotes = quotes;
        let words: Vec<String> = tokens(&rest).take(MOST_WORDS).collect();
        let mut at = 0;
        while at < words.len() {
            at += reader.step(&words[at..]);
        }
        reader.finish()
    }
}

/// What has been read and still waits for its noun.
#[derive(Default)]
struct Reader {
    prompt: Prompt,
    count: Option<u32>,
    colors: Vec<Rgb>,
    size: Option<f32>,
    relation: Option<Relation>,
    negated: bool,
    adding: bool,
}

impl Reader {
    /// Reads the phrase at the front and says how many words it took.
    fn step(&mut self, words: &[String]) -> usize {
        for length in (1..=4.min(words.len())).rev() {
            let phrase = words[..length].join(" ");
            if let Some((word, plural)) = plural::find(&phrase) {
                self.take(&phrase, word, plural);
                return length;
            }
        }
        let word = &words[0];
        if word == "," {
            self.negated = false;
            self.settle_colors();
            self.relation = None;
            self.adding = false;
        } else if let Ok(count) = word.parse::<u32>() {
            self.count = Some(count.clamp(1, MOST_OF_A_KIND));
            self.note(word);
        } else if !self.prompt.unknown.contains(word) && word.chars().any(char::is_alphanumeric) {
            self.prompt.unknown.push(word.clone());
        }
        1
    }

    fn take(&mut self, phrase: &str, word: Word, plural: bool) {
        if word == Word::Filler {
            return;
        }
        if self.negated {
            self.refuse(phrase, word);
            return;
        }
        self.note(phrase);
        let prompt = &mut self.prompt;
        match word {
            Word::Filler => {}
            Word::Not => self.negated = true,
            Word::Add => self.adding = true,
            Word::Subject(subject) => self.mention(subject, plural),
            Word::Terrain(terrain) => {
                if !prompt.terrain.contains(&terrain) {
                    prompt.terrain.push(terrain);
                }
                self.count = None;
                self.size = None;
                prompt.reflected |= self.relation == Some(Relation::ReflectedIn);
                self.settle_colors();
            }
            Word::Color(color) => self.colors.push(Rgb::hex(color)),
            Word::Count(count) => self.count = Some(count),
            Word::Size(size) => self.size = Some(size),
            Word::Relation(relation) => {
                self.relation = Some(relation);
                self.settle_colors();
            }
            Word::Time(time) => drop(prompt.time.replace(time)),
            Word::Weather(weather) => drop(prompt.weather.replace(weather)),
            Word::Season(season) => drop(prompt.season.replace(season)),
            Word::Place(place) => drop(prompt.place.replace(place)),
            Word::Style(style) => drop(prompt.style.replace(style)),
            Word::Mood(mood) => drop(prompt.mood.replace(mood)),
            Word::Camera(camera) => drop(prompt.camera.replace(camera)),
            Word::Palette(palette) => drop(prompt.palette.replace(palette)),
        }
    }

    fn note(&mut self, phrase: &str) {
        if !self.prompt.understood.iter().any(|known| known == phrase) {
            self.prompt.understood.push(phrase.to_owned());
        }
    }

    fn refuse(&mut self, phrase: &str, word: Word) {
        match word {
            Word::Subject(subject) => self.prompt.without.push(subject.name()),
            Word::Terrain(terrain) => self.prompt.without.push(terrain.name()),
            Word::Weather(Weather::Cloudy | Weather::Overcast) => self.prompt.weather = Some(Weather::Clear),
            Word::Weather(_) => self.prompt.weather = self.prompt.weather.or(Some(Weather::Clear)),
            // Adjectives within the negation ("no red boats") and articles pass by.
            Word::Color(_) | Word::Size(_) | Word::Count(_) | Word::Not => return,
            _ => {}
        }
        self.note(&format!("no {phrase}"));
        self.negated = matches!(word, Word::Subject(_) | Word::Terrain(_)) && self.negated;
    }

    fn mention(&mut self, subject: &'static Subject, plural: bool) {
        let count = self.count.take().unwrap_or(if plural { 3 } else { 1 });
        let color = self.colors.pop();
        let relation = self.relation.take();
        let size = self.size.take().unwrap_or(1.0);
        self.settle_colors();
        let mentions = &mut self.prompt.mentions;
        if let Some(known) = mentions
            .iter_mut()
            .find(|known| known.subject.name() == subject.name())
        {
            // "a boat … the boat": the same one; another colour is another one.
            if color.is_none() || color == known.color {
                known.count = known.count.max(count);
                return;
            }
        }
        if mentions.len() < MOST_SUBJECTS {
            mentions.push(Mention {
                subject,
                count: count.min(MOST_OF_A_KIND),
                color,
                size,
                relation,
                added: self.adding,
            });
        }
    }

    /// Colours that found no noun colour the picture.
    fn settle_colors(&mut self) {
        self.prompt.colors.append(&mut self.colors);
    }

    fn finish(mut self) -> Prompt {
        self.settle_colors();
        let mut prompt = self.prompt;
        prompt
            .mentions
            .retain(|mention| !prompt.without.contains(&mention.subject.name()));
        prompt
            .terrain
            .retain(|terrain| !prompt.without.contains(&terrain.name()));
        prompt.moor_boats();
        prompt.reflected |= prompt
            .mentions
            .iter()
            .any(|m| m.relation == Some(Relation::ReflectedIn));
        prompt.unknown.truncate(40);
        prompt
    }
}

/// Words in small letters; a comma stands for every mark that ends a phrase.
fn tokens(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split_whitespace().flat_map(|chunk| {
        let mut words = Vec::new();
        let mut word = String::new();
        for c in chunk.chars() {
            if c.is_alphanumeric() || (c == '\'' && !word.is_empty()) {
                word.extend(c.to_lowercase());
            } else {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                if matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')') {
                    words.push(",".to_owned());
                }
            }
        }
        if !word.is_empty() {
            words.push(word);
        }
        words.into_iter().map(|word| {
            let bare = word.trim_end_matches("'s").trim_matches('\'');
            bare.chars().take(40).collect()
        })
    })
}

/// The text without what stands in double quotes, and what stood in them.
fn without_quotes(text: &str) -> (String, Vec<String>) {
    let mut rest = String::with_capacity(text.len());
    let mut quotes = Vec::new();
    let mut open: Option<String> = None;
    for c in text.chars() {
        let mark = matches!(c, '"' | '“' | '”' | '„' | '«' | '»');
        match (&mut open, mark) {
            (None, false) => rest.push(c),
            (None, true) => open = Some(String::new()),
            (Some(quote), false) => quote.push(c),
            (Some(quote), true) => {
                let quote: String = quote.chars().filter(|c| !c.is_control()).take(80).collect();
                if !quote.trim().is_empty() && quotes.len() < 4 {
                    quotes.push(quote.trim().to_owned());
                }
                open = None;
                rest.push(' ');
            }
        }
    }
    // A quote that never closes was an inch mark.
    rest.extend(open);
    (rest, quotes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(prompt: &Prompt) -> Vec<(&'static str, u32)> {
        prompt
            .mentions
            .iter()
            .map(|m| (m.subject.name(), m.count))
            .collect()
    }

    #[test]
    fn counts_colours_and_relations_find_their_nouns() {
        let p = Prompt::read("three red boats on a lake below a mountain at sunrise, oil painting");
        assert_eq!(named(&p), [("boat", 3)]);
        assert_eq!(p.mentions[0].color, Some(Rgb::hex(0xd4_2b_2b)));
        assert!(
            p.has(Terrain::Lake) && p.has(Terrain::Mountains),
            "{:?}",
            p.terrain
        );
        assert_eq!((p.time, p.style), (Some(Time::Dawn), Some(Style::Oil)));
        assert!(p.unknown.is_empty(), "{:?}", p.unknown);
    }

    #[test]
    fn negation_takes_things_away() {
        let p = Prompt::read("a beach with palm trees and no people, no boats");
        assert!(p.without.contains(&"boat"), "{:?}", p.without);
        assert!(
            named(&p).iter().all(|(name, _)| *name == "palm"),
            "{:?}",
            named(&p)
        );
    }

    #[test]
    fn quoted_text_is_kept_as_written() {
        let p = Prompt::read("poster that says \"HELLO World\" in blue");
        assert_eq!(p.quotes, ["HELLO World"]);
        assert!(p.unknown.is_empty(), "{:?}", p.unknown);
    }

    #[test]
    fn words_it_does_not_know_are_listed() {
        let p = Prompt::read("a flumbering quxotl beside a tree");
        assert_eq!(p.unknown, ["flumbering", "quxotl"]);
        assert_eq!(named(&p), [("tree", 1)]);
    }

    #[test]
    fn hostile_text_is_read_without_harm() {
        for text in [
            "🦊".repeat(9000),
            "\"".repeat(999),
            "a\u{202e}b \u{0}\u{7}".repeat(3000),
            "no ".repeat(5000),
        ] {
            Prompt::read(&text);
        }
    }
}
