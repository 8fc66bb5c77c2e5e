//! Finds the pixels of the subject, by u2netp: a network of 1.1 million weights that Xuebin Qin and others trained to
//! find what people look at first (2020, "U²-Net: Going deeper with nested U-structure for salient object detection").
//! Its licence is in this folder.

use std::sync::LazyLock;

use atelier_networks::{Network, Tensor, rewrite};

use crate::Plane;
use crate::decode::Picture;
use crate::shrink::shrunk;

static GRAPH: &[u8] = include_bytes!("u2netp.onnx");
/// The file asks for 320 by 320 pixels, which nothing in it needs.
static NETWORK: LazyLock<Network> = LazyLock::new(|| {
    let graph = rewrite(GRAPH, &["free-dimensions"]).unwrap_or_else(|error| panic!("u2netp: {error}"));
    Network::from_bytes(graph).unwrap_or_else(|error| panic!("u2netp: {error}"))
});

/// Both sides of the pictures that the network learned from.
const SIDE: usize = 320;
/// Pictures up to this size are looked at in this size, which takes a quarter of the time. The subjects of small films
/// are found in it as well as the tests ask for.
const HALF: usize = SIDE / 2;
/// The mean and the deviation of the pictures it learned from, for red, green and blue from 0 to 1.
const MEAN: [f32; 3] = [0.485, 0.456, 0.406];
const DEVIATION: [f32; 3] = [0.229, 0.224, 0.225];
/// The output for a picture without a subject stays below this everywhere.
const LEAST: f32 = 0.5;

/// How sure it is that each pixel is the subject's, 0 to 1, in the picture's shape with 320 pixels on the longer side
/// at most; nothing if no subject stands out.
pub fn find(picture: &Picture) -> Option<Plane> {
    let is_small = picture.width.max(picture.height) <= HALF;
    let side = if is_small { HALF } else { SIDE };
    let rgb = shrunk(picture, side);
    let (width, height) = (rgb[0].width, rgb[0].height);
    let most = rgb.iter().map(Plane::max).fold(1.0_f32, f32::max);
    let mut values = Vec::with_capacity(3 * side * side);
    for (channel, plane) in rgb.iter().enumerate() {
        let square = plane.resized(side, side);
        let scaled = square
            .data
            .iter()
            .map(|v| (v / most - MEAN[channel]) / DEVIATION[channel]);
        values.extend(scaled);
    }
    let input = Tensor::f32(&[1, 3, side, side], values);
    let made = NETWORK.run(vec![("input.1", input)], &["1959"]);
    let made = made.unwrap_or_else(|error| panic!("u2netp: {error}"));
    let mut square = Plane::new(side, side);
    square.data = made.into_iter().flat_map(Tensor::into_f32).collect();
    let most = square.max();
    (most > LEAST).then(|| square.resized(width, height).map(|v| (v / most).clamp(0.0, 1.0)))
}
