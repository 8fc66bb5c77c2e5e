//! Bounds, lists and rules as English text.

use serde_json::Value;

use crate::{
    parameter::{Parameter, number},
    rule::{Condition, Rule},
};

/// The rules of a model: those of each parameter, then those across parameters.
pub(crate) fn rules(parameters: &[Parameter], rules: &[Rule]) -> Vec<String> {
    let names: Vec<&str> = parameters
        .iter()
        .map(|parameter| parameter.name.as_str())
        .collect();
    let mut sentences = Vec::new();
    for parameter in parameters {
        if let Some(when) = required_when(parameter) {
            sentences.push(format!("`{}` is required when {when}.", parameter.name));
        }
    }
    sentences.extend(rules.iter().map(|rule| self::rule(rule, &names)));
    sentences.extend(parameters.iter().filter_map(files));
    sentences
}

/// A rule as a sentence. `names` are the names of the model's parameters.
pub(crate) fn rule(rule: &Rule, names: &[&str]) -> String {
    let name = |index: &usize| ticked(names[*index]);
    match rule {
        Rule::AtLeastOne(of) => format!("At least one of {} is required.", list(of.iter().map(name))),
        Rule::Exclusive(groups) => {
            let groups = groups.iter().map(|group| list_with("or", group.iter().map(name)));
            format!(
                "Only one of these can be used: {}.",
                groups.collect::<Vec<_>>().join("; ")
            )
        }
        Rule::CountSum { counts, plus, max } => {
            let counted = counts.iter().map(|index| format!("the count of {}", name(index)));
            let all: Vec<_> = counted.chain(plus.iter().map(name)).collect();
            format!("{} must not exceed {max}.", sentence_case(&all.join(" plus ")))
        }
        Rule::OnlyWith {
            parameter,
            value,
            any_of,
            when,
        } => {
            let what = value.as_ref().map_or_else(
                || name(parameter),
                |value| format!("{} {}", name(parameter), plain(value)),
            );
            format!("{what} requires {}.", needed(any_of, when, names))
        }
        Rule::MaxLength {
            parameter,
            max,
            when,
            han,
        } => {
            let mut cases = Vec::new();
            if !when.is_empty() {
                cases.push(conditions(when, names));
            }
            if *han {
                cases.push("most of its letters are Chinese characters".to_owned());
            }
            format!(
                "{} must have at most {} characters when {}.",
                name(parameter),
                grouped(*max as u64),
                cases.join(" and ")
            )
        }
        Rule::GreaterThan { parameter, than } => {
            format!("{} must be greater than {}.", name(parameter), name(than))
        }
        Rule::WithinDuration { parameter, of } => {
            format!("{} must be within the duration of {}.", name(parameter), name(of))
        }
        Rule::Ignored { parameter, when } if when.is_empty() => {
            format!("{} is accepted and has no effect.", name(parameter))
        }
        Rule::Ignored { parameter, when } => {
            format!("{} is ignored when {}.", name(parameter), conditions(when, names))
        }
        Rule::Note(sentence) => sentence.clone(),
    }
}

/// Returns the requirement of an `only_with` rule.
pub(crate) fn needed(any_of: &[usize], when: &[Condition], names: &[&str]) -> String {
    let mut needed = Vec::new();
    if !any_of.is_empty() {
        let names = list_with("or", any_of.iter().map(|index| ticked(names[*index])));
        needed.push(if any_of.len() > 1 {
            format!("at least one of {names}")
        } else {
            names
        });
    }
    needed.extend(when.iter().map(|condition| match condition {
        Condition::Equals(index, value) => format!("{} to be {}", ticked(names[*index]), plain(value)),
        Condition::Set(index, true) => ticked(names[*index]),
        Condition::Set(index, false) => format!("{} to be absent", ticked(names[*index])),
    }));
    needed.join(" and ")
}

/// The conditions under which the parameter is required.
pub(crate) fn required_when(parameter: &Parameter) -> Option<String> {
    let when = parameter.required_when.as_ref()?;
    let phrases: Vec<_> = when.iter().map(|(name, value)| phrase(name, value)).collect();
    Some(phrases.join(" and "))
}

pub(crate) fn conditions(when: &[Condition], names: &[&str]) -> String {
    let phrases: Vec<_> = when
        .iter()
        .map(|condition| condition_phrase(condition, names))
        .collect();
    phrases.join(" and ")
}

fn condition_phrase(condition: &Condition, names: &[&str]) -> String {
    match condition {
        Condition::Equals(index, value) => format!("{} is {}", ticked(names[*index]), plain(value)),
        Condition::Set(index, true) => format!("{} is given", ticked(names[*index])),
        Condition::Set(index, false) => format!("{} is not given", ticked(names[*index])),
    }
}

fn phrase(name: &str, value: &Value) -> String {
    match value.get("set") {
        Some(Value::Bool(true)) => format!("`{name}` is given"),
        Some(_) => format!("`{name}` is not given"),
        None => format!("`{name}` is {}", plain(value)),
    }
}

/// The limits for the files of a parameter as a rule.
fn files(parameter: &Parameter) -> Option<String> {
    Some(format!("`{}`: {}.", parameter.name, parameter.file_limits()?))
}

impl Parameter {
    /// The limits for its files besides their types: `each file at most 30 MiB, each 2 to 15 s long`.
    pub fn file_limits(&self) -> Option<String> {
        let rules = self.files;
        let mut parts = Vec::new();
        if let Some(bytes) = rules.max_bytes {
            parts.push(format!("each file at most {}", size(bytes)));
        }
        if let Some(bytes) = rules.below_bytes {
            parts.push(format!("each file under {}", size(bytes)));
        }
        if rules.min_seconds.is_some() || rules.max_seconds.is_some() {
            parts.push(format!(
                "each {} long",
                seconds(rules.min_seconds, rules.max_seconds)
            ));
        }
        if rules.combined_min_seconds.is_some() || rules.combined_max_seconds.is_some() {
            parts.push(format!(
                "{} combined",
                seconds(rules.combined_min_seconds, rules.combined_max_seconds)
            ));
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// `2 to 15 s`, `at most 15 s` or `at least 2 s`.
pub(crate) fn seconds(min: Option<f64>, max: Option<f64>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!("{} to {} s", number(min), number(max)),
        (None, Some(max)) => format!("at most {} s", number(max)),
        (Some(min), None) => format!("at least {} s", number(min)),
        (None, None) => "of any duration".to_owned(),
    }
}

/// `30 MiB`, or a number of bytes if the size is not a whole number of MiB.
pub(crate) fn size(bytes: u64) -> String {
    const MEBI: u64 = 1 << 20;
    if bytes.is_multiple_of(MEBI) {
        format!("{} MiB", bytes / MEBI)
    } else {
        format!("{} bytes", grouped(bytes))
    }
}

/// The size of a file in tenths of MiB, rounded up, so that it is never shown as a limit that it exceeds. Small ones
/// are in bytes.
pub(crate) fn measured(bytes: u64) -> String {
    const MEBI: u64 = 1 << 20;
    if bytes < MEBI {
        return size(bytes);
    }
    let tenths = (bytes * 10).div_ceil(MEBI);
    match tenths % 10 {
        0 => format!("{} MiB", tenths / 10),
        tenth => format!("{}.{tenth} MiB", tenths / 10),
    }
}

/// `an integer between 1 and 15`.
pub(crate) fn number_bounds(parameter: &Parameter) -> String {
    let what = if parameter.integer {
        "an integer"
    } else {
        "a number"
    };
    match (parameter.min.map(number), parameter.max.map(number)) {
        (Some(min), Some(max)) => format!("{what} between {min} and {max}"),
        (Some(min), None) => format!("{what} of at least {min}"),
        (None, Some(max)) => format!("{what} of at most {max}"),
        (None, None) => what.to_owned(),
    }
}

/// `3 to 20,000 characters`.
pub(crate) fn length_bounds(parameter: &Parameter) -> String {
    let max = parameter.max_length.map(|max| grouped(max as u64));
    match (parameter.min_length, max) {
        (Some(min), Some(max)) => format!("{min} to {max} characters"),
        (Some(min), None) => format!("at least {min} characters"),
        (None, Some(max)) => format!("at most {max} characters"),
        (None, None) => "any number of characters".to_owned(),
    }
}

/// `1 to 9 URLs`, `exactly 1 URL`.
pub(crate) fn item_bounds(parameter: &Parameter) -> String {
    let what = |count: usize| match (parameter.is_file(), count) {
        (true, 1) => "URL",
        (true, _) => "URLs",
        (false, 1) => "entry",
        (false, _) => "entries",
    };
    match (parameter.min_items.filter(|&min| min > 0), parameter.max_items) {
        (Some(min), Some(max)) if min == max => format!("exactly {max} {}", what(max)),
        (Some(min), Some(max)) => format!("{min} to {max} {}", what(max)),
        (Some(min), None) => format!("at least {min} {}", what(min)),
        (None, Some(max)) => format!("at most {max} {}", what(max)),
        (None, None) => what(2).to_owned(),
    }
}

/// `20,000`.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A scalar without quotation marks.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// `a, b, c`.
pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().collect::<Vec<_>>().join(", ")
}

/// `a, b or c`.
pub(crate) fn list_with(word: &str, items: impl IntoIterator<Item = String>) -> String {
    let mut items: Vec<_> = items.into_iter().collect();
    match items.pop() {
        None => String::new(),
        Some(last) if items.is_empty() => last,
        Some(last) => format!("{} {word} {last}", items.join(", ")),
    }
}

fn ticked(name: &str) -> String {
    format!("`{name}`")
}

fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(
            [0, 15, 500, 5_000, 20_000, 1_234_567].map(grouped),
            ["0", "15", "500", "5,000", "20,000", "1,234,567"]
        );
    }

    #[test]
    fn sizes_and_durations_have_readable_units() {
        assert_eq!(size(31_457_280), "30 MiB");
        assert_eq!(size(1_500), "1,500 bytes");
        assert_eq!(
            [1_500, 31_457_280, 31_457_281, 52_953_088].map(measured),
            ["1,500 bytes", "30 MiB", "30.1 MiB", "50.5 MiB"]
        );
        assert_eq!(seconds(Some(2.0), Some(15.0)), "2 to 15 s");
        assert_eq!(seconds(None, Some(1.5)), "at most 1.5 s");
    }
}
