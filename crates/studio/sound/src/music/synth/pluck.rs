//! Plucked strings: a waveguide with a loss filter (Karplus and Strong 1983; Jaffe and Smith 1983).

use super::{RATE, Stereo, Tone, fade_out};
use crate::chance::Rng;

/// A string and how it is plucked.
#[derive(Debug, Clone, Copy)]
pub struct Pluck {
    /// Seconds until a string of 220 Hz has fallen by 60 dB.
    pub decay: f32,
    /// Brightness of the plectrum, 0 to 1.
    pub bright: f32,
    /// How fast overtones decay, 0 (steel) to 0.5 (felt).
    pub dull: f32,
    /// The place at which it is plucked, as a fraction of the string.
    pub place: f32,
    /// Seconds that the string rings on after release.
    pub release: f32,
}

pub fn play(string: &Pluck, tone: &Tone) -> Stereo {
    let mut rng = Rng::new(tone.seed);
    let hz = tone.hz();
    let period = RATE / hz;
    let length = tone.held() + (string.release * RATE) as usize;
    let mut line = excite(string, tone, period, &mut rng);

    // The loss filter delays by `dull` and the delay line by a whole number; an allpass adds the rest.
    let delay = period - string.dull;
    let whole = (delay - 0.3).floor();
    let part = delay - whole;
    let allpass = (1.0 - part) / (1.0 + part);
    let size = whole as usize;
    line.resize(size.max(2), 0.0);

    let decay = string.decay * (220.0 / hz).powf(0.45);
    let held = 10_f32.powf(-3.0 / (hz * decay));
    let let_go = 10_f32.powf(-3.0 / (hz * string.release));
    let (mut last, mut through, mut back) = (0.0, 0.0, 0.0);
    let mut samples = vec![0.0; length];
    let mut place = 0;
    for (at, out) in samples.iter_mut().enumerate() {
        let gain = if at < tone.held() { held } else { let_go };
        let x = line[place];
        let lossy = gain * ((1.0 - string.dull) * x + string.dull * last);
        last = x;
        let y = allpass * (lossy - back) + through;
        through = lossy;
        back = y;
        line[place] = y;
        place = if place + 1 == line.len() { 0 } else { place + 1 };
        *out = x;
    }
    fade_out(&mut samples, 0.01);
    [samples.clone(), samples]
}

/// The excitation by the plectrum: noise, duller for soft plectra and soft playing, without the overtones that have a
/// node at that point.
fn excite(string: &Pluck, tone: &Tone, period: f32, rng: &mut Rng) -> Vec<f32> {
    let size = period as usize + 1;
    let bright = (string.bright * (0.35 + 0.65 * tone.velocity)).clamp(0.03, 1.0);
    let mut low = 0.0;
    let mut noise: Vec<f32> = (0..2 * size)
        .map(|_| {
            low += bright * (rng.bipolar() - low);
            low
        })
        .skip(size)
        .collect();
    let comb = ((string.place * period) as usize).max(1);
    let copy = noise.clone();
    for at in 0..size {
        noise[at] -= 0.8 * copy[(at + size - comb % size) % size];
    }
    let mean = noise.iter().sum::<f32>() / size as f32;
    for x in &mut noise {
        *x -= mean;
    }
    let power = (noise.iter().map(|x| x * x).sum::<f32>() / size as f32)
        .sqrt()
        .max(1e-6);
    let level = 0.22 * (0.25 + 0.75 * tone.velocity) / power;
    for x in &mut noise {
        *x *= level;
    }
    noise
}
