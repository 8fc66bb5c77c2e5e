//! The workflows that ship with the program.

use super::{Graph, GraphError};

const SHIPPED: [(&str, &str); 16] = [
    (
        "ace-step-1.5.json",
        include_str!("../../workflows/ace-step-1.5.json"),
    ),
    (
        "checkpoint-inpaint.json",
        include_str!("../../workflows/checkpoint-inpaint.json"),
    ),
    ("checkpoint.json", include_str!("../../workflows/checkpoint.json")),
    (
        "flux-1-fill.json",
        include_str!("../../workflows/flux-1-fill.json"),
    ),
    (
        "flux-1-kontext.json",
        include_str!("../../workflows/flux-1-kontext.json"),
    ),
    ("flux-1.json", include_str!("../../workflows/flux-1.json")),
    (
        "hunyuan-video-1.5-i2v.json",
        include_str!("../../workflows/hunyuan-video-1.5-i2v.json"),
    ),
    (
        "hunyuan-video-1.5-t2v.json",
        include_str!("../../workflows/hunyuan-video-1.5-t2v.json"),
    ),
    ("ltx-2.json", include_str!("../../workflows/ltx-2.json")),
    (
        "qwen-image-edit.json",
        include_str!("../../workflows/qwen-image-edit.json"),
    ),
    ("qwen-image.json", include_str!("../../workflows/qwen-image.json")),
    ("upscale.json", include_str!("../../workflows/upscale.json")),
    (
        "wan-2.2-i2v.json",
        include_str!("../../workflows/wan-2.2-i2v.json"),
    ),
    (
        "wan-2.2-t2v.json",
        include_str!("../../workflows/wan-2.2-t2v.json"),
    ),
    (
        "wan-2.2-ti2v-5b.json",
        include_str!("../../workflows/wan-2.2-ti2v-5b.json"),
    ),
    (
        "z-image-turbo.json",
        include_str!("../../workflows/z-image-turbo.json"),
    ),
];

/// A workflow that ships with the program.
pub fn shipped(name: &str) -> Option<Result<Graph, GraphError>> {
    let (_, text) = SHIPPED.iter().find(|(known, _)| *known == name)?;
    Some(Graph::parse(name, text))
}

/// The names of the workflows that ship with the program.
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_workflow_is_valid() {
        for name in shipped_names() {
            shipped(name).unwrap().unwrap();
        }
        assert!(shipped("unknown.json").is_none());
    }
}
