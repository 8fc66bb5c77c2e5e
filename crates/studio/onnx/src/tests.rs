//! Graphs that the tests make, run here and by Python's ONNX Runtime.

use std::{fs, process::Command};

use atelier_testkit::program;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::*;

const WIDTH: usize = 24;
const HEIGHT: usize = 20;

/// Graphs and expectations; nothing where Python's onnx and onnxruntime are not installed. `.ci/run` installs them.
struct Made {
    folder: TempDir,
    library: PathBuf,
}

impl Made {
    fn make() -> Option<Self> {
        let python = program("onnx-python")?;
        let folder = tempfile::tempdir().unwrap();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/graphs.py");
        let told = Command::new(python)
            .arg(script)
            .arg(folder.path())
            .output()
            .unwrap();
        let told = String::from_utf8(if told.status.success() {
            told.stdout
        } else {
            told.stderr
        })
        .unwrap();
        let library = PathBuf::from(told.trim());
        assert!(library.is_file(), "{told}");
        Some(Self { folder, library })
    }

    fn graph(&self, name: &str) -> Graph {
        Graph::load(&self.library, &self.folder.path().join(name)).unwrap()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.path().join(name)).unwrap()
    }

    fn floats(&self, name: &str) -> Vec<f32> {
        let bytes = self.bytes(name);
        bytes
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes(four.try_into().unwrap()))
            .collect()
    }

    fn picture(&self) -> Picture {
        let rgb = self.bytes("picture.rgb");
        let rgba = rgb
            .chunks_exact(3)
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]);
        Picture {
            width: WIDTH,
            height: HEIGHT,
            rgba: rgba.collect(),
            icc: None,
        }
    }

    /// A request with the picture and, where something is to be replaced, a mask whose left half is white.
    fn request(&self, task: &str, target: &str, more: &Value) -> Request {
        let out = self.folder.path().join(format!("out-{task}-{target}"));
        fs::create_dir(&out).unwrap();
        let save = |name: &str, picture: &Picture| {
            let path = out.join(name);
            let rgba = picture.rgba.clone();
            let image = image::RgbaImage::from_raw(picture.width as u32, picture.height as u32, rgba);
            image.unwrap().save(&path).unwrap();
            path
        };
        let mut mask = Picture::filled(WIDTH, HEIGHT, [0, 0, 0, 255]);
        for (at, pixel) in mask.rgba.chunks_exact_mut(4).enumerate() {
            if at % WIDTH < WIDTH / 2 {
                pixel[..3].fill(255);
            }
        }
        let input = |parameter: &str, path: PathBuf| Input {
            parameter: parameter.to_owned(),
            path,
            media_type: "image/png".to_owned(),
            seconds: None,
        };
        let mut params: Map<String, Value> = more.as_object().unwrap().clone();
        params.insert(TARGET.to_owned(), json!(target));
        Request {
            task: task.to_owned(),
            params,
            inputs: vec![
                input("image_urls", save("source.png", &self.picture())),
                input("mask_url", save("mask.png", &mask)),
            ],
            seed: 1,
            out,
        }
    }

    fn run(&self, task: &str, target: &str, more: &Value) -> Result<(Picture, Map<String, Value>), Error> {
        use_places(Places {
            library: self.library.clone(),
            models: PathBuf::from("/"),
        });
        // All tests share what was said first, so the models go by their whole paths.
        let target = self.folder.path().join(target);
        let name = target.file_name().unwrap().to_str().unwrap();
        let mut request = self.request(task, name, more);
        request.params.insert(TARGET.to_owned(), json!(target));
        let response = run(&request, &mut |_| {})?;
        Ok((decode::read(&response.files[0]).unwrap(), response.metadata))
    }
}

fn rgb(picture: &Picture) -> Vec<u8> {
    let pixels = picture.rgba.chunks_exact(4);
    pixels.flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
}

#[test]
fn a_graph_makes_what_python_makes_of_it() {
    let Some(made) = Made::make() else { return };
    let picture = made.picture();
    for name in ["upscale", "upscale-tiled"] {
        let large = made.graph(name).picture(&picture, None, &mut |_| {}).unwrap();
        assert_eq!((large.width, large.height), (2 * WIDTH, 2 * HEIGHT));
        assert!(
            rgb(&large) == made.bytes("upscaled.rgb"),
            "{name} makes another picture"
        );
    }
    for name in ["mask", "depth"] {
        let plane = made.graph(name).plane(&picture).unwrap();
        let expected = made.floats(&format!("{name}.f32"));
        let differences = plane
            .values
            .iter()
            .zip(&expected)
            .map(|(one, other)| (one - other).abs());
        let most = differences.fold(0.0, f32::max);
        assert!(
            plane.values.len() == expected.len() && most < 1e-6,
            "{name}: {most}"
        );
    }
}

#[test]
fn upscaling_gives_the_size_asked_for_whatever_the_models_factor() {
    let Some(made) = Made::make() else { return };
    let (twice, metadata) = made.run("upscale", "upscale", &json!({ "factor": 2 })).unwrap();
    assert!(rgb(&twice) == made.bytes("upscaled.rgb"));
    assert_eq!(metadata["width"], 2 * WIDTH);
    let (four, _) = made
        .run("upscale", "upscale-tiled", &json!({ "factor": 4 }))
        .unwrap();
    assert_eq!((four.width, four.height), (4 * WIDTH, 4 * HEIGHT));
}

#[test]
fn inpainting_changes_what_the_mask_shows_and_nothing_else() {
    let Some(made) = Made::make() else { return };
    let before = made.picture();
    let (after, _) = made.run("inpaint", "inpaint", &json!({})).unwrap();
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let (old, new) = (before.pixel(x, y), after.pixel(x, y));
            if x < WIDTH / 2 - 2 {
                assert!(
                    new[..3].iter().all(|value| value.abs_diff(128) <= 6),
                    "{x} {y}: {new:?}"
                );
            } else if x >= WIDTH / 2 {
                assert_eq!(new, old, "{x} {y}");
            }
        }
    }
}

#[test]
fn a_mask_takes_the_place_of_the_embedded_guess() {
    let Some(made) = Made::make() else { return };
    let (cut, metadata) = made.run("background-removal", "mask", &json!({})).unwrap();
    assert!(
        cut.pixel(12, 10)[3] > 200 && cut.pixel(1, 1)[3] < 50,
        "{metadata:?}"
    );
    assert!(metadata["weights"].as_str().unwrap().ends_with("mask"));
}

#[test]
fn depth_moves_the_light() {
    let Some(made) = Made::make() else { return };
    let light = json!({ "intensity": 1.0 });
    let (lit, _) = made.run("relight", "depth", &light).unwrap();
    assert_eq!((lit.width, lit.height), (WIDTH, HEIGHT));
    assert_ne!(rgb(&lit), made.bytes("picture.rgb"));
}

#[test]
fn what_cannot_be_used_is_said_plainly() {
    let Some(made) = Made::make() else { return };
    let error = made.run("upscale", "mask", &json!({})).unwrap_err().to_string();
    assert!(
        error.contains("makes a mask, but `upscale` requires a picture"),
        "{error}"
    );
    let error = made
        .run("upscale", "nothing", &json!({}))
        .unwrap_err()
        .to_string();
    assert!(error.contains("model.json"), "{error}");
    let broken = made.folder.path().join("broken");
    fs::create_dir(&broken).unwrap();
    fs::write(broken.join("model.json"), r#"{"kind": "image"}"#).unwrap();
    assert!(check(&broken).unwrap_err().contains("model.onnx is missing"));
    fs::write(broken.join("model.onnx"), "no graph").unwrap();
    let error = made.run("upscale", "broken", &json!({})).unwrap_err().to_string();
    assert!(error.contains("model.onnx"), "{error}");
}

#[test]
fn a_file_names_the_weights_and_says_what_they_did() {
    let Some(made) = Made::make() else { return };
    let named = made.folder.path().join("mask/model.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&named).unwrap()).unwrap();
    manifest["name"] = json!("Cutter 2 <beta>");
    fs::write(&named, manifest.to_string()).unwrap();
    let table = [
        (
            "upscale",
            "upscale",
            "upscale",
            "compositeWithTrainedAlgorithmicMedia",
        ),
        (
            "inpaint",
            "inpaint",
            "inpaint",
            "compositeWithTrainedAlgorithmicMedia",
        ),
        ("relight", "depth", "depth", "algorithmicallyEnhanced"),
        ("camera-angle", "depth", "depth", "composite\""),
        (
            "background-removal",
            "mask",
            "Cutter 2 &lt;beta&gt;",
            "algorithmicallyEnhanced",
        ),
    ];
    for (task, target, name, source) in table {
        made.run(task, target, &json!({})).unwrap();
        let file = made
            .folder
            .path()
            .join(format!("out-{task}-{target}/image-1.png"));
        let bytes = fs::read(file).unwrap();
        let note = String::from_utf8_lossy(&bytes);
        for told in [
            format!("({task}, {name})"),
            format!("<Iptc4xmpExt:AISystemUsed>{name}<"),
            format!("digitalsourcetype/{source}"),
        ] {
            assert!(note.contains(&told), "{task} does not tell {told}");
        }
        assert!(!note.contains(made.folder.path().to_str().unwrap()));
    }
}
