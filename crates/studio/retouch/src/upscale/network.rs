//! A small convolutional network that estimates the detail a doubled picture lacks: four layers over luma, the last
//! giving the four quarters of each pixel (Shi et al. 2016, "Real-time single image super-resolution using an
//! efficient sub-pixel convolutional neural network"), added to a cubic enlargement.
//!
//! Its weights were learned by `examples/train_upscale.rs` from sample pictures only.

/// How much of a negative value the activation lets through.
pub const LEAK: f32 = 0.1;

/// How far the network sees: pixels to each side.
pub const REACH: usize = 5;

/// Pixels that one step of the inner loop works on, and output channels likewise.
const LANES: usize = 8;
const BLOCK: usize = 4;

/// One convolution over `inputs` planes into `outputs` planes, without padding.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    pub inputs: usize,
    /// A multiple of four.
    pub outputs: usize,
    /// The side of the square kernel, an odd number.
    pub side: usize,
    /// By output, input, row and column.
    pub weights: Vec<f32>,
    pub biases: Vec<f32>,
}

/// Planes of equal size, one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Maps {
    pub count: usize,
    pub width: usize,
    pub height: usize,
    pub data: Vec<f32>,
}

impl Layer {
    pub fn new(inputs: usize, outputs: usize, side: usize) -> Self {
        Self {
            inputs,
            outputs,
            side,
            weights: vec![0.0; outputs * inputs * side * side],
            biases: vec![0.0; outputs],
        }
    }

    /// Convolves; the result is smaller by the kernel's side minus one. The input must be wide enough for eight
    /// columns of output.
    pub fn apply(&self, input: &Maps, activate: bool) -> Maps {
        let width = input.width + 1 - self.side;
        let height = input.height + 1 - self.side;
        assert!(
            width >= LANES,
            "a layer needs {LANES} columns of output, got {width}"
        );
        let mut out = Maps {
            count: self.outputs,
            width,
            height,
            data: vec![0.0; self.outputs * width * height],
        };
        let packed = self.packed();
        let per_block = self.inputs * self.side * self.side;
        for block in 0..self.outputs / BLOCK {
            let weights = &packed[block * per_block..(block + 1) * per_block];
            for y in 0..height {
                let mut x = 0;
                loop {
                    let sums = self.block(input, weights, block, x, y);
                    for (o, sums) in sums.iter().enumerate() {
                        let at = ((block * BLOCK + o) * height + y) * width + x;
                        for (out, sum) in out.data[at..at + LANES].iter_mut().zip(sums) {
                            *out = if activate { sum.max(LEAK * sum) } else { *sum };
                        }
                    }
                    if x + LANES == width {
                        break;
                    }
                    // The last step overlaps the one before, to keep the loop's shape.
                    x = (x + LANES).min(width - LANES);
                }
            }
        }
        out
    }

    #[inline]
    fn block(
        &self,
        input: &Maps,
        weights: &[[f32; BLOCK]],
        block: usize,
        x: usize,
        y: usize,
    ) -> [[f32; LANES]; BLOCK] {
        let mut sums: [[f32; LANES]; BLOCK] =
            std::array::from_fn(|o| [self.biases[block * BLOCK + o]; LANES]);
        let mut weights = weights.iter();
        for channel in 0..self.inputs {
            for ky in 0..self.side {
                let start = (channel * input.height + y + ky) * input.width + x;
                let row = &input.data[start..start + LANES + self.side - 1];
                for (values, w) in row.windows(LANES).zip(&mut weights) {
                    for o in 0..BLOCK {
                        for i in 0..LANES {
                            sums[o][i] += w[o] * values[i];
                        }
                    }
                }
            }
        }
        sums
    }

    /// The weights by blocks of outputs, so that the inner loop reads them in line.
    fn packed(&self) -> Vec<[f32; BLOCK]> {
        let size = self.inputs * self.side * self.side;
        (0..self.outputs / BLOCK)
            .flat_map(|block| {
                (0..size).map(move |i| std::array::from_fn(|o| self.weights[(block * BLOCK + o) * size + i]))
            })
            .collect()
    }
}

/// The layers in order; all but the last are activated.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    pub layers: Vec<Layer>,
}

impl Network {
    /// The shape in use, all weights zero.
    pub fn untrained() -> Self {
        Self {
            layers: vec![
                Layer::new(1, 12, 5),
                Layer::new(12, 12, 3),
                Layer::new(12, 12, 3),
                Layer::new(12, 4, 3),
            ],
        }
    }

    /// Reads weights as [`Network::to_bytes`] writes them; nothing if their number is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut network = Self::untrained();
        let mut values = bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        for layer in &mut network.layers {
            for value in layer.weights.iter_mut().chain(&mut layer.biases) {
                *value = values.next()?;
            }
        }
        values.next().is_none().then_some(network)
    }

    /// All weights and biases, layer by layer, as little-endian floats.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.layers
            .iter()
            .flat_map(|layer| layer.weights.iter().chain(&layer.biases))
            .flat_map(|value| value.to_le_bytes())
            .collect()
    }

    /// The detail of a piece of luma: four planes (top left, top right, bottom left, bottom right), smaller
    /// than the piece by [`REACH`] on each side.
    pub fn detail(&self, luma: &Maps) -> Maps {
        let last = self.layers.len() - 1;
        let mut maps = self.layers[0].apply(luma, last > 0);
        for (i, layer) in self.layers.iter().enumerate().skip(1) {
            maps = layer.apply(&maps, i < last);
        }
        maps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_is_the_sum_that_its_definition_says() {
        let mut layer = Layer::new(2, 4, 3);
        for (i, w) in layer.weights.iter_mut().enumerate() {
            *w = (i as f32 * 0.37).sin();
        }
        layer.biases = vec![0.1, -0.2, 0.3, -0.4];
        let data = (0..2 * 13 * 9).map(|i| (i as f32 * 0.11).cos()).collect();
        let input = Maps {
            count: 2,
            width: 13,
            height: 9,
            data,
        };
        let out = layer.apply(&input, true);
        assert_eq!((out.count, out.width, out.height), (4, 11, 7));
        for (o, x, y) in [(0, 0, 0), (3, 10, 6), (2, 9, 3), (1, 5, 5)] {
            let mut sum = layer.biases[o];
            for c in 0..2 {
                for ky in 0..3 {
                    for kx in 0..3 {
                        sum += layer.weights[((o * 2 + c) * 3 + ky) * 3 + kx]
                            * input.data[(c * 9 + y + ky) * 13 + x + kx];
                    }
                }
            }
            let expected = if sum < 0.0 { LEAK * sum } else { sum };
            assert!((out.data[(o * 7 + y) * 11 + x] - expected).abs() < 1e-5);
        }
    }

    #[test]
    fn weights_survive_the_way_to_bytes_and_back() {
        let mut network = Network::untrained();
        network.layers[1].weights[7] = 1.25;
        network.layers[3].biases[2] = -3.5;
        let bytes = network.to_bytes();
        assert_eq!(Network::from_bytes(&bytes), Some(network));
        assert_eq!(Network::from_bytes(&bytes[4..]), None);
    }
}
