//! Isometric pictures: a square piece of the world, seen from above at a slant, on a plain ground.

use super::Easel;
use super::put::{Drawn, Put, Stands};
use crate::chance::{fbm, smooth, value};
use crate::draw::pen::Place;
use crate::draw::{Area, Form, Op, Paint, Pen};
use crate::prompt::meaning::Terrain;
use crate::prompt::{Mention, Prompt};
use crate::subjects::{self, Home, Look};
use atelier_retouch::rgb::{Rgb, WHITE};

const CELLS: usize = 9;

/// The kind of a cell of the board.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cell {
    Land,
    Sand,
    Water,
    Road,
    /// A pile of rock this many steps high.
    Rock(f32),
    Tower(f32),
    Tree,
}

pub(super) fn diorama(easel: &mut Easel, prompt: &Prompt) {
    let mut prompt = prompt.clone();
    let housed = prompt.mentions.iter().any(|m| m.subject.name() == "house");
    if prompt.has(Terrain::Village)
        && !housed
        && let Some(house) = subjects::named("house")
    {
        prompt.mentions.push(Mention::new(house, 5));
    }
    let prompt = &prompt;
    let (w, h) = (easel.frame.w, easel.frame.h);
    let light = easel.light.clone();
    let back = light.sky[2]
        .mix(light.sky[1], 0.3)
        .mix(WHITE, 0.35 * (1.0 - light.dark));
    let id = Some(easel.id());
    easel.add(Op::cover(Area::ALL, id, move |spot| {
        let d = (spot.x / w - 0.5).hypot(spot.y / h - 0.5);
        back.mix(back.scale(0.82), smooth(0.1, 0.75, d))
    }));
    let board = board(easel, prompt);
    // One step of the board, in units: right and down.
    let step = easel.frame.short().min(easel.frame.h * 1.05) * 0.95 / CELLS as f32;
    let (dx, dy) = (step * 0.5, step * 0.27);
    let top = (w * 0.5, h * 0.53 - dy * CELLS as f32 + dy * 1.4);
    let at = move |gx: f32, gy: f32| (top.0 + (gx - gy) * dx, top.1 + (gx + gy) * dy);
    base(easel, at, step);
    let stands = stands(easel, prompt, &board);
    for sum in 0..=2 * (CELLS - 1) {
        for (gy, row) in board.iter().enumerate().rev() {
            let Some((gx, kind)) = sum.checked_sub(gy).and_then(|gx| Some((gx, *row.get(gx)?))) else {
                continue;
            };
            cell(easel, kind, (gx, gy), at, step);
            for (mention, x, y) in &stands {
                if (*x, *y) == (gx, gy) {
                    stand(
                        easel,
                        mention,
                        at(gx as f32 + 0.5, gy as f32 + 0.5),
                        step,
                        stands.len(),
                    );
                }
            }
        }
    }
    aloft(easel, prompt, step);
}

fn board(easel: &mut Easel, prompt: &Prompt) -> Vec<Vec<Cell>> {
    let seed = easel.rng.seed();
    let water = [
        Terrain::Sea,
        Terrain::Lake,
        Terrain::River,
        Terrain::Beach,
        Terrain::Cliff,
        Terrain::Island,
    ]
    .iter()
    .any(|t| prompt.has(*t))
        || prompt
            .mentions
            .iter()
            .any(|m| matches!(m.subject.home, Home::Water | Home::Deep));
    let sandy = prompt.has(Terrain::Desert) || prompt.has(Terrain::Beach);
    let last = CELLS as f32 - 1.0;
    (0..CELLS)
        .map(|gy| {
            (0..CELLS)
                .map(|gx| {
                    let (x, y) = (gx as f32, gy as f32);
                    let n = fbm(x * 0.33 + 3.0, y * 0.33, 3, seed);
                    let rim = gx == 0 || gy == 0;
                    // Heights stand at the back, water lies to the front on the right.
                    let depth = 1.0 - (x + y) / (2.0 * last);
                    if (prompt.has(Terrain::Mountains)
                        || prompt.has(Terrain::Volcano)
                        || prompt.has(Terrain::Cliff))
                        && depth > 0.62
                    {
                        return Cell::Rock(((depth - 0.58) * 12.0 * (0.55 + n)).max(0.5));
                    }
                    if prompt.has(Terrain::City) && gx % 3 != 2 && gy % 3 != 2 {
                        return Cell::Tower(
                            0.8 + 3.0 * depth * (0.35 + 1.1 * value(x * 3.1, y * 2.7, seed ^ 2)),
                        );
                    }
                    if prompt.has(Terrain::City) || (prompt.has(Terrain::Road) && gx == 4) {
                        return Cell::Road;
                    }
                    let wet = (x - y) * 0.09 + (n - 0.5) * 0.5;
                    if water && prompt.has(Terrain::River) && (wet - 0.02).abs() < 0.14 {
                        return Cell::Water;
                    }
                    if water && !prompt.has(Terrain::River) && wet > 0.1 {
                        return Cell::Water;
                    }
                    if (water && wet > 0.0) || sandy {
                        return Cell::Sand;
                    }
                    let wood = if prompt.has(Terrain::Forest) { 0.46 } else { 0.9 };
                    if !prompt.has(Terrain::Desert)
                        && (value(x * 5.3, y * 4.1, seed ^ 7) > wood
                            || (rim && prompt.terrain.is_empty() && n > 0.45))
                    {
                        return Cell::Tree;
                    }
                    Cell::Land
                })
                .collect()
        })
        .collect()
}

/// The cells that the named things stand on: near the centre, on suitable ground.
fn stands<'a>(
    easel: &mut Easel,
    prompt: &'a Prompt,
    board: &[Vec<Cell>],
) -> Vec<(&'a Mention, usize, usize)> {
    let mut out: Vec<(&Mention, usize, usize)> = Vec::new();
    for mention in prompt.mentions.iter().filter(|m| {
        matches!(
            m.subject.home,
            Home::Ground | Home::Water | Home::Table | Home::Deep
        )
    }) {
        let floats = matches!(mention.subject.home, Home::Water | Home::Deep);
        for _ in 0..mention.count {
            let mut best: Option<(f32, usize, usize)> = None;
            for (gy, row) in board.iter().enumerate() {
                for (gx, cell) in row.iter().enumerate() {
                    let fits = if floats {
                        *cell == Cell::Water
                    } else {
                        matches!(cell, Cell::Land | Cell::Sand | Cell::Road | Cell::Tree)
                    };
                    let apart = out
                        .iter()
                        .map(|(_, x, y)| apart((gx, gy), (*x, *y)))
                        .fold(9.0, f32::min);
                    // A thing at the board's rim would lean over it.
                    let inside = (1..CELLS - 1).contains(&gx) && (1..CELLS - 1).contains(&gy);
                    if fits && inside && apart > 1.0 {
                        let far = (gx as f32 - 4.6).hypot(gy as f32 - 4.6) * 0.6 - apart.min(4.0) * 1.2
                            + easel.rng.range(0.0, 1.4);
                        if best.is_none_or(|(least, ..)| far < least) {
                            best = Some((far, gx, gy));
                        }
                    }
                }
            }
            if let Some((_, gx, gy)) = best {
                out.push((mention, gx, gy));
            }
        }
    }
    out
}

/// The visible distance of two cells: things in front hide what is behind them, so a step towards the viewer counts
/// less than one to the side.
fn apart((ax, ay): (usize, usize), (bx, by): (usize, usize)) -> f32 {
    let (x, y) = (ax as f32 - bx as f32, ay as f32 - by as f32);
    ((x - y) * 0.7).hypot((x + y) * 0.42)
}

/// The slab that carries the board, and its shadow.
fn base(easel: &mut Easel, at: impl Fn(f32, f32) -> (f32, f32), step: f32) {
    let n = CELLS as f32;
    let (left, front, right) = (at(0.0, n), at(n, n), at(n, 0.0));
    let deep = step * 0.9;
    let (cx, cy) = (front.0, f32::midpoint(left.1, front.1) + deep * 1.2);
    let (rx, ry) = ((right.0 - left.0) * 0.58, (front.1 - at(0.0, 0.0).1) * 0.52);
    let shade = easel.light.ambient.scale(0.25);
    easel.add(Op::field(Area::ALL, None, move |spot| {
        let d = ((spot.x - cx) / rx).hypot((spot.y - cy) / ry);
        spot.under.mix(shade, 0.4 * smooth(1.0, 0.4, d))
    }));
    let mut pen = Pen::new(easel.rng.fork("base"));
    let down = |p: (f32, f32), by: f32| (p.0, -(p.1 + by));
    for (from, to, color) in [(0.0, 0.3, 0x8c_68_44), (0.3, 1.0, 0x6c_50_38)] {
        let paint = Paint::hex(color);
        pen.poly(
            &[
                down(left, deep * from),
                down(front, deep * from),
                down(front, deep * to),
                down(left, deep * to),
            ],
            paint.form(Form::Side(-0.7)),
        );
        pen.poly(
            &[
                down(front, deep * from),
                down(right, deep * from),
                down(right, deep * to),
                down(front, deep * to),
            ],
            paint.form(Form::Side(0.7)),
        );
    }
    let id = Some(easel.id());
    easel.draw(&pen, Place::new(0.0, 0.0, 1.0), id);
}

fn cell(
    easel: &mut Easel,
    cell: Cell,
    (gx, gy): (usize, usize),
    at: impl Fn(f32, f32) -> (f32, f32),
    step: f32,
) {
    let light = easel.light.clone();
    let mut pen = Pen::new(easel.rng.fork("cell"));
    let tone = 0.96 + 0.08 * ((gx + gy) % 2) as f32;
    let column = Column {
        at: &at,
        x: gx as f32,
        y: gy as f32,
    };
    let mut flat = |from: f32, to: f32, color: Rgb| {
        column.block(&mut pen, 0.0, (from * step, to * step), color.scale(tone));
    };
    match cell {
        Cell::Water => flat(-0.2, -0.1, Rgb::hex(0x3c_94_b8)),
        Cell::Sand => flat(-0.1, 0.0, Rgb::hex(0xe8_d0_98)),
        Cell::Road => flat(-0.1, 0.0, Rgb::hex(0x84_84_8a)),
        Cell::Land | Cell::Tree => flat(-0.1, 0.0, light.grass()),
        Cell::Rock(steps) => {
            let snow = steps > 3.4 || light.snowy();
            let high = step * 0.42 * steps;
            column.block(
                &mut pen,
                0.0,
                (-step * 0.1, high),
                Rgb::hex(0x8c_84_80).scale(tone),
            );
            if snow {
                column.block(&mut pen, 0.0, (high - step * 0.14, high), Rgb::hex(0xf4_f6_fa));
            } else if steps < 1.6 {
                column.block(
                    &mut pen,
                    0.0,
                    (high - step * 0.1, high),
                    light.grass().scale(tone),
                );
            }
        }
        Cell::Tower(steps) => column.tower(&mut pen, steps, step, light.lamps()),
    }
    let id = Some(easel.id());
    easel.draw(&pen, Place::new(0.0, 0.0, 1.0), id);
    if cell == Cell::Tree
        && let Some(tree) = subjects::named("pine")
    {
        let mut pen = Pen::new(easel.rng.fork("tree"));
        (tree.draw)(
            &mut pen,
            &Look {
                light: &light,
                color: None,
            },
        );
        let (px, py) = at(gx as f32 + 0.5, gy as f32 + 0.5);
        let size = step * easel.rng.range(1.1, 1.6);
        let id = Some(easel.id());
        easel.draw(&pen, Place::new(px, py, size), id);
    }
}

/// The space above a cell of the board, whose corner is at `x` and `y`; `at` gives places on the picture.
struct Column<'a, F: Fn(f32, f32) -> (f32, f32)> {
    at: &'a F,
    x: f32,
    y: f32,
}

impl<F: Fn(f32, f32) -> (f32, f32)> Column<'_, F> {
    /// A place of the cell, from 0 to 1 in both directions, at a height.
    fn up(&self, u: f32, v: f32, by: f32) -> (f32, f32) {
        let (x, y) = (self.at)(self.x + u, self.y + v);
        (x, -(y - by))
    }

    /// A block from one height to another, smaller than the cell by `inset` on each side.
    fn block(&self, pen: &mut Pen, inset: f32, (from, high): (f32, f32), color: Rgb) {
        let far = 1.0 - inset;
        let corner = |u: f32, v: f32, by: f32| self.up(u, v, by);
        let paint = Paint::new(color);
        let left = [
            corner(inset, far, from),
            corner(far, far, from),
            corner(far, far, high),
            corner(inset, far, high),
        ];
        pen.poly(&left, paint.form(Form::Side(-0.8)));
        let right = [
            corner(far, far, from),
            corner(far, inset, from),
            corner(far, inset, high),
            corner(far, far, high),
        ];
        pen.poly(&right, paint.form(Form::Side(0.8)));
        let top = [
            corner(inset, inset, high),
            corner(far, inset, high),
            corner(far, far, high),
            corner(inset, far, high),
        ];
        pen.poly(&top, paint.form(Form::Top));
    }

    /// A tower with rows of windows on both sides.
    fn tower(&self, pen: &mut Pen, steps: f32, step: f32, has_lamps: bool) {
        self.block(pen, 0.0, (-step * 0.1, 0.0), Rgb::hex(0xa8_a8_a8));
        let own = pen.rng.pick(&[0xd0_c0_b0, 0xa0_b4_c4, 0xc8_94_7c, 0xb8_b8_c0]);
        let high = step * 0.5 * steps;
        self.block(pen, 0.08, (0.0, high), Rgb::hex(own));
        let rows = (steps * 2.0) as usize;
        for row in 0..rows {
            let v = high * (row as f32 + 0.35) / rows as f32;
            let t = high / rows as f32 * 0.42;
            for k in 0..3 {
                let (s, e) = (0.2 + k as f32 * 0.24, 0.34 + k as f32 * 0.24);
                let lit = has_lamps && pen.rng.chance(0.6);
                let pane = if lit {
                    Paint::hex(0xff_d8_88).glow(1.0)
                } else {
                    Paint::hex(0x60_80_98)
                };
                let left = [(s, v), (e, v), (e, v + t), (s, v + t)].map(|(u, by)| self.up(u, 0.92, by));
                pen.poly(&left, pane.form(Form::Side(-0.8)));
                let right = [(s, v), (e, v), (e, v + t), (s, v + t)].map(|(u, by)| self.up(0.92, u, by));
                pen.poly(&right, pane.form(Form::Side(0.8)));
            }
        }
    }
}

fn stand(easel: &mut Easel, mention: &Mention, (x, y): (f32, f32), step: f32, all: usize) {
    let drawn = Drawn::mention(easel, mention);
    let real = (mention.subject.metres / 6.0).powf(0.3).clamp(0.5, 1.7);
    let room = [1.55, 1.0, 0.85].get(all - 1).copied().unwrap_or(0.72);
    let extent = step * 2.9 * real * room * mention.size;
    let floats = matches!(mention.subject.home, Home::Water | Home::Deep);
    let stands = if floats { Stands::Water } else { Stands::Ground };
    easel.put(
        mention.name(),
        &drawn,
        &Put {
            x,
            y: y + step * 0.1,
            extent,
            flip: easel.rng.clone().sign(),
            depth: 0.0,
            stands,
        },
    );
}

/// Draws the flying things over the board.
fn aloft(easel: &mut Easel, prompt: &Prompt, step: f32) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let mut slot = 0;
    for mention in prompt
        .mentions
        .iter()
        .filter(|m| matches!(m.subject.home, Home::Air | Home::Space | Home::Heaven))
    {
        for _ in 0..mention.count {
            let drawn = Drawn::mention(easel, mention);
            let (x, y) = (
                w * [0.7, 0.3, 0.5, 0.82, 0.18][slot % 5],
                h * [0.2, 0.24, 0.12, 0.34, 0.36][slot % 5],
            );
            let put = Put {
                x,
                y,
                extent: step * 2.4 * mention.size,
                flip: easel.rng.sign(),
                depth: 0.0,
                stands: Stands::Free,
            };
            easel.put(mention.name(), &drawn, &put);
            slot += 1;
        }
    }
}
