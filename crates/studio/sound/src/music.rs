//! Music: composition, instruments, songs, and new sections for old recordings.
//!
//! An [`Order`] is understood ([`Plan`]), composed ([`Score`]) and performed ([`perform`]). Composition works in beats and
//! knows no samples; performance knows no genres but what stands in the score.

pub mod analysis;
pub mod arrange;
pub mod chance;
pub mod compose;
pub mod form;
pub mod genre;
pub mod instrument;
pub mod lyrics;
pub mod melody;
pub mod mix;
pub mod plan;
pub mod score;
pub mod section;
pub mod synth;
#[cfg(test)]
mod tests;
pub mod theory;
pub mod words;

pub use compose::compose;
pub use mix::{Settings, perform};
pub use plan::{Gender, Order, Plan, Profile};
pub use score::Score;
