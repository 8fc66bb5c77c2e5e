//! Reading ended jobs and calling a route that does nothing, measured in turns.

use std::time::Duration;

use serde_json::Value;

use super::generation::generation;
use crate::{
    context::Context,
    error::{Error, Result},
    figure::Figure,
    http::{self, Connection},
    load::{Clients, Tally},
    reference::Kind,
    server::{BASE, Data, Server},
};

const JOBS: usize = 500;
const TURNS: u32 = 3;
const TURN: Duration = Duration::from_millis(1_500);
const WARM_UP: Duration = Duration::from_millis(300);

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let data = Data::echo(context)?;
    let service = data.serve(&[]).await?;
    let requests = ended_jobs(&data, service.port).await?;
    let mut ours = Clients::connect(service.port, requests, 200).await?;
    let reference = Server::reference(context, Kind::Noop).await?;
    let mut plain =
        Clients::connect(reference.port, vec![http::request("GET", "/noop", "", None)], 200).await?;

    let most = context.amount(10_000_000);
    plain.run(WARM_UP, most).await?;
    ours.run(WARM_UP, most).await?;
    let turn = if context.quick { TURN / 10 } else { TURN };
    let (mut read, mut nothing, mut cpu) = (Tally::default(), Tally::default(), Duration::ZERO);
    for _ in 0..TURNS {
        nothing.add(plain.run(turn, most).await?);
        let before = service.cpu_time()?;
        read.add(ours.run(turn, most).await?);
        cpu += service.cpu_time()?.saturating_sub(before);
    }
    Ok(vec![
        Figure::per_second("read, 64 clients", read.per_second()).share_of(nothing.per_second(), 0.5),
        Figure::millis("processor time per read", cpu.div_f64(read.answers as f64)),
    ])
}

/// Makes jobs, waits for their end, and returns the requests that read them.
async fn ended_jobs(data: &Data, port: u16) -> Result<Vec<Vec<u8>>> {
    let create = http::request(
        "POST",
        &format!("{BASE}/generations"),
        &data.key,
        Some(&generation(None)),
    );
    let mut client = Connection::open(port).await?;
    let mut requests = Vec::with_capacity(JOBS);
    for _ in 0..JOBS {
        let created: Value = serde_json::from_slice(client.expect(201, &create).await?)?;
        let id = created["data"]["id"].as_str().unwrap_or_default();
        let path = format!("{BASE}/generations/{id}");
        let wait = http::request("GET", &format!("{path}?wait=10"), &data.key, None);
        let ended: Value = serde_json::from_slice(client.expect(200, &wait).await?)?;
        if ended["data"]["status"] != "completed" {
            return Err(Error::Unexpected(format!("a job has not completed: {ended}")));
        }
        requests.push(http::request("GET", &path, &data.key, None));
    }
    Ok(requests)
}
