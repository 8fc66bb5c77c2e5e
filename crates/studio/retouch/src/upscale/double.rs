//! Doubles a piece of a picture: a cubic enlargement of every channel, and the network's detail on top, limited to
//! the range of the surrounding pixels, so that no edge rings.

#![expect(
    clippy::needless_range_loop,
    reason = "channels are counted across several arrays at once"
)]

use rayon::prelude::*;

use super::network::{Maps, Network, REACH};
use crate::color::{byte, luma};

/// The tiles that tasks work on: source pixels.
const TILE_WIDTH: usize = 64;
const TILE_HEIGHT: usize = 32;

/// How far beyond its surroundings' range a value may go, as a share of that range and of how far a pixel differs
/// from its neighbours.
const SLACK: f32 = 0.02;
const CREST: f32 = 0.3;

/// Cubic weights (Keys 1981) a quarter pixel after the second of four samples.
const QUARTER: [f32; 4] = [-0.070_312_5, 0.867_187_5, 0.226_562_5, -0.023_437_5];

/// A piece of a picture, straight alpha.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) rgba: Vec<u8>,
}

/// Twice the size. Pixels beyond the piece repeat its border.
pub(super) fn double(piece: &Piece, network: &Network, opaque: bool) -> Piece {
    let columns = piece.width.div_ceil(TILE_WIDTH);
    let rows = piece.height.div_ceil(TILE_HEIGHT);
    let mut out = vec![0_u8; 16 * piece.width * piece.height];
    let band = 4 * 2 * piece.width * 2 * TILE_HEIGHT;
    let tiles: Vec<Vec<u8>> = (0..rows * columns)
        .into_par_iter()
        .map(|i| {
            Tile::new(piece, (i % columns) * TILE_WIDTH, (i / columns) * TILE_HEIGHT).double(network, opaque)
        })
        .collect();
    out.par_chunks_mut(band).enumerate().for_each(|(row, band)| {
        for (y, line) in band.chunks_mut(8 * piece.width).enumerate() {
            for (column, out) in line.chunks_mut(8 * TILE_WIDTH).enumerate() {
                let tile = &tiles[row * columns + column];
                let start = 8 * TILE_WIDTH * y;
                out.copy_from_slice(&tile[start..start + out.len()]);
            }
        }
    });
    Piece {
        width: 2 * piece.width,
        height: 2 * piece.height,
        rgba: out,
    }
}

/// The source pixels of one tile and `REACH` more on each side, as floats.
struct Tile {
    width: usize,
    height: usize,
    /// Red, green and blue times alpha, then alpha: planes.
    channels: [Vec<f32>; 4],
    luma: Vec<f32>,
}

impl Tile {
    fn new(piece: &Piece, left: usize, top: usize) -> Self {
        let (width, height) = (TILE_WIDTH + 2 * REACH, TILE_HEIGHT + 2 * REACH);
        let mut channels: [Vec<f32>; 4] = std::array::from_fn(|_| vec![0.0; width * height]);
        let mut lumas = vec![0.0; width * height];
        for y in 0..height {
            let sy = (top + y).saturating_sub(REACH).min(piece.height - 1);
            for x in 0..width {
                let sx = (left + x).saturating_sub(REACH).min(piece.width - 1);
                let at = 4 * (sy * piece.width + sx);
                let pixel = &piece.rgba[at..at + 4];
                let alpha = f32::from(pixel[3]) / 255.0;
                let [r, g, b] = [pixel[0], pixel[1], pixel[2]].map(f32::from);
                let i = y * width + x;
                channels[0][i] = r * alpha;
                channels[1][i] = g * alpha;
                channels[2][i] = b * alpha;
                channels[3][i] = 255.0 * alpha;
                lumas[i] = luma(r, g, b) / 255.0;
            }
        }
        Self {
            width,
            height,
            channels,
            luma: lumas,
        }
    }

    fn double(&self, network: &Network, opaque: bool) -> Vec<u8> {
        let maps = Maps {
            count: 1,
            width: self.width,
            height: self.height,
            data: self.luma.clone(),
        };
        let detail = network.detail(&maps);
        let mut out = vec![0_u8; 16 * TILE_WIDTH * TILE_HEIGHT];
        let count = if opaque { 3 } else { 4 };
        for y in 0..TILE_HEIGHT {
            for x in 0..TILE_WIDTH {
                let i = (y + REACH) * self.width + x + REACH;
                let mut values = [[255.0_f32; 4]; 4];
                let mut ranges = [(0.0, 255.0); 4];
                for channel in 0..count {
                    values[channel] = cubic(&self.channels[channel], i, self.width);
                    ranges[channel] = range(&self.channels[channel], i, self.width);
                }
                // At an outline against transparency there is no colour beyond to estimate detail from.
                let solid = opaque || ranges[3].0 >= 250.0;
                for quarter in 0..4 {
                    let extra = if solid {
                        255.0 * detail.data[(quarter * TILE_HEIGHT + y) * TILE_WIDTH + x]
                    } else {
                        0.0
                    };
                    let alpha = if opaque {
                        255.0
                    } else {
                        held(values[3][quarter], ranges[3])
                    };
                    let cover = alpha / 255.0;
                    let at = 4 * ((2 * y + quarter / 2) * 2 * TILE_WIDTH + 2 * x + quarter % 2);
                    for channel in 0..3 {
                        let value = held(values[channel][quarter] + extra * cover, ranges[channel]);
                        out[at + channel] = if opaque {
                            byte(value)
                        } else if cover > 0.0 {
                            byte(value / cover)
                        } else {
                            0
                        };
                    }
                    out[at + 3] = byte(alpha);
                }
            }
        }
        out
    }
}

/// The four quarters of a pixel by cubic interpolation.
#[inline]
fn cubic(plane: &[f32], at: usize, width: usize) -> [f32; 4] {
    // Two columns of weights over five rows, then two rows of weights.
    let mut left = [0.0; 5];
    let mut right = [0.0; 5];
    for (j, (left, right)) in left.iter_mut().zip(&mut right).enumerate() {
        let row = &plane[at + j * width - 2 * width - 2..][..5];
        *left = QUARTER[3] * row[0] + QUARTER[2] * row[1] + QUARTER[1] * row[2] + QUARTER[0] * row[3];
        *right = QUARTER[0] * row[1] + QUARTER[1] * row[2] + QUARTER[2] * row[3] + QUARTER[3] * row[4];
    }
    let up = |c: &[f32; 5]| QUARTER[3] * c[0] + QUARTER[2] * c[1] + QUARTER[1] * c[2] + QUARTER[0] * c[3];
    let down = |c: &[f32; 5]| QUARTER[0] * c[1] + QUARTER[1] * c[2] + QUARTER[2] * c[3] + QUARTER[3] * c[4];
    [up(&left), up(&right), down(&left), down(&right)]
}

/// The range of the four quarters of a pixel: a little beyond it and its eight neighbours, and more if the pixel is
/// the crest of a line, whose height lies between the samples.
#[inline]
fn range(plane: &[f32], at: usize, width: usize) -> (f32, f32) {
    let own = plane[at];
    let (mut low, mut high) = (own, own);
    // Lines stand out to both sides in three directions of four, corners in one: the second most counts.
    let (mut crest, mut trough) = ([0.0_f32; 2], [0.0_f32; 2]);
    let keep = |most: &mut [f32; 2], value: f32| {
        most[1] = most[1].max(value.min(most[0]));
        most[0] = most[0].max(value);
    };
    for step in [1, width - 1, width, width + 1] {
        let (a, b) = (plane[at - step], plane[at + step]);
        low = low.min(a).min(b);
        high = high.max(a).max(b);
        keep(&mut crest, (own - a).min(own - b));
        keep(&mut trough, (a - own).min(b - own));
    }
    let slack = SLACK * (high - low);
    let beyond = |out: f32| CREST * (out - 3.0 * slack).max(0.0);
    (low - slack - beyond(trough[1]), high + slack + beyond(crest[1]))
}

#[inline]
fn held(value: f32, (low, high): (f32, f32)) -> f32 {
    value.clamp(low, high).clamp(0.0, 255.0)
}
