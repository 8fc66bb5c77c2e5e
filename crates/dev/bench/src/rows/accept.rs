//! Acceptance alone: a server without workers, one that inserts rows, and one that only writes what an accepted job
//! writes, measured in turns, so that other load on the machine affects all.

use std::time::Duration;

use super::generation::generation;
use crate::{
    context::Context,
    error::Result,
    figure::Figure,
    http,
    load::{Clients, Tally},
    reference::Kind,
    server::{BASE, Data, Server},
};

const TURNS: u32 = 4;
const TURN: Duration = Duration::from_millis(1_500);
const WARM_UP: Duration = Duration::from_millis(300);

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let (data, empty) = (Data::echo(context)?, Data::echo(context)?);
    let body = generation(None);
    let service = data.serve(&["--no-workers"]).await?;
    let request = http::request("POST", &format!("{BASE}/generations"), &data.key, Some(&body));
    let mut ours = Clients::connect(service.port, vec![request], 201).await?;

    let reference = Server::reference(context, Kind::Insert).await?;
    let request = http::request("POST", "/insert", "", Some(&body));
    let mut plain = Clients::connect(reference.port, vec![request], 201).await?;

    let writes = Server::reference_on(context, Kind::Job, &empty).await?;
    let request = http::request("POST", "/job", "", Some(&body));
    let mut least = Clients::connect(writes.port, vec![request], 201).await?;

    let most = context.amount(1_000_000);
    plain.run(WARM_UP, most).await?;
    least.run(WARM_UP, most).await?;
    ours.run(WARM_UP, most).await?;
    let turn = if context.quick { TURN / 10 } else { TURN };
    let (mut accepted, mut inserted, mut written) = (Tally::default(), Tally::default(), Tally::default());
    let (mut cpu, mut least_cpu) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..TURNS {
        inserted.add(plain.run(turn, most).await?);
        let before = writes.cpu_time()?;
        written.add(least.run(turn, most).await?);
        least_cpu += writes.cpu_time()?.saturating_sub(before);
        let before = service.cpu_time()?;
        accepted.add(ours.run(turn, most).await?);
        cpu += service.cpu_time()?.saturating_sub(before);
    }
    let (cpu, least_cpu) = (
        cpu.div_f64(accepted.answers as f64),
        least_cpu.div_f64(written.answers as f64),
    );
    Ok(vec![
        Figure::per_second("accepted, 64 clients", accepted.per_second())
            .share_of(inserted.per_second(), 0.4),
        Figure::per_second("its writes alone, without checks", written.per_second()),
        Figure::millis("processor time per accepted job", cpu).at_most_times(least_cpu, 2.0),
    ])
}
