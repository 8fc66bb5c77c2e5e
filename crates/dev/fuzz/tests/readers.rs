//! A short run of the program. CI runs it for longer.

use std::process::Command;

#[test]
fn every_reader_survives_a_second_of_damaged_input() {
    let findings = tempfile::tempdir().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_atelier-fuzz"))
        .args(["--seconds", "1", "--findings"])
        .arg(findings.path())
        .output()
        .unwrap();
    let said = [run.stdout, run.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(run.status.success(), "{said}");
    for name in ["sniff", "probe", "mark", "film", "sound", "body", "catalog"] {
        let line = said.lines().find(|line| line.starts_with(name));
        let line = line.unwrap_or_else(|| panic!("{name} did not run: {said}"));
        assert!(line.contains(" 0 findings"), "{line}");
        assert!(!line.contains(" 0 executions"), "{line}");
    }
}
