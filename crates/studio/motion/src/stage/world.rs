//! A composed scene in one light, which can be seen from anywhere at any moment.

use std::sync::Arc;

use rayon::prelude::*;

use super::act::Pose;
use super::actor::{Actor, Setting, cast};
use super::card::{Beyond, Card, Pixel};
use super::draw::{Drift, Piece, Placing, Turned};
use super::effects::{self, Effects};
use super::glow::Disc;
use super::moment::Moment;
use super::paint::Rest;
use super::surface::Surface;
use super::view::View;
use super::weather::Air;
use crate::script::Doing;
use atelier_picture::draw::LayerKind;
use atelier_picture::layers::Layered;
use atelier_picture::light::{Light, Weather};
use atelier_picture::prompt::Prompt;
use atelier_picture::scene::{Scene, Sprite};
use atelier_picture::style::Style;

/// Rows that one task draws.
const BAND: usize = 8;
/// The speed of clouds, in units a second at the zenith.
const CLOUDS: f32 = 0.04;

/// The settings for which a world is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Casting<'a> {
    pub(crate) style: Style,
    /// Whether the style uses the things' numbers.
    pub(crate) ids: bool,
    pub(crate) seed: u64,
    /// The scene's frame in pixels, and its painted margin.
    pub(crate) size: (usize, usize),
    pub(crate) margin: usize,
    pub(crate) seconds: f32,
    pub(crate) doing: &'a Doing,
    pub(crate) followed: Option<&'a str>,
}

pub(crate) struct World {
    pub(crate) layered: Layered,
    pub(crate) cards: Vec<Card>,
    pub(crate) actors: Vec<Actor>,
    of: Vec<Option<usize>>,
    /// The first card in front of the water.
    water_at: usize,
    surface: Option<Surface>,
    effects: Effects,
    /// The actor that the camera follows.
    followed: Option<usize>,
    seed: u32,
    px: f32,
}

impl World {
    pub(crate) fn new(prompt: Prompt, sprites: Vec<Option<Arc<Sprite>>>, casting: Casting<'_>) -> Self {
        let layered = Layered::to_move(prompt, casting.style, sprites, casting.seed, casting.size);
        let open_water = |kind: LayerKind, depth: f32, near: f32| {
            kind == LayerKind::Water && depth - near > 0.9 && layered.scene().water.is_some()
        };
        let layers = layered.parts(casting.margin, |kind, depth, near| {
            !matches!(kind, LayerKind::Weather | LayerKind::Glow | LayerKind::Reflection)
                && !open_water(kind, depth, near)
        });
        let water = layered.sheet(open_water);
        let margin = casting.margin as f32;
        let wide = (-margin, casting.size.0 as f32 + margin);
        let mut cards: Vec<Card> = layers
            .into_iter()
            .map(|layer| Card::new(layer, casting.ids, wide))
            .collect();
        let scene = layered.scene();
        let frame = layered.frame();
        let wind = match scene.light.weather {
            Weather::Storm => 2.6,
            Weather::Rain | Weather::Snow => 1.4,
            Weather::Cloudy => 1.5,
            _ => 0.9,
        };
        let setting = Setting {
            seconds: casting.seconds,
            width: casting.size.0 as f32,
            height: casting.size.1 as f32,
            wind,
            water: scene.water.is_some(),
            weightless: matches!(
                scene.setting,
                "underwater" | "space" | "lunar surface" | "abstract"
            ),
            doing: casting.doing,
            followed: casting.followed,
        };
        let (actors, of) = cast(&mut cards, setting, casting.seed);
        let followed = casting
            .followed
            .and_then(|name| actors.iter().position(|actor| actor.name == name));
        let water_at = water.map_or(cards.len(), |sheet| {
            cards
                .iter()
                .position(|card| card.sheet > sheet)
                .unwrap_or(cards.len())
        });
        let px = frame.px;
        let surface = scene.water.filter(|_| water.is_some()).map(|kind| Surface {
            kind,
            light: scene.light.clone(),
            seed: casting.seed as u32 ^ 0x77,
            px,
            width: frame.w,
            sun: scene.light.disc.0 * frame.w,
        });
        let effects = Effects::find(scene, &cards, &actors, &of, px);
        Self {
            cards,
            actors,
            of,
            water_at,
            surface,
            effects,
            followed,
            seed: casting.seed as u32,
            px,
            layered,
        }
    }

    /// Paints the textures in a style that would flicker if it were applied to frames. Each is finished as it looks at
    /// rest, over its background.
    pub(crate) fn paint(&mut self, style: Style, margin: usize) {
        let mut rest = Rest::new(self.layered.frame(), margin);
        let scene = self.layered.scene();
        for card in &mut self.cards {
            if !matches!(card.kind, LayerKind::Lettering | LayerKind::Shadow) {
                rest.paint(card, style, scene);
            }
            card.ids = Vec::new();
        }
    }

    pub(crate) fn scene(&self) -> &Scene {
        self.layered.scene()
    }

    pub(crate) fn light(&self) -> &Light {
        &self.scene().light
    }

    /// A description in words: setting, light, weather, season, land and things.
    pub(crate) fn facts(&self) -> Vec<String> {
        let light = self.light();
        let mut facts = vec![
            light.weather.name().to_owned(),
            light.time.name().to_owned(),
            light.season.name().to_owned(),
        ];
        facts.push(self.scene().setting.to_owned());
        facts.extend(self.layered.terrain().map(str::to_owned));
        let mut things: Vec<String> = self
            .scene()
            .placed
            .iter()
            .map(|placed| placed.name.clone())
            .collect();
        things.sort();
        things.dedup();
        facts.extend(things);
        facts
    }

    /// The horizon's row in the scene's pixels.
    pub(crate) fn horizon(&self) -> Option<f32> {
        self.scene().horizon.map(|horizon| horizon * self.px)
    }

    /// The largest actor of this name, and its centre.
    pub(crate) fn lead(&self, name: &str) -> Option<&Actor> {
        self.actors
            .iter()
            .filter(|actor| actor.name == name)
            .max_by(|a, b| (a.size.0 * a.size.1).total_cmp(&(b.size.0 * b.size.1)))
    }

    /// Draws the world at a moment, over the whole frame.
    pub(crate) fn draw(&self, frame: &mut [Pixel], view: &View, moment: Moment) {
        let width = view.width as usize;
        let mut poses: Vec<Pose> = self
            .actors
            .iter()
            .map(|actor| actor.act.pose(moment.time))
            .collect();
        if let Some(followed) = self.followed {
            poses[followed].shift.0 -= view.truck.0 * self.actors[followed].near;
        }
        let behind = self.pieces(0..self.water_at, view, moment, &poses);
        let front = self.pieces(self.water_at..self.cards.len(), view, moment, &poses);
        // Water covers what lies behind it; only the numbers are needed.
        let covered = match &self.surface {
            Some(_) => Surface::first_row(view),
            None => usize::MAX,
        };
        frame
            .par_chunks_mut(width * BAND)
            .for_each(|rows| rows.fill([0; 4]));
        let draw = |frame: &mut [Pixel], pieces: &[Piece<'_>], covered: usize, air: &Air| {
            frame
                .par_chunks_mut(width * BAND)
                .enumerate()
                .for_each(|(band, rows)| {
                    for (row, out) in rows.chunks_mut(width).enumerate() {
                        let row = band * BAND + row;
                        let first = pieces.iter().rposition(|piece| piece.hides(view, row));
                        for piece in &pieces[first.unwrap_or(0)..] {
                            if row < covered || piece.has_number() {
                                piece.row(view, row, out);
                            }
                        }
                        air.row(row, out);
                    }
                });
        };
        draw(frame, &behind, covered, &Air::Clear);
        if let Some(surface) = &self.surface {
            let mirrored = self.mirrored(view, &poses);
            surface.draw(frame, view, moment.time, &mirrored);
        }
        let mut front = front;
        self.effects
            .lights(view, moment, &poses, &self.actors, self.light(), &mut front);
        let air = if self.scene().setting == "underwater" {
            Air::bubbles(view, moment.time, self.seed)
        } else {
            Air::new(self.light(), view, moment.time, moment.amount, self.seed)
        };
        draw(frame, &front, usize::MAX, &air);
        if moment.flash > 0.0 {
            let light = (moment.flash * 90.0) as u32;
            frame.par_iter_mut().for_each(|pixel| {
                for (c, most) in [(0, 232_u32), (1, 238), (2, 255)] {
                    let under = u32::from(pixel[c]);
                    pixel[c] = (under + most.saturating_sub(under) * light / 256) as u8;
                }
            });
        }
    }

    fn pieces<'a>(
        &'a self,
        cards: std::ops::Range<usize>,
        view: &View,
        moment: Moment,
        poses: &[Pose],
    ) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        for number in cards {
            let card = &self.cards[number];
            match self.of[number] {
                Some(actor) => {
                    let pose = poses[actor];
                    pieces.push(self.acted(card, &self.actors[actor], pose, view));
                    if card.kind == LayerKind::Subject {
                        self.effects
                            .smoke(actor, view, moment, &self.actors, self.light(), &mut pieces);
                    }
                }
                None => pieces.push(self.scenery(card, view, moment)),
            }
            if card.kind == LayerKind::Sky {
                pieces.extend(self.disc(view, moment).map(Piece::Disc));
            }
            let next_is_far = self
                .cards
                .get(number + 1)
                .is_none_or(|next| next.kind != LayerKind::Clouds);
            if matches!(card.kind, LayerKind::Sky | LayerKind::Clouds) && next_is_far && moment.flash > 0.02 {
                pieces.extend(effects::bolt(view, moment, self.seed).map(Piece::Bolt));
            }
        }
        pieces
    }

    fn scenery<'a>(&self, card: &'a Card, view: &View, moment: Moment) -> Piece<'a> {
        if card.kind == LayerKind::Lettering {
            // Words belong to the frame.
            let scale = self.layered.frame().width as f32 / view.width;
            let axis = super::view::Axis {
                scale,
                offset: 0.5 * scale,
            };
            return Piece::Upright {
                card,
                x: axis,
                y: axis,
                drift: Drift::default(),
            };
        }
        if card.lies {
            return Piece::Ground(card);
        }
        let (x, y) = view.upright(card.near);
        let drift = if card.beyond == Beyond::Mirror {
            let way = if self.seed & 2 == 0 { 1.0 } else { -1.0 };
            let horizon = self.horizon().unwrap_or(view.height);
            let gone = way * CLOUDS * self.px * moment.slow;
            if card.near > 0.05 {
                // Clouds around the viewer pass faster the nearer they are.
                Drift {
                    base: gone * (0.3 + 1.4 * card.near),
                    ..Drift::default()
                }
            } else {
                Drift {
                    base: gone * 0.16,
                    rise: gone * 0.9 / horizon.max(1.0),
                    horizon,
                }
            }
        } else {
            Drift::default()
        };
        Piece::Upright { card, x, y, drift }
    }

    fn acted<'a>(&self, card: &'a Card, actor: &Actor, pose: Pose, view: &View) -> Piece<'a> {
        // An approaching actor stands lower on the ground.
        let near = (actor.near * pose.size).min(1.6);
        let axes = view.upright(near);
        let mut shift = pose.shift;
        if let Some(horizon) = self.horizon()
            && (pose.size - 1.0).abs() > 1e-6
        {
            shift.1 += (actor.pivot.1 - horizon) * (pose.size - 1.0);
        }
        let mut placing = Placing {
            pivot: actor.pivot,
            shift,
            size: (pose.size, pose.size),
            turn: pose.turn,
        };
        if card.kind == LayerKind::Shadow {
            placing.turn = 0.0;
            placing.shift.1 -= pose.shift.1;
            return Piece::Turned(Turned::new(card, axes, placing, super::act::Bent::default()));
        }
        Piece::Turned(Turned::new(card, axes, placing, pose.bent))
    }

    /// Returns the things that float and those that stand at the bank, upside down.
    fn mirrored<'a>(&'a self, view: &View, poses: &[Pose]) -> Vec<Piece<'a>> {
        let tint = self.light().sky[2].mix(self.light().haze, 0.3).to_bytes();
        let strength = match self.surface.as_ref().map(|surface| surface.kind) {
            Some(atelier_picture::scene::Water::Still) => 0.66,
            _ => 0.42,
        };
        let horizon = self.horizon().unwrap_or_default();
        self.cards
            .iter()
            .zip(&self.of)
            .filter_map(|(card, of)| {
                let actor = &self.actors[(*of)?];
                let stands = card.kind == LayerKind::Subject && card.contact.is_some();
                let banked = actor.pivot.1 < horizon + 0.03 * self.px;
                (stands && (actor.afloat || banked || actor.name == "bridge")).then_some((
                    card,
                    actor,
                    poses[(*of)?],
                ))
            })
            .map(|(card, actor, pose)| {
                let placing = Placing {
                    pivot: actor.pivot,
                    shift: (pose.shift.0, -pose.shift.1),
                    size: (pose.size, -0.92 * pose.size),
                    turn: -pose.turn,
                };
                let turned = Turned::new(card, view.upright(actor.near), placing, pose.bent);
                Piece::Turned(turned.mirrored(strength, tint))
            })
            .collect()
    }

    fn disc(&self, view: &View, moment: Moment) -> Option<Disc> {
        let disc = self.scene().disc?;
        let course = moment.course?;
        let horizon = self.horizon()?;
        let light = self.light();
        let (x, y) = view.upright(0.0);
        let height = horizon.max(self.layered.frame().h * self.px * 0.3);
        let up = horizon - course * height;
        Some(Disc {
            x: x.back(disc.x * self.px),
            y: y.back(up),
            radius: disc.radius * self.px / x.scale,
            phase: disc.phase,
            color: light.sun,
            seed: disc.seed,
            halo: if disc.phase.is_some() { 0.2 } else { 0.34 } * self.px / x.scale,
        })
    }
}
