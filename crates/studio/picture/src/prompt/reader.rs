//! The parser: a small grammar over a lexicon. Phrases are matched longest first, adjectives and counts wait for
//! their noun, relations connect a noun to the one before, negation removes things.

use super::meaning::{Place, Relation, Word};
use super::{Mention, Prompt, plural, references};
use crate::light::Weather;
use crate::subjects::{self, Home, Subject};
use atelier_retouch::rgb::Rgb;

/// Prompts are cut after this many words.
const MOST_WORDS: usize = 400;
const MOST_SUBJECTS: usize = 10;
const MOST_OF_A_KIND: u32 = 40;

/// Parses a prompt. Never fails: unknown words are listed.
pub(super) fn read(text: &str) -> Prompt {
    let mut reader = Reader::default();
    let (rest, quotes) = without_quotes(text);
    reader.prompt.quotes = quotes;
    let words: Vec<String> = tokens(&rest).take(MOST_WORDS).collect();
    reader.prompt.moved = references::moves(&words);
    let words = references::marked(&words);
    let mut at = 0;
    while at < words.len() {
        at += reader.step(&words[at..]);
    }
    reader.finish()
}

/// The words that were read and still wait for their noun.
#[derive(Default)]
struct Reader {
    prompt: Prompt,
    count: Option<u32>,
    colors: Vec<Rgb>,
    size: Option<f32>,
    relation: Option<Relation>,
    negated: bool,
    adding: bool,
    /// The mentions that the next relation refers to.
    group: Vec<usize>,
    /// The last thing that was read, if a reference mark may follow it.
    last: Last,
}

#[derive(Default)]
enum Last {
    #[default]
    Nothing,
    Mention(usize),
    Unknown(String),
}

impl Reader {
    /// Reads the phrase at the front and returns how many words it took.
    fn step(&mut self, words: &[String]) -> usize {
        if let Some(mark) = references::mark(&words[0]) {
            self.refer(mark);
            return 1;
        }
        if self.flies(&words[0]) {
            return 1;
        }
        if is_plain_ground(words) {
            self.note("plain background");
            self.place(Place::Plain);
            return 1;
        }
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
            self.end_relation();
            self.group.clear();
            self.last = Last::Nothing;
            self.adding = false;
        } else if let Ok(count) = word.parse::<u32>() {
            self.count = Some(count.clamp(1, MOST_OF_A_KIND));
            self.note(word);
        } else if !self.prompt.unknown.contains(word) && word.chars().any(char::is_alphanumeric) {
            self.prompt.unknown.push(word.clone());
            self.last = Last::Unknown(word.clone());
        }
        1
    }

    fn take(&mut self, phrase: &str, word: Word, plural: bool) {
        if word == Word::Filler {
            // "The thing from the first picture": still a name.
            if matches!(phrase, "thing" | "animal" | "object") {
                self.last = Last::Unknown(phrase.to_owned());
            }
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
                if self.relation.take() == Some(Relation::ReflectedIn) {
                    prompt.reflected = true;
                    for mention in &self.group {
                        prompt.mentions[*mention].reflected = true;
                    }
                }
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
            Word::Place(place) => self.place(place),
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
            // Adjectives within the negation ("no red boats") and articles are skipped.
            Word::Color(_) | Word::Size(_) | Word::Count(_) | Word::Not => return,
            _ => {}
        }
        self.note(&format!("no {phrase}"));
        self.negated = matches!(word, Word::Subject(_) | Word::Terrain(_)) && self.negated;
    }

    /// A table is a surface for things; but what is under or beside one stands in a room with a table in it.
    fn place(&mut self, place: Place) {
        let relation = self.relation.filter(|_| !self.group.is_empty());
        let apart = matches!(
            relation,
            Some(
                Relation::Under
                    | Relation::Above
                    | Relation::Behind
                    | Relation::Before
                    | Relation::Left
                    | Relation::Right
                    | Relation::Beside
                    | Relation::LeaningOn
            )
        );
        if place == Place::Table
            && apart
            && let Some(table) = subjects::named("dining table")
        {
            self.prompt.place = Some(Place::Room);
            self.mention(table, false);
            return;
        }
        self.relation = None;
        self.prompt.place = Some(place);
    }

    fn mention(&mut self, subject: &'static Subject, plural: bool) {
        let count = self.count.take().unwrap_or(if plural { 3 } else { 1 });
        let color = self.colors.pop();
        let relation = self.relation.take();
        let size = self.size.take().unwrap_or(1.0);
        self.settle_colors();
        let mentions = &mut self.prompt.mentions;
        let known = mentions.iter_mut().enumerate().find(|(_, known)| {
            known.subject.name() == subject.name() && (color.is_none() || color == known.color)
        });
        // "a boat … the boat" is the same one; another colour is another one.
        let number = if let Some((number, known)) = known {
            known.count = known.count.max(count);
            number
        } else if mentions.len() < MOST_SUBJECTS {
            let mut mention = Mention::new(subject, count.min(MOST_OF_A_KIND));
            mention.color = color;
            mention.size = size;
            mention.added = self.adding;
            mentions.push(mention);
            mentions.len() - 1
        } else {
            return;
        };
        self.last = Last::Mention(number);
        match relation {
            // "a dog and a cat under a tree": the relation of both to the tree.
            Some(relation) if self.group.iter().any(|other| *other != number) => {
                for other in std::mem::take(&mut self.group) {
                    let mention = &mut self.prompt.mentions[other];
                    if other != number && mention.tie.is_none() {
                        mention.tie = Some((relation, number));
                    }
                }
            }
            // "in the foreground a fox": its place in the picture.
            Some(relation) => self.prompt.mentions[number].relation = Some(relation),
            None => {}
        }
        self.group.push(number);
    }

    /// A relation without an object: "a tree behind", "a tree on the left".
    fn end_relation(&mut self) {
        let (Some(relation), Some(&last)) = (self.relation.take(), self.group.last()) else {
            return;
        };
        let mentions = &mut self.prompt.mentions;
        match relation {
            Relation::Left | Relation::Right | Relation::Before => mentions[last].relation = Some(relation),
            Relation::Behind if last > 0 && mentions[last - 1].tie.is_none() => {
                mentions[last].tie = Some((relation, last - 1));
            }
            Relation::ReflectedIn => mentions[last].reflected = true,
            _ => {}
        }
    }

    /// A reference is mentioned for something in it, or for its style.
    fn refer(&mut self, mark: references::Mark) {
        match mark {
            references::Mark::Style(number) => {
                self.prompt.style_of = Some(number);
                self.note(&format!("style of reference {}", number + 1));
            }
            references::Mark::Picture(number) => {
                self.note(&format!("from reference {}", number + 1));
                match std::mem::take(&mut self.last) {
                    Last::Mention(mention) => self.from(mention, number),
                    Last::Unknown(word) => {
                        self.prompt.unknown.retain(|unknown| *unknown != word);
                        self.cut(number, Some(word));
                    }
                    Last::Nothing => {}
                }
            }
        }
    }

    /// A thing comes from a reference; "the cat from the first picture and the cat from the second" are two.
    fn from(&mut self, number: usize, from: usize) {
        let mentions = &mut self.prompt.mentions;
        if mentions[number].from.is_none_or(|other| other == from) {
            mentions[number].from = Some(from);
            self.last = Last::Mention(number);
            return;
        }
        let known = mentions.iter().position(|mention| {
            mention.from == Some(from) && mention.subject.name() == mentions[number].subject.name()
        });
        let relation = mentions[number].relation.take();
        let other = match known {
            Some(other) => other,
            None if mentions.len() < MOST_SUBJECTS => {
                let mut other = mentions[number].clone();
                (other.from, other.tie) = (Some(from), None);
                mentions.push(other);
                mentions.len() - 1
            }
            None => return,
        };
        match relation {
            Some(relation) if other != number && mentions[number].tie.is_none() => {
                mentions[number].tie = Some((relation, other));
            }
            relation => mentions[other].relation = relation,
        }
        self.group.push(other);
        self.last = Last::Mention(other);
    }

    /// Something in a reference without a drawing of its own.
    fn cut(&mut self, from: usize, word: Option<String>) {
        if let Some(word) = &word {
            self.note(word);
        }
        self.mention(&subjects::CUTOUT, false);
        let Last::Mention(number) = self.last else { return };
        self.from(number, from);
        if let Last::Mention(number) = self.last {
            self.prompt.mentions[number].word = word;
        }
    }

    /// A cut-out stands on the ground unless the prompt says that it flies.
    fn flies(&mut self, word: &str) -> bool {
        let flying = matches!(
            word,
            "fly" | "flies" | "flying" | "soars" | "soaring" | "hovers" | "hovering" | "floats" | "floating"
        );
        let Some(&last) = self.group.last() else {
            return false;
        };
        let mention = &mut self.prompt.mentions[last];
        if !flying || mention.from.is_none() || mention.subject.home != Home::Ground {
            return false;
        }
        mention.word = Some(mention.name().to_owned());
        mention.subject = &subjects::CUTOUT_ALOFT;
        self.note(word);
        true
    }

    /// Colours without a noun colour the picture.
    fn settle_colors(&mut self) {
        self.prompt.colors.append(&mut self.colors);
    }

    fn finish(mut self) -> Prompt {
        self.settle_colors();
        self.end_relation();
        let mut prompt = self.prompt;
        prompt.leave_out();
        prompt
            .terrain
            .retain(|terrain| !prompt.without.contains(&terrain.name()));
        prompt.moor_boats();
        prompt.reflected |= prompt.mentions.iter().any(|m| m.reflected);
        prompt.unknown.truncate(40);
        prompt
    }
}

/// "Plain", "on a plain light background": no land, and nothing behind the thing.
fn is_plain_ground(words: &[String]) -> bool {
    matches!(
        words[0].as_str(),
        "plain" | "neutral" | "seamless" | "solid" | "blank"
    ) && words[1..]
        .iter()
        .take(3)
        .take_while(|word| *word != ",")
        .any(|word| matches!(word.as_str(), "background" | "backdrop"))
}

/// Words in lower case; a comma stands for every mark that ends a phrase.
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

/// The text without what is in double quotes, and what was in them.
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
