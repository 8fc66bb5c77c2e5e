//! Overlays: lettering and pictures, drawn once and mixed into every frame.

use std::path::Path;

use tiny_skia::{FillRule, Mask, Transform};

use super::Notes;
use super::order::{Kind, Lettering, Spot};
use super::order::{Order, Use};
use atelier_picture::draw::lettering::{Face, fit, outline};
use atelier_protocol::Error;
use atelier_retouch::canvas::Frame;
use atelier_retouch::decode;
use atelier_retouch::decode::Picture;

/// Seconds of fading in and out.
const FADE: f64 = 0.5;
/// How dark the shadow behind letters is at its darkest.
const SHADE: f32 = 0.62;
/// The size of an overlay picture, as a share of the frame's mean side.
const SHARE: f32 = 0.26;
/// Distance from the border, in units.
const BORDER: f32 = 0.035;

/// A part of the frame that is drawn over, premultiplied by alpha.
#[derive(Debug)]
pub(super) struct Laid {
    left: usize,
    top: usize,
    width: usize,
    rgba: Vec<[u8; 4]>,
    /// Whether it fades in and out.
    fades: bool,
}

impl Laid {
    /// Lettering, white on a soft shadow, so that it is legible on anything.
    pub(super) fn lettering(lettering: &Lettering, spot: Option<Spot>, frame: Frame) -> Option<Self> {
        let (w, h) = (frame.w, frame.h);
        let (bw, bh, face, most) = match lettering.kind {
            Kind::Title => (0.84 * w, 0.26 * h, Face::Serif, 0.17),
            Kind::Subtitle => (0.86 * w, 0.13 * h, Face::Sans, 0.062),
        };
        let mut block = fit(&lettering.text, face, bw, bh);
        block.size = block.size.min(most * h.min(w));
        let path = outline(&block, face)?;
        let b = path.bounds();
        let spot = spot.unwrap_or(Spot {
            across: 0,
            down: i8::from(lettering.kind == Kind::Subtitle),
        });
        let x = place(spot.across, b.width(), w) - b.left();
        let y = place(spot.down, b.height(), h) - b.top();
        let scaled = Transform::from_translate(x, y).post_scale(frame.px, frame.px);
        let path = path.transform(scaled)?;
        let reach = (block.size * frame.px * 0.3).ceil().max(2.0);
        let b = path.bounds();
        let left = (b.left() - 2.0 * reach).max(0.0) as usize;
        let top = (b.top() - 2.0 * reach).max(0.0) as usize;
        let right = ((b.right() + 2.0 * reach) as usize + 1).min(frame.width);
        let bottom = ((b.bottom() + 2.0 * reach) as usize + 1).min(frame.height);
        let (width, height) = (right.checked_sub(left)?, bottom.checked_sub(top)?);
        let mut mask = Mask::new(width as u32, height as u32)?;
        let moved = Transform::from_translate(-(left as f32), -(top as f32));
        mask.fill_path(&path, FillRule::Winding, true, moved);
        let letters = mask.data();
        let soft = blurred(letters, width, reach as usize / 2);
        let rgba = letters
            .iter()
            .zip(soft)
            .map(|(letter, shade)| {
                let ink = f32::from(*letter) / 255.0;
                let shade = (shade * 1.7).min(1.0) * SHADE;
                let alpha = ink + shade * (1.0 - ink);
                let white = (ink * 250.0).round() as u8;
                [white, white, white, (alpha * 255.0).round() as u8]
            })
            .collect();
        Some(Self {
            left,
            top,
            width,
            rgba,
            fades: true,
        })
    }

    /// A picture in a corner, or where the words place it.
    pub(super) fn picture(picture: &Picture, spot: Option<Spot>, faint: bool, frame: Frame) -> Self {
        let (pw, ph) = (picture.width as f32, picture.height as f32);
        let k = SHARE * frame.px / (pw * ph).sqrt();
        // No wider than two fifths, no higher than a half.
        let k = k
            .min(0.4 * frame.width as f32 / pw)
            .min(0.5 * frame.height as f32 / ph);
        let (width, height) = (((pw * k) as usize).max(1), ((ph * k) as usize).max(1));
        let spot = spot.unwrap_or(Spot { across: 1, down: 1 });
        let left = place(spot.across, width as f32 / frame.px, frame.w) * frame.px;
        let top = place(spot.down, height as f32 / frame.px, frame.h) * frame.px;
        let opacity = if faint { 0.55 } else { 1.0 };
        let rgba = reduced(picture, width, height)
            .into_iter()
            .map(|p| p.map(|v| (v * opacity).round().clamp(0.0, 255.0) as u8))
            .collect();
        Self {
            left: left.max(0.0) as usize,
            top: top.max(0.0) as usize,
            width,
            rgba,
            fades: false,
        }
    }

    /// Mixes it into a frame of a film that lasts this many seconds.
    pub(super) fn lay(&self, pixels: &mut [[u8; 4]], frame: Frame, time: f64, seconds: f64) {
        let fade = FADE.min(seconds / 4.0);
        let opacity = if self.fades {
            (time / fade).min((seconds - time) / fade).clamp(0.0, 1.0) as f32
        } else {
            1.0
        };
        let k = (opacity * 256.0) as u32;
        let width = self.width.min(frame.width.saturating_sub(self.left));
        for (row, own) in self.rgba.chunks_exact(self.width).enumerate() {
            let at = (self.top + row) * frame.width + self.left;
            let Some(under) = pixels.get_mut(at..at + width) else {
                break;
            };
            for (p, own) in under.iter_mut().zip(own) {
                let rest = 255 * 256 - u32::from(own[3]) * k;
                for c in 0..3 {
                    let value = u32::from(own[c]) * k * 255 + u32::from(p[c]) * rest;
                    p[c] = ((value + 32_640) / 65_280).min(255) as u8;
                }
            }
        }
    }
}

/// Returns the start of a length within another: at the start, in the centre, at the end.
fn place(side: i8, length: f32, of: f32) -> f32 {
    match side {
        -1 => BORDER * 1.2,
        1 => of - length - BORDER * 1.2,
        _ => (of - length) * 0.5,
    }
}

/// Alpha 0 to 1, blurred by two means over `2 · reach + 1`.
fn blurred(alpha: &[u8], width: usize, reach: usize) -> Vec<f32> {
    let mut values: Vec<f32> = alpha.iter().map(|v| f32::from(*v) / 255.0).collect();
    let height = values.len() / width.max(1);
    let mut pass = |count: usize, length: usize, start: usize, step: usize| {
        for line in 0..count {
            let at = |i: usize| line * start + i * step;
            let own: Vec<f32> = (0..length).map(|i| values[at(i)]).collect();
            let mut sum: f32 = own.iter().take(reach).sum();
            for i in 0..length {
                sum += own.get(i + reach).copied().unwrap_or(0.0);
                values[at(i)] = sum.max(0.0) / (2 * reach + 1) as f32;
                sum -= if i >= reach { own[i - reach] } else { 0.0 };
            }
        }
    };
    for _ in 0..2 {
        pass(height, width, width, 1);
        pass(width, height, 1, width);
    }
    values
}

/// A picture at a smaller size, premultiplied: means of whole pixels, or the nearest ones when growing.
fn reduced(picture: &Picture, width: usize, height: usize) -> Vec<[f32; 4]> {
    let span = |i: usize, count: usize, of: usize| {
        let from = i * of / count;
        from..((i + 1) * of / count).max(from + 1)
    };
    let mut out = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let (mut sum, mut n) = ([0.0; 4], 0.0);
            for row in span(y, height, picture.height) {
                for column in span(x, width, picture.width) {
                    let [r, g, b, a] = picture.pixel(column, row).map(f32::from);
                    let k = a / 255.0;
                    for (sum, v) in sum.iter_mut().zip([r * k, g * k, b * k, a]) {
                        *sum += v;
                    }
                    n += 1.0;
                }
            }
            out.push(sum.map(|v| v / n));
        }
    }
    out
}

/// The lettering and the picture that are laid over every frame.
pub(super) fn laid_over(
    order: &Order,
    picture: Option<&Path>,
    frame: Frame,
    notes: &mut Notes,
) -> Result<Vec<Laid>, Error> {
    let mut laid = Vec::new();
    if let (Some(path), Use::Overlay) = (picture, order.picture) {
        let picture = decode::read(path)?;
        laid.push(Laid::picture(&picture, order.spot, order.watermark, frame));
        notes.done.push("a picture laid over the film".into());
    }
    for lettering in &order.lettering {
        // A place in the words applies to the title if there are several texts.
        let placed = order.lettering.len() == 1 || lettering.kind == Kind::Title;
        let spot = order.spot.filter(|_| placed);
        match Laid::lettering(lettering, spot, frame) {
            Some(letters) => {
                laid.push(letters);
                notes.done.push(format!("text: {}", lettering.text));
            }
            None => notes
                .not_done
                .push(format!("text: no letters for {}", lettering.text)),
        }
    }
    Ok(laid)
}
