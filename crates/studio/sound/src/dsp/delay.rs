//! Echo and chorus.

use std::f32::consts::TAU;

use super::filter::glide;

/// Replaces the signal sent to a ping-pong echo by its repeats, in place. `seconds` is the time between repeats.
pub fn echo(left: &mut [f32], right: &mut [f32], rate: f32, seconds: f32, feedback: f32, damping: f32) {
    let length = ((seconds * rate) as usize).max(1);
    let mut lines = [vec![0.0; length], vec![0.0; length]];
    let mut low = [0.0; 2];
    let dull = glide(1.0 / (TAU * damping), rate);
    for (at, (l, r)) in left.iter_mut().zip(right.iter_mut()).enumerate() {
        let place = at % length;
        let (a, b) = (lines[0][place], lines[1][place]);
        low[0] += dull * (a - low[0]);
        low[1] += dull * (b - low[1]);
        lines[0][place] = 0.5 * (*l + *r) + feedback * low[1];
        lines[1][place] = low[0];
        (*l, *r) = (a, b);
    }
}

/// Adds three slowly moving copies, spread over the stereo image. `depth` is in seconds, `amount` 0 to 1.
pub fn chorus(left: &mut [f32], right: &mut [f32], rate: f32, speed: f32, depth: f32, amount: f32) {
    let size = ((0.012 + 2.0 * depth) * rate) as usize + 4;
    let mut line = vec![0.0; size];
    for (at, (l, r)) in left.iter_mut().zip(right.iter_mut()).enumerate() {
        line[at % size] = 0.5 * (*l + *r);
        let phase = TAU * speed * at as f32 / rate;
        let mut wet = [0.0; 3];
        for (voice, wet) in wet.iter_mut().enumerate() {
            let sway = (phase + TAU * voice as f32 / 3.0).sin();
            let delay = (0.008 + depth * (1.0 + sway)) * rate;
            let (whole, part) = (delay as usize, delay.fract());
            let a = line[(at + size - whole) % size];
            let b = line[(at + size - whole - 1) % size];
            *wet = a + (b - a) * part;
        }
        *l += amount * (wet[0] + 0.5 * wet[1]);
        *r += amount * (wet[2] + 0.5 * wet[1]);
    }
}
