//! The host's side: the process that decodes and draws. It reads orders from standard input and writes reports to
//! standard output. It ends when the service ends, even during a request.

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

/// The smallest step of progress that is reported.
const STEP: f64 = 0.005;

/// Runs this process as a host until its standard input ends. `run` runs each request.
pub fn host_main(run: Run) -> ExitCode {
    match serve(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error goes to the service's log. If it is closed, the service is gone.
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
    execute(run, &orders, &unfinished)
}

/// Keeps reading during a request, because the end of the input tells the host that the service is gone. A parent-death
/// signal would not do: it is sent when the thread that started the host ends.
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
        // Nobody waits for the running request. An orderly exit would run destructors while its threads still run.
        if kill_process(getpid(), Signal::KILL).is_err() {
            std::process::abort();
        }
    }
}

fn execute(run: Run, orders: &Receiver<io::Result<Vec<u8>>>, unfinished: &AtomicUsize) -> io::Result<()> {
    let mut limited = false;
    for line in orders {
        match serde_json::from_slice(&line?)? {
            Order::Limits(limits) => {
                limits.apply()?;
                limited = true;
            }
            Order::Run(_) if !limited => return Err(io::Error::other("a request came before the limits")),
            Order::Run(request) => {
                let report = attempt(run, &request);
                send(&report)?;
            }
        }
        unfinished.fetch_sub(1, Ordering::SeqCst);
    }
    Ok(())
}

fn attempt(run: Run, request: &Request) -> Report {
    let mut reported = 0.0;
    let mut progress = |done: f32| {
        let done = f64::from(done).clamp(0.0, 1.0);
        // False for NaN, too. If a report cannot be written, the final one fails as well.
        if done - reported >= STEP && send(&Report::Progress(done)).is_ok() {
            reported = done;
        }
    };
    // The service ends a host whose engine panicked, so its state does not matter.
    match catch_unwind(AssertUnwindSafe(|| run(request, &mut progress))) {
        Ok(Ok(response)) => Report::Done(response),
        Ok(Err(error)) => Report::Failed(error),
        Err(_) => Report::Panicked {},
    }
}

fn send(report: &Report) -> io::Result<()> {
    let line = wire::line(report)?;
    let mut output = io::stdout().lock();
    output.write_all(&line)?;
    output.flush()
}
