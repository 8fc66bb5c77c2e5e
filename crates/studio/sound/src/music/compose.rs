//! Composition: from an order to a score.

mod ensemble;
mod lead;
mod vocal;

use super::{
    arrange::{Bar, bass, drums, figures},
    form::{self, Kind, Section, Stanza},
    genre::BassLine,
    lyrics,
    plan::{Order, Plan, plan},
    score::{Note, Part, Production, Role, Score},
    theory::{Chord, Key, progression},
};
use crate::chance::{Rng, hash};

/// A piece and what is known about it.
#[derive(Debug, Clone)]
pub struct Composition {
    pub plan: Plan,
    pub score: Score,
    pub production: Production,
    pub title: String,
    /// Empty if nobody sings.
    pub lyrics: Vec<Stanza>,
}

/// A song may be longer than this many seconds only if its words need it.
const LONGEST: f64 = 180.0;
/// A song with few words is extended to this many seconds, if no length is requested.
const SHORTEST: f64 = 60.0;

/// Composes an order. The same order gives the same piece.
pub fn compose(order: &Order) -> Composition {
    let plan = plan(order);
    let bar_seconds = plan.beats as f64 * 60.0 / plan.bpm;
    let short = order.fit.is_some() || order.seconds.is_some_and(|seconds| seconds < 45.0);
    let words = if plan.sung {
        words_for(order, &plan, short)
    } else {
        Vec::new()
    };
    let sings = words.iter().any(|stanza| !stanza.lines.is_empty());
    let line_bars = vocal::bars_per_line(&words, &plan, LONGEST);
    let sections = if let Some(fit) = order.fit {
        form::fitting(&words, line_bars, fit.bars)
    } else if sings {
        let least = order.seconds.unwrap_or(SHORTEST) / bar_seconds;
        form::sung(
            &words,
            line_bars,
            order.audio_weight,
            short,
            least.ceil() as usize,
        )
    } else {
        form::instrumental(plan.seconds, bar_seconds)
    };
    let chords = harmonise(order, &plan, &sections);
    let mut score = Score {
        bpm: plan.bpm,
        beats: plan.beats,
        key: plan.key,
        sections,
        chords,
        kit: plan.genre.kit.filter(|_| plan.drums),
        hits: Vec::new(),
        parts: Vec::new(),
        song: None,
        seed: order.seed,
    };
    contrast(&mut score.sections, order.profile.contrast);
    let ensemble = ensemble::choose(order, &plan);
    if score.kit.is_some() {
        score.hits = beat(order, &plan, &score);
    }
    if let Some(instrument) = ensemble.bass {
        let notes = low(&plan, &score, instrument.facts().range.0 as i32, order.seed);
        if !notes.is_empty() {
            score.parts.push(Part {
                role: Role::Bass,
                instrument,
                notes,
                pan: 0.0,
                gain: 0.0,
                echo: 0.0,
            });
        }
    }
    for (index, voice) in ensemble.layers.iter().enumerate() {
        let notes = accompany(&score, voice, order.seed ^ index as u64);
        if !notes.is_empty() {
            score.parts.push(Part {
                role: Role::Harmony,
                instrument: voice.instrument,
                notes,
                pan: voice.pan,
                gain: voice.gain,
                echo: voice.echo,
            });
        }
    }
    if sings {
        score.song = vocal::set(order, &plan, &score, &words, line_bars);
    }
    score.parts.extend(lead::parts(order, &plan, &score, &ensemble));
    let production = production(order, &plan);
    let title = title(order, &plan);
    Composition {
        plan,
        score,
        production,
        title,
        lyrics: if sings { words } else { Vec::new() },
    }
}

fn words_for(order: &Order, plan: &Plan, short: bool) -> Vec<Stanza> {
    match &order.lyrics {
        Some(text) => lyrics::read(text),
        None => lyrics::write(&order.prompt, plan.mood, order.seed, short),
    }
}

/// Chords for all bars. High weirdness replaces some by unexpected ones.
fn harmonise(order: &Order, plan: &Plan, sections: &[Section]) -> Vec<Vec<Chord>> {
    let mut chords = Vec::new();
    for section in sections {
        let text = match section.kind {
            Kind::Chorus | Kind::Solo => plan.harmony.chorus,
            Kind::Bridge => plan.harmony.bridge,
            _ => plan.harmony.verse,
        };
        let bars = progression(text, plan.key.tonic);
        // Each occurrence of a section has the same surprises.
        let mut rng = Rng::named(order.seed, section.kind.name());
        let mut surprises: Vec<Option<Chord>> = Vec::new();
        for bar in &bars {
            let odd = rng.chance(0.55 * (order.weirdness - 0.3).max(0.0));
            surprises.push(odd.then(|| surprise(&bar[0], plan.key, &mut rng)));
        }
        for index in 0..section.bars {
            let at = index % bars.len();
            let mut bar = bars[at].clone();
            if index > 0
                && let Some(odd) = &surprises[at]
            {
                bar = vec![odd.clone()];
            }
            chords.push(bar);
        }
    }
    let home = if plan.key.mode.is_minor() { "i" } else { "I" };
    if let (Some(last), Some(home), None) = (chords.last_mut(), Chord::read(home, plan.key.tonic), order.fit)
    {
        // Power chords keep omitting their third.
        let tones = if last[0].tones.len() == 2 {
            vec![0, 7]
        } else {
            home.tones.clone()
        };
        *last = vec![Chord { tones, ..home }];
    }
    if chords.is_empty() {
        chords.extend(Chord::read(home, plan.key.tonic).map(|chord| vec![chord]));
    }
    chords
}

/// A chord from outside the key, in place of one within.
fn surprise(chord: &Chord, key: Key, rng: &mut Rng) -> Chord {
    let shift = *rng.pick(&[1, 3, 4, 6, 8]);
    let root = (chord.root + shift).rem_euclid(12);
    let tones = rng
        .pick(&[vec![0, 4, 7, 11], vec![0, 4, 7], vec![0, 3, 7, 10], vec![0, 4, 8]])
        .clone();
    let above = (root - key.tonic).rem_euclid(12);
    Chord {
        root,
        tones,
        written: format!("+{above}"),
    }
}

/// Reduces the differences in energy if a profile has little contrast.
fn contrast(sections: &mut [Section], amount: f32) {
    for section in sections {
        section.energy = 0.65 + (section.energy - 0.65) * amount;
    }
}

/// Every bar of a score, with its section.
fn bars(score: &Score) -> impl Iterator<Item = Bar<'_>> {
    score.sections.iter().flat_map(move |section| {
        (0..section.bars).filter_map(move |index| {
            let bar = section.bar + index;
            let chords = score.chords.get(bar)?;
            let next = score.chords.get(bar + 1).unwrap_or(&score.chords[0]);
            Some(Bar {
                start: (bar * score.beats) as f64,
                beats: score.beats,
                chords,
                next: &next[0],
                index,
                section,
            })
        })
    })
}

/// Whether a bar is the very last one, which only rings.
fn is_end(score: &Score, bar: &Bar<'_>) -> bool {
    score.sections.last().is_some_and(|last| last.kind == Kind::Outro)
        && bar.start + (bar.beats as f64) >= score.length()
}

fn beat(order: &Order, plan: &Plan, score: &Score) -> Vec<super::score::Hit> {
    let mut hits = Vec::new();
    for bar in bars(score) {
        // The drums of one kind of section are the same each time, apart from human timing.
        let mut rng = Rng::new(order.seed ^ hash("drums") ^ (bar.start as u64).wrapping_mul(0x9e37));
        let made = drums::bar(plan.genre, &bar, order.profile.fills, &mut rng);
        if is_end(score, &bar) {
            hits.extend(made.into_iter().filter(|hit| hit.beat < bar.start + 0.01));
        } else {
            hits.extend(made);
        }
    }
    hits.sort_by(|a, b| a.beat.total_cmp(&b.beat));
    hits
}

/// The bass, from the lowest key of its instrument.
fn low(plan: &Plan, score: &Score, lowest: i32, seed: u64) -> Vec<Note> {
    let line = if score.beats == 3 && plan.genre.beats == 4 {
        BassLine::Waltz
    } else {
        plan.genre.bass
    };
    let mut notes = Vec::new();
    for bar in bars(score) {
        if bar.section.kind == Kind::Intro && bar.index < bar.section.bars / 2 && bar.section.bars > 2 {
            continue;
        }
        let mut rng = Rng::new(seed ^ hash("bass") ^ (bar.index as u64) << 8 ^ hash(bar.section.kind.name()));
        let line = if is_end(score, &bar) {
            BassLine::Roots
        } else {
            line
        };
        notes.extend(bass::bar(line, &bar, plan.key, lowest, &mut rng));
    }
    notes
}

fn accompany(score: &Score, voice: &ensemble::Voice, seed: u64) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut before: Vec<i32> = Vec::new();
    for bar in bars(score) {
        let joins =
            bar.section.energy >= voice.from || (bar.section.kind == Kind::Bridge && voice.from < 0.5);
        let late = bar.section.kind == Kind::Intro && voice.from > 0.0 && bar.index < bar.section.bars / 2;
        if !joins || late {
            continue;
        }
        // Voices move smoothly from bar to bar.
        let mut voicings: Vec<Vec<i32>> = Vec::new();
        for chord in bar.chords {
            before = voice.voicing(chord, &before);
            voicings.push(before.clone());
        }
        let count = voicings.len() as f64;
        let at = |beat: f64| {
            let index = (beat / bar.beats as f64 * count + 1e-6) as usize;
            voicings[index.min(voicings.len() - 1)].clone()
        };
        let mut rng = Rng::new(seed ^ (bar.index as u64) << 8 ^ hash(bar.section.kind.name()));
        let figure = if is_end(score, &bar) {
            super::genre::Figure::Held
        } else {
            voice.figure
        };
        notes.extend(figures::bar(figure, &bar, &at, &mut rng));
    }
    notes
}

fn production(order: &Order, plan: &Plan) -> Production {
    let mut finish = plan.genre.finish;
    if let Some(persona) = &order.persona {
        let mut rng = Rng::named(hash(persona), "production");
        finish.bright += rng.between(-2.0, 2.0);
        finish.low += rng.between(-1.5, 1.5);
        finish.room.decay *= rng.between(0.75, 1.35);
        finish.echo = (finish.echo + rng.between(-0.05, 0.2)).max(0.0);
        finish.drive *= rng.between(0.85, 1.25);
    }
    Production {
        finish,
        width: order.profile.width,
        human: plan.genre.human * order.profile.human,
        swing: plan.genre.swing,
        swing16: plan.genre.swing16,
    }
}

/// The requested title, or one from the subject.
fn title(order: &Order, plan: &Plan) -> String {
    if !order.title.trim().is_empty() {
        return order.title.trim().to_owned();
    }
    let about = lyrics::subject(&order.prompt).unwrap_or_else(|| match plan.mood {
        Some(mood) => format!("{mood} {}", plan.genre.name),
        None => format!("{} in {}", plan.genre.name, plan.key.name()),
    });
    about
        .split(' ')
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
        .collect::<Vec<_>>()
        .join(" ")
}
