//! Checks a request against a model: maps common names, fills in defaults, checks every value and every
//! rule, and reports all problems at once.

use serde_json::{Map, Value};

use crate::{
    input::InputUrl,
    model::{Model, Target},
    problem::Problem,
    rule_check::{State, check_rule},
    sentence,
    value::{self, Reading, shown},
};

/// A valid request.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// Under the model's own names, in normal form, defaults filled in.
    pub params: Map<String, Value>,
    /// The files that the parameters name, in the order of the model's parameters.
    pub inputs: Vec<InputUrl>,
}

/// First-class fields of every request. A null in one of them is absent, even if the model has no such field.
const COMMON_NAMES: [&str; 10] = [
    "prompt",
    "image_urls",
    "start_frame_url",
    "end_frame_url",
    "audio_url",
    "aspect_ratio",
    "duration_seconds",
    "quality",
    "resolution",
    "n",
];

impl Model {
    /// Checks a request. `fields` are the members of its body except `model`, `params` and `webhook_url`;
    /// `params` is its object of that name. The list of problems is never empty.
    pub fn check(
        &self,
        fields: &Map<String, Value>,
        params: &Map<String, Value>,
    ) -> Result<Checked, Vec<Problem>> {
        let mut intake = Intake::new(self);
        for (name, value) in fields {
            intake.take(name, value, Place::Body);
        }
        for (name, value) in params {
            intake.take(name, value, Place::Params);
        }
        intake.place_frames();
        intake.fill();
        intake.apply_rules();
        intake.finish()
    }

    /// The input files that checked parameters name, in the order of `Checked::inputs`.
    pub fn inputs(&self, params: &Map<String, Value>) -> Vec<InputUrl> {
        let mut inputs = Vec::new();
        for parameter in self.parameters.iter().filter(|parameter| parameter.is_file()) {
            let mut add = |index, url: &Value| {
                let url = url.as_str().unwrap_or_default().to_owned();
                inputs.push(InputUrl {
                    parameter: parameter.name.clone(),
                    index,
                    url,
                });
            };
            match params.get(&parameter.name) {
                Some(Value::Array(urls)) => urls.iter().enumerate().for_each(|(index, url)| add(index, url)),
                Some(url @ Value::String(_)) => add(0, url),
                _ => {}
            }
        }
        inputs
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Body,
    Params,
}

/// A value as the request gave it.
#[derive(Debug, Clone, Copy)]
struct Given<'a> {
    name: &'a str,
    place: Place,
    value: &'a Value,
}

struct Intake<'a> {
    model: &'a Model,
    given: Vec<Option<Given<'a>>>,
    values: Vec<Option<Value>>,
    wrong: Vec<bool>,
    frames: [Option<Given<'a>>; 2],
    frames_wrong: bool,
    problems: Vec<Problem>,
}

impl<'a> Intake<'a> {
    fn new(model: &'a Model) -> Self {
        let count = model.parameters.len();
        Self {
            model,
            given: vec![None; count],
            values: vec![None; count],
            wrong: vec![false; count],
            frames: [None, None],
            frames_wrong: false,
            problems: Vec::new(),
        }
    }

    fn take(&mut self, name: &'a str, value: &'a Value, place: Place) {
        let given = Given { name, place, value };
        let target = self
            .model
            .names
            .get(name)
            .filter(|target| place == Place::Body || matches!(target, Target::Own(_)));
        match target {
            None if value.is_null() && place == Place::Body && COMMON_NAMES.contains(&name) => {}
            None => self.unknown(given),
            Some(_) if value.is_null() => {}
            Some(&Target::Frame(_, place)) => self.frames[place] = Some(given),
            Some(&(Target::Own(index) | Target::Common(index))) => self.read(index, given),
        }
    }

    fn unknown(&mut self, given: Given<'_>) {
        let model = self.model;
        let own = sentence::list(
            model
                .parameters
                .iter()
                .map(|parameter| format!("`{}`", parameter.name)),
        );
        let message = match model.names.get(given.name) {
            // The name is known, only not inside `params`.
            Some(target) => format!(
                "`{}` is only valid beside `params`; inside `params` the field is called `{}`",
                given.name,
                model.parameters[target.parameter()].name
            ),
            None => format!("unknown field `{}`: `{}` accepts {own}", given.name, model.slug),
        };
        self.problems.push(Problem::new(given.name, message));
    }

    fn read(&mut self, index: usize, given: Given<'a>) {
        let parameter = &self.model.parameters[index];
        let before = self.given[index];
        // The same value given twice is checked once.
        if before.is_some_and(|before| before.value == given.value) {
            return;
        }
        let lone = parameter.is_file() && given.name != parameter.name && given.value.is_string();
        let reading = if lone {
            match value::read_url(&given.name, given.value) {
                Ok(url) => Reading::Value(Value::Array(vec![url])),
                Err(message) => Reading::Wrong(vec![message]),
            }
        } else {
            value::read(parameter, given.name, given.value)
        };
        match reading {
            Reading::Empty => {
                self.given[index] = before.or(Some(given));
            }
            Reading::Wrong(messages) => {
                self.given[index] = Some(given);
                self.wrong[index] = true;
                self.problems.extend(
                    messages
                        .into_iter()
                        .map(|message| Problem::new(given.name, message)),
                );
            }
            Reading::Value(value) => match (&self.values[index], before) {
                (Some(other), Some(before)) if *other != value => {
                    self.wrong[index] = true;
                    self.problems.push(differ(before, given));
                }
                _ => {
                    self.given[index] = Some(given);
                    self.values[index] = Some(value);
                }
            },
        }
    }

    /// Puts the first and last frame into the parameter that accepts them.
    fn place_frames(&mut self) {
        let [start, end] = self.frames;
        let Some(index) = start
            .or(end)
            .and_then(|given| self.model.names.get(given.name))
            .map(|name| name.parameter())
        else {
            return;
        };
        let mut urls = Vec::with_capacity(2);
        for given in [start, end].into_iter().flatten() {
            match value::read_url(&given.name, given.value) {
                Ok(url) => urls.push(url),
                Err(message) => {
                    self.frames_wrong = true;
                    self.problems.push(Problem::new(given.name, message));
                }
            }
        }
        let most = self.model.parameters[index].max_items.unwrap_or(2);
        let (name, of) = (|given: Given<'a>| given.name, &self.model.parameters[index].name);
        if let Some(end) = end.filter(|_| most < 2) {
            self.problems.push(Problem::new(
                name(end),
                format!(
                    "`{}` is not supported: `{}` accepts a first frame only",
                    name(end),
                    self.model.slug
                ),
            ));
            self.frames_wrong = true;
        }
        if self.frames_wrong || self.wrong[index] {
            self.wrong[index] = true;
            return;
        }
        let Some(listed) = self.values[index].as_ref().and_then(Value::as_array) else {
            if let (None, Some(end)) = (start, end) {
                let message = format!(
                    "`{}` requires `start_frame_url`: a last frame requires a first one",
                    name(end)
                );
                self.problems.push(Problem::new(name(end), message));
                self.wrong[index] = true;
                return;
            }
            self.given[index] = start;
            self.values[index] = Some(Value::Array(urls));
            return;
        };
        // Frames and the list may both be given if they agree.
        for (place, given) in [start, end].into_iter().enumerate() {
            let Some(given) = given else { continue };
            if listed.get(place) != Some(given.value) {
                let message = format!(
                    "`{}` and `{of}` have different values: entry {place} of `{of}` is {}, not {}",
                    given.name,
                    listed.get(place).map_or_else(|| "missing".to_owned(), shown),
                    shown(given.value)
                );
                self.problems.push(Problem::new(given.name, message));
                self.wrong[index] = true;
                return;
            }
        }
    }

    /// Fills in defaults and finds what is missing.
    fn fill(&mut self) {
        let parameters = &self.model.parameters;
        for (index, parameter) in parameters.iter().enumerate() {
            if self.values[index].is_some() || self.wrong[index] {
                continue;
            }
            if let Some(default) = &parameter.default {
                self.values[index] = Some(default.clone());
            } else if parameter.required {
                self.problems
                    .push(missing(&parameter.name, self.given[index], ""));
            }
        }
        for (index, parameter) in parameters.iter().enumerate() {
            if parameter.required_conditions.is_empty() || self.values[index].is_some() || self.wrong[index] {
                continue;
            }
            let state = State {
                values: &self.values,
                wrong: &self.wrong,
            };
            if state.holds(&parameter.required_conditions) == Some(true) {
                let when = sentence::required_when(parameter).unwrap_or_default();
                self.problems.push(missing(
                    &parameter.name,
                    self.given[index],
                    &format!(" when {when}"),
                ));
            }
        }
    }

    fn apply_rules(&mut self) {
        let state = State {
            values: &self.values,
            wrong: &self.wrong,
        };
        for rule in &self.model.rules {
            check_rule(rule, &self.model.parameters, state, &mut self.problems);
        }
    }

    fn finish(self) -> Result<Checked, Vec<Problem>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        let mut params = Map::new();
        for (parameter, value) in self.model.parameters.iter().zip(self.values) {
            if let Some(value) = value {
                params.insert(parameter.name.clone(), value);
            }
        }
        let inputs = self.model.inputs(&params);
        Ok(Checked { params, inputs })
    }
}

fn missing(name: &str, given: Option<Given<'_>>, when: &str) -> Problem {
    let but = if given.is_some() {
        " (an empty value is treated as missing)"
    } else {
        ""
    };
    Problem::new(name, format!("`{name}` is required{when}{but}"))
}

fn differ(before: Given<'_>, given: Given<'_>) -> Problem {
    let named = |given: Given<'_>| match given.place {
        Place::Body => format!("`{}`", given.name),
        Place::Params => format!("`params.{}`", given.name),
    };
    let message = format!(
        "{} and {} have different values: {} and {}",
        named(before),
        named(given),
        shown(before.value),
        shown(given.value)
    );
    Problem::new(given.name, message)
}
