//! The memory of a server: idle, and while eight clients upload the largest files at the same time.

use std::time::{Duration, Instant};

use futures::future::try_join_all;

use crate::{context::Context, error::Result, figure::Figure, files, machine, server::Data};

const CLIENTS: u64 = 8;
const REST: Duration = Duration::from_secs(2);

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let data = Data::embedded(context)?;
    let service = data.serve(&[]).await?;
    tokio::time::sleep(REST).await;
    let idle = machine::resident(service.pid())?;

    // The kernel records the peak itself, so no sample can miss it.
    machine::reset_peak(service.pid())?;
    let begun = Instant::now();
    try_join_all((0..CLIENTS).map(|number| files::upload(service.port, &data.key, number))).await?;
    let elapsed = begun.elapsed();
    let peak = machine::peak(service.pid())?;
    let rate = (CLIENTS as usize * files::SIZE) as f64 / f64::from(1 << 20) / elapsed.as_secs_f64();
    Ok(vec![
        Figure::mebibytes("idle", idle).at_most(40.0),
        Figure::mebibytes(
            "growth while 8 clients upload 25 MiB each",
            peak.saturating_sub(idle),
        )
        .at_most(32.0),
        Figure::new("uploaded per second", rate, "MiB"),
    ])
}
