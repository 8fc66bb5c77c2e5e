//! Which pixels are the subject, by u2netp: a network of 1.1 million weights that Xuebin Qin and others trained to find
//! what people look at first (2020, "U²-Net: Going deeper with nested U-structure for salient object detection"). Its
//! licence is in this folder.

use std::sync::LazyLock;

use atelier_networks::{Network, Tensor};

use crate::Plane;
use crate::decode::Picture;
use crate::shrink::shrunk;

static GRAPH: &[u8] = include_bytes!("u2netp.onnx");
static NETWORK: LazyLock<Network> =
    LazyLock::new(|| Network::from_static(GRAPH).unwrap_or_else(|error| panic!("u2netp: {error}")));

/// Both sides of the picture that the network takes.
const SIDE: usize = 320;
/// The mean and the deviation of the pictures it learned from, for red, green and blue from 0 to 1.
const MEAN: [f32; 3] = [0.485, 0.456, 0.406];
const DEVIATION: [f32; 3] = [0.229, 0.224, 0.225];
/// The output for a picture without a subject stays below this everywhere.
const LEAST: f32 = 0.5;

/// How sure it is that each pixel is the subject's, 0 to 1, in the picture's shape with 320 pixels on the longer side
/// at most; nothing if no subject stands out.
pub fn find(picture: &Picture) -> Option<Plane> {
    let rgb = shrunk(picture, SIDE);
    let (width, height) = (rgb[0].width, rgb[0].height);
    let most = rgb.iter().map(Plane::max).fold(1.0_f32, f32::max);
    let mut values = Vec::with_capacity(3 * SIDE * SIDE);
    for (channel, plane) in rgb.iter().enumerate() {
        let square = plane.resized(SIDE, SIDE);
        let scaled = square
            .data
            .iter()
            .map(|v| (v / most - MEAN[channel]) / DEVIATION[channel]);
        values.extend(scaled);
    }
    let input = Tensor::f32(&[1, 3, SIDE, SIDE], values);
    let made = NETWORK.run(vec![("input.1", input)], &["1959"]);
    let made = made.unwrap_or_else(|error| panic!("u2netp: {error}"));
    let mut square = Plane::new(SIDE, SIDE);
    square.data = made.into_iter().flat_map(Tensor::into_f32).collect();
    let most = square.max();
    (most > LEAST).then(|| square.resized(width, height).map(|v| (v / most).clamp(0.0, 1.0)))
}
