//! Renders a scape: places sources and events, adds the room, sets the level.

use std::f32::consts::{FRAC_PI_4, SQRT_2};

use super::{
    Event, LONGEST, Room, Scape, Source,
    make::{Bed, highpass, samples, swell},
    sound::{Make, Sound},
};
use crate::{
    chance::Rng,
    dsp::{
        filter::glide,
        limiter,
        reverb::{self, reverberate},
    },
    file::{Audio, loudness},
};

/// The default loudness of a scape in LUFS: that of broadcasting.
pub const LOUDNESS: f64 = -23.0;
/// The limit of true peaks, in dBTP.
const CEILING: f64 = -1.0;
/// Root mean square level of a bed at 0 dB.
const BED: f32 = 0.05;
/// Level of the loudest moment of a single sound at 0 dB.
const SHOT: f32 = 0.2;
/// Length of such a moment, in seconds.
const MOMENT: f32 = 0.05;
/// Seconds that sound takes for one unit of distance.
const AIR: f32 = 5.0 / 343.0;
/// The smallest distance.
const NEAREST: f32 = 0.2;
/// The largest distance, at which a sound is still audible.
const FARTHEST: f32 = 60.0;
/// Seconds that the swell of a continuous sound takes.
const SWELL: f32 = 5.0;
/// Seconds of fade at both ends.
const FADE: f32 = 0.02;
/// Samples between two evaluations of the curves.
const STEP: usize = 64;

/// Renders the whole scape in stereo.
pub fn render(scape: &Scape, rate: u32) -> Audio {
    let seconds = if scape.seconds.is_finite() {
        scape.seconds.clamp(0.0, LONGEST)
    } else {
        0.0
    };
    let hz = rate as f32;
    let frames = (f64::from(seconds) * f64::from(rate)).round() as usize;
    let mut mix = Bed::new(hz, frames);
    let mut send = Bed::new(hz, frames);
    for (index, source) in scape.sources.iter().enumerate() {
        let mut rng = Rng::named(scape.seed ^ ((index as u64) << 32), source.sound.name());
        place(
            source,
            bed(source.sound, &mut rng, hz, frames),
            &mut mix,
            &mut send,
            scape.room,
        );
    }
    for (index, event) in scape.events.iter().enumerate() {
        let numbers = [event.at, event.strength, event.pan, event.distance];
        if !numbers.iter().all(|number| number.is_finite()) {
            continue;
        }
        let mut rng = Rng::named(scape.seed ^ ((index as u64) << 40), event.sound.name());
        happen(event, &mut rng, &mut mix, &mut send, scape.room);
    }
    answer(&mut mix, send, scape.room);
    let mut audio = Audio::stereo(rate, mix.left, mix.right);
    for channel in &mut audio.channels {
        fade(channel, hz);
    }
    level(&mut audio, scape.loudness);
    audio
}

/// Sets the requested loudness. A sound too short or sparse for a loudness measurement is set by its peak.
fn level(audio: &mut Audio, wanted: f64) {
    if loudness::integrated(audio) > -70.0 {
        loudness::normalise(audio, wanted, CEILING);
        return;
    }
    let peak = audio.peak();
    if peak > 1e-6 {
        audio.scale(10_f64.powf((wanted + 14.0).min(-3.0) / 20.0) as f32 / peak);
        limiter::limit(
            &mut audio.channels,
            audio.rate,
            10_f64.powf(CEILING / 20.0) as f32,
        );
    }
}

fn fade(channel: &mut [f32], rate: f32) {
    let length = samples(FADE, rate).min(channel.len() / 2);
    let total = channel.len();
    for step in 0..length {
        let gain = step as f32 / length as f32;
        channel[step] *= gain;
        channel[total - 1 - step] *= gain;
    }
}

/// A continuous sound, at its usual level.
fn bed(sound: Sound, rng: &mut Rng, rate: f32, frames: usize) -> Bed {
    let mut bed = Bed::new(rate, frames);
    let gain = 10_f32.powf(sound.level() / 20.0);
    match sound.make() {
        Make::Bed(make) => {
            make(rng, &mut bed);
            let scale = gain * BED / power(&bed.left, &bed.right).max(1e-9);
            for x in bed.left.iter_mut().chain(&mut bed.right) {
                *x *= scale;
            }
        }
        Make::Again(make, least, most) => repeat(rng, &mut bed, make, gain, least, most),
        Make::Once(make) => repeat(rng, &mut bed, make, gain, 2.5, 5.0),
    }
    bed
}

fn repeat(
    rng: &mut Rng,
    bed: &mut Bed,
    make: fn(&mut Rng, f32) -> Vec<f32>,
    gain: f32,
    least: f32,
    most: f32,
) {
    // A sound with a steady rhythm comes from one place.
    let spread = if most < 1.3 * least { 0.06 } else { 0.5 };
    let mut at = 0.05 + 0.4 * least.min(2.0) * rng.unit();
    let mut side = spread * rng.bipolar();
    while at < bed.seconds() {
        let sound = loud(make(rng, bed.rate), bed.rate);
        side = if spread < 0.1 {
            -side
        } else {
            spread * rng.bipolar()
        };
        bed.add(at, &sound, side, gain * rng.between(0.8, 1.0));
        at += rng.between(least, most).max(0.02);
    }
}

/// Scales a sound so that its loudest moment has the level of single sounds.
fn loud(mut sound: Vec<f32>, rate: f32) -> Vec<f32> {
    let window = samples(MOMENT, rate).max(1);
    // The ear is insensitive below 60 Hz.
    let mut heard = sound.clone();
    highpass(&mut heard, rate, 60.0);
    let most = heard
        .chunks(window)
        .map(|part| part.iter().map(|x| x * x).sum::<f32>() / window as f32)
        .fold(0.0, f32::max)
        .sqrt();
    let scale = SHOT / most.max(1e-9);
    for x in &mut sound {
        *x *= scale;
    }
    sound
}

fn power(left: &[f32], right: &[f32]) -> f32 {
    let sum: f64 = left.iter().chain(right).map(|x| f64::from(x * x)).sum();
    (sum / (left.len() + right.len()).max(1) as f64).sqrt() as f32
}

/// The effect of distance: gain, treble and share sent to the room.
struct Far {
    gain: f32,
    /// Coefficient of two one-pole low-pass filters in series.
    dull: f32,
    send: f32,
}

impl Far {
    fn new(distance: f32, rate: f32, room: Room) -> Self {
        let distance = distance.clamp(NEAREST, FARTHEST);
        let corner = (21_000.0 / distance.max(1.0).powf(0.95)).max(450.0);
        let open = match room {
            Room::Outdoors => 0.05,
            Room::Room => 0.25,
            Room::Hall => 0.5,
            Room::Cave => 0.65,
        };
        Self {
            gain: 1.0 / distance.max(0.5).powf(0.9),
            dull: glide(1.0 / (std::f32::consts::TAU * corner), rate),
            send: open * distance.clamp(0.5, 12.0).sqrt(),
        }
    }
}

/// Mixes a bed in, following its source's curves.
fn place(source: &Source, bed: Bed, mix: &mut Bed, send: &mut Bed, room: Room) {
    let rate = bed.rate;
    let frames = bed.frames();
    let bed = if source.distance.is_flat() {
        bed
    } else {
        moved(source, &bed)
    };
    let mut low = [[0.0; 2]; 2];
    let mut before = [0.0_f32; 4];
    let mut first = true;
    for start in (0..frames).step_by(STEP) {
        let time = start as f32 / rate;
        let far = Far::new(source.distance.at(time), rate, room);
        let pan = source.pan.at(time).clamp(-1.0, 1.0);
        let gain = source.gain.at(time).max(0.0) * far.gain;
        // Wide sounds become narrower to the side and with distance.
        let width = (1.0 - 0.7 * pan.abs()) / (1.0 + 0.15 * (source.distance.at(time) - 1.0).max(0.0));
        let angle = (pan + 1.0) * FRAC_PI_4;
        let after = [
            gain * SQRT_2 * angle.cos(),
            gain * SQRT_2 * angle.sin(),
            width,
            far.send,
        ];
        if first {
            before = after;
            first = false;
        }
        for at in start..(start + STEP).min(frames) {
            let part = (at - start) as f32 / STEP as f32;
            let [l, r, width, share] = [0, 1, 2, 3].map(|i| before[i] + (after[i] - before[i]) * part);
            let (mid, side) = (
                0.5 * (bed.left[at] + bed.right[at]),
                0.5 * (bed.left[at] - bed.right[at]),
            );
            let wide = [mid + width * side, mid - width * side];
            let [x, y] = [0, 1].map(|i| {
                low[0][i] += far.dull * (wide[i] - low[0][i]);
                low[1][i] += far.dull * (low[0][i] - low[1][i]);
                low[1][i]
            });
            let (x, y) = (l * x, r * y);
            mix.left[at] += x;
            mix.right[at] += y;
            send.left[at] += share * x;
            send.right[at] += share * y;
        }
        before = after;
    }
}

/// Shifts the pitch of moving sounds: sound from farther away arrives later.
fn moved(source: &Source, bed: &Bed) -> Bed {
    let frames = bed.frames();
    let mut out = Bed::new(bed.rate, frames);
    let start = source.distance.at(0.0).clamp(NEAREST, FARTHEST);
    let mut delays = (0..=frames / STEP + 1)
        .map(|block| {
            let time = (block * STEP) as f32 / bed.rate;
            (source.distance.at(time).clamp(NEAREST, FARTHEST) - start) * AIR * bed.rate
        })
        .collect::<Vec<f32>>();
    // Delays start at zero, so that nothing is heard before it is made.
    let least = delays.iter().copied().fold(0.0, f32::min);
    for delay in &mut delays {
        *delay -= least;
    }
    for at in 0..frames {
        let (block, part) = (at / STEP, (at % STEP) as f32 / STEP as f32);
        let delay = delays[block] + (delays[block + 1] - delays[block]) * part;
        // Samples before the beginning are taken from the end.
        let place = (at as f32 - delay).rem_euclid(frames as f32);
        let (whole, part) = ((place as usize).min(frames - 1), place.fract());
        let next = (whole + 1) % frames;
        out.left[at] = bed.left[whole] + (bed.left[next] - bed.left[whole]) * part;
        out.right[at] = bed.right[whole] + (bed.right[next] - bed.right[whole]) * part;
    }
    out
}

/// Mixes in a single sound at its time.
fn happen(event: &Event, rng: &mut Rng, mix: &mut Bed, send: &mut Bed, room: Room) {
    let rate = mix.rate;
    let far = Far::new(event.distance, rate, room);
    let level = 10_f32.powf(event.sound.level() / 20.0) * event.strength.clamp(0.0, 8.0) * far.gain;
    let mut put = |at: f32, mut sound: Vec<f32>, pan: f32| {
        let mut low = [0.0; 2];
        for x in &mut sound {
            low[0] += far.dull * (*x - low[0]);
            low[1] += far.dull * (low[0] - low[1]);
            *x = low[1];
        }
        mix.add(at, &sound, pan, level);
        send.add(at, &sound, 0.5 * pan, level * far.send);
    };
    match event.sound.make() {
        Make::Again(make, ..) | Make::Once(make) => {
            let sound = loud(make(rng, rate), rate);
            put(event.at, sound, event.pan);
        }
        Make::Bed(make) => {
            let mut bed = Bed::new(rate, samples(SWELL, rate));
            make(rng, &mut bed);
            let scale = 1.4 * BED / power(&bed.left, &bed.right).max(1e-9);
            for (mut side, pan) in [(bed.left, -0.6), (bed.right, 0.6)] {
                swell(&mut side, 1.5);
                for x in &mut side {
                    *x *= scale;
                }
                put(event.at - 0.5 * SWELL, side, (event.pan + pan).clamp(-1.0, 1.0));
            }
        }
    }
}

/// Adds the response of the room.
fn answer(mix: &mut Bed, mut send: Bed, room: Room) {
    let (decay, size, delay, damping, wet) = match room {
        Room::Outdoors => (0.9, 1.2, 0.03, 2_200.0, 0.5),
        Room::Room => (0.45, 0.35, 0.004, 5_000.0, 0.6),
        Room::Hall => (2.6, 1.1, 0.02, 4_200.0, 0.7),
        Room::Cave => (4.2, 1.6, 0.05, 2_600.0, 0.8),
    };
    let rate = mix.rate;
    reverberate(
        &mut send.left,
        &mut send.right,
        rate,
        &reverb::Room {
            decay,
            size,
            delay,
            damping,
            low_cut: 120.0,
        },
    );
    for (to, x) in mix.left.iter_mut().zip(&send.left) {
        *to += wet * x;
    }
    for (to, x) in mix.right.iter_mut().zip(&send.right) {
        *to += wet * x;
    }
}
