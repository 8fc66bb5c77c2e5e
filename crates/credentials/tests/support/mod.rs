//! The common parts of the tests.

use std::{
    env,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

/// A program; without it the test is skipped, but not in CI.
pub fn program(name: &str) -> Option<PathBuf> {
    let found = env::split_paths(&env::var_os("PATH").unwrap_or_default())
        .map(|folder| folder.join(name))
        .find(|path| path.is_file());
    if found.is_none() {
        assert!(
            env::var_os("CI").is_none_or(|ci| ci != "true"),
            "`{name}` is not installed"
        );
        eprintln!("skipped: `{name}` is not installed");
    }
    found
}

pub fn ask(request: &Value) -> Value {
    let mut child = Command::new(env!("CARGO_BIN_EXE_atelier-credentials"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(request.to_string().as_bytes()).unwrap();
    drop(input);
    serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap()
}

/// Returns the request to sign a file. The copy lies beside it.
pub fn order(path: &Path, signer: &Value) -> Value {
    let to = path.with_file_name(format!("signed-{}", path.file_name().unwrap().display()));
    json!({
        "do": "sign", "path": path, "to": to, "program": ["atelier", "1.0"], "agent": "Painter 6B",
        "source_type": "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
        "made_at": "2026-11-22T10:00:00.000Z", "inputs": [], "signer": signer,
    })
}
