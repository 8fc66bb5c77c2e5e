//! The price per unit for each combination of the values that change it.

use serde_json::Value;

use crate::{
    model::Model,
    parameter::{Parameter, ParameterType, number},
    price::Factor,
    sentence::plain,
    value,
};

/// Prices per unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceTable {
    /// The labels of the parameters that change the price.
    pub labels: Vec<String>,
    /// For each combination: the values of these parameters, and the credits per unit.
    pub rows: Vec<(Vec<String>, String)>,
}

/// The most rows. A model with more combinations has the sentence of its price alone.
const MOST: usize = 24;

impl Model {
    /// The prices per unit; `None` if no parameter changes them, or too many do.
    pub fn price_table(&self) -> Option<PriceTable> {
        let factors = &self.pricing.factors;
        let mut rows = vec![(Vec::new(), u128::from(self.pricing.credits))];
        for factor in factors {
            let choices = choices(self.parameter(&factor.parameter)?, factor);
            let longer = rows.iter().flat_map(|(values, credits)| {
                choices.iter().map(move |(shown, by)| {
                    let mut values: Vec<String> = values.clone();
                    values.push(shown.clone());
                    (values, credits * u128::from(*by))
                })
            });
            rows = longer.collect();
        }
        let labels = factors
            .iter()
            .filter_map(|factor| self.parameter(&factor.parameter));
        let scale = 1_000_f64.powi(i32::try_from(factors.len()).ok()? + 1);
        let table = PriceTable {
            labels: labels.map(|parameter| parameter.label.clone()).collect(),
            rows: rows
                .into_iter()
                .map(|(values, credits)| (values, number(credits as f64 / scale).to_string()))
                .collect(),
        };
        (!factors.is_empty() && table.rows.len() <= MOST).then_some(table)
    }
}

/// Returns the values of a parameter, each with its factor of the price, in thousandths.
fn choices(parameter: &Parameter, factor: &Factor) -> Vec<(String, u64)> {
    let by = |given: &Value| {
        let found = factor.by.iter().find(|(option, _)| value::same(option, given));
        found.map_or(1_000, |(_, by)| *by)
    };
    match (&parameter.options, parameter.kind) {
        (Some(options), _) => options.iter().map(|option| (plain(option), by(option))).collect(),
        (None, ParameterType::Boolean) => [("no", false), ("yes", true)]
            .map(|(shown, given)| (shown.to_owned(), by(&given.into())))
            .into(),
        (None, _) => {
            let named = factor.by.iter().map(|(option, by)| (plain(option), *by));
            named.chain([("others".to_owned(), 1_000)]).collect()
        }
    }
}
