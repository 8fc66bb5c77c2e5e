//! Performs a score: plays every part, places and sums the parts, and adds echo, room and a master chain.

mod font;
mod strip;
mod voice;

use std::path::PathBuf;

use rayon::prelude::*;

use super::{
    score::{Part, Production, Role, Score},
    synth::{RATE, Stereo, Tone, drums, drums::Piece, play},
};
use crate::{
    chance::Rng,
    dsp::{
        delay,
        drive::warm,
        dynamics::{Compressor, compress, duck},
        filter::Biquad,
        reverb::reverberate,
    },
    file::{Audio, loudness},
};
pub use font::FontError;

/// The operator's settings.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// A General MIDI SoundFont that replaces the synthesis, for drums and pitched instruments alike.
    pub soundfont: Option<PathBuf>,
    /// Loudness of the result in LUFS; −14 by default.
    pub loudness: Option<f64>,
}

/// Why a score was not performed.
#[derive(Debug, thiserror::Error)]
pub enum PerformError {
    #[error(transparent)]
    Font(#[from] FontError),
    #[error("the song cannot be sung: {0}")]
    Sing(#[from] crate::speech::SingError),
}

/// How long the piece rings on after the last bar, in seconds.
const TAIL: f64 = 2.5;
/// Parts that are played at the same time. Each takes twice the memory of the whole piece.
const AT_ONCE: usize = 2;

/// The buses that parts are mixed into.
struct Buses {
    dry: Stereo,
    room: Stereo,
    echo: Stereo,
}

impl Buses {
    fn new(frames: usize) -> Self {
        let silence = || [vec![0.0; frames], vec![0.0; frames]];
        Self {
            dry: silence(),
            room: silence(),
            echo: silence(),
        }
    }

    /// Adds the sound of a part with a gain, and with shares for room and echo.
    fn add(&mut self, sound: &Stereo, gain: f32, room: f32, echo: f32) {
        for side in 0..2 {
            for (at, x) in sound[side].iter().enumerate().take(self.dry[side].len()) {
                let x = gain * x;
                self.dry[side][at] += x;
                self.room[side][at] += room * x;
                self.echo[side][at] += echo * x;
            }
        }
    }
}

/// Plays a score in stereo at 44.1 kHz and at the wanted loudness. `progress` is told how much is done, 0 to 1.
pub fn perform(
    score: &Score,
    production: &Production,
    settings: &Settings,
    progress: &mut dyn FnMut(f32),
) -> Result<Audio, PerformError> {
    let frames = ((score.seconds() + TAIL) * f64::from(RATE)) as usize;
    let font = settings.soundfont.as_deref().map(font::Font::open).transpose()?;
    let mut buses = Buses::new(frames);
    let kicks = kick_times(score, production);
    progress(0.02);
    let total = score.parts.len() + 2;
    for (index, pair) in score.parts.chunks(AT_ONCE).enumerate() {
        let played: Vec<Result<Stereo, FontError>> = pair
            .par_iter()
            .enumerate()
            .map(|(offset, part)| match &font {
                Some(font) => font.part(score, production, part, frames),
                None => Ok(part_alone(
                    score,
                    production,
                    part,
                    (AT_ONCE * index + offset) as u64,
                    frames,
                )),
            })
            .collect();
        for (part, sound) in pair.iter().zip(played) {
            let mut sound = sound?;
            strip::channel(&mut sound, part, production, font.is_some());
            if production.finish.duck > 0.0 {
                let depth = production.finish.duck * if part.role == Role::Lead { 0.4 } else { 1.0 };
                let [left, right] = &mut sound;
                duck(
                    left,
                    right,
                    RATE,
                    &kicks,
                    depth,
                    0.28 * (60.0 / score.bpm as f32).min(1.0),
                );
            }
            let facts = part.instrument.facts();
            let gain = decibels(facts.gain + part.gain + role_gain(part.role, score.song.is_some()));
            buses.add(&sound, gain, facts.room, part.echo * production.finish.echo);
        }
        progress(0.02 + 0.55 * ((index + 1) * AT_ONCE).min(total) as f32 / total as f32);
    }
    if let Some(kit) = score.kit {
        let mut sound = match &font {
            Some(font) => font.drums(score, production, frames)?,
            None => drums_alone(score, production, kit, frames),
        };
        let [left, right] = &mut sound;
        compress(
            left,
            right,
            RATE,
            &Compressor {
                threshold: -12.0,
                ratio: 3.0,
                attack: 0.012,
                release: 0.12,
            },
        );
        buses.add(&sound, decibels(-3.5), 0.05, 0.0);
    }
    progress(0.6);
    if let Some(song) = &score.song {
        let sound = voice::sing_song(score, production, song, frames)?;
        let gain = decibels(song.gain);
        buses.add(&sound, gain, 0.13, song.echo * production.finish.echo);
    }
    progress(0.8);
    Ok(master(buses, score, production, settings, progress))
}

/// Converts dB to a factor.
fn decibels(db: f32) -> f32 {
    10_f32.powf(db / 20.0)
}

/// Accompaniment makes room for a voice.
fn role_gain(role: Role, sung: bool) -> f32 {
    match (role, sung) {
        (Role::Bass, _) => -4.0,
        (Role::Harmony, true) => -2.5,
        (Role::Lead, true) => -1.0,
        (Role::Lead, false) => 1.5,
        _ => 0.0,
    }
}

/// Times of all kicks in seconds.
fn kick_times(score: &Score, production: &Production) -> Vec<f64> {
    score
        .hits
        .iter()
        .filter(|hit| hit.piece == Piece::Kick && hit.velocity > 0.5)
        .map(|hit| score.time(production.swung(hit.beat)))
        .collect()
}

/// All notes of one part.
fn part_alone(score: &Score, production: &Production, part: &Part, index: u64, frames: usize) -> Stereo {
    let mut rng = Rng::new(score.seed ^ (index + 1).wrapping_mul(0x517c_c1b7));
    let mut sound = [vec![0.0; frames], vec![0.0; frames]];
    for note in &part.notes {
        let late = f64::from(production.human * hand(&mut rng));
        let start = (score.time(production.swung(note.beat)) + late).max(0.0);
        let end = score.time(production.swung(note.beat + note.beats));
        let velocity = (note.velocity * (1.0 + 3.0 * production.human * hand(&mut rng))).clamp(0.05, 1.0);
        let tone = Tone {
            pitch: note.pitch as f32,
            seconds: (end - start).max(0.03) as f32,
            velocity,
            seed: rng.draw(),
        };
        add_at(
            &mut sound,
            &play(part.instrument, &tone),
            (start * f64::from(RATE)) as usize,
            [1.0, 1.0],
        );
    }
    sound
}

/// The inaccuracy of a hand: about normal, within ±2.
fn hand(rng: &mut Rng) -> f32 {
    (rng.bipolar() + rng.bipolar() + rng.bipolar()) * 0.66
}

fn add_at(sound: &mut Stereo, note: &Stereo, start: usize, gains: [f32; 2]) {
    for side in 0..2 {
        let Some(room) = sound[side].get_mut(start..) else {
            continue;
        };
        for (sum, x) in room.iter_mut().zip(&note[side]) {
            *sum += gains[side] * x;
        }
    }
}

fn drums_alone(score: &Score, production: &Production, kit: drums::Kit, frames: usize) -> Stereo {
    let mut rng = Rng::new(score.seed ^ 0xd2);
    let mut sound = [vec![0.0; frames], vec![0.0; frames]];
    // Four takes of each piece at each of eight strengths, so that two hits in a row differ.
    let mut takes: std::collections::BTreeMap<(Piece, u32, u64), Vec<f32>> =
        std::collections::BTreeMap::new();
    for hit in &score.hits {
        let late = f64::from(0.6 * production.human * hand(&mut rng));
        let start = ((score.time(production.swung(hit.beat)) + late).max(0.0) * f64::from(RATE)) as usize;
        let strength = (hit.velocity * 8.0).ceil().clamp(1.0, 8.0) as u32;
        let take = rng.draw() % 4;
        let made = takes.entry((hit.piece, strength, take)).or_insert_with(|| {
            drums::hit(
                kit,
                hit.piece,
                strength as f32 / 8.0,
                score.seed ^ take ^ u64::from(hit.piece.key()) << 8,
            )
        });
        let (pan, gain) = hit.piece.place();
        let pan = pan * production.width;
        let gains = [gain * (1.0 - pan).min(1.0), gain * (1.0 + pan).min(1.0)];
        for side in 0..2 {
            let Some(room) = sound[side].get_mut(start..) else {
                continue;
            };
            for (sum, x) in room.iter_mut().zip(made.iter()) {
                *sum += gains[side] * x;
            }
        }
    }
    sound
}

/// Returns echo and room to the mix, then compresses, equalises and normalises the sum.
fn master(
    buses: Buses,
    score: &Score,
    production: &Production,
    settings: &Settings,
    progress: &mut dyn FnMut(f32),
) -> Audio {
    let Buses {
        mut dry,
        mut room,
        mut echo,
    } = buses;
    let finish = &production.finish;
    if finish.echo > 0.0 {
        let [left, right] = &mut echo;
        // Dotted eighths, or quarters at fast tempos.
        let beats = if score.bpm > 130.0 { 1.0 } else { 0.75 };
        delay::echo(
            left,
            right,
            RATE,
            (beats * 60.0 / score.bpm) as f32,
            0.42,
            3_200.0,
        );
        add_at(&mut dry, &echo, 0, [0.8, 0.8]);
        for side in 0..2 {
            for (sum, x) in room[side].iter_mut().zip(&echo[side]) {
                *sum += 0.25 * x;
            }
        }
    }
    drop(echo);
    let [left, right] = &mut room;
    reverberate(left, right, RATE, &finish.room);
    add_at(&mut dry, &room, 0, [0.9, 0.9]);
    drop(room);
    progress(0.87);
    let [left, right] = &mut dry;
    narrow(left, right, production.width);
    let peak = left
        .iter()
        .chain(right.iter())
        .fold(1e-6_f32, |peak, x| peak.max(x.abs()));
    let scale = 0.7 / peak;
    for side in [&mut *left, &mut *right] {
        for x in side.iter_mut() {
            *x *= scale;
        }
        Biquad::highpass(RATE, 28.0, 0.7).run(side);
        Biquad::low_shelf(RATE, 110.0, finish.low - 2.0).run(side);
        Biquad::high_shelf(RATE, 5_000.0, finish.bright + 3.0).run(side);
        if finish.dull < 18_000.0 {
            Biquad::lowpass(RATE, finish.dull, 0.7).run(side);
        }
    }
    compress(
        left,
        right,
        RATE,
        &Compressor {
            threshold: -14.0,
            ratio: 2.0,
            attack: 0.02,
            release: 0.2,
        },
    );
    for side in [&mut *left, &mut *right] {
        warm(side, finish.drive.max(0.4));
    }
    let mut audio = {
        let [left, right] = dry;
        Audio::stereo(RATE as u32, left, right)
    };
    fade(&mut audio);
    progress(0.92);
    loudness::normalise(&mut audio, settings.loudness.unwrap_or(-14.0), -1.0);
    progress(1.0);
    audio
}

/// Narrows the stereo image. Below 120 Hz it is always mono.
fn narrow(left: &mut [f32], right: &mut [f32], width: f32) {
    let mut low = Biquad::highpass(RATE, 120.0, 0.7);
    for (l, r) in left.iter_mut().zip(right.iter_mut()) {
        let (middle, side) = (0.5 * (*l + *r), 0.5 * (*l - *r));
        let side = low.next(width * side);
        (*l, *r) = (middle + side, middle - side);
    }
}

/// Fades out the last second and a half.
fn fade(audio: &mut Audio) {
    let length = (1.5 * RATE) as usize;
    let frames = audio.frames();
    for channel in &mut audio.channels {
        for at in 0..length.min(frames) {
            let left = at as f32 / length as f32;
            channel[frames - 1 - at] *= left * left * (3.0 - 2.0 * left);
        }
    }
}
