use super::*;
use crate::{Network, Tensor};

/// A network that makes a picture twice as large, adds the picture itself enlarged, and halves it: twelve channels by
/// a convolution of one pixel, each the picture's channel times 1, 2, 3 or 4.
const DOUBLE: &str = "7767517
8 9
Input            in       0 1 data
Split            split    1 2 data a b
Convolution      conv     1 1 a wide 0=12 1=1 4=0 5=1 6=36 9=2 -23310=1,5.000000e-01
PReLU            slopes   1 1 wide bent 0=12
PixelShuffle     shuffle  1 1 bent large 0=2
Interp           near     1 1 b enlarged 0=1 1=2.0 2=2.0
Eltwise          sum      2 1 large enlarged both 0=1 -23301=2,1.000000e+00,2.000000e+00
BinaryOp         half     1 1 both output 0=2 1=1 2=5.000000e-01
";

/// The weights, as 16-bit floats or as 32-bit ones.
fn weights(half: bool) -> Vec<u8> {
    // 1, 2, 3 and 4 as 16-bit floats.
    let halves: [u16; 4] = [0x3c00, 0x4000, 0x4200, 0x4400];
    let mut bytes = if half { HALF } else { 0 }.to_le_bytes().to_vec();
    for (output, input) in (0..12).flat_map(|output| (0..3).map(move |input| (output, input))) {
        let own = output / 4 == input;
        if half {
            bytes.extend(if own { halves[output % 4] } else { 0 }.to_le_bytes());
        } else {
            let value = if own { (output % 4 + 1) as f32 } else { 0.0 };
            bytes.extend(value.to_le_bytes());
        }
    }
    // The bias, then the slopes.
    for value in [0.0_f32; 12].into_iter().chain([3.0; 12]) {
        bytes.extend(value.to_le_bytes());
    }
    bytes
}

fn ran(graph: Vec<u8>, picture: Vec<f32>, height: usize, width: usize) -> Tensor {
    let network = Network::from_bytes(graph).unwrap();
    assert_eq!(
        (network.inputs(), network.outputs()),
        (vec!["data".to_owned()], vec!["output".to_owned()])
    );
    let picture = Tensor::f32(&[1, 3, height, width], picture);
    network
        .run(vec![("data", picture)], &["output"])
        .unwrap()
        .remove(0)
}

#[test]
fn a_network_makes_what_its_layers_say() {
    for half in [true, false] {
        let graph = ncnn(DOUBLE, &weights(half)).unwrap();
        // One pixel: 1 in red, -1 in green and 0 in blue.
        let made = ran(graph, vec![1.0, -1.0, 0.0], 1, 1);
        assert_eq!(made.shape, [1, 3, 2, 2]);
        // Red: (1, 2, 3, 4 plus 2) / 2. Green is below zero: by the activation × 0.5, by the slope × 3.
        let green = [1.0, 2.0, 3.0, 4.0].map(|factor: f32| (-factor * 0.5 * 3.0 - 2.0) / 2.0);
        let expected = [&[1.5, 2.0, 2.5, 3.0][..], &green, &[0.0; 4]].concat();
        assert_eq!(made.into_f32(), expected);
    }
}

#[test]
fn a_converted_network_takes_any_size() {
    let graph = ncnn(DOUBLE, &weights(true)).unwrap();
    let made = ran(graph, vec![1.0; 3 * 5 * 7], 5, 7);
    assert_eq!(made.shape, [1, 3, 10, 14]);
    // A constant picture gives the pixel's four values again and again.
    assert_eq!(made.into_f32()[..4], [1.5, 2.0, 1.5, 2.0]);
}

#[test]
fn halves_are_read_exactly() {
    for (half, value) in [
        (0x3c00, 1.0),
        (0xc000, -2.0),
        (0x3555, 0.333_251_95),
        (0x0001, 2.0_f32.powi(-24)),
        (0x7bff, 65_504.0),
        (0x8000, 0.0),
    ] {
        assert!((from_half(half) - value).abs() <= 0.0, "{half:#06x}");
    }
}

#[test]
fn mistakes_are_named() {
    let whole = weights(true);
    assert_eq!(ncnn("ncnn", &whole), Err(NcnnError::NotNcnn));
    assert_eq!(
        ncnn(DOUBLE, &whole[..whole.len() - 4]),
        Err(NcnnError::Short("slopes".into()))
    );
    let longer = [&whole[..], &[0; 3]].concat();
    assert_eq!(ncnn(DOUBLE, &longer), Err(NcnnError::Left(3)));
    for (from, to, line, why) in [
        (
            "PixelShuffle     shuffle",
            "Pooling shuffle",
            7,
            "the layer `Pooling` is not supported",
        ),
        ("4=0 5=1", "4=0 3=2 5=1", 5, "the stride 2 is not supported"),
        ("0=12 1=1", "0=12 1=x", 5, "`1=x` is not a setting"),
        ("1 1 wide bent 0=12", "1", 6, "the line ends too early"),
    ] {
        let wrong = DOUBLE.replace(from, to);
        assert_ne!(wrong, DOUBLE);
        let why = why.to_owned();
        assert_eq!(ncnn(&wrong, &whole), Err(NcnnError::Layer { line, why }));
    }
}
