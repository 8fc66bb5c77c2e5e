//! A workflow: a graph in ComfyUI's API form in which inputs may be holes for a job's fields. A hole is a template expression, as in
//! the profiles of the http engine, so the file stays JSON. What a job does not fill takes its nodes with it: a node whose file or
//! link is not there is left out, unless the link is one of several that may stand in for each other.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::http::template::{Node as Expression, Source};

/// A graph that a route names.
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
    /// The first of these outputs whose node is there. `or_nothing`: without one, the node goes without this input.
    Links {
        links: Vec<Link>,
        or_nothing: bool,
    },
}

/// One output of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub node: String,
    pub slot: u64,
}

/// Why a graph cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the workflow `{name}`: {problem}")]
pub struct GraphError {
    pub name: String,
    pub problem: String,
}

/// What a job makes of a graph.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Filled {
    Graph(Map<String, Value>),
    /// Nothing that makes an output is left, for want of these fields.
    Lacks(Vec<String>),
}

/// A member that names links which may stand in for each other.
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

    /// This graph with what a route says in its place: inputs of its nodes, or nodes of its own.
    pub fn overlaid(&self, over: &Value) -> Result<Self, String> {
        self.clone().laid_over(over, false)
    }

    fn laid_over(mut self, over: &Value, is_whole: bool) -> Result<Self, String> {
        let nodes = over.as_object().ok_or("a graph is an object of nodes")?;
        if nodes.get("nodes").is_some_and(Value::is_array) {
            return Err(
                "it is in the form that ComfyUI's editor saves; export it in the API form".to_owned(),
            );
        }
        for (id, written) in nodes {
            let written = written
                .as_object()
                .ok_or_else(|| format!("the node `{id}` is no object"))?;
            if let Some(other) = written
                .keys()
                .find(|key| !matches!(key.as_str(), "class_type" | "inputs" | "_meta" | "is_changed"))
            {
                return Err(format!(
                    "the node `{id}` has `{other}`; a node has `class_type` and `inputs`"
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
                (None, None) if is_whole => return Err(format!("the node `{id}` has no `class_type`")),
                (None, None) => {
                    return Err(format!("there is no node `{id}`; a new one needs a `class_type`"));
                }
            };
            let inputs = written.get("inputs").and_then(Value::as_object);
            for (name, value) in inputs.into_iter().flatten() {
                let input =
                    Input::read(value).map_err(|why| format!("`{name}` of the node `{id}`: {why}"))?;
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
            return Err("it has no nodes".to_owned());
        }
        for (id, node) in &self.nodes {
            for (name, input) in &node.inputs {
                let missing = input.links().find(|link| !self.nodes.contains_key(&link.node));
                if let Some(link) = missing {
                    let target = &link.node;
                    return Err(format!(
                        "`{name}` of the node `{id}` is linked to `{target}`, which there is not"
                    ));
                }
            }
        }
        Ok(())
    }

    /// The parameters whose files have to be uploaded first.
    pub(super) fn uploaded_fields(&self) -> BTreeSet<&str> {
        let values = self.nodes.values().flat_map(|node| node.inputs.values());
        values.flat_map(Input::uploaded_fields).collect()
    }

    /// Whether a field of this name has a place in it.
    pub(super) fn names(&self, field: &str) -> bool {
        let mut inputs = self.nodes.values().flat_map(|node| node.inputs.values());
        inputs.any(|input| matches!(input, Input::Value(expression) if expression.names(field)))
    }

    /// The nodes with their types.
    pub(super) fn classes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.nodes
            .iter()
            .map(|(id, node)| (id.as_str(), node.class.as_str()))
    }

    /// Whether the input of a node is a hole that a field fills.
    pub(super) fn is_hole(&self, node: &str, input: &str) -> bool {
        let input = self.nodes.get(node).and_then(|node| node.inputs.get(input));
        matches!(input, Some(Input::Value(expression)) if !expression.is_constant())
    }

    /// The graph for a job, in the form that ComfyUI takes.
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
                    // A node that loads a file makes no sense without one; others have values of their own.
                    None => {
                        lacking.extend(input.uploaded_fields().first().map(|field| (id.as_str(), *field)));
                    }
                }
            }
            values.insert(id, filled);
        }
        let there = self.without(lacking.keys().copied());
        let ends = |id: &str| !self.nodes.values().any(|node| node.links_to(id));
        if !there.iter().copied().any(ends) {
            let fields: BTreeSet<_> = lacking.into_values().map(str::to_owned).collect();
            return Filled::Lacks(fields.into_iter().collect());
        }
        // From the ends backwards: what stands in for something that is there is not needed.
        let mut wanted: Vec<&str> = there.iter().copied().filter(|id| ends(id)).collect();
        let mut graph = Map::new();
        while let Some(id) = wanted.pop() {
            let Some((node, mut inputs)) = self.nodes.get(id).zip(values.remove(id)) else {
                continue;
            };
            for (name, input) in &node.inputs {
                let link = input.links().find(|link| there.contains(link.node.as_str()));
                wanted.extend(link.map(|link| link.node.as_str()));
                inputs.extend(link.map(|link| (name.clone(), json!([link.node, link.slot]))));
            }
            graph.insert(id.to_owned(), json!({"class_type": node.class, "inputs": inputs}));
        }
        Filled::Graph(graph)
    }

    /// The nodes that are left when these are taken out, and what cannot be without them.
    fn without<'a>(&'a self, out: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
        let mut there: BTreeSet<&str> = self.nodes.keys().map(String::as_str).collect();
        for id in out {
            there.remove(id);
        }
        loop {
            let cannot_be = |node: &Node| {
                node.inputs.values().any(|input| match input {
                    Input::Links { links, or_nothing } => {
                        !or_nothing && !links.iter().any(|link| there.contains(link.node.as_str()))
                    }
                    Input::Value(_) => false,
                })
            };
            let next = self
                .nodes
                .iter()
                .find(|(id, node)| there.contains(id.as_str()) && cannot_be(node));
            match next {
                Some((id, _)) => there.remove(id.as_str()),
                None => return there,
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
    /// `None`: `{"drop": true}` takes an input away.
    fn read(value: &Value) -> Result<Option<Self>, String> {
        if let Some(link) = Link::read(value) {
            return Ok(Some(Self::Links {
                links: vec![link],
                or_nothing: false,
            }));
        }
        if let Some(object) = value.as_object().filter(|object| object.contains_key(LINK)) {
            let asked = object
                .iter()
                .all(|(key, value)| key == LINK || key == "optional" && value.is_boolean());
            let links: Option<Vec<_>> = object[LINK]
                .as_array()
                .map(|links| links.iter().map(Link::read).collect())
                .unwrap_or_default();
            return match links {
                Some(links) if asked && !links.is_empty() => Ok(Some(Self::Links {
                    links,
                    or_nothing: object.get("optional") == Some(&Value::Bool(true)),
                })),
                _ => Err(
                    "`link` is a list of links, each `[node, output]`, and may have `optional` beside it"
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

/// A list stands for a link in ComfyUI, unless it is wrapped: no field of a job may become a link.
fn sendable(value: Value) -> Value {
    match value {
        Value::Array(_) => json!({"__value__": value}),
        value => value,
    }
}

#[cfg(test)]
mod tests;
