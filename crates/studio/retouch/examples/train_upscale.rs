//! Learns the upscaler's weights from sample pictures, or measures them on your pictures.
//!
//! `cargo run --release --example train_upscale -- photo 20000 photo.weights` trains;
//! `cargo run --release --example train_upscale -- measure a.png b.jpg` compares with Lanczos.
//! The same arguments give the same weights, however many threads there are.

use std::path::Path;

use atelier_retouch::Plane;
use atelier_retouch::decode::{self, Picture};
use atelier_retouch::measure::{luma_of, psnr};
use atelier_retouch::samples::{SCENES, Scene, dead_leaves, scene};
use atelier_retouch::upscale::network::{LEAK, Layer, Maps, Network, REACH};
use atelier_retouch::upscale::{Kind, enlarge};
use rayon::prelude::*;

/// The source pixels of a training piece that count in the loss, and the pieces per step.
const PIECE: usize = 24;
const BATCH: usize = 16;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;
#[expect(clippy::print_stdout, reason = "an example tells what it does")]
fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["measure", ref files @ ..] => {
            for file in files {
                let truth = even(&decode::read(Path::new(file))?);
                let small = halved(&truth, |p| p.resized(p.width / 2, p.height / 2));
                let ours = enlarge(&small, 2, Kind::of(&small));
                let naive = lanczos(&luma(&small));
                println!(
                    "{file}: {:.2} dB, Lanczos {:.2} dB",
                    psnr(&luma_of(&ours), &luma_of(&truth)),
                    psnr(&naive.map(|value| 255.0 * value), &luma_of(&truth))
                );
            }
        }
        [kind @ ("photo" | "art"), steps, out] => {
            let network = train(kind == "art", steps.parse()?);
            std::fs::write(out, network.to_bytes())?;
        }
        _ => println!("arguments: photo|art STEPS FILE, or measure PICTURE…"),
    }
    Ok(())
}

/// Random numbers (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u32 << 24) as f32
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// A small picture and the large one it came from, as luma from 0 to 1.
struct Pair {
    small: Plane,
    large: Plane,
}

fn pairs(art: bool) -> Vec<Pair> {
    let count = 420_u64;
    (0..count)
        .into_par_iter()
        .map(|i| {
            let mut dice = Dice(i ^ 0x7ea1);
            let size = 256;
            let picture = if art {
                match i % 4 {
                    0 => scene(Scene::Page, size, size, 900 + i),
                    1 | 2 => scene(Scene::Cartoon, size, size, 900 + i),
                    _ => scene(Scene::Towers, size, size, 900 + i),
                }
            } else if i % 3 == 0 {
                scene(SCENES[(i / 3) as usize % SCENES.len()], size, size, 900 + i)
            } else {
                dead_leaves(size, size, 9000 + i)
            };
            let mut large = luma(&picture);
            // Lenses are not as sharp as computed shapes.
            if !art && dice.below(3) == 0 {
                large = large.blurred(0.4 + 0.6 * dice.unit());
            }
            let half = size / 2;
            let small = match dice.below(4) {
                0 | 1 => large.resized(half, half),
                2 => {
                    let soft = large.blurred(0.55 + 0.5 * dice.unit());
                    Plane::from_fn(half, half, |x, y| {
                        soft.bilinear(2.0 * x as f32 + 0.5, 2.0 * y as f32 + 0.5)
                    })
                }
                _ => cubic_half(&large),
            };
            let grain = if art { 0.0 } else { 0.006 * dice.unit() };
            let noise: Vec<f32> = (0..half * half)
                .map(|_| grain * (dice.unit() + dice.unit() + dice.unit() - 1.5) * 2.0)
                .collect();
            let small = Plane::from_fn(half, half, |x, y| {
                ((small.at(x, y) + noise[y * half + x]).clamp(0.0, 1.0) * 255.0).round() / 255.0
            });
            Pair { small, large }
        })
        .collect()
}

/// Half the size by the cubic kernel stretched to it.
fn cubic_half(plane: &Plane) -> Plane {
    let taps = [
        -0.008_789,
        -0.020_508,
        0.072_266,
        0.457_031,
        0.457_031,
        0.072_266,
        -0.020_508,
        -0.008_789_f32,
    ];
    let sum: f32 = taps.iter().sum();
    let across = Plane::from_fn(plane.width / 2, plane.height, |x, y| {
        (0..8)
            .map(|i| taps[i] * plane.clamped(2 * x as isize + i as isize - 3, y as isize))
            .sum::<f32>()
            / sum
    });
    Plane::from_fn(plane.width / 2, plane.height / 2, |x, y| {
        (0..8)
            .map(|i| taps[i] * across.clamped(x as isize, 2 * y as isize + i as isize - 3))
            .sum::<f32>()
            / sum
    })
}

#[expect(clippy::print_stdout, reason = "an example tells what it does")]
fn train(art: bool, steps: usize) -> Network {
    let pairs = pairs(art);
    println!("{} pairs", pairs.len());
    let mut network = Network::untrained();
    let mut dice = Dice(0xacce);
    for layer in &mut network.layers {
        let spread = (2.0 / (layer.inputs * layer.side * layer.side) as f32).sqrt();
        for w in &mut layer.weights {
            *w = spread * (dice.unit() + dice.unit() + dice.unit() + dice.unit() - 2.0) * 1.7;
        }
    }
    network.layers[3].weights.iter_mut().for_each(|w| *w *= 0.1);
    let mut adam = Adam::new(&network);
    let mut running = 0.0;
    for step in 0..steps {
        let batch: Vec<(Maps, Maps)> = (0..BATCH).map(|_| sample(&pairs, &mut dice)).collect();
        let results: Vec<(f32, Network)> = batch
            .par_iter()
            .map(|(input, target)| gradient(&network, input, target))
            .collect();
        let loss = results.iter().map(|(loss, _)| loss).sum::<f32>() / BATCH as f32;
        let progress = step as f32 / steps as f32;
        let rate = 1e-5 + 0.002 * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
        adam.step(&mut network, &results, rate * (step as f32 / 200.0).min(1.0));
        running += loss;
        if (step + 1) % 500 == 0 {
            println!("step {}: {:.6}", step + 1, running / 500.0);
            running = 0.0;
        }
    }
    network
}

/// A piece of a random pair, turned and mirrored at random, and the detail it lacks.
fn sample(pairs: &[Pair], dice: &mut Dice) -> (Maps, Maps) {
    let pair = &pairs[dice.below(pairs.len())];
    let (left, top) = (
        dice.below(pair.small.width - PIECE),
        dice.below(pair.small.height - PIECE),
    );
    let turn = dice.below(8);
    let side = PIECE + 2 * REACH;
    let place = |x: isize, y: isize, n: isize| {
        let (x, y) = if turn & 1 == 0 { (x, y) } else { (y, x) };
        (
            if turn & 2 == 0 { x } else { n - 1 - x },
            if turn & 4 == 0 { y } else { n - 1 - y },
        )
    };
    let mut input = Maps {
        count: 1,
        width: side,
        height: side,
        data: vec![0.0; side * side],
    };
    for y in 0..side {
        for x in 0..side {
            let (u, v) = place(
                x as isize - REACH as isize,
                y as isize - REACH as isize,
                PIECE as isize,
            );
            input.data[y * side + x] = pair.small.clamped(left as isize + u, top as isize + v);
        }
    }
    let base = doubled_cubic(&input);
    let mut target = Maps {
        count: 4,
        width: PIECE,
        height: PIECE,
        data: vec![0.0; 4 * PIECE * PIECE],
    };
    for y in 0..2 * PIECE {
        for x in 0..2 * PIECE {
            let (u, v) = place(x as isize, y as isize, 2 * PIECE as isize);
            let truth = pair.large.clamped(2 * left as isize + u, 2 * top as isize + v);
            let quarter = 2 * (y % 2) + x % 2;
            let cubic = base[(y + 2 * REACH) * 2 * side + x + 2 * REACH];
            target.data[(quarter * PIECE + y / 2) * PIECE + x / 2] = truth - cubic;
        }
    }
    (input, target)
}

fn doubled_cubic(input: &Maps) -> Vec<f32> {
    let quarter = [-0.070_312_5, 0.867_187_5, 0.226_562_5, -0.023_437_5];
    let plane = Plane {
        width: input.width,
        height: input.height,
        data: input.data.clone(),
    };
    let line = |at: usize, read: &dyn Fn(isize) -> f32| {
        let i = (at / 2) as isize;
        let sign = if at.is_multiple_of(2) { -1 } else { 1 };
        (0..4)
            .map(|k| quarter[k as usize] * read(i + sign * (k - 1)))
            .sum::<f32>()
    };
    let across = Plane::from_fn(2 * plane.width, plane.height, |x, y| {
        line(x, &|u| plane.clamped(u, y as isize))
    });
    Plane::from_fn(2 * plane.width, 2 * plane.height, |x, y| {
        line(y, &|v| across.clamped(x as isize, v))
    })
    .data
}

/// The loss (Charbonnier) of one piece and its gradient by every weight.
fn gradient(network: &Network, input: &Maps, target: &Maps) -> (f32, Network) {
    let mut states = vec![input.clone()];
    let last = network.layers.len() - 1;
    for (i, layer) in network.layers.iter().enumerate() {
        let next = layer.apply(&states[i], i < last);
        states.push(next);
    }
    let out = &states[last + 1];
    let mut loss = 0.0;
    let scale = 1.0 / out.data.len() as f32;
    let mut delta = out.clone();
    for ((d, o), t) in delta.data.iter_mut().zip(&out.data).zip(&target.data) {
        let error = o - t;
        let root = (error * error + 1e-4).sqrt();
        loss += (root - 0.01) * scale;
        *d = error / root * scale;
    }
    let mut slope = Network::untrained();
    for i in (0..=last).rev() {
        let layer = &network.layers[i];
        if i < last {
            for (d, o) in delta.data.iter_mut().zip(&states[i + 1].data) {
                if *o < 0.0 {
                    *d *= LEAK;
                }
            }
        }
        by_weights(&states[i], &delta, &mut slope.layers[i]);
        if i > 0 {
            delta = by_input(layer, &delta);
        }
    }
    (loss, slope)
}

fn by_weights(input: &Maps, delta: &Maps, slope: &mut Layer) {
    let side = slope.side;
    for o in 0..slope.outputs {
        let plane = &delta.data[o * delta.width * delta.height..(o + 1) * delta.width * delta.height];
        slope.biases[o] = plane.iter().sum();
        for c in 0..slope.inputs {
            for ky in 0..side {
                for kx in 0..side {
                    let mut lanes = [0.0_f32; 8];
                    for (y, row) in plane.chunks_exact(delta.width).enumerate() {
                        let start = (c * input.height + y + ky) * input.width + kx;
                        let source = &input.data[start..start + delta.width];
                        for (a, b) in row.chunks_exact(8).zip(source.chunks_exact(8)) {
                            for i in 0..8 {
                                lanes[i] += a[i] * b[i];
                            }
                        }
                        for i in delta.width / 8 * 8..delta.width {
                            lanes[0] += row[i] * source[i];
                        }
                    }
                    slope.weights[((o * slope.inputs + c) * side + ky) * side + kx] = lanes.iter().sum();
                }
            }
        }
    }
}

/// Backpropagation through a layer: the layer's kernel reversed, over the padded differences.
fn by_input(layer: &Layer, delta: &Maps) -> Maps {
    let (side, pad) = (layer.side, layer.side - 1);
    let mut back = Layer::new(layer.outputs, layer.inputs, side);
    for o in 0..layer.outputs {
        for c in 0..layer.inputs {
            for k in 0..side * side {
                back.weights[(c * layer.outputs + o) * side * side + side * side - 1 - k] =
                    layer.weights[(o * layer.inputs + c) * side * side + k];
            }
        }
    }
    let (width, height) = (delta.width + 2 * pad, delta.height + 2 * pad);
    let mut padded = Maps {
        count: delta.count,
        width,
        height,
        data: vec![0.0; delta.count * width * height],
    };
    for (i, row) in delta.data.chunks_exact(delta.width).enumerate() {
        let (plane, y) = (i / delta.height, i % delta.height);
        let start = (plane * height + y + pad) * width + pad;
        padded.data[start..start + delta.width].copy_from_slice(row);
    }
    back.apply(&padded, false)
}

/// Kingma and Ba 2015.
struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(network: &Network) -> Self {
        let count = network.to_bytes().len() / 4;
        Self {
            first: vec![0.0; count],
            second: vec![0.0; count],
            steps: 0,
        }
    }

    fn step(&mut self, network: &mut Network, slopes: &[(f32, Network)], rate: f32) {
        self.steps += 1;
        let correct = (1.0 - 0.999_f32.powi(self.steps)).sqrt() / (1.0 - 0.9_f32.powi(self.steps));
        let mut at = 0;
        for (l, layer) in network.layers.iter_mut().enumerate() {
            let weights = layer.weights.len();
            for (i, value) in layer.weights.iter_mut().chain(&mut layer.biases).enumerate() {
                let slope = slopes
                    .iter()
                    .map(|(_, slope)| {
                        let layer = &slope.layers[l];
                        if i < weights {
                            layer.weights[i]
                        } else {
                            layer.biases[i - weights]
                        }
                    })
                    .sum::<f32>()
                    / slopes.len() as f32;
                self.first[at] = 0.9 * self.first[at] + 0.1 * slope;
                self.second[at] = 0.999 * self.second[at] + 0.001 * slope * slope;
                *value -= rate * correct * self.first[at] / (self.second[at].sqrt() + 1e-8);
                at += 1;
            }
        }
    }
}

fn luma(picture: &Picture) -> Plane {
    luma_of(picture).map(|value| value / 255.0)
}

fn even(picture: &Picture) -> Picture {
    let (w, h) = (picture.width & !1, picture.height & !1);
    let mut out = Picture::filled(w, h, [0; 4]);
    for y in 0..h {
        out.rgba[4 * y * w..4 * (y + 1) * w]
            .copy_from_slice(&picture.rgba[4 * y * picture.width..4 * (y * picture.width + w)]);
    }
    out
}

fn halved(picture: &Picture, half: impl Fn(&Plane) -> Plane) -> Picture {
    let planes: Vec<Plane> = (0..4)
        .map(|c| {
            half(&Plane::from_fn(picture.width, picture.height, |x, y| {
                f32::from(picture.pixel(x, y)[c])
            }))
        })
        .collect();
    let mut out = Picture::filled(planes[0].width, planes[0].height, [0; 4]);
    for (i, pixel) in out.rgba.chunks_exact_mut(4).enumerate() {
        for c in 0..4 {
            pixel[c] = planes[c].data[i].round().clamp(0.0, 255.0) as u8;
        }
    }
    out
}

/// Twice the size with Lanczos' kernel of three lobes: the reference.
fn lanczos(plane: &Plane) -> Plane {
    let sinc = |x: f32| {
        if x == 0.0 {
            1.0
        } else {
            (std::f32::consts::PI * x).sin() / (std::f32::consts::PI * x)
        }
    };
    let line = |at: usize, read: &dyn Fn(isize) -> f32| {
        let place = 0.5 * at as f32 - 0.25;
        let first = place.floor() as isize - 2;
        let (mut sum, mut total) = (0.0, 0.0);
        for i in first..first + 6 {
            let d = place - i as f32;
            let w = sinc(d) * sinc(d / 3.0);
            sum += w * read(i);
            total += w;
        }
        sum / total
    };
    let across = Plane::from_fn(2 * plane.width, plane.height, |x, y| {
        line(x, &|u| plane.clamped(u, y as isize))
    });
    Plane::from_fn(2 * plane.width, 2 * plane.height, |x, y| {
        line(y, &|v| across.clamped(x as isize, v)).clamp(0.0, 1.0)
    })
}
