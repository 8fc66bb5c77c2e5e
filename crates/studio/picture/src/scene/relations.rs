//! Relations: things related to another one by "on", "under", "behind" and the like are placed by its position, and
//! drawn before or after it.

use tiny_skia::{FillRule, Mask, Transform};

use super::Easel;
use super::put::{Drawn, Put, Stands};
use crate::prompt::lexicon::Relation;
use crate::prompt::{Mention, Prompt};
use crate::subjects::{self, Home};

/// A placed thing that waits to be drawn.
pub(super) struct Stand {
    /// Its mention, by number.
    pub(super) of: usize,
    pub(super) name: String,
    pub(super) drawn: Drawn,
    pub(super) put: Put,
    /// Whether it rests on another thing, off the ground.
    pub(super) lifted: bool,
    /// The drawing order.
    pub(super) order: f32,
}

impl Stand {
    pub(super) fn new(of: usize, mention: &Mention, drawn: Drawn, put: Put) -> Self {
        Self {
            of,
            name: mention.name().to_owned(),
            drawn,
            order: put.y,
            put,
            lifted: false,
        }
    }

    /// Width and height in units.
    fn size(&self) -> (f32, f32) {
        self.drawn.size(self.put.extent)
    }
}

/// The mention at the end of the chain of relations.
pub(super) fn root(prompt: &Prompt, mention: usize) -> usize {
    let mut at = mention;
    for _ in 0..4 {
        match prompt.mentions[at].tie {
            Some((_, anchor)) if anchor != at && !is_afar(prompt.mentions[anchor].subject.home) => {
                at = anchor;
            }
            _ => break,
        }
    }
    at
}

/// Whether nothing can stand beside it: the sun, a plane.
fn is_afar(home: Home) -> bool {
    matches!(home, Home::Heaven | Home::Air | Home::Space)
}

/// The mentions, with their numbers, whose chain ends at one of these homes.
pub(super) fn at_home<'a>(prompt: &'a Prompt, homes: &[Home]) -> Vec<(usize, &'a Mention)> {
    let there = |i: usize| homes.contains(&prompt.mentions[root(prompt, i)].subject.home);
    prompt
        .mentions
        .iter()
        .enumerate()
        .filter(|(i, _)| there(*i))
        .collect()
}

/// Whether something will stand on it or hover above it, so that it must leave room.
pub(super) fn carries(prompt: &Prompt, mention: usize) -> bool {
    prompt
        .mentions
        .iter()
        .any(|m| matches!(m.tie, Some((Relation::On | Relation::Above, anchor)) if anchor == mention))
}

/// The horizontal position of something that others stand beside, if any do.
pub(super) fn lean(prompt: &Prompt, mention: usize) -> Option<f32> {
    prompt.mentions.iter().find_map(|m| match m.tie {
        Some((Relation::Left, anchor)) if anchor == mention => Some(0.66),
        Some((Relation::Right | Relation::Beside, anchor)) if anchor == mention => Some(0.34),
        Some((Relation::LeaningOn, anchor)) if anchor == mention => Some(0.58),
        _ => None,
    })
}

/// Adds what is related to placed things, and sorts everything by drawing order.
pub(super) fn relate(easel: &mut Easel, prompt: &Prompt, ready: &mut Vec<Stand>) {
    for _ in 0..3 {
        for (i, mention) in prompt.mentions.iter().enumerate() {
            let Some((relation, anchor)) = mention.tie else {
                continue;
            };
            if ready.iter().any(|stand| stand.of == i) || root(prompt, i) == i {
                continue;
            }
            let Some(at) = ready.iter().position(|stand| stand.of == anchor) else {
                continue;
            };
            for k in 0..mention.count {
                let across = (k as f32 + 0.5) / mention.count as f32 - 0.5;
                let stand = tied(easel, (i, mention), relation, across, &ready[at]);
                ready.push(stand);
            }
        }
    }
    ready.sort_by(|a, b| a.order.total_cmp(&b.order));
}

#[expect(clippy::too_many_lines, reason = "one arm for each relation")]
/// One of several things related to an anchor; `across` is its position among them, from -0.5 to 0.5.
fn tied(
    easel: &mut Easel,
    (of, mention): (usize, &Mention),
    relation: Relation,
    across: f32,
    anchor: &Stand,
) -> Stand {
    let frame = easel.frame;
    let mut drawn = match (mention.subject.name(), relation, subjects::named("robin")) {
        // Flying things spread their wings; on a branch they sit.
        ("bird", Relation::On, Some(sitting)) if mention.from.is_none() => {
            Drawn::new(easel, sitting, mention.color)
        }
        _ => Drawn::mention(easel, mention),
    };
    let (aw, ah) = anchor.size();
    let own = mention.subject.metres / anchor_metres(anchor);
    let crowd = (mention.count as f32).powf(-0.4);
    let mut extent = anchor.put.extent * own.powf(0.6).clamp(0.2, 1.9) * mention.size * crowd;
    let top = anchor.put.y - ah;
    let anchor_x = anchor.put.x;
    let mut put = Put {
        x: anchor_x,
        y: anchor.put.y,
        extent,
        flip: easel.rng.sign(),
        depth: anchor.put.depth,
        stands: anchor.put.stands,
    };
    let mut order = anchor.order + 0.0005;
    let width = |extent: f32, drawn: &Drawn| drawn.size(extent).0;
    match relation {
        Relation::On | Relation::In | Relation::ReflectedIn => {
            extent = extent.min(0.8 * aw.max(ah)).min(0.9 * top.max(0.1));
            let shape = Silhouette::of(&anchor.drawn);
            let u = if mention.count > 1 {
                across
            } else {
                seat_across(&anchor.name)
            };
            let seat = seat(&anchor.name).unwrap_or_else(|| shape.top(u));
            put.x = anchor_x + anchor.put.flip * u * aw;
            // Slightly into it, so that nothing hovers.
            put.y = anchor.put.y - ah * seat + 0.02 * extent;
            put.stands = Stands::Water;
        }
        Relation::Under => {
            let room = match anchor.name.as_str() {
                "dining table" | "umbrella" | "bridge" | "torii" => 0.58,
                "chair" | "bench" => 0.36,
                _ => 0.34,
            };
            let (_, high) = drawn.size(1.0);
            extent = extent
                .max(0.28 * anchor.put.extent)
                .min(room * ah / high.max(0.05));
            put.x = anchor_x + across * aw + if mention.count == 1 { 0.06 * aw } else { 0.0 };
            put.y = anchor.put.y + 0.012;
        }
        Relation::Above => {
            let room = (top - 0.05).max(0.08);
            let (_, high) = drawn.size(1.0);
            extent = extent.min(0.85 * room / high.max(0.05));
            let tall = drawn.size(extent).1;
            put.x = anchor_x + across * aw * 1.4;
            put.y = (top - 0.25 * (room - tall).max(0.05) - 0.5 * tall).max(0.5 * tall + 0.02);
            put.stands = Stands::Free;
            order += 0.2;
        }
        Relation::Before => {
            extent = (extent * 1.12).min(0.5 * frame.short());
            put.x = anchor_x
                + aw * if mention.count > 1 {
                    across * 1.1
                } else {
                    0.24 * put.flip
                };
            put.y = (anchor.put.y + 0.055).min(frame.h * 0.97);
            order = put.y;
        }
        Relation::Behind => {
            let (_, high) = drawn.size(1.0);
            extent = extent.min(0.9 * anchor.put.y / high.max(0.05));
            let (wide, tall) = drawn.size(extent);
            // A thing lower than the one in front of it shows at its side.
            let out = if tall > ah * 1.1 {
                0.3 * aw
            } else {
                0.5 * aw + 0.16 * wide
            };
            put.x = anchor_x + out * if anchor_x < 0.5 * frame.w { 1.0 } else { -1.0 } + across * aw;
            put.y = anchor.put.y - 0.03;
            order = anchor.order - 0.001;
        }
        Relation::Left | Relation::Right | Relation::Beside => {
            let right = match relation {
                Relation::Left => false,
                Relation::Right => true,
                _ => anchor_x < 0.5 * frame.w,
            };
            let room = if right { frame.w - anchor_x } else { anchor_x } - 0.5 * aw - 0.03;
            extent = extent.min(extent * room.max(0.06) / width(extent, &drawn).max(0.01));
            let gap = 0.5 * (aw + width(extent, &drawn)) + 0.015;
            put.x = anchor_x + (gap + (across + 0.5) * 0.1) * if right { 1.0 } else { -1.0 };
            put.y += 0.01;
            put.flip = if right { -1.0 } else { 1.0 };
        }
        Relation::LeaningOn => {
            extent = extent.max(0.34 * anchor.put.extent);
            let (wide, tall) = drawn.size(extent);
            let side = if anchor_x < 0.5 * frame.w { 1.0 } else { -1.0 };
            let foot = Silhouette::of(&anchor.drawn).foot() * aw * 0.5;
            let slender = wide < 0.6 * tall;
            let angle: f32 = if slender { 0.26 } else { 0.07 };
            drawn.turn = side * angle * put.flip;
            put.x = anchor_x
                + side
                    * (foot
                        + if slender {
                            tall * angle.sin() * 0.8
                        } else {
                            0.36 * wide
                        });
            put.y += 0.012;
        }
    }
    put.extent = extent;
    let half = 0.5 * width(extent, &drawn);
    if 2.0 * half < frame.w - 0.04 {
        put.x = put.x.clamp(half + 0.015, frame.w - half - 0.015);
    }
    Stand {
        of,
        name: mention.name().to_owned(),
        drawn,
        put,
        lifted: matches!(relation, Relation::On | Relation::Above),
        order,
    }
}

fn anchor_metres(anchor: &Stand) -> f32 {
    // A thing without a drawing is cut out of a picture.
    subjects::named(&anchor.name).map_or(subjects::CUTOUT.metres, |subject| subject.metres)
}

/// The height of a seat on it, if that is not its top.
fn seat(name: &str) -> Option<f32> {
    Some(match name {
        "chair" => 0.47,
        "bench" | "rowboat" => 0.5,
        "boat" | "fishing boat" => 0.16,
        "ship" => 0.2,
        "horse" => 0.66,
        "camel" => 0.8,
        "tree" | "pine" | "birch" | "cherry tree" => 0.72,
        _ => return None,
    })
}

/// The horizontal position of a seat, as a share of its width from its centre.
fn seat_across(name: &str) -> f32 {
    match name {
        "chair" => 0.06,
        "boat" => -0.24,
        "tree" | "cherry tree" => 0.3,
        "pine" => 0.08,
        "house" | "barn" | "church" | "cabin" => 0.0,
        _ => 0.04,
    }
}

const GRID: u32 = 64;

/// A drawing's outline, coarsely.
struct Silhouette(Option<Mask>);

impl Silhouette {
    fn of(drawn: &Drawn) -> Self {
        let (left, bottom, right, top) = drawn.bounds;
        let (w, h) = ((right - left).max(1e-3), (top - bottom).max(1e-3));
        let onto = Transform::from_row(
            GRID as f32 / w,
            0.0,
            0.0,
            -(GRID as f32) / h,
            -left * GRID as f32 / w,
            top * GRID as f32 / h,
        );
        let mut mask = Mask::new(GRID, GRID);
        if let Some(mask) = &mut mask {
            for (path, paint) in &drawn.pen.shapes {
                if paint.solid() {
                    mask.fill_path(path, FillRule::Winding, true, onto);
                }
            }
            drawn.each_opaque(GRID as usize, |i| mask.data_mut()[i] = 255);
        }
        Self(mask)
    }

    fn is_in(&self, column: u32, row: u32) -> bool {
        self.0
            .as_ref()
            .is_some_and(|mask| mask.data()[(row * GRID + column) as usize] > 127)
    }

    /// The height of its top there, as a share of its height; `u` goes from -0.5 to 0.5 across.
    fn top(&self, u: f32) -> f32 {
        let middle = ((u + 0.5) * GRID as f32).clamp(1.0, GRID as f32 - 2.0) as u32;
        // The lowest of three columns: feet stand on all of it.
        (middle - 1..=middle + 1)
            .filter_map(|column| (0..GRID).find(|row| self.is_in(column, *row)))
            .max()
            .map_or(0.9, |row| 1.0 - row as f32 / GRID as f32)
    }

    /// Its width at the ground, as a share of its width.
    fn foot(&self) -> f32 {
        let rows = GRID - 8..GRID - 2;
        let columns = (0..GRID).filter(|column| rows.clone().any(|row| self.is_in(*column, row)));
        let (first, last) = (columns.clone().min(), columns.max());
        match (first, last) {
            (Some(first), Some(last)) => (last - first + 1) as f32 / GRID as f32,
            _ => 0.5,
        }
    }
}
