//! Reads from a program's output how much of a job is done.

use regex::Regex;
use serde_json::{Map, Value};

use crate::http::Output;

/// The share of a job that its steps take. The rest is for the decoder, which counts anew.
const SHARE: f64 = 0.95;

/// The steps of one job.
#[derive(Debug)]
pub(super) struct Steps {
    pattern: Regex,
    /// How often the program takes all steps.
    passes: f64,
    /// Passes that are over, and the steps that are done of this one.
    over: f64,
    last: f64,
}

impl Steps {
    pub(super) fn new(output: &Output, params: &Map<String, Value>) -> Option<Self> {
        let passes = output.passes.as_ref().and_then(|name| params.get(name)?.as_f64());
        Some(Self {
            // Reading the profile has checked it.
            pattern: Regex::new(&output.progress).ok()?,
            passes: passes.unwrap_or(1.0).max(1.0),
            over: 0.0,
            last: 0.0,
        })
    }

    /// How much is done, from 0 to 1, by the last steps in a text.
    pub(super) fn done(&mut self, text: &str) -> Option<f64> {
        let last = self.pattern.captures_iter(text).last()?;
        let number = |group: usize| last.get(group)?.as_str().parse::<f64>().ok();
        let (step, all) = (number(1)?, number(2).filter(|all| *all > 0.0)?);
        if step < self.last {
            self.over += 1.0;
        }
        self.last = step;
        Some(SHARE * ((self.over + step / all) / self.passes).min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::http::Profile;

    fn steps(params: &Value) -> Steps {
        let profile = Profile::shipped("sd-server").unwrap().unwrap();
        Steps::new(&profile.program.unwrap(), params.as_object().unwrap()).unwrap()
    }

    #[test]
    fn the_steps_of_sd_server_are_counted_and_the_tensors_that_it_loads_are_not() {
        let mut steps = steps(&json!({}));
        assert_eq!(
            steps.done("[INFO ] loading\n  |=====> | 500/686 - 512.00MB/s\x1b[K"),
            None
        );
        let text = "\r  |=====>    | 1/4 - 2.10s/it\x1b[K\r  |==========>   | 2/4 - 1.05it/s\x1b[K";
        assert_eq!(steps.done(text), Some(SHARE * 0.5));
        assert_eq!(steps.done("\r |====| 4/4 - 1.00it/s\x1b[K\n"), Some(SHARE));
    }

    #[test]
    fn several_pictures_are_so_many_passes() {
        let mut steps = steps(&json!({ "n": 2 }));
        assert_eq!(steps.done("| 4/4 - 1.00it/s"), Some(SHARE * 0.5));
        assert_eq!(steps.done("| 2/4 - 1.00it/s"), Some(SHARE * 0.75));
        assert_eq!(steps.done("| 4/4 - 1.00it/s"), Some(SHARE));
        // Tiles of the decoder look like steps.
        assert_eq!(steps.done("| 1/9 - 1.00it/s"), Some(SHARE));
    }
}
