//! A cascade of boosted trees over local binary patterns (Liao et al. 2007; the windows of Viola and Jones 2001).
//! Its numbers are those of OpenCV's `lbpcascade_frontalface`; its licence is in this folder.

use std::sync::LazyLock;

use crate::Plane;

static NUMBERS: &[u8] = include_bytes!("frontal.bin");

/// The side of the window that it examines.
pub(super) const WINDOW: usize = 24;

/// Whether the light around the middle of nine cells has one of the patterns of a face.
#[derive(Debug, Clone, Copy)]
struct Weak {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    patterns: [u32; 8],
    found: f32,
    other: f32,
}

#[derive(Debug)]
struct Stage {
    least: f32,
    weak: Vec<Weak>,
}

static STAGES: LazyLock<Vec<Stage>> = LazyLock::new(|| {
    let mut at = 1;
    let mut take = |count: usize| {
        let part = &NUMBERS[at..at + count];
        at += count;
        part
    };
    let float = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    (0..NUMBERS[0])
        .map(|_| {
            let least = float(take(4));
            let count = take(1)[0];
            let weak = (0..count)
                .map(|_| {
                    let place = take(4);
                    let [x, y, width, height] = [0, 1, 2, 3].map(|k| usize::from(place[k]));
                    let patterns = take(32);
                    let patterns = std::array::from_fn(|k| word(&patterns[4 * k..]));
                    Weak {
                        x,
                        y,
                        width,
                        height,
                        patterns,
                        found: float(take(4)),
                        other: float(take(4)),
                    }
                })
                .collect();
            Stage { least, weak }
        })
        .collect()
});

/// Sums of light over rectangles.
pub(super) struct Sums {
    stride: usize,
    sums: Vec<u32>,
}

impl Sums {
    /// Of a plane of lightness, 0 to 255.
    pub(super) fn of(plane: &Plane) -> Self {
        let stride = plane.width + 1;
        let mut sums = vec![0_u32; stride * (plane.height + 1)];
        for y in 0..plane.height {
            let mut row = 0;
            for x in 0..plane.width {
                row += plane.at(x, y).clamp(0.0, 255.0) as u32;
                sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + row;
            }
        }
        Self { stride, sums }
    }

    fn over(&self, x: usize, y: usize, width: usize, height: usize) -> i64 {
        let at = |x: usize, y: usize| i64::from(self.sums[y * self.stride + x]);
        at(x + width, y + height) - at(x, y + height) - at(x + width, y) + at(x, y)
    }

    /// Whether the window at a place shows a face.
    pub(super) fn show_a_face(&self, left: usize, top: usize) -> bool {
        STAGES.iter().all(|stage| {
            let sum: f32 = stage
                .weak
                .iter()
                .map(|weak| {
                    let pattern = self.pattern(weak, left, top);
                    if weak.patterns[pattern >> 5] & (1 << (pattern & 31)) != 0 {
                        weak.found
                    } else {
                        weak.other
                    }
                })
                .sum();
            sum >= stage.least
        })
    }

    /// Which of the eight cells around the middle one are at least as light, from the upper left one clockwise.
    fn pattern(&self, weak: &Weak, left: usize, top: usize) -> usize {
        let cell = |across: usize, down: usize| {
            let (x, y) = (
                left + weak.x + across * weak.width,
                top + weak.y + down * weak.height,
            );
            self.over(x, y, weak.width, weak.height)
        };
        let middle = cell(1, 1);
        [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
            .into_iter()
            .fold(0, |pattern, (across, down)| {
                2 * pattern + usize::from(cell(across, down) >= middle)
            })
    }
}
