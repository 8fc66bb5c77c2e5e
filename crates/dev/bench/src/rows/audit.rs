//! An audit of a long history, beside no other load.

use std::time::Instant;

use super::history;
use crate::{
    context::Context,
    error::{Error, Result},
    figure::Figure,
    server::Data,
};

const JOBS: u64 = 200_000;
const MILLION: f64 = 1_000_000.0;
const TIMES: usize = 3;

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let data = Data::echo(context)?;
    let jobs = context.jobs.unwrap_or_else(|| context.amount(JOBS));
    history::fill(&data, jobs, Some("http://127.0.0.1:9/")).await?;
    let mut shortest = f64::INFINITY;
    for _ in 0..TIMES {
        let begun = Instant::now();
        let audit = data.ask(&["audit", "--json"])?;
        shortest = shortest.min(begun.elapsed().as_secs_f64());
        if audit["generations"] != jobs || audit["ok"] != true {
            return Err(Error::Unexpected(format!("the audit found {audit}")));
        }
    }
    let what = format!("audit of {jobs} jobs, in seconds for a million, the shortest of {TIMES}");
    Ok(vec![
        Figure::new(what, shortest / jobs as f64 * MILLION, "s").at_most(5.0),
    ])
}
