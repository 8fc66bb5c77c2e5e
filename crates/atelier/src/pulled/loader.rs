//! What the dynamic loader of Linux does not find for a program.

use std::{
    collections::BTreeSet,
    path::Path,
    process::{Command, Stdio},
};

use super::LIBRARIES;

/// glibc's loader.
const LOADER: &str = if cfg!(target_arch = "aarch64") {
    "/lib/ld-linux-aarch64.so.1"
} else {
    "/lib64/ld-linux-x86-64.so.2"
};
/// Debian's packages of libraries that programs for weights need.
const PACKAGES: [(&str, &str); 2] = [("libgomp.so.1", "libgomp1"), ("libvulkan.so.1", "libvulkan1")];

/// The libraries, and versions of them, that a program lacks on this machine; `None` if it lacks none, or if nobody
/// knows, as for a script. `folders` are those of its own libraries. As for `ldd`, the loader only looks, and does not
/// run the program.
pub(super) fn lacks(program: &Path, folders: &str) -> Option<String> {
    let looked = Command::new(LOADER)
        .arg(program)
        .env_clear()
        .env("LD_TRACE_LOADED_OBJECTS", "1")
        .env(LIBRARIES, folders)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    missing(&format!(
        "{}{}",
        String::from_utf8_lossy(&looked.stdout),
        String::from_utf8_lossy(&looked.stderr)
    ))
}

/// What is missing by the loader's list.
fn missing(list: &str) -> Option<String> {
    let missing: BTreeSet<_> = list.lines().filter_map(missing_in).collect();
    (!missing.is_empty()).then(|| missing.into_iter().collect::<Vec<_>>().join(", "))
}

fn missing_in(line: &str) -> Option<String> {
    let Some(library) = line.trim().strip_suffix(" => not found") else {
        let (_, rest) = line.split_once(": version `")?;
        return Some(rest.split_once("' not found")?.0.to_owned());
    };
    let package = PACKAGES.iter().find(|(name, _)| *name == library);
    Some(package.map_or_else(
        || library.to_owned(),
        |(_, package)| format!("{library} (Debian's package {package})"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_and_versions_that_are_not_found_are_named_once() {
        let list = "\
            \tlinux-vdso.so.1 (0x00007ffa926c2000)\n\
            \tlibvulkan.so.1 => not found\n\
            \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007ffa8d486000)\n\
            \tlibcublas.so.13 => not found\n\
            ./sd-server: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by ./sd-server)\n\
            ./sd-server: /lib/x86_64-linux-gnu/libm.so.6: version `GLIBC_2.38' not found (required by ./sd-server)\n";
        assert_eq!(
            missing(list).unwrap(),
            "GLIBC_2.38, libcublas.so.13, libvulkan.so.1 (Debian's package libvulkan1)"
        );
    }

    #[test]
    fn a_program_that_can_run_here_lacks_nothing_and_nobody_knows_of_a_script() {
        assert_eq!(lacks(&std::env::current_exe().unwrap(), ""), None);
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script");
        std::fs::write(&script, "#!/bin/sh\nexit 1\n").unwrap();
        assert_eq!(lacks(&script, ""), None);
    }
}
