//! Lists the entries of `models.d/` for the binary, so that a new file is a new entry without a line of code.

use std::{error::Error, fmt::Write as _, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../models.d")
        .canonicalize()?;
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files: Vec<_> = fs::read_dir(&root)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file.file_name().ok_or("a file without a name")?.to_string_lossy();
        writeln!(
            list,
            "    ({:?}, include_str!({:?})),",
            format!("models.d/{name}"),
            file.display().to_string()
        )?;
    }
    list.push(']');
    #[expect(
        clippy::disallowed_methods,
        reason = "cargo tells a build script its folder this way alone"
    )]
    let out = std::env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("entries.rs"), list)?;
    Ok(())
}
