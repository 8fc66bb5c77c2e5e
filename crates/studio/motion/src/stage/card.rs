//! Cards: textures in the scene, and how they are sampled into the rows of a frame.

use super::view::{Axis, View};
use atelier_picture::draw::LayerKind;
use atelier_picture::layers::Layer;

/// A pixel: premultiplied red, green and blue, and alpha; in a frame, the number of the thing shown instead of
/// alpha.
pub(crate) type Pixel = [u8; 4];

/// The content beyond a texture's left and right border.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    Nothing,
    /// The border continues to the left and to the right.
    Border(bool, bool),
    /// The texture again, mirrored, without end.
    Mirror,
}

/// A texture with its place in the scene.
#[derive(Debug, Clone)]
pub(crate) struct Card {
    pub(crate) kind: LayerKind,
    pub(crate) name: String,
    /// How near: 0 at the horizon, 1 at the frame's lower edge.
    pub(crate) near: f32,
    /// Whether it lies on the ground instead of standing upright.
    pub(crate) lies: bool,
    pub(crate) contact: Option<(f32, f32)>,
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) rgba: Vec<Pixel>,
    pub(crate) ids: Vec<u8>,
    pub(crate) flip: f32,
    pub(crate) beyond: Beyond,
    /// The sheet that it was painted on.
    pub(crate) sheet: usize,
    /// For each line of scenery that continues to both sides, whether it hides everything behind it.
    opaque: Vec<bool>,
}

impl Card {
    /// A card of a layer. `wide` is how far the world was painted: cards that reach its borders continue beyond them.
    pub(crate) fn new(layer: Layer, ids: bool, wide: (f32, f32)) -> Self {
        let scenery = matches!(
            layer.kind,
            LayerKind::Backdrop | LayerKind::Sky | LayerKind::Far | LayerKind::Ground | LayerKind::Water
        );
        let beyond = match layer.kind {
            LayerKind::Clouds => Beyond::Mirror,
            _ if scenery => {
                let right = (layer.left + layer.width as i32) as f32;
                match (layer.left as f32 <= wide.0 + 2.0, right >= wide.1 - 2.0) {
                    (false, false) => Beyond::Nothing,
                    (left, right) => Beyond::Border(left, right),
                }
            }
            _ => Beyond::Nothing,
        };
        // Things without a number do not exist for a style that uses numbers.
        let ids = if ids && layer.ids.iter().any(|id| *id != 0) {
            layer.ids
        } else {
            Vec::new()
        };
        let opaque = if beyond == Beyond::Border(true, true) {
            let lines = layer.rgba.chunks_exact(layer.width.max(1));
            lines
                .map(|line| line.iter().all(|pixel| pixel[3] == 255))
                .collect()
        } else {
            Vec::new()
        };
        Self {
            near: 1.0 - f32::midpoint(layer.depth, layer.near).clamp(0.0, 1.0),
            lies: layer.depth - layer.near > 0.02,
            kind: layer.kind,
            name: layer.name.unwrap_or_default(),
            contact: layer.contact,
            left: layer.left as f32,
            top: layer.top as f32,
            width: layer.width,
            height: layer.height,
            rgba: layer.rgba,
            ids,
            flip: layer.flip,
            beyond,
            sheet: layer.sheet,
            opaque,
        }
    }

    /// Mirrors it: it faces the other way, and stands at the same place.
    pub(crate) fn turn_around(&mut self) {
        for row in self.rgba.chunks_exact_mut(self.width.max(1)) {
            row.reverse();
        }
        for row in self.ids.chunks_exact_mut(self.width.max(1)) {
            row.reverse();
        }
        if let Some((x, _)) = self.contact {
            self.left = 2.0 * x - self.left - self.width as f32;
        }
        self.flip = -self.flip;
    }

    /// Draws a row of a card that lies on the ground.
    pub(crate) fn ground_row(&self, view: &View, row: f32, out: &mut [Pixel]) {
        let (_, place, x) = view.ground(row);
        self.line(x, place, out);
    }

    /// Whether the texture's line at the scene's row `place` hides everything behind it.
    pub(crate) fn hides(&self, place: f32) -> bool {
        let v = place - self.top - 0.5;
        let opaque = |row: f32| self.opaque.get(row as usize) == Some(&true);
        v >= 0.0 && opaque(v) && opaque(v + 1.0)
    }

    /// Draws the texture's line at the scene's row `place`.
    pub(crate) fn line(&self, x: Axis, place: f32, out: &mut [Pixel]) {
        let mut v = place - self.top - 0.5;
        let last = self.height as f32 - 1.0;
        if v <= -1.0 || v >= last + 1.0 {
            match self.kind {
                // Beyond the world's border its last line continues.
                LayerKind::Backdrop | LayerKind::Sky | LayerKind::Ground | LayerKind::Water if v > last => {
                    v = last;
                }
                LayerKind::Backdrop | LayerKind::Sky if v < 0.0 => v = 0.0,
                _ => return,
            }
        }
        let above = v.floor();
        let down = ((v - above) * 256.0) as u32;
        let line = |row: f32| {
            (row >= 0.0 && row <= last).then(|| {
                let from = row as usize * self.width;
                (
                    &self.rgba[from..from + self.width],
                    self.ids.get(from..from + self.width),
                )
            })
        };
        let (upper, lower) = (line(above), line(above + 1.0));
        let (Some(first), second) = (upper.or(lower), lower.or(upper)) else {
            return;
        };
        let second = second.unwrap_or(first);
        // A line at the texture's border fades out, but scenery has no border.
        let fade = if upper.is_none() {
            down
        } else if lower.is_none() && self.beyond == Beyond::Nothing {
            256 - down
        } else {
            256
        };
        let from = x.offset - self.left - 0.5;
        Line {
            first: first.0,
            second: second.0,
            ids: first.1,
            down,
            fade,
            beyond: self.beyond,
        }
        .draw(from, x.scale, out);
    }

    /// The interpolated texture; nothing beyond its border.
    #[inline]
    pub(crate) fn sample(&self, u: f32, v: f32) -> u32 {
        let (u, v) = (u - 0.5, v - 0.5);
        let (iu, iv) = (u.floor(), v.floor());
        if iu < -1.0 || iv < -1.0 || iu >= self.width as f32 || iv >= self.height as f32 {
            return 0;
        }
        let (fu, fv) = (((u - iu) * 256.0) as u32, ((v - iv) * 256.0) as u32);
        let (iu, iv) = (iu as isize, iv as isize);
        let at = |x: isize, y: isize| {
            if x < 0 || y < 0 || x >= self.width as isize || y >= self.height as isize {
                0
            } else {
                u32::from_le_bytes(self.rgba[y as usize * self.width + x as usize])
            }
        };
        lerp(
            lerp(at(iu, iv), at(iu + 1, iv), fu),
            lerp(at(iu, iv + 1), at(iu + 1, iv + 1), fu),
            fv,
        )
    }

    /// The number of the thing at a place in the texture.
    pub(crate) fn id(&self, u: f32, v: f32) -> u8 {
        if self.ids.is_empty() || u < 0.0 || v < 0.0 || u >= self.width as f32 || v >= self.height as f32 {
            return 0;
        }
        self.ids[v as usize * self.width + u as usize]
    }
}

/// Columns of a texture that are mixed at a time: they stay in the processor's cache.
const BLOCK: usize = 256;

/// Two lines of a texture, between which it is sampled.
struct Line<'a> {
    first: &'a [Pixel],
    second: &'a [Pixel],
    ids: Option<&'a [u8]>,
    down: u32,
    fade: u32,
    beyond: Beyond,
}

impl Line<'_> {
    fn draw(&self, from: f32, step: f32, out: &mut [Pixel]) {
        let width = self.first.len() as f32;
        let (mut start, mut end) = (0, out.len());
        let (left_goes_on, right_goes_on) = match self.beyond {
            Beyond::Nothing => (false, false),
            Beyond::Border(left, right) => (left, right),
            Beyond::Mirror => (true, true),
        };
        if !left_goes_on {
            start = ((-1.0 - from) / step).ceil().max(0.0) as usize;
        }
        if !right_goes_on {
            end = end.min(((width - from) / step).ceil().max(0.0) as usize);
        }
        let last = self.first.len() as i64 - 1;
        let fixed = |value: f32| (f64::from(value) * 65_536.0) as i64;
        let step = fixed(step).max(1);
        let at = |x: usize| fixed(from) + step * x as i64;
        // The range in which both columns are inside the texture.
        let reaches = |column: i64| ((column << 16) - fixed(from) + step - 1).div_euclid(step);
        let inner = (reaches(0).max(0) as usize).clamp(start, end.max(start));
        let outer = (reaches(last).max(0) as usize).clamp(inner, end.max(inner));
        self.border(at, start..inner, out);
        let mut mixed = [[0; 4]; BLOCK + 2];
        let mut x = inner;
        while x < outer {
            let left = (at(x) >> 16) as usize;
            let count = ((((left + BLOCK) as i64) << 16) - at(x) + step - 1) / step;
            let next = outer.min(x + count.max(1) as usize);
            let right = (at(next - 1) >> 16) as usize + 2;
            let mixed = &mut mixed[..right - left];
            let (first, second) = (&self.first[left..right], &self.second[left..right]);
            if self.mix(first, second, mixed) {
                self.inside(mixed, left, at(x), step, &mut out[x..next]);
            }
            x = next;
        }
        self.border(at, outer..end, out);
    }

    /// Mixes both lines, and returns whether anything is visible.
    fn mix(&self, first: &[Pixel], second: &[Pixel], mixed: &mut [Pixel]) -> bool {
        let (near, far) = (256 - self.down as u16, self.down as u16);
        let bytes = first.as_flattened().iter().zip(second.as_flattened());
        let mut any = 0;
        for (mixed, (a, b)) in mixed.as_flattened_mut().iter_mut().zip(bytes) {
            *mixed = ((u16::from(*a) * near + u16::from(*b) * far + 128) >> 8) as u8;
            any |= *mixed;
        }
        any != 0
    }

    /// Draws pixels between columns of the texture, the first of which is `left`.
    fn inside(&self, mixed: &[Pixel], left: usize, at: i64, step: i64, out: &mut [Pixel]) {
        let mut at = at - ((left as i64) << 16);
        for pixel in out {
            let (column, across) = ((at >> 16) as usize, (at >> 8 & 255) as u32);
            at += step;
            let [a, b] = [mixed[column], mixed[column + 1]].map(u32::from_le_bytes);
            // Most of many cards is empty.
            if a | b == 0 {
                continue;
            }
            self.lay(lerp(a, b, across), left + column, pixel);
        }
    }

    /// Draws pixels of which one column or both lie outside the texture.
    fn border(&self, at: impl Fn(usize) -> i64, range: std::ops::Range<usize>, out: &mut [Pixel]) {
        let last = self.first.len() as i64 - 1;
        let (left_goes_on, right_goes_on) = match self.beyond {
            Beyond::Nothing => (false, false),
            Beyond::Border(left, right) => (left, right),
            Beyond::Mirror => (true, true),
        };
        for x in range {
            let at = at(x);
            let (column, across) = (at >> 16, (at >> 8 & 255) as u32);
            if (column < -1 && !left_goes_on) || (column > last && !right_goes_on) {
                continue;
            }
            let (left, right) = if self.beyond == Beyond::Mirror {
                (mirrored(column, last), mirrored(column + 1, last))
            } else {
                (
                    column.clamp(0, last) as usize,
                    (column + 1).clamp(0, last) as usize,
                )
            };
            let mixed = |column: usize| {
                let [a, b] = [self.first[column], self.second[column]].map(u32::from_le_bytes);
                lerp(a, b, self.down)
            };
            let mut color = lerp(mixed(left), mixed(right), across);
            if column < 0 && !left_goes_on {
                color = lerp(0, color, across);
            } else if column >= last && !right_goes_on {
                color = lerp(0, color, 256 - across);
            }
            self.lay(color, left, &mut out[x]);
        }
    }

    #[inline]
    fn lay(&self, mut color: u32, column: usize, pixel: &mut Pixel) {
        if self.fade < 256 {
            color = lerp(0, color, self.fade);
        }
        over(pixel, color);
        if let Some(ids) = self.ids
            && color >> 24 > 127
            && ids[column] != 0
        {
            pixel[3] = ids[column];
        }
    }
}

fn mirrored(column: i64, last: i64) -> usize {
    let round = column.rem_euclid(2 * last.max(1));
    round.min(2 * last.max(1) - round) as usize
}

/// Between two pixels, `t` of 256 parts.
#[inline]
pub(crate) fn lerp(a: u32, b: u32, t: u32) -> u32 {
    let mix = |a: u32, b: u32| ((a * (256 - t) + b * t + 0x0080_0080) >> 8) & 0x00ff_00ff;
    mix(a & 0x00ff_00ff, b & 0x00ff_00ff) | mix(a >> 8 & 0x00ff_00ff, b >> 8 & 0x00ff_00ff) << 8
}

/// Draws a colour over a frame's pixel, and keeps the pixel's number.
#[inline]
pub(crate) fn over(pixel: &mut Pixel, color: u32) {
    let alpha = color >> 24;
    if alpha == 0 {
        return;
    }
    if alpha == 255 {
        let under = u32::from_le_bytes(*pixel);
        *pixel = (color & 0x00ff_ffff | under & 0xff00_0000).to_le_bytes();
        return;
    }
    let rest = 256 - alpha - (alpha >> 7);
    // Two channels at a time; neither exceeds white.
    let lay = |own: u32, under: u32| {
        let sum = own + ((under * rest + 0x0080_0080) >> 8 & 0x00ff_00ff);
        (sum | ((sum >> 8 & 0x0001_0001) * 255)) & 0x00ff_00ff
    };
    let under = u32::from_le_bytes(*pixel);
    let red_blue = lay(color & 0x00ff_00ff, under & 0x00ff_00ff);
    let green = lay(color >> 8 & 255, under >> 8 & 255);
    *pixel = (red_blue | green << 8 | under & 0xff00_0000).to_le_bytes();
}

#[cfg(test)]
mod tests;
