//! The input files of a request.

use atelier_domain::FileFacts;
use serde::Serialize;

/// One input file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InputUrl {
    pub parameter: String,
    /// Its place in the parameter's list, from 0.
    pub index: usize,
    pub url: String,
}

/// The duration of the first file of a parameter, if it is known.
pub(crate) fn duration_of(parameter: &str, inputs: &[InputUrl], facts: &[Option<FileFacts>]) -> Option<f64> {
    let place = inputs.iter().position(|input| input.parameter == parameter)?;
    facts.get(place)?.as_ref()?.duration
}
