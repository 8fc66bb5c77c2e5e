//! `model.json`: what a graph takes and what it gives.

use std::path::Path;

use serde::Deserialize;

/// The graph beside it.
pub(crate) const GRAPH: &str = "model.onnx";
const NAME: &str = "model.json";

/// The output of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The place of the subject: one channel.
    Mask,
    /// How near things are: one channel.
    Depth,
    /// A picture: three channels.
    Image,
    /// How likely each class is: one number each.
    Scores,
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Mask => "a mask",
            Self::Depth => "depth",
            Self::Image => "a picture",
            Self::Scores => "scores",
        }
    }
}

/// A model's description. All but `kind` have the values that are usual.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub kind: Kind,
    /// The name of the system that files say made them; the folder's name by default.
    pub name: Option<String>,
    /// The licence of the weights that files name: an SPDX id, or its name.
    pub license: Option<String>,
    /// The graph's input for the picture; its first where nothing is said.
    pub input: Option<String>,
    /// Its input for the mask of what is replaced; its second where nothing is said.
    pub mask_input: Option<String>,
    /// The pixels that the mask marks with 1, or with 255 if the inputs are bytes.
    #[serde(default)]
    pub mask_marks: Marks,
    /// Whether the graph gets only the surroundings of what is replaced, cut out in the shape of its fixed size.
    #[serde(default)]
    pub crop: bool,
    /// The type of the inputs' numbers.
    #[serde(default)]
    pub numbers: Number,
    /// The output to use; the first where nothing is said.
    pub output: Option<String>,
    #[serde(default)]
    pub layout: Layout,
    #[serde(default)]
    pub color: Color,
    #[serde(default)]
    pub size: Size,
    /// The value of white before `mean` and `std`: 1 or 255.
    #[serde(default = "one")]
    pub range: f32,
    #[serde(default)]
    pub mean: [f32; 3],
    #[serde(default = "ones")]
    pub std: [f32; 3],
    /// The value of white in the output, for `kind = image`.
    #[serde(default = "one")]
    pub output_range: f32,
    #[serde(default)]
    pub activation: Activation,
    /// Whether low values are near, for `kind = depth`.
    #[serde(default)]
    pub low_is_near: bool,
    /// Large pictures go in parts; only where the size is free.
    pub tile: Option<Tile>,
    /// The classes in the order of the output, for `kind = scores`.
    #[serde(default)]
    pub classes: Vec<String>,
    /// The classes that the safety check refuses, and from which score on.
    #[serde(default)]
    pub refuse: Vec<String>,
    #[serde(default = "half")]
    pub refuse_at: f32,
}

/// The pixels that a mask marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Marks {
    /// The pixels to replace.
    #[default]
    Hole,
    /// The pixels to keep.
    Kept,
}

/// The type of a graph's inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Number {
    #[default]
    Float32,
    /// Bytes as in the picture, without `range`, `mean` and `std`.
    Uint8,
}

/// The order of an input's dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    #[default]
    Nchw,
    Nhwc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Color {
    #[default]
    Rgb,
    Bgr,
}

/// The sizes that a graph takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// Width and height, whatever the picture's are.
    pub fixed: Option<[usize; 2]>,
    /// The picture is scaled to this width and height first, and its middle of the fixed size goes in.
    pub scaled: Option<[usize; 2]>,
    /// Both sides are made multiples of this.
    pub multiple_of: Option<usize>,
    /// The longer side is made no longer than this.
    pub longest: Option<usize>,
}

/// The function that is applied to the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    #[default]
    None,
    Sigmoid,
    /// All of them together become 1.
    Softmax,
    /// Its least value becomes 0 and its greatest 1.
    Normalize,
}

/// Parts of a large picture, in pixels of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tile {
    pub size: usize,
    /// How far parts reach into each other.
    pub overlap: usize,
}

impl Manifest {
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join(NAME);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let wrong = |why: String| format!("{}: {why}", path.display());
        let manifest: Self = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        manifest.check().map_err(wrong)?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), String> {
        let Size {
            fixed,
            scaled,
            multiple_of,
            longest,
        } = self.size;
        let zero = fixed.is_some_and(|[width, height]| width * height == 0);
        if zero || multiple_of == Some(0) || longest == Some(0) {
            return Err("`size` has a 0".to_owned());
        }
        if fixed.is_some() && (self.tile.is_some() || multiple_of.is_some() || longest.is_some()) {
            return Err("a fixed size goes without `multiple_of`, `longest` and `tile`".to_owned());
        }
        let holds = |[width, height]: [usize; 2]| fixed.is_some_and(|[w, h]| w <= width && h <= height);
        if scaled.is_some_and(|scaled| !holds(scaled)) {
            return Err("`size.scaled` requires a `size.fixed` that is not larger".to_owned());
        }
        if self.crop && fixed.is_none() {
            return Err("`crop` requires `size.fixed`".to_owned());
        }
        let plain = (self.range, self.mean, self.std) == (1.0, [0.0; 3], [1.0; 3]);
        if self.numbers == Number::Uint8 && !plain {
            return Err("inputs of bytes go without `range`, `mean` and `std`".to_owned());
        }
        if self.tile.is_some_and(|tile| tile.size <= 2 * tile.overlap) {
            return Err("`tile.size` is more than twice `tile.overlap`".to_owned());
        }
        self.check_scores()?;
        if self.std.contains(&0.0) || self.range <= 0.0 || self.output_range <= 0.0 {
            return Err("`std`, `range` and `output_range` are not 0".to_owned());
        }
        Ok(())
    }

    fn check_scores(&self) -> Result<(), String> {
        if self.kind != Kind::Scores {
            let plain = self.classes.is_empty() && self.refuse.is_empty() && self.size.scaled.is_none();
            if plain && self.activation != Activation::Softmax {
                return Ok(());
            }
            return Err("`classes`, `refuse`, `size.scaled` and `softmax` go with `scores` alone".to_owned());
        }
        if self.activation == Activation::Normalize || self.tile.is_some() || self.crop {
            return Err("scores go without `normalize`, `tile` and `crop`".to_owned());
        }
        let unknown = self.refuse.iter().find(|class| !self.classes.contains(class));
        match unknown {
            Some(class) => Err(format!(
                "`refuse` names the unknown class `{class}`; `classes` are {}",
                self.classes.join(", ")
            )),
            None if self.classes.is_empty() => Err("`classes` is missing".to_owned()),
            None if !(0.0..=1.0).contains(&self.refuse_at) => Err(format!(
                "`refuse_at` is {}, which is not between 0 and 1",
                self.refuse_at
            )),
            None => Ok(()),
        }
    }
}

const fn half() -> f32 {
    0.5
}

const fn one() -> f32 {
    1.0
}

const fn ones() -> [f32; 3] {
    [1.0; 3]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Manifest, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(NAME), text).unwrap();
        Manifest::read(folder.path())
    }

    #[test]
    fn what_is_usual_need_not_be_said() {
        let manifest = read(r#"{"kind": "mask"}"#).unwrap();
        assert_eq!(
            (manifest.layout, manifest.range, manifest.std, manifest.size),
            (Layout::Nchw, 1.0, [1.0; 3], Size::default())
        );
    }

    /// The tables `graph` of `models.d/` become files `model.json`.
    #[test]
    fn the_graphs_of_the_index_are_descriptions() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models.d");
        let mut found = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let entry: toml::Table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
            let Some(graph) = entry.get("graph") else { continue };
            let manifest = graph.clone().try_into().map_err(|error| error.to_string());
            let checked = manifest.and_then(|manifest: Manifest| manifest.check());
            assert_eq!(checked, Ok(()), "{}", path.display());
            found += 1;
        }
        assert!(found >= 10, "only {found} entries describe a graph");
    }

    #[test]
    fn mistakes_are_named() {
        for (text, why) in [
            (r#"{"kind": "video"}"#, "video"),
            (r#"{"kind": "mask", "sice": {}}"#, "sice"),
            (r#"{"kind": "mask", "std": [1, 0, 1]}"#, "std"),
            (
                r#"{"kind": "image", "tile": {"size": 8, "overlap": 4}}"#,
                "tile.size",
            ),
            (
                r#"{"kind": "image", "size": {"fixed": [8, 8], "longest": 4}}"#,
                "fixed",
            ),
            (r#"{"kind": "image", "crop": true}"#, "crop"),
            (r#"{"kind": "image", "numbers": "uint8", "range": 255}"#, "range"),
            (r#"{"kind": "image", "mask_marks": "both"}"#, "both"),
            (r#"{"kind": "scores"}"#, "classes"),
            (r#"{"kind": "mask", "classes": ["a"]}"#, "scores"),
            (
                r#"{"kind": "scores", "classes": ["a"], "refuse": ["b"]}"#,
                "the unknown class `b`",
            ),
            (
                r#"{"kind": "scores", "classes": ["a"], "refuse_at": 1.5}"#,
                "`refuse_at` is 1.5",
            ),
            (
                r#"{"kind": "scores", "classes": ["a"], "size": {"fixed": [8, 8], "scaled": [9, 7]}}"#,
                "size.scaled",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(why) && error.contains(NAME), "{error}");
        }
    }
}
