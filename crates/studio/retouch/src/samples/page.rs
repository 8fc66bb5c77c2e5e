//! A printed page: letters of many sizes.

use ab_glyph::{Font, FontRef, OutlineCurve};
use tiny_skia::PathBuilder;

use super::Easel;
use crate::chance::Rng;
use crate::decode::Picture;

pub(super) fn page(width: usize, height: usize, rng: &mut Rng) -> Picture {
    let mut easel = Easel::new(width, height, [0.96, 0.95, 0.91]);
    let words = [
        "light", "water", "Hamburg", "quartz", "field", "jumps", "&", "vexed", "1984", "glyph", "over",
        "Mild",
    ];
    let mut y = 14.0;
    while y < height as f32 {
        let size = rng.range(8.0, 17.0);
        let mut x = 6.0;
        while x < width as f32 {
            let ink = rng.range(0.02, 0.3);
            x += write(&mut easel, rng.pick(&words), x, y, size, [ink, ink, ink * 1.2]) + size * 0.35;
        }
        y += size * 1.25;
    }
    easel.finish()
}

/// Writes a word with the start of its baseline at a place; returns its width.
fn write(easel: &mut Easel, word: &str, x: f32, y: f32, size: f32, ink: [f32; 3]) -> f32 {
    let font = FontRef::try_from_slice(dejavu::serif::bold()).expect("the embedded font is a font");
    let k = size / font.height_unscaled();
    let mut pen = x;
    for letter in word.chars() {
        let id = font.glyph_id(letter);
        if let Some(outline) = font.outline(id) {
            let mut path = PathBuilder::new();
            let mut last = None;
            let p = |q: ab_glyph::Point| (pen + q.x * k, y - q.y * k);
            for curve in &outline.curves {
                let (start, end) = match curve {
                    OutlineCurve::Line(a, b)
                    | OutlineCurve::Quad(a, _, b)
                    | OutlineCurve::Cubic(a, _, _, b) => (*a, *b),
                };
                if last != Some(start) {
                    path.move_to(p(start).0, p(start).1);
                }
                let ((x1, y1), (x2, y2)) = match curve {
                    OutlineCurve::Line(..) => (p(end), p(end)),
                    OutlineCurve::Quad(_, c, _) => (p(*c), p(*c)),
                    OutlineCurve::Cubic(_, c, d, _) => (p(*c), p(*d)),
                };
                let (ex, ey) = p(end);
                match curve {
                    OutlineCurve::Line(..) => path.line_to(ex, ey),
                    OutlineCurve::Quad(..) => path.quad_to(x1, y1, ex, ey),
                    OutlineCurve::Cubic(..) => path.cubic_to(x1, y1, x2, y2, ex, ey),
                }
                last = Some(end);
            }
            if let Some(path) = path.finish() {
                easel.fill(&path, ink);
            }
        }
        pen += font.h_advance_unscaled(id) * k;
    }
    pen - x
}
