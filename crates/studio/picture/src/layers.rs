//! A scene as layers rather than as one flat picture, for moving a camera through it, or parts of it.
//!
//! [`Layered::new`] composes a prompt as [`render`](super::render) does; [`Layered::layers`] paints it on
//! transparent sheets, with a margin beyond the borders of the frame; [`Layered::finish`] applies the style to a
//! frame assembled from them. Stacked at rest and finished, they are the picture that `render` draws, except for
//! rounding.

use serde_json::{Map, Value, json};

use super::chance::Rng;
use super::draw::{Canvas, Frame, LayerKind};
use super::grade;
use super::prompt::Prompt;
use super::scene::{self, Scene};
use super::style::{Desk, Style};
use super::{Rendered, metadata_of, style_of};

/// One layer: its pixels, and its place in the frame and in the scene.
#[derive(Debug, Clone)]
pub struct Layer {
    pub kind: LayerKind,
    /// The subject's name, such as `boat`.
    pub name: Option<String>,
    /// The depth of its far edge and of its near edge: 1 at the horizon and beyond it, 0 on the ground at the frame's
    /// lower edge. They differ for things that lie flat (ground, water). On flat ground `depth` falls evenly with the
    /// rows from the horizon down, so things on the ground move with it when both are shifted by their depth.
    pub depth: f32,
    pub near: f32,
    /// The point at which it stands on ground or water, in pixels from the frame's corner. None for flying things and
    /// scenery.
    pub contact: Option<(f32, f32)>,
    /// Its upper left corner, in pixels from the frame's corner; negative outside the frame.
    pub left: i32,
    pub top: i32,
    pub width: usize,
    pub height: usize,
    /// Premultiplied red, green and blue, and alpha, row by row.
    pub rgba: Vec<[u8; 4]>,
    /// The thing that each pixel shows, 0 for none: styles draw outlines between these numbers.
    pub ids: Vec<u8>,
    /// -1 if it is mirrored.
    pub flip: f32,
    pub sheet: usize,
}

/// The light of a whole scene. Colours are sRGB from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneLight {
    /// `dawn`, `morning`, `day`, `golden`, `sunset`, `dusk` or `night`.
    pub time: &'static str,
    /// `clear`, `cloudy`, `overcast`, `rain`, `storm`, `snow` or `fog`.
    pub weather: &'static str,
    /// `spring`, `summer`, `autumn` or `winter`.
    pub season: &'static str,
    /// Toward the sun or the moon: right, down, to the viewer.
    pub toward: [f32; 3],
    /// Position of the sun or the moon, in pixels from the frame's corner; none without an open sky.
    pub disc: Option<(f32, f32)>,
    pub sun: [f32; 3],
    pub ambient: [f32; 3],
    pub haze: [f32; 3],
    /// 0 by day to 1 by night.
    pub dark: f32,
}

/// A frame assembled from layers: opaque colours and the numbers of the things shown.
#[derive(Debug, Clone)]
pub struct Composite {
    pub width: usize,
    pub height: usize,
    /// Red, green, blue.
    pub rgb: Vec<[u8; 3]>,
    pub ids: Vec<u8>,
}

impl Composite {
    /// A black frame.
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            rgb: vec![[0; 3]; width * height],
            ids: vec![0; width * height],
        }
    }

    /// Lays a layer over the frame, shifted by whole pixels.
    pub fn lay(&mut self, layer: &Layer, right: i32, down: i32) {
        let (left, top) = (layer.left + right, layer.top + down);
        for (row, (pixels, ids)) in layer
            .rgba
            .chunks_exact(layer.width.max(1))
            .zip(layer.ids.chunks_exact(layer.width.max(1)))
            .enumerate()
        {
            let y = top + row as i32;
            if y < 0 || y >= self.height as i32 {
                continue;
            }
            for (column, (&[r, g, b, alpha], &id)) in pixels.iter().zip(ids).enumerate() {
                let x = left + column as i32;
                if alpha == 0 || x < 0 || x >= self.width as i32 {
                    continue;
                }
                let at = y as usize * self.width + x as usize;
                let rest = 255 - u32::from(alpha);
                let over = |own: u8, under: u8| {
                    (u32::from(own) + (u32::from(under) * rest + 127) / 255).min(255) as u8
                };
                let under = self.rgb[at];
                self.rgb[at] = [over(r, under[0]), over(g, under[1]), over(b, under[2])];
                if id != 0 {
                    self.ids[at] = id;
                }
            }
        }
    }
}

/// A composed scene, ready to be painted in layers.
pub struct Layered {
    pub prompt: Prompt,
    pub style: Style,
    pub scene: Scene,
    pub frame: Frame,
}

impl std::fmt::Debug for Layered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Layered")
            .field("style", &self.style)
            .field("placed", &self.scene.placed)
            .finish_non_exhaustive()
    }
}

impl Layered {
    /// Composes one variation of a prompt for a frame of this size in pixels, as [`render`](super::render) does.
    pub fn new(prompt: &str, seed: u64, variation: u64, width: usize, height: usize) -> Self {
        let prompt = Prompt::read(prompt);
        let style = style_of(&prompt);
        let frame = Frame::new(width, height);
        let seed = Rng::new(seed ^ variation.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next();
        let scene = scene::compose(&prompt, style, frame, seed, scene::Cuts::default());
        Self {
            prompt,
            style,
            scene,
            frame,
        }
    }

    /// All layers from back to front, painted up to `margin` pixels beyond each border of the frame, `time` seconds
    /// after the scene began to move; 0 is the scene that [`render`](super::render) draws. The world ends about 0.3 of
    /// the frame's mean side beyond its borders.
    pub fn layers(&self, margin: usize, time: f32) -> Vec<Layer> {
        self.paint(margin, time, |_| true)
    }

    /// Repaints those of the layers that change over time (clouds, water, weather) at another time, in order. The
    /// others need not be painted again.
    pub fn alive(&self, layers: &[Layer], margin: usize, time: f32) -> Vec<Layer> {
        let wanted: Vec<usize> = layers
            .iter()
            .filter(|layer| layer.kind.is_alive())
            .map(|layer| layer.sheet)
            .collect();
        self.paint(margin, time, |sheet| wanted.contains(&sheet))
    }

    pub fn paint(&self, margin: usize, time: f32, wanted: impl Fn(usize) -> bool + Sync) -> Vec<Layer> {
        let frame = self.frame.with_margin(margin);
        let cels = self.scene.painting.cels(frame, time, wanted);
        cels.into_iter()
            .map(|cel| {
                let sheet = self.scene.painting.info(cel.sheet);
                let (x0, x1, y0, y1) = cel.span;
                Layer {
                    kind: sheet.kind,
                    name: sheet.name.clone(),
                    depth: sheet.depth,
                    near: sheet.near,
                    contact: sheet.contact.map(|(x, y)| (x * frame.px, y * frame.px)),
                    left: x0 as i32 - margin as i32,
                    top: y0 as i32 - margin as i32,
                    width: x1 - x0,
                    height: y1 - y0,
                    rgba: cel.rgba,
                    ids: cel.ids,
                    flip: sheet.flip,
                    sheet: cel.sheet,
                }
            })
            .collect()
    }

    /// The light of the scene.
    pub fn light(&self) -> SceneLight {
        let light = &self.scene.light;
        let (x, y, z) = light.toward;
        let bytes = |c: super::color::Rgb| [c.0, c.1, c.2];
        let frame = self.frame;
        SceneLight {
            time: light.time.name(),
            weather: light.weather.name(),
            season: light.season.name(),
            toward: [x, y, z],
            disc: self.scene.horizon.map(|horizon| {
                let height = horizon.max(frame.h * 0.3);
                let up = horizon - light.disc.1 * height;
                (light.disc.0 * frame.w * frame.px, up * frame.px)
            }),
            sun: bytes(light.sun),
            ambient: bytes(light.ambient),
            haze: bytes(light.haze),
            dark: light.dark,
        }
    }

    /// The row of the horizon, in pixels from the frame's upper edge; none if there is no visible horizon.
    pub fn horizon(&self) -> Option<f32> {
        self.scene.horizon.map(|horizon| horizon * self.frame.px)
    }

    /// Applies the style and the palette that the prompt asks for to a frame of the scene's size. Randomness in it
    /// (paper, grain, hatching) is the same in every frame.
    pub fn finish(&self, frame: &Composite) -> Vec<[u8; 3]> {
        let mut canvas = Canvas::new(self.frame);
        for ((pixel, [r, g, b]), id) in canvas.pixels.iter_mut().zip(&frame.rgb).zip(&frame.ids) {
            *pixel = [*r, *g, *b, *id];
        }
        let scene = &self.scene;
        let canvas = self.style.finish(
            &canvas,
            &canvas,
            &scene.light,
            &scene.figures,
            scene.seed,
            &Desk::default(),
        );
        let canvas = grade::grade(canvas, &self.prompt);
        canvas.pixels.iter().map(|p| [p[0], p[1], p[2]]).collect()
    }

    /// Whether the style is steady: a small change of the frame gives a small change of the result. The others choose
    /// strokes or facets anew when the picture changes, and flicker when it moves: oil, gouache, pointillism and soft
    /// pastel a little, low poly and stained glass a lot.
    pub fn is_steady(&self) -> bool {
        !matches!(
            self.style,
            Style::Oil | Style::Gouache | Style::Points | Style::Pastel | Style::LowPoly | Style::Glass
        )
    }

    /// The style's name, such as `watercolor`.
    pub fn style(&self) -> &'static str {
        self.style.name()
    }

    /// Returns what was understood, what was not, and where things were placed, as in [`Rendered::metadata`].
    pub fn metadata(&self) -> Map<String, Value> {
        let mut metadata = metadata_of(&self.scene, self.style, self.frame);
        metadata.insert("understood".into(), json!(self.prompt.understood));
        metadata.insert("unknown".into(), json!(self.prompt.unknown));
        metadata
    }

    /// The scene at rest, finished: what [`render`](super::render) draws.
    pub fn still(&self) -> Rendered {
        let mut composite = Composite::new(self.frame.width, self.frame.height);
        for layer in self.layers(0, 0.0) {
            composite.lay(&layer, 0, 0);
        }
        Rendered {
            width: self.frame.width,
            height: self.frame.height,
            rgb: self.finish(&composite).into_flattened(),
            metadata: self.metadata(),
        }
    }
}

#[cfg(test)]
mod tests;
