//! Checks the rules across parameters.

use serde_json::Value;

use crate::{
    parameter::{Parameter, number},
    problem::Problem,
    rule::{Condition, Rule},
    sentence::{self, grouped},
    value,
};

/// The values of a request by parameter index, and which of them are invalid. Rules do not report a value
/// that is already wrong.
#[derive(Debug, Clone, Copy)]
pub(crate) struct State<'a> {
    pub(crate) values: &'a [Option<Value>],
    pub(crate) wrong: &'a [bool],
}

impl State<'_> {
    fn is_set(self, index: usize) -> bool {
        self.values[index].is_some() || self.wrong[index]
    }

    fn count(self, index: usize) -> u64 {
        self.values[index]
            .as_ref()
            .and_then(Value::as_array)
            .map_or(0, |items| items.len() as u64)
    }

    fn number(self, index: usize) -> Option<f64> {
        self.values[index].as_ref().and_then(Value::as_f64)
    }

    /// Whether all conditions hold; `None` if that depends on a wrong value.
    pub(crate) fn holds(self, when: &[Condition]) -> Option<bool> {
        let mut open = false;
        for condition in when {
            let (Condition::Equals(index, _) | Condition::Set(index, _)) = condition;
            let holds = match condition {
                Condition::Set(_, wanted) => self.is_set(*index) == *wanted,
                Condition::Equals(..) if self.wrong[*index] => {
                    open = true;
                    continue;
                }
                Condition::Equals(_, wanted) => self.values[*index]
                    .as_ref()
                    .is_some_and(|value| value::same(value, wanted)),
            };
            if !holds {
                return Some(false);
            }
        }
        if open { None } else { Some(true) }
    }
}

/// Adds a problem if the request breaks this rule.
pub(crate) fn check_rule(
    rule: &Rule,
    parameters: &[Parameter],
    state: State<'_>,
    problems: &mut Vec<Problem>,
) {
    let name = |index: usize| parameters[index].name.as_str();
    match rule {
        Rule::AtLeastOne(of) => {
            if !of.iter().any(|&index| state.is_set(index)) {
                let names = sentence::list_with("or", of.iter().map(|&index| format!("`{}`", name(index))));
                problems.push(Problem::new(
                    name(of[0]),
                    format!("at least one of {names} is required"),
                ));
            }
        }
        Rule::Exclusive(groups) => exclusive(groups, parameters, state, problems),
        Rule::CountSum { counts, plus, max } => count_sum(counts, plus, *max, parameters, state, problems),
        Rule::OnlyWith {
            parameter,
            value,
            any_of,
            when,
        } => {
            let asked = match (value, &state.values[*parameter]) {
                (Some(wanted), Some(given)) => value::same(wanted, given),
                (None, given) => given.is_some(),
                (Some(_), None) => false,
            };
            let lacking = !any_of.is_empty() && !any_of.iter().any(|&index| state.is_set(index));
            if asked && (lacking || state.holds(when) == Some(false)) {
                let names: Vec<_> = parameters
                    .iter()
                    .map(|parameter| parameter.name.as_str())
                    .collect();
                let needed = sentence::needed(any_of, when, &names);
                let what = match value {
                    Some(value) => format!("`{}` {}", name(*parameter), sentence::plain(value)),
                    None => format!("`{}`", name(*parameter)),
                };
                problems.push(Problem::new(
                    name(*parameter),
                    format!("{what} requires {needed}"),
                ));
            }
        }
        Rule::MaxLength {
            parameter,
            max,
            when,
            han,
        } => {
            let Some(text) = state.values[*parameter].as_ref().and_then(Value::as_str) else {
                return;
            };
            // A text has at most as many characters as bytes.
            if text.len() <= *max || state.holds(when) != Some(true) {
                return;
            }
            let length = text.chars().count();
            if length > *max && (!han || mostly_han(text)) {
                let names: Vec<_> = parameters
                    .iter()
                    .map(|parameter| parameter.name.as_str())
                    .collect();
                let sentence = sentence::rule(rule, &names);
                let length = grouped(length as u64);
                problems.push(Problem::new(
                    name(*parameter),
                    format!("{} (got {length})", sentence.trim_end_matches('.')),
                ));
            }
        }
        Rule::GreaterThan { parameter, than } => {
            if let (Some(given), Some(least)) = (state.number(*parameter), state.number(*than))
                && given <= least
            {
                let (given, least) = (number(given), number(least));
                problems.push(Problem::new(
                    name(*parameter),
                    format!(
                        "`{}` must be greater than `{}`, which is {least} (got {given})",
                        name(*parameter),
                        name(*than)
                    ),
                ));
            }
        }
        Rule::WithinDuration { .. } | Rule::Ignored { .. } | Rule::Note(_) => {}
    }
}
fn exclusive(groups: &[Vec<usize>], parameters: &[Parameter], state: State<'_>, problems: &mut Vec<Problem>) {
    let mut used = groups
        .iter()
        .filter_map(|group| group.iter().find(|&&index| state.is_set(index)));
    let Some(first) = used.next() else { return };
    for second in used {
        let (first, second) = (&parameters[*first].name, &parameters[*second].name);
        problems.push(Problem::new(
            second,
            format!("`{second}` cannot be combined with `{first}`: use one of them"),
        ));
    }
}

fn count_sum(
    counts: &[usize],
    plus: &[usize],
    max: u64,
    parameters: &[Parameter],
    state: State<'_>,
    problems: &mut Vec<Problem>,
) {
    if counts.iter().chain(plus).any(|&index| state.wrong[index]) {
        return;
    }
    let counted: u64 = counts.iter().map(|&index| state.count(index)).sum();
    let added: f64 = plus.iter().filter_map(|&index| state.number(index)).sum();
    let sum = counted as f64 + added;
    if sum <= max as f64 {
        return;
    }
    let name = |index: usize| parameters[index].name.as_str();
    let terms: Vec<_> = counts
        .iter()
        .map(|&index| format!("the count of `{}` ({})", name(index), state.count(index)))
        .chain(plus.iter().map(|&index| {
            let value = number(state.number(index).unwrap_or(0.0));
            format!("`{}` ({value})", name(index))
        }))
        .collect();
    let sum = number(sum);
    let at_fault = counts
        .iter()
        .find(|&&index| state.count(index) > 0)
        .unwrap_or(&counts[0]);
    problems.push(Problem::new(
        name(*at_fault),
        format!("{} must not exceed {max} (got {sum})", terms.join(" plus ")),
    ));
}

/// Whether most letters of a text are Han characters.
fn mostly_han(text: &str) -> bool {
    let (mut letters, mut han) = (0_usize, 0_usize);
    for letter in text.chars().filter(|letter| letter.is_alphabetic()) {
        letters += 1;
        han += usize::from(is_han(letter));
    }
    han * 2 > letters
}

/// The blocks of unified and compatibility ideographs, with their extensions.
const fn is_han(letter: char) -> bool {
    matches!(letter,
        '\u{3005}' | '\u{3007}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_of_a_text_is_that_of_most_of_its_letters() {
        assert!(mostly_han("一座灯塔，2026!"));
        assert!(mostly_han("灯塔灯 ab"));
        for other in ["灯塔 ab", "a lighthouse", "灯台のひかり", "", "123 !?"] {
            assert!(!mostly_han(other), "{other}");
        }
    }
}
