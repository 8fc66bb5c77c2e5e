//! A subject whose outline is known, for measuring cut-outs.

use tiny_skia::PathBuilder;

use super::noise::fbm;
use super::scenes::strand;
use super::{Easel, mix};
use crate::Plane;
use crate::chance::{Rng, smooth};
use crate::decode::Picture;

/// A figure with hair in front of a blurred background, and how much of each pixel the figure covers.
pub fn subject(width: usize, height: usize, seed: u64) -> (Picture, Plane) {
    let mut rng = Rng::new(seed);
    let background = background(width, height, &mut rng);
    let coat = super::color_of(&mut rng).map(|v| 0.15 + 0.6 * v);
    let hair = rng.range(0.05, 0.4);
    let strands = rng.clone();
    let (skin, cloth) = (rng.seed(), rng.seed());
    let draw = |easel: &mut Easel, flat: bool| {
        let mut rng = strands.clone();
        let paint = |c: [f32; 3]| if flat { [1.0; 3] } else { c };
        let (w, h) = (width as f32, height as f32);
        let (cx, top) = (w * 0.5, h * 0.2);
        let head = h * 0.15;
        let mut body = PathBuilder::new();
        body.move_to(cx - w * 0.28, h * 1.02);
        body.quad_to(cx - w * 0.26, h * 0.6, cx - head * 0.5, h * 0.52);
        body.line_to(cx + head * 0.5, h * 0.52);
        body.quad_to(cx + w * 0.26, h * 0.6, cx + w * 0.28, h * 1.02);
        body.close();
        for _ in 0..420 {
            let a = rng.range(-3.6, 0.46);
            let (x, y) = (cx + head * 0.8 * a.cos(), top + head * 0.6 + head * 0.9 * a.sin());
            let long = head * rng.range(0.2, 0.75);
            let out = a + rng.near(0.0, 0.6);
            let to = (x + long * out.cos(), y + long * out.sin() + long * 0.5);
            let tone = hair * rng.range(0.7, 1.4);
            strand(
                easel,
                (x, y),
                (x + long * 0.5 * a.cos(), y + long * 0.5 * a.sin()),
                to,
                paint([tone * 1.2, tone, tone * 0.7]),
                rng.range(0.5, 1.4),
            );
        }
        if let Some(oval) = tiny_skia::Rect::from_xywh(cx - head, top - head * 0.45, 2.0 * head, 2.1 * head)
            .and_then(PathBuilder::from_oval)
        {
            easel.fill(&oval, paint([hair * 1.2, hair, hair * 0.7]));
        }
        easel.rect(
            cx - head * 0.35,
            h * 0.42,
            head * 0.7,
            h * 0.15,
            paint([0.66, 0.48, 0.38]),
        );
        if let Some(body) = body.finish() {
            easel.fill(&body, paint(coat));
        }
        if let Some(face) = tiny_skia::Rect::from_xywh(cx - head * 0.72, top, head * 1.44, head * 1.75)
            .and_then(PathBuilder::from_oval)
        {
            easel.fill(&face, paint([0.8, 0.6, 0.48]));
        }
    };
    let mut mask = Easel::new(width, height, [0.0; 3]);
    draw(&mut mask, true);
    let mask = mask.finish();
    let mask = Plane::from_fn(width, height, |x, y| f32::from(mask.pixel(x, y)[0]) / 255.0);
    let mut figure = Easel::new(width, height, [hair * 1.2, hair, hair * 0.7]);
    draw(&mut figure, false);
    figure.shade(|x, y, c| {
        let side = 1.12 - 0.45 * x / width as f32;
        let weave =
            0.12 * (fbm(x * 0.4, y * 0.4, 3, cloth) - 0.5) + 0.05 * (fbm(x * 0.05, y * 0.05, 2, skin) - 0.5);
        c.map(|v| v * side + weave * (0.4 + v))
    });
    let figure = figure.finish();
    let mut picture = background;
    for (i, (out, front)) in picture
        .rgba
        .chunks_exact_mut(4)
        .zip(figure.rgba.chunks_exact(4))
        .enumerate()
    {
        let alpha = mask.data[i];
        for c in 0..3 {
            out[c] = (f32::from(front[c]) * alpha + f32::from(out[c]) * (1.0 - alpha) + 0.5) as u8;
        }
    }
    (picture, mask)
}

/// The background of a subject: soft, with lights and large forms.
fn background(width: usize, height: usize, rng: &mut Rng) -> Picture {
    let mut easel = Easel::new(width, height, [0.0; 3]);
    let (seed, a, b) = (rng.seed(), super::color_of(rng), super::color_of(rng));
    let (w, h) = (width as f32, height as f32);
    easel.shade(|x, y, _| {
        let t = fbm(x / w * 3.0, y / h * 3.0, 3, seed);
        let lights = smooth(0.62, 0.75, fbm(x / w * 9.0, y / h * 9.0, 2, seed ^ 4));
        let c = mix(
            a.map(|v| 0.35 + 0.5 * v),
            b.map(|v| 0.25 + 0.6 * v),
            2.0 * t - 0.5,
        );
        c.map(|v| v + 0.15 * lights)
    });
    easel.finish()
}
