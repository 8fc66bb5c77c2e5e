use super::*;
use crate::{Id, Key, TooPlain};

const KEY: Key = Key([42; 32]);
const RATE: u32 = 24_000;

/// Something like speech: a voice with formants that change, with pauses, and noise for consonants.
fn voice(seconds: f32, rate: u32) -> Vec<f32> {
    let mut state = 1_u32;
    let mut noise = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let mut phase = 0.0_f32;
    (0..(seconds * rate as f32) as usize)
        .map(|at| {
            let time = at as f32 / rate as f32;
            let pitch = 120.0 + 25.0 * (time * 2.1).sin();
            phase = (phase + pitch / rate as f32).fract();
            let formant = 500.0 + 300.0 * (time * 5.3).sin();
            let tone: f32 = (1..28)
                .map(|harmonic| {
                    let hertz = harmonic as f32 * pitch;
                    let near = |center: f32, wide: f32| 1.0 / (1.0 + ((hertz - center) / wide).powi(2));
                    let size =
                        near(formant, 150.0) + 0.5 * near(2.6 * formant, 300.0) + 0.1 * near(3_200.0, 700.0);
                    size * (std::f32::consts::TAU * harmonic as f32 * phase).sin()
                })
                .sum();
            let voiced = (time * 7.0).sin().max(0.0);
            0.15 * voiced * tone + 0.02 * (1.0 - voiced) * noise() + 0.002 * noise()
        })
        .collect()
}

fn marked(seconds: f32, rate: u32, id: Id) -> Vec<Vec<f32>> {
    let mut channels = vec![voice(seconds, rate)];
    embed(&mut channels, rate, id, &KEY).unwrap();
    channels
}

#[test]
fn a_marked_sound_tells_its_id_only_to_its_key() {
    let id = Id::new(0x0123_4567_89ab).unwrap();
    let before = vec![voice(6.0, RATE)];
    let after = marked(6.0, RATE, id);
    let found = detect(&after, RATE, &KEY).unwrap();
    assert_eq!(found.id, id);
    assert!(found.score >= 9.0, "{found:?}");
    assert_eq!(detect(&after, RATE, &Key([43; 32])), None);
    assert_eq!(detect(&before, RATE, &KEY), None);
}

#[test]
fn a_mark_is_eighteen_decibels_below_the_sound() {
    let (before, after) = (voice(6.0, RATE), marked(6.0, RATE, Id::new(1).unwrap()));
    let power = |sound: &mut dyn Iterator<Item = f32>| sound.map(|x| x * x).sum::<f32>();
    let mark = power(&mut before.iter().zip(&after[0]).map(|(before, after)| after - before));
    let ratio = 10.0 * (power(&mut before.iter().copied()) / mark).log10();
    assert!(ratio >= 18.0, "{ratio} dB");
}

#[test]
fn a_mark_survives_a_cut_another_rate_and_another_level() {
    let id = Id::new(77).unwrap();
    let after = marked(12.0, RATE, id);
    let part: Vec<f32> = after[0][70_123..][..6 * RATE as usize]
        .iter()
        .map(|x| 0.2 * x)
        .collect();
    for rate in [16_000, 22_050, 44_100, 48_000] {
        let other = vec![resample::resample(&part, RATE, rate)];
        assert_eq!(
            detect(&other, rate, &KEY).map(|found| found.id),
            Some(id),
            "at {rate} Hz"
        );
    }
}

#[test]
fn both_channels_and_their_mix_carry_the_mark() {
    let id = Id::new(9).unwrap();
    let left = voice(6.0, RATE);
    let right: Vec<f32> = left.iter().rev().copied().collect();
    let mut channels = vec![left, right];
    embed(&mut channels, RATE, id, &KEY).unwrap();
    for part in [&channels[..], &channels[..1], &channels[1..]] {
        assert_eq!(detect(part, RATE, &KEY).map(|found| found.id), Some(id));
    }
}

#[test]
fn the_marked_part_of_a_long_sound_is_found() {
    let id = Id::new(11).unwrap();
    let mut long = voice(40.0, RATE);
    long.extend(&marked(8.0, RATE, id)[0]);
    assert_eq!(detect(&[long], RATE, &KEY).map(|found| found.id), Some(id));
}

#[test]
fn a_sound_that_cannot_hide_a_mark_stays_as_it_is() {
    let id = Id::new(5).unwrap();
    let tone = (0..6 * RATE).map(|at| (at as f32 * 0.1).sin()).collect();
    for sound in [voice(2.9, RATE), vec![0.0; 6 * RATE as usize], tone, Vec::new()] {
        let mut channels = vec![sound];
        let before = channels.clone();
        assert_eq!(embed(&mut channels, RATE, id, &KEY), Err(TooPlain));
        assert!(channels == before);
        assert_eq!(detect(&channels, RATE, &KEY), None);
    }
    assert_eq!(embed(&mut [], RATE, id, &KEY), Err(TooPlain));
    assert_eq!(read(&[], RATE, &KEY), Reading { score: 0.0, id: None });
}
