//! Words in the picture: the quoted text, set large on a poster or as a title over a scene.

use super::{Easel, Placed, abstraction};
use crate::chance::smooth;
use crate::draw::lettering::{Face, fit, outline};
use crate::draw::{Area, Op, Pen};
use crate::draw::{Paint, pen::Place};
use crate::prompt::Prompt;
use atelier_retouch::rgb::{BLACK, Rgb, WHITE};
use tiny_skia::Transform;

/// The ground of a poster: a plain field with a few bold shapes.
pub(super) fn backdrop(easel: &mut Easel, prompt: &Prompt) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let stops = abstraction::stops(easel, prompt);
    let (dark, light) = (stops[0], stops[stops.len() - 1]);
    let id = Some(easel.id());
    easel.add(Op::field(Area::ALL, id, move |spot| {
        let d = (spot.x / w - 0.5).hypot(spot.y / h - 0.44);
        light.mix(light.shift(-6.0, -0.07), smooth(0.1, 0.8, d))
    }));
    let kind = easel.rng.below(3);
    let mut pen = Pen::new(easel.rng.fork("poster"));
    let mid = |i: usize| stops[1 + i % (stops.len() - 1).clamp(1, 2)];
    match kind {
        0 => {
            // A sun over hills.
            pen.disc(w * 0.5, h * 0.66, w.min(h) * 0.25, Paint::new(mid(1)).glow(1.0));
            for i in 0..4 {
                let y = h * (0.62 - 0.075 * i as f32);
                let mut points = vec![(-0.1, -0.1)];
                for k in 0..=12 {
                    let x = -0.1 + (w + 0.2) * k as f32 / 12.0;
                    points.push((x, y + 0.05 * (k as f32 * 0.9 + i as f32 * 1.9).sin()));
                }
                points.push((w + 0.1, -0.1));
                pen.poly(
                    &points,
                    Paint::new(dark.mix(mid(0), 1.0 - (i as f32 + 1.0) / 4.0)).glow(1.0),
                );
            }
        }
        1 => {
            for i in 0..28 {
                let a = i as f32 / 28.0 * std::f32::consts::TAU;
                let b = a + std::f32::consts::TAU / 56.0;
                let (cx, cy, r) = (w * 0.5, h * 0.64, w + h);
                pen.poly(
                    &[
                        (cx, cy),
                        (cx + a.cos() * r, cy + a.sin() * r),
                        (cx + b.cos() * r, cy + b.sin() * r),
                    ],
                    Paint::new(mid(0)).glow(1.0).alpha(0.85),
                );
            }
            pen.disc(w * 0.5, h * 0.64, w.min(h) * 0.22, Paint::new(dark).glow(1.0));
        }
        _ => {
            for i in 0..9 {
                let r = w.min(h) * (0.72 - 0.076 * i as f32);
                let c = [dark, mid(0), mid(1), light][i % 4];
                pen.disc(w * 0.5, h * 0.66, r, Paint::new(c).glow(1.0));
            }
        }
    }
    easel.draw(&pen, Place::new(0.0, h, 1.0), id);
}

/// Sets the quoted text.
pub(super) fn lettering(easel: &mut Easel, prompt: &Prompt, poster: bool) {
    let Some(text) = prompt.quotes.first() else { return };
    let text = prompt
        .quotes
        .iter()
        .skip(1)
        .fold(text.clone(), |all, more| format!("{all} {more}"));
    let (w, h) = (easel.frame.w, easel.frame.h);
    let face = if poster || easel.light.flat {
        Face::Sans
    } else {
        Face::Serif
    };
    let (bw, bh) = if poster {
        (w * 0.84, h * 0.36)
    } else {
        (w * 0.8, h * 0.2)
    };
    let block = fit(&text, face, bw, bh);
    let Some(path) = outline(&block, face) else { return };
    let bounds = path.bounds();
    let (x, y) = if poster {
        (w * 0.5, h * 0.73)
    } else {
        (w * 0.5, h * 0.06 + bounds.height() * 0.5)
    };
    let centre = (
        f32::midpoint(bounds.left(), bounds.right()),
        f32::midpoint(bounds.top(), bounds.bottom()),
    );
    let Some(path) = path.transform(Transform::from_translate(x - centre.0, y - centre.1)) else {
        return;
    };
    let b = path.bounds();
    let area = (b.left(), b.top(), b.right(), b.bottom());
    easel.painting.stage();
    if poster {
        // The letters stand on the darkest part and are as light as the ground, with the shadow of a second printing.
        let (dark, pale) = (Rgb::hex(0x1c_1c_24), Rgb::hex(0xfd_f8_ea));
        let offset = block.size * 0.035;
        if let Some(under) = path.clone().transform(Transform::from_translate(offset, offset)) {
            easel.add(Op::fill(under, None, move |_, _| (dark, 1.0)));
        }
        let id = Some(easel.id());
        easel.add(Op::fill(path, id, move |_, _| (pale, 1.0)));
    } else {
        // Over a scene: light letters in a soft shadow, or dark ones where the sky is light.
        let sky = easel.light.sky[0].mix(easel.light.sky[2], 0.3);
        let (ink, halo) = if sky.luma() > 0.6 {
            (Rgb::hex(0x20_24_30), WHITE)
        } else {
            (Rgb::hex(0xfb_f6_e8), BLACK)
        };
        let reach = block.size * 0.5;
        let pad = Area(area.0 - reach, area.1 - reach, area.2 + reach, area.3 + reach);
        easel.add(Op::field(pad, None, move |spot| {
            let dx = (area.0 - spot.x).max(spot.x - area.2).max(0.0);
            let dy = (area.1 - spot.y).max(spot.y - area.3).max(0.0);
            spot.under.mix(halo, 0.34 * smooth(reach, 0.0, dx.hypot(dy)))
        }));
        let id = Some(easel.id());
        easel.add(Op::fill(path, id, move |_, _| (ink, 1.0)));
    }
    easel.placed.push(Placed {
        name: format!("text: {text}"),
        area,
        depth: 0.0,
    });
}
