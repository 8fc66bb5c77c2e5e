//! Compiles the price rule of a model file. Its units must be countable, and its factors must name options.

use std::{collections::BTreeMap, ops::Range};

use serde_json::Value;
use toml::Spanned;

use super::{Result, Scope};
use crate::{
    file::PricingFile,
    parameter::ParameterType,
    price::{Factor, Pricing, Source, Unit},
    sentence::plain,
};

/// A higher price is a mistake, and would overflow the exact arithmetic.
const MAX_CREDITS: f64 = 1_000_000.0;
const MAX_FACTOR: f64 = 1_000.0;

pub(super) fn compile(scope: Scope<'_>, file: Spanned<PricingFile>) -> Result<Pricing> {
    let at = file.span();
    let file = file.into_inner();
    let credits = thousandths(scope, &at, "credits", file.credits, MAX_CREDITS)?;
    let base = thousandths(scope, &at, "base", file.base, MAX_CREDITS)?;
    let source_counts = file.source.as_ref().is_some_and(|source| {
        let parameter = scope
            .parameters
            .iter()
            .find(|parameter| parameter.name == source.parameter);
        parameter.is_some_and(|parameter| parameter.required)
    });
    if file.parameter.is_some() || !source_counts {
        check_units(scope, &at, file.unit, file.parameter.as_deref())?;
    }
    let factors = file
        .factors
        .iter()
        .map(|(name, by)| factor(scope, &at, name, by))
        .collect::<Result<Vec<_>>>()?;
    let source = file
        .source
        .map(|source| {
            let index = scope.find(&at, &source.parameter)?;
            let usable = scope.parameters[index].is_file() && file.unit == Unit::Second;
            if !usable || source.max_seconds <= 0.0 || !(0.0..=86_400.0).contains(&source.max_seconds) {
                return Err(scope.error(
                    &at,
                    "pricing.source: requires a file parameter, `unit = \"second\"` and a `max_seconds` \
                     above 0 and up to 86400",
                ));
            }
            Ok(Source {
                parameter: source.parameter,
                max_seconds: source.max_seconds,
            })
        })
        .transpose()?;
    let mut pricing = Pricing {
        unit: file.unit,
        credits,
        base,
        parameter: file.parameter,
        factors,
        source,
        description: String::new(),
    };
    pricing.description = pricing.sentence();
    Ok(pricing)
}

fn check_units(scope: Scope<'_>, at: &Range<usize>, unit: Unit, parameter: Option<&str>) -> Result<()> {
    let counted = match (unit, parameter) {
        (Unit::Job, None) => return Ok(()),
        (Unit::Job, Some(_)) => {
            return Err(scope.error(at, "pricing: a price per job does not count a `parameter`"));
        }
        (_, None) => {
            let reason = format!(
                "pricing: a price per {} requires the `parameter` that counts it",
                unit.as_str()
            );
            return Err(scope.error(at, reason));
        }
        (_, Some(name)) => &scope.parameters[scope.find(at, name)?],
    };
    let fits = match unit {
        Unit::ThousandCharacters => matches!(counted.kind, ParameterType::Text | ParameterType::Textarea),
        _ => counted.is_number(),
    };
    if !fits {
        return Err(scope.error(
            at,
            format!("pricing: `{}` cannot count {}", counted.name, unit.as_str()),
        ));
    }
    if !counted.required && counted.default.is_none() {
        return Err(scope.error(
            at,
            format!("pricing: `{}` may be absent: add a `default`", counted.name),
        ));
    }
    if unit != Unit::ThousandCharacters && counted.least().is_none_or(|least| least < 0.0) {
        return Err(scope.error(
            at,
            format!("pricing: `{}` may be negative: add a `min`", counted.name),
        ));
    }
    Ok(())
}

fn factor(scope: Scope<'_>, at: &Range<usize>, name: &str, by: &BTreeMap<String, f64>) -> Result<Factor> {
    let parameter = &scope.parameters[scope.find(at, name)?];
    let options = match (parameter.kind, &parameter.options) {
        (ParameterType::Boolean, _) => vec![Value::Bool(false), Value::Bool(true)],
        (ParameterType::Select, Some(options)) => options.clone(),
        _ => {
            return Err(scope.error(
                at,
                format!("pricing.factors: `{name}` must be a select or a boolean"),
            ));
        }
    };
    if let Some(unknown) = by
        .keys()
        .find(|key| !options.iter().any(|option| plain(option) == **key))
    {
        return Err(scope.error(
            at,
            format!("pricing.factors: `{unknown}` is not an option of `{name}`"),
        ));
    }
    let mut ordered = Vec::with_capacity(by.len());
    for option in options {
        if let Some(&amount) = by.get(&plain(&option)) {
            let amount = thousandths(scope, at, &format!("factors.{name}"), amount, MAX_FACTOR)?;
            ordered.push((option, amount));
        }
    }
    Ok(Factor {
        parameter: name.to_owned(),
        by: ordered,
    })
}

fn thousandths(scope: Scope<'_>, at: &Range<usize>, key: &str, amount: f64, max: f64) -> Result<u64> {
    let exact = (amount * 1_000.0).round();
    if !(0.0..=max).contains(&amount) || (exact - amount * 1_000.0).abs() > 1e-6 {
        let reason =
            format!("pricing.{key}: must be between 0 and {max} with at most three decimals (got {amount})");
        return Err(scope.error(at, reason));
    }
    Ok(exact as u64)
}
