//! Sheets: the layers of a painting, to which its operations belong.

/// The content of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LayerKind {
    /// The backdrop if there is no sky: a wall, space, deep water.
    Backdrop,
    /// The sky with its sun, moon and stars.
    Sky,
    /// Clouds; they move with time.
    Clouds,
    /// Mountains, far trees, rows of towers: everything upright behind the scene.
    Far,
    /// A sea, lake or river with the reflections of what is far; it moves with time.
    Water,
    /// The reflection of one floating thing. It belongs to the [`LayerKind::Subject`] with the same contact.
    Reflection,
    /// Ground, roads, a table.
    Ground,
    /// Grass and flowers, corals.
    Plants,
    /// The shadow of the subject that follows.
    Shadow,
    /// One thing, with its name.
    Subject,
    /// A shape of an abstract picture.
    Shape,
    /// Rain, snow, fog, bubbles; they move with time.
    Weather,
    /// Lamplight and its glow, over everything behind it.
    Glow,
    /// Words; they belong to the frame rather than to the scene.
    Lettering,
}

impl LayerKind {
    /// Whether the layer changes over time without being moved.
    pub fn is_alive(self) -> bool {
        matches!(
            self,
            Self::Clouds | Self::Water | Self::Reflection | Self::Weather
        )
    }
}

/// The layer that operations belong to.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    pub kind: LayerKind,
    pub name: Option<String>,
    /// Depth at its far edge and at its near edge: 1 at the horizon and beyond, 0 at the picture's lower edge.
    pub depth: f32,
    pub near: f32,
    /// The point at which it touches the ground or the water, in units.
    pub contact: Option<(f32, f32)>,
    /// 1 as drawn, -1 mirrored.
    pub flip: f32,
}
