//! The parsed prompt: what should be visible.

mod lexicon;
mod lexicon_colors;
mod lexicon_styles;
mod lexicon_words;
pub mod meaning;
mod plural;
mod reader;
mod references;

use meaning::{Camera, Mood, Palette, Place, Relation, Terrain};

use crate::light::{Season, Time, Weather};
use crate::style::Style;
use crate::subjects::{self, Home, Subject};
use atelier_retouch::rgb::Rgb;

/// One kind of thing to draw.
#[derive(Debug, Clone)]
pub struct Mention {
    pub subject: &'static Subject,
    pub count: u32,
    pub color: Option<Rgb>,
    /// 1 is the usual size.
    pub size: f32,
    /// The part of the picture in which it should stand: left, right, in front or behind.
    pub relation: Option<Relation>,
    /// Its relation to another mention, by number.
    pub tie: Option<(Relation, usize)>,
    /// Whether water should mirror it.
    pub reflected: bool,
    /// Named after "add".
    pub added: bool,
    /// The reference that it is cut out of, from 0, and the word for it there.
    pub from: Option<usize>,
    word: Option<String>,
}

impl Mention {
    pub fn new(subject: &'static Subject, count: u32) -> Self {
        Self {
            subject,
            count,
            color: None,
            size: 1.0,
            relation: None,
            tie: None,
            reflected: false,
            added: false,
            from: None,
            word: None,
        }
    }

    /// Its name in the metadata.
    pub fn name(&self) -> &str {
        self.word.as_deref().unwrap_or(self.subject.name())
    }
}

/// The name of the subject that gets another background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// "Put it on a beach", "another background".
    Unnamed,
    /// "Put the cat on a beach": the first thing named is the one in the picture.
    Named,
}

/// The meaning of a prompt.
#[derive(Debug, Clone, Default)]
pub struct Prompt {
    pub mentions: Vec<Mention>,
    pub terrain: Vec<Terrain>,
    /// Colours without a noun: the palette's.
    pub colors: Vec<Rgb>,
    pub time: Option<Time>,
    pub weather: Option<Weather>,
    pub season: Option<Season>,
    pub place: Option<Place>,
    pub style: Option<Style>,
    pub mood: Option<Mood>,
    pub camera: Option<Camera>,
    pub palette: Option<Palette>,
    pub reflected: bool,
    /// Text in quotes.
    pub quotes: Vec<String>,
    /// Things that must not be visible.
    pub without: Vec<&'static str>,
    /// Whether the subject of the first reference gets another background.
    pub moved: Option<Moved>,
    /// The reference whose style is asked for, from 0.
    pub style_of: Option<usize>,
    pub understood: Vec<String>,
    pub unknown: Vec<String>,
}

impl Prompt {
    pub fn has(&self, terrain: Terrain) -> bool {
        self.terrain.contains(&terrain)
    }

    /// Whether this prompt uses this reference, from 0.
    pub fn uses(&self, reference: usize) -> bool {
        let cut = self.mentions.iter().any(|m| m.from.is_some());
        if cut {
            return self.mentions.iter().any(|m| m.from == Some(reference));
        }
        let style = self.style_of.or((!self.asks_for_change()).then_some(1));
        reference == 0 || (self.moved.is_none() && Some(reference) == style)
    }

    /// Whether the prompt says how to change a picture.
    pub fn asks_for_change(&self) -> bool {
        self.time.is_some()
            || self.weather.is_some()
            || self.season.is_some()
            || self.style.is_some()
            || self.palette.is_some()
            || !self.without.is_empty()
            || !self.mentions.is_empty()
    }

    /// The scene into which a reference's subject is moved, without that subject, which is not drawn again.
    pub fn without_moved(mut self) -> Self {
        if self.moved == Some(Moved::Named)
            && let Some(first) = self.mentions.first()
        {
            self.without.push(first.subject.name());
            self.leave_out();
        }
        self.without.clear();
        self
    }

    /// Drops the mentions that must not be visible, and the relations to them.
    fn leave_out(&mut self) {
        let kept: Vec<bool> = self
            .mentions
            .iter()
            .map(|mention| !self.without.contains(&mention.subject.name()))
            .collect();
        let number = |old: usize| kept[..old].iter().filter(|kept| **kept).count();
        for mention in &mut self.mentions {
            mention.tie = mention
                .tie
                .filter(|(_, anchor)| kept[*anchor])
                .map(|(relation, anchor)| (relation, number(anchor)));
        }
        let mut kept = kept.iter();
        self.mentions.retain(|_| kept.next().copied().unwrap_or(true));
    }

    /// A harbour has boats unless the prompt excludes them.
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
            self.mentions.push(Mention::new(subject, count));
        }
    }

    /// Parses a prompt. Never fails: unknown words are listed.
    pub fn read(text: &str) -> Self {
        reader::read(text)
    }
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

    #[test]
    fn the_same_word_from_two_pictures_is_two_things() {
        for text in [
            "guest from image 1 beside guest from image 2 on a meadow",
            "a cat from image 1 beside a cat from image 2 on a meadow",
        ] {
            let p = Prompt::read(text);
            let from: Vec<Option<usize>> = p.mentions.iter().map(|m| m.from).collect();
            assert_eq!(from, [Some(0), Some(1)], "{text}");
            assert_eq!(p.mentions[0].tie, Some((Relation::Beside, 1)), "{text}");
        }
        let again = Prompt::read("guest from image 1 runs, guest from image 1 jumps");
        assert_eq!(again.mentions.len(), 1);
        let aloft = Prompt::read("guest from image 1 flies over a city");
        assert_eq!(aloft.mentions[0].subject.home, Home::Air);
    }

    #[test]
    fn a_plain_background_is_no_land() {
        let p = Prompt::read("a cat on a plain light background");
        assert!(p.terrain.is_empty(), "{:?}", p.terrain);
        assert_eq!(p.place, Some(Place::Plain));
        assert!(Prompt::read("a cat on a wide plain").has(Terrain::Field));
    }
}
