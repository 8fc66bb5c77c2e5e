//! Programs that some tests measure with (`tesseract`, `ffprobe`, …) and that a machine may lack.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Where `name` is on the `PATH`. Without it, the test that asked says so and returns; in CI, which installs
/// all of them, that is a failure: nothing is skipped in silence.
///
/// ```no_run
/// let Some(ffprobe) = atelier_testkit::program("ffprobe") else { return };
/// ```
#[expect(
    clippy::disallowed_methods,
    reason = "the tests' own environment, which no configuration describes"
)]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub fn program(name: &str) -> Option<PathBuf> {
    let found = env::split_paths(&env::var_os("PATH").unwrap_or_default())
        .map(|folder| folder.join(name))
        .find(|path| path.is_file());
    if found.is_none() {
        assert!(
            env::var_os("CI").is_none_or(|ci| ci != "true"),
            "`{name}` is not installed, and in CI nothing may be skipped",
        );
        eprintln!("not run: `{name}` is not installed");
    }
    found
}

/// The `PATH` with `folder` before everything else, for programs that start others by their names.
#[expect(
    clippy::disallowed_methods,
    reason = "the tests' own environment, which no configuration describes"
)]
pub fn path_with(folder: &Path) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_owned()).chain(env::split_paths(&path));
    env::join_paths(folders).unwrap()
}

/// A program of this workspace that cargo has built beside the test that asks: `cargo test --workspace` builds them
/// all, `cargo build --package NAME` one.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
#[expect(clippy::disallowed_methods, reason = "the tests' own environment")]
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
            "`{name}` is not built, and in CI nothing may be skipped",
        );
        eprintln!("not run: `{name}` is not built; `cargo build --package {name}` does");
    }
    found
}
