//! Music: composition, instruments, songs, and new sections for existing recordings.
//!
//! An [`Order`] is interpreted ([`Plan`]), composed ([`Score`]) and performed ([`perform`]). Composition works in
//! beats and knows no samples. Performance knows no genres, only the score.

pub mod analysis;
pub mod arrange;
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
