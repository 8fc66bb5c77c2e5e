//! Paths from points: polygons, smooth curves, strokes and limbs.

use tiny_skia::{LineCap, LineJoin, Path, PathBuilder, Stroke};

pub type Point = (f32, f32);

pub fn polygon(points: &[Point]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (i, &(x, y)) in points.iter().enumerate() {
        if i == 0 {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
    path.close();
    path.finish()
}

pub(super) fn open_line(points: &[Point]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (i, &(x, y)) in points.iter().enumerate() {
        if i == 0 {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
    path.finish()
}

/// Catmull-Rom through the points, as Bézier curves.
pub fn closed_curve(points: &[Point]) -> Option<Path> {
    let n = points.len();
    if n < 3 {
        return None;
    }
    let mut path = PathBuilder::new();
    path.move_to(points[0].0, points[0].1);
    for i in 0..n {
        bend(
            &mut path,
            points[(i + n - 1) % n],
            points[i],
            points[(i + 1) % n],
            points[(i + 2) % n],
        );
    }
    path.close();
    path.finish()
}

pub(super) fn open_curve(points: &[Point]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (&first, last) = (points.first()?, points.len() - 1);
    path.move_to(first.0, first.1);
    for i in 0..last {
        bend(
            &mut path,
            points[i.saturating_sub(1)],
            points[i],
            points[i + 1],
            points[(i + 2).min(last)],
        );
    }
    path.finish()
}

pub(super) fn bend(path: &mut PathBuilder, a: Point, b: Point, c: Point, d: Point) {
    path.cubic_to(
        b.0 + (c.0 - a.0) / 6.0,
        b.1 + (c.1 - a.1) / 6.0,
        c.0 - (d.0 - b.0) / 6.0,
        c.1 - (d.1 - b.1) / 6.0,
        c.0,
        c.1,
    );
}

pub(super) fn stroked(path: Option<Path>, width: f32) -> Option<Path> {
    let stroke = Stroke {
        width,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    // The drawing is about one unit high and shown at hundreds of pixels: curves must stay curves.
    path?.stroke(&stroke, 400.0)
}

pub(super) fn tapered(points: &[Point], from: f32, to: f32) -> Option<Path> {
    let last = points.len().checked_sub(1)?;
    let mut sides = (Vec::new(), Vec::new());
    for (i, &(x, y)) in points.iter().enumerate() {
        let (a, b) = (points[i.saturating_sub(1)], points[(i + 1).min(last)]);
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = dx.hypot(dy).max(1e-6);
        let half = 0.5 * (from + (to - from) * i as f32 / last.max(1) as f32);
        let (nx, ny) = (-dy / length * half, dx / length * half);
        sides.0.push((x + nx, y + ny));
        sides.1.push((x - nx, y - ny));
    }
    sides.1.reverse();
    let cap = |(x, y): Point, r: f32| tiny_skia::Rect::from_ltrb(x - r, y - r, x + r, y + r);
    let mut path = PathBuilder::new();
    let outline: Vec<Point> = sides.0.into_iter().chain(sides.1).collect();
    path.push_path(&closed_curve(&outline)?);
    for (point, width) in [(points[0], from), (points[last], to)] {
        if let Some(rect) = cap(point, width * 0.5) {
            path.push_path(&PathBuilder::from_oval(rect)?);
        }
    }
    path.finish()
}
