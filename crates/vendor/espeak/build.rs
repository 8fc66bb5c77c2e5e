//! Compiles eSpeak NG with the C compiler alone, runs it to make its data from the sources, and lists the data for
//! the program to hold: phonemes, intonations, dictionaries and languages.
//!
//! The data compiler runs while the crate is built, so it is built for the host. The data is the same for every
//! target of the same byte order.
#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script everything by its environment"
)]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Mutex,
    thread,
};

/// The compiled phonemes and intonations.
const PHONEMES: [&str; 4] = ["phontab", "phonindex", "phondata", "intonations"];

fn main() {
    for input in ["build.rs", "accents", "espeak-ng", "shim"] {
        println!("cargo::rerun-if-changed={input}");
    }
    let out = PathBuf::from(variable("OUT_DIR"));
    if let Some(reason) = unsupported_target() {
        println!(
            "cargo::error={reason}. Build without it: cargo build --package atelier. Speech is then English only."
        );
        return;
    }
    library().compile("atelier_espeak");
    let program = data_compiler(&out);
    // The sources are copied, because the data compiler writes a log beside them.
    for folder in ["espeak-ng-data", "phsource", "dictsource"] {
        let copy = out.join(folder);
        // Removed first, so that nothing is left of older sources.
        if copy.exists() {
            fs::remove_dir_all(&copy).expect("the old data can be removed");
        }
        copy_folder(&Path::new("espeak-ng").join(folder), &copy);
    }
    copy_folder(Path::new("accents"), &out.join("espeak-ng-data/lang"));
    make_data(&program, &out);
    let data = out.join("espeak-ng-data");
    write_list(&data, &out.join("files.rs"));
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// Why the program cannot be built for this target, if it cannot.
fn unsupported_target() -> Option<String> {
    let target = variable("TARGET");
    let family = env::var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    if !family.split(',').any(|name| name == "unix") {
        return Some(format!(
            "atelier-espeak requires a Unix target (got {target}), for fmemopen and setrlimit"
        ));
    }
    let host = if cfg!(target_endian = "little") {
        "little"
    } else {
        "big"
    };
    let endian = variable("CARGO_CFG_TARGET_ENDIAN");
    (endian != host).then(|| {
        format!(
            "atelier-espeak makes its data on the host, which is {host}-endian; {target} is {endian}-endian"
        )
    })
}

/// eSpeak NG and the shim's header that replaces its file functions, for the target.
fn engine() -> cc::Build {
    let mut build = cc::Build::new();
    build
        .warnings(false)
        // This code makes the data, and speech must be fast in tests too.
        .opt_level(2)
        .define("_GNU_SOURCE", None)
        .define("LIBESPEAK_NG_EXPORT", "1")
        .define("PATH_ESPEAK_DATA", "\"/nowhere\"")
        .flag("-fwrapv")
        // Clang, which builds the releases, makes this an error by itself.
        .flag_if_supported("-Werror=implicit-function-declaration")
        .flag("-include")
        .flag("shim/files.h")
        .include("shim")
        .include("espeak-ng/src/include")
        .include("espeak-ng/src/ucd-tools/src/include")
        .include("espeak-ng/src/libespeak-ng");
    for folder in ["espeak-ng/src/libespeak-ng", "espeak-ng/src/ucd-tools/src"] {
        let is_source = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c");
        build.files(files(Path::new(folder)).into_iter().filter(is_source));
    }
    build
}

/// What the program links: eSpeak NG and the shim between it and Rust.
fn library() -> cc::Build {
    let mut build = engine();
    build.file("shim/speak.c");
    build
}

/// Builds the program that makes the data, for the host.
fn data_compiler(out: &Path) -> PathBuf {
    let (host, target) = (variable("HOST"), variable("TARGET"));
    let folder = out.join("host");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let program = folder.join("compile-espeak-data");
    let mut build = engine();
    build.target(&host).host(&host);
    let library_folder = if host == target {
        // The target's library does for the host too.
        out
    } else {
        build
            .out_dir(&folder)
            .cargo_metadata(false)
            .compile("atelier_espeak");
        &folder
    };
    let mut command = build.get_compiler().to_command();
    command
        .arg("shim/compile.c")
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(library_folder)
        .arg("-latelier_espeak")
        .arg("-lm");
    run(&mut command);
    program
}

/// Runs the data compiler in the output folder, because eSpeak NG has little room for paths.
fn make_data(program: &Path, out: &Path) {
    run(Command::new(program)
        .current_dir(out)
        .args(["phonemes", "phsource", "espeak-ng-data"]));
    let mut names: Vec<String> = files(Path::new("espeak-ng/dictsource"))
        .iter()
        .filter_map(|path| {
            path.file_name()?
                .to_str()?
                .strip_suffix("_rules")
                .map(str::to_owned)
        })
        .collect();
    // The largest are last here and taken first, so that no core waits for them at the end.
    names.sort_by_key(|name| {
        let size = |part: &str| {
            fs::metadata(format!("espeak-ng/dictsource/{name}_{part}")).map_or(0, |facts| facts.len())
        };
        size("list") + size("listx") + size("rules")
    });
    let cores = env::var("NUM_JOBS")
        .ok()
        .and_then(|jobs| jobs.parse().ok())
        .unwrap_or(2);
    let names = Mutex::new(names);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let Some(name) = names.lock().expect("no thread panics with it").pop() else {
                        return;
                    };
                    let arguments = ["dictionary", "dictsource/", "espeak-ng-data", &name];
                    run(Command::new(program).current_dir(out).args(arguments));
                }
            });
        }
    });
}

/// Writes the table of the data's files, sorted by name.
fn write_list(data: &Path, to: &Path) {
    let mut names: Vec<PathBuf> = PHONEMES.map(|name| data.join(name)).to_vec();
    names.extend(files(data).into_iter().filter(|path| {
        path.to_str().is_some_and(|path| path.ends_with("_dict")) || path.starts_with(data.join("lang"))
    }));
    names.sort();
    let table: Vec<String> = names
        .iter()
        .map(|path| {
            let name = path.strip_prefix(data).expect("the file is in the folder");
            // Debug output is a Rust string literal.
            let quoted = |path: &Path| format!("{:?}", path.to_string_lossy());
            format!("({}, include_bytes!({}))", quoted(name), quoted(path))
        })
        .collect();
    let table = format!("&[\n    {},\n]", table.join(",\n    "));
    fs::write(to, table).expect("the table can be written");
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("a folder's entry can be read").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn copy_folder(from: &Path, to: &Path) {
    for path in files(from) {
        let target = to.join(path.strip_prefix(from).expect("the file is in the folder"));
        fs::create_dir_all(target.parent().expect("a file is in a folder")).expect("a folder can be made");
        fs::copy(&path, &target).expect("a file can be copied");
    }
}

fn run(command: &mut Command) {
    let Output { status, stderr, .. } = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        status.success(),
        "{command:?}: {status}\n{}",
        String::from_utf8_lossy(&stderr)
    );
}
