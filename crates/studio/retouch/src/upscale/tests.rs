//! The promises of the upscaler, measured on twelve pictures.

use super::*;
use crate::Plane;
use crate::color::byte;
use crate::measure::{luma_of, psnr, ssim};
use crate::samples::{SCENES, scene};

fn half(picture: &Picture) -> Picture {
    let (w, h) = (picture.width / 2, picture.height / 2);
    let channels: Vec<Plane> = (0..4)
        .map(|c| {
            Plane::from_fn(picture.width, picture.height, |x, y| {
                f32::from(picture.pixel(x, y)[c])
            })
            .resized(w, h)
        })
        .collect();
    let mut out = Picture::filled(w, h, [0; 4]);
    for (i, pixel) in out.rgba.chunks_exact_mut(4).enumerate() {
        for c in 0..4 {
            pixel[c] = byte(channels[c].data[i]);
        }
    }
    out
}

/// Lanczos' kernel of three lobes: the reference.
fn lanczos(plane: &Plane, factor: usize) -> Plane {
    let sinc = |x: f32| {
        if x == 0.0 {
            1.0
        } else {
            (std::f32::consts::PI * x).sin() / (std::f32::consts::PI * x)
        }
    };
    let line = |at: usize, read: &dyn Fn(isize) -> f32| {
        let place = (at as f32 + 0.5) / factor as f32 - 0.5;
        let first = place.floor() as isize - 2;
        let (mut sum, mut total) = (0.0, 0.0);
        for i in first..first + 6 {
            let d = place - i as f32;
            let w = sinc(d) * sinc(d / 3.0);
            sum += w * read(i);
            total += w;
        }
        sum / total
    };
    let wide = Plane::from_fn(factor * plane.width, plane.height, |x, y| {
        line(x, &|u| plane.clamped(u, y as isize))
    });
    Plane::from_fn(factor * plane.width, factor * plane.height, |x, y| {
        line(y, &|v| wide.clamped(x as isize, v)).clamp(0.0, 255.0)
    })
}

#[test]
fn the_weights_fit_the_network() {
    assert!(*Kind::Photo.network() != Network::untrained());
    assert!(*Kind::Art.network() != Network::untrained());
}

#[test]
fn doubling_is_truer_than_lanczos_on_every_picture() {
    let mut gain = 0.0;
    for kind in SCENES {
        // Seeds that training did not see.
        let truth = scene(kind, 192, 192, 40);
        let small = half(&truth);
        let truth = luma_of(&truth);
        let ours = luma_of(&enlarge(&small, 2, Kind::of(&small)));
        let naive = lanczos(&luma_of(&small), 2);
        let (p, q) = (psnr(&ours, &truth), psnr(&naive, &truth));
        let (s, t) = (ssim(&ours, &truth), ssim(&naive, &truth));
        println!("{kind:?}: {p:.2} dB against {q:.2}, {s:.4} against {t:.4}");
        assert!(p > q, "{kind:?}: {p} against {q} dB");
        assert!(s > t, "{kind:?}: {s} against {t}");
        gain += (p - q) / SCENES.len() as f32;
    }
    assert!(gain > 1.0, "{gain} dB in the mean");
}

#[test]
fn four_times_is_truer_than_lanczos_in_the_mean() {
    let (mut gain, mut likeness) = (0.0, 0.0);
    for kind in SCENES {
        let truth = scene(kind, 192, 192, 41);
        let small = half(&half(&truth));
        let truth = luma_of(&truth);
        let ours = luma_of(&enlarge(&small, 4, Kind::of(&small)));
        let naive = lanczos(&luma_of(&small), 4);
        gain += psnr(&ours, &truth) - psnr(&naive, &truth);
        likeness += ssim(&ours, &truth) - ssim(&naive, &truth);
    }
    println!("{gain} {likeness}");
    assert!(gain > 0.0 && likeness > 0.0, "{gain} dB, {likeness} in sum");
}

#[test]
fn a_step_does_not_ring() {
    let mut step = Picture::filled(64, 64, [50, 50, 50, 255]);
    for y in 0..64 {
        for x in 0..64 {
            if 2 * x + y > 96 {
                step.rgba[4 * (y * 64 + x)..4 * (y * 64 + x) + 3].fill(200);
            }
        }
    }
    for kind in [Kind::Photo, Kind::Art] {
        let large = luma_of(&enlarge(&step, 4, kind));
        // A twentieth of the step is below what the eye sees beside it.
        assert!(
            large.min() > 42.0 && large.max() < 208.0,
            "{} to {}",
            large.min(),
            large.max()
        );
    }
}

#[test]
fn alpha_is_kept_and_brings_no_fringe() {
    let mut picture = Picture::filled(48, 48, [0, 0, 0, 0]);
    for y in 12..36 {
        for x in 12..36 {
            picture.rgba[4 * (y * 48 + x)..4 * (y * 48 + x) + 4].copy_from_slice(&[250, 200, 40, 255]);
        }
    }
    let large = enlarge(&picture, 2, Kind::Photo);
    assert_eq!(large.pixel(4, 4)[3], 0);
    assert_eq!(large.pixel(48, 48), [250, 200, 40, 255]);
    for pixel in large.rgba.chunks_exact(4).filter(|p| p[3] > 60) {
        for (v, own) in pixel.iter().zip([250, 200, 40]) {
            assert!(v.abs_diff(own) <= 12, "{pixel:?}");
        }
    }
}

#[test]
fn bands_join_without_a_seam() {
    let picture = scene(crate::samples::Scene::Leaves, 90, 300, 4);
    for factor in [2, 4] {
        let whole = enlarge(&picture, factor, Kind::Photo);
        let mut rows = Vec::new();
        for start in (0..300).step_by(BAND) {
            rows.extend(band(&picture, start, factor, Kind::Photo, false));
        }
        assert_eq!(rows, whole.rgba);
    }
}

#[test]
fn drawings_are_told_from_photographs() {
    use crate::samples::{Scene, subject};
    assert_eq!(Kind::of(&scene(Scene::Cartoon, 200, 200, 3)), Kind::Art);
    assert_eq!(Kind::of(&subject(200, 200, 3).0), Kind::Photo);
    assert_eq!(Kind::of(&scene(Scene::Mountains, 200, 200, 3)), Kind::Photo);
}

#[test]
fn a_result_beyond_the_limit_is_refused_with_a_way_out() {
    let picture = Picture {
        width: 8000,
        height: 8000,
        rgba: Vec::new(),
        icc: None,
    };
    assert!(check_result(&picture, 2).is_ok());
    let Err(Error::InvalidInput(message)) = check_result(&picture, 4) else {
        panic!("not refused")
    };
    assert!(message.contains("a factor of 2"), "{message}");
}
