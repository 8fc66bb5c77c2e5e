//! Compiles flite and the shim with the C compiler alone.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The folders of flite to compile. The shim includes `cg/cst_cg.c` and `cg/cst_cg_load_voice.c` itself.
const FOLDERS: [&str; 12] = [
    "src/synth",
    "src/utils",
    "src/hrg",
    "src/cg",
    "src/lexicon",
    "src/regex",
    "src/speech",
    "src/stats",
    "src/wavesynth",
    "src/audio",
    "lang/usenglish",
    "lang/cmulex",
];

/// Files that other files include, so they are not compiled by themselves.
const INCLUDED: [&str; 6] = [
    "cst_cg.c",
    "cst_cg_load_voice.c",
    "cmu_lex_data_raw.c",
    "cmu_lex_entries_huff_table.c",
    "cmu_lex_num_bytes.c",
    "cmu_lex_phones_huff_table.c",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder's entry can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .filter(|path| !INCLUDED.iter().any(|included| path.ends_with(included)))
        .collect();
    files.sort();
    files
}

fn main() {
    println!("cargo::rerun-if-changed=flite");
    println!("cargo::rerun-if-changed=shim");
    let mut build = cc::Build::new();
    build
        .define("CST_NO_SOCKETS", None)
        .define("CST_AUDIO_NONE", None)
        // Without optimisation, analysing text would take half of a test's time.
        .opt_level(2)
        .warnings(false)
        .include("flite/include")
        .include("flite/src/cg")
        .include("flite/lang/usenglish")
        .include("flite/lang/cmulex")
        .file("shim/shim.c");
    for folder in FOLDERS {
        build.files(sources(&Path::new("flite").join(folder)));
    }
    build.compile("atelier_flite");
}
