//! The structure of a control video: its figure, the depth or lightness of each place, and its lines, whatever kind of
//! video it is.

use atelier_film::I420;

use atelier_retouch::Plane;

/// Half of the thickness of a limb, in heights of the frame.
const LIMB: f32 = 0.034;
/// Gaps in outlines up to this are closed, in heights of the frame.
const GAP: f32 = 0.008;
/// A figure with a smaller share is none: its outlines are not closed.
const LEAST: f32 = 0.012;
/// How much of a frame's figure is new: outlines that open for one frame must not lose it.
const NEW: f32 = 0.6;

/// The content of a control video.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Light lines on black.
    Edges,
    /// Coloured limbs on black.
    Pose,
    /// Grey, smooth: near is light.
    Depth,
    /// Anything else.
    Footage,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Edges => "edges",
            Self::Pose => "poses",
            Self::Depth => "depth",
            Self::Footage => "footage: its light and its edges",
        }
    }

    /// Detected from some frames.
    pub(super) fn of(frames: &[I420]) -> Self {
        let (mut dark, mut light, mut vivid, mut gray, mut steep, mut count) =
            (0.0, 0.0, 0.0, 0.0, 0.0, 0.0_f32);
        for frame in frames {
            let planes = frame.planes();
            let w = frame.width;
            for y in (1..frame.height - 1).step_by(2) {
                for x in (1..w - 1).step_by(2) {
                    let luma = planes.y[y * w + x];
                    let chroma = y / 2 * (w / 2) + x / 2;
                    let away = planes.u[chroma].abs_diff(128).max(planes.v[chroma].abs_diff(128));
                    let slope = planes.y[y * w + x + 1]
                        .abs_diff(planes.y[y * w + x - 1])
                        .max(planes.y[(y + 1) * w + x].abs_diff(planes.y[(y - 1) * w + x]));
                    count += 1.0;
                    dark += f32::from(u8::from(luma < 40));
                    light += f32::from(u8::from(luma > 110));
                    vivid += f32::from(u8::from(away > 40));
                    gray += f32::from(u8::from(away < 10));
                    steep += f32::from(u8::from(slope > 60));
                }
            }
        }
        let count = count.max(1.0);
        if dark > 0.6 * count && vivid > 0.003 * count {
            Self::Pose
        } else if dark > 0.7 * count && light < 0.25 * count && steep > 0.2 * light && gray > 0.9 * count {
            Self::Edges
        } else if gray > 0.97 * count && steep < 0.06 * count {
            Self::Depth
        } else {
            Self::Footage
        }
    }
}

/// The structure of a frame, each plane from 0 to 1.
#[derive(Debug, Clone)]
pub(super) struct Structure {
    /// The place of the figure.
    pub(super) figure: Plane,
    /// The relief of the figure, or the lightness of the footage.
    pub(super) relief: Plane,
    pub(super) lines: Plane,
}

/// Reads frames one after another.
pub(super) struct Reader {
    kind: Kind,
    before: Option<Plane>,
    /// The depth from which on something is the figure, chosen once.
    near: Option<f32>,
}

impl Reader {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            before: None,
            near: None,
        }
    }

    pub(super) fn read(&mut self, frame: &I420) -> Structure {
        let luma = Plane::from_fn(frame.width, frame.height, |x, y| {
            ((f32::from(frame.data[y * frame.width + x]) - 16.0) / 219.0).clamp(0.0, 1.0)
        });
        let high = frame.height as f32;
        let mut structure = match self.kind {
            Kind::Edges => outlined(&luma, high),
            Kind::Pose => limbs(&luma, high),
            Kind::Depth => self.deep(&luma),
            Kind::Footage => footage(&luma, high),
        };
        // Noise on a line must not make the figure flicker.
        if let Some(before) = &self.before {
            structure.figure = before.zip(&structure.figure, |a, b| a + NEW * (b - a));
        }
        self.before = Some(structure.figure.clone());
        structure
    }

    fn deep(&mut self, luma: &Plane) -> Structure {
        let near = *self.near.get_or_insert_with(|| threshold(luma));
        let soft = luma.blurred(1.2);
        Structure {
            figure: soft.map(|v| ((v - near + 0.05) / 0.1).clamp(0.0, 1.0)),
            lines: slopes(&soft).map(|v| ((v - 0.05) / 0.1).clamp(0.0, 1.0)),
            relief: luma.blurred(2.0),
        }
    }
}

/// The lightness that best separates a plane into two classes (Otsu 1979).
fn threshold(plane: &Plane) -> f32 {
    let mut counts = [0.0_f64; 64];
    for value in &plane.data {
        counts[(value * 63.0) as usize] += 1.0;
    }
    let all: f64 = counts.iter().sum();
    let mean: f64 = counts.iter().enumerate().map(|(i, n)| i as f64 * n).sum();
    let (mut below, mut sum, mut best) = (0.0, 0.0, (0.0, 32));
    for (i, n) in counts.iter().enumerate() {
        below += n;
        sum += i as f64 * n;
        let above = all - below;
        if below <= 0.0 || above <= 0.0 {
            continue;
        }
        let apart = below * above * (sum / below - (mean - sum) / above).powi(2);
        if apart > best.0 {
            best = (apart, i);
        }
    }
    (best.1 as f32 + 0.5) / 63.0
}

/// The area that outlines enclose; if they enclose nothing, the lines themselves, thickened.
fn outlined(luma: &Plane, high: f32) -> Structure {
    let lines = luma.map(|v| ((v - 0.2) / 0.4).clamp(0.0, 1.0));
    let away = distances(&lines.map(|v| f32::from(u8::from(v > 0.4))));
    let gap = (GAP * high).max(1.5);
    let (w, h) = (luma.width, luma.height);
    // From the border inwards, as long as no line is near.
    let mut outside = vec![false; w * h];
    let mut open: Vec<usize> = (0..w)
        .flat_map(|x| [x, (h - 1) * w + x])
        .chain((0..h).flat_map(|y| [y * w, y * w + w - 1]))
        .filter(|at| away.data[*at] > gap)
        .collect();
    for at in &open {
        outside[*at] = true;
    }
    while let Some(at) = open.pop() {
        let (x, y) = (at % w, at / w);
        let near = [
            (x > 0).then(|| at - 1),
            (x + 1 < w).then(|| at + 1),
            (y > 0).then(|| at - w),
            (y + 1 < h).then(|| at + w),
        ];
        for next in near.into_iter().flatten() {
            if !outside[next] && away.data[next] > gap {
                outside[next] = true;
                open.push(next);
            }
        }
    }
    let free = Plane::from_fn(w, h, |x, y| f32::from(u8::from(outside[y * w + x])));
    // Grows back the margin around the lines, so that the figure ends at its outline.
    let beyond = distances(&free);
    let inside = beyond.map(|d| (d - gap + 0.5).clamp(0.0, 1.0));
    let figure = if inside.mean() > LEAST {
        inside
    } else {
        away.map(|d| ((LIMB * high - d) / 2.0 + 0.5).clamp(0.0, 1.0))
    };
    let relief = rounded(&figure);
    Structure {
        figure,
        relief,
        lines,
    }
}

/// Limbs around the lines of a skeleton.
fn limbs(luma: &Plane, high: f32) -> Structure {
    let lines = luma.map(|v| f32::from(u8::from(v > 0.12)));
    let away = distances(&lines);
    let figure = away.map(|d| ((LIMB * high - d) / 1.5 + 0.5).clamp(0.0, 1.0));
    let relief = rounded(&figure);
    Structure {
        lines: slopes(&figure.blurred(1.0)).map(|v| (3.0 * v - 0.2).clamp(0.0, 1.0)),
        figure,
        relief,
    }
}

fn footage(luma: &Plane, high: f32) -> Structure {
    let soft = luma.blurred(0.0025 * high + 0.5);
    Structure {
        figure: luma.map(|_| 0.0),
        lines: slopes(&soft).map(|v| ((v - 0.035) / 0.09).clamp(0.0, 1.0)),
        relief: luma.blurred(0.004 * high + 0.5),
    }
}

/// An inflated figure: high in its centre.
fn rounded(figure: &Plane) -> Plane {
    let depth = distances(&figure.map(|v| f32::from(u8::from(v < 0.5))));
    let most = depth.max().max(1.0).min(0.12 * figure.height as f32);
    depth.map(|d| (d / most).min(1.0).sqrt()).blurred(1.5)
}

/// How steep a plane is at each place.
pub(super) fn slopes(plane: &Plane) -> Plane {
    Plane::from_fn(plane.width, plane.height, |x, y| {
        let (x, y) = (x as isize, y as isize);
        let across = plane.clamped(x + 1, y) - plane.clamped(x - 1, y);
        let down = plane.clamped(x, y + 1) - plane.clamped(x, y - 1);
        0.5 * across.hypot(down)
    })
}

/// The distance in pixels to the nearest place that is set (chamfer distances: Borgefors 1986).
fn distances(set: &Plane) -> Plane {
    const FAR: f32 = 1e4;
    let (w, h) = (set.width, set.height);
    let mut away = set.map(|v| if v > 0.5 { 0.0 } else { FAR });
    let mut pass = |order: &mut dyn Iterator<Item = usize>, back: isize| {
        for at in order {
            let (x, y) = ((at % w) as isize, (at / w) as isize);
            let mut best = away.data[at];
            for (dx, dy, cost) in [(-1, 0, 1.0), (0, -1, 1.0), (-1, -1, 1.414), (1, -1, 1.414)] {
                let (u, v) = (x + back * dx, y + back * dy);
                if u >= 0 && v >= 0 && u < w as isize && v < h as isize {
                    best = best.min(away.data[v as usize * w + u as usize] + cost);
                }
            }
            away.data[at] = best;
        }
    };
    pass(&mut (0..w * h), 1);
    pass(&mut (0..w * h).rev(), -1);
    away
}
