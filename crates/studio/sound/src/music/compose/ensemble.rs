//! The players: the genre's instruments, plus requested ones, minus refused ones.

use crate::{
    chance::Rng,
    music::{
        genre::{BassLine, Figure, Layer},
        instrument::Instrument,
        plan::{Order, Plan},
        theory::{Chord, lead},
    },
};

/// One accompanying instrument.
#[derive(Debug, Clone)]
pub(super) struct Voice {
    pub instrument: Instrument,
    pub figure: Figure,
    pub from: f32,
    pub pan: f32,
    pub gain: f32,
    pub echo: f32,
}

/// Everybody except drums and singer.
#[derive(Debug, Clone)]
pub(super) struct Ensemble {
    pub bass: Option<Instrument>,
    pub layers: Vec<Voice>,
    pub lead: Option<Instrument>,
}

/// Stereo positions of the accompanying instruments, in turn.
const PLACES: [f32; 6] = [-0.28, 0.34, 0.0, -0.55, 0.5, 0.15];

/// Instruments that play one note at a time, or sound best that way.
const SOLOISTS: [Instrument; 15] = [
    Instrument::Violin,
    Instrument::Cello,
    Instrument::Trumpet,
    Instrument::Saxophone,
    Instrument::Clarinet,
    Instrument::Flute,
    Instrument::Whistle,
    Instrument::Bagpipes,
    Instrument::SynthLead,
    Instrument::SquareLead,
    Instrument::Glockenspiel,
    Instrument::SteelDrum,
    Instrument::Marimba,
    Instrument::MusicBox,
    Instrument::Vibraphone,
];
const BASSES: [Instrument; 7] = [
    Instrument::UprightBass,
    Instrument::ElectricBass,
    Instrument::SynthBass,
    Instrument::SubBass,
    Instrument::AcidBass,
    Instrument::ReeseBass,
    Instrument::TriangleBass,
];

pub(super) fn choose(order: &Order, plan: &Plan) -> Ensemble {
    let mut rng = Rng::named(order.seed, "ensemble");
    let allowed = |instrument: &Instrument| !plan.unwanted.contains(instrument);
    let mut wanted = plan.wanted.clone();
    let bass = take(&mut wanted, |instrument| BASSES.contains(&instrument))
        .or_else(|| pick(plan.genre.basses, &allowed, &mut rng))
        .or_else(|| pick(&BASSES, &allowed, &mut rng))
        .filter(|_| plan.genre.bass != BassLine::None);
    let soloist = take(&mut wanted, |instrument| SOLOISTS.contains(&instrument));
    let foreign = plan.also.map_or(&[][..], |also| also.layers);
    let mut layers: Vec<Layer> = plan.genre.layers.to_vec();
    // The lower the style weight, the more of its instruments come from another genre.
    for layer in &mut layers {
        if !foreign.is_empty() && rng.chance(0.8 * (1.0 - order.style_weight)) {
            layer.choices = rng.pick(foreign).choices;
        }
    }
    let most = order.profile.layers.min(layers.len().max(1));
    layers.truncate(most);
    let mut voices: Vec<Voice> = Vec::new();
    for layer in &layers {
        // A requested instrument replaces the one with the same role, or the first one.
        let asked = take(&mut wanted, |instrument| {
            layer.choices.contains(&instrument) || suits(instrument, layer.figure)
        });
        let Some(instrument) = asked.or_else(|| pick(layer.choices, &allowed, &mut rng)) else {
            continue;
        };
        voices.push(voice(instrument, layer.figure, layer.from, voices.len()));
    }
    for instrument in wanted {
        let figure = usual(instrument);
        voices.push(voice(instrument, figure, 0.0, voices.len()));
    }
    if voices.is_empty() && !plan.genre.layers.is_empty() {
        // Everything in the genre was refused, so this takes an instrument that was not.
        if let Some(instrument) = pick(
            &Instrument::ALL,
            &|instrument: &Instrument| {
                allowed(instrument) && !BASSES.contains(instrument) && !SOLOISTS.contains(instrument)
            },
            &mut rng,
        ) {
            voices.push(voice(instrument, usual(instrument), 0.0, 0));
        }
    }
    let lead = soloist
        .or_else(|| pick(plan.genre.leads, &allowed, &mut rng))
        .or_else(|| voices.first().map(|voice| voice.instrument));
    Ensemble {
        bass,
        layers: voices,
        lead,
    }
}

fn voice(instrument: Instrument, figure: Figure, from: f32, index: usize) -> Voice {
    let echo = match figure {
        Figure::FastArpeggio | Figure::Arpeggio | Figure::Stabs | Figure::Skank | Figure::Riff => 0.5,
        _ => 0.0,
    };
    let gain = match figure {
        Figure::Held => -4.0,
        Figure::FastArpeggio | Figure::Arpeggio => -3.0,
        Figure::Chug | Figure::Power => -1.0,
        _ => -2.0,
    };
    Voice {
        instrument,
        figure,
        from,
        pan: PLACES[index % PLACES.len()],
        gain,
        echo,
    }
}

/// Removes and returns the first instrument that matches.
fn take(wanted: &mut Vec<Instrument>, fits: impl Fn(Instrument) -> bool) -> Option<Instrument> {
    let at = wanted.iter().position(|instrument| fits(*instrument))?;
    Some(wanted.remove(at))
}

fn pick(from: &[Instrument], allowed: &dyn Fn(&Instrument) -> bool, rng: &mut Rng) -> Option<Instrument> {
    let left: Vec<Instrument> = from
        .iter()
        .copied()
        .filter(|instrument| allowed(instrument))
        .collect();
    (!left.is_empty()).then(|| *rng.pick(&left))
}

/// Whether an instrument can play a figure in place of another.
fn suits(instrument: Instrument, figure: Figure) -> bool {
    use Figure as F;
    match usual(instrument) {
        F::Held => figure == F::Held,
        F::Picked => matches!(figure, F::Picked | F::Strum | F::Bossa),
        F::Power => matches!(figure, F::Power | F::Chug),
        F::Ballad => matches!(
            figure,
            F::Ballad | F::Charleston | F::Stabs | F::Montuno | F::Alberti | F::Riff | F::Quarters
        ),
        F::Arpeggio => matches!(figure, F::Arpeggio | F::FastArpeggio | F::Riff),
        usual => usual == figure,
    }
}

/// How an instrument accompanies if the genre does not say.
fn usual(instrument: Instrument) -> Figure {
    use Instrument as I;
    match instrument {
        I::Piano | I::ElectricPiano | I::Harpsichord => Figure::Ballad,
        I::AcousticGuitar | I::NylonGuitar | I::CleanGuitar | I::Banjo | I::Mandolin => Figure::Picked,
        I::OverdrivenGuitar | I::DistortedGuitar => Figure::Power,
        I::Harp
        | I::Pizzicato
        | I::SynthPluck
        | I::ChipPulse
        | I::Bells
        | I::Marimba
        | I::Vibraphone
        | I::MusicBox
        | I::Glockenspiel
        | I::SteelDrum => Figure::Arpeggio,
        _ => Figure::Held,
    }
}

impl Voice {
    /// The pitches for a chord, near the previous ones.
    pub(super) fn voicing(&self, chord: &Chord, before: &[i32]) -> Vec<i32> {
        let (low, high, voices) = match self.figure {
            Figure::Power | Figure::Chug => {
                let root = chord.root_from(40);
                let diminished = chord.tones.contains(&6);
                return vec![root, root + if diminished { 6 } else { 7 }, root + 12];
            }
            Figure::Held => (52, 71, 4),
            Figure::Strum | Figure::Picked | Figure::Bossa => (52, 69, 4),
            Figure::Arpeggio | Figure::Riff => (60, 79, 4),
            Figure::FastArpeggio => (64, 83, 4),
            Figure::Quarters | Figure::Scratch | Figure::Skank | Figure::Offbeat => (57, 74, 3),
            _ => (55, 73, 4),
        };
        let facts = self.instrument.facts();
        let shift = if (low as f32) < facts.range.0 {
            12
        } else if (high as f32) > facts.range.1 + 6.0 {
            -12
        } else {
            0
        };
        lead(chord, before, low + shift, high + shift, voices)
    }
}
