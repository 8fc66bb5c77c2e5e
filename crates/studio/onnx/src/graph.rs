//! A graph and its runs: pictures become numbers as the manifest says, and numbers pictures.

use std::path::{Path, PathBuf};

use atelier_networks::Tensor;
use atelier_protocol::Error;
use atelier_retouch::decode::Picture;

use crate::{
    Places,
    manifest::{Activation, Color, GRAPH, Layout, Manifest, Marks, Number, Tile},
    pixels::{self, Plane},
    session::Session,
};

/// A loaded model.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) folder: PathBuf,
    pub(crate) manifest: Manifest,
    session: Session,
}

/// The result of a run: channels, height, width, and the numbers in this order.
struct Output {
    channels: usize,
    height: usize,
    width: usize,
    values: Vec<f32>,
}

impl Graph {
    pub(crate) fn load(places: &Places, folder: &Path) -> Result<Self, Error> {
        let manifest = Manifest::read(folder).map_err(Error::Failed)?;
        let session = Session::load(places, &folder.join(GRAPH))?;
        Ok(Self {
            folder: folder.to_owned(),
            manifest,
            session,
        })
    }

    /// The name of the runtime.
    pub(crate) const fn runtime(&self) -> &'static str {
        self.session.runtime()
    }

    /// The name of the device.
    pub(crate) const fn device(&self) -> &'static str {
        self.session.device()
    }

    /// One channel of what the model sees in a picture, 0 to 1; near is 1 in depth.
    pub(crate) fn plane(&mut self, picture: &Picture) -> Result<Plane, Error> {
        let (width, height) = self.size(picture);
        let output = self.run(&pixels::resized(picture, width, height), None)?;
        let mut values = output.values;
        values.truncate(output.width * output.height);
        match self.manifest.activation {
            Activation::Normalize => normalize(&mut values),
            other => activate(&mut values, other),
        }
        for value in &mut values {
            *value = if value.is_finite() {
                value.clamp(0.0, 1.0)
            } else {
                0.0
            };
            if self.manifest.low_is_near {
                *value = 1.0 - *value;
            }
        }
        Ok(Plane {
            width: output.width,
            height: output.height,
            values,
        })
    }

    /// How likely each class of the manifest is, in their order.
    pub(crate) fn scores(&mut self, picture: &Picture) -> Result<Vec<f32>, Error> {
        let (width, height) = self.size(picture);
        let [wide, high] = self.manifest.size.scaled.unwrap_or([width, height]);
        let scaled = pixels::resized_linearly(picture, wide, high);
        let middle = pixels::part(&scaled, (wide - width) / 2, (high - height) / 2, width, height);
        let mut scores = self.numbers_of(&middle, None)?.into_f32();
        let classes = self.manifest.classes.len();
        if scores.len() != classes || scores.iter().any(|score| !score.is_finite()) {
            return Err(Error::Failed(format!(
                "the model's output is {} numbers instead of scores of {classes} classes",
                scores.len()
            )));
        }
        activate(&mut scores, self.manifest.activation);
        Ok(scores)
    }

    /// The picture that the model makes of a picture, in the model's size.
    pub(crate) fn picture(
        &mut self,
        picture: &Picture,
        mask: Option<&Picture>,
        progress: &mut dyn FnMut(f32),
    ) -> Result<Picture, Error> {
        match self.manifest.tile {
            Some(tile) if mask.is_none() && picture.width.max(picture.height) > tile.size => {
                self.in_parts(picture, tile, progress)
            }
            _ => {
                let (width, height) = self.size(picture);
                let mask = mask.map(|mask| pixels::resized(mask, width, height));
                let output = self.run(&pixels::resized(picture, width, height), mask.as_ref())?;
                self.drawn(&output)
            }
        }
    }

    /// Parts that reach into each other. Each fades in over the ones before it, so that no seam can be seen.
    fn in_parts(
        &mut self,
        picture: &Picture,
        Tile { size, overlap }: Tile,
        progress: &mut dyn FnMut(f32),
    ) -> Result<Picture, Error> {
        let (width, height) = (size.min(picture.width), size.min(picture.height));
        let (lefts, tops) = (
            places(picture.width, width, overlap),
            places(picture.height, height, overlap),
        );
        let mut whole: Option<Picture> = None;
        for (row, top) in tops.iter().enumerate() {
            // A strip of parts beside each other; its rims are known before it fades in over the strip above it.
            let mut strip: Option<(usize, Picture)> = None;
            for (column, left) in lefts.iter().enumerate() {
                let output = self.run(&pixels::part(picture, *left, *top, width, height), None)?;
                let drawn = self.drawn(&output)?;
                let (factor, strip) = strip.get_or_insert_with(|| {
                    let factor = drawn.width / width;
                    let filled = Picture::filled(picture.width * factor, height * factor, [0, 0, 0, 255]);
                    (factor, filled)
                });
                if (drawn.width, drawn.height) != (width * *factor, height * *factor) {
                    return Err(Error::Failed(
                        "the size of the model's output is not a whole multiple of its input's".to_owned(),
                    ));
                }
                let fade = *factor * shared(column, &lefts, width);
                pixels::fade_in(strip, &drawn, (left * *factor, 0), (fade, 0));
                progress((row * lefts.len() + column + 1) as f32 / (tops.len() * lefts.len()) as f32);
            }
            let Some((factor, strip)) = strip else { continue };
            let whole = whole.get_or_insert_with(|| {
                Picture::filled(picture.width * factor, picture.height * factor, [0, 0, 0, 255])
            });
            let fade = factor * shared(row, &tops, height);
            pixels::fade_in(whole, &strip, (0, top * factor), (0, fade));
        }
        whole.ok_or_else(|| Error::Failed("the picture is empty".to_owned()))
    }

    /// The size in which a picture goes in.
    fn size(&self, picture: &Picture) -> (usize, usize) {
        let size = self.manifest.size;
        if let Some([width, height]) = size.fixed {
            return (width, height);
        }
        let long = picture.width.max(picture.height);
        let scale = size
            .longest
            .map_or(1.0, |longest| (longest as f64 / long as f64).min(1.0));
        let multiple = size.multiple_of.unwrap_or(1);
        let fit = |side: usize| {
            let side = (side as f64 * scale).round() as usize;
            side.max(1).div_ceil(multiple) * multiple
        };
        (fit(picture.width), fit(picture.height))
    }

    fn run(&mut self, picture: &Picture, mask: Option<&Picture>) -> Result<Output, Error> {
        read(self.numbers_of(picture, mask)?, self.manifest.layout)
    }

    /// Returns the graph's numbers for a picture in its size.
    fn numbers_of(&mut self, picture: &Picture, mask: Option<&Picture>) -> Result<Tensor, Error> {
        let own = self.session.inputs();
        let name = |said: &Option<String>, at: usize| {
            said.clone().or_else(|| own.get(at).cloned()).ok_or_else(|| {
                Error::Failed(format!(
                    "the graph has {} inputs; {} are required",
                    own.len(),
                    at + 1
                ))
            })
        };
        let mut inputs = vec![(name(&self.manifest.input, 0)?, self.numbers(picture))];
        if let Some(mask) = mask {
            inputs.push((name(&self.manifest.mask_input, 1)?, self.mask_numbers(mask)));
        }
        self.session.run(inputs, self.manifest.output.as_deref())
    }

    /// A picture as the graph takes it.
    fn numbers(&self, picture: &Picture) -> Tensor {
        let Manifest {
            range,
            mean,
            std,
            color,
            layout,
            numbers,
            ..
        } = &self.manifest;
        let byte = |pixel: &[u8], channel: usize| match color {
            Color::Rgb => pixel[channel],
            Color::Bgr => pixel[2 - channel],
        };
        let (height, width) = (picture.height, picture.width);
        let shape = match layout {
            Layout::Nchw => [1, 3, height, width],
            Layout::Nhwc => [1, height, width, 3],
        };
        let count = width * height;
        // The pixel and the channel of a number of the tensor.
        let place = |at: usize| match layout {
            Layout::Nchw => (at % count, at / count),
            Layout::Nhwc => (at / 3, at % 3),
        };
        let bytes = (0..3 * count).map(|at| {
            let (pixel, channel) = place(at);
            (byte(&picture.rgba[4 * pixel..4 * pixel + 4], channel), channel)
        });
        match numbers {
            Number::Uint8 => Tensor::u8(&shape, bytes.map(|(byte, _)| byte).collect()),
            Number::Float32 => {
                let values = bytes
                    .map(|(byte, channel)| (f32::from(byte) / 255.0 * range - mean[channel]) / std[channel]);
                Tensor::f32(&shape, values.collect())
            }
        }
    }

    fn mask_numbers(&self, mask: &Picture) -> Tensor {
        let shape = match self.manifest.layout {
            Layout::Nchw => [1, 1, mask.height, mask.width],
            Layout::Nhwc => [1, mask.height, mask.width, 1],
        };
        let marked = mask.rgba.chunks_exact(4).map(|pixel| {
            let hole = pixel[0] >= 128;
            hole == (self.manifest.mask_marks == Marks::Hole)
        });
        match self.manifest.numbers {
            Number::Uint8 => Tensor::u8(&shape, marked.map(|on| if on { 255 } else { 0 }).collect()),
            Number::Float32 => Tensor::f32(&shape, marked.map(|on| f32::from(u8::from(on))).collect()),
        }
    }

    fn drawn(&self, output: &Output) -> Result<Picture, Error> {
        if output.channels != 3 {
            return Err(Error::Failed(format!(
                "the model's output has {} channels; a picture has 3",
                output.channels
            )));
        }
        let count = output.width * output.height;
        let byte = |value: f32| {
            (value / self.manifest.output_range * 255.0)
                .round()
                .clamp(0.0, 255.0) as u8
        };
        let mut rgba = vec![255; 4 * count];
        for (at, pixel) in rgba.chunks_exact_mut(4).enumerate() {
            for channel in 0..3 {
                let place = match self.manifest.color {
                    Color::Rgb => channel,
                    Color::Bgr => 2 - channel,
                };
                pixel[place] = byte(output.values[channel * count + at]);
            }
        }
        Ok(Picture {
            width: output.width,
            height: output.height,
            rgba,
            icc: None,
        })
    }
}

/// Numbers of the shape N × C × H × W, N × H × W × C, C × H × W, N × H × W or H × W, channels first.
fn read(made: Tensor, layout: Layout) -> Result<Output, Error> {
    let sides = made.shape.clone();
    let values = made.into_f32();
    let (channels, height, width) = match (sides.as_slice(), layout) {
        ([1, channels, height, width], Layout::Nchw)
        | ([1, height, width, channels], Layout::Nhwc)
        | ([channels, height, width], _) => (*channels, *height, *width),
        ([height, width], _) => (1, *height, *width),
        _ => {
            return Err(Error::Failed(format!(
                "the model's output has the shape {sides:?}, which is not a picture"
            )));
        }
    };
    if channels * height * width == 0 || channels * height * width != values.len() {
        return Err(Error::Failed(format!(
            "the model's output has the shape {sides:?}"
        )));
    }
    let values = match (layout, sides.len()) {
        (Layout::Nhwc, 4) => (0..channels)
            .flat_map(|channel| values.iter().skip(channel).step_by(channels).copied())
            .collect(),
        _ => values,
    };
    Ok(Output {
        channels,
        height,
        width,
        values,
    })
}

fn activate(values: &mut [f32], activation: Activation) {
    match activation {
        Activation::None | Activation::Normalize => {}
        Activation::Sigmoid => {
            for value in values {
                *value = 1.0 / (1.0 + (-*value).exp());
            }
        }
        Activation::Softmax => {
            let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = values.iter().map(|value| (value - most).exp()).sum();
            for value in values {
                *value = (*value - most).exp() / sum;
            }
        }
    }
}

fn normalize(values: &mut [f32]) {
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let span = (most - least).max(f32::EPSILON);
    for value in values {
        *value = (*value - least) / span;
    }
}

/// How much a part shares with the one before it.
fn shared(at: usize, places: &[usize], side: usize) -> usize {
    match at {
        0 => 0,
        _ => places[at - 1] + side - places[at],
    }
}

/// Returns the starts of the parts of a side: the last one ends with it.
fn places(long: usize, part: usize, overlap: usize) -> Vec<usize> {
    let step = (part - overlap.min(part - 1)).max(1);
    let last = long - part;
    let mut places: Vec<usize> = (0..last).step_by(step).collect();
    places.push(last);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_a_side_and_reach_into_each_other() {
        assert_eq!(places(10, 10, 2), [0]);
        assert_eq!(places(20, 10, 2), [0, 8, 10]);
        assert_eq!(places(18, 10, 2), [0, 8]);
    }

    #[test]
    fn outputs_of_all_usual_shapes_are_read() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let shaped = |shape: &[usize], layout| {
            read(Tensor::f32(shape, values.to_vec()), layout)
                .map(|output| (output.channels, output.height, output.width, output.values))
        };
        assert_eq!(
            shaped(&[1, 1, 2, 3], Layout::Nchw).unwrap(),
            (1, 2, 3, values.to_vec())
        );
        assert_eq!(shaped(&[2, 3], Layout::Nchw).unwrap().0, 1);
        let (channels, _, _, turned) = shaped(&[1, 1, 2, 3], Layout::Nhwc).unwrap();
        assert_eq!((channels, turned), (3, vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0]));
        for wrong in [&[6][..], &[1, 1, 1, 7], &[1, 0, 2, 3]] {
            assert!(shaped(wrong, Layout::Nchw).is_err(), "{wrong:?}");
        }
    }
}
