//! Effects of things: lamplight, a lighthouse's beam, smoke, sparks, lightning.

use std::f32::consts::TAU;

use super::act::{Pose, wander};
use super::actor::Actor;
use super::card::Card;
use super::draw::Piece;
use super::glow::{Beam, Bolt, Glow, Puff};
use super::moment::Moment;
use super::view::View;
use atelier_picture::chance::hash;
use atelier_picture::draw::LayerKind;
use atelier_picture::light::Light;
use atelier_picture::scene::Scene;
use atelier_retouch::rgb::{Rgb, WHITE};

#[derive(Debug, Clone, Default)]
pub(crate) struct Effects {
    lamps: Vec<Lamp>,
    fumes: Vec<Fume>,
}

/// A lamp in the scene's pixels.
#[derive(Debug, Clone, Copy)]
struct Lamp {
    x: f32,
    y: f32,
    reach: f32,
    color: Rgb,
    near: f32,
    actor: Option<usize>,
    burns: bool,
    turns: bool,
}

/// The origin of smoke, in the scene's pixels.
#[derive(Debug, Clone, Copy)]
struct Fume {
    actor: usize,
    x: f32,
    y: f32,
    /// The size of a new puff.
    size: f32,
    white: f32,
    fire: bool,
}

impl Effects {
    pub(crate) fn find(
        scene: &Scene,
        cards: &[Card],
        actors: &[Actor],
        of: &[Option<usize>],
        px: f32,
    ) -> Self {
        let lamps = scene.glows.iter().map(|glow| {
            let card = cards.iter().position(|card| card.sheet == glow.sheet);
            let actor = card.and_then(|card| of[card]);
            let name = actor.map_or("", |actor| actors[actor].name.as_str());
            Lamp {
                x: glow.x * px,
                y: glow.y * px,
                reach: glow.reach * px,
                color: glow.color.scale(if scene.light.flat { 0.4 } else { 0.62 }),
                near: card.map_or(0.1, |card| cards[card].near),
                actor,
                burns: matches!(name, "campfire" | "candle" | "lamp"),
                turns: name == "lighthouse",
            }
        });
        let lamps = lamps.collect();
        let mut fumes = Vec::new();
        for (card, of) in cards.iter().zip(of) {
            let (Some(actor), LayerKind::Subject) = (*of, card.kind) else {
                continue;
            };
            let (white, size) = match card.name.as_str() {
                "train" => (0.82, 0.13),
                "fishing boat" => (0.5, 0.06),
                "campfire" => (0.42, 0.16),
                "house" | "cabin" if scene.light.snowy() || scene.light.dark > 0.3 => (0.8, 0.05),
                _ => continue,
            };
            if let Some((x, y)) = top(card) {
                fumes.push(Fume {
                    actor,
                    x,
                    y,
                    size: size * card.height as f32,
                    white,
                    fire: card.name == "campfire",
                });
            }
        }
        Self { lamps, fumes }
    }

    /// Lamps, over everything.
    pub(crate) fn lights(
        &self,
        view: &View,
        moment: Moment,
        poses: &[Pose],
        actors: &[Actor],
        light: &Light,
        pieces: &mut Vec<Piece<'_>>,
    ) {
        for (number, lamp) in self.lamps.iter().enumerate() {
            let (mut x, mut y, mut near, mut size) = (lamp.x, lamp.y, lamp.near, 1.0);
            if let Some(actor) = lamp.actor {
                let (pose, pivot) = (poses[actor], actors[actor].pivot);
                let (sin, cos) = pose.turn.sin_cos();
                let (u, v) = ((x - pivot.0) * pose.size, (y - pivot.1) * pose.size);
                x = pivot.0 + u * cos - v * sin + pose.shift.0;
                y = pivot.1 + u * sin + v * cos + pose.shift.1;
                near = actors[actor].near * pose.size;
                size = pose.size;
            }
            let (across, down) = view.upright(near);
            let glow = Glow {
                x: across.back(x),
                y: down.back(y),
                reach: lamp.reach * size / across.scale,
                color: lamp.color,
            };
            let strength = if lamp.burns {
                flicker(moment.time, number as f32)
            } else {
                1.0
            };
            if lamp.turns && light.dark > 0.25 {
                // The lamp turns once in six seconds; its beam is longest when it points to a side.
                let angle = TAU * moment.time / 6.0 + 0.6;
                let toward = angle.sin().max(0.0).powi(6);
                for angle in [angle, angle + 0.5 * TAU] {
                    pieces.push(Piece::Beam(Beam {
                        x: glow.x,
                        y: glow.y,
                        length: angle.cos() * 0.75 * view.width,
                        strength: 0.5 * light.dark * (0.35 + 0.65 * angle.cos().abs()),
                        color: Rgb(1.0, 0.94, 0.74),
                    }));
                }
                pieces.push(Piece::Glow(glow.lit(0.8 + 0.8 * toward)));
            } else {
                pieces.push(Piece::Glow(glow.lit(strength)));
            }
        }
    }

    /// Smoke of one actor: each puff started where the actor was then.
    pub(crate) fn smoke(
        &self,
        actor: usize,
        view: &View,
        moment: Moment,
        actors: &[Actor],
        light: &Light,
        pieces: &mut Vec<Piece<'_>>,
    ) {
        const LIFE: f32 = 3.4;
        const EVERY: f32 = 0.17;
        for fume in self.fumes.iter().filter(|fume| fume.actor == actor) {
            let (across, down) = view.upright(actors[actor].near);
            let shade = light.lit(WHITE.scale(fume.white), 0.45).mix(light.haze, 0.25);
            let newest = (moment.time / EVERY).floor() as i32;
            for number in (newest - (LIFE / EVERY) as i32)..=newest {
                let born = number as f32 * EVERY;
                let age = moment.time - born;
                if !(0.0..LIFE).contains(&age) {
                    continue;
                }
                let chance = |salt: u32| (hash(number, 3, salt) >> 8) as f32 / 16_777_216.0 - 0.5;
                let pose = actors[actor].act.pose(born);
                let t = age / LIFE;
                let rise = fume.size * (5.4 * age / 1.6).min(2.6 + 2.2 * age);
                let drift = fume.size * (1.1 * age * age * 0.5 + chance(1) * age * 1.6);
                let drift = drift + 0.3 * fume.size * wander(0.3 * moment.time, number as f32);
                let (x, y) = (fume.x + pose.shift.0 + drift, fume.y + pose.shift.1 - rise);
                let size = fume.size * (0.7 + 2.4 * t) * (1.0 + 0.5 * chance(2)) / across.scale;
                let ember = (1.0 - 2.2 * t).max(0.0) * if fume.fire { 0.8 } else { 0.0 };
                pieces.push(Piece::Puff(Puff {
                    x: across.back(x),
                    y: down.back(y),
                    radius: size.max(1.0),
                    color: shade.mix(Rgb(1.0, 0.6, 0.24), ember).to_bytes(),
                    alpha: (0.42 * (1.0 - t) * (age * 6.0).min(1.0)).max(0.0),
                }));
            }
            if fume.fire {
                sparks(fume, (across, down), moment.time, pieces);
            }
        }
    }
}

fn sparks(
    fume: &Fume,
    (across, down): (super::view::Axis, super::view::Axis),
    time: f32,
    pieces: &mut Vec<Piece<'_>>,
) {
    for spark in 0..14 {
        let chance = |salt: u32, round: i32| (hash(spark, round, salt) >> 8) as f32 / 16_777_216.0;
        let way = time * (0.35 + 0.25 * chance(1, 0)) + chance(2, 0);
        let (round, t) = (way.floor() as i32, way.fract());
        let side = (chance(3, round) - 0.5) * 2.6 + 0.5 * (5.0 * t + spark as f32).sin();
        pieces.push(Piece::Glow(Glow {
            x: across.back(fume.x + fume.size * side * (0.4 + t)),
            y: down.back(fume.y + fume.size * (2.6 - 7.0 * t)),
            reach: (0.2 * fume.size / across.scale).max(2.0),
            color: Rgb(1.0, 0.62, 0.2).scale((1.0 - t) * 1.2),
        }));
    }
}

/// The flicker of a flame.
fn flicker(time: f32, phase: f32) -> f32 {
    0.88 + 0.12 * wander(2.1 * time, phase)
}

/// The highest opaque place of a card, in the scene's pixels.
fn top(card: &Card) -> Option<(f32, f32)> {
    let row = card
        .rgba
        .chunks_exact(card.width.max(1))
        .position(|row| row.iter().filter(|p| p[3] > 200).count() > card.width / 60)?;
    let line = &card.rgba[row * card.width..(row + 1) * card.width];
    let first = line.iter().position(|p| p[3] > 200)?;
    let run = line[first..].iter().take_while(|p| p[3] > 200).count();
    Some((card.left + first as f32 + 0.5 * run as f32, card.top + row as f32))
}

/// A stroke of lightning while it is visible: from the sky's top to the horizon.
pub(crate) fn bolt(view: &View, moment: Moment, seed: u32) -> Option<Bolt> {
    let bottom = view.horizon();
    if bottom < 20.0 || moment.flash < 0.15 {
        return None;
    }
    // Each stroke has its own path, for as long as it lasts.
    let stroke = moment.stroke;
    let chance = |step: i32| (hash(step, stroke, seed ^ 0x11) >> 8) as f32 / 16_777_216.0;
    let mut x = view.width * (0.15 + 0.7 * chance(0));
    let columns = (1..26).map(|step| {
        x += (chance(step) - 0.5) * 0.11 * bottom;
        x
    });
    Some(Bolt {
        columns: columns.collect(),
        bottom,
        strength: (moment.flash * 1.3).min(1.0),
        width: (view.height * 0.0032).max(1.2),
    })
}
