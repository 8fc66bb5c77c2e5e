//! Heads that the networks do not know: drawings, profiles and animals. The salient subject is cut out; its head
//! is what lies above its narrowest place, and the mouth is three quarters down the head, where it is reddest.

use super::{Face, Mouth};
use crate::Plane;
use crate::canvas::Canvas;
use crate::canvas::picture;
use crate::cutout;

/// The longer side at which heads are looked for.
const SIDE: usize = 400;
/// The range from the top of a subject in which its narrowest place is searched; without one, this share of it is the
/// head.
const NECK: (f32, f32) = (0.25, 0.72);
const HEAD: f32 = 0.45;
/// The width of a head that has no body below it, in its heights.
const ALONE: std::ops::Range<f32> = 0.6..1.05;
/// The position of the mouth in a head, and how far around it lips are searched.
const MOUTH: f32 = 0.73;
const ABOUT: f32 = 0.13;
/// How much redder than the head lips are.
const RED: f32 = 0.07;

impl Face {
    /// The head of the salient subject; nothing if there is none.
    pub fn of_subject(canvas: &Canvas) -> Option<Self> {
        let (small, k) = reduced(canvas);
        let mask = cutout::find(&picture(&small))?;
        let mask = mask.resized(small.frame.width, small.frame.height);
        head(&small, &mask).map(|face| face.scaled(1.0 / k))
    }
}

fn reduced(canvas: &Canvas) -> (Canvas, f32) {
    let (w, h) = (canvas.frame.width, canvas.frame.height);
    let k = (SIDE as f32 / w.max(h) as f32).min(1.0);
    let side = |length: usize| ((length as f32 * k).round() as usize).max(8);
    (canvas.reduced(side(w), side(h)), k)
}

fn head(picture: &Canvas, mask: &Plane) -> Option<Face> {
    let rows: Vec<Option<(usize, usize)>> = (0..mask.height)
        .map(|y| {
            let row = mask.row(y);
            let first = row.iter().position(|v| *v > 0.5)?;
            let last = row.iter().rposition(|v| *v > 0.5)?;
            Some((first, last))
        })
        .collect();
    let top = rows.iter().position(Option::is_some)?;
    let bottom = rows.iter().rposition(Option::is_some)?;
    let high = (bottom - top + 1) as f32;
    if high < 12.0 {
        return None;
    }
    let width = |y: usize| rows[y].map_or(f32::MAX, |(first, last)| (last - first + 1) as f32);
    let mean = |y: usize| {
        let near = y.saturating_sub(2).max(top)..=(y + 2).min(bottom);
        let count = near.clone().count() as f32;
        near.map(width).map(|w| w.min(1e4)).sum::<f32>() / count
    };
    let at = |part: f32| top + (part * high) as usize;
    let narrow = (at(NECK.0)..at(NECK.1).min(bottom)).min_by(|a, b| mean(*a).total_cmp(&mean(*b)));
    let widest = (top..narrow.unwrap_or(bottom))
        .map(width)
        .fold(0.0_f32, |a, b| if b < 1e6 { a.max(b) } else { a });
    // A head that was cut out alone ends above the frame's lower side, and is nearly as wide as high.
    let alone = bottom + 3 < mask.height && ALONE.contains(&(widest / high));
    // A neck is narrower than the head above it.
    let neck = narrow
        .filter(|y| mean(*y) < 0.86 * widest)
        .unwrap_or_else(|| if alone { bottom } else { at(HEAD) });
    let head = (neck - top) as f32;
    if head < 6.0 {
        return None;
    }
    let line = top as f32 + MOUTH * head;
    let (from, to) = (
        (line - ABOUT * head) as usize,
        ((line + ABOUT * head) as usize).min(bottom),
    );
    let red = Plane::from_fn(picture.frame.width, picture.frame.height, |x, y| {
        let p = picture.at(x, y);
        if mask.at(x, y) > 0.5 {
            p.0 - 0.5 * (p.1 + p.2)
        } else {
            0.0
        }
    })
    .box_mean(((0.03 * head) as usize).max(1));
    let (mut best, mut sum, mut count) = ((f32::MIN, 0.0, 0.0), 0.0, 0.0);
    for (y, row) in rows.iter().enumerate().take(to + 1).skip(from) {
        let Some((first, last)) = *row else { continue };
        for x in first..=last {
            let value = red.at(x, y);
            sum += value;
            count += 1.0;
            let away = (y as f32 - line) / (ABOUT * head);
            let score = value - 0.03 * away * away;
            if score > best.0 {
                best = (score, x as f32, y as f32);
            }
        }
    }
    let (first, last) = rows[(line as usize).min(bottom)]?;
    let middle = 0.5 * (first + last) as f32;
    let lips = best.0 - sum / f32::max(count, 1.0) > RED;
    let (x, y) = if lips { (best.1, best.2) } else { (middle, line) };
    Some(Face {
        x: x - 0.5 * head,
        y: top as f32,
        side: head,
        mouth: Mouth {
            x,
            y,
            half: (0.15 * head).min(0.3 * (last - first) as f32),
            lift: 0.0,
            teeth: 0.0,
            room: room(mask, (x, y), head),
        },
    })
}

/// How far the subject reaches to the left and to the right of a place, at the height of a mouth that opens there.
fn room(mask: &Plane, (x, y): (f32, f32), head: f32) -> (f32, f32) {
    let column = (x as usize).min(mask.width - 1);
    let rows = (y - 0.03 * head).max(0.0) as usize..=((y + 0.06 * head) as usize).min(mask.height - 1);
    let reach = |row: usize, columns: &mut dyn Iterator<Item = usize>| {
        columns.take_while(|at| mask.at(*at, row) > 0.5).count() as f32
    };
    let least = |of: &dyn Fn(usize) -> f32| rows.clone().map(of).fold(f32::MAX, f32::min);
    (
        (least(&|row| reach(row, &mut (0..=column).rev())) - 1.0).max(0.0),
        (least(&|row| reach(row, &mut (column..mask.width))) - 1.0).max(0.0),
    )
}
