//! Instruments by synthesis: struck and plucked bodies, oscillators and filters, frequency modulation, winds, and
//! drums. Each note is computed separately. Everything that all notes of an instrument share (a body, an amplifier) is
//! the finish of its [`Patch`](patch::Patch).

pub mod analog;
pub mod blown;
pub mod drums;
pub mod fm;
pub mod patch;
pub mod pluck;
pub mod struck;

use super::instrument::Instrument;
use patch::{Sound, patch};

/// The sample rate of all synthesis.
pub const RATE: f32 = 44_100.0;

/// One note to be played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tone {
    /// A MIDI number; fractions of a semitone are allowed.
    pub pitch: f32,
    /// How long the key is held.
    pub seconds: f32,
    /// 0 to 1.
    pub velocity: f32,
    pub seed: u64,
}

impl Tone {
    /// The fundamental in Hz.
    pub fn hz(&self) -> f32 {
        hz(self.pitch)
    }

    /// How many samples the key is held.
    pub fn held(&self) -> usize {
        (self.seconds * RATE) as usize
    }
}

/// The frequency of a MIDI number in equal temperament.
pub fn hz(pitch: f32) -> f32 {
    440.0 * 2_f32.powf((pitch - 69.0) / 12.0)
}

/// Left and right.
pub type Stereo = [Vec<f32>; 2];

/// Plays one note, with its release.
pub fn play(instrument: Instrument, tone: &Tone) -> Stereo {
    match patch(instrument).sound {
        Sound::Plucked(string) => pluck::play(&string, tone),
        Sound::Struck(body) => struck::play(&body, tone),
        Sound::Analog(voice) => analog::play(&voice, tone),
        Sound::Fm(stack) => fm::play(&stack, tone),
        Sound::Blown(pipe) => blown::play(&pipe, tone),
    }
}

/// Adds a short fade, so that no sound ends in a click.
fn fade_out(samples: &mut [f32], seconds: f32) {
    let length = ((seconds * RATE) as usize).min(samples.len());
    let start = samples.len() - length;
    for (at, x) in samples[start..].iter_mut().enumerate() {
        *x *= 1.0 - (at + 1) as f32 / length as f32;
    }
}
