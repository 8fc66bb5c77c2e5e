//! The API reference, from the OpenAPI document of this service.

use std::fmt::Write as _;

use serde_json::{Map, Value};

#[derive(Debug, Default)]
pub(crate) struct Reference {
    pub description: String,
    pub groups: Vec<Group>,
    /// The objects that operations refer to.
    pub schemas: Vec<Schema>,
}

/// The operations of one tag.
#[derive(Debug)]
pub(crate) struct Group {
    pub name: String,
    pub description: String,
    pub operations: Vec<Operation>,
}

#[derive(Debug)]
pub(crate) struct Operation {
    /// The anchor, such as `post-generations`.
    pub id: String,
    pub method: String,
    pub path: String,
    pub summary: String,
    pub parameters: Vec<Field>,
    /// The members of a JSON body.
    pub fields: Vec<Field>,
    pub takes_file: bool,
    pub example: Option<String>,
    /// An answer, if the document has an example of one.
    pub example_answer: Option<String>,
    pub answers: Vec<Answer>,
}

impl Operation {
    /// Whether the operation only reads, so that trying it changes nothing.
    pub(crate) fn reads(&self) -> bool {
        self.method == "GET"
    }

    /// The page can neither send files nor show an event stream.
    pub(crate) fn can_be_tried(&self) -> bool {
        !self.takes_file && !self.path.ends_with("/events")
    }
}

/// A parameter of the request, or a member of a body.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub name: String,
    /// `path`, `query` or `header`; empty for members of a body.
    pub place: String,
    pub kind: String,
    /// The schema in `kind`, if it is one of [`Reference::schemas`].
    pub schema: Option<String>,
    pub required: bool,
    pub description: String,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub status: String,
    pub body: String,
    pub schema: Option<String>,
    pub description: String,
}

#[derive(Debug)]
pub(crate) struct Schema {
    pub name: String,
    pub description: String,
    pub fields: Vec<Field>,
}

impl Reference {
    pub(crate) fn new(document: &Value) -> Self {
        let empty = Map::new();
        let tags = document["tags"].as_array().cloned().unwrap_or_default();
        let mut groups: Vec<Group> = tags
            .iter()
            .map(|tag| Group {
                name: text(&tag["name"]),
                description: text(&tag["description"]),
                operations: Vec::new(),
            })
            .collect();
        for (path, methods) in document["paths"].as_object().unwrap_or(&empty) {
            for (method, operation) in methods.as_object().unwrap_or(&empty) {
                let tag = text(&operation["tags"][0]);
                if let Some(group) = groups.iter_mut().find(|group| group.name == tag) {
                    group
                        .operations
                        .push(read_operation(document, path, method, operation));
                }
            }
        }
        for group in &mut groups {
            let order = |operation: &Operation| (operation.path.len(), operation.method == "GET");
            group.operations.sort_by_key(order);
        }
        groups.retain(|group| !group.operations.is_empty());
        Self {
            description: text(&document["info"]["description"]),
            groups,
            schemas: schemas(document),
        }
    }

    /// The reference as Markdown.
    pub(crate) fn markdown(&self, base_url: &str) -> String {
        let mut text = format!(
            "# API reference\n\n{}\n\nEvery path is relative to `{base_url}`. Send `Authorization: Bearer <API key>` \
             with every request.\n",
            self.description
        );
        for group in &self.groups {
            let _ = write!(text, "\n## {}\n\n{}\n", group.name, group.description);
            for operation in &group.operations {
                let _ = write!(
                    text,
                    "\n### {} {}\n\n{}\n",
                    operation.method, operation.path, operation.summary
                );
                fields_markdown(&mut text, "Parameters", &operation.parameters);
                fields_markdown(&mut text, "Body", &operation.fields);
                text.push_str("\nAnswers:\n\n");
                for answer in &operation.answers {
                    let _ = writeln!(text, "- {} {} {}", answer.status, answer.body, answer.description);
                }
                if let Some(example) = &operation.example_answer {
                    let _ = write!(text, "\nAn answer:\n\n```json\n{example}\n```\n");
                }
            }
        }
        text.push_str("\n## Objects\n");
        for schema in &self.schemas {
            let _ = write!(text, "\n### {}\n\n{}\n", schema.name, schema.description);
            fields_markdown(&mut text, "Members", &schema.fields);
        }
        text
    }
}

fn fields_markdown(text: &mut String, title: &str, fields: &[Field]) {
    if fields.is_empty() {
        return;
    }
    let _ = write!(text, "\n{title}:\n\n");
    for field in fields {
        let required = if field.required { ", required" } else { "" };
        let place = if field.place.is_empty() {
            String::new()
        } else {
            format!(" in {}", field.place)
        };
        let _ = writeln!(
            text,
            "- `{}`{place} ({}{required}) {}",
            field.name, field.kind, field.description
        );
    }
}

fn read_operation(document: &Value, path: &str, method: &str, operation: &Value) -> Operation {
    let content = &operation["requestBody"]["content"];
    let json = &content["application/json"]["schema"];
    let takes_json = json.is_object();
    let fields = if takes_json {
        body_fields(document, json)
    } else {
        Vec::new()
    };
    let method = method.to_uppercase();
    let anchor: Vec<&str> = path
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .collect();
    let given = &content["application/json"]["example"];
    let example = takes_json.then(|| given_or(given, || example(&fields)));
    Operation {
        id: format!("{}-{}", method.to_lowercase(), anchor.join("-")),
        path: path.to_owned(),
        summary: [text(&operation["summary"]), text(&operation["description"])]
            .join(" ")
            .trim()
            .to_owned(),
        parameters: operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|parameter| Field {
                place: text(&parameter["in"]),
                required: parameter["required"] == true,
                description: text(&parameter["description"]),
                ..field(document, &text(&parameter["name"]), &parameter["schema"])
            })
            .collect(),
        fields,
        takes_file: content["multipart/form-data"].is_object(),
        example,
        example_answer: example_answer(operation),
        answers: operation["responses"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(status, answer)| read_answer(document, status, answer))
            .collect(),
        method,
    }
}

fn read_answer(document: &Value, status: &str, answer: &Value) -> Answer {
    let content = answer["content"].as_object();
    let (body, schema) = match content.and_then(|content| content.iter().next()) {
        Some((media_type, content)) if media_type == "application/json" => {
            let field = field(document, "", &content["schema"]);
            (field.kind, field.schema)
        }
        Some((media_type, _)) => (media_type.clone(), None),
        None => (String::new(), None),
    };
    Answer {
        status: status.to_owned(),
        body,
        schema,
        description: text(&answer["description"]),
    }
}

/// The members of a body. Requests for a generation have a form for each model. The last form, which covers all
/// models, is shown; the fields of each model are in the catalog.
fn body_fields(document: &Value, schema: &Value) -> Vec<Field> {
    let schema = resolve(document, schema);
    let general = schema["anyOf"].as_array().and_then(|forms| forms.last());
    members(document, general.map_or(schema, |form| resolve(document, form)))
}

fn members(document: &Value, schema: &Value) -> Vec<Field> {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut fields: Vec<Field> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, schema)| Field {
            required: required.contains(&name.as_str()),
            ..field(document, name, schema)
        })
        .collect();
    fields.sort_by_key(|field| !field.required);
    fields
}

fn field(document: &Value, name: &str, schema: &Value) -> Field {
    let (kind, named) = kind(document, schema);
    let described = schema["oneOf"]
        .as_array()
        .into_iter()
        .flatten()
        .chain([schema])
        .map(|schema| text(&schema["description"]))
        .find(|description| !description.is_empty());
    Field {
        name: name.to_owned(),
        place: String::new(),
        kind,
        schema: named,
        required: false,
        description: described.unwrap_or_default(),
    }
}

/// The type of a schema in words, and the name of the schema that it refers to.
fn kind(document: &Value, schema: &Value) -> (String, Option<String>) {
    if let Some(name) = schema["$ref"].as_str().map(last_segment) {
        // Envelopes are shown as their contents.
        let inner = &resolve(document, schema)["properties"]["data"];
        if inner.is_object() && (name.starts_with("Data_") || name.starts_with("List_")) {
            let (inner, named) = kind(document, inner);
            return (format!("{{data: {inner}}}"), named);
        }
        return (name.to_owned(), Some(name.to_owned()));
    }
    let either = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    if let Some(form) = either.and_then(|forms| forms.iter().find(|form| form["type"] != "null")) {
        return kind(document, form);
    }
    let names: Vec<&str> = match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names
            .iter()
            .filter_map(Value::as_str)
            .filter(|name| *name != "null")
            .collect(),
        _ => Vec::new(),
    };
    if names.contains(&"array") {
        let (inner, named) = kind(document, &schema["items"]);
        return (format!("list of {inner}"), named);
    }
    let name = if names.is_empty() {
        "any".to_owned()
    } else {
        names.join(" or ")
    };
    (name, None)
}

/// The objects, ordered by name, without envelopes, requests and the parameters of models.
fn schemas(document: &Value) -> Vec<Schema> {
    let skipped = |name: &str| {
        ["Data_", "List_", "Params.", "Request."]
            .iter()
            .any(|prefix| name.starts_with(prefix))
            || name.ends_with("Request")
    };
    document["components"]["schemas"]
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| !skipped(name))
        .map(|(name, schema)| Schema {
            name: name.clone(),
            description: text(&schema["description"]),
            fields: members(document, schema),
        })
        .collect()
}

fn given_or(example: &Value, other: impl FnOnce() -> Value) -> String {
    let example = if example.is_null() { &other() } else { example };
    serde_json::to_string_pretty(example).unwrap_or_default()
}

fn example_answer(operation: &Value) -> Option<String> {
    let answers = operation["responses"].as_object()?.values();
    let mut examples = answers.map(|answer| &answer["content"]["application/json"]["example"]);
    let example = examples.find(|example| !example.is_null())?;
    serde_json::to_string_pretty(example).ok()
}

/// A body to start from, with the required fields.
fn example(fields: &[Field]) -> Value {
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    if names.contains(&"model") {
        serde_json::json!({ "model": "image-gen-4", "prompt": "a lighthouse on a cliff at dusk, watercolor" })
    } else {
        let required = fields.iter().filter(|field| field.required);
        Value::Object(
            required
                .map(|field| (field.name.clone(), Value::from("")))
                .collect(),
        )
    }
}

fn resolve<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let Some(reference) = schema["$ref"].as_str() else {
        return schema;
    };
    let pointer = reference.trim_start_matches('#');
    document.pointer(pointer).unwrap_or(schema)
}

fn last_segment(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or(reference)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Reference;

    #[test]
    fn operations_have_the_examples_of_the_document() {
        let json =
            |example: serde_json::Value| json!({ "application/json": { "example": example, "schema": {} } });
        let document = json!({
            "tags": [{ "name": "Catalog" }],
            "paths": { "/things": { "post": {
                "tags": ["Catalog"],
                "requestBody": { "content": json(json!({ "name": "boat" })) },
                "responses": { "200": { "content": json(json!({ "id": 7 })) }, "4XX": {} },
            } } },
        });
        let reference = Reference::new(&document);
        let operation = &reference.groups[0].operations[0];
        assert_eq!(operation.example.as_deref(), Some("{\n  \"name\": \"boat\"\n}"));
        assert_eq!(operation.example_answer.as_deref(), Some("{\n  \"id\": 7\n}"));
        assert!(
            reference
                .markdown("/dev/v1")
                .contains("An answer:\n\n```json\n{\n  \"id\": 7\n}\n```\n")
        );
    }
}
