//! Relations: things related to another one by "on", "under", "behind" and the like are placed by its position, and
//! drawn before or after it.

use tiny_skia::{FillRule, Mask, Transform};

use super::Easel;
use super::put::{Drawn, Put, Stands};
use crate::draw::Frame;
use crate::prompt::meaning::Relation;
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

/// One of several things related to an anchor; `across` is its position among them, from -0.5 to 0.5.
fn tied(
    easel: &mut Easel,
    (of, mention): (usize, &Mention),
    relation: Relation,
    across: f32,
    anchor: &Stand,
) -> Stand {
    let drawn = match (mention.subject.name(), relation, subjects::named("robin")) {
        // Flying things spread their wings; on a branch they sit.
        ("bird", Relation::On, Some(sitting)) if mention.from.is_none() => {
            Drawn::new(easel, sitting, mention.color)
        }
        _ => Drawn::mention(easel, mention),
    };
    let own = mention.subject.metres / anchor_metres(anchor);
    let crowd = (mention.count as f32).powf(-0.4);
    let extent = anchor.put.extent * own.powf(0.6).clamp(0.2, 1.9) * mention.size * crowd;
    let put = Put {
        x: anchor.put.x,
        y: anchor.put.y,
        extent,
        flip: easel.rng.sign(),
        depth: anchor.put.depth,
        stands: anchor.put.stands,
    };
    let mut placing = Placing {
        anchor,
        frame: easel.frame,
        is_crowd: mention.count > 1,
        across,
        drawn,
        put,
        order: anchor.order + 0.0005,
    };
    match relation {
        Relation::On | Relation::In | Relation::ReflectedIn => placing.on(),
        Relation::Under => placing.under(mention.count == 1),
        Relation::Above => placing.above(),
        Relation::Before => placing.before(),
        Relation::Behind => placing.behind(),
        Relation::Left | Relation::Right | Relation::Beside => placing.beside(relation),
        Relation::LeaningOn => placing.leaning(),
    }
    placing.keep_inside();
    Stand {
        of,
        name: mention.name().to_owned(),
        drawn: placing.drawn,
        put: placing.put,
        lifted: matches!(relation, Relation::On | Relation::Above),
        order: placing.order,
    }
}

/// A thing that is being placed by its relation to an anchor.
struct Placing<'a> {
    anchor: &'a Stand,
    frame: Frame,
    /// Whether it is one of several.
    is_crowd: bool,
    /// Its position among them, from -0.5 to 0.5.
    across: f32,
    drawn: Drawn,
    put: Put,
    order: f32,
}

impl Placing<'_> {
    /// The upper edge of the anchor.
    fn top(&self) -> f32 {
        self.anchor.put.y - self.anchor.size().1
    }

    /// 1 if there is more room to the right of the anchor, otherwise -1.
    fn free_side(&self) -> f32 {
        if self.anchor.put.x < 0.5 * self.frame.w {
            1.0
        } else {
            -1.0
        }
    }

    fn on(&mut self) {
        let (aw, ah) = self.anchor.size();
        let room = self.top().max(0.1);
        let extent = self.put.extent.min(0.8 * aw.max(ah)).min(0.9 * room);
        let shape = Silhouette::of(&self.anchor.drawn);
        let u = if self.is_crowd {
            self.across
        } else {
            seat_across(&self.anchor.name)
        };
        let seat = seat(&self.anchor.name).unwrap_or_else(|| shape.top(u));
        self.put.x = self.anchor.put.x + self.anchor.put.flip * u * aw;
        // Slightly into it, so that nothing hovers.
        self.put.y = self.anchor.put.y - ah * seat + 0.02 * extent;
        self.put.stands = Stands::Water;
        self.put.extent = extent;
    }

    fn under(&mut self, is_single: bool) {
        let (aw, ah) = self.anchor.size();
        let room = match self.anchor.name.as_str() {
            "dining table" | "umbrella" | "bridge" | "torii" => 0.58,
            "chair" | "bench" => 0.36,
            _ => 0.34,
        };
        let (_, high) = self.drawn.size(1.0);
        let extent = self.put.extent.max(0.28 * self.anchor.put.extent);
        self.put.extent = extent.min(room * ah / high.max(0.05));
        self.put.x = self.anchor.put.x + self.across * aw + if is_single { 0.06 * aw } else { 0.0 };
        self.put.y = self.anchor.put.y + 0.012;
    }

    fn above(&mut self) {
        let (aw, _) = self.anchor.size();
        let room = (self.top() - 0.05).max(0.08);
        let (_, high) = self.drawn.size(1.0);
        let extent = self.put.extent.min(0.85 * room / high.max(0.05));
        let tall = self.drawn.size(extent).1;
        self.put.x = self.anchor.put.x + self.across * aw * 1.4;
        self.put.y = (self.top() - 0.25 * (room - tall).max(0.05) - 0.5 * tall).max(0.5 * tall + 0.02);
        self.put.stands = Stands::Free;
        self.put.extent = extent;
        self.order += 0.2;
    }

    fn before(&mut self) {
        let (aw, _) = self.anchor.size();
        self.put.extent = (self.put.extent * 1.12).min(0.5 * self.frame.short());
        let aside = if self.is_crowd {
            self.across * 1.1
        } else {
            0.24 * self.put.flip
        };
        self.put.x = self.anchor.put.x + aw * aside;
        self.put.y = (self.anchor.put.y + 0.055).min(self.frame.h * 0.97);
        self.order = self.put.y;
    }

    fn behind(&mut self) {
        let (aw, ah) = self.anchor.size();
        let (_, high) = self.drawn.size(1.0);
        let extent = self.put.extent.min(0.9 * self.anchor.put.y / high.max(0.05));
        let (wide, tall) = self.drawn.size(extent);
        // A thing lower than the one in front of it shows at its side.
        let out = if tall > ah * 1.1 {
            0.3 * aw
        } else {
            0.5 * aw + 0.16 * wide
        };
        self.put.x = self.anchor.put.x + out * self.free_side() + self.across * aw;
        self.put.y = self.anchor.put.y - 0.03;
        self.put.extent = extent;
        self.order = self.anchor.order - 0.001;
    }

    fn beside(&mut self, relation: Relation) {
        let (aw, _) = self.anchor.size();
        let x = self.anchor.put.x;
        let right = match relation {
            Relation::Left => false,
            Relation::Right => true,
            _ => x < 0.5 * self.frame.w,
        };
        let room = if right { self.frame.w - x } else { x } - 0.5 * aw - 0.03;
        let extent = self.put.extent;
        let extent = extent.min(extent * room.max(0.06) / self.drawn.size(extent).0.max(0.01));
        let gap = 0.5 * (aw + self.drawn.size(extent).0) + 0.015;
        self.put.x = x + (gap + (self.across + 0.5) * 0.1) * if right { 1.0 } else { -1.0 };
        self.put.y += 0.01;
        self.put.flip = if right { -1.0 } else { 1.0 };
        self.put.extent = extent;
    }

    fn leaning(&mut self) {
        let (aw, _) = self.anchor.size();
        let extent = self.put.extent.max(0.34 * self.anchor.put.extent);
        let (wide, tall) = self.drawn.size(extent);
        let side = self.free_side();
        let foot = Silhouette::of(&self.anchor.drawn).foot() * aw * 0.5;
        let slender = wide < 0.6 * tall;
        let angle: f32 = if slender { 0.26 } else { 0.07 };
        self.drawn.turn = side * angle * self.put.flip;
        let reach = if slender {
            tall * angle.sin() * 0.8
        } else {
            0.36 * wide
        };
        self.put.x = self.anchor.put.x + side * (foot + reach);
        self.put.y += 0.012;
        self.put.extent = extent;
    }

    /// Moves it into the frame, if it fits.
    fn keep_inside(&mut self) {
        let half = 0.5 * self.drawn.size(self.put.extent).0;
        if 2.0 * half < self.frame.w - 0.04 {
            self.put.x = self.put.x.clamp(half + 0.015, self.frame.w - half - 0.015);
        }
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
