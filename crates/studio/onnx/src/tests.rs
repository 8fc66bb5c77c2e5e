//! Graphs that the tests make, run here and by Python's ONNX Runtime.

use std::{fs, process::Command};

use atelier_found::program;
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

    fn graph(&self, runtime: Runtime, name: &str) -> Graph {
        let places = Places {
            runtime,
            device: Device::Auto,
            library: Some(self.library.clone()),
            provider: None,
            models: PathBuf::from("/"),
        };
        Graph::load(&places, &self.folder.path().join(name)).unwrap()
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
            runtime: Runtime::Auto,
            device: Device::Auto,
            library: Some(self.library.clone()),
            provider: None,
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
    for runtime in [Runtime::Rten, Runtime::OnnxRuntime] {
        let large = made
            .graph(runtime, "upscale")
            .picture(&picture, None, &mut |_| {})
            .unwrap();
        assert_eq!((large.width, large.height), (2 * WIDTH, 2 * HEIGHT));
        assert!(
            rgb(&large) == made.bytes("upscaled.rgb"),
            "{runtime:?} makes another picture"
        );
        for name in ["mask", "depth"] {
            let plane = made.graph(runtime, name).plane(&picture).unwrap();
            let expected = made.floats(&format!("{name}.f32"));
            let differences = plane
                .values
                .iter()
                .zip(&expected)
                .map(|(one, other)| (one - other).abs());
            let most = differences.fold(0.0, f32::max);
            assert!(
                plane.values.len() == expected.len() && most < 1e-6,
                "{name} by {runtime:?}: {most}"
            );
        }
    }
}

#[test]
fn parts_of_a_picture_make_the_same_picture_as_the_whole() {
    let Some(made) = Made::make() else { return };
    let mut graph = made.graph(Runtime::Rten, "upscale-tiled");
    let parts = graph.picture(&made.picture(), None, &mut |_| {}).unwrap();
    let (one, other) = (rgb(&parts), made.bytes("upscaled.rgb"));
    let most = one.iter().zip(&other).map(|(a, b)| a.abs_diff(*b)).max();
    // A part's sums may be added in another order than the whole's.
    assert!(one.len() == other.len() && most <= Some(1), "{most:?}");
}

#[test]
fn a_part_fades_in_over_the_ones_before_it() {
    let mut whole = Picture::filled(16, 4, [0, 0, 0, 255]);
    let part = Picture::filled(12, 4, [200, 100, 40, 255]);
    pixels::fade_in(&mut whole, &part, (4, 0), (8, 0));
    let row: Vec<u8> = (0..16).map(|x| whole.pixel(x, 2)[0]).collect();
    // Nothing in the outer quarter, a ramp over the middle half, all in the inner quarter.
    assert_eq!(
        row,
        [0, 0, 0, 0, 0, 0, 25, 75, 125, 175, 200, 200, 200, 200, 200, 200]
    );
}

#[test]
fn a_network_that_sees_the_rim_of_its_part_leaves_no_seam() {
    // Every part is as bright as its own mean: hard edges between parts would be steps of up to 120.
    let mut whole = Picture::filled(64, 8, [0, 0, 0, 255]);
    for (left, value) in [(0, 60), (16, 120), (32, 180)] {
        let part = Picture::filled(32, 8, [value, value, value, 255]);
        let fade = if left == 0 { 0 } else { 16 };
        pixels::fade_in(&mut whole, &part, (left, 0), (fade, 0));
    }
    let row: Vec<u8> = (0..64).map(|x| whole.pixel(x, 4)[0]).collect();
    let most = row.windows(2).map(|pair| pair[0].abs_diff(pair[1])).max();
    assert!(most <= Some(8), "{row:?}");
}

#[test]
fn a_graph_of_bytes_gets_bytes_and_a_mask_of_what_stays() {
    let Some(made) = Made::make() else { return };
    let before = made.picture();
    let (after, metadata) = made.run("inpaint", "inpaint-bytes", &json!({})).unwrap();
    // The graph inverts what its mask does not keep.
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let (old, new) = (before.pixel(x, y), after.pixel(x, y));
            for channel in 0..3 {
                let expected = if x < WIDTH / 2 {
                    255 - old[channel]
                } else {
                    old[channel]
                };
                assert_eq!(new[channel], expected, "{x} {y}");
            }
        }
    }
    assert_eq!(
        (&metadata["runtime"], &metadata["device"]),
        (&json!("onnxruntime"), &json!("cpu"))
    );
}

#[test]
fn a_crop_keeps_shapes_and_holds_all_that_is_missing() {
    let picture = Picture::filled(200, 100, [0, 0, 0, 255]);
    let hole = |left: usize, top: usize, width: usize, height: usize| -> Vec<bool> {
        (0..200 * 100)
            .map(|at| (left..left + width).contains(&(at % 200)) && (top..top + height).contains(&(at / 200)))
            .collect()
    };
    let part = |missing: &[bool]| surroundings(missing, &picture, [32, 32]);
    // A small hole gets the graph's own size around it; one at the rim moves the part inwards.
    assert_eq!(part(&hole(96, 46, 8, 8)), (84, 34, 32, 32));
    assert_eq!(part(&hole(0, 90, 10, 10)), (0, 68, 32, 32));
    // A large one gets as much again, as far as the picture reaches.
    assert_eq!(part(&hole(70, 40, 40, 10)), (50, 5, 80, 80));
    assert_eq!(part(&hole(20, 10, 150, 80)), (0, 0, 200, 100));
}

#[test]
fn a_runtime_that_is_asked_for_and_cannot_run_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("model.json"), r#"{"kind": "image"}"#).unwrap();
    fs::write(folder.path().join("model.onnx"), "no graph").unwrap();
    let load = |runtime, library: Option<&str>| {
        let places = Places {
            runtime,
            device: Device::Cpu,
            library: library.map(PathBuf::from),
            provider: None,
            models: PathBuf::from("/"),
        };
        Graph::load(&places, folder.path()).unwrap_err().to_string()
    };
    assert!(load(Runtime::OnnxRuntime, None).contains("requires `library`"));
    let error = load(Runtime::Auto, None);
    assert!(
        error.contains("model.onnx") && error.contains("cannot be loaded"),
        "{error}"
    );
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
    manifest["license"] = json!("Own terms");
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
        let (_, metadata) = made.run(task, target, &json!({})).unwrap();
        let license = (target == "mask").then(|| json!("Own terms"));
        assert_eq!(metadata.get("weights_license"), license.as_ref(), "{task}");
        let told_license = license.map_or("", |_| " (license of the weights: Own terms)");
        let file = made
            .folder
            .path()
            .join(format!("out-{task}-{target}/image-1.png"));
        let bytes = fs::read(file).unwrap();
        let note = String::from_utf8_lossy(&bytes);
        for told in [
            format!("({task}, {name})"),
            format!("<Iptc4xmpExt:AISystemUsed>{name}{told_license}<"),
            format!("digitalsourcetype/{source}"),
        ] {
            assert!(note.contains(&told), "{task} does not tell {told}");
        }
        assert!(!note.contains(made.folder.path().to_str().unwrap()));
    }
}

#[test]
fn a_gpu_that_is_not_there_is_an_error_and_the_cpu_does_not_take_its_place() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("model.json"), r#"{"kind": "image"}"#).unwrap();
    let places = |library: Option<PathBuf>, runtime| Places {
        runtime,
        device: Device::Gpu,
        library,
        provider: None,
        models: PathBuf::from("/"),
    };
    let error = Graph::load(&places(None, Runtime::Auto), folder.path()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`device = gpu` requires ONNX Runtime with a GPU provider: rten runs on the CPU only"
    );
    let Some(made) = Made::make() else { return };
    let upscale = made.folder.path().join("upscale");
    let error = Graph::load(&places(Some(made.library.clone()), Runtime::Auto), &upscale).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("offers no GPU; its providers are: CPUExecutionProvider"),
        "{error}"
    );
}
