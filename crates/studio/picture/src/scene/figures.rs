//! The things that stand outdoors: afloat, on the ground and in the air, and those added to a picture.

use super::Easel;
use super::put::{Drawn, Put, Stands};
use super::relations::{self, Stand};
use crate::prompt::meaning::{Camera, Relation, Terrain};
use crate::prompt::{Mention, Prompt};
use crate::subjects::Home;

/// The places where things can stand in this picture.
pub(super) struct Land {
    pub(super) horizon: f32,
    /// Whether there is water that mirrors.
    pub(super) water: bool,
    /// The place on the water where a thing floats, from 0 to 1 across.
    pub(super) busy: Option<f32>,
    /// The start of the near ground; none on the open sea.
    pub(super) near: Option<f32>,
    /// The top of a cliff and the room on it.
    pub(super) brow: Option<(f32, f32)>,
}

/// Everything that floats and what is related to it, in drawing order.
pub(super) fn afloat(easel: &mut Easel, prompt: &Prompt, land: &Land) -> Vec<Stand> {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let mentions: Vec<(usize, &Mention)> = relations::at_home(prompt, &[Home::Water, Home::Deep])
        .into_iter()
        .filter(|(i, _)| relations::root(prompt, *i) == *i)
        .collect();
    let total: u32 = mentions.iter().map(|(_, m)| m.count).sum();
    let crowd = 1.0 / (total.max(1) as f32).powf(0.34);
    let rich = if prompt.terrain.len() > 1 { 0.82 } else { 1.0 };
    let mut out = Vec::new();
    let shift = easel.rng.near(0.0, 0.06);
    let mut slot = 0;
    for (of, mention) in mentions {
        let lone = total == 1;
        for _ in 0..mention.count {
            let drawn = Drawn::mention(easel, mention);
            let t = if let Some(lean) = relations::lean(prompt, of) {
                lean
            } else if total == 1 {
                easel.rng.pick(&[0.36, 0.64])
            } else {
                (slot as f32 + 0.5) / total as f32
            };
            let row = if total == 1 {
                0.42
            } else {
                [0.3, 0.58, 0.16, 0.44][slot % 4]
            };
            let span = if land.near.is_some() || prompt.has(Terrain::Beach) {
                0.42
            } else {
                0.62
            };
            let y = land.horizon + (h - land.horizon) * (0.04 + span * row);
            let near = 0.55 + 0.75 * row;
            let real = (mention.subject.metres / 9.0).powf(0.3);
            let base = if mention.subject.name() == "bridge" {
                0.8
            } else if lone {
                0.4
            } else {
                0.34
            };
            let extent =
                (easel.frame.short() * base * crowd * rich * near * real * mention.size).min(w.min(h) * 0.7);
            let x = w * (0.1 + 0.8 * t + shift + if total > 1 { easel.rng.near(0.0, 0.03) } else { 0.0 });
            // Nothing leaves the picture.
            let half = 0.5 * drawn.size(extent).0;
            let x = x.clamp((half + 0.01).min(0.5 * w), (w - half - 0.01).max(0.5 * w));
            let put = Put {
                x,
                y,
                extent,
                flip: easel.rng.sign(),
                depth: 0.34 * (1.0 - row),
                stands: Stands::Water,
            };
            out.push(Stand::new(of, mention, drawn, put));
            slot += 1;
        }
    }
    relations::relate(easel, prompt, &mut out);
    out
}

/// Returns the things on the far bank that are mirrored in the water.
pub(super) fn banked(easel: &mut Easel, prompt: &Prompt, land: &Land) -> Vec<Stand> {
    let (w, short) = (easel.frame.w, easel.frame.short());
    let mirrored = |m: &Mention| m.reflected && matches!(m.subject.home, Home::Ground | Home::Table);
    let mut out = Vec::new();
    let total: u32 = prompt
        .mentions
        .iter()
        .filter(|m| mirrored(m))
        .map(|m| m.count)
        .sum();
    for (of, mention) in prompt.mentions.iter().enumerate().filter(|(_, m)| mirrored(m)) {
        for _ in 0..mention.count {
            let drawn = Drawn::mention(easel, mention);
            let t = if total == 1 {
                easel.rng.pick(&[0.4, 0.6])
            } else {
                (out.len() as f32 + 0.5) / total as f32
            };
            let real = (mention.subject.metres / 14.0).powf(0.25).clamp(0.55, 1.25);
            let extent =
                (short * 0.42 * real * mention.size / (total as f32).powf(0.3)).min(0.8 * land.horizon);
            let put = Put {
                x: w * t,
                y: land.horizon + 0.012,
                extent,
                flip: easel.rng.sign(),
                depth: 0.26,
                stands: Stands::Water,
            };
            out.push(Stand::new(of, mention, drawn, put));
        }
    }
    out
}

/// Places everything else: first the sky, then what stands, then what flies.
pub(super) fn place(easel: &mut Easel, prompt: &Prompt, land: &Land) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let short = easel.frame.short();
    for mention in prompt.mentions.iter().filter(|m| m.subject.home == Home::Heaven) {
        for i in 0..mention.count {
            let drawn = Drawn::mention(easel, mention);
            let bow = mention.subject.name() == "rainbow";
            let x = if bow {
                0.5
            } else {
                easel.light.disc.0 + 0.2 * i as f32
            };
            let y = if bow {
                land.horizon
            } else {
                (land.horizon - easel.light.disc.1 * land.horizon).max(h * 0.14)
            };
            let extent = if bow { w * 0.8 } else { short * 0.16 * mention.size };
            let stands = if bow { Stands::Water } else { Stands::Free };
            easel.put(
                mention.name(),
                &drawn,
                &Put {
                    x: w * x,
                    y,
                    extent,
                    flip: 1.0,
                    depth: 0.0,
                    stands,
                },
            );
        }
    }
    standing(easel, prompt, land);
    let flyers: Vec<(usize, &Mention)> = relations::at_home(prompt, &[Home::Air, Home::Space]);
    let total: u32 = flyers.iter().map(|(_, m)| m.count).sum();
    let mut slot = 0;
    let mut aloft = Vec::new();
    for (of, mention) in flyers.iter().filter(|(i, _)| relations::root(prompt, *i) == *i) {
        for _ in 0..mention.count {
            let drawn = Drawn::mention(easel, mention);
            let real = (mention.subject.metres / 9.0).powf(0.32);
            let extent = (short * 0.34 * real * mention.size / (total as f32).powf(0.4)).min(short * 0.5);
            let t = if total == 1 {
                1.0 - easel.light.disc.0
            } else {
                (slot as f32 + 0.5) / total as f32
            };
            let x = w * (0.1 + 0.8 * t) + easel.rng.near(0.0, 0.05);
            let y = land.horizon * easel.rng.range(0.28, 0.58);
            let put = Put {
                x,
                y,
                extent,
                flip: easel.rng.sign(),
                depth: 0.18,
                stands: Stands::Free,
            };
            aloft.push(Stand::new(*of, mention, drawn, put));
            slot += 1;
        }
    }
    relations::relate(easel, prompt, &mut aloft);
    for stand in &aloft {
        easel.put(&stand.name, &stand.drawn, &stand.put);
    }
}

/// Draws the things that stand on the ground, far to near; small things in front of tall ones.
fn standing(easel: &mut Easel, prompt: &Prompt, land: &Land) {
    let mirrored = |m: &Mention| m.reflected && land.water;
    let mentions: Vec<(usize, &Mention)> = relations::at_home(prompt, &[Home::Ground, Home::Table])
        .into_iter()
        .filter(|(i, m)| relations::root(prompt, *i) == *i && !mirrored(m))
        .collect();
    let total: u32 = mentions.iter().map(|(_, m)| m.count).sum();
    if total == 0 {
        return;
    }
    let company = Company::new(easel, prompt, land, &mentions, total);
    let mut ready = Vec::new();
    for (order, (of, mention)) in mentions.iter().enumerate() {
        for k in 0..mention.count {
            let slot = ready.len();
            let stand = company.place(easel, (*of, mention), order, (slot, k as usize));
            ready.push(stand);
        }
    }
    relations::relate(easel, prompt, &mut ready);
    for stand in &ready {
        easel.put(&stand.name, &stand.drawn, &stand.put);
    }
}

/// The things that stand on the ground together, and what decides their places and sizes.
struct Company<'a> {
    prompt: &'a Prompt,
    land: &'a Land,
    /// How many kinds of things stand, and how many things.
    kinds: usize,
    total: u32,
    /// Whether each kind has a single thing.
    is_each_single: bool,
    tallest: f32,
    /// The size of the tallest thing if it were alone, in units.
    extent: f32,
    /// The position of the first thing across, from 0 to 1.
    lead: f32,
}

impl<'a> Company<'a> {
    fn new(
        easel: &mut Easel,
        prompt: &'a Prompt,
        land: &'a Land,
        mentions: &[(usize, &Mention)],
        total: u32,
    ) -> Self {
        let crowd = 1.0 / (total as f32).powf(0.36);
        let rich = if prompt.terrain.is_empty() { 0.62 } else { 0.48 };
        let camera = match prompt.camera {
            Some(Camera::Close) => 1.5,
            Some(Camera::Low) => 1.35,
            Some(Camera::Wide | Camera::Aerial) => 0.66,
            _ => 1.0,
        };
        // Floating things keep to their side of the picture.
        let lead = match land.busy {
            Some(x) if x < 0.5 => easel.rng.range(0.72, 0.8),
            Some(_) => easel.rng.range(0.2, 0.28),
            None => easel.rng.pick(&[0.36, 0.64]),
        };
        let rich = if land.busy.is_some() { rich * 0.74 } else { rich };
        Self {
            prompt,
            land,
            kinds: mentions.len(),
            total,
            is_each_single: mentions.iter().all(|(_, m)| m.count == 1),
            tallest: mentions
                .iter()
                .map(|(_, m)| m.subject.metres)
                .fold(0.05, f32::max),
            extent: easel.frame.short() * rich * camera * crowd,
            lead,
        }
    }

    /// Returns the position of a thing across, from 0 to 1. It is the `slot`-th of all, of the `order`-th kind.
    fn across(&self, (of, mention): (usize, &Mention), order: usize, slot: usize) -> f32 {
        let lead = self.lead;
        let mut t = if self.total == 1 {
            lead
        } else {
            lead_or_row(self.land, lead, slot, self.total)
        };
        match mention.relation {
            Some(Relation::Left) => t = 0.26,
            Some(Relation::Right) => t = 0.74,
            _ => {}
        }
        if self.kinds == 2 && self.is_each_single {
            t = if self.land.busy.is_some() {
                lead + 0.16 * order as f32 * (0.5 - lead).signum()
            } else if order == 0 {
                lead
            } else {
                1.0 - lead * 0.94
            };
        }
        relations::lean(self.prompt, of).unwrap_or(t)
    }

    /// How near a thing stands, from 0 (the far edge of the ground) to 1.
    fn row(&self, mention: &Mention, real: f32, turn: usize) -> f32 {
        let row = match mention.relation {
            Some(Relation::Behind) => 0.05,
            Some(Relation::Before) => 0.7,
            _ if self.total == 1 => 0.42,
            _ => [0.34, 0.56, 0.2, 0.68, 0.44][turn % 5],
        };
        let small = (1.0 - real).max(0.0) * 0.35;
        (row + small).min(0.86)
    }

    /// Places the `k`-th thing of a mention.
    fn place(
        &self,
        easel: &mut Easel,
        (of, mention): (usize, &Mention),
        order: usize,
        (slot, k): (usize, usize),
    ) -> Stand {
        let (w, h) = (easel.frame.w, easel.frame.h);
        let drawn = Drawn::mention(easel, mention);
        let real = (mention.subject.metres / self.tallest).powf(0.42);
        let mut extent = self.extent * real * mention.size;
        let t = self.across((of, mention), order, slot);
        let (x, y, depth) = if let Some((bx, by)) = self.land.brow {
            let front = mention.relation == Some(Relation::Before);
            let spread = if self.total == 1 {
                0.0
            } else {
                (t - 0.5) * 0.34 * w
            };
            extent *= 0.92;
            (bx + spread, by + 0.004 * f32::from(u8::from(front)), 0.08)
        } else {
            let top = self.land.near.unwrap_or(self.land.horizon + 0.1 * h);
            let row = self.row(mention, real, slot + k);
            extent *= 0.72 + 0.5 * row;
            let stray = if self.total > 2 {
                easel.rng.near(0.0, 0.03)
            } else {
                0.0
            };
            (
                w * (0.08 + 0.84 * t) + stray,
                top + (h - top) * row,
                0.16 * (1.0 - row),
            )
        };
        let carries = relations::carries(self.prompt, of);
        let extent = extent.min(y * if carries { 0.56 } else { 0.92 });
        let half = 0.5 * drawn.size(extent).0;
        let put = Put {
            x: x.clamp((half * 0.9).min(0.5 * w), (w - half * 0.9).max(0.5 * w)),
            y,
            extent,
            flip: easel.rng.sign(),
            depth,
            stands: Stands::Ground,
        };
        Stand::new(of, mention, drawn, put)
    }
}

/// Horizontal positions: in a row, or on the free side of the water.
fn lead_or_row(land: &Land, lead: f32, slot: usize, total: u32) -> f32 {
    let t = (slot as f32 + 0.5) / total as f32;
    if land.busy.is_some() {
        lead + (t - 0.5) * 0.4
    } else {
        t
    }
}

/// Things added to an existing picture: standing things in its lower part, flying ones in its upper part.
pub(super) fn added(easel: &mut Easel, prompt: &Prompt) {
    let (w, h, short) = (easel.frame.w, easel.frame.h, easel.frame.short());
    let mentions: Vec<&Mention> = prompt.mentions.iter().filter(|m| m.added).collect();
    let total: u32 = mentions.iter().map(|m| m.count).sum();
    let mut slot = 0;
    for mention in mentions {
        for _ in 0..mention.count {
            let drawn = Drawn::mention(easel, mention);
            let flies = matches!(mention.subject.home, Home::Air | Home::Space | Home::Heaven);
            let t = match mention.relation {
                Some(Relation::Left) => 0.24,
                Some(Relation::Right) => 0.76,
                _ if total == 1 => easel.rng.pick(&[0.3, 0.7]),
                _ => (slot as f32 + 0.5) / total as f32,
            };
            let y = h * if flies {
                easel.rng.range(0.16, 0.3)
            } else {
                easel.rng.range(0.82, 0.9)
            };
            let extent = short * if flies { 0.2 } else { 0.3 } * mention.size / (total as f32).powf(0.3);
            let stands = match mention.subject.home {
                Home::Ground | Home::Table => Stands::Ground,
                Home::Water => Stands::Water,
                _ => Stands::Free,
            };
            let put = Put {
                x: w * t,
                y,
                extent,
                flip: easel.rng.sign(),
                depth: 0.0,
                stands,
            };
            if stands == Stands::Water {
                easel.reflect(mention.subject.name(), &drawn, &put, 0.4);
            }
            easel.put(mention.name(), &drawn, &put);
            slot += 1;
        }
    }
}
