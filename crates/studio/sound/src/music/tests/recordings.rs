//! Listening to recordings, and replacing a section of one.

use super::*;

/// Clicks on the beat over a chord: 20 s at a tempo, in C major.
fn beaten(bpm: f64, rate: u32) -> Audio {
    let frames = 20 * rate as usize;
    let period = 60.0 / bpm;
    let row = |pan: f32| -> Vec<f32> {
        (0..frames)
            .map(|at| {
                let time = at as f64 / f64::from(rate);
                let chord: f32 = [261.63, 329.63, 392.0, 130.81]
                    .iter()
                    .map(|hz| (TAU * hz * time as f32).sin())
                    .sum();
                let since = ((time - 0.13) / period).fract() * period;
                let click = if time > 0.13 {
                    (TAU * 90.0 * since as f32).sin() * (-since as f32 / 0.05).exp()
                } else {
                    0.0
                };
                0.05 * pan * chord + 0.5 * click
            })
            .collect()
    };
    Audio::stereo(rate, row(1.0), row(0.8))
}

#[test]
fn pulse_and_key_of_a_recording_are_heard() {
    let source = beaten(112.0, 44_100);
    let mono = source.downmix();
    let pulse = analysis::pulse(&mono, source.rate).unwrap();
    assert!((pulse.bpm - 112.0).abs() < 0.6, "{}", pulse.bpm);
    let period = 60.0 / 112.0;
    let off = (pulse.phase - 0.13 + period / 2.0).rem_euclid(period) - period / 2.0;
    assert!(off.abs() < 0.03, "{off} s off the beat");
    assert_eq!(analysis::key(&mono, source.rate).unwrap().name(), "C major");
    assert!(analysis::pulse(&vec![0.0; 200_000], 44_100).is_none());
}

#[test]
fn a_replaced_section_fits_without_clicks_and_the_rest_is_unchanged() {
    let source = beaten(112.0, 32_000);
    let order = Replacement {
        start: 6.0,
        end: 12.0,
        prompt: "piano and strings".to_owned(),
        style: "pop".to_owned(),
        seed: 3,
    };
    let (result, report) = replace(&source, &order, &Settings::default(), &mut |_| {}).unwrap();
    assert_eq!(
        (result.rate, result.channels.len(), result.frames()),
        (32_000, 2, source.frames())
    );
    let (start, end) = (6 * 32_000, 12 * 32_000);
    for (new, old) in result.channels.iter().zip(&source.channels) {
        assert!(bits(&new[..start]) == bits(&old[..start]) && bits(&new[end..]) == bits(&old[end..]));
        let different = new[start..end]
            .iter()
            .zip(&old[start..end])
            .filter(|(a, b)| a.to_bits() != b.to_bits())
            .count();
        assert!(different > (end - start) * 9 / 10);
        // A click is a step between samples that is larger than those in the surrounding music.
        let step = |from: usize, to: usize| {
            new[from..to]
                .windows(2)
                .map(|pair| (pair[1] - pair[0]).abs())
                .fold(0.0, f32::max)
        };
        let usual = step(start - 16_000, start - 100).max(step(start + 100, end - 100));
        for seam in [start, end] {
            assert!(
                step(seam - 20, seam + 20) <= usual,
                "{} against {usual}",
                step(seam - 20, seam + 20)
            );
        }
    }
    assert!((report.bpm - 112.0).abs() < 0.6 && (report.composition.score.bpm - report.bpm).abs() < 1e-9);
    assert_eq!(report.key.name(), "C major");
    let inside = Audio {
        rate: 32_000,
        channels: result
            .channels
            .iter()
            .map(|row| row[start..end].to_vec())
            .collect(),
    };
    assert!(
        (loudness::integrated(&inside) - report.loudness).abs() < 2.5,
        "{} {}",
        loudness::integrated(&inside),
        report.loudness
    );
}
