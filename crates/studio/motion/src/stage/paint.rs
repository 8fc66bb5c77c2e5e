//! Textures in a painter's style: each card is finished as it looks at rest over its background, and keeps its
//! outline.

use super::card::{Card, Pixel, over};
use atelier_picture::scene::Scene;
use atelier_picture::style::{Desk, Style};
use atelier_retouch::canvas::{Canvas, Frame};

/// Styles need some room for a stroke.
const LEAST: usize = 24;

/// The scene at rest so far, with what is painted around the frame.
pub(crate) struct Rest {
    pixels: Vec<Pixel>,
    width: usize,
    height: usize,
    margin: usize,
    px: f32,
}

impl Rest {
    pub(crate) fn new(frame: Frame, margin: usize) -> Self {
        let (width, height) = (frame.width + 2 * margin, frame.height + 2 * margin);
        Self {
            pixels: vec![[0; 4]; width * height],
            width,
            height,
            margin,
            px: frame.px,
        }
    }

    /// Draws a card over the scene so far, and applies the style to it.
    pub(crate) fn paint(&mut self, card: &mut Card, style: Style, scene: &Scene) {
        let (left, top) = (
            card.left as isize + self.margin as isize,
            card.top as isize + self.margin as isize,
        );
        let fits = left >= 0
            && top >= 0
            && left as usize + card.width <= self.width
            && top as usize + card.height <= self.height;
        if !fits || card.width < LEAST || card.height < LEAST {
            return;
        }
        let (left, top) = (left as usize, top as usize);
        let frame = Frame {
            w: card.width as f32 / self.px,
            h: card.height as f32 / self.px,
            px: self.px,
            width: card.width,
            height: card.height,
            margin: 0,
        };
        let mut pixels = Vec::with_capacity(card.rgba.len());
        for (row, line) in card.rgba.chunks_exact(card.width).enumerate() {
            let from = (top + row) * self.width + left;
            let under = &mut self.pixels[from..from + card.width];
            for (column, (pixel, color)) in under.iter_mut().zip(line).enumerate() {
                over(pixel, u32::from_le_bytes(*color));
                let id = card.ids.get(row * card.width + column).copied().unwrap_or(0);
                if id != 0 && color[3] > 127 {
                    pixel[3] = id;
                }
            }
            pixels.extend_from_slice(under);
        }
        let canvas = Canvas { frame, pixels };
        let painted = style.finish(
            &canvas,
            &canvas,
            &scene.light,
            &scene.figures,
            scene.seed,
            &Desk::default(),
        );
        for (own, painted) in card.rgba.iter_mut().zip(&painted.pixels) {
            let alpha = u32::from(own[3]);
            for c in 0..3 {
                own[c] = ((u32::from(painted[c]) * alpha + 127) / 255) as u8;
            }
        }
    }
}
