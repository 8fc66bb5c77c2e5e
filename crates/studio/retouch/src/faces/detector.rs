//! Finds faces, by the tiny face detector of face-api.js: a network of 192,000 weights that Vincent Mühler trained
//! (2018), in the manner of YOLO (Redmon and Farhadi 2016). Its licence is in this folder.

use std::sync::LazyLock;

use atelier_networks::{Network, Tensor};

use super::area::Area;
use crate::canvas::Canvas;

static GRAPH: &[u8] = include_bytes!("detector.onnx");
static NETWORK: LazyLock<Network> =
    LazyLock::new(|| Network::from_static(GRAPH).unwrap_or_else(|error| panic!("face detector: {error}")));

/// The side of the places that the network looks at, in pixels of its picture.
const CELL: usize = 32;
/// The numbers that it subtracts from red, green and blue.
const MEAN: [f32; 3] = [117.001, 114.697, 97.404];
/// The shapes of faces that a place looks for, in places, and the numbers that it gives for each.
const SHAPES: [(f32, f32); 5] = [
    (1.603_231, 2.094_468),
    (6.041_143, 7.080_126),
    (2.882_459, 3.518_061),
    (4.266_906, 5.178_857),
    (9.041_765, 10.663_08),
];
const NUMBERS: usize = 5;
/// The share of two boxes that both cover, from which on they show the same face.
const SAME: f32 = 0.4;

/// The box of a face's features in pixels of the canvas, and how sure it is, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) score: f32,
}

impl Found {
    /// Returns the area in which the landmarks are looked for.
    pub(super) fn square(&self) -> Area {
        let (x, y) = (self.left + 0.5 * self.width, self.top + 0.5 * self.height);
        Area::square(x, y, self.width.max(self.height))
    }
}

/// The faces in an area, the surest first. Its longer side has `longest` pixels for the network.
pub(super) fn find(canvas: &Canvas, area: Area, longest: usize, least: f32) -> Vec<Found> {
    let k = longest as f32 / area.width.max(area.height) as f32;
    let side = |length: usize| ((length as f32 * k).round() as usize).max(1);
    let (width, height) = (side(area.width), side(area.height));
    let planes = area.planes(canvas, width, height);
    let (columns, rows) = (width.div_ceil(CELL), height.div_ceil(CELL));
    let (across, down) = (CELL * columns, CELL * rows);
    // Places are whole: what the picture does not fill is black.
    let mut values = Vec::with_capacity(3 * across * down);
    for (plane, mean) in planes.iter().zip(MEAN) {
        for y in 0..down {
            let row = if y < height { plane.row(y) } else { &[] };
            values.extend(row.iter().map(|v| (v - mean) / 255.0));
            values.extend(std::iter::repeat_n(-mean / 255.0, across - row.len()));
        }
    }
    let input = Tensor::f32(&[1, 3, down, across], values);
    let made = NETWORK.run(vec![("picture", input)], &["boxes"]);
    let made = made.unwrap_or_else(|error| panic!("face detector: {error}"));
    let numbers: Vec<f32> = made.into_iter().flat_map(Tensor::into_f32).collect();
    let sigmoid = |v: f32| 1.0 / (1.0 + (-v).exp());
    let mut found = Vec::new();
    for (shape, (wide, high)) in SHAPES.into_iter().enumerate() {
        for at in 0..rows * columns {
            let number = |k: usize| numbers[(NUMBERS * shape + k) * rows * columns + at];
            let score = sigmoid(number(4));
            if score <= least {
                continue;
            }
            let cell = CELL as f32 / k;
            let (x, y) = ((at % columns) as f32, (at / columns) as f32);
            // However wrong a number is, no face is larger than what is searched.
            let most = area.width.max(area.height) as f32;
            let long = |number: f32, long: f32| (number.exp() * long * cell).min(most);
            let (width, height) = (long(number(2), wide), long(number(3), high));
            found.push(Found {
                left: area.left as f32 + (x + sigmoid(number(0))) * cell - 0.5 * width,
                top: area.top as f32 + (y + sigmoid(number(1))) * cell - 0.5 * height,
                width,
                height,
                score,
            });
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Found> = Vec::new();
    for one in found {
        if kept.iter().all(|other| overlap(&one, other) <= SAME) {
            kept.push(one);
        }
    }
    kept
}

/// The share of what two boxes cover that both do.
fn overlap(a: &Found, b: &Found) -> f32 {
    let common = |a: (f32, f32), b: (f32, f32)| ((a.0 + a.1).min(b.0 + b.1) - a.0.max(b.0)).max(0.0);
    let both = common((a.left, a.width), (b.left, b.width)) * common((a.top, a.height), (b.top, b.height));
    both / (a.width * a.height + b.width * b.height - both)
}
