//! JSON Schema 2020-12 of the `params` that a model accepts, with the rules across fields that a schema can
//! express.

use serde_json::{Map, Value, json};

use crate::{
    language,
    model::Model,
    parameter::{Format, Parameter, ParameterType, number},
    rule::{Condition, Rule},
    value::{self, MAX_URL_LENGTH},
};

/// An absolute web URL as the parameter reader accepts it, except for hosts that only a URL parser refuses.
const URL_PATTERN: &str = r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#\\][^\s\\]*$";
const COLOR_PATTERN: &str = "^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$";

pub(crate) fn of(model: &Model) -> Value {
    let parameters = &model.parameters;
    let properties: Map<String, Value> = parameters
        .iter()
        .map(|parameter| (parameter.name.clone(), property(parameter)))
        .collect();
    let required: Vec<&str> = parameters
        .iter()
        .filter(|parameter| parameter.required && parameter.default.is_none())
        .map(|parameter| parameter.name.as_str())
        .collect();
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": model.name,
        "description": format!("The params of {}.", model.slug),
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    let mut all = Vec::new();
    for parameter in parameters
        .iter()
        .filter(|parameter| !parameter.required_conditions.is_empty())
    {
        all.push(json!({ "if": holds(parameters, &parameter.required_conditions), "then": set(parameter) }));
    }
    all.extend(model.rules.iter().flat_map(|rule| clauses(parameters, rule)));
    if !all.is_empty() {
        schema["allOf"] = Value::Array(all);
    }
    schema
}

/// The schema of one parameter. Null counts as absent, so only a parameter that must be given refuses it.
fn property(parameter: &Parameter) -> Value {
    let must = parameter.required && parameter.default.is_none();
    let mut schema = Map::new();
    schema.insert("title".to_owned(), json!(parameter.label));
    if let Some(description) = &parameter.description {
        schema.insert("description".to_owned(), json!(description));
    }
    let typed = if must {
        json!(type_name(parameter))
    } else {
        json!([type_name(parameter), "null"])
    };
    match parameter.kind {
        ParameterType::Select => {
            let mut options = parameter.options.clone().unwrap_or_default();
            if !must {
                options.push(Value::Null);
            }
            schema.insert("enum".to_owned(), Value::Array(options));
        }
        _ => {
            schema.insert("type".to_owned(), typed);
        }
    }
    match parameter.kind {
        ParameterType::Number => {
            if let Some(min) = parameter.min {
                schema.insert("minimum".to_owned(), json!(number(min)));
            }
            if let Some(max) = parameter.max {
                schema.insert("maximum".to_owned(), json!(number(max)));
            }
        }
        ParameterType::Text | ParameterType::Textarea => text(parameter, must, &mut schema),
        ParameterType::MultiSelect => {
            let items = match &parameter.options {
                Some(options) => json!({ "enum": options }),
                None => url(),
            };
            schema.insert("items".to_owned(), items);
            let min_items = parameter.min_items.unwrap_or(0).max(usize::from(must));
            if min_items > 0 {
                schema.insert("minItems".to_owned(), json!(min_items));
            }
            if let Some(max_items) = parameter.max_items {
                schema.insert("maxItems".to_owned(), json!(max_items));
            }
        }
        ParameterType::Url => {
            if let Value::Object(url) = url() {
                schema.extend(url.into_iter().filter(|(key, _)| key != "type"));
            }
        }
        ParameterType::Select | ParameterType::Boolean => {}
    }
    if let Some(default) = &parameter.default {
        schema.insert("default".to_owned(), default.clone());
    }
    Value::Object(schema)
}

/// An empty text counts as absent if the text is optional, whatever its bounds and format.
fn text(parameter: &Parameter, must: bool, schema: &mut Map<String, Value>) {
    let pattern = match parameter.format {
        Some(Format::Language) => Some(match &parameter.options {
            Some(options) => language::pattern(options.iter().filter_map(Value::as_str)),
            None => language::pattern(language::CODES),
        }),
        Some(Format::Color) => Some(COLOR_PATTERN.to_owned()),
        None => None,
    };
    let min_length = parameter.min_length.unwrap_or(1);
    if must {
        schema.insert("minLength".to_owned(), json!(min_length));
        schema.extend(pattern.map(|pattern| ("pattern".to_owned(), json!(pattern))));
    } else if min_length > 1 || pattern.is_some() {
        let mut given = Map::from_iter([("minLength".to_owned(), json!(min_length))]);
        given.extend(pattern.map(|pattern| ("pattern".to_owned(), json!(pattern))));
        schema.insert(
            "anyOf".to_owned(),
            json!([{ "const": "" }, given, { "type": "null" }]),
        );
    }
    if let Some(max_length) = parameter.max_length {
        schema.insert("maxLength".to_owned(), json!(max_length));
    }
}

fn url() -> Value {
    json!({ "type": "string", "format": "uri", "maxLength": MAX_URL_LENGTH, "pattern": URL_PATTERN })
}

fn type_name(parameter: &Parameter) -> &'static str {
    match parameter.kind {
        ParameterType::Number if parameter.integer => "integer",
        ParameterType::Number => "number",
        ParameterType::Boolean => "boolean",
        ParameterType::MultiSelect => "array",
        ParameterType::Select | ParameterType::Text | ParameterType::Textarea | ParameterType::Url => {
            "string"
        }
    }
}

/// The parameter is given: present, not null and not empty. A parameter with a default is always given.
fn set(parameter: &Parameter) -> Value {
    if parameter.default.is_some() {
        return json!(true);
    }
    let name = &parameter.name;
    let given = match parameter.kind {
        ParameterType::Text | ParameterType::Textarea => json!({ "type": "string", "minLength": 1 }),
        ParameterType::MultiSelect => json!({ "type": "array", "minItems": 1 }),
        _ => json!({ "not": { "type": "null" } }),
    };
    json!({ "required": [name], "properties": { name: given } })
}

fn any_set(parameters: &[Parameter], of: &[usize]) -> Value {
    any(of.iter().map(|&index| set(&parameters[index])).collect())
}

/// The parameter has this value, possibly by default.
fn equals(parameter: &Parameter, wanted: &Value) -> Value {
    let name = &parameter.name;
    if parameter
        .default
        .as_ref()
        .is_some_and(|default| value::same(default, wanted))
    {
        return json!({ "properties": { name: { "enum": [wanted, null] } } });
    }
    json!({ "required": [name], "properties": { name: { "const": wanted } } })
}

fn holds(parameters: &[Parameter], when: &[Condition]) -> Value {
    let each = when.iter().map(|condition| match condition {
        Condition::Equals(index, wanted) => equals(&parameters[*index], wanted),
        Condition::Set(index, true) => set(&parameters[*index]),
        Condition::Set(index, false) => json!({ "not": set(&parameters[*index]) }),
    });
    every(each.collect())
}

fn clauses(parameters: &[Parameter], rule: &Rule) -> Vec<Value> {
    match rule {
        Rule::AtLeastOne(of) => vec![any_set(parameters, of)],
        Rule::Exclusive(groups) => {
            let used: Vec<_> = groups.iter().map(|group| any_set(parameters, group)).collect();
            let pairs = used.iter().enumerate().flat_map(|(index, one)| {
                used[index + 1..]
                    .iter()
                    .map(move |other| json!({ "not": { "allOf": [one, other] } }))
            });
            pairs.collect()
        }
        Rule::CountSum { counts, plus, max } => count_sum(parameters, counts, plus, *max),
        Rule::OnlyWith {
            parameter,
            value,
            any_of,
            when,
        } => {
            let parameter = &parameters[*parameter];
            let asked = value
                .as_ref()
                .map_or_else(|| set(parameter), |value| equals(parameter, value));
            let mut needed = Vec::new();
            if !any_of.is_empty() {
                needed.push(any_set(parameters, any_of));
            }
            if !when.is_empty() {
                needed.push(holds(parameters, when));
            }
            vec![json!({ "if": asked, "then": every(needed) })]
        }
        Rule::MaxLength {
            parameter,
            max,
            when,
            han: false,
        } => {
            let name = &parameters[*parameter].name;
            vec![json!({
                "if": holds(parameters, when),
                "then": { "properties": { name: { "maxLength": max } } }
            })]
        }
        // A schema cannot recognise scripts, compare two values or read a file.
        Rule::MaxLength { .. }
        | Rule::GreaterThan { .. }
        | Rule::WithinDuration { .. }
        | Rule::Ignored { .. }
        | Rule::Note(_) => Vec::new(),
    }
}

/// Forbids every minimal combination of counts that exceeds the sum. Numbers that are not integers, and lists
/// or numbers without a maximum, have no finite list of combinations and are left out.
fn count_sum(parameters: &[Parameter], counts: &[usize], plus: &[usize], max: u64) -> Vec<Value> {
    const MOST_CLAUSES: usize = 64;
    let mut terms = Vec::new();
    for &index in counts {
        let Some(most) = parameters[index].max_items else {
            return Vec::new();
        };
        terms.push((&parameters[index], most as u64));
    }
    for &index in plus {
        let parameter = &parameters[index];
        let (Some(most), true) = (parameter.max, parameter.integer) else {
            return Vec::new();
        };
        terms.push((parameter, most.max(0.0) as u64));
    }
    let mut combinations = Vec::new();
    combine(&terms, max + 1, &mut Vec::new(), &mut combinations, MOST_CLAUSES);
    if combinations.len() > MOST_CLAUSES {
        return Vec::new();
    }
    combinations
        .iter()
        .map(|amounts| {
            let each: Vec<_> = terms
                .iter()
                .zip(amounts)
                .filter(|(_, amount)| **amount > 0)
                .map(|((parameter, _), &amount)| at_least(parameter, amount))
                .collect();
            json!({ "not": every(each) })
        })
        .collect()
}

/// Finds all ways to distribute `left` over the terms, each up to its maximum; stops after `most` of them.
fn combine(
    terms: &[(&Parameter, u64)],
    left: u64,
    so_far: &mut Vec<u64>,
    found: &mut Vec<Vec<u64>>,
    most: usize,
) {
    let Some(((_, largest), rest)) = terms.split_first() else {
        if left == 0 {
            found.push(so_far.clone());
        }
        return;
    };
    for amount in 0..=left.min(*largest) {
        if found.len() > most {
            return;
        }
        so_far.push(amount);
        combine(rest, left - amount, so_far, found, most);
        so_far.pop();
    }
}

fn at_least(parameter: &Parameter, amount: u64) -> Value {
    let name = &parameter.name;
    if parameter.kind == ParameterType::MultiSelect {
        return json!({ "required": [name], "properties": { name: { "type": "array", "minItems": amount } } });
    }
    let default = parameter.default.as_ref().and_then(Value::as_u64);
    if default.is_some_and(|default| default >= amount) {
        return json!({ "properties": { name: { "minimum": amount } } });
    }
    json!({ "required": [name], "properties": { name: { "type": "number", "minimum": amount } } })
}

fn any(mut schemas: Vec<Value>) -> Value {
    if schemas.len() == 1 {
        schemas.remove(0)
    } else {
        json!({ "anyOf": schemas })
    }
}

fn every(mut schemas: Vec<Value>) -> Value {
    if schemas.len() == 1 {
        schemas.remove(0)
    } else {
        json!({ "allOf": schemas })
    }
}
