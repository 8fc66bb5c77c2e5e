//! Cards: textures in the scene, and how they are sampled into the rows of a frame.

use super::view::{Axis, View};
use crate::image::layers::{Layer, LayerKind};

/// A pixel: red, green and blue multiplied by alpha, and alpha; in a frame, the number of the thing shown.
pub(crate) type Pixel = [u8; 4];

/// What lies beyond a texture's left and right border.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    Nothing,
    /// The border goes on: to the left, to the right.
    Border(bool, bool),
    /// The texture again, mirrored: there is no end to it.
    Mirror,
}

/// A texture with its place in the scene.
#[derive(Debug, Clone)]
pub(crate) struct Card {
    pub(crate) kind: LayerKind,
    pub(crate) name: String,
    /// How near: 0 at the horizon, 1 at the frame's lower edge.
    pub(crate) near: f32,
    /// Lies on the ground rather than standing upright.
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
}

impl Card {
    /// A card of a layer. `wide` is how far the world was painted: cards that reach its borders go on beyond them.
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
            ids: if ids { layer.ids } else { Vec::new() },
            flip: layer.flip,
            beyond,
            sheet: layer.sheet,
        }
    }

    /// Mirrors it: it looks the other way, and stands where it stood.
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

    /// Draws the texture's line at the scene's row `place`.
    pub(crate) fn line(&self, x: Axis, place: f32, out: &mut [Pixel]) {
        let mut v = place - self.top - 0.5;
        let last = self.height as f32 - 1.0;
        if v <= -1.0 || v >= last + 1.0 {
            match self.kind {
                // Beyond the world's border its last line goes on.
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
        // A line at the texture's border fades into nothing, but scenery has no border.
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

    /// The texture between its pixels; nothing beyond its border.
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

/// Two lines of a texture, between which is sampled.
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
        let step = fixed(step);
        let mut at = fixed(from) + step * start as i64;
        for pixel in out.get_mut(start..end).unwrap_or_default() {
            let (column, across) = (at >> 16, (at >> 8 & 255) as u32);
            at += step;
            let (left, right) = if column >= 0 && column < last {
                (column as usize, column as usize + 1)
            } else {
                if (column < -1 && !left_goes_on) || (column > last && !right_goes_on) {
                    continue;
                }
                if self.beyond == Beyond::Mirror {
                    (mirrored(column, last), mirrored(column + 1, last))
                } else {
                    (
                        column.clamp(0, last) as usize,
                        (column + 1).clamp(0, last) as usize,
                    )
                }
            };
            let at = |line: &[Pixel], column: usize| u32::from_le_bytes(line[column]);
            let corners = [
                at(self.first, left),
                at(self.first, right),
                at(self.second, left),
                at(self.second, right),
            ];
            // Most of many cards is empty.
            if corners == [0; 4] {
                continue;
            }
            let [a, b, c, d] = corners;
            let mut color = lerp(lerp(a, b, across), lerp(c, d, across), self.down);
            if column < 0 && !left_goes_on {
                color = lerp(0, color, across);
            } else if column >= last && !right_goes_on {
                color = lerp(0, color, 256 - across);
            }
            if self.fade < 256 {
                color = lerp(0, color, self.fade);
            }
            over(pixel, color);
            if let Some(ids) = self.ids
                && color >> 24 > 127
                && ids[left] != 0
            {
                pixel[3] = ids[left];
            }
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

/// Lays a colour over a frame's pixel, whose number stays.
#[inline]
pub(crate) fn over(pixel: &mut Pixel, color: u32) {
    let alpha = color >> 24;
    if alpha == 0 {
        return;
    }
    let [r, g, b, _] = color.to_le_bytes();
    if alpha == 255 {
        [pixel[0], pixel[1], pixel[2]] = [r, g, b];
        return;
    }
    let rest = 256 - alpha - (alpha >> 7);
    let lay = |own: u8, under: u8| (u32::from(own) + ((u32::from(under) * rest + 128) >> 8)).min(255) as u8;
    *pixel = [lay(r, pixel[0]), lay(g, pixel[1]), lay(b, pixel[2]), pixel[3]];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_two_pixels_nothing_is_lost() {
        let grey = u32::from_le_bytes([200, 100, 50, 255]);
        for t in 0..=256 {
            assert_eq!(lerp(grey, grey, t), grey);
        }
        assert_eq!(lerp(0, grey, 128).to_le_bytes(), [100, 50, 25, 128]);
    }

    #[test]
    fn a_mirrored_texture_has_no_end() {
        let columns: Vec<usize> = (-3..8).map(|column| mirrored(column, 3)).collect();
        assert_eq!(columns, [3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1]);
    }
}
