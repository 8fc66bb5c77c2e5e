//! The programs that tests start.

use std::{env, ffi::OsString, path::Path};

/// The `PATH` with `folder` in front, for programs that start others by name.
#[expect(
    clippy::disallowed_methods,
    reason = "the environment of tests, which is not part of the configuration"
)]
pub fn path_with(folder: &Path) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_owned()).chain(env::split_paths(&path));
    env::join_paths(folders).unwrap()
}
