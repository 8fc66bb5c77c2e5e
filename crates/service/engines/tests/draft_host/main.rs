//! The draft engine against real child processes, well-behaved and misbehaving ones. This program is also the host:
//! started with `host`, it serves tasks that misbehave in every way a decoder can.

#![expect(
    clippy::unwrap_used,
    reason = "with its own `main`, this is not a test for the lint"
)]

mod fixture;
mod misbehave;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};

use atelier_domain::{Failure, FailureCode};
use atelier_engines::{Context, DraftEngine, Engine as _, MadeFile, draft};
use atelier_media::{Scratch, scratch::Quota};
use fixture::{
    MEMORY, OUTPUT, Test, assert_too_large, assert_unexpected, eventually, gone, is_running, job, kill,
    options,
};
use libtest_mimic::{Arguments, Trial};
use serde_json::json;
use tokio_util::sync::CancellationToken;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("host") => draft::host_main(misbehave::run),
        Some("service") => service(Path::new(&arguments[2])),
        _ => {
            let arguments = Arguments::from_args();
            libtest_mimic::run(&arguments, trials()).exit_code()
        }
    }
}

fn trials() -> Vec<Trial> {
    macro_rules! trials {
        ($($name:ident),* $(,)?) => {
            vec![$(Trial::test(stringify!($name), || {
                tokio::runtime::Runtime::new()?.block_on($name());
                Ok(())
            })),*]
        };
    }
    trials![
        a_clean_job_returns_its_files_metadata_and_progress,
        a_host_is_used_again_after_a_clean_job,
        a_host_is_used_again_after_it_rejected_a_request,
        concurrent_jobs_have_different_hosts,
        an_idle_host_is_ended_after_its_time,
        a_host_that_died_while_idle_is_replaced,
        closing_ends_idle_hosts_and_accepts_no_further_jobs,
        a_rejected_input_is_not_retried,
        a_crash_fails_one_attempt_and_the_next_works,
        a_panic_fails_the_job_and_ends_the_host,
        a_host_cannot_use_more_memory_than_its_limit,
        a_file_larger_than_the_limit_is_never_written,
        files_larger_than_the_limit_together_are_refused,
        a_host_that_fills_the_scratch_folder_is_killed_and_its_job_retried,
        a_host_that_finds_the_disk_full_is_not_at_fault,
        an_invalid_report_ends_the_host,
        a_host_that_writes_more_than_an_answer_is_not_used_again,
        a_flood_on_standard_error_does_not_stop_a_host,
        files_outside_the_jobs_folder_are_refused,
        a_host_has_no_environment_no_core_files_and_a_lower_priority,
        a_cancelled_job_is_killed_immediately,
        a_job_that_waits_for_a_host_can_be_cancelled,
        a_dropped_job_leaves_nothing_running,
        a_service_that_is_killed_leaves_no_host_running,
        a_program_that_cannot_be_started_fails_the_attempt,
        a_host_refuses_to_run_without_limits,
    ]
}

async fn a_clean_job_returns_its_files_metadata_and_progress() {
    let test = Test::new();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&heard);
    let context = Context::new(CancellationToken::new(), move |done| {
        listener.lock().unwrap().push(done);
    });
    let made = test
        .engine
        .run(test.job("good", json!({"word": "hello"})), context)
        .await
        .unwrap();
    let [MadeFile::Path(path)] = &made.files[..] else {
        panic!("{made:?}")
    };
    assert_eq!(path, &test.folder().join("made.png"));
    assert_eq!(fs::read(path).unwrap(), b"good");
    assert_eq!(made.metadata["word"], "hello");
    assert_eq!(*heard.lock().unwrap(), [0.25, 0.5]);
}

async fn a_host_is_used_again_after_a_clean_job() {
    let test = Test::new();
    let first = test.pid().await;
    assert_eq!(test.pid().await, first);
}

async fn a_host_is_used_again_after_it_rejected_a_request() {
    let test = Test::new();
    let first = test.pid().await;
    test.failure("invalid", json!({})).await;
    assert_eq!(test.pid().await, first);
}

async fn concurrent_jobs_have_different_hosts() {
    let test = Test::new();
    let (one, other) = tokio::join!(test.pid(), test.pid());
    assert_ne!(one, other);
}

async fn an_idle_host_is_ended_after_its_time() {
    let test = Test::with(|options| options.idle_timeout = Duration::from_millis(100));
    let first = test.pid().await;
    gone(first).await;
    let second = test.pid().await;
    assert_ne!(second, first);
    gone(second).await;
}

async fn a_host_that_died_while_idle_is_replaced() {
    let test = Test::new();
    let first = test.pid().await;
    kill(first);
    gone(first).await;
    assert_ne!(test.pid().await, first);
}

async fn closing_ends_idle_hosts_and_accepts_no_further_jobs() {
    let test = Test::new();
    let pid = test.pid().await;
    test.engine.close().await;
    assert!(!is_running(pid));
    assert!(test.run("good", json!({})).await.is_err());
}

async fn a_rejected_input_is_not_retried() {
    let test = Test::new();
    let expected = Failure::fail(FailureCode::InvalidInput, "`image_urls` contains no picture");
    assert_eq!(test.failure("invalid", json!({})).await, expected);
    let expected = Failure::fail(FailureCode::GenerationFailed, "no such colour");
    assert_eq!(test.failure("failed", json!({})).await, expected);
}

async fn a_crash_fails_one_attempt_and_the_next_works() {
    let test = Test::new();
    for way in ["abort", "exit", "overflow"] {
        let before = test.pid().await;
        assert_unexpected(&test.failure(way, json!({})).await);
        assert_ne!(test.pid().await, before, "{way}");
        gone(before).await;
    }
}

async fn a_panic_fails_the_job_and_ends_the_host() {
    let test = Test::new();
    let before = test.pid().await;
    let failure = test.failure("panic", json!({})).await;
    assert_eq!(failure.code, FailureCode::GenerationFailed);
    assert!(!failure.is_retryable());
    assert!(!failure.message.contains("secret"), "{failure}");
    assert_ne!(test.pid().await, before);
    gone(before).await;
}

async fn a_host_cannot_use_more_memory_than_its_limit() {
    let test = Test::new();
    let below = test.run("memory", json!({"bytes": MEMORY / 2})).await.unwrap();
    assert_eq!(below.metadata["bytes"], MEMORY / 2);
    assert_unexpected(&test.failure("memory", json!({"bytes": MEMORY * 2})).await);
    test.pid().await;
}

async fn a_file_larger_than_the_limit_is_never_written() {
    let test = Test::new();
    assert_too_large(
        &test
            .failure("write", json!({"files": 1, "bytes": OUTPUT + 1}))
            .await,
    );
    assert_eq!(fs::metadata(test.folder().join("0.png")).unwrap().len(), OUTPUT);
    test.run("write", json!({"files": 1, "bytes": OUTPUT}))
        .await
        .unwrap();
}

async fn a_host_that_finds_the_disk_full_is_not_at_fault() {
    let test = Test::new();
    let job = test.job("full", json!({}));
    let scratch = job.scratch.clone();
    let context = Context::new(CancellationToken::new(), |_| {});
    let failure = test.engine.run(job, context).await.unwrap_err();
    assert!(failure.is_retryable() && scratch.found_no_place(), "{failure}");
    assert!(failure.message.contains("has no room"), "{failure}");
}

async fn a_host_that_fills_the_scratch_folder_is_killed_and_its_job_retried() {
    const MOST: u64 = 2 << 20;
    let test = Test::new();
    let mut job = test.job("fill", json!({"bytes": 32 << 10}));
    let quota = Quota {
        most: MOST,
        reserve: 0,
    };
    job.scratch = Scratch::new(test.folder(), quota);
    let context = Context::new(CancellationToken::new(), |_| {});
    let failure = test.engine.run(job, context).await.unwrap_err();
    assert!(failure.is_retryable(), "{failure}");
    assert!(failure.message.contains("has no room"), "{failure}");
    for pid in test.reported_pids().await {
        gone(pid).await;
    }
    let written: u64 = fs::read_dir(test.folder())
        .unwrap()
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum();
    assert!(written <= MOST, "{written}");
    assert!(written > MOST / 2, "{written}");
}

async fn files_larger_than_the_limit_together_are_refused() {
    let test = Test::new();
    test.run("write", json!({"files": 2, "bytes": OUTPUT / 2}))
        .await
        .unwrap();
    assert_too_large(
        &test
            .failure("write", json!({"files": 2, "bytes": OUTPUT / 2 + 1}))
            .await,
    );
}

async fn an_invalid_report_ends_the_host() {
    let test = Test::new();
    for way in ["garbage", "endless", "not-utf8", "unknown-report"] {
        let before = test.pid().await;
        assert_unexpected(&test.failure(way, json!({})).await);
        assert_ne!(test.pid().await, before, "{way}");
        gone(before).await;
    }
}

async fn a_host_that_writes_more_than_an_answer_is_not_used_again() {
    let test = Test::new();
    let before = test.pid().await;
    test.run("talkative", json!({})).await.unwrap();
    assert_ne!(test.pid().await, before);
    gone(before).await;
}

async fn a_flood_on_standard_error_does_not_stop_a_host() {
    let test = Test::new();
    let before = test.pid().await;
    test.run("noisy", json!({})).await.unwrap();
    assert_eq!(test.pid().await, before);
}

async fn files_outside_the_jobs_folder_are_refused() {
    let test = Test::new();
    let secret = test.root.path().canonicalize().unwrap().join("secret");
    fs::write(&secret, b"secret").unwrap();
    for file in [
        "../secret",
        secret.to_str().unwrap(),
        "/etc/passwd",
        "link",
        "missing.png",
        ".",
    ] {
        let failure = test.failure("name", json!({"file": file, "link": secret})).await;
        let expected = Failure::fail(
            FailureCode::GenerationFailed,
            "the embedded engine returned no usable file",
        );
        assert_eq!(failure, expected, "{file}");
    }
}

async fn a_host_has_no_environment_no_core_files_and_a_lower_priority() {
    let test = Test::new();
    let found = test.run("surroundings", json!({})).await.unwrap().metadata;
    assert_eq!(found["environment"], json!([]));
    assert_eq!(found["core"], 0);
    let own = i64::from(rustix::process::getpriority_process(None).unwrap());
    assert_eq!(found["priority"], (own + 5).min(19));
}

async fn a_cancelled_job_is_killed_immediately() {
    let test = Test::new();
    for way in ["sleep", "spin", "with-child"] {
        let cancel = CancellationToken::new();
        let job = test
            .engine
            .run(test.job(way, json!({})), Context::new(cancel.clone(), |_| {}));
        let cancelled = async {
            let pids = test.reported_pids().await;
            cancel.cancel();
            pids
        };
        let (outcome, pids) = tokio::join!(job, cancelled);
        assert!(outcome.unwrap_err().is_retryable());
        assert!(
            !is_running(pids[0]),
            "{way}: the host has ended before the engine returns"
        );
        for pid in pids {
            gone(pid).await;
        }
    }
    test.pid().await;
}

async fn a_job_that_waits_for_a_host_can_be_cancelled() {
    let test = Test::with(|options| options.concurrency = 1);
    let cancel_first = CancellationToken::new();
    let first = test.engine.run(
        test.job("sleep", json!({})),
        Context::new(cancel_first.clone(), |_| {}),
    );
    let second = async {
        let pids = test.reported_pids().await;
        let cancel = CancellationToken::new();
        cancel.cancel();
        let job = test.job("good", json!({}));
        assert!(test.engine.run(job, Context::new(cancel, |_| {})).await.is_err());
        assert!(is_running(pids[0]));
        cancel_first.cancel();
    };
    let (outcome, ()) = tokio::join!(first, second);
    assert!(outcome.is_err());
}

async fn a_dropped_job_leaves_nothing_running() {
    let test = Test::new();
    let pids = tokio::select! {
        _ = test.run("with-child", json!({})) => unreachable!("the task is endless"),
        pids = test.reported_pids() => pids,
    };
    assert_eq!(pids.len(), 2);
    for pid in pids {
        gone(pid).await;
    }
}

async fn a_service_that_is_killed_leaves_no_host_running() {
    let test = Test::new();
    let mut service = Command::new(std::env::current_exe().unwrap())
        .arg("service")
        .arg(test.root.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pids = test.reported_pids().await;
    assert!(is_running(pids[0]));
    service.kill().unwrap();
    service.wait().unwrap();
    gone(pids[0]).await;
}

async fn a_program_that_cannot_be_started_fails_the_attempt() {
    let test = Test::with(|options| options.program = PathBuf::from("/no/such/program"));
    assert_unexpected(&test.failure("good", json!({})).await);
}

async fn a_host_refuses_to_run_without_limits() {
    use std::io::Write as _;

    let mut host = Command::new(std::env::current_exe().unwrap())
        .arg("host")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let order = r#"{"run":{"task":"good","params":{},"inputs":[],"seed":1,"out":"nowhere"}}"#;
    let mut input = host.stdin.take().unwrap();
    writeln!(input, "{order}").unwrap();
    // The input stays open, because its end would also end the host.
    let status = eventually("the host ends", || host.try_wait().unwrap()).await;
    assert_eq!(status.code(), Some(1));
    let output = host.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"");
    assert_eq!(output.stderr, b"a request came before the limits\n");
    drop(input);
}

/// A service that runs one endless job, for the test that kills it.
fn service(root: &Path) -> ExitCode {
    let engine = DraftEngine::new(options());
    let job = engine.run(
        job(root, "spin", json!({})),
        Context::new(CancellationToken::new(), |_| {}),
    );
    let outcome = tokio::runtime::Runtime::new().unwrap().block_on(job);
    panic!("the task is endless: {outcome:?}");
}
