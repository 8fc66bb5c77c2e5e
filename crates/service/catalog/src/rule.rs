//! Rules across parameters: what a request must combine, and what it must not.

use serde_json::Value;

/// A rule of a model file, with parameters as indices into the model's list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Rule {
    AtLeastOne(Vec<usize>),
    Exclusive(Vec<Vec<usize>>),
    CountSum {
        counts: Vec<usize>,
        plus: Vec<usize>,
        max: u64,
    },
    OnlyWith {
        parameter: usize,
        value: Option<Value>,
        any_of: Vec<usize>,
        when: Vec<Condition>,
    },
    MaxLength {
        parameter: usize,
        max: usize,
        when: Vec<Condition>,
        /// Only for texts in which most letters are Han characters.
        han: bool,
    },
    GreaterThan {
        parameter: usize,
        than: usize,
    },
    /// Checked when the facts of the file are known.
    WithinDuration {
        parameter: usize,
        of: usize,
    },
    /// Documentation only; nothing is refused.
    Ignored {
        parameter: usize,
        when: Vec<Condition>,
    },
    Note(String),
}

/// A condition on a request whose defaults are filled in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Condition {
    Equals(usize, Value),
    /// Given or not given.
    Set(usize, bool),
}
