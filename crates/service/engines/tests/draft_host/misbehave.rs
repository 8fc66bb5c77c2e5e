//! Tasks for a host under test: one that works, and one for every way to misbehave.

use std::{
    fs,
    hint::black_box,
    io::{self, Write as _},
    path::PathBuf,
    process::{self, Command},
    thread,
    time::Duration,
};

use atelier_protocol::{Error, Request, Response};
use rustix::process::{Resource, getpriority_process, getrlimit};
use serde_json::{Value, json};

pub(crate) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let number = |name: &str| {
        request
            .params
            .get(name)
            .and_then(Value::as_u64)
            .unwrap_or_default()
    };
    match request.task.as_str() {
        "good" => {
            progress(0.25);
            progress(f32::NAN);
            progress(0.5);
            let mut response = made(request, json!({"pid": process::id()}))?;
            response.metadata.extend(request.params.clone());
            return Ok(response);
        }
        "invalid" => return Err(Error::InvalidInput("`image_urls` contains no picture".to_owned())),
        "failed" => return Err(Error::Failed("no such colour".to_owned())),
        "abort" => process::abort(),
        "exit" => process::exit(3),
        "overflow" => drop(black_box(deep(black_box(1)))),
        "panic" => panic!("an internal secret"),
        "memory" => {
            let memory = vec![1_u8; number("bytes") as usize];
            return made(request, json!({"bytes": black_box(&memory).len()}));
        }
        "write" => {
            let files: Vec<_> = (0..number("files"))
                .map(|at| request.out.join(format!("{at}.png")))
                .collect();
            for file in &files {
                fs::write(file, vec![0; number("bytes") as usize])?;
            }
            return Ok(Response {
                files,
                ..Response::default()
            });
        }
        // Every write to this device finds no space.
        "full" => fs::write("/dev/full", b"pixels")?,
        "fill" => {
            begin(request, &[process::id()])?;
            fill(request, number("bytes") as usize)?;
        }
        "garbage" => say(b"Segmentation fault\n")?,
        "unknown-report" => say(b"{\"finished\":{}}\n")?,
        "not-utf8" => say(b"\xff\xfe\n")?,
        "endless" => say(&vec![b'.'; 2 << 20])?,
        "talkative" => {
            made(request, json!({}))?;
            // One write, so that the reader of the answer also has the rest.
            say(b"{\"done\":{\"files\":[\"made.png\"]}}\n{\"progress\":0.5}\n")?;
        }
        "noisy" => io::stderr().write_all(&vec![b'!'; 1 << 20])?,
        "name" => {
            let text = |name: &str| PathBuf::from(request.params[name].as_str().unwrap_or_default());
            let link = request.out.join("link");
            if !link.is_symlink() {
                std::os::unix::fs::symlink(text("link"), link)?;
            }
            return Ok(Response {
                files: vec![text("file")],
                ..Response::default()
            });
        }
        "surroundings" => {
            let names: Vec<_> = std::env::vars_os()
                .map(|(name, _)| name.to_string_lossy().into_owned())
                .collect();
            let priority = getpriority_process(None).map_err(io::Error::from)?;
            let core = getrlimit(Resource::Core).current;
            return made(
                request,
                json!({"environment": names, "core": core, "priority": priority}),
            );
        }
        "sleep" => {
            begin(request, &[process::id()])?;
            loop {
                thread::sleep(Duration::from_secs(1));
            }
        }
        "spin" => {
            begin(request, &[process::id()])?;
            loop {
                black_box(());
            }
        }
        "with-child" => {
            let child = Command::new("/bin/sleep").arg("60").spawn()?;
            begin(request, &[process::id(), child.id()])?;
            loop {
                thread::sleep(Duration::from_secs(1));
            }
        }
        other => return Err(Error::Failed(format!("unknown task `{other}`"))),
    }
    made(request, json!({}))
}

fn made(request: &Request, metadata: Value) -> Result<Response, Error> {
    let file = request.out.join("made.png");
    fs::write(&file, b"good")?;
    let Value::Object(metadata) = metadata else {
        return Err(Error::Failed("not an object".to_owned()));
    };
    Ok(Response {
        files: vec![file],
        metadata,
    })
}

/// Writes the processes down for the test. The rename makes the file appear complete.
fn begin(request: &Request, pids: &[u32]) -> io::Result<()> {
    let text: Vec<_> = pids.iter().map(u32::to_string).collect();
    let draft = request.out.join("pids.draft");
    fs::write(&draft, text.join(" "))?;
    fs::rename(draft, request.out.join("pids"))
}

/// Writes one file after the other, without an end.
fn fill(request: &Request, bytes: usize) -> io::Result<()> {
    for at in 0.. {
        fs::write(request.out.join(at.to_string()), vec![0; bytes])?;
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Writes outside the protocol, as a library that prints would.
fn say(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(bytes)?;
    output.flush()
}

/// Overflows the stack, as a parser of nested boxes could.
#[expect(unconditional_recursion, reason = "the overflow is intended")]
fn deep(depth: u64) -> u64 {
    let frame = black_box([depth; 512]);
    deep(depth + 1) + frame[(depth % 512) as usize]
}
