//! Compiles the rules of a model file. Every name must be a parameter of a type that the rule can check.

use std::ops::Range;

use toml::Spanned;

use super::{Result, Scope};
use crate::{
    file::{CountSumFile, RuleFile, Script},
    parameter::{Parameter, ParameterType},
    rule::Rule,
};

pub(super) fn compile(scope: Scope<'_>, files: Vec<Spanned<RuleFile>>) -> Result<Vec<Rule>> {
    files
        .into_iter()
        .map(|file| compile_rule(scope, &file.span(), file.into_inner()))
        .collect()
}

fn compile_rule(scope: Scope<'_>, at: &Range<usize>, file: RuleFile) -> Result<Rule> {
    Ok(match file {
        RuleFile::AtLeastOne(of) => at_least_one(scope, at, &of)?,
        RuleFile::Exclusive(groups) => exclusive(scope, at, &groups)?,
        RuleFile::CountSum(file) => count_sum(scope, at, &file)?,
        RuleFile::OnlyWith(file) => {
            let parameter = scope.find(at, &file.parameter)?;
            let value = file
                .value
                .as_ref()
                .map(|value| scope.fitting(at, parameter, value))
                .transpose()?;
            let any_of = scope.find_all(at, &file.any_of)?;
            let when = scope.conditions(at, &file.when)?;
            if any_of.is_empty() && when.is_empty() {
                return Err(scope.error(at, "only_with: requires `any_of` or `when`"));
            }
            Rule::OnlyWith {
                parameter,
                value,
                any_of,
                when,
            }
        }
        RuleFile::MaxLength(file) => {
            let parameter = scope.find(at, &file.parameter)?;
            expect(scope, at, "max_length", parameter, "a text", |parameter| {
                matches!(parameter.kind, ParameterType::Text | ParameterType::Textarea)
            })?;
            let when = scope.conditions(at, &file.when)?;
            if when.is_empty() && file.script.is_none() {
                return Err(scope.error(
                    at,
                    "max_length: requires `when` or `script`; without them, set the parameter's own `max_length`",
                ));
            }
            Rule::MaxLength {
                parameter,
                max: file.max,
                when,
                han: file.script == Some(Script::Han),
            }
        }
        RuleFile::GreaterThan(file) => {
            let (parameter, than) = (scope.find(at, &file.parameter)?, scope.find(at, &file.than)?);
            expect(scope, at, "greater_than", parameter, "a number", is_number)?;
            expect(scope, at, "greater_than", than, "a number", is_number)?;
            Rule::GreaterThan { parameter, than }
        }
        RuleFile::WithinDuration(file) => {
            let (parameter, of) = (scope.find(at, &file.parameter)?, scope.find(at, &file.of)?);
            expect(scope, at, "within_duration", parameter, "a number", is_number)?;
            expect(scope, at, "within_duration", of, "a file", Parameter::is_file)?;
            Rule::WithinDuration { parameter, of }
        }
        RuleFile::Ignored(file) => {
            let parameter = scope.find(at, &file.parameter)?;
            Rule::Ignored {
                parameter,
                when: scope.conditions(at, &file.when)?,
            }
        }
        RuleFile::Note(sentence) => Rule::Note(sentence),
    })
}

fn at_least_one(scope: Scope<'_>, at: &Range<usize>, of: &[String]) -> Result<Rule> {
    let of = several(scope, at, "at_least_one", scope.find_all(at, of)?)?;
    if let Some(&always) = of
        .iter()
        .find(|&&index| scope.parameters[index].default.is_some())
    {
        let name = &scope.parameters[always].name;
        return Err(scope.error(
            at,
            format!("at_least_one: `{name}` has a default, so it is always given"),
        ));
    }
    Ok(Rule::AtLeastOne(of))
}

fn exclusive(scope: Scope<'_>, at: &Range<usize>, groups: &[Vec<String>]) -> Result<Rule> {
    let groups: Vec<_> = groups
        .iter()
        .map(|group| scope.find_all(at, group))
        .collect::<Result<_>>()?;
    if groups.iter().any(Vec::is_empty) {
        return Err(scope.error(at, "exclusive: a group is empty"));
    }
    Ok(Rule::Exclusive(several(scope, at, "exclusive", groups)?))
}

fn count_sum(scope: Scope<'_>, at: &Range<usize>, file: &CountSumFile) -> Result<Rule> {
    let (counts, plus) = (scope.find_all(at, &file.counts)?, scope.find_all(at, &file.plus)?);
    if counts.is_empty() {
        return Err(scope.error(at, "count_sum: `counts` is empty"));
    }
    for &index in &counts {
        expect(scope, at, "count_sum", index, "a list", |parameter| {
            parameter.kind == ParameterType::MultiSelect
        })?;
    }
    for &index in &plus {
        expect(scope, at, "count_sum", index, "a number", is_number)?;
    }
    Ok(Rule::CountSum {
        counts,
        plus,
        max: file.max,
    })
}

fn several<T>(scope: Scope<'_>, at: &Range<usize>, rule: &str, of: Vec<T>) -> Result<Vec<T>> {
    if of.len() >= 2 {
        Ok(of)
    } else {
        Err(scope.error(at, format!("{rule}: requires at least two entries")))
    }
}

fn expect(
    scope: Scope<'_>,
    at: &Range<usize>,
    rule: &str,
    index: usize,
    what: &str,
    fits: impl Fn(&Parameter) -> bool,
) -> Result<()> {
    let parameter = &scope.parameters[index];
    if fits(parameter) {
        return Ok(());
    }
    Err(scope.error(
        at,
        format!(
            "{rule}: `{}` must be {what} (it is a {})",
            parameter.name,
            parameter.kind.as_str()
        ),
    ))
}

fn is_number(parameter: &Parameter) -> bool {
    parameter.kind == ParameterType::Number
}
