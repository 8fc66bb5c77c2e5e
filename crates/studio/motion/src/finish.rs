//! How frames are finished: like a camera, or in a style that is steady from frame to frame.

use rayon::prelude::*;

use super::guests::Palette;
use super::stage::card::Pixel;
use atelier_picture::chance::smooth;
use atelier_picture::grade;
use atelier_picture::prompt::Prompt;
use atelier_picture::scene::Scene;
use atelier_picture::style::{Desk, Style};
use atelier_retouch::canvas::{Canvas, Frame};

/// Finishes the frames of one shot.
pub(crate) struct Finish {
    look: Look,
    size: (usize, usize),
    prompt: Prompt,
    graded: bool,
    /// A picture that represents the whole shot, if its light does not change: what styles choose for a picture as a
    /// whole is chosen for it.
    like: Option<Canvas>,
    steady: bool,
    /// Colours that a reference lends.
    pub(crate) palette: Option<Palette>,
    /// For each channel, the new value of each value: chosen at the first frame.
    toned: Option<[Vec<u8>; 3]>,
    desk: Desk,
}

enum Look {
    /// A curve for each channel, and the light at each pixel, of 256.
    Lens { curve: Vec<u8>, light: Vec<u16> },
    /// Every frame independently.
    Drawn(Style),
    /// The textures already have the style.
    Painted,
}

/// Whether a style chooses its strokes anew when the picture changes: then it is applied to textures, not to
/// frames.
pub(crate) fn is_restless(style: Style) -> bool {
    matches!(
        style,
        Style::Oil | Style::Gouache | Style::Points | Style::Pastel | Style::LowPoly | Style::Glass
    )
}

impl Finish {
    /// `style` is none if the prompt names none; `steady` says that light and weather do not change.
    pub(crate) fn new(style: Option<Style>, prompt: &Prompt, size: (usize, usize), steady: bool) -> Self {
        let look = match style {
            None | Some(Style::Photo) => lens(size),
            Some(style) if is_restless(style) => Look::Painted,
            Some(style) => Look::Drawn(style),
        };
        Self {
            look,
            size,
            graded: prompt.palette.is_some() || prompt.mood.is_some(),
            prompt: prompt.clone(),
            like: None,
            steady,
            palette: None,
            toned: None,
            desk: Desk::of_a_film(),
        }
    }

    pub(crate) fn wants_ids(&self) -> bool {
        matches!(self.look, Look::Drawn(_))
    }

    /// Finishes a frame. The things' numbers in it are lost.
    pub(crate) fn frame(&mut self, mut pixels: Vec<Pixel>, scene: &Scene) -> Vec<Pixel> {
        let (width, height) = self.size;
        let frame = Frame::new(width, height);
        match &self.look {
            Look::Lens { curve, light } => {
                pixels
                    .par_iter_mut()
                    .zip(light.par_iter())
                    .for_each(|(pixel, light)| {
                        for c in 0..3 {
                            pixel[c] =
                                ((u32::from(curve[usize::from(pixel[c])]) * u32::from(*light)) >> 8) as u8;
                        }
                    });
            }
            Look::Drawn(style) => {
                let canvas = Canvas { frame, pixels };
                let like = if let (Some(like), true) = (&self.like, self.steady) {
                    like
                } else {
                    self.desk.choose_anew();
                    self.like.insert(canvas.clone())
                };
                pixels = style
                    .finish(
                        &canvas,
                        like,
                        &scene.light,
                        &scene.figures,
                        scene.seed,
                        &self.desk,
                    )
                    .pixels;
            }
            Look::Painted => {}
        }
        if let Some(palette) = self.palette {
            let toned = self.toned.get_or_insert_with(|| tones(&pixels, palette));
            pixels.par_iter_mut().for_each(|pixel| {
                for c in 0..3 {
                    pixel[c] = toned[c][usize::from(pixel[c])];
                }
            });
        }
        if self.graded {
            pixels = grade::grade(Canvas { frame, pixels }, &self.prompt).pixels;
        }
        pixels
    }
}

/// Moves the mean and spread of each channel more than halfway to those of a palette (Reinhard et al. 2001).
fn tones(pixels: &[Pixel], palette: Palette) -> [Vec<u8>; 3] {
    const PART: f32 = 0.6;
    [0, 1, 2].map(|c| {
        let count = pixels.len().max(1) as f64;
        let mean = pixels.iter().map(|p| f64::from(p[c])).sum::<f64>() / count;
        let spread = (pixels
            .iter()
            .map(|p| (f64::from(p[c]) - mean).powi(2))
            .sum::<f64>()
            / count)
            .sqrt();
        let (mean, spread) = (mean as f32, spread.max(4.0) as f32);
        let gain = 1.0 + PART * ((palette.spread[c] / spread).clamp(0.5, 1.6) - 1.0);
        let middle = mean + PART * (palette.mean[c] - mean);
        (0..=255_u8)
            .map(|value| (middle + (f32::from(value) - mean) * gain + 0.5).clamp(0.0, 255.0) as u8)
            .collect()
    })
}

fn lens((width, height): (usize, usize)) -> Look {
    let mut curve = vec![0; 256];
    for (value, out) in curve.iter_mut().enumerate() {
        let v = value as f32 / 255.0;
        *out = (255.0 * (0.6 * v + 0.4 * v * v * (3.0 - 2.0 * v)) + 0.5) as u8;
    }
    let light = (0..width * height).map(|i| {
        let (x, y) = (
            (i % width) as f32 / width as f32 - 0.5,
            (i / width) as f32 / height as f32 - 0.5,
        );
        (256.0 * (1.0 - 0.26 * smooth(0.34, 0.9, 1.1 * x.hypot(y))) + 0.5) as u16
    });
    Look::Lens {
        curve,
        light: light.collect(),
    }
}
