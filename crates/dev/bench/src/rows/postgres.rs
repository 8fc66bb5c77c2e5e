//! The service on PostgreSQL: first complete jobs, then acceptance alone, which leaves its jobs in the queue.

use std::time::Duration;

use super::{complete, generation::generation};
use crate::{
    context::Context,
    error::Result,
    figure::Figure,
    http,
    load::Clients,
    server::{BASE, Data},
};

const ACCEPTING: Duration = Duration::from_secs(6);
const WARM_UP: Duration = Duration::from_millis(300);

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let Some(url) = &context.postgres else {
        return Ok(Vec::new());
    };
    let data = Data::postgres(context, url)?;
    let mut figures = complete::measure(context, &data).await?;

    let service = data.serve(&["--no-workers"]).await?;
    let body = generation(None);
    let request = http::request("POST", &format!("{BASE}/generations"), &data.key, Some(&body));
    let mut clients = Clients::connect(service.port, vec![request], 201).await?;
    let most = context.amount(1_000_000);
    clients.run(WARM_UP, most).await?;
    let before = service.cpu_time()?;
    let time = if context.quick { ACCEPTING / 10 } else { ACCEPTING };
    let accepted = clients.run(time, most).await?;
    let cpu = service.cpu_time()?.saturating_sub(before);
    figures.push(Figure::per_second("accepted, 64 clients", accepted.per_second()));
    figures.push(Figure::millis(
        "the service's processor time per accepted job",
        cpu.div_f64(accepted.answers as f64),
    ));
    Ok(figures)
}
