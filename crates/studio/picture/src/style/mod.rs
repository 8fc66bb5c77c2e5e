//! Styles: how a composed picture is finished, from a photograph's grain to cut paper. A finisher sees the colours and
//! which thing each pixel shows, and works in units of the frame, so that a style looks the same at every resolution.

mod desk;
mod facets;
mod fields;
mod lines;
mod photo;
mod print;
mod strokes;
mod wash;

use rayon::prelude::*;

use super::color::Rgb;
use super::draw::{Canvas, Figures};
use super::light::Light;
pub use desk::Desk;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    Photo,
    Watercolor,
    Oil,
    Gouache,
    Pencil,
    Charcoal,
    Ink,
    Woodblock,
    Pixel,
    LowPoly,
    Vector,
    Isometric,
    Glass,
    Neon,
    Halftone,
    Noir,
    Papercut,
    Blueprint,
    Points,
    Pastel,
}

impl Style {
    pub const ALL: [Self; 20] = [
        Self::Photo,
        Self::Watercolor,
        Self::Oil,
        Self::Gouache,
        Self::Pencil,
        Self::Charcoal,
        Self::Ink,
        Self::Woodblock,
        Self::Pixel,
        Self::LowPoly,
        Self::Vector,
        Self::Isometric,
        Self::Glass,
        Self::Neon,
        Self::Halftone,
        Self::Noir,
        Self::Papercut,
        Self::Blueprint,
        Self::Points,
        Self::Pastel,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Photo => "photo-like",
            Self::Watercolor => "watercolor",
            Self::Oil => "oil",
            Self::Gouache => "gouache",
            Self::Pencil => "pencil",
            Self::Charcoal => "charcoal",
            Self::Ink => "ink",
            Self::Woodblock => "woodblock",
            Self::Pixel => "pixel art",
            Self::LowPoly => "low poly",
            Self::Vector => "flat vector",
            Self::Isometric => "isometric",
            Self::Glass => "stained glass",
            Self::Neon => "neon",
            Self::Halftone => "halftone",
            Self::Noir => "noir",
            Self::Papercut => "papercut",
            Self::Blueprint => "blueprint",
            Self::Points => "pointillism",
            Self::Pastel => "soft pastel",
        }
    }

    /// Whether things are painted in plain tones, because the style does not use grain.
    pub fn is_flat(self) -> bool {
        matches!(
            self,
            Self::Vector | Self::Papercut | Self::Glass | Self::Isometric
        )
    }

    /// Finishes a painted canvas. Choices for the picture as a whole (inks, black and white) are made for `like`: the
    /// canvas itself, or for a frame of a film a picture that represents the whole film, so that it does not flicker.
    /// Parts that do not depend on the picture stay on the desk.
    pub fn finish(
        self,
        canvas: &Canvas,
        like: &Canvas,
        light: &Light,
        figures: &Figures,
        seed: u32,
        desk: &Desk,
    ) -> Canvas {
        match self {
            Self::Photo => photo::photo(canvas, light, seed),
            Self::Noir => photo::noir(canvas, like, seed, desk),
            Self::Watercolor => wash::watercolor(canvas, seed, desk),
            Self::Oil => strokes::oil(canvas, seed),
            Self::Gouache => strokes::gouache(canvas, seed),
            Self::Points => strokes::points(canvas, seed),
            Self::Pastel => strokes::pastel(canvas, seed),
            Self::Pencil => lines::pencil(canvas, like, seed, desk),
            Self::Charcoal => lines::charcoal(canvas, like, seed, desk),
            Self::Ink => lines::ink(canvas, like, seed, desk),
            Self::Blueprint => lines::blueprint(canvas, like, seed, desk),
            Self::Neon => lines::neon(canvas, seed),
            Self::Woodblock => print::woodblock(canvas, like, seed, desk),
            Self::Halftone => print::halftone(canvas, like, seed, desk),
            Self::Pixel => print::pixel(canvas, like, desk),
            Self::LowPoly => facets::low_poly(canvas, figures, seed, desk),
            Self::Glass => facets::glass(canvas, figures, seed),
            Self::Papercut => print::papercut(canvas, like, seed, desk),
            Self::Vector | Self::Isometric => print::vector(canvas, seed, desk),
        }
    }
}

impl Style {
    /// Footage as this style needs it: some expect plain colours.
    pub fn prepared(self, footage: Canvas, like: &Canvas) -> Canvas {
        match self {
            Self::Vector | Self::Isometric => print::flattened(&footage, like),
            _ => footage,
        }
    }
}

/// A canvas of the same shape, each pixel computed from its place.
pub fn map(canvas: &Canvas, pixel: impl Fn(usize, usize) -> Rgb + Sync) -> Canvas {
    let mut out = Canvas::new(canvas.frame);
    let width = canvas.frame.width;
    out.pixels
        .par_chunks_mut(width)
        .zip(canvas.pixels.par_chunks(width))
        .enumerate()
        .for_each(|(y, (row, ids))| {
            for (x, (p, id)) in row.iter_mut().zip(ids).enumerate() {
                let [r, g, b] = pixel(x, y).to_bytes();
                *p = [r, g, b, id[3]];
            }
        });
    out
}

/// A field of single numbers over the canvas.
pub fn plane(canvas: &Canvas, value: impl Fn(usize, usize) -> f32 + Sync) -> Vec<f32> {
    let width = canvas.frame.width;
    let mut out = vec![0.0; canvas.pixels.len()];
    out.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, v) in row.iter_mut().enumerate() {
            *v = value(x, y);
        }
    });
    out
}

/// A blurred, smaller copy: about `cell` units per pixel.
pub fn small(canvas: &Canvas, cell: f32) -> Canvas {
    let k = (1.0 / (cell * canvas.frame.px)).min(1.0);
    let width = ((canvas.frame.width as f32 * k) as usize)
        .max(8)
        .min(canvas.frame.width);
    let height = ((canvas.frame.height as f32 * k) as usize)
        .max(8)
        .min(canvas.frame.height);
    canvas.reduced(width, height)
}

/// Returns the colour in a smaller copy at a pixel of the large canvas.
#[inline]
pub fn sample_small(small: &Canvas, large: &Canvas, x: f32, y: f32) -> Rgb {
    // The ratios are the same for all pixels, so a loop divides once.
    let ratio = |small: usize, large: usize| small as u32 as f32 / large as u32 as f32;
    small.sample(
        x * ratio(small.frame.width, large.frame.width),
        y * ratio(small.frame.height, large.frame.height),
    )
}
