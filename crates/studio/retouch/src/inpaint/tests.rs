//! The promises of the fill, measured against what was there before and against a blur of the surroundings.

use super::*;
use crate::decode::Picture;
use crate::samples::{Scene, scene};
use crate::{Plane, diffuse};

fn hole(width: usize, height: usize, left: usize, top: usize, side: usize) -> Vec<bool> {
    (0..width * height)
        .map(|i| (left..left + side).contains(&(i % width)) && (top..top + side).contains(&(i / width)))
        .collect()
}

fn filled(picture: &Picture, missing: &[bool], seed: u32) -> Picture {
    let mut out = picture.clone();
    for (pixel, missing) in out.rgba.chunks_exact_mut(4).zip(missing) {
        if *missing {
            pixel.copy_from_slice(&[255, 0, 255, 255]);
        }
    }
    assert!(fill(&mut out, missing, seed, &mut |_| {}));
    out
}

/// The surroundings' colours spread smoothly: the naive method.
fn smeared(picture: &Picture, missing: &[bool]) -> Picture {
    let planes: [Plane; 3] = std::array::from_fn(|c| {
        Plane::from_fn(picture.width, picture.height, |x, y| {
            f32::from(picture.pixel(x, y)[c])
        })
    });
    let weight = Plane::from_fn(picture.width, picture.height, |x, y| {
        f32::from(u8::from(!missing[y * picture.width + x]))
    });
    let spread = diffuse::fill(&planes, &weight);
    let mut out = picture.clone();
    for (i, pixel) in out.rgba.chunks_exact_mut(4).enumerate() {
        for c in 0..3 {
            pixel[c] = spread[c].data[i] as u8;
        }
    }
    out
}

fn error(a: &Picture, b: &Picture, missing: &[bool]) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (i, missing) in missing.iter().enumerate() {
        if *missing {
            for c in 0..3 {
                sum += (f64::from(a.rgba[4 * i + c]) - f64::from(b.rgba[4 * i + c])).powi(2);
                count += 1.0;
            }
        }
    }
    (sum / count).sqrt()
}

/// The mean step between neighbours of which exactly one is missing, divided by that between known neighbours plus
/// what the eye cannot see, two steps of a byte in each channel.
fn seam(picture: &Picture, missing: &[bool]) -> f64 {
    let (mut at, mut elsewhere) = ((0.0, 0.0), (0.0, 0.0));
    for y in 0..picture.height {
        for x in 1..picture.width {
            let i = y * picture.width + x;
            let step: f64 = (0..3)
                .map(|c| (f64::from(picture.rgba[4 * i + c]) - f64::from(picture.rgba[4 * i - 4 + c])).abs())
                .sum();
            if missing[i] != missing[i - 1] {
                at = (at.0 + step, at.1 + 1.0);
            } else if !missing[i] {
                elsewhere = (elsewhere.0 + step, elsewhere.1 + 1.0);
            }
        }
    }
    at.0 / at.1 / (elsewhere.0 / elsewhere.1 + 6.0)
}

#[test]
fn outside_the_mask_no_pixel_changes() {
    let picture = scene(Scene::Grass, 160, 120, 3);
    let missing = hole(160, 120, 60, 40, 30);
    let out = filled(&picture, &missing, 1);
    for (i, missing) in missing.iter().enumerate() {
        if !missing {
            assert_eq!(out.rgba[4 * i..4 * i + 4], picture.rgba[4 * i..4 * i + 4]);
        }
    }
}

#[test]
fn patterns_go_on_truer_than_a_smear() {
    for (kind, share) in [(Scene::Bricks, 0.75), (Scene::Weave, 1.0)] {
        let picture = scene(kind, 220, 180, 6);
        let missing = hole(220, 180, 90, 70, 36);
        let ours = error(&filled(&picture, &missing, 5), &picture, &missing);
        let naive = error(&smeared(&picture, &missing), &picture, &missing);
        println!("{kind:?}: {ours:.1} against {naive:.1}");
        assert!(ours < share * naive, "{kind:?}: {ours} against {naive}");
    }
}

#[test]
fn texture_stays_as_rough_as_it_is_about() {
    for kind in [Scene::Grass, Scene::Pebbles, Scene::Bricks] {
        let picture = scene(kind, 200, 160, 8);
        let missing = hole(200, 160, 80, 60, 40);
        let inside: Vec<bool> = missing.iter().map(|m| !m).collect();
        let roughness = |picture: &Picture, skip: &[bool]| {
            let (mut sum, mut count) = (0.0, 0.0);
            for i in 1..skip.len() {
                if !skip[i] && !skip[i - 1] {
                    sum += (f64::from(picture.rgba[4 * i + 1]) - f64::from(picture.rgba[4 * i - 3])).abs();
                    count += 1.0;
                }
            }
            sum / count
        };
        let out = filled(&picture, &missing, 2);
        let ratio = roughness(&out, &inside) / roughness(&picture, &missing);
        println!("{kind:?}: {ratio:.2}");
        assert!((0.65..1.3).contains(&ratio), "{kind:?}: {ratio}");
    }
}

#[test]
fn the_seam_is_not_seen() {
    for kind in [Scene::Grass, Scene::Mountains, Scene::Bricks, Scene::StillLife] {
        let picture = scene(kind, 200, 160, 9);
        let missing = hole(200, 160, 70, 50, 40);
        let found = seam(&filled(&picture, &missing, 4), &missing);
        let before = seam(&picture, &missing);
        println!("{kind:?}: {found:.2}, {before:.2} before");
        assert!(
            found < 1.8 && found < 3.0 * before,
            "{kind:?}: {found} against {before}"
        );
    }
}

#[test]
fn a_straight_edge_goes_through_the_hole() {
    let mut picture = Picture::filled(140, 120, [40, 60, 140, 255]);
    for y in 0..120 {
        for x in 0..140 {
            if y > 60 {
                picture.rgba[4 * (y * 140 + x)..4 * (y * 140 + x) + 3].copy_from_slice(&[220, 190, 120]);
            }
        }
    }
    let missing = hole(140, 120, 55, 45, 30);
    let out = filled(&picture, &missing, 7);
    let wrong = error(&out, &picture, &missing);
    println!("{wrong}");
    assert!(wrong < 12.0, "{wrong}");
}

#[test]
fn the_same_seed_gives_the_same_picture_on_any_number_of_threads() {
    let picture = scene(Scene::Pebbles, 150, 120, 4);
    let missing = hole(150, 120, 60, 40, 32);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        pool.install(|| filled(&picture, &missing, 9))
    };
    assert_eq!(on(1), on(3));
}
