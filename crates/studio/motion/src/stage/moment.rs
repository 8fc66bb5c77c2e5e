//! A moment of a world: its time, its weather and its lightning.

/// A moment of a world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// Seconds since the shot began.
    pub(crate) time: f32,
    /// The same for clouds and other slow things, which a time-lapse speeds up.
    pub(crate) slow: f32,
    /// How much of its weather falls, 0 to 1.
    pub(crate) amount: f32,
    /// The height of the sun or moon, as a share of its own height; none if it is not visible.
    pub(crate) course: Option<f32>,
    /// The brightness of lightning, 0 to 1, and the number of its stroke.
    pub(crate) flash: f32,
    pub(crate) stroke: i32,
}
