//! Checks the known facts of input files: type, size, duration, and times that must be within them.

use atelier_domain::{FileFacts, MediaType};
use serde_json::{Map, Value};

use crate::{
    input::{InputUrl, duration_of},
    model::Model,
    parameter::{Parameter, ParameterType, number},
    problem::Problem,
    rule::Rule,
    sentence,
};

/// Files are cut at whole frames and encoders pad their ends, so that a file of 15 s often measures a
/// little more or less.
const TOLERANCE_SECONDS: f64 = 0.05;

impl Model {
    /// Checks the input files. `facts[i]` belongs to `inputs[i]`; `None` is not known yet and not checked.
    pub fn check_files(
        &self,
        params: &Map<String, Value>,
        inputs: &[InputUrl],
        facts: &[Option<FileFacts>],
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        for parameter in self.parameters.iter().filter(|parameter| parameter.is_file()) {
            let mine = || {
                inputs
                    .iter()
                    .zip(facts)
                    .filter(|(input, _)| input.parameter == parameter.name)
            };
            for (input, known) in mine().filter_map(|(input, known)| Some((input, known.as_ref()?))) {
                check_file(parameter, input, known, &mut problems);
            }
            check_combined(parameter, mine().map(|(_, known)| known.as_ref()), &mut problems);
        }
        for rule in &self.rules {
            if let Rule::WithinDuration { parameter, of } = rule {
                self.check_within(*parameter, *of, params, inputs, facts, &mut problems);
            }
        }
        problems
    }

    fn check_within(
        &self,
        parameter: usize,
        of: usize,
        params: &Map<String, Value>,
        inputs: &[InputUrl],
        facts: &[Option<FileFacts>],
        problems: &mut Vec<Problem>,
    ) {
        let (name, of) = (&self.parameters[parameter].name, &self.parameters[of].name);
        let given = params.get(name).and_then(Value::as_f64);
        if let (Some(given), Some(duration)) = (given, duration_of(of, inputs, facts))
            && given > duration
        {
            let message = format!(
                "`{name}` must be within the duration of `{of}`, which is {duration:.2} s (got {})",
                number(given)
            );
            problems.push(Problem::new(name, message));
        }
    }
}

fn check_file(parameter: &Parameter, input: &InputUrl, known: &FileFacts, problems: &mut Vec<Problem>) {
    let rules = parameter.files;
    let shown = shown_input(parameter, input);
    let mut wrong = |message: String| problems.push(Problem::new(&parameter.name, message));
    if !parameter.accepts.contains(&known.media_type) {
        let accepted = sentence::list_with("or", parameter.accepts.iter().map(MediaType::to_string));
        wrong(format!("{shown} must be {accepted} (got {})", known.media_type));
        return;
    }
    if let Some(max) = rules.max_bytes.filter(|&max| known.size > max) {
        let size = sentence::measured(known.size);
        wrong(format!(
            "{shown} must be at most {} (got {size})",
            sentence::size(max)
        ));
    }
    if let Some(below) = rules.below_bytes.filter(|&below| known.size >= below) {
        let size = sentence::measured(known.size);
        wrong(format!(
            "{shown} must be under {} (got {size})",
            sentence::size(below)
        ));
    }
    if rules.min_seconds.is_none() && rules.max_seconds.is_none() {
        return;
    }
    let allowed = sentence::seconds(rules.min_seconds, rules.max_seconds);
    match known.duration {
        None => wrong(format!(
            "{shown} must be {allowed} long, but its duration could not be read"
        )),
        Some(duration) if !within(duration, rules.min_seconds, rules.max_seconds) => {
            wrong(format!("{shown} must be {allowed} long (got {duration:.2} s)"));
        }
        Some(_) => {}
    }
}

/// The maximum is checked as soon as it is exceeded, the minimum when all files are known.
fn check_combined<'a>(
    parameter: &Parameter,
    facts: impl Iterator<Item = Option<&'a FileFacts>>,
    problems: &mut Vec<Problem>,
) {
    let (min, max) = (
        parameter.files.combined_min_seconds,
        parameter.files.combined_max_seconds,
    );
    if min.is_none() && max.is_none() {
        return;
    }
    let (mut sum, mut count, mut complete) = (0.0, 0, true);
    for known in facts {
        count += 1;
        match known.map(|known| known.duration) {
            None => complete = false,
            Some(Some(duration)) => sum += duration,
            Some(None) => {
                let message = format!(
                    "`{}` must be {} combined, but the duration of entry {} could not be read",
                    parameter.name,
                    sentence::seconds(min, max),
                    count - 1
                );
                problems.push(Problem::new(&parameter.name, message));
                return;
            }
        }
    }
    if count > 0 && !within(sum, min.filter(|_| complete), max) {
        let allowed = sentence::seconds(min, max);
        let message = format!("`{}` must be {allowed} combined (got {sum:.2} s)", parameter.name);
        problems.push(Problem::new(&parameter.name, message));
    }
}

fn within(seconds: f64, min: Option<f64>, max: Option<f64>) -> bool {
    min.is_none_or(|min| seconds >= min - TOLERANCE_SECONDS)
        && max.is_none_or(|max| seconds <= max + TOLERANCE_SECONDS)
}

fn shown_input(parameter: &Parameter, input: &InputUrl) -> String {
    match parameter.kind {
        ParameterType::MultiSelect => format!("`{}[{}]`", parameter.name, input.index),
        _ => format!("`{}`", parameter.name),
    }
}
