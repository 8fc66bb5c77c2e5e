//! The requirements of some tests that may not be on this machine: programs (`tesseract`, `ffprobe`, …) and weights.
//!
//! It is apart from `atelier-testkit` so that the tests of the studio, which take minutes to compile, are not compiled
//! again when the service or its test kit changes.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The path of the program `name`. If it is not installed, the test prints a message and returns. In CI, which installs
/// all programs, that is a failure, so that no test is skipped silently.
///
/// ```no_run
/// let Some(ffprobe) = atelier_found::program("ffprobe") else { return };
/// ```
#[expect(
    clippy::disallowed_methods,
    reason = "the environment of tests, which is not part of the configuration"
)]
#[expect(clippy::print_stderr, reason = "the message of a skipped test")]
pub fn program(name: &str) -> Option<PathBuf> {
    let found = env::split_paths(&env::var_os("PATH").unwrap_or_default())
        .map(|folder| folder.join(name))
        .find(|path| path.is_file());
    if found.is_none() {
        assert!(
            env::var_os("CI").is_none_or(|ci| ci != "true"),
            "`{name}` is not installed, and CI must not skip tests",
        );
        eprintln!("skipped: `{name}` is not installed");
    }
    found
}

/// A program of this workspace that cargo has built beside the running test. `cargo test --workspace` builds all of
/// them, `cargo build --package NAME` builds one.
#[expect(clippy::print_stderr, reason = "the message of a skipped test")]
#[expect(clippy::disallowed_methods, reason = "the environment of tests")]
pub fn built(name: &str) -> Option<PathBuf> {
    let test = env::current_exe().unwrap_or_default();
    let found = test
        .ancestors()
        .skip(1)
        .take(2)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file());
    if found.is_none() {
        assert!(
            env::var_os("CI").is_none_or(|ci| ci != "true"),
            "`{name}` is not built, and CI must not skip tests",
        );
        eprintln!("skipped: `{name}` is not built; run `cargo build --package {name}`");
    }
    found
}

/// The folder of trained voices that `scripts/fetch-weights` fills: in the folder that `NETWORKS_CACHE` names, or
/// in the user's cache.
pub fn trained_voices() -> Option<PathBuf> {
    let graph = fetched("voices/kokoro-v1.0.int8.onnx")?;
    graph.parent().map(Path::to_owned)
}

/// The weights of the safety check `open-nsfw`, from the same folder.
pub fn open_nsfw() -> Option<PathBuf> {
    fetched("open-nsfw.onnx")
}

/// A file that `scripts/fetch-weights` fetches; nothing if it did not run. CI must not skip tests.
#[expect(clippy::print_stderr, reason = "the message of a skipped test")]
#[expect(clippy::disallowed_methods, reason = "the environment of tests")]
fn fetched(name: &str) -> Option<PathBuf> {
    let named = env::var_os("NETWORKS_CACHE").map(PathBuf::from);
    let own = || Some(PathBuf::from(env::var_os("HOME")?).join(".cache/atelier-networks"));
    let path = named.or_else(own)?.join(name);
    if path.is_file() {
        return Some(path);
    }
    assert!(
        env::var_os("CI").is_none_or(|ci| ci != "true"),
        "{} is missing, and CI must not skip tests",
        path.display(),
    );
    eprintln!(
        "skipped: {} is missing; run scripts/fetch-weights",
        path.display()
    );
    None
}
