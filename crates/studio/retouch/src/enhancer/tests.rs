//! The promises of the enhancer, measured.

use super::*;
use crate::Plane;
use crate::chance::Rng;
use crate::measure::{luma_of, psnr, psnr_rgb};
use crate::samples::{Scene, scene, subject};

const ALL: Wish = Wish {
    strength: 0.5,
    denoise: true,
    sharpen: true,
    color: true,
};

fn with_noise(picture: &Picture, sigma: f32, seed: u64) -> Picture {
    let mut rng = Rng::new(seed);
    let mut noisy = picture.clone();
    for pixel in noisy.rgba.chunks_exact_mut(4) {
        for v in &mut pixel[..3] {
            // Box and Muller's way to a normal distribution.
            let (a, b) = (rng.unit().max(1e-7), rng.unit());
            let normal = (-2.0 * a.ln()).sqrt() * (std::f32::consts::TAU * b).cos();
            *v = byte(f32::from(*v) + sigma * normal);
        }
    }
    noisy
}

fn enhanced(picture: &Picture, wish: Wish) -> Picture {
    let mut out = picture.clone();
    enhance(&mut out, wish, &mut |_| {});
    out
}

fn samples() -> Vec<Picture> {
    let mut all: Vec<Picture> = [Scene::Mountains, Scene::Towers, Scene::StillLife, Scene::Twigs]
        .iter()
        .map(|kind| scene(*kind, 192, 192, 5))
        .collect();
    all.push(subject(192, 192, 3).0);
    all
}

#[test]
fn strength_zero_returns_every_pixel_as_it_was() {
    let picture = with_noise(&samples()[0], 15.0, 1);
    assert_eq!(enhanced(&picture, Wish { strength: 0.0, ..ALL }), picture);
}

#[test]
fn noise_is_estimated_within_a_fifth() {
    for picture in samples() {
        for sigma in [4.0, 10.0, 20.0] {
            let found = noise::estimate(&with_noise(&picture, sigma, 2));
            // Luma's weights make less of independent noise in three channels.
            let expected = sigma * (0.299_f32.powi(2) + 0.587_f32.powi(2) + 0.114_f32.powi(2)).sqrt();
            assert!(
                (found / expected - 1.0).abs() < 0.2,
                "{found} instead of {expected}"
            );
        }
    }
}

/// The best that a Gaussian blur of any width does.
fn best_blur(noisy: &Picture, truth: &Picture) -> f32 {
    (1..12)
        .map(|i| psnr(&luma_of(noisy).blurred(0.25 * i as f32), &luma_of(truth)))
        .fold(0.0, f32::max)
}

/// Plain non-local means (Buades, Coll and Morel 2005) of luma: patches of 5 × 5 in windows of 13 × 13.
fn non_local_means(noisy: &Plane, sigma: f32) -> Plane {
    Plane::from_fn(noisy.width, noisy.height, |x, y| {
        let (x, y) = (x as isize, y as isize);
        let (mut sum, mut total) = (0.0, 0.0);
        for v in -6..=6 {
            for u in -6..=6 {
                let mut distance = 0.0;
                for j in -2..=2 {
                    for i in -2..=2 {
                        let d = noisy.clamped(x + i, y + j) - noisy.clamped(x + u + i, y + v + j);
                        distance += d * d;
                    }
                }
                let excess = (distance / 25.0 - 2.0 * sigma * sigma).max(0.0);
                let weight = (-excess / (0.16 * sigma * sigma * 2.0)).exp();
                sum += weight * noisy.clamped(x + u, y + v);
                total += weight;
            }
        }
        sum / total
    })
}

#[test]
fn noise_goes_further_than_by_a_blur_or_by_non_local_means() {
    let only = Wish {
        strength: 0.5,
        denoise: true,
        sharpen: false,
        color: false,
    };
    let (mut ours_sum, mut means_sum) = (0.0, 0.0);
    for truth in samples() {
        for sigma in [10.0, 20.0] {
            let noisy = with_noise(&truth, sigma, 3);
            let before = psnr(&luma_of(&noisy), &luma_of(&truth));
            let ours = psnr(&luma_of(&enhanced(&noisy, only)), &luma_of(&truth));
            let blur = best_blur(&noisy, &truth);
            let means = psnr(&non_local_means(&luma_of(&noisy), 0.67 * sigma), &luma_of(&truth));
            assert!(ours > before + 3.0, "{before} to {ours}");
            assert!(ours > blur + 1.0, "{ours} against {blur} by a blur");
            ours_sum += ours;
            means_sum += means;
        }
    }
    assert!(
        ours_sum > means_sum,
        "{ours_sum} against {means_sum} by non-local means"
    );
}

#[test]
fn clean_pictures_stay_within_forty_decibels() {
    for truth in samples() {
        let found = psnr_rgb(&enhanced(&truth, ALL), &truth);
        assert!(found > 40.0, "{found}");
    }
}

#[test]
fn a_cast_is_taken_out() {
    for truth in samples() {
        let mut cast = truth.clone();
        for pixel in cast.rgba.chunks_exact_mut(4) {
            pixel[0] = byte(f32::from(pixel[0]) * 1.0);
            pixel[2] = byte(f32::from(pixel[2]) * 0.7);
        }
        let wish = Wish {
            strength: 1.0,
            denoise: false,
            sharpen: false,
            color: true,
        };
        let ratio = |picture: &Picture| {
            let mean = |c: usize| {
                picture
                    .rgba
                    .iter()
                    .skip(c)
                    .step_by(4)
                    .map(|v| f64::from(*v))
                    .sum::<f64>()
            };
            mean(0) / mean(2)
        };
        let (was, had, got) = (ratio(&truth), ratio(&cast), ratio(&enhanced(&cast, wish)));
        assert!(
            (got / was).ln().abs() < 0.75 * (had / was).ln().abs(),
            "{had} became {got}, it was {was}"
        );
    }
}

#[test]
fn sharpening_steepens_a_soft_edge_without_a_halo() {
    let mut picture = Picture::filled(96, 96, [60, 60, 60, 255]);
    for y in 0..96 {
        for x in 0..96 {
            let t = 1.0 / (1.0 + (-(x as f32 - 48.0 + 0.2 * y as f32 - 9.0) / 1.6).exp());
            let v = byte(60.0 + 120.0 * t);
            picture.rgba[4 * (y * 96 + x)..4 * (y * 96 + x) + 3].copy_from_slice(&[v, v, v]);
        }
    }
    let wish = Wish {
        strength: 1.0,
        denoise: false,
        sharpen: true,
        color: false,
    };
    let sharp = luma_of(&enhanced(&picture, wish));
    let soft = luma_of(&picture);
    let steepest = |p: &Plane| (1..96).map(|x| p.at(x, 48) - p.at(x - 1, 48)).fold(0.0, f32::max);
    assert!(steepest(&sharp) > 1.2 * steepest(&soft));
    assert!(
        sharp.min() >= 58.0 && sharp.max() <= 182.0,
        "{} to {}",
        sharp.min(),
        sharp.max()
    );
}

#[test]
fn flat_light_gets_its_contrast_back() {
    for truth in samples() {
        let mut flat = truth.clone();
        for pixel in flat.rgba.chunks_exact_mut(4) {
            for v in &mut pixel[..3] {
                *v = byte(90.0 + 0.35 * f32::from(*v));
            }
        }
        let wish = Wish {
            strength: 1.0,
            denoise: false,
            sharpen: false,
            color: true,
        };
        let spread = |picture: &Picture| {
            let plane = luma_of(picture);
            let mean = plane.mean();
            plane.map(|v| (v - mean) * (v - mean)).mean().sqrt()
        };
        let (had, got) = (spread(&flat), spread(&enhanced(&flat, wish)));
        assert!(got > 1.3 * had, "{had} became {got}");
    }
}
