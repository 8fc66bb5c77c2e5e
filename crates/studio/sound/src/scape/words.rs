//! From words to scapes: which sounds, where, how loud, how often and in which order (English).

mod lexicon;
mod scan;
mod scenes;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use super::{Curve, Event, Room, Scape, Sound, Source, sound::Make};
use crate::chance::Rng;
use lexicon::Way;
use scan::{Clause, clauses};
use scenes::Scene;

/// A scape made from words.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    pub scape: Scape,
    /// Names of the sounds and places that were understood, in order.
    pub understood: Vec<String>,
    /// Meaningful words that no sound is known for.
    pub unknown: Vec<String>,
}

/// Builds a scape from a sentence such as "heavy rain and distant thunder, then footsteps and a door slams". Sounds
/// named after "no" or "without" are absent. If no word is known, the scape is a quiet place.
pub fn from_words(prompt: &str, seconds: f32, seed: u64) -> Heard {
    build(&clauses(prompt), seconds, seed)
}

/// Builds a scape from facts of one or a few words each: weather, time of day, season, places, subjects, in any order.
pub fn from_facts(facts: &[&str], seconds: f32, seed: u64) -> Heard {
    build(&clauses(&facts.join(", ")), seconds, seed)
}

impl Heard {
    /// Removes the sounds that these words name.
    pub fn without(mut self, words: &str) -> Self {
        let gone: HashSet<Sound> = clauses(words)
            .iter()
            .flat_map(|clause| clause.sounds.iter().map(|mention| mention.sound))
            .collect();
        self.scape.sources.retain(|source| !gone.contains(&source.sound));
        self.scape.events.retain(|event| !gone.contains(&event.sound));
        self
    }
}

fn build(clauses: &[Clause], seconds: f32, seed: u64) -> Heard {
    let mut rng = Rng::named(seed, "words");
    let steps = clauses.iter().map(|clause| clause.step).max().unwrap_or(0) + 1;
    let mut heard = Heard {
        scape: Scape::new(seconds, seed),
        understood: Vec::new(),
        unknown: Vec::new(),
    };
    let banned: HashSet<Sound> = clauses
        .iter()
        .flat_map(|clause| clause.sounds.iter())
        .filter(|mention| mention.refused)
        .map(|mention| mention.sound)
        .collect();
    let night = clauses.iter().any(|clause| clause.night);
    let cold = clauses.iter().any(|clause| clause.cold);
    let mut taken: HashSet<(Sound, usize)> = HashSet::new();
    let note = |list: &mut Vec<String>, name: &str| {
        if !list.iter().any(|known| known == name) {
            list.push(name.to_owned());
        }
    };
    for clause in clauses {
        for mention in clause.sounds.iter().filter(|mention| !mention.refused) {
            note(&mut heard.understood, mention.sound.name());
            if banned.contains(&mention.sound) || !taken.insert((mention.sound, clause.step)) {
                continue;
            }
            let span = Span::new(clause.step, steps, seconds);
            put(&mut heard.scape, &mut rng, clause, *mention, span);
        }
        for (name, _) in &clause.scenes {
            note(&mut heard.understood, name);
        }
        if let Some(room) = clause.room {
            heard.scape.room = room;
        }
        for word in &clause.understood {
            note(&mut heard.understood, word);
        }
        for word in &clause.unknown {
            note(&mut heard.unknown, word);
        }
    }
    // Adds the sounds of a place, unless they were named already or do not fit the hour or the cold.
    for (clause, scene) in clauses
        .iter()
        .flat_map(|clause| clause.scenes.iter().map(move |(_, scene)| (clause, scene)))
    {
        for (sound, gain) in scene.sounds(night, cold) {
            let named = heard.scape.sources.iter().any(|source| source.sound == sound);
            if !named && !banned.contains(&sound) {
                let gain = gain * clause.loud;
                let source = Source::new(sound)
                    .gain(gain)
                    .distance(clause.distance.unwrap_or(1.0));
                heard.scape.sources.push(source);
            }
        }
        if scene.room != Room::Outdoors {
            heard.scape.room = scene.room;
        }
    }
    if heard.scape.sources.is_empty() && heard.scape.events.is_empty() {
        heard.scape.sources.push(Source::new(Sound::Air));
    }
    heard
}

/// When a clause is heard, in seconds.
#[derive(Debug, Clone, Copy)]
struct Span {
    from: f32,
    until: f32,
    first: bool,
    last: bool,
}

impl Span {
    fn new(step: usize, steps: usize, seconds: f32) -> Self {
        Self {
            from: seconds * step as f32 / steps as f32,
            until: seconds * (step + 1) as f32 / steps as f32,
            first: step == 0,
            last: step + 1 == steps,
        }
    }
}

/// Adds the sounds of a clause to the scape.
fn put(scape: &mut Scape, rng: &mut Rng, clause: &Clause, mention: scan::Mention, span: Span) {
    let distance = clause.distance.unwrap_or(1.0);
    let make = mention.sound.make();
    let count = clause.count.or(match make {
        Make::Once(_) if mention.plural => Some(3),
        Make::Once(_) => Some(1),
        Make::Again(..) if mention.single => Some(1),
        _ => None,
    });
    if let (Make::Again(..) | Make::Once(_), Some(count)) = (make, count) {
        let room = span.until - span.from;
        let gap = match make {
            Make::Again(_, least, most) => 0.5 * (least + most),
            _ => 1.2,
        }
        .min(room / (count as f32 + 0.5));
        // A single sound comes at once; among others it comes a little later.
        let begin = span.from + if span.first { 0.08 * room.min(6.0) } else { 0.03 };
        for index in 0..count {
            let pan = match clause.way {
                Some(way) => way.pan(index as f32 / (count.max(2) - 1) as f32),
                None if count > 1 => 0.3 * rng.bipolar(),
                None => clause.pan,
            };
            let at = begin + gap * index as f32;
            scape.events.push(
                Event::new(at, mention.sound)
                    .strength(clause.loud)
                    .pan(pan)
                    .distance(distance),
            );
        }
        return;
    }
    let source = Source::new(mention.sound)
        .gain(gain(clause, span, scape.seconds, mention.sound.is_bed()))
        .pan(clause.pan)
        .distance(distance);
    scape.sources.push(match clause.way {
        Some(way) => way.move_it(source, span.from, span.until, distance),
        None => source,
    });
}

/// The level over time. Short sounds end with their step, continuous ones go on.
fn gain(clause: &Clause, span: Span, seconds: f32, is_bed: bool) -> Curve {
    let loud = clause.loud;
    let mut points = Vec::new();
    if span.first {
        points.push((0.0, loud));
    } else {
        let rise = if is_bed { 0.6 } else { 0.01 };
        points.extend([(span.from - rise, 0.0), (span.from + rise, loud)]);
    }
    if !span.last && !is_bed {
        points.extend([(span.until - 0.05, loud), (span.until, 0.0)]);
    }
    let until = if is_bed { seconds } else { span.until };
    let curve = Curve::points(&points);
    match clause.fades {
        (false, false) => curve,
        (rises, falls) => {
            let length = until - span.from;
            let begin = if rises { 0.0 } else { loud };
            let end = if falls { 0.0 } else { loud };
            Curve::points(&[(span.from, begin), (span.from + 0.5 * length, loud), (until, end)])
        }
    }
}

impl Way {
    /// The position after a fraction of the way.
    fn pan(self, part: f32) -> f32 {
        match self {
            Self::Rightwards => 1.6 * part - 0.8,
            Self::Leftwards => 0.8 - 1.6 * part,
            _ => 0.0,
        }
    }

    fn move_it(self, source: Source, from: f32, until: f32, distance: f32) -> Source {
        let line = |a: f32, b: f32| Curve::points(&[(from, a), (until, b)]);
        let past = || {
            // Distance by Pythagoras, at a constant speed.
            let points: Vec<(f32, f32)> = (0..=24)
                .map(|index| {
                    let part = index as f32 / 24.0;
                    let along = 7.0 * (2.0 * part - 1.0);
                    (
                        from + (until - from) * part,
                        distance * (1.0 + along * along).sqrt(),
                    )
                })
                .collect();
            Curve::points(&points)
        };
        let sweep = |way: f32| {
            let points: Vec<(f32, f32)> = (0..=24)
                .map(|index| {
                    let part = index as f32 / 24.0;
                    (
                        from + (until - from) * part,
                        way * (3.0 * (2.0 * part - 1.0)).tanh() * 0.9,
                    )
                })
                .collect();
            Curve::points(&points)
        };
        match self {
            Self::Past | Self::Rightwards => source.distance(past()).pan(sweep(1.0)),
            Self::Leftwards => source.distance(past()).pan(sweep(-1.0)),
            Self::Nearer => source.distance(line(10.0 * distance, distance)),
            Self::Away => source.distance(line(distance, 10.0 * distance)),
        }
    }
}

impl Scene {
    /// The sounds of the place, with their levels.
    fn sounds(&self, night: bool, cold: bool) -> Vec<(Sound, f32)> {
        let by_hour = if night { self.by_night } else { self.by_day };
        let alive = if cold { &[][..] } else { by_hour };
        self.always.iter().chain(alive).copied().collect()
    }
}
