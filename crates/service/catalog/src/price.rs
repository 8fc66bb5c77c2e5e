//! The price of a generation. The estimate and the charge come from the same rule, in exact arithmetic, rounded up
//! once.

use atelier_domain::FileFacts;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::{
    input::{InputUrl, duration_of},
    parameter::number,
    sentence::plain,
    value,
};

/// A price rule: `base + credits × units × factors`.
#[derive(Debug, Clone, Serialize)]
pub struct Pricing {
    pub unit: Unit,
    /// Per unit.
    #[serde(serialize_with = "thousandths")]
    pub(crate) credits: u64,
    /// Added once per job.
    #[serde(serialize_with = "thousandths")]
    pub(crate) base: u64,
    /// The parameter that counts the units: a number, or a text whose characters count. A job counts as one.
    pub parameter: Option<String>,
    #[serde(serialize_with = "factor_table")]
    pub(crate) factors: Vec<Factor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<Source>,
    /// The rule as a sentence.
    pub description: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    #[serde(rename = "job")]
    Job,
    #[serde(rename = "image")]
    Image,
    #[serde(rename = "second")]
    Second,
    #[serde(rename = "1000_characters")]
    ThousandCharacters,
}

impl Unit {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Job => "job",
            Self::Image => "image",
            Self::Second => "second",
            Self::ThousandCharacters => "1,000 characters",
        }
    }
}

/// The factors by which the values of a parameter multiply the price. Other values leave it unchanged.
#[derive(Debug, Clone)]
pub(crate) struct Factor {
    pub(crate) parameter: String,
    /// Thousandths.
    pub(crate) by: Vec<(Value, u64)>,
}

/// A file whose seconds count instead of the parameter, up to a maximum.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Source {
    pub(crate) parameter: String,
    pub(crate) max_seconds: f64,
}

/// One unit, in the millionths in which units are counted.
const UNIT: u128 = 1_000_000;

impl Unit {
    /// The least that is counted: a rule with a price never makes a job free because little was asked for.
    const fn step(self) -> u128 {
        match self {
            Self::Job | Self::Image => UNIT,
            Self::Second => UNIT / 10,
            Self::ThousandCharacters => UNIT / 1_000,
        }
    }
}

impl Pricing {
    /// Credits to hold for a checked request. A source of unknown duration counts as the longest.
    pub(crate) fn estimate(
        &self,
        params: &Map<String, Value>,
        inputs: &[InputUrl],
        facts: &[Option<FileFacts>],
    ) -> i64 {
        self.credits(self.units(params, inputs, facts), params)
    }

    /// Credits that a completed generation costs, with the facts known of its inputs by then and the
    /// number of output files it `made`.
    ///
    /// A price per image counts the images made, and never more than were asked for. All other prices
    /// do not depend on `made`.
    pub(crate) fn charge(
        &self,
        params: &Map<String, Value>,
        inputs: &[InputUrl],
        facts: &[Option<FileFacts>],
        made: usize,
    ) -> i64 {
        let asked = self.units(params, inputs, facts);
        let units = match self.unit {
            Unit::Image => asked.min((made as u128).saturating_mul(UNIT)),
            Unit::Job | Unit::Second | Unit::ThousandCharacters => asked,
        };
        self.credits(units, params)
    }

    /// The price of that many millionths of a unit.
    fn credits(&self, units: u128, params: &Map<String, Value>) -> i64 {
        // Millionths of a unit, thousandths of a credit: integers throughout, so that 0.1 × 30 is 3.
        let mut price = u128::from(self.credits).saturating_mul(units);
        let mut scale = 1_000 * UNIT;
        for factor in &self.factors {
            let given = params.get(&factor.parameter);
            let by = factor
                .by
                .iter()
                .find(|(option, _)| given.is_some_and(|given| value::same(option, given)));
            if let Some((_, by)) = by {
                price = price.saturating_mul(u128::from(*by));
                scale *= 1_000;
            }
        }
        price = price.saturating_add(u128::from(self.base).saturating_mul(scale / 1_000));
        i64::try_from(price.div_ceil(scale)).unwrap_or(i64::MAX)
    }

    /// Units of a request in millionths, at least one step.
    fn units(&self, params: &Map<String, Value>, inputs: &[InputUrl], facts: &[Option<FileFacts>]) -> u128 {
        let counted = match self.source_seconds(inputs, facts) {
            // Measured to a tenth of a second: a file of 5 s often measures 5.002.
            Some(seconds) => (seconds * 10.0).round() as u128 * Unit::Second.step(),
            None => self.counted(params),
        };
        counted.max(self.unit.step())
    }

    /// The seconds of the source file, if the rule has one and the request gives it.
    fn source_seconds(&self, inputs: &[InputUrl], facts: &[Option<FileFacts>]) -> Option<f64> {
        let source = self.source.as_ref()?;
        inputs.iter().find(|input| input.parameter == source.parameter)?;
        let duration = duration_of(&source.parameter, inputs, facts).unwrap_or(source.max_seconds);
        Some(duration.min(source.max_seconds))
    }

    /// The units that the rule's parameter counts, in millionths.
    fn counted(&self, params: &Map<String, Value>) -> u128 {
        let given = self.parameter.as_ref().and_then(|name| params.get(name));
        match (self.unit, given) {
            (Unit::Job, _) => UNIT,
            (Unit::ThousandCharacters, Some(Value::String(text))) => {
                text.chars().count() as u128 * Unit::ThousandCharacters.step()
            }
            (_, Some(number)) => (number.as_f64().unwrap_or(0.0) * UNIT as f64).round() as u128,
            (_, None) => 0,
        }
    }

    /// Returns the lowest price of a unit, in a few words: `from 12 credits per job`.
    pub fn short(&self) -> String {
        let lowest = |factor: &Factor| {
            factor
                .by
                .iter()
                .map(|(_, by)| *by)
                .min()
                .unwrap_or(1_000)
                .min(1_000)
        };
        let least = self
            .factors
            .iter()
            .fold(self.credits, |credits, factor| credits * lowest(factor) / 1_000);
        let from = if self.factors.is_empty() { "" } else { "from " };
        let credits = if least == 1_000 { "credit" } else { "credits" };
        let least = number(least as f64 / 1_000.0);
        let base = match self.base {
            0 => String::new(),
            base => format!(" and {} per job", number(base as f64 / 1_000.0)),
        };
        format!("{from}{least} {credits} per {}{base}", self.unit.as_str())
    }

    /// The rule as a sentence.
    pub(crate) fn sentence(&self) -> String {
        let shown = |amount: u64| number(amount as f64 / 1_000.0);
        let credits = if self.credits == 1_000 {
            "credit"
        } else {
            "credits"
        };
        let mut parts = vec![format!(
            "{} {credits} per {}",
            shown(self.credits),
            self.unit.as_str()
        )];
        for factor in &self.factors {
            let by: Vec<_> = factor
                .by
                .iter()
                .map(|(option, by)| format!("{} × {}", plain(option), shown(*by)))
                .collect();
            parts.push(format!(", by `{}`: {}", factor.parameter, by.join(", ")));
        }
        if self.base > 0 {
            parts.push(format!(", and {} per job", shown(self.base)));
        }
        if let Some(Source {
            parameter,
            max_seconds,
        }) = &self.source
        {
            let max = number(*max_seconds);
            parts.push(format!("; with `{parameter}`, its seconds count, at most {max}"));
        }
        parts.push("; rounded up once.".to_owned());
        parts.concat()
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference to the field"
)]
fn thousandths<S: Serializer>(amount: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    number(*amount as f64 / 1_000.0).serialize(serializer)
}

fn factor_table<S: Serializer>(factors: &[Factor], serializer: S) -> Result<S::Ok, S::Error> {
    let options = |factor: &Factor| -> Map<String, Value> {
        let shown = |by: u64| Value::Number(number(by as f64 / 1_000.0));
        factor
            .by
            .iter()
            .map(|(option, by)| (plain(option), shown(*by)))
            .collect()
    };
    serializer.collect_map(
        factors
            .iter()
            .map(|factor| (factor.parameter.as_str(), options(factor))),
    )
}
