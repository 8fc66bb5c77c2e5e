//! A graph and its runs: pictures become numbers as the manifest says, and numbers pictures.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use atelier_protocol::Error;
use atelier_retouch::decode::Picture;
use ort::{
    environment::Environment,
    session::{Session, SessionInputValue},
    value::Tensor,
};

use crate::{
    manifest::{Activation, Color, GRAPH, Layout, Manifest, Tile},
    pixels::{self, Plane},
};

/// A loaded model.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) folder: PathBuf,
    pub(crate) manifest: Manifest,
    session: Session,
}

/// What a run gave: channels, height, width, and the numbers in this order.
struct Output {
    channels: usize,
    height: usize,
    width: usize,
    values: Vec<f32>,
}

/// A process has one.
static ENVIRONMENT: OnceLock<Result<Environment, String>> = OnceLock::new();

fn environment(library: &Path) -> Result<&'static Environment, Error> {
    let opened = ENVIRONMENT.get_or_init(|| {
        let builder = ort::init_from(library).map_err(|error| error.to_string())?;
        builder
            .with_telemetry(false)
            .build()
            .map_err(|error| error.to_string())
    });
    opened.as_ref().map_err(|why| {
        Error::Failed(format!(
            "ONNX Runtime cannot be loaded from {}: {why}",
            library.display()
        ))
    })
}

impl Graph {
    pub(crate) fn load(library: &Path, folder: &Path) -> Result<Self, Error> {
        let manifest = Manifest::read(folder).map_err(Error::Failed)?;
        let path = folder.join(GRAPH);
        let wrong = |why: &dyn std::fmt::Display| Error::Failed(format!("{}: {why}", path.display()));
        let mut builder = Session::builder(environment(library)?).map_err(|error| wrong(&error))?;
        let session = builder.commit_from_file(&path).map_err(|error| wrong(&error))?;
        Ok(Self {
            folder: folder.to_owned(),
            manifest,
            session,
        })
    }

    /// One channel of what the model sees in a picture, 0 to 1; near is 1 in depth.
    pub(crate) fn plane(&mut self, picture: &Picture) -> Result<Plane, Error> {
        let (width, height) = self.size(picture);
        let output = self.run(&pixels::resized(picture, width, height), None)?;
        let mut values = output.values;
        values.truncate(output.width * output.height);
        match self.manifest.activation {
            Activation::None => {}
            Activation::Sigmoid => {
                for value in &mut values {
                    *value = 1.0 / (1.0 + (-*value).exp());
                }
            }
            Activation::Normalize => normalize(&mut values),
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

    /// Parts that reach into each other; of each, the middle is kept.
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
        let mut whole: Option<(usize, Picture)> = None;
        for (row, top) in tops.iter().enumerate() {
            for (column, left) in lefts.iter().enumerate() {
                let output = self.run(&pixels::part(picture, *left, *top, width, height), None)?;
                let drawn = self.drawn(&output)?;
                let (factor, whole) = whole.get_or_insert_with(|| {
                    let factor = drawn.width / width;
                    let filled =
                        Picture::filled(picture.width * factor, picture.height * factor, [0, 0, 0, 255]);
                    (factor, filled)
                });
                if (drawn.width, drawn.height) != (width * *factor, height * *factor) {
                    return Err(Error::Failed(
                        "the size of the model's output is not a whole multiple of its input's".to_owned(),
                    ));
                }
                // What is new in this part, less half of what it shares with the ones before.
                let skip = |at: usize, places: &[usize], side: usize| match at {
                    0 => 0,
                    _ => (places[at - 1] + side - places[at]) / 2,
                };
                let (skip_x, skip_y) = (skip(column, &lefts, width), skip(row, &tops, height));
                for y in skip_y * *factor..height * *factor {
                    let from = 4 * (y * drawn.width + skip_x * *factor);
                    let until = 4 * (y + 1) * drawn.width;
                    let at = 4 * ((top * *factor + y) * whole.width + (left + skip_x) * *factor);
                    whole.rgba[at..at + until - from].copy_from_slice(&drawn.rgba[from..until]);
                }
                progress((row * lefts.len() + column + 1) as f32 / (tops.len() * lefts.len()) as f32);
            }
        }
        whole
            .map(|(_, whole)| whole)
            .ok_or_else(|| Error::Failed("the picture is empty".to_owned()))
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
        let wrong = |error: ort::Error| Error::Failed(format!("the model cannot be run: {error}"));
        let name = |said: &Option<String>, at: usize, session: &Session| {
            let own = session.inputs().get(at).map(|input| input.name().to_owned());
            said.clone()
                .or(own)
                .ok_or_else(|| Error::Failed("the graph has no such input".to_owned()))
        };
        let input = name(&self.manifest.input, 0, &self.session)?;
        let mut inputs: Vec<(String, SessionInputValue<'_>)> =
            vec![(input, self.numbers(picture).map_err(wrong)?.into())];
        if let Some(mask) = mask {
            let input = name(&self.manifest.mask_input, 1, &self.session)?;
            inputs.push((input, self.mask_numbers(mask).map_err(wrong)?.into()));
        }
        let chosen = self.manifest.output.clone();
        let layout = self.manifest.layout;
        let outputs = self.session.run(inputs).map_err(wrong)?;
        let output = match &chosen {
            Some(name) => outputs.get(name),
            None => outputs.values().next().is_some().then(|| &outputs[0]),
        };
        let output = output.ok_or_else(|| Error::Failed("the graph has no such output".to_owned()))?;
        let (shape, values) = output.try_extract_tensor::<f32>().map_err(wrong)?;
        read(shape, values, layout)
    }

    /// A picture as the graph takes it.
    fn numbers(&self, picture: &Picture) -> ort::Result<Tensor<f32>> {
        let Manifest {
            range,
            mean,
            std,
            color,
            layout,
            ..
        } = &self.manifest;
        let number = |pixel: &[u8], channel: usize| {
            let channel_in_file = match color {
                Color::Rgb => channel,
                Color::Bgr => 2 - channel,
            };
            let value = f32::from(pixel[channel_in_file]) / 255.0 * range;
            (value - mean[channel]) / std[channel]
        };
        let pixels = || picture.rgba.chunks_exact(4);
        let (height, width) = (picture.height as i64, picture.width as i64);
        match layout {
            Layout::Nchw => {
                let values = (0..3).flat_map(|channel| pixels().map(move |pixel| (pixel, channel)));
                let values: Vec<f32> = values.map(|(pixel, channel)| number(pixel, channel)).collect();
                Tensor::from_array((vec![1, 3, height, width], values))
            }
            Layout::Nhwc => {
                let values = pixels().flat_map(|pixel| [0, 1, 2].map(|channel| number(pixel, channel)));
                Tensor::from_array((vec![1, height, width, 3], values.collect::<Vec<f32>>()))
            }
        }
    }

    fn mask_numbers(&self, mask: &Picture) -> ort::Result<Tensor<f32>> {
        let values: Vec<f32> = mask
            .rgba
            .chunks_exact(4)
            .map(|pixel| f32::from(u8::from(pixel[0] >= 128)))
            .collect();
        let (height, width) = (mask.height as i64, mask.width as i64);
        let shape = match self.manifest.layout {
            Layout::Nchw => vec![1, 1, height, width],
            Layout::Nhwc => vec![1, height, width, 1],
        };
        Tensor::from_array((shape, values))
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
fn read(shape: &[i64], values: &[f32], layout: Layout) -> Result<Output, Error> {
    let sides: Vec<usize> = shape
        .iter()
        .map(|side| usize::try_from(*side).unwrap_or(0))
        .collect();
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
        _ => values.to_vec(),
    };
    Ok(Output {
        channels,
        height,
        width,
        values,
    })
}

fn normalize(values: &mut [f32]) {
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let span = (most - least).max(f32::EPSILON);
    for value in values {
        *value = (*value - least) / span;
    }
}

/// Where parts of a side begin: the last one ends with it.
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
        let shaped = |shape: &[i64], layout| {
            read(shape, &values, layout)
                .map(|output| (output.channels, output.height, output.width, output.values))
        };
        assert_eq!(
            shaped(&[1, 1, 2, 3], Layout::Nchw).unwrap(),
            (1, 2, 3, values.to_vec())
        );
        assert_eq!(shaped(&[2, 3], Layout::Nchw).unwrap().0, 1);
        let (channels, _, _, turned) = shaped(&[1, 1, 2, 3], Layout::Nhwc).unwrap();
        assert_eq!((channels, turned), (3, vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0]));
        for wrong in [&[6][..], &[1, 1, 1, 7], &[1, -1, 2, 3]] {
            assert!(shaped(wrong, Layout::Nchw).is_err(), "{wrong:?}");
        }
    }
}
