//! Compiles eSpeak NG with the C compiler alone, has it make its data from the sources, and lists the data for the
//! program to hold: phonemes, intonations, dictionaries and languages.
#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script everything by its environment"
)]

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Mutex,
    thread,
};

/// The compiled phonemes and intonations.
const PHONEMES: [&str; 4] = ["phontab", "phonindex", "phondata", "intonations"];

fn main() {
    for input in ["espeak-ng", "shim"] {
        println!("cargo::rerun-if-changed={input}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names the output folder"));
    let build = build();
    build.compile("atelier_espeak");
    let data = out.join("espeak-ng-data");
    // Made anew, so that nothing is left of a data that is no more.
    if data.exists() {
        fs::remove_dir_all(&data).expect("the old data can be removed");
    }
    copy(Path::new("espeak-ng/espeak-ng-data"), &data);
    let program = compiler_of_data(&build, &out);
    for sources in ["phsource", "dictsource"] {
        let link = out.join(sources);
        let _ = fs::remove_file(&link);
        let target = env::current_dir()
            .expect("there is a current folder")
            .join("espeak-ng")
            .join(sources);
        symlink(target, link).expect("a link can be made");
    }
    make_data(&program, &out);
    list(&data, &out.join("files.rs"));
}

/// eSpeak NG and what stands before it.
fn build() -> cc::Build {
    let mut build = cc::Build::new();
    build
        .warnings(false)
        // The data is made by this code, and speech is to be fast in tests too.
        .opt_level(2)
        .define("_GNU_SOURCE", None)
        .define("LIBESPEAK_NG_EXPORT", "1")
        .define("PATH_ESPEAK_DATA", "\"/nowhere\"")
        .flag("-fwrapv")
        .flag("-include")
        .flag("shim/files.h")
        .include("shim")
        .include("espeak-ng/src/include")
        .include("espeak-ng/src/ucd-tools/src/include")
        .include("espeak-ng/src/libespeak-ng");
    for folder in ["espeak-ng/src/libespeak-ng", "espeak-ng/src/ucd-tools/src"] {
        build.files(
            files(Path::new(folder))
                .into_iter()
                .filter(|path| path.extension().is_some_and(|extension| extension == "c")),
        );
    }
    build.file("shim/speak.c");
    build
}

/// The same code as a program that makes the data. It runs on this machine, so both must be of one kind.
fn compiler_of_data(build: &cc::Build, out: &Path) -> PathBuf {
    let (host, target) = (env::var("HOST"), env::var("TARGET"));
    assert!(
        host == target,
        "atelier-espeak makes its data while it is built, and so cannot be built for {target:?} on {host:?}"
    );
    let program = out.join("compile-espeak-data");
    let mut command = build.get_compiler().to_command();
    command
        .arg("shim/compile.c")
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(out)
        .arg("-latelier_espeak")
        .arg("-lm");
    must(&mut command);
    program
}

/// Runs in the output folder, because eSpeak NG has little room for paths.
fn make_data(program: &Path, out: &Path) {
    must(
        Command::new(program)
            .current_dir(out)
            .args(["phonemes", "phsource", "espeak-ng-data"]),
    );
    let mut names: Vec<String> = files(Path::new("espeak-ng/dictsource"))
        .iter()
        .filter_map(|path| {
            path.file_name()?
                .to_str()?
                .strip_suffix("_rules")
                .map(str::to_owned)
        })
        .collect();
    // The largest first, so that no core waits for them at the end.
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
                    must(Command::new(program).current_dir(out).args(arguments));
                }
            });
        }
    });
}

/// Writes the table of the data's files, sorted by name.
fn list(data: &Path, to: &Path) {
    let mut names: Vec<PathBuf> = PHONEMES.map(|name| data.join(name)).to_vec();
    names.extend(files(data).into_iter().filter(|path| {
        path.to_str().is_some_and(|path| path.ends_with("_dict")) || path.starts_with(data.join("lang"))
    }));
    names.sort();
    let table: Vec<String> = names
        .iter()
        .map(|path| {
            let name = path.strip_prefix(data).expect("it is in the folder");
            // As Rust writes text: with quotes.
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

fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        let target = to.join(path.strip_prefix(from).expect("it is in the folder"));
        fs::create_dir_all(target.parent().expect("it is in a folder")).expect("a folder can be made");
        fs::copy(&path, &target).expect("a file can be copied");
    }
}

fn must(command: &mut Command) {
    let Output { status, stderr, .. } = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        status.success(),
        "{command:?}: {status}\n{}",
        String::from_utf8_lossy(&stderr)
    );
}
