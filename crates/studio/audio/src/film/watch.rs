//! Watches a film: when it cuts, when and where something moves, and what its colours look like.

use atelier_film::{Error, I420, Reader};

/// Frames analysed per second.
const LOOKS: f64 = 10.0;
/// The picture is divided into this many cells.
const ACROSS: usize = 32;
const DOWN: usize = 18;
/// Mean change of brightness that makes a cut, out of 255.
const CUT: f32 = 22.0;
/// Shortest time between two separate movements, in seconds.
const APART: f32 = 0.45;
/// The most movements returned.
const MOST: usize = 24;

/// The observations in the film.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Watched {
    pub(super) seconds: f32,
    /// In seconds.
    pub(super) cuts: Vec<f32>,
    /// Time, strength (0 to 1) and side (−1 to 1) of sudden movements, the strongest first.
    pub(super) peaks: Vec<(f32, f32, f32)>,
    /// The amount of motion over time, 0 to 1.
    pub(super) motion: Vec<(f32, f32)>,
    /// Words for what the colours look like.
    pub(super) facts: Vec<&'static str>,
}

/// One analysed frame: brightness and colours of the cells.
struct Look {
    time: f32,
    luma: Vec<f32>,
    blue: Vec<f32>,
    red: Vec<f32>,
}

impl Look {
    fn of(time: f32, picture: &I420) -> Self {
        let planes = picture.planes();
        let (width, height) = (picture.width, picture.height);
        let half = (width.div_ceil(2), height.div_ceil(2));
        Self {
            time,
            luma: cells(planes.y, width, height),
            blue: cells(planes.u, half.0, half.1),
            red: cells(planes.v, half.0, half.1),
        }
    }

    /// Mean change of brightness from one frame to the next, and its position: −1 is left, 1 is right.
    fn change(&self, next: &Self) -> (f32, f32) {
        let (mut sum, mut side) = (0.0, 0.0);
        for (index, (a, b)) in self.luma.iter().zip(&next.luma).enumerate() {
            // Small changes come from encoding and noise, not from motion.
            let change = ((a - b).abs() - 2.0).max(0.0);
            sum += change;
            side += change * (2.0 * (index % ACROSS) as f32 / (ACROSS - 1) as f32 - 1.0);
        }
        (
            sum / self.luma.len() as f32,
            if sum > 0.0 { side / sum } else { 0.0 },
        )
    }

    /// How different the histograms of brightness are, 0 to 1.
    fn unlike(&self, next: &Self) -> f32 {
        let histogram = |look: &Self| {
            let mut counts = [0.0_f32; 16];
            for luma in &look.luma {
                counts[((luma / 16.0) as usize).min(15)] += 1.0 / look.luma.len() as f32;
            }
            counts
        };
        let (a, b) = (histogram(self), histogram(next));
        0.5 * a.iter().zip(&b).map(|(a, b)| (a - b).abs()).sum::<f32>()
    }
}

/// Means over the cells of a plane, from a few of their pixels.
fn cells(plane: &[u8], width: usize, height: usize) -> Vec<f32> {
    (0..ACROSS * DOWN)
        .map(|cell| {
            let (left, right) = (
                cell % ACROSS * width / ACROSS,
                (cell % ACROSS + 1) * width / ACROSS,
            );
            let (top, bottom) = (cell / ACROSS * height / DOWN, (cell / ACROSS + 1) * height / DOWN);
            let (mut sum, mut count) = (0.0, 0.0_f32);
            for y in (top..bottom.max(top + 1)).step_by(((bottom - top) / 4).max(1)) {
                for x in (left..right.max(left + 1)).step_by(((right - left) / 4).max(1)) {
                    if let Some(value) = plane.get(y * width + x) {
                        sum += f32::from(*value);
                        count += 1.0;
                    }
                }
            }
            sum / count.max(1.0)
        })
        .collect()
}

/// Watches the beginning of a film. `progress` is told how much is done, 0 to 1.
pub(super) fn watch(
    film: &mut Reader,
    seconds: f64,
    progress: &mut dyn FnMut(f32),
) -> Result<Watched, Error> {
    let seconds = seconds.min(film.facts().seconds);
    let mut looks: Vec<Look> = Vec::new();
    let mut index = 0_u32;
    loop {
        let time = f64::from(index) / LOOKS;
        if time >= seconds {
            break;
        }
        let Some(picture) = film.at(time)? else { break };
        looks.push(Look::of(time as f32, picture));
        progress((time / seconds) as f32);
        index += 1;
    }
    let changes: Vec<(f32, f32)> = looks.windows(2).map(|pair| pair[0].change(&pair[1])).collect();
    let mut cuts = Vec::new();
    let mut peaks: Vec<(f32, f32, f32)> = Vec::new();
    let mut steady = vec![0.0_f32; looks.len()];
    for (index, (change, side)) in changes.iter().enumerate() {
        let time = looks[index + 1].time;
        if *change > CUT && looks[index].unlike(&looks[index + 1]) > 0.4 {
            cuts.push(time);
            continue;
        }
        steady[index + 1] = *change;
        let before =
            steady[index.saturating_sub(3)..=index].iter().sum::<f32>() / 4.0_f32.min(index as f32 + 1.0);
        if *change > 0.35 + 1.8 * before {
            peaks.push((time, *change, *side));
        }
    }
    // Keeps the strongest of movements that are close together.
    peaks.sort_by(|a, b| b.1.total_cmp(&a.1));
    let strongest = peaks.first().map_or(1.0, |peak| peak.1);
    let mut kept: Vec<(f32, f32, f32)> = Vec::new();
    for (time, change, side) in peaks {
        if kept.len() < MOST && kept.iter().all(|peak| (peak.0 - time).abs() >= APART) {
            kept.push((time, (change / strongest).sqrt(), (1.3 * side).clamp(-1.0, 1.0)));
        }
    }
    let most = steady.iter().copied().fold(1.0, f32::max);
    let motion = looks
        .iter()
        .zip(&steady)
        .map(|(look, change)| (look.time, (change / most).sqrt()))
        .collect();
    Ok(Watched {
        seconds: seconds as f32,
        cuts,
        peaks: kept,
        motion,
        facts: facts(&looks, &steady),
    })
}

/// Words for colours and light. They are guesses: a blue wall looks like water.
fn facts(looks: &[Look], steady: &[f32]) -> Vec<&'static str> {
    let count = (looks.len() * ACROSS * DOWN).max(1) as f32;
    let part = |holds: &dyn Fn(usize, f32, f32, f32) -> bool| {
        let found = looks
            .iter()
            .flat_map(|look| (0..ACROSS * DOWN).map(move |cell| (cell, look)))
            .filter(|(cell, look)| {
                holds(
                    *cell,
                    look.luma[*cell],
                    look.blue[*cell] - 128.0,
                    look.red[*cell] - 128.0,
                )
            })
            .count();
        found as f32 / count
    };
    let lower = |cell: usize| cell / ACROSS >= DOWN / 2;
    let mean = looks.iter().flat_map(|look| &look.luma).sum::<f32>() / count;
    let blue = part(&|cell, luma, u, v| lower(cell) && u > 9.0 && v < 2.0 && luma > 40.0);
    let green = part(&|_, luma, u, v| u < -6.0 && v < -3.0 && luma > 30.0);
    let glow = part(&|_, luma, u, v| v > 24.0 && u < -8.0 && luma > 90.0);
    let white = part(&|_, luma, u, v| luma > 185.0 && u.abs() < 8.0 && v.abs() < 8.0);
    let moving = steady.iter().sum::<f32>() / steady.len().max(1) as f32;
    let mut facts = vec![if mean < 62.0 { "night" } else { "day" }];
    if glow > 0.05 && mean < 100.0 && moving > 0.3 {
        facts.push("fire");
    }
    if blue > 0.2 {
        facts.push(if moving > 1.2 { "sea" } else { "lake" });
    } else if green > 0.2 {
        facts.push("meadow");
    } else if white > 0.4 {
        facts.push("snow");
    }
    facts
}
