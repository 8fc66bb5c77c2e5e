//! How holes and links are filled in.

use super::*;
use crate::remote::As;

struct Params(Value);

impl Source for Params {
    fn field(&self, name: &str) -> Option<Value> {
        self.0.get(name).cloned()
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn file(&self, name: &str, index: usize, _form: As) -> Option<Value> {
        let files = self.0.get(name)?.as_array()?;
        files.get(index).map(|_| format!("{name}-{index}.png").into())
    }
}

/// An edit of one or two pictures, which starts from noise if there is none.
const GRAPH: &str = r#"{
        "model": {"class_type": "Loader", "inputs": {"name": "m.safetensors"}, "_meta": {"title": "Model"}},
        "first": {"class_type": "LoadImage", "inputs": {"image": {"from": "image_urls", "at": 0, "as": "upload"}}},
        "scaled": {"class_type": "Scale", "inputs": {"image": ["first", 0], "size": 1}},
        "second": {"class_type": "LoadImage", "inputs": {"image": {"from": "image_urls", "at": 1, "as": "upload"}}},
        "noise": {"class_type": "Empty", "inputs": {"width": {"from": "$width", "step": 16}}},
        "words": {"class_type": "Encode", "inputs": {
            "text": {"from": "prompt", "default": ""}, "format": "plain", "clip": ["model", 1],
            "also": {"link": [["second", 0]], "optional": true}
        }},
        "sampler": {"class_type": "Sampler", "inputs": {
            "latent": {"link": [["scaled", 0], ["noise", 0]]}, "words": ["words", 0], "steps": {"from": "steps"}
        }},
        "save": {"class_type": "Save", "inputs": {"images": ["sampler", 0]}}
    }"#;

fn filled(params: Value) -> Map<String, Value> {
    match Graph::parse("g", GRAPH).unwrap().fill(&Params(params)) {
        Filled::Graph(graph) => graph,
        Filled::Lacks(fields) => panic!("fields are missing: {fields:?}"),
    }
}

#[test]
fn holes_are_filled_and_missing_fields_are_left_out() {
    let graph = filled(json!({"prompt": "a boat", "$width": 1000, "image_urls": ["u"]}));
    assert_eq!(
        graph["words"],
        json!({"class_type": "Encode", "inputs": {"text": "a boat", "format": "plain", "clip": ["model", 1]}})
    );
    assert_eq!(
        graph["sampler"]["inputs"],
        json!({"latent": ["scaled", 0], "words": ["words", 0]})
    );
    assert_eq!(graph["first"]["inputs"]["image"], "image_urls-0.png");
    assert!(!graph.contains_key("second") && !graph.contains_key("noise"));
}

#[test]
fn a_node_without_its_file_is_left_out_and_an_alternative_link_is_used() {
    let graph = filled(json!({"steps": 4, "$width": 1000}));
    assert_eq!(graph["noise"]["inputs"]["width"], 1008);
    assert!(!graph.contains_key("first") && !graph.contains_key("scaled"));
    assert_eq!(
        graph["sampler"]["inputs"],
        json!({"latent": ["noise", 0], "words": ["words", 0], "steps": 4})
    );
    let graph = filled(json!({"image_urls": ["u", "v"]}));
    assert_eq!(graph["words"]["inputs"]["also"], json!(["second", 0]));
}

#[test]
fn a_graph_without_a_required_file_names_the_missing_field() {
    let graph = r#"{
            "load": {"class_type": "LoadImage", "inputs": {"image": {"from": "mask_url", "as": "upload"}}},
            "save": {"class_type": "Save", "inputs": {"images": ["load", 0]}}
        }"#;
    let graph = Graph::parse("g", graph).unwrap();
    assert_eq!(
        graph.fill(&Params(json!({}))),
        Filled::Lacks(vec!["mask_url".to_owned()])
    );
}

#[test]
fn no_field_can_become_a_link() {
    let graph = r#"{"a": {"class_type": "A", "inputs": {"tags": {"from": "tags"}}}}"#;
    let filled = Graph::parse("g", graph)
        .unwrap()
        .fill(&Params(json!({"tags": ["a", 0]})));
    let Filled::Graph(filled) = filled else { panic!() };
    assert_eq!(filled["a"]["inputs"]["tags"], json!({"__value__": ["a", 0]}));
}

#[test]
fn a_route_changes_inputs_and_adds_nodes() {
    let graph = Graph::parse("g", GRAPH).unwrap();
    let over = json!({
        "model": {"inputs": {"name": "mine.safetensors"}},
        "noise": {"inputs": {"width": {"drop": true}, "height": 64}},
        "lora": {"class_type": "Lora", "inputs": {"model": ["model", 0]}},
    });
    let Filled::Graph(filled) = graph.overlaid(&over).unwrap().fill(&Params(json!({}))) else {
        panic!()
    };
    assert_eq!(filled["model"]["inputs"], json!({"name": "mine.safetensors"}));
    assert_eq!(filled["noise"]["inputs"], json!({"height": 64}));
    assert_eq!(filled["lora"]["inputs"], json!({"model": ["model", 0]}));
    let error = graph
        .overlaid(&json!({"modle": {"inputs": {"name": "x"}}}))
        .unwrap_err();
    assert_eq!(error, "unknown node `modle`; a new node requires a `class_type`");
}

#[test]
fn a_mistake_in_a_graph_is_explained() {
    let table = [
        ("[]", "a graph must be an object of nodes"),
        (
            r#"{"nodes": [], "links": []}"#,
            "export the workflow in the API format",
        ),
        (r#"{"a": 1}"#, "node `a` must be an object"),
        (r#"{"a": {"inputs": {}}}"#, "node `a` has no `class_type`"),
        (
            r#"{"a": {"class_type": "A", "input": {}}}"#,
            "unknown member `input`",
        ),
        (
            r#"{"a": {"class_type": "A", "inputs": {"x": ["b", 0]}}}"#,
            "`x` of node `a` is linked to the unknown node `b`",
        ),
        (
            r#"{"a": {"class_type": "A", "inputs": {"x": {"from": "y", "form": 1}}}}"#,
            "`x` of node `a`: unknown field `form`",
        ),
        (
            r#"{"a": {"class_type": "A", "inputs": {"x": {"link": ["b", 0]}}}}"#,
            "`link` must be a list of links",
        ),
        ("{}", "a graph must have at least one node"),
    ];
    for (text, expected) in table {
        let error = Graph::parse("mine.json", text).unwrap_err().to_string();
        assert!(
            error.starts_with("workflow `mine.json`: ") && error.contains(expected),
            "{text}: {error}"
        );
    }
}
