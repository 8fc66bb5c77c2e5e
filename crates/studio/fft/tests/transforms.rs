//! The transforms, apart from the library so that testing it does not compile them again.

use atelier_fft::{Complex, forward, real_forward, real_inverse};

#[test]
fn what_goes_forward_and_back_is_as_many_times_larger() {
    let mut samples: Vec<f32> = (0..480).map(|n| (n as f32 * 0.37).sin()).collect();
    let before = samples.clone();
    let mut bins = vec![Complex::default(); 241];
    real_forward(480)
        .process(&mut samples, &mut bins)
        .expect("the lengths fit");
    real_inverse(480)
        .process(&mut bins, &mut samples)
        .expect("the lengths fit");
    let worst = before
        .iter()
        .zip(&samples)
        .map(|(a, b)| (a - b / 480.0).abs())
        .fold(0.0, f32::max);
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn a_turning_value_is_in_its_own_bin() {
    let turn = |n: usize| Complex::from_polar(1.0, std::f32::consts::TAU * 3.0 * n as f32 / 16.0);
    let mut values: Vec<Complex<f32>> = (0..16).map(turn).collect();
    forward(16).process(&mut values);
    for (bin, value) in values.iter().enumerate() {
        let expected = if bin == 3 { 16.0 } else { 0.0 };
        assert!((value.norm() - expected).abs() < 1e-4, "{bin}: {value}");
    }
}
