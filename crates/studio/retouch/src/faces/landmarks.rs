//! The features of a face, by the small landmark network of face-api.js: 68 places in the order of the data set 300-W
//! (Sagonas et al. 2013). Its licence is in this folder.

use std::ops::Range;
use std::sync::LazyLock;

use atelier_networks::{Network, Tensor};

use super::area::Area;
use crate::canvas::Canvas;

static GRAPH: &[u8] = include_bytes!("landmarks.onnx");
static NETWORK: LazyLock<Network> =
    LazyLock::new(|| Network::from_static(GRAPH).unwrap_or_else(|error| panic!("face landmarks: {error}")));

/// Both sides of the picture that the network takes.
const SIDE: usize = 112;
/// The numbers that it subtracts from red, green and blue.
const MEAN: [f32; 3] = [122.782, 117.001, 104.298];
/// The positions of the features in the order of the places: both eyes, the lips, and the corners of the mouth.
const EYES: Range<usize> = 36..48;
const LIPS: Range<usize> = 48..68;
const CORNERS: [usize; 2] = [48, 54];

/// Places in pixels of the canvas.
#[derive(Debug, Clone)]
pub(super) struct Landmarks {
    places: Vec<(f32, f32)>,
}

impl Landmarks {
    /// Of the face in a square.
    pub(super) fn of(canvas: &Canvas, area: Area) -> Self {
        let planes = area.planes(canvas, SIDE, SIDE);
        let values = planes
            .iter()
            .zip(MEAN)
            .flat_map(|(plane, mean)| plane.data.iter().map(move |v| (v - mean) / 255.0))
            .collect();
        let input = Tensor::f32(&[1, 3, SIDE, SIDE], values);
        let made = NETWORK.run(vec![("picture", input)], &["places"]);
        let made = made.unwrap_or_else(|error| panic!("face landmarks: {error}"));
        let numbers: Vec<f32> = made.into_iter().flat_map(Tensor::into_f32).collect();
        let places = numbers.as_chunks::<2>().0.iter().map(|[x, y]| {
            (
                area.left as f32 + x * area.width as f32,
                area.top as f32 + y * area.height as f32,
            )
        });
        Self {
            places: places.collect(),
        }
    }

    /// The middle between the eyes.
    pub(super) fn eyes(&self) -> (f32, f32) {
        self.mean(EYES)
    }

    pub(super) fn lips(&self) -> (f32, f32) {
        self.mean(LIPS)
    }

    /// The outer corners of the lips, the left one in the picture first.
    pub(super) fn corners(&self) -> [(f32, f32); 2] {
        CORNERS.map(|corner| self.places[corner])
    }

    fn mean(&self, features: Range<usize>) -> (f32, f32) {
        let count = features.len() as f32;
        let sum = |sum: (f32, f32), place: &(f32, f32)| (sum.0 + place.0, sum.1 + place.1);
        let (x, y) = self.places[features].iter().fold((0.0, 0.0), sum);
        (x / count, y / count)
    }
}
