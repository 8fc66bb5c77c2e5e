//! Placing a thing in the picture: its position, with its shadow, its reflection and its lamps.

use super::sprite::Sprite;
use super::{Easel, Fixed, Placed};
use crate::draw::pen::Place;
use crate::draw::{Area, LayerKind, Op, Pen, Sheet};
use crate::light::Weather;
use crate::prompt::Mention;
use crate::subjects::{Look, Subject};
use atelier_retouch::canvas::Id;
use atelier_retouch::rgb::Rgb;
use std::sync::Arc;
use tiny_skia::Transform;

/// How to place something.
#[derive(Debug, Clone, Copy)]
pub(super) struct Put {
    /// The position at which it stands; for flying things, its centre.
    pub(super) x: f32,
    pub(super) y: f32,
    /// Its larger extent, in units.
    pub(super) extent: f32,
    pub(super) flip: f32,
    pub(super) depth: f32,
    pub(super) stands: Stands,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// On ground: it casts a shadow.
    Ground,
    /// In water: it is mirrored; `put` draws the reflection only with `reflect`.
    Water,
    /// In the air.
    Free,
}

/// A finished drawing: its pen and the bounds in its own coordinates.
pub(super) struct Drawn {
    pub(super) pen: Pen,
    /// Left, bottom, right, top.
    pub(super) bounds: (f32, f32, f32, f32),
    /// A cut-out that is shown instead of the pen's shapes.
    sprite: Option<Arc<Sprite>>,
    /// Rotation about its foot in radians, from its own right to its top.
    pub(super) turn: f32,
}

impl Drawn {
    pub(super) fn new(easel: &mut Easel, subject: &Subject, color: Option<Rgb>) -> Self {
        let mut pen = Pen::new(easel.rng.fork(subject.name()));
        (subject.draw)(
            &mut pen,
            &Look {
                light: &easel.light,
                color,
            },
        );
        Self::of(pen)
    }

    /// The appearance of a mention: drawn, or cut out of a reference.
    pub(super) fn mention(easel: &mut Easel, mention: &Mention) -> Self {
        let sprite = mention
            .from
            .and_then(|reference| easel.sprites.get(reference))
            .and_then(Clone::clone);
        let Some(sprite) = sprite else {
            return Self::new(easel, mention.subject, mention.color);
        };
        Self {
            pen: Pen::new(easel.rng.fork("sprite")),
            bounds: sprite.bounds(),
            sprite: Some(sprite),
            turn: 0.0,
        }
    }

    /// Marks the cells of a square grid over a cut-out that belong to the thing.
    pub(super) fn each_opaque(&self, grid: usize, mut found: impl FnMut(usize)) {
        if let Some(sprite) = &self.sprite {
            (0..grid * grid)
                .filter(|cell| sprite.is_opaque(grid, *cell))
                .for_each(&mut found);
        }
    }

    /// Width and height in units, for this larger extent.
    pub(super) fn size(&self, extent: f32) -> (f32, f32) {
        let scale = self.scale(extent);
        (
            scale * (self.bounds.2 - self.bounds.0),
            scale * (self.bounds.3 - self.bounds.1),
        )
    }

    pub(super) fn of(pen: Pen) -> Self {
        let bounds = pen.shapes.iter().filter(|(_, paint)| paint.solid()).fold(
            (f32::MAX, f32::MAX, f32::MIN, f32::MIN),
            |a, (path, _)| {
                let b = path.bounds();
                (
                    a.0.min(b.left()),
                    a.1.min(b.top()),
                    a.2.max(b.right()),
                    a.3.max(b.bottom()),
                )
            },
        );
        let bounds = if bounds.0 > bounds.2 {
            (-0.5, 0.0, 0.5, 1.0)
        } else {
            bounds
        };
        Self {
            pen,
            bounds,
            sprite: None,
            turn: 0.0,
        }
    }

    /// Units of the picture per unit of the drawing, for this larger extent.
    pub(super) fn scale(&self, extent: f32) -> f32 {
        let (w, h) = (self.bounds.2 - self.bounds.0, self.bounds.3 - self.bounds.1);
        extent / h.max(w * 0.72).max(0.05)
    }

    pub(super) fn place(&self, put: &Put) -> Place {
        let size = self.scale(put.extent);
        let middle = f32::midpoint(self.bounds.0, self.bounds.2);
        let lift = if put.stands == Stands::Free {
            f32::midpoint(self.bounds.1, self.bounds.3)
        } else {
            0.0
        };
        Place {
            x: put.x - put.flip * size * middle,
            y: put.y + size * lift,
            size,
            flip: put.flip,
            depth: put.depth,
            stuff: 1.0,
            turn: self.turn,
        }
    }
}

impl Easel {
    /// Paints a drawing's shapes.
    pub(super) fn draw(&mut self, pen: &Pen, place: Place, id: Option<Id>) {
        let onto = place.onto();
        for (number, (path, paint)) in pen.shapes.iter().enumerate() {
            let Some(path) = path.clone().transform(onto) else {
                continue;
            };
            let shader = paint.shader(&path, place, &self.light, 0x5eed ^ number as u32);
            let op = Op::fill(path, id, shader);
            self.add(if paint.covers() { op.opaque() } else { op });
        }
    }

    /// Places a drawing in the picture and records its position.
    pub(super) fn put(&mut self, name: &str, drawn: &Drawn, put: &Put) {
        let place = drawn.place(put);
        let depth = if put.stands == Stands::Free {
            0.5 + 0.5 * put.depth
        } else {
            self.distance(put.y)
        };
        let behind = self.painting.current();
        let contact = (put.stands != Stands::Free).then_some((put.x, put.y));
        let sheet = |kind| Sheet {
            kind,
            name: Some(name.to_owned()),
            depth,
            near: depth,
            contact,
            flip: put.flip,
        };
        if put.stands == Stands::Ground {
            self.painting.sheet(sheet(LayerKind::Shadow));
            self.shadow(drawn, place);
        }
        self.painting.sheet(sheet(LayerKind::Subject));
        let id = self.id();
        self.figures[usize::from(id)] = true;
        self.draw(&drawn.pen, place, Some(id));
        if let Some(sprite) = &drawn.sprite {
            let sprite = sprite.fit(place.size * self.frame.px);
            let tint = sprite.lit(&self.light, place.depth, place.flip);
            if let Some(op) = sprite.op(place.onto(), Some(id), tint) {
                self.add(op);
            }
        }
        self.lamps(&drawn.pen, place);
        let (l, b, r, t) = drawn.bounds;
        let area = [(l, b), (r, b), (l, t), (r, t)]
            .map(|(x, y)| place.point(x, y))
            .into_iter()
            .fold((f32::MAX, f32::MAX, f32::MIN, f32::MIN), |a, (x, y)| {
                (a.0.min(x), a.1.min(y), a.2.max(x), a.3.max(y))
            });
        self.placed.push(Placed {
            name: name.to_owned(),
            area,
            depth: put.depth,
        });
        self.painting.go_on(behind);
    }

    /// Places a subject where it was in its own picture; if that is in the sky of this one, it moves down to the
    /// ground.
    pub(super) fn put_fixed(&mut self, fixed: Fixed) {
        let h = self.frame.h;
        let ground = self.horizon.map_or(0.0, |horizon| horizon + 0.22 * (h - horizon));
        // A thing that the frame cuts off below continues beyond it.
        let stands = if fixed.y > 0.985 * h {
            Stands::Water
        } else {
            Stands::Ground
        };
        let drawn = Drawn {
            pen: Pen::new(self.rng.fork("fixed")),
            bounds: fixed.sprite.bounds(),
            sprite: Some(fixed.sprite),
            turn: 0.0,
        };
        let (_, unit) = drawn.size(1.0);
        let put = Put {
            x: fixed.x,
            y: fixed.y.max(ground),
            extent: fixed.high / unit.max(1e-3),
            flip: 1.0,
            depth: 0.0,
            stands,
        };
        self.put("subject of the reference", &drawn, &put);
    }

    pub(super) fn lamps(&mut self, pen: &Pen, place: Place) {
        for lamp in &pen.lamps {
            let (x, y) = place.point(lamp.x, lamp.y);
            let strength = (0.45 + 0.55 * self.light.dark) * (1.0 - 0.7 * place.depth);
            self.glow(x, y, lamp.reach * place.size, lamp.color.scale(strength));
        }
    }

    /// The drawing mirrored in the water it stands in.
    pub(super) fn reflect(&mut self, name: &str, drawn: &Drawn, put: &Put, strength: f32) {
        let place = drawn.place(put);
        let water = self.painting.current();
        let depth = self.distance(put.y);
        self.painting.sheet(Sheet {
            kind: LayerKind::Reflection,
            name: Some(name.to_owned()),
            depth,
            near: depth,
            contact: Some((put.x, put.y)),
            flip: put.flip,
        });
        let mirror = Transform::from_row(
            place.flip * place.size,
            0.0,
            0.0,
            place.size * 0.92,
            place.x,
            place.y,
        );
        let tint = self.light.sky[2].mix(self.light.haze, 0.3);
        let (top, length) = (place.y, place.size * drawn.bounds.3.max(0.2));
        if let Some(sprite) = &drawn.sprite {
            let sprite = sprite.fit(place.size * self.frame.px);
            let lit = sprite.lit(&self.light, place.depth, place.flip);
            let op = sprite.op(mirror, None, move |color, alpha, u, v| {
                let (color, alpha) = lit(color, alpha, u, v);
                (
                    color.scale(0.86).mix(tint, 0.16),
                    alpha * strength * (1.0 - 0.6 * v),
                )
            });
            if let Some(op) = op {
                self.add(op);
            }
        }
        for (number, (path, paint)) in drawn.pen.shapes.iter().enumerate() {
            let Some(path) = path.clone().transform(mirror) else {
                continue;
            };
            let shader = paint.shader(&path, place, &self.light, 0x5eed ^ number as u32);
            self.add(Op::fill(path, None, move |x, y| {
                let (color, alpha) = shader(x, y);
                let fade = 1.0 - ((y - top) / length).clamp(0.0, 1.0) * 0.6;
                (color.scale(0.86).mix(tint, 0.16), alpha * strength * fade)
            }));
        }
        self.painting.resume(water);
    }

    /// It is dark where it touches the ground, and its shadow falls away from the light.
    fn shadow(&mut self, drawn: &Drawn, place: Place) {
        let light = self.light.clone();
        let (left, _, right, top) = drawn.bounds;
        let deep = light.lit(light.grass(), 0.0).times(Rgb(0.4, 0.42, 0.56));
        let soft = matches!(
            light.weather,
            Weather::Overcast | Weather::Rain | Weather::Snow | Weather::Fog | Weather::Storm
        );
        let strength = if soft { 0.1 } else { 0.42 - 0.24 * light.dark };
        let low = light.disc.1 < 0.2;
        let shear = -light.toward.0 * if low { 1.1 } else { 0.55 };
        let squash = if low { 0.3 } else { 0.2 };
        let cast = Transform::from_row(
            place.flip * place.size,
            0.0,
            shear * place.size,
            squash * place.size,
            place.x,
            place.y,
        );
        let paths: Vec<_> = drawn
            .pen
            .shapes
            .iter()
            .filter(|(_, paint)| paint.solid())
            .filter_map(|(path, _)| path.clone().transform(cast))
            .collect();
        let length = squash * place.size * top.max(0.05);
        if let Some(sprite) = &drawn.sprite
            && strength > 0.05
        {
            let sprite = sprite.fit(place.size * self.frame.px * squash);
            let op = sprite.op(cast, None, move |_, alpha, _, v| {
                (deep, alpha * strength * (1.0 - 0.75 * v))
            });
            if let Some(op) = op {
                self.add(op);
            }
        }
        if !paths.is_empty() && strength > 0.05 {
            let y0 = place.y;
            self.add(Op::union(paths, move |_, y| {
                (
                    deep,
                    strength * (1.0 - 0.75 * ((y - y0) / length).clamp(0.0, 1.0)),
                )
            }));
        }
        let (x, y) = (
            place.x + place.flip * place.size * f32::midpoint(left, right),
            place.y,
        );
        let rx = place.size * (right - left).min(top * 1.6) * 0.5;
        let ry = (rx * 0.16).min(place.size * 0.1);
        let area = Area(x - rx * 1.3, y - ry * 1.4, x + rx * 1.3, y + ry * 1.4);
        self.add(Op::field(area, None, move |spot| {
            let d = ((spot.x - x) / rx).hypot((spot.y - y) / ry);
            spot.under.mix(deep, 0.5 * (1.0 - d / 1.3).clamp(0.0, 1.0))
        }));
    }
}
