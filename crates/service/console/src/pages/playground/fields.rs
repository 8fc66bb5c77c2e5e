//! A model's parameters as form fields, with their values and problems.

use atelier_catalog::{Model, Parameter, ParameterType, Problem, Role};
use serde_json::Value;

use super::request::{FilledForm, PREFIX, plain};
use crate::error::capital;

/// How a field is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Widget {
    Lines,
    Line,
    /// Few options, all visible.
    Choice,
    /// Many options.
    List,
    /// Several of the options.
    Boxes,
    Number,
    Switch,
    /// On, off, or left to the model.
    Undecided,
    File,
    Files,
}

#[derive(Debug, Clone)]
pub(super) struct FieldView {
    pub id: String,
    /// The name in the form.
    pub name: String,
    pub label: String,
    pub description: String,
    pub widget: Widget,
    pub required: bool,
    /// Bounds and conditions, in a few words.
    pub note: String,
    pub value: String,
    pub options: Vec<Choice>,
    pub min: String,
    pub max: String,
    pub step: &'static str,
    /// The position of the slider while the field is empty.
    pub middle: String,
    pub max_items: usize,
    /// Media types, for the file dialog.
    pub accept: String,
    pub problem: String,
    /// The field is still empty: the problem is shown, but not as a mistake.
    pub soft: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub value: String,
    pub chosen: bool,
    /// Width and height of the shape that the option names, for its drawing.
    pub shape: Option<(u32, u32)>,
}

impl FieldView {
    pub(super) fn is(&self, name: &str) -> bool {
        let widget = match self.widget {
            Widget::Lines => "lines",
            Widget::Line => "line",
            Widget::Choice => "choice",
            Widget::List => "list",
            Widget::Boxes => "boxes",
            Widget::Number => "number",
            Widget::Switch => "switch",
            Widget::Undecided => "undecided",
            Widget::File => "file",
            Widget::Files => "files",
        };
        widget == name
    }

    /// Several inputs under one legend, rather than one under a label.
    pub(super) fn is_group(&self) -> bool {
        matches!(self.widget, Widget::Choice | Widget::Boxes)
    }

    pub(super) fn slides(&self) -> bool {
        self.widget == Widget::Number && !self.min.is_empty() && !self.max.is_empty()
    }

    pub(super) fn invalid(&self) -> bool {
        !self.problem.is_empty() && !self.soft
    }
}

/// All fields in the documented order. A missing value is not shown as a mistake.
pub(super) fn views(model: &Model, form: &FilledForm, problems: &[Problem]) -> Vec<FieldView> {
    let view = |parameter: &Parameter| view(model, parameter, form, problems);
    model.parameters.iter().map(view).collect()
}

/// The same after an attempt to run: a missing value is shown as a mistake.
pub(super) fn views_of_refused(model: &Model, form: &FilledForm, problems: &[Problem]) -> Vec<FieldView> {
    let mut views = views(model, form, problems);
    for view in &mut views {
        view.soft = false;
    }
    views
}

/// Splits the fields into those that most people set and those that can keep their defaults.
pub(super) fn split(model: &Model, views: Vec<FieldView>) -> (Vec<FieldView>, Vec<FieldView>) {
    let mut main = Vec::new();
    let mut more = Vec::new();
    for (parameter, view) in model.parameters.iter().zip(views) {
        let common = parameter.required
            || parameter.default.is_some()
            || parameter.required_when.is_some()
            || parameter.is_file()
            || parameter.role.is_some()
            || parameter.kind == ParameterType::Textarea;
        if common { main.push(view) } else { more.push(view) }
    }
    (main, more)
}

fn view(model: &Model, parameter: &Parameter, form: &FilledForm, problems: &[Problem]) -> FieldView {
    let value = form.params.get(&parameter.name);
    let problem = problems
        .iter()
        .find(|problem| problem.parameter == parameter.name)
        .map(|problem| readable(model, &problem.message))
        .unwrap_or_default();
    let number = |bound: Option<f64>| bound.map(|bound| bound.to_string()).unwrap_or_default();
    let middle = match (parameter.min, parameter.max) {
        (Some(min), Some(max)) if !parameter.integer => f64::midpoint(min, max).to_string(),
        (Some(min), _) => min.to_string(),
        _ => String::new(),
    };
    FieldView {
        id: format!("field-{}", parameter.name),
        name: format!("{PREFIX}{}", parameter.name),
        label: parameter.label.clone(),
        description: parameter.description.clone().unwrap_or_default(),
        widget: widget(parameter),
        required: parameter.required && parameter.default.is_none(),
        note: note(model, parameter),
        value: match value {
            Some(Value::Array(items)) => items.iter().map(plain).collect::<Vec<_>>().join("\n"),
            Some(value) => plain(value),
            None => String::new(),
        },
        options: options(parameter, value),
        min: number(parameter.min),
        max: number(parameter.max),
        step: match (parameter.integer, parameter.min, parameter.max) {
            (true, ..) => "1",
            (false, Some(min), Some(max)) if max - min <= 2.0 => "0.01",
            _ => "any",
        },
        middle,
        max_items: parameter.max_items.unwrap_or(1),
        accept: parameter
            .accepts
            .iter()
            .map(|one| one.mime())
            .collect::<Vec<_>>()
            .join(","),
        soft: value.is_none(),
        problem,
    }
}

fn widget(parameter: &Parameter) -> Widget {
    let options = parameter.options.as_deref().unwrap_or_default();
    let short = |option: &Value| plain(option).chars().count() <= 10;
    match parameter.kind {
        ParameterType::Textarea => Widget::Lines,
        ParameterType::Text => Widget::Line,
        ParameterType::Select if options.len() <= 8 && options.iter().all(short) => Widget::Choice,
        ParameterType::Select => Widget::List,
        ParameterType::Number => Widget::Number,
        ParameterType::Boolean if parameter.default.is_none() => Widget::Undecided,
        ParameterType::Boolean => Widget::Switch,
        ParameterType::MultiSelect if !parameter.is_file() => Widget::Boxes,
        ParameterType::MultiSelect if parameter.max_items != Some(1) => Widget::Files,
        ParameterType::MultiSelect | ParameterType::Url => Widget::File,
    }
}

fn options(parameter: &Parameter, value: Option<&Value>) -> Vec<Choice> {
    let chosen = |option: &Value| match value {
        Some(Value::Array(items)) => items.contains(option),
        Some(value) => value == option,
        None => false,
    };
    let options = parameter.options.as_deref().unwrap_or_default();
    options
        .iter()
        .map(|option| {
            let text = plain(option);
            Choice {
                chosen: chosen(option),
                shape: shape(&text),
                value: text,
            }
        })
        .collect()
}

/// The size of a rectangle with the ratio `16:9` that fits into 18 by 14.
fn shape(text: &str) -> Option<(u32, u32)> {
    let (width, height) = text.split_once(':')?;
    let (width, height): (f64, f64) = (width.parse().ok()?, height.parse().ok()?);
    let scale = (18.0 / width).min(14.0 / height);
    Some(((width * scale).round() as u32, (height * scale).round() as u32))
}

fn note(model: &Model, parameter: &Parameter) -> String {
    if let Some(when) = &parameter.required_when {
        let conditions = when.iter().map(|(name, value)| {
            let label = label(model, name);
            match value {
                Value::Bool(true) => format!("with {label}"),
                Value::Bool(false) => format!("without {label}"),
                Value::Object(_) => format!("together with {label}"),
                other => format!("with {label} {}", plain(other)),
            }
        });
        return format!("required {}", conditions.collect::<Vec<_>>().join(" and "));
    }
    let number = |bound: Option<f64>| bound.map(|bound| bound.to_string());
    match (parameter.kind, number(parameter.min), number(parameter.max)) {
        (ParameterType::Number, Some(min), Some(max)) => format!("{min} to {max}"),
        (ParameterType::Number, Some(min), None) => format!("at least {min}"),
        _ if parameter.is_file() => match parameter.max_items {
            Some(max) if max > 1 => format!("up to {max}"),
            _ => String::new(),
        },
        _ => match parameter.max_length {
            Some(max) if parameter.role == Some(Role::Text) => {
                format!("up to {} characters", crate::text::count(max as i64))
            }
            _ => String::new(),
        },
    }
}

fn label(model: &Model, name: &str) -> String {
    model
        .parameter(name)
        .map_or_else(|| name.to_owned(), |parameter| parameter.label.clone())
}

/// The catalog's messages use the names of fields. On the page, their labels are easier to read.
fn readable(model: &Model, message: &str) -> String {
    let mut text = message.to_owned();
    for parameter in &model.parameters {
        text = text.replace(
            &format!("`{}`", parameter.name),
            &format!("\u{201c}{}\u{201d}", parameter.label),
        );
    }
    capital(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_keep_their_ratio_and_fit_into_the_box() {
        assert_eq!(shape("16:9"), Some((18, 10)));
        assert_eq!(shape("1:1"), Some((14, 14)));
        assert_eq!(shape("9:16"), Some((8, 14)));
        assert_eq!(shape("2K"), None);
    }
}
