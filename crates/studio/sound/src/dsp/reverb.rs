//! A reverb: a few early echoes, then eight delays in a feedback network (Jot and Chaigne 1991). The delays are slowly
//! modulated, so that the room does not ring.

use super::filter::Biquad;

/// The character of a room.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Seconds until the sound has fallen by 60 dB.
    pub decay: f32,
    /// Size of the room; 1 is a hall.
    pub size: f32,
    /// Seconds before the room responds.
    pub delay: f32,
    /// The room absorbs sound above this frequency, in Hz.
    pub damping: f32,
    /// The input is cut below this frequency, in Hz.
    pub low_cut: f32,
}

const LINES: usize = 8;
/// Delays of a hall in seconds, without common divisors.
const LENGTHS: [f32; LINES] = [0.0297, 0.0371, 0.0411, 0.0437, 0.0533, 0.0617, 0.0683, 0.0797];
/// Early echoes: seconds and levels, alternating left and right.
const EARLY: [(f32, f32); 6] = [
    (0.0043, 0.7),
    (0.0091, 0.6),
    (0.0157, 0.5),
    (0.0213, 0.42),
    (0.0271, 0.35),
    (0.0337, 0.3),
];

/// Replaces the signal sent to the room by the room's response, in place.
pub fn reverberate(left: &mut [f32], right: &mut [f32], rate: f32, room: &Room) {
    Biquad::highpass(rate, room.low_cut, 0.7).run(left);
    Biquad::highpass(rate, room.low_cut, 0.7).run(right);
    let pre = (room.delay * rate) as usize + 1;
    let longest = (EARLY[5].0 * room.size * rate) as usize + pre + 2;
    let mut wait = [vec![0.0; longest], vec![0.0; longest]];
    let lengths = LENGTHS.map(|seconds| (seconds * room.size * rate).max(16.0));
    let feedback = lengths.map(|length| 10_f32.powf(-3.0 * length / (room.decay * rate)));
    let mut lines: Vec<Vec<f32>> = lengths
        .iter()
        .map(|length| vec![0.0; *length as usize + 64])
        .collect();
    let damping = super::filter::glide(1.0 / (std::f32::consts::TAU * room.damping), rate);
    let mut low = [0.0; LINES];
    for (at, (l, r)) in left.iter_mut().zip(right.iter_mut()).enumerate() {
        let place = at % longest;
        (wait[0][place], wait[1][place]) = (*l, *r);
        let back = |row: &Vec<f32>, samples: usize| row[(at + longest - samples) % longest];
        let (dl, dr) = (back(&wait[0], pre), back(&wait[1], pre));
        let (mut el, mut er) = (0.0, 0.0);
        for (index, (seconds, level)) in EARLY.iter().enumerate() {
            let samples = pre + (seconds * room.size * rate) as usize;
            if index % 2 == 0 {
                el += level * back(&wait[0], samples);
                er += 0.5 * level * back(&wait[0], samples);
            } else {
                er += level * back(&wait[1], samples);
                el += 0.5 * level * back(&wait[1], samples);
            }
        }
        let mut out = [0.0; LINES];
        for line in 0..LINES {
            let size = lines[line].len();
            let sway = 6.0 * (at as f32 * (0.000_04 + 0.000_007 * line as f32) + line as f32).sin();
            let delay = (lengths[line] + sway).max(1.0);
            let (whole, part) = (delay as usize, delay.fract());
            let a = lines[line][(at + size - whole) % size];
            let b = lines[line][(at + size - whole - 1) % size];
            let x = a + (b - a) * part;
            low[line] += damping * (x - low[line]);
            out[line] = low[line] * feedback[line];
        }
        // A Householder reflection mixes the lines without loss.
        let mean = out.iter().sum::<f32>() * (2.0 / LINES as f32);
        for line in 0..LINES {
            let size = lines[line].len();
            let input = if line % 2 == 0 { dl } else { dr };
            lines[line][at % size] = out[line] - mean + input;
        }
        *l = 0.35 * el + 0.45 * (out[0] - out[2] + out[4] - out[6] + 0.4 * (out[1] + out[7]));
        *r = 0.35 * er + 0.45 * (out[1] - out[3] + out[5] - out[7] + 0.4 * (out[0] + out[6]));
    }
}
