//! Compares a graph with a server's description of its nodes (`/object_info`).

use serde_json::Value;

use super::graph::{Graph, Input, Link};
use crate::remote::plain;

/// How many of a list's values a message shows.
const SHOWN: usize = 8;

/// All problems of a graph, each with its node.
pub(super) fn problems(graph: &Graph, info: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (id, node) in &graph.nodes {
        let class = &node.class;
        let Some(about) = info.get(class) else {
            found.push(format!("node `{id}`: the server has no node type `{class}`"));
            continue;
        };
        let at = |problem: String| format!("node `{id}` ({class}): {problem}");
        for (name, input) in &node.inputs {
            let Some(spec) = spec(about, name) else {
                let known = inputs(about, "required").chain(inputs(about, "optional"));
                let known: Vec<_> = known.map(|(name, _)| name.as_str()).collect();
                found.push(at(format!(
                    "unknown input `{name}`; known inputs: {}",
                    known.join(", ")
                )));
                continue;
            };
            match input {
                // Nothing is known of the parts of a dynamic input.
                Input::Value(_) if name.contains('.') && is_dynamic(spec) => {}
                Input::Value(value) => {
                    found.extend(
                        value
                            .constant()
                            .and_then(|value| unfit(name, value, spec))
                            .map(at),
                    );
                }
                Input::Links { links, .. } => {
                    let wrong = links
                        .iter()
                        .filter_map(|link| mislinked(graph, info, name, link, spec));
                    found.extend(wrong.map(at));
                }
            }
        }
        let missing = inputs(about, "required")
            .filter(|(name, spec)| !is_dynamic(spec) && !node.inputs.contains_key(*name))
            .map(|(name, _)| at(format!("the input `{name}` is missing")));
        found.extend(missing);
    }
    found
}

fn inputs<'a>(about: &'a Value, which: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let list = about
        .get("input")
        .and_then(|input| input.get(which))
        .and_then(Value::as_object);
    list.into_iter().flatten()
}

/// The server's description of an input. An input with a dot in its name is part of a dynamic input.
fn spec<'a>(about: &'a Value, name: &str) -> Option<&'a Value> {
    let base = name.split('.').next();
    let mut all = inputs(about, "required").chain(inputs(about, "optional"));
    all.find(|(known, _)| *known == name)
        .or_else(|| {
            let mut all = inputs(about, "required").chain(inputs(about, "optional"));
            all.find(|(known, spec)| Some(known.as_str()) == base && is_dynamic(spec))
        })
        .map(|(_, spec)| spec)
}

/// Whether an input stands for several inputs that the description does not list.
fn is_dynamic(spec: &Value) -> bool {
    spec[0]
        .as_str()
        .is_some_and(|kind| kind.starts_with("COMFY_DYNAMIC") || kind.starts_with("COMFY_AUTOGROW"))
}

/// Why an input cannot have a value.
fn unfit(name: &str, value: &Value, spec: &Value) -> Option<String> {
    let options = &spec[1];
    let list = spec[0].as_array().or_else(|| options["options"].as_array());
    if let Some(list) = list {
        // The list does not contain the files that jobs upload.
        let is_upload = ["image_upload", "video_upload", "audio_upload", "remote"];
        // Values that bring inputs of their own are objects with a key.
        let list: Vec<_> = list
            .iter()
            .map(|known| known.get("key").unwrap_or(known))
            .collect();
        if list.contains(&value) || is_upload.iter().any(|key| options.get(key).is_some()) {
            return None;
        }
        let shown = plain(value).unwrap_or_else(|| value.to_string());
        let known: Vec<_> = list.iter().take(SHOWN).filter_map(|known| plain(known)).collect();
        let more = match list.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        return Some(match known.as_slice() {
            [] => format!("`{name}`: the server does not have `{shown}`; it has none at all"),
            known => format!(
                "`{name}`: the server does not have `{shown}`; it has {}{more}",
                known.join(", ")
            ),
        });
    }
    // One of several types is enough.
    let kinds = spec[0].as_str()?.split(',');
    let problems: Option<Vec<_>> = kinds
        .map(|kind| misfit(name, value, kind.trim(), options))
        .collect();
    problems?.into_iter().next()
}

/// Why an input of a type cannot have a value.
fn misfit(name: &str, value: &Value, kind: &str, options: &Value) -> Option<String> {
    match kind {
        "INT" | "FLOAT" => {
            let Some(number) = value.as_f64() else {
                return Some(format!("`{name}` must be a number (got `{value}`)"));
            };
            let bound = |key: &str| options[key].as_f64();
            match (bound("min"), bound("max")) {
                (Some(min), _) if number < min => {
                    Some(format!("`{name}` must be at least {min} (got {number})"))
                }
                (_, Some(max)) if number > max => {
                    Some(format!("`{name}` must be at most {max} (got {number})"))
                }
                _ => None,
            }
        }
        "STRING" => (!value.is_string()).then(|| format!("`{name}` must be a string (got `{value}`)")),
        "BOOLEAN" => (!value.is_boolean()).then(|| format!("`{name}` must be true or false (got `{value}`)")),
        kind => Some(format!("`{name}` must be a link to {kind}, not a value")),
    }
}

/// Why an output cannot be linked to an input.
fn mislinked(graph: &Graph, info: &Value, name: &str, link: &Link, spec: &Value) -> Option<String> {
    let class = &graph.nodes.get(&link.node)?.class;
    // An unknown type is reported at its own node.
    let outputs = info.get(class)?.get("output")?.as_array()?;
    let from = format!("`{}` ({class})", link.node);
    let Some(output) = usize::try_from(link.slot).ok().and_then(|slot| outputs.get(slot)) else {
        return Some(format!(
            "`{name}` is linked to output {} of {from}, which has only {}",
            link.slot,
            outputs.len()
        ));
    };
    let (given, taken) = (output.as_str()?, spec[0].as_str()?);
    let fits = given == "*"
        || taken == "*"
        || is_dynamic(spec)
        || taken.starts_with("COMFY_")
        || given.starts_with("COMFY_")
        || taken
            .split(',')
            .any(|taken| given.split(',').any(|given| given.trim() == taken.trim()));
    (!fits).then(|| format!("`{name}` must be {taken}, but is linked to {given} of {from}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A server's description of itself, with both of its ways to write lists.
    fn info() -> Value {
        json!({
            "UpscaleModelLoader": {
                "input": {"required": {"model_name": ["COMBO", {"multiselect": false, "options": ["a.pth", "b.pth"]}]}},
                "output": ["UPSCALE_MODEL"],
            },
            "LoadImage": {
                "input": {"required": {"image": [["x.png"], {"image_upload": true}]}},
                "output": ["IMAGE", "MASK"],
            },
            "ImageScale": {
                "input": {
                    "required": {
                        "image": ["IMAGE"], "method": [["area", "lanczos"]], "width": ["INT", {"min": 0, "max": 16384}],
                    },
                    "optional": {
                        "note": ["STRING", {}], "any": ["*"], "rate": ["FLOAT,INT", {"min": 1.0}],
                        "format": ["COMFY_DYNAMICCOMBO_V3", {"options": [
                            {"key": "auto", "inputs": {}}, {"key": "mp4", "inputs": {"required": {"codec": ["COMBO"]}}},
                        ]}],
                    },
                },
                "output": ["IMAGE"],
            },
        })
    }

    fn found(graph: &Value) -> Vec<String> {
        problems(&Graph::parse("g", &graph.to_string()).unwrap(), &info())
    }

    #[test]
    fn a_graph_that_fits_has_no_problems() {
        let graph = json!({
            "load": {"class_type": "LoadImage", "inputs": {"image": {"from": "image_urls", "at": 0, "as": "upload"}}},
            "model": {"class_type": "UpscaleModelLoader", "inputs": {"model_name": "b.pth"}},
            "scale": {"class_type": "ImageScale", "inputs": {
                "image": ["load", 0], "method": "area", "width": {"from": "$width"}, "any": ["model", 0], "note": "x",
                "rate": 25, "format": "mp4", "format.codec": "h264",
            }},
        });
        assert_eq!(found(&graph), [""; 0]);
    }

    #[test]
    fn each_problem_is_reported_with_its_node_and_what_is_allowed() {
        let graph = json!({
            "load": {"class_type": "LoadPicture", "inputs": {}},
            "model": {"class_type": "UpscaleModelLoader", "inputs": {"model_name": "c.pth"}},
            "scale": {"class_type": "ImageScale", "inputs": {
                "image": ["model", 0], "method": "area", "width": 99999, "hight": 1, "note": 7, "any": ["model", 1],
                "rate": "fast", "format": "avi",
            }},
            "lone": {"class_type": "ImageScale", "inputs": {"image": ["load", 0], "width": "wide"}},
        });
        assert_eq!(
            found(&graph),
            [
                "node `load`: the server has no node type `LoadPicture`",
                "node `lone` (ImageScale): `width` must be a number (got `\"wide\"`)",
                "node `lone` (ImageScale): the input `method` is missing",
                "node `model` (UpscaleModelLoader): `model_name`: the server does not have `c.pth`; \
                 it has a.pth, b.pth",
                "node `scale` (ImageScale): `any` is linked to output 1 of `model` (UpscaleModelLoader), \
                 which has only 1",
                "node `scale` (ImageScale): `format`: the server does not have `avi`; it has auto, mp4",
                "node `scale` (ImageScale): unknown input `hight`; known inputs: image, method, width, any, format, \
                 note, rate",
                "node `scale` (ImageScale): `image` must be IMAGE, but is linked to UPSCALE_MODEL of `model` \
                 (UpscaleModelLoader)",
                "node `scale` (ImageScale): `note` must be a string (got `7`)",
                "node `scale` (ImageScale): `rate` must be a number (got `\"fast\"`)",
                "node `scale` (ImageScale): `width` must be at most 16384 (got 99999)",
            ]
        );
    }
}
