//! The program that the tests start: answers lines on its port, and misbehaves if asked to.

use std::{
    fs::{File, OpenOptions},
    io::{BufRead as _, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::net::UnixListener,
    process::{Command, ExitCode, exit},
    thread,
    time::Duration,
};

/// `arguments` are pairs of a name and a value.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let number = |name: &str| value(name).and_then(|text| text.parse::<u64>().ok());
    let mut pids = vec![std::process::id()];
    if value("child").is_some() {
        // Leaves the process group and the session, as a daemon does.
        let mut child = Command::new("setsid").args(["sleep", "1000"]).spawn().unwrap();
        pids.push(child.id());
        thread::spawn(move || child.wait());
    }
    if let Some(file) = value("pids") {
        let mut file = OpenOptions::new().create(true).append(true).open(file).unwrap();
        for pid in pids {
            writeln!(file, "{pid}").unwrap();
        }
    }
    if let Some(bytes) = number("writes") {
        print!("standard output\n{}", "x".repeat(bytes as usize));
        eprintln!("\u{1b}[31mthe last words\u{1b}[0m");
    }
    if let Some(code) = number("exits") {
        exit(code as i32);
    }
    thread::sleep(Duration::from_millis(number("loads").unwrap_or(0)));
    if let Some(seconds) = number("hangs") {
        thread::sleep(Duration::from_secs(seconds));
    }
    if let Some(path) = value("socket") {
        let listener = UnixListener::bind(path).unwrap();
        for connection in listener.incoming() {
            let connection = connection.unwrap();
            thread::spawn(move || answer(&connection));
        }
    }
    let listener = TcpListener::bind(("127.0.0.1", number("port").unwrap() as u16)).unwrap();
    for connection in listener.incoming() {
        let connection = connection.unwrap();
        thread::spawn(move || answer(&connection));
    }
    ExitCode::SUCCESS
}

fn answer<'a, C>(mut connection: &'a C)
where
    &'a C: Read + Write,
{
    let mut line = String::new();
    BufReader::new(connection).read_line(&mut line).unwrap();
    let answer = match line.trim() {
        "ready" => "ok".to_owned(),
        "pid" => std::process::id().to_string(),
        "environment" => format!("{:?}", std::env::vars().collect::<Vec<_>>()),
        "files" => {
            let files: Vec<_> = (0..1_000).map_while(|_| File::open("/dev/null").ok()).collect();
            files.len().to_string()
        }
        "memory" => {
            let mut much = vec![1_u8; 256 << 20];
            much[77] = 2;
            much.iter()
                .map(|byte| usize::from(*byte))
                .sum::<usize>()
                .to_string()
        }
        "score" => std::fs::read_to_string("/proc/self/oom_score_adj")
            .unwrap()
            .trim()
            .to_owned(),
        "networks" => std::fs::read_to_string("/proc/net/dev")
            .unwrap()
            .lines()
            .skip(2)
            .fold(String::new(), |names, line| {
                names + line.split(':').next().unwrap().trim() + " "
            }),
        reach if reach.starts_with("reach ") => {
            let port: u16 = reach["reach ".len()..].parse().unwrap();
            TcpStream::connect(("127.0.0.1", port)).is_ok().to_string()
        }
        "say" => {
            println!("step {}/4", std::process::id());
            "said".to_owned()
        }
        "sleep" => {
            thread::sleep(Duration::from_mins(10));
            String::new()
        }
        other => panic!("{other}"),
    };
    writeln!(connection, "{answer}").unwrap();
}

/// Asks a toy; `None` if it ends before it answers.
pub(crate) fn ask(port: u16, line: &str) -> Option<String> {
    let mut connection = TcpStream::connect(("127.0.0.1", port)).ok()?;
    writeln!(connection, "{line}").ok()?;
    let mut answer = String::new();
    BufReader::new(connection).read_line(&mut answer).ok()?;
    (!answer.is_empty()).then(|| answer.trim().to_owned())
}
