use super::{
    super::{RATE, synthesize},
    *,
};

/// A vowel-like buzz of one pitch at 22,050 Hz: harmonics under two formants.
fn buzz(f0: f32) -> Vec<f32> {
    let level = |hz: f32| {
        (-((hz - 600.0) / 250.0).powi(2)).exp() + 0.3 * (-((hz - 1_800.0) / 300.0).powi(2)).exp() + 0.002
    };
    (0..22_050)
        .map(|n| {
            (1..(9_000.0 / f0) as usize)
                .map(|k| {
                    let hz = k as f32 * f0;
                    0.1 * level(hz)
                        * (std::f32::consts::TAU * hz * n as f32 / 22_050.0 + (k * k) as f32).sin()
                })
                .sum()
        })
        .collect()
}

#[test]
fn a_buzz_is_voiced_and_has_its_formants_at_any_pitch() {
    for f0 in [90.0, 140.0, 220.0] {
        let frames = frames(&buzz(f0), 22_050);
        assert_eq!(frames.len(), 200);
        let frame = &frames[100];
        assert!((frame.f0 / f0 - 1.0).abs() < 0.01, "{f0} {}", frame.f0);
        let at = |hz: f32| frame.envelope[(hz / super::super::BIN_WIDTH) as usize];
        assert!(
            at(600.0) > at(1_200.0) + 1.0 && at(1_800.0) > at(1_200.0) + 0.5,
            "{f0}"
        );
        // Single harmonics are not formants.
        assert!((at(600.0) - at(600.0 + f0 / 2.0)).abs() < 0.9, "{f0}");
        assert!(
            frame.strengths[..3].iter().all(|strength| *strength > 0.8),
            "{:?}",
            frame.strengths
        );
    }
}

#[test]
fn noise_is_not_voiced() {
    let frames = frames(&crate::chance::noise(7, 22_050), 22_050);
    assert!(frames.iter().filter(|frame| frame.f0 > 0.0).count() < 5);
    // White noise with a power of one third: ln 0.577 throughout.
    let mean = frames[100].envelope[10..200].iter().sum::<f32>() / 190.0;
    assert!((mean + 0.55).abs() < 0.5, "{mean}");
}

#[test]
fn resynthesised_sound_has_its_pitch_and_level() {
    let buzz = buzz(130.0);
    let again = synthesize(&frames(&buzz, 22_050), 3);
    assert!((again.len() as f32 / RATE as f32 - 1.0).abs() < 0.01);
    let found = pitch::Yin::new(RATE, 60.0, 400.0).at(&again, again.len() / 2);
    assert!((found.f0 / 130.0 - 1.0).abs() < 0.01, "{found:?}");
    let power = |samples: &[f32]| samples.iter().map(|x| x * x).sum::<f32>() / samples.len() as f32;
    let ratio = 10.0 * (power(&again) / power(&buzz)).log10();
    assert!(ratio.abs() < 4.0, "{ratio} dB");
}
