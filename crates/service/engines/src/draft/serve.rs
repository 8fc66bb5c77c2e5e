//! The host's side: the process that decodes and draws. It reads orders from standard input, writes reports
//! to standard output, and ends when the service does, even in the middle of a request.

use std::{
    io::{self, BufRead, Read as _, Write as _},
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use atelier_protocol::{Request, Run};
use rustix::process::{Signal, getpid, kill_process};

use super::wire::{self, MAX_ORDER, Order, Report};

/// The least step of progress worth a line.
const STEP: f64 = 0.005;

/// Runs this process as a host, which does each request with `run`, until its standard input ends.
pub fn host_main(run: Run) -> ExitCode {
    match serve(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error is the host's line to the service's log. If it is closed, nobody is there.
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(run: Run) -> io::Result<()> {
    let (sender, orders) = channel();
    let unfinished = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&unfinished);
    thread::spawn(move || read_orders(io::stdin().lock(), &sender, &counter));
    obey(run, &orders, &unfinished)
}

/// Reads on while a request runs, because the end of the input is how a host learns that the service is gone.
/// A signal at the parent's death would not do: it comes when the thread that started the host ends.
fn read_orders(mut input: impl BufRead, orders: &Sender<io::Result<Vec<u8>>>, unfinished: &AtomicUsize) {
    loop {
        let mut line = Vec::new();
        let read = input
            .by_ref()
            .take(MAX_ORDER as u64 + 1)
            .read_until(b'\n', &mut line);
        let order = match read {
            Ok(0) => break,
            Ok(_) if line.len() > MAX_ORDER => Err(io::Error::other("an order is too long")),
            Ok(_) => Ok(line),
            Err(error) => Err(error),
        };
        let last = order.is_err();
        unfinished.fetch_add(1, Ordering::SeqCst);
        if orders.send(order).is_err() || last {
            return;
        }
    }
    if unfinished.load(Ordering::SeqCst) > 0 {
        // Nobody waits for the request that runs. An orderly exit would run destructors under its threads.
        if kill_process(getpid(), Signal::KILL).is_err() {
            std::process::abort();
        }
    }
}

fn obey(run: Run, orders: &Receiver<io::Result<Vec<u8>>>, unfinished: &AtomicUsize) -> io::Result<()> {
    let mut limited = false;
    for line in orders {
        match serde_json::from_slice(&line?)? {
            Order::Limits(limits) => {
                limits.apply()?;
                limited = true;
            }
            Order::Run(_) if !limited => return Err(io::Error::other("a request came before the limits")),
            Order::Run(request) => {
                let last = attempt(run, &request);
                say(&last)?;
            }
        }
        unfinished.fetch_sub(1, Ordering::SeqCst);
    }
    Ok(())
}

fn attempt(run: Run, request: &Request) -> Report {
    let mut said = 0.0;
    let mut progress = |done: f32| {
        let done = f64::from(done).clamp(0.0, 1.0);
        // Also false for what is no number. A report that cannot be written shows at the last one.
        if done - said >= STEP && say(&Report::Progress(done)).is_ok() {
            said = done;
        }
    };
    // The service ends a host whose engine panicked, so no one sees what the panic left behind.
    match catch_unwind(AssertUnwindSafe(|| run(request, &mut progress))) {
        Ok(Ok(response)) => Report::Done(response),
        Ok(Err(error)) => Report::Failed(error),
        Err(_) => Report::Panicked {},
    }
}

fn say(report: &Report) -> io::Result<()> {
    let line = wire::line(report)?;
    let mut output = io::stdout().lock();
    output.write_all(&line)?;
    output.flush()
}
