//! From the start of the process until it is ready, with a long history in the store.

use super::history;
use crate::{context::Context, error::Result, figure::Figure, load::percentile, server::Data};

const JOBS: u64 = 100_000;
const STARTS: usize = 5;

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let data = Data::echo(context)?;
    let jobs = context.amount(JOBS);
    history::fill(&data, jobs, None).await?;
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let server = data.serve(&[]).await?;
        times.push(server.started_in);
        server.stop()?;
    }
    let longest = percentile(&mut times, 1.0);
    Ok(vec![
        Figure::seconds(
            format!("start to ready with {jobs} jobs, median of {STARTS}"),
            percentile(&mut times, 0.5),
        )
        .at_most(0.5),
        Figure::seconds("the longest", longest),
    ])
}
