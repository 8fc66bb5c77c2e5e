//! Lists the files of `samples/` for the binary.

use std::{error::Error, fmt::Write as _, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("samples")
        .canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let mut list = String::from("&[\n");
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|kind| kind != "json"))
    {
        let name = file.file_name().ok_or("a file without a name")?.to_string_lossy();
        writeln!(
            list,
            "    ({name:?}, include_bytes!({:?})),",
            file.display().to_string()
        )?;
    }
    list.push(']');
    #[expect(
        clippy::disallowed_methods,
        reason = "cargo tells a build script its folder this way alone"
    )]
    let out = std::env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("samples.rs"), list)?;
    Ok(())
}
