//! The engines whose results are marked as made by a model.

use crate::{draft, echo};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Coverage {
    Off,
    /// All engines except the embedded ones, whose results are drawings.
    #[default]
    Trained,
    All,
}

impl Coverage {
    /// Whether results of this engine are marked.
    pub fn covers(self, engine: &str) -> bool {
        match self {
            Self::Off => false,
            Self::Trained => ![draft::NAME, echo::NAME].contains(&engine),
            Self::All => true,
        }
    }
}
