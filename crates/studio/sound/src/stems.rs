//! Separates a song into stems without a trained model. Drums are steep in time and the rest is level (median filters,
//! Fitzgerald 2010); vocals are in the centre and do not repeat with the bars (REPET, Rafii and Pardo 2013); the bass
//! is level and low. The stems sum to the song.

use atelier_fft::{Complex, real_forward, real_inverse};
use rayon::prelude::*;

use crate::{
    dsp::stft::{Frame, Stft},
    file::Audio,
};

/// Window length in samples, at rates up to 50 kHz.
const SIZE: usize = 4_096;
/// Seconds that are processed together, and the seconds that one piece shares with the next.
const PIECE: f64 = 24.0;
const SHARED: f64 = 4.0;
/// Reach of the medians to both sides, in frames and in bins.
const LEVEL: usize = 8;
const STEEP: usize = 8;
/// Level sound below this is bass, in Hz. Between the two values it fades.
const BASS: (f32, f32) = (140.0, 280.0);
/// The frequency range of voices, in Hz.
const VOICE: (f32, f32) = (150.0, 9_000.0);
/// Seconds after which music may repeat.
const PERIOD: (f64, f64) = (0.8, 8.0);

/// The parts of a song, each with the song's length, rate and channels.
#[derive(Debug, Clone, PartialEq)]
pub struct Stems {
    pub vocals: Audio,
    pub drums: Audio,
    pub bass: Audio,
    pub other: Audio,
}

/// Number of parts.
const PARTS: usize = 4;

/// Separates a song. `progress` is told how much is done, 0 to 1.
pub fn separate(song: &Audio, progress: &mut dyn FnMut(f32)) -> Stems {
    let rate = f64::from(song.rate);
    let length = song.frames();
    let mut parts: Vec<Audio> = (0..PARTS)
        .map(|_| Audio {
            rate: song.rate,
            channels: vec![vec![0.0; length]; song.channels.len()],
        })
        .collect();
    let (piece, shared) = ((PIECE * rate) as usize, (SHARED * rate) as usize);
    let step = piece - shared;
    let mut start = 0;
    while start < length {
        let end = (start + piece).min(length);
        let last = end == length;
        let rows: Vec<&[f32]> = song.channels.iter().map(|channel| &channel[start..end]).collect();
        let pieces = split(&rows, song.rate);
        for (part, rows) in parts.iter_mut().zip(pieces) {
            for (channel, row) in part.channels.iter_mut().zip(rows) {
                for (at, x) in row.into_iter().enumerate() {
                    // Pieces are blended where they overlap. Both gains sum to one.
                    let rise = if start == 0 {
                        1.0
                    } else {
                        (at as f32 / shared as f32).min(1.0)
                    };
                    let left = end - start - at;
                    let fall = if last {
                        1.0
                    } else {
                        (left as f32 / shared as f32).min(1.0)
                    };
                    channel[start + at] += x * rise.min(fall);
                }
            }
        }
        progress(end as f32 / length as f32);
        if last {
            break;
        }
        start += step;
    }
    let mut parts = parts.into_iter();
    let mut next = || parts.next().unwrap_or_default();
    Stems {
        vocals: next(),
        drums: next(),
        bass: next(),
        other: next(),
    }
}

/// The parts of one piece: for each part its channels.
fn split(rows: &[&[f32]], rate: u32) -> Vec<Vec<Vec<f32>>> {
    let stft = Stft::new(SIZE);
    let length = rows.first().map_or(0, |row| row.len());
    let spectra: Vec<Vec<Frame>> = rows.par_iter().map(|row| stft.frames(row)).collect();
    let masks = masks(&spectra, &stft, rate);
    (0..PARTS)
        .into_par_iter()
        .map(|part| {
            spectra
                .iter()
                .map(|frames| {
                    let mut frames: Vec<Frame> = frames
                        .iter()
                        .zip(&masks)
                        .map(|(frame, masks)| {
                            frame
                                .iter()
                                .zip(masks)
                                .map(|(bin, mask)| bin * mask[part])
                                .collect()
                        })
                        .collect();
                    stft.samples(&mut frames, length)
                })
                .collect()
        })
        .collect()
}

/// The share of each part in each bin of each frame. Shares sum to one.
fn masks(spectra: &[Vec<Frame>], stft: &Stft, rate: u32) -> Vec<Vec<[f32; PARTS]>> {
    let bins = stft.bins();
    let width = rate as f32 / (2 * (bins - 1)) as f32;
    let Some(first) = spectra.first() else {
        return Vec::new();
    };
    let magnitudes: Vec<Vec<f32>> = (0..first.len())
        .map(|frame| {
            (0..bins)
                .map(|bin| {
                    spectra
                        .iter()
                        .map(|channel| channel[frame][bin].norm())
                        .sum::<f32>()
                })
                .collect()
        })
        .collect();
    let level = medians_in_time(&magnitudes, LEVEL);
    let repeated = repeating(&magnitudes, f64::from(rate) / stft.hop() as f64);
    (0..magnitudes.len())
        .into_par_iter()
        .map(|frame| {
            let steep = medians_in_frequency(&magnitudes[frame], STEEP);
            (0..bins)
                .map(|bin| {
                    let hz = bin as f32 * width;
                    let here = magnitudes[frame][bin] + 1e-9;
                    let (h, p) = (level[frame][bin], steep[bin]);
                    let drums = p * p / (h * h + p * p + 1e-12);
                    let tonal = 1.0 - drums;
                    let low = 1.0 - ((hz - BASS.0) / (BASS.1 - BASS.0)).clamp(0.0, 1.0);
                    let bass = tonal * low;
                    let new = (1.0 - repeated[frame][bin] / here).clamp(0.0, 1.0);
                    let voiced = if (VOICE.0..VOICE.1).contains(&hz) {
                        new
                    } else {
                        0.0
                    };
                    let vocals = tonal * (1.0 - low) * voiced * centred(spectra, frame, bin);
                    // Consonants are steep too, but are in the centre and do not repeat.
                    [vocals, drums, bass, (1.0 - vocals - drums - bass).max(0.0)]
                })
                .collect()
        })
        .collect()
}

/// How central a bin is in the stereo image: 1 if left and right agree, or if the song is mono.
fn centred(spectra: &[Vec<Frame>], frame: usize, bin: usize) -> f32 {
    let [left, right] = spectra else {
        return 1.0;
    };
    let (l, r) = (left[frame][bin], right[frame][bin]);
    let agreement = 2.0 * (l * r.conj()).re / (l.norm_sqr() + r.norm_sqr() + 1e-12);
    ((agreement - 0.7) / 0.28).clamp(0.0, 1.0)
}

/// Medians over `reach` frames to both sides.
fn medians_in_time(magnitudes: &[Vec<f32>], reach: usize) -> Vec<Vec<f32>> {
    let count = magnitudes.len();
    (0..count)
        .into_par_iter()
        .map(|frame| {
            let near = &magnitudes[frame.saturating_sub(reach)..(frame + reach + 1).min(count)];
            let mut values = Vec::with_capacity(near.len());
            (0..magnitudes[frame].len())
                .map(|bin| {
                    values.clear();
                    values.extend(near.iter().map(|row| row[bin]));
                    median(&mut values)
                })
                .collect()
        })
        .collect()
}

fn medians_in_frequency(row: &[f32], reach: usize) -> Vec<f32> {
    let mut values = Vec::with_capacity(2 * reach + 1);
    (0..row.len())
        .map(|bin| {
            values.clear();
            values.extend_from_slice(&row[bin.saturating_sub(reach)..(bin + reach + 1).min(row.len())]);
            median(&mut values)
        })
        .collect()
}

fn median(values: &mut [f32]) -> f32 {
    let middle = values.len() / 2;
    if values.is_empty() {
        return 0.0;
    }
    *values.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// The repeating part of each bin: the median over frames one period apart, limited to the bin itself.
fn repeating(magnitudes: &[Vec<f32>], frames_a_second: f64) -> Vec<Vec<f32>> {
    let count = magnitudes.len();
    let Some(period) = period(magnitudes, frames_a_second) else {
        return vec![vec![0.0; magnitudes.first().map_or(0, Vec::len)]; count];
    };
    let model: Vec<Vec<f32>> = (0..period)
        .into_par_iter()
        .map(|phase| {
            let rows: Vec<&Vec<f32>> = magnitudes.iter().skip(phase).step_by(period).collect();
            let bins = rows.first().map_or(0, |row| row.len());
            let mut values = Vec::with_capacity(rows.len());
            (0..bins)
                .map(|bin| {
                    values.clear();
                    values.extend(rows.iter().map(|row| row[bin]));
                    median(&mut values)
                })
                .collect()
        })
        .collect();
    (0..count)
        .map(|frame| {
            magnitudes[frame]
                .iter()
                .zip(&model[frame % period])
                .map(|(here, again)| here.min(*again))
                .collect()
        })
        .collect()
}

/// The period of the music in frames: the lag at which the spectrogram is most similar to itself.
fn period(magnitudes: &[Vec<f32>], frames_a_second: f64) -> Option<usize> {
    const BANDS: usize = 24;
    let count = magnitudes.len();
    let least = (PERIOD.0 * frames_a_second) as usize;
    let most = ((PERIOD.1 * frames_a_second) as usize).min(count / 3);
    if least == 0 || most <= least + 2 {
        return None;
    }
    let size = (2 * count).next_power_of_two();
    let (forward, inverse) = (real_forward(size), real_inverse(size));
    let mut alike = vec![0.0_f32; count];
    let bins = magnitudes[0].len();
    for band in 0..BANDS {
        // Bands are octaves: low frequencies have few bins, but matter as much.
        let edge = |band: usize| ((bins as f32).powf(band as f32 / BANDS as f32)) as usize;
        let (from, to) = (edge(band), edge(band + 1).max(edge(band) + 1).min(bins));
        let mut row = forward.make_input_vec();
        for (to_row, magnitudes) in row.iter_mut().zip(magnitudes) {
            *to_row = magnitudes[from.min(to)..to]
                .iter()
                .map(|x| x * x)
                .sum::<f32>()
                .sqrt();
        }
        let mean = row[..count].iter().sum::<f32>() / count as f32;
        for x in &mut row[..count] {
            *x -= mean;
        }
        let mut spectrum = forward.make_output_vec();
        let _ = forward.process(&mut row, &mut spectrum);
        for bin in &mut spectrum {
            *bin = Complex::new(bin.norm_sqr(), 0.0);
        }
        let _ = inverse.process(&mut spectrum, &mut row);
        let energy = row[0].max(1e-12);
        for (lag, value) in alike.iter_mut().enumerate() {
            // Longer lags have fewer pairs.
            *value += row[lag] / energy * count as f32 / (count - lag) as f32;
        }
    }
    // A true period also fits at two and three times its length.
    (least..most).max_by(|a, b| {
        let score = |lag: usize| {
            let times: Vec<f32> = (1..=3)
                .map(|times| lag * times)
                .filter(|lag| *lag < count * 2 / 3)
                .map(|lag| alike[lag])
                .collect();
            times.iter().sum::<f32>() / times.len().max(1) as f32
        };
        score(*a).total_cmp(&score(*b))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::music::{Order, Settings, compose, perform};

    fn energy(samples: &[f32]) -> f32 {
        samples.iter().map(|x| x * x).sum()
    }

    fn tone(hz: f32, frames: usize) -> Vec<f32> {
        (0..frames)
            .map(|at| 0.2 * (std::f32::consts::TAU * hz * at as f32 / 44_100.0).sin())
            .collect()
    }

    /// How much of one signal is in another, as a projection.
    fn shared(part: &[f32], of: &[f32]) -> f32 {
        part.iter().zip(of).map(|(a, b)| a * b).sum::<f32>() / energy(of)
    }

    #[test]
    fn the_stems_of_a_song_sum_to_it() {
        let mut order = Order::new("pop, 120 bpm, a song about the sea", 3);
        order.seconds = Some(9.0);
        let piece = compose(&order);
        let song = perform(&piece.score, &piece.production, &Settings::default(), &mut |_| {}).unwrap();
        let stems = separate(&song, &mut |_| {});
        for channel in 0..2 {
            for at in 0..song.frames() {
                let sum = stems.vocals.channels[channel][at]
                    + stems.drums.channels[channel][at]
                    + stems.bass.channels[channel][at]
                    + stems.other.channels[channel][at];
                assert!((sum - song.channels[channel][at]).abs() < 1e-4, "at {at}");
            }
        }
        for part in [&stems.vocals, &stems.drums, &stems.bass, &stems.other] {
            assert_eq!((part.rate, part.frames()), (song.rate, song.frames()));
        }
    }

    #[test]
    fn clicks_go_to_the_drums_a_low_tone_to_the_bass_and_side_sound_to_the_rest() {
        let frames = 44_100 * 6;
        let bass = tone(65.0, frames);
        let side = tone(880.0, frames);
        let mut clicks = vec![0.0; frames];
        for beat in 0..12 {
            for (at, noise) in crate::chance::noise(beat as u64, 900).into_iter().enumerate() {
                clicks[beat * 22_050 + 500 + at] = 0.6 * noise * (-(at as f32) / 200.0).exp();
            }
        }
        let left: Vec<f32> = (0..frames).map(|at| bass[at] + clicks[at] + side[at]).collect();
        let right: Vec<f32> = (0..frames).map(|at| bass[at] + clicks[at]).collect();
        let stems = separate(&Audio::stereo(44_100, left, right), &mut |_| {});
        assert!(shared(&stems.bass.channels[0], &bass) > 0.9);
        assert!(shared(&stems.drums.channels[0], &clicks) > 0.8);
        assert!(shared(&stems.other.channels[0], &side) > 0.85);
        assert!(shared(&stems.vocals.channels[0], &bass) < 0.1);
        assert!(shared(&stems.drums.channels[0], &side) < 0.15);
    }

    #[test]
    fn a_central_voice_is_separated_from_repeating_music() {
        let frames = 44_100 * 12;
        // Chords that repeat every two seconds, spread to the sides, and a melody that never repeats.
        let chord: Vec<f32> = (0..frames)
            .map(|at| {
                let t = at as f32 / 44_100.0;
                let root = if (t % 2.0) < 1.0 { 262.0 } else { 330.0 };
                0.1 * ((std::f32::consts::TAU * root * t).sin()
                    + (std::f32::consts::TAU * 1.5 * root * t).sin())
            })
            .collect();
        let mut phase = 0.0_f32;
        let voice: Vec<f32> = (0..frames)
            .map(|at| {
                let t = at as f32 / 44_100.0;
                let hz = 500.0 + 40.0 * t + 90.0 * (1.7 * t + 0.13 * t * t).sin();
                phase = (phase + hz / 44_100.0).fract();
                0.15 * ((std::f32::consts::TAU * phase).sin()
                    + 0.5 * (2.0 * std::f32::consts::TAU * phase).sin())
            })
            .collect();
        let mix = |side: f32| (0..frames).map(|at| side * chord[at] + voice[at]).collect();
        let stems = separate(&Audio::stereo(44_100, mix(1.0), mix(0.3)), &mut |_| {});
        let (heard, leaked) = (
            shared(&stems.vocals.channels[0], &voice),
            shared(&stems.vocals.channels[0], &chord),
        );
        assert!(
            heard > 0.5 && leaked < 0.3,
            "{heard} of the voice, {leaked} of the chords"
        );
    }

    #[test]
    fn empty_and_tiny_songs_are_separated_too() {
        let none = separate(&Audio::default(), &mut |_| {});
        assert_eq!(none.drums.frames(), 0);
        let short = separate(&Audio::mono(8_000, vec![0.1; 10]), &mut |_| {});
        assert_eq!((short.bass.frames(), short.bass.channels.len()), (10, 1));
    }
}
