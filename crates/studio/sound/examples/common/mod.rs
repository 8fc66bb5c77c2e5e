//! Draws sound: the waveform above, the spectrum over time below.

use std::{f32::consts::TAU, fs::File, io::BufWriter, path::Path};

use atelier_fft::Complex;
use atelier_sound::file::Audio;

const WIDTH: usize = 640;
const WAVE: usize = 64;
const SPECTRUM: usize = 176;
const SIZE: usize = 4_096;

/// Draws a sound into a PNG file: left and right waveform, then 30 Hz to 16 kHz by octaves over a range of 80 dB.
pub(crate) fn picture(path: &Path, audio: &Audio) -> std::io::Result<()> {
    let mut pixels = vec![16_u8; 3 * WIDTH * (WAVE + SPECTRUM)];
    wave(&mut pixels, audio);
    spectrum(&mut pixels, audio);
    let mut encoder = png::Encoder::new(
        BufWriter::new(File::create(path)?),
        WIDTH as u32,
        (WAVE + SPECTRUM) as u32,
    );
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}

fn put(pixels: &mut [u8], x: usize, y: usize, color: [u8; 3]) {
    pixels[3 * (y * WIDTH + x)..][..3].copy_from_slice(&color);
}

fn wave(pixels: &mut [u8], audio: &Audio) {
    let count = audio.channels.len().max(1);
    let height = WAVE / count;
    for (index, channel) in audio.channels.iter().enumerate() {
        for x in 0..WIDTH {
            let span = &channel[x * channel.len() / WIDTH..(x + 1) * channel.len() / WIDTH];
            let (low, high) = span
                .iter()
                .fold((0.0_f32, 0.0_f32), |(low, high), v| (low.min(*v), high.max(*v)));
            let row = |value: f32| {
                index * height + ((1.0 - value.clamp(-1.0, 1.0)) * 0.5 * (height - 1) as f32) as usize
            };
            for y in row(high)..=row(low) {
                put(pixels, x, y, [120, 190, 255]);
            }
        }
    }
}

fn spectrum(pixels: &mut [u8], audio: &Audio) {
    let mono = audio.downmix();
    let fft = atelier_fft::forward(SIZE);
    let mut buffer = vec![Complex::default(); SIZE];
    for x in 0..WIDTH {
        let start = (x * mono.len() / WIDTH).saturating_sub(SIZE / 2);
        for (at, slot) in buffer.iter_mut().enumerate() {
            let window = 0.5 - 0.5 * (TAU * at as f32 / SIZE as f32).cos();
            *slot = Complex::new(window * mono.get(start + at).copied().unwrap_or(0.0), 0.0);
        }
        fft.process(&mut buffer);
        for y in 0..SPECTRUM {
            let hz = |y: usize| 30.0 * (16_000.0_f32 / 30.0).powf(1.0 - y as f32 / SPECTRUM as f32);
            let bin = |hz: f32| (hz * SIZE as f32 / audio.rate as f32) as usize;
            let (from, to) = (bin(hz(y + 1)), bin(hz(y)).min(SIZE / 2 - 1));
            let peak = (from..=to.max(from))
                .map(|bin| buffer[bin].norm())
                .fold(0.0, f32::max);
            let db = 20.0 * (peak / (SIZE as f32 / 4.0)).max(1e-7).log10();
            put(pixels, x, WAVE + y, heat((db + 80.0) / 80.0));
        }
    }
}

/// Maps a level to a colour: black over violet and orange to white.
fn heat(level: f32) -> [u8; 3] {
    let level = level.clamp(0.0, 1.0);
    let part = |from: f32, to: f32| (255.0 * ((level - from) / (to - from)).clamp(0.0, 1.0)) as u8;
    [
        part(0.2, 0.7),
        part(0.5, 0.95),
        part(0.0, 0.35)
            .saturating_sub(part(0.4, 0.65))
            .max(part(0.8, 1.0)),
    ]
}
