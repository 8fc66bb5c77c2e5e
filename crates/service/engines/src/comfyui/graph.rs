//! Workflows: graphs in ComfyUI's API format in which inputs may be holes for a job's fields. A hole is a template
//! expression, as in the profiles of the http engine, so the file stays JSON. A node is left out if a job has no file
//! for it, or if a node that it links to is left out and no alternative link remains.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::remote::{Node as Expression, Source};

/// A graph, as routes name it.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    pub(super) nodes: BTreeMap<String, Node>,
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub class: String,
    pub inputs: BTreeMap<String, Input>,
}

#[derive(Debug, Clone)]
pub(super) enum Input {
    Value(Expression),
    /// The first of these outputs whose node is present. If none is, an `optional` input is left out.
    Links {
        links: Vec<Link>,
        optional: bool,
    },
}

/// An output of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub node: String,
    pub slot: u64,
}

/// Why a graph cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("workflow `{name}`: {problem}")]
pub struct GraphError {
    pub name: String,
    pub problem: String,
}

/// A graph filled for a job.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Filled {
    Graph(Map<String, Value>),
    /// Without these fields, no node that makes an output is left.
    Lacks(Vec<String>),
}

/// The member that lists alternative links.
const LINK: &str = "link";

impl Graph {
    /// Reads a graph's text. `name` is for errors.
    pub fn parse(name: &str, text: &str) -> Result<Self, GraphError> {
        let read = serde_json::from_str(text)
            .map_err(|error| error.to_string())
            .and_then(|value| Self::default().laid_over(&value, true));
        read.map_err(|problem| GraphError {
            name: name.to_owned(),
            problem,
        })
    }

    /// This graph with a route's changes: other inputs for its nodes, or new nodes.
    pub fn overlaid(&self, over: &Value) -> Result<Self, String> {
        self.clone().laid_over(over, false)
    }

    fn laid_over(mut self, over: &Value, is_whole: bool) -> Result<Self, String> {
        let nodes = over.as_object().ok_or("a graph must be an object of nodes")?;
        if nodes.get("nodes").is_some_and(Value::is_array) {
            return Err(
                "this is the format of ComfyUI's editor; export the workflow in the API format".to_owned(),
            );
        }
        for (id, written) in nodes {
            let written = written
                .as_object()
                .ok_or_else(|| format!("node `{id}` must be an object"))?;
            if let Some(other) = written
                .keys()
                .find(|key| !matches!(key.as_str(), "class_type" | "inputs" | "_meta" | "is_changed"))
            {
                return Err(format!(
                    "node `{id}` has the unknown member `{other}`; a node has `class_type` and `inputs`"
                ));
            }
            let class = written.get("class_type").and_then(Value::as_str);
            let node = match (self.nodes.get_mut(id), class) {
                (Some(node), class) => {
                    if let Some(class) = class {
                        class.clone_into(&mut node.class);
                    }
                    node
                }
                (None, Some(class)) => self.nodes.entry(id.clone()).or_insert(Node {
                    class: class.to_owned(),
                    inputs: BTreeMap::new(),
                }),
                (None, None) if is_whole => return Err(format!("node `{id}` has no `class_type`")),
                (None, None) => {
                    return Err(format!("unknown node `{id}`; a new node requires a `class_type`"));
                }
            };
            let inputs = written.get("inputs").and_then(Value::as_object);
            for (name, value) in inputs.into_iter().flatten() {
                let input = Input::read(value).map_err(|why| format!("`{name}` of node `{id}`: {why}"))?;
                match input {
                    Some(input) => node.inputs.insert(name.clone(), input),
                    None => node.inputs.remove(name),
                };
            }
        }
        self.check()?;
        Ok(self)
    }

    fn check(&self) -> Result<(), String> {
        if self.nodes.is_empty() {
            return Err("a graph must have at least one node".to_owned());
        }
        for (id, node) in &self.nodes {
            for (name, input) in &node.inputs {
                let missing = input.links().find(|link| !self.nodes.contains_key(&link.node));
                if let Some(link) = missing {
                    let target = &link.node;
                    return Err(format!(
                        "`{name}` of node `{id}` is linked to the unknown node `{target}`"
                    ));
                }
            }
        }
        Ok(())
    }

    /// The parameters whose files must be uploaded first.
    pub(super) fn uploaded_fields(&self) -> BTreeSet<&str> {
        let values = self.nodes.values().flat_map(|node| node.inputs.values());
        values.flat_map(Input::uploaded_fields).collect()
    }

    /// Whether the graph uses a field of this name.
    pub(super) fn names(&self, field: &str) -> bool {
        let mut inputs = self.nodes.values().flat_map(|node| node.inputs.values());
        inputs.any(|input| matches!(input, Input::Value(expression) if expression.names(field)))
    }

    /// The nodes' ids and types.
    pub(super) fn classes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.nodes
            .iter()
            .map(|(id, node)| (id.as_str(), node.class.as_str()))
    }

    /// Whether an input of a node is a hole.
    pub(super) fn is_hole(&self, node: &str, input: &str) -> bool {
        let input = self.nodes.get(node).and_then(|node| node.inputs.get(input));
        matches!(input, Some(Input::Value(expression)) if !expression.is_constant())
    }

    /// The graph for a job, in ComfyUI's API format.
    pub(super) fn fill(&self, source: &dyn Source) -> Filled {
        let mut values: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        let mut lacking = BTreeMap::new();
        for (id, node) in &self.nodes {
            let mut filled = Map::new();
            for (name, input) in &node.inputs {
                let Input::Value(expression) = input else { continue };
                match expression.fill(source, &[]) {
                    Some(value) => {
                        filled.insert(name.clone(), sendable(value));
                    }
                    // A node that loads a file is useless without it; other inputs have defaults.
                    None => {
                        lacking.extend(input.uploaded_fields().first().map(|field| (id.as_str(), *field)));
                    }
                }
            }
            values.insert(id, filled);
        }
        let present = self.without(lacking.keys().copied());
        let ends = |id: &str| !self.nodes.values().any(|node| node.links_to(id));
        if !present.iter().copied().any(ends) {
            let fields: BTreeSet<_> = lacking.into_values().map(str::to_owned).collect();
            return Filled::Lacks(fields.into_iter().collect());
        }
        // Backwards from the outputs, which leaves out alternatives that are not needed.
        let mut wanted: Vec<&str> = present.iter().copied().filter(|id| ends(id)).collect();
        let mut graph = Map::new();
        while let Some(id) = wanted.pop() {
            let Some((node, mut inputs)) = self.nodes.get(id).zip(values.remove(id)) else {
                continue;
            };
            for (name, input) in &node.inputs {
                let link = input.links().find(|link| present.contains(link.node.as_str()));
                wanted.extend(link.map(|link| link.node.as_str()));
                inputs.extend(link.map(|link| (name.clone(), json!([link.node, link.slot]))));
            }
            graph.insert(id.to_owned(), json!({"class_type": node.class, "inputs": inputs}));
        }
        Filled::Graph(graph)
    }

    /// The nodes that remain without these and without the nodes that depend on them.
    fn without<'a>(&'a self, out: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
        let mut present: BTreeSet<&str> = self.nodes.keys().map(String::as_str).collect();
        for id in out {
            present.remove(id);
        }
        loop {
            let is_broken = |node: &Node| {
                node.inputs.values().any(|input| match input {
                    Input::Links { links, optional } => {
                        !optional && !links.iter().any(|link| present.contains(link.node.as_str()))
                    }
                    Input::Value(_) => false,
                })
            };
            let next = self
                .nodes
                .iter()
                .find(|(id, node)| present.contains(id.as_str()) && is_broken(node));
            match next {
                Some((id, _)) => present.remove(id.as_str()),
                None => return present,
            };
        }
    }
}

impl Node {
    fn links_to(&self, id: &str) -> bool {
        self.inputs
            .values()
            .any(|input| input.links().any(|link| link.node == id))
    }
}

impl Input {
    /// `None` for `{"drop": true}`, which removes an input.
    fn read(value: &Value) -> Result<Option<Self>, String> {
        if let Some(link) = Link::read(value) {
            return Ok(Some(Self::Links {
                links: vec![link],
                optional: false,
            }));
        }
        if let Some(object) = value.as_object().filter(|object| object.contains_key(LINK)) {
            let is_valid = object
                .iter()
                .all(|(key, value)| key == LINK || key == "optional" && value.is_boolean());
            let links: Option<Vec<_>> = object[LINK]
                .as_array()
                .map(|links| links.iter().map(Link::read).collect())
                .unwrap_or_default();
            return match links {
                Some(links) if is_valid && !links.is_empty() => Ok(Some(Self::Links {
                    links,
                    optional: object.get("optional") == Some(&Value::Bool(true)),
                })),
                _ => Err(
                    "`link` must be a list of links, each `[node, output]`, with an optional `optional` beside it"
                        .to_owned(),
                ),
            };
        }
        if value == &json!({"drop": true}) {
            return Ok(None);
        }
        Expression::read(value.clone()).map(|expression| Some(Self::Value(expression)))
    }

    pub(super) fn links(&self) -> impl Iterator<Item = &Link> {
        match self {
            Self::Value(_) => [].iter(),
            Self::Links { links, .. } => links.iter(),
        }
    }

    fn uploaded_fields(&self) -> Vec<&str> {
        match self {
            Self::Value(expression) => expression.uploaded_fields(),
            Self::Links { .. } => Vec::new(),
        }
    }
}

impl Link {
    fn read(value: &Value) -> Option<Self> {
        match value.as_array()?.as_slice() {
            [Value::String(node), slot] => Some(Self {
                node: node.clone(),
                slot: slot.as_u64()?,
            }),
            _ => None,
        }
    }
}

/// ComfyUI takes a list for a link unless it is wrapped. No field of a job may become a link.
fn sendable(value: Value) -> Value {
    match value {
        Value::Array(_) => json!({"__value__": value}),
        value => value,
    }
}

#[cfg(test)]
mod tests;
