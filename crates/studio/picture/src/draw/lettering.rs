//! Lettering: text as outlines of a real font (DejaVu, free to embed), laid out in lines that fit a box.

use ab_glyph::{Font, FontRef, OutlineCurve, PxScale, ScaleFont};
use tiny_skia::{Path, PathBuilder};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    Sans,
    Serif,
}

fn font(face: Face) -> FontRef<'static> {
    let bytes = match face {
        Face::Sans => dejavu::sans_condensed::bold(),
        Face::Serif => dejavu::serif::bold(),
    };
    FontRef::try_from_slice(bytes).expect("the embedded font is valid, a test reads it")
}

/// A block of centred lines.
#[derive(Debug, Clone)]
pub struct Block {
    pub lines: Vec<String>,
    /// Height of the letters' body, in units.
    pub size: f32,
}

/// The largest size at which the words fit a box, broken into lines where that helps.
pub fn fit(text: &str, face: Face, w: f32, h: f32) -> Block {
    let words: Vec<&str> = text.split_whitespace().collect();
    let font = font(face);
    let mut best = Block {
        lines: Vec::new(),
        size: 0.0,
    };
    for count in 1..=words.len().min(8) {
        let lines = broken(&words, count);
        let widest = lines
            .iter()
            .map(|line| width(&font, line, 1.0))
            .fold(0.01, f32::max);
        let size = (w / widest).min(h / (lines.len() as f32 * 1.16));
        if size > best.size {
            best = Block { lines, size };
        }
    }
    best
}

/// The outlines of a block whose middle is at the origin, y down.
pub fn outline(block: &Block, face: Face) -> Option<Path> {
    let font = font(face);
    let scaled = font.as_scaled(PxScale::from(block.size));
    // A body of size s is s high from ascent to descent; outlines come in font units.
    let k = block.size / font.height_unscaled();
    let step = block.size * 1.16;
    let mut path = PathBuilder::new();
    for (i, line) in block.lines.iter().enumerate() {
        let mut x = -0.5 * width(&font, line, block.size);
        let middle = (i as f32 - (block.lines.len() as f32 - 1.0) * 0.5) * step;
        let y = middle + 0.36 * block.size * 0.86;
        let mut last = None;
        for c in line.chars() {
            let glyph = font.glyph_id(c);
            if let Some(last) = last {
                x += scaled.kern(last, glyph);
            }
            if let Some(shape) = font.outline(glyph) {
                trace(&mut path, &shape.curves, x, y, k);
            }
            x += scaled.h_advance(glyph);
            last = Some(glyph);
        }
    }
    path.finish()
}

fn trace(path: &mut PathBuilder, curves: &[OutlineCurve], x: f32, y: f32, k: f32) {
    let at = |p: ab_glyph::Point| (x + p.x * k, y - p.y * k);
    let mut pen: Option<ab_glyph::Point> = None;
    let mut go = |path: &mut PathBuilder, from: ab_glyph::Point, to: ab_glyph::Point| {
        if pen != Some(from) {
            let (x, y) = at(from);
            path.move_to(x, y);
        }
        pen = Some(to);
    };
    for curve in curves {
        match *curve {
            OutlineCurve::Line(a, b) => {
                go(path, a, b);
                let b = at(b);
                path.line_to(b.0, b.1);
            }
            OutlineCurve::Quad(a, b, c) => {
                go(path, a, c);
                let (b, c) = (at(b), at(c));
                path.quad_to(b.0, b.1, c.0, c.1);
            }
            OutlineCurve::Cubic(a, b, c, d) => {
                go(path, a, d);
                let (b, c, d) = (at(b), at(c), at(d));
                path.cubic_to(b.0, b.1, c.0, c.1, d.0, d.1);
            }
        }
    }
}

fn width(font: &FontRef<'_>, line: &str, size: f32) -> f32 {
    let scaled = font.as_scaled(PxScale::from(size));
    let mut last = None;
    line.chars().fold(0.0, |sum, c| {
        let glyph = font.glyph_id(c);
        let kern = last.map_or(0.0, |last| scaled.kern(last, glyph));
        last = Some(glyph);
        sum + kern + scaled.h_advance(glyph)
    })
}

/// Breaks words into this many lines, as evenly as greedy filling allows.
fn broken(words: &[&str], count: usize) -> Vec<String> {
    let total: usize = words.iter().map(|word| word.chars().count() + 1).sum();
    let target = total.div_ceil(count);
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() / 2 < target || lines_full(count) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push((*word).to_owned()),
        }
    }
    lines
}

fn lines_full(count: usize) -> bool {
    count == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_outlines_within_their_box() {
        for face in [Face::Sans, Face::Serif] {
            let block = fit("HELLO WORLD", face, 0.8, 0.6);
            assert_eq!(block.lines, ["HELLO", "WORLD"]);
            let bounds = outline(&block, face).expect("letters").bounds();
            assert!(bounds.width() <= 0.81 && bounds.width() > 0.6, "{bounds:?}");
            assert!(bounds.top() < 0.0 && bounds.bottom() > 0.0, "{bounds:?}");
        }
    }
}
