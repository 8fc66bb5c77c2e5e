//! The parts of a composed scene that a moving picture needs beyond its layers at rest.

use std::sync::Arc;

use super::chance::Rng;
use super::draw::Frame;
use super::draw::LayerKind;
use super::layers::{Layer, Layered};
use super::prompt::Prompt;
use super::scene::{self, Cuts, Scene, Sprite};
use super::style::Style;

impl Layered {
    /// Composes a parsed prompt with the cut-outs of references, and leaves the sun and the moon out of the sky:
    /// [`Scene::disc`] says which of them would be there.
    pub fn to_move(
        prompt: Prompt,
        style: Style,
        sprites: Vec<Option<Arc<Sprite>>>,
        seed: u64,
        (width, height): (usize, usize),
    ) -> Self {
        let frame = Frame::new(width, height);
        let cuts = Cuts {
            sprites,
            fixed: None,
            bare_sky: true,
        };
        let scene = scene::compose(&prompt, style, frame, Rng::new(seed).next(), cuts);
        Self {
            prompt,
            style,
            scene,
            frame,
        }
    }

    /// The layers of some kinds, from back to front, with the depths of their far and near edges.
    pub fn parts(&self, margin: usize, wanted: impl Fn(LayerKind, f32, f32) -> bool + Sync) -> Vec<Layer> {
        self.paint(margin, 0.0, |sheet| {
            let info = self.scene.painting.info(sheet);
            wanted(info.kind, info.depth, info.near)
        })
    }

    /// The first sheet of a kind.
    pub fn sheet(&self, wanted: impl Fn(LayerKind, f32, f32) -> bool) -> Option<usize> {
        self.scene
            .painting
            .sheets()
            .position(|sheet| wanted(sheet.kind, sheet.depth, sheet.near))
    }

    /// The names of the land and water in the prompt.
    pub fn terrain(&self) -> impl Iterator<Item = &'static str> {
        self.prompt.terrain.iter().map(|terrain| terrain.name())
    }

    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    pub fn frame(&self) -> Frame {
        self.frame
    }
}
