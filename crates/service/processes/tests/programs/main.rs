//! Programs as real processes, well-behaved and misbehaving ones. This program is also the guard and the toy that it
//! guards.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "with its own `main`, this is not a test for the lints"
)]

mod added;
mod fixture;
mod network;
mod toy;

use std::{
    path::Path,
    process::{Command, ExitCode, Stdio},
    time::Duration,
};

use atelier_processes::{Limits, Refusal, guard, scheduler::Residence};
use fixture::{MIB, Test, is_running, kill, pid_file, pids, toy as a_toy, until};
use libtest_mimic::{Arguments, Trial};
use network::{
    a_program_that_listens_at_a_socket_serves, a_program_without_a_network_reaches_nothing_and_still_serves,
};
use tokio::time::timeout;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some(guard::COMMAND) => {
            let rest: Vec<_> = std::env::args_os().skip(2).collect();
            guard::main(&rest)
        }
        Some("toy") => toy::main(&arguments[2..]),
        Some("service") => service(Path::new(&arguments[2])),
        _ => {
            let arguments = Arguments::from_args();
            libtest_mimic::run(&arguments, trials()).exit_code()
        }
    }
}

fn trials() -> Vec<Trial> {
    macro_rules! trials {
        ($($name:path),* $(,)?) => {
            vec![$(Trial::test(stringify!($name).rsplit("::").next().unwrap().trim(), || {
                tokio::runtime::Runtime::new()?.block_on($name());
                Ok(())
            })),*]
        };
    }
    trials![
        a_program_is_started_for_its_first_job_and_serves_the_next,
        an_idle_program_is_stopped_and_started_again,
        programs_that_do_not_fit_together_make_room_for_each_other,
        a_program_that_is_killed_in_the_middle_of_a_job_is_started_again,
        a_killed_program_takes_what_it_started_with_it,
        a_program_whose_guard_is_killed_does_not_survive,
        a_service_that_is_killed_leaves_nothing_running,
        a_job_that_is_given_up_kills_its_program_within_a_second,
        a_program_that_ends_at_once_is_tried_again_with_delays,
        a_program_that_is_not_ready_in_time_is_killed,
        a_program_that_does_not_exist_is_refused_with_the_reason,
        operators_see_the_last_4_kib_of_the_output,
        a_program_has_only_the_environment_and_the_limits_of_its_description,
        a_program_that_wants_more_memory_than_its_limit_ends,
        a_program_without_a_network_reaches_nothing_and_still_serves,
        a_program_that_listens_at_a_socket_serves,
        the_time_of_a_load_is_remembered_over_restarts,
        closing_stops_everything_and_starts_nothing_more,
        added::a_program_that_is_added_later_shares_the_memory_of_the_others,
        added::another_version_of_a_program_serves_the_job_that_waits_for_the_earlier_one,
        added::a_job_hears_what_its_program_writes_from_now_on,
        added::a_program_that_writes_why_it_must_not_serve_is_stopped_before_its_first_job,
    ]
}

async fn a_program_is_started_for_its_first_job_and_serves_the_next() {
    let test = Test::new(|_| vec![a_toy("a", &["loads", "300"])]);
    let a = test.program("a");
    assert_eq!(a.state().residence, Residence::Absent);
    let ticket = a.admit(true).await.unwrap();
    let pid = toy::ask(ticket.port(), "pid").unwrap();
    assert_eq!((a.state().residence, a.state().running), (Residence::Resident, 1));
    assert!(
        a.state().last_load.unwrap() >= Duration::from_millis(300),
        "{:?}",
        a.state()
    );
    assert_eq!(test.programs.devices()[0].held, 10 * MIB);
    // A second job waits for the first.
    let second = a.admit(true);
    tokio::pin!(second);
    assert!(timeout(Duration::from_millis(100), &mut second).await.is_err());
    let first_process = ticket.process();
    ticket.made();
    let ticket = second.await.unwrap();
    assert_eq!(ticket.process(), first_process);
    assert_eq!(toy::ask(ticket.port(), "pid").unwrap(), pid);
    assert_eq!(a.state().counts.loads, 1);
    test.programs.close().await;
}

async fn an_idle_program_is_stopped_and_started_again() {
    let test = Test::new(|folder| {
        let pids = pid_file(folder).display().to_string();
        let mut toy = a_toy("a", &["pids", &pids]);
        toy.needs.idle = Some(Duration::from_millis(300));
        vec![toy]
    });
    let a = test.program("a");
    a.admit(true).await.unwrap().made();
    let [pid] = test.pids()[..] else { panic!() };
    assert!(is_running(pid));
    until("the idle program is gone", || !is_running(pid)).await;
    until("its memory is free", || test.programs.devices()[0].held == 0).await;
    a.admit(true).await.unwrap().made();
    assert_eq!((a.state().counts.loads, a.state().counts.failures), (2, 0));
    test.programs.close().await;
}

async fn programs_that_do_not_fit_together_make_room_for_each_other() {
    let test = Test::new(|folder| {
        let pids = pid_file(folder).display().to_string();
        vec![a_toy("a", &["pids", &pids]), a_toy("b", &["pids", &pids])]
    });
    let (a, b) = (test.program("a"), test.program("b"));
    a.admit(true).await.unwrap().made();
    b.admit(true).await.unwrap().made();
    let [first, second] = test.pids()[..] else {
        panic!()
    };
    assert!(!is_running(first) && is_running(second));
    // Jobs in alternation: those that wait are served together.
    let jobs: Vec<_> = (0..40)
        .map(|at| {
            let program = if at % 2 == 0 { a.clone() } else { b.clone() };
            tokio::spawn(async move {
                let ticket = program.admit(true).await.unwrap();
                tokio::time::sleep(Duration::from_millis(10)).await;
                ticket.made();
            })
        })
        .collect();
    for job in jobs {
        job.await.unwrap();
    }
    let loads = a.state().counts.loads + b.state().counts.loads;
    assert!((3..=4).contains(&loads), "{loads}");
    test.programs.close().await;
}

async fn a_program_that_is_killed_in_the_middle_of_a_job_is_started_again() {
    let test = Test::new(|_| vec![a_toy("a", &[])]);
    let a = test.program("a");
    for round in 1..=5 {
        let ticket = a.admit(true).await.unwrap();
        let pid: u32 = toy::ask(ticket.port(), "pid").unwrap().parse().unwrap();
        kill(pid);
        timeout(Duration::from_secs(1), ticket.gone()).await.unwrap();
        drop(ticket);
        until("the failure is counted", || a.state().counts.failures == round).await;
        let last = a.state().last_failure.unwrap();
        assert!(
            last.contains("it ended by itself") && last.contains("signal: 9"),
            "{last}"
        );
        // A job that is made ends the row of failures.
        a.admit(true).await.unwrap().made();
    }
    assert_eq!(a.state().last_failure, None);
    test.programs.close().await;
}

async fn a_killed_program_takes_what_it_started_with_it() {
    let test = Test::new(|folder| {
        let pids = pid_file(folder).display().to_string();
        vec![a_toy("a", &["pids", &pids, "child", "yes"])]
    });
    let a = test.program("a");
    let ticket = a.admit(true).await.unwrap();
    let [program, child] = test.pids()[..] else {
        panic!()
    };
    assert!(is_running(program) && is_running(child));
    kill(program);
    until("its child is gone", || !is_running(child)).await;
    drop(ticket);
    test.programs.close().await;
}

async fn a_program_whose_guard_is_killed_does_not_survive() {
    let test = Test::new(|folder| {
        let pids = pid_file(folder).display().to_string();
        vec![a_toy("a", &["pids", &pids])]
    });
    let a = test.program("a");
    let ticket = a.admit(true).await.unwrap();
    let [program] = test.pids()[..] else { panic!() };
    let stat = std::fs::read_to_string(format!("/proc/{program}/stat")).unwrap();
    let guard = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .nth(1)
        .unwrap();
    kill(guard.parse().unwrap());
    until("the program is gone", || !is_running(program)).await;
    timeout(Duration::from_secs(1), ticket.gone()).await.unwrap();
    drop(ticket);
    test.programs.close().await;
}

/// Runs a program until it is killed.
fn service(pids: &Path) -> ExitCode {
    let run = async {
        let pids = pids.display().to_string();
        let test = Test::new(|_| vec![a_toy("a", &["pids", &pids, "child", "yes"])]);
        let ticket = test.program("a").admit(true).await.unwrap();
        println!("ready");
        toy::ask(ticket.port(), "sleep");
    };
    tokio::runtime::Runtime::new().unwrap().block_on(run);
    ExitCode::SUCCESS
}

async fn a_service_that_is_killed_leaves_nothing_running() {
    let folder = tempfile::tempdir().unwrap();
    let file = pid_file(folder.path());
    for round in 1..=10 {
        let mut service = Command::new(std::env::current_exe().unwrap())
            .arg("service")
            .arg(&file)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(
            &mut std::io::BufReader::new(service.stdout.take().unwrap()),
            &mut line,
        )
        .unwrap();
        assert_eq!(line, "ready\n");
        let all = pids(&file);
        assert_eq!(all.len(), 2 * round);
        assert!(all[2 * round - 2..].iter().all(|pid| is_running(*pid)));
        service.kill().unwrap();
        service.wait().unwrap();
        let took = until("nothing is left", || !all.iter().any(|pid| is_running(*pid))).await;
        assert!(took < Duration::from_secs(2), "{took:?}");
    }
}

async fn a_job_that_is_given_up_kills_its_program_within_a_second() {
    let test = Test::new(|folder| {
        let pids = pid_file(folder).display().to_string();
        vec![a_toy("a", &["pids", &pids, "child", "yes"])]
    });
    let a = test.program("a");
    let ticket = a.admit(true).await.unwrap();
    let all = test.pids();
    ticket.kill();
    drop(ticket);
    let took = until("nothing is left", || !all.iter().any(|pid| is_running(*pid))).await;
    assert!(took < Duration::from_secs(1), "{took:?}");
    a.admit(true).await.unwrap().made();
    assert_eq!(a.state().counts.failures, 0, "that was no failure of the program");
    test.programs.close().await;
}

async fn a_program_that_ends_at_once_is_tried_again_with_delays() {
    let test = Test::new(|folder| {
        let pids = pid_file(folder).display().to_string();
        vec![a_toy("a", &["pids", &pids, "exits", "3"])]
    });
    let a = test.program("a");
    let begun = std::time::Instant::now();
    for _ in 0..4 {
        assert_eq!(a.admit(true).await.unwrap_err(), Refusal::NotLoaded);
        assert_eq!(a.admit(false).await.unwrap_err(), Refusal::Recovering);
    }
    // 0.2, 0.4 and 0.8 s.
    assert!(
        begun.elapsed() >= Duration::from_millis(1_400),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!((test.pids().len(), a.state().counts.failures), (4, 4));
    let last = a.state().last_failure.unwrap();
    assert!(
        last.contains("it ended while it was loading") && last.contains("exit status: 3"),
        "{last}"
    );
    test.programs.close().await;
}

async fn a_program_that_is_not_ready_in_time_is_killed() {
    let test = Test::new(|folder| {
        let pids = pid_file(folder).display().to_string();
        let mut toy = a_toy("a", &["pids", &pids, "writes", "1", "hangs", "100"]);
        toy.start_deadline = Duration::from_millis(700);
        vec![toy]
    });
    let a = test.program("a");
    assert_eq!(a.admit(true).await.unwrap_err(), Refusal::NotLoaded);
    assert!(!is_running(test.pids()[0]));
    let last = a.state().last_failure.unwrap();
    assert!(
        last.contains("it was not ready within 0.7 s: it answered None"),
        "{last}"
    );
    assert!(last.contains("the last words"), "{last}");
    test.programs.close().await;
}

async fn a_program_that_does_not_exist_is_refused_with_the_reason() {
    let test = Test::new(|_| {
        let mut toy = a_toy("a", &[]);
        "/no/such/program".clone_into(&mut toy.command[0]);
        vec![toy]
    });
    let a = test.program("a");
    assert_eq!(a.admit(true).await.unwrap_err(), Refusal::NotLoaded);
    let last = a.state().last_failure.unwrap();
    assert!(
        last.contains("cannot run `/no/such/program`: No such file"),
        "{last}"
    );
    test.programs.close().await;
}

async fn operators_see_the_last_4_kib_of_the_output() {
    let test = Test::new(|_| vec![a_toy("a", &["writes", "100000", "exits", "1"])]);
    let a = test.program("a");
    a.admit(true).await.unwrap_err();
    let last = a.state().last_failure.unwrap();
    let (_, output) = last.split_once('\n').unwrap();
    assert!(output.len() > 4_000 && output.len() <= 4_096, "{}", output.len());
    assert!(!output.contains('\u{1b}'), "without colours: {output}");
    assert!(
        output.starts_with("xxx") && output.contains("the last words"),
        "{output}"
    );
    test.programs.close().await;
}

async fn a_program_has_only_the_environment_and_the_limits_of_its_description() {
    let test = Test::new(|_| {
        let mut toy = a_toy("a", &[]);
        toy.limits = Limits {
            memory_bytes: None,
            files: Some(50),
        };
        toy.environment
            .insert("WHERE".to_owned(), "{device} {port}".to_owned());
        vec![toy]
    });
    let ticket = test.program("a").admit(true).await.unwrap();
    let ask = |line| toy::ask(ticket.port(), line).unwrap();
    let expected = format!(
        "[(\"PATH\", \"/usr/bin:/bin\"), (\"WHERE\", \"cpu {}\")]",
        ticket.port()
    );
    assert_eq!(ask("environment"), expected);
    let files: u64 = ask("files").parse().unwrap();
    assert!((30..50).contains(&files), "{files}");
    assert_eq!(ask("score"), "500");
    drop(ticket);
    test.programs.close().await;
}

async fn a_program_that_wants_more_memory_than_its_limit_ends() {
    let test = Test::new(|_| {
        let mut toy = a_toy("a", &[]);
        toy.limits.memory_bytes = Some(128 * MIB);
        vec![toy, a_toy("free", &[])]
    });
    let a = test.program("a");
    let ticket = a.admit(true).await.unwrap();
    assert_eq!(toy::ask(ticket.port(), "memory"), None);
    timeout(Duration::from_secs(2), ticket.gone()).await.unwrap();
    drop(ticket);
    let last = a.state().last_failure.unwrap();
    assert!(
        last.contains("memory allocation of 268435456 bytes failed"),
        "{last}"
    );
    let ticket = test.program("free").admit(true).await.unwrap();
    assert_eq!(toy::ask(ticket.port(), "memory").unwrap(), "268435457");
    drop(ticket);
    test.programs.close().await;
}

async fn the_time_of_a_load_is_remembered_over_restarts() {
    let test = Test::new(|_| vec![a_toy("a", &["loads", "200"])]);
    test.program("a").admit(true).await.unwrap().made();
    let file = test.folder.path().join("history/a.seconds");
    until("the time is noted", || file.exists()).await;
    let seconds: f64 = std::fs::read_to_string(file).unwrap().trim().parse().unwrap();
    assert!((0.2..5.0).contains(&seconds), "{seconds}");
    test.programs.close().await;
    let again = atelier_processes::Programs::new(atelier_processes::Setup {
        guard: std::env::current_exe().unwrap(),
        devices: vec![atelier_processes::Device {
            name: "cpu".to_owned(),
            budget: 16 * MIB,
        }],
        programs: vec![a_toy("a", &[])],
        rules: atelier_processes::Rules::default(),
        history: Some(test.folder.path().join("history")),
        sockets: test.folder.path().join("sockets"),
    });
    let remembered = again.program("a").unwrap().state().last_load.unwrap();
    assert!(
        (remembered.as_secs_f64() - seconds).abs() < 0.01,
        "{remembered:?}"
    );
}

async fn closing_stops_everything_and_starts_nothing_more() {
    let test = Test::new(|folder| {
        let pids = pid_file(folder).display().to_string();
        vec![a_toy("a", &["pids", &pids, "child", "yes"])]
    });
    let a = test.program("a");
    a.admit(true).await.unwrap().made();
    let all = test.pids();
    test.programs.close().await;
    assert!(!all.iter().any(|pid| is_running(*pid)));
    assert_eq!(a.admit(true).await.unwrap_err(), Refusal::Recovering);
    assert_eq!(test.pids().len(), 2);
}
