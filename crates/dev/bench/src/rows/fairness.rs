//! The first job of one account behind many of another one, on an engine with two slots: without plans, and with a
//! plan that limits how many jobs of an account run and gives it two jobs in each turn.

use std::time::{Duration, Instant};

use super::{generation::generation, history, providers::Provider};
use crate::{
    context::Context,
    database,
    error::{Error, Result},
    figure::Figure,
    http::{self, Connection},
    receiver::Receiver,
    server::{BASE, Data},
};

const QUEUED: u64 = 100_000;
const SLOTS: u64 = 2;
const WORK: Duration = Duration::from_secs(1);
/// The prompt of the request, which no queued job has.
const WANTED: &str = "a lighthouse on a cliff at dusk, in oil";
const LATEST: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_millis(5);

/// On SQLite, and on PostgreSQL if there is a database.
pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for has_plan in [false, true] {
        let provider = Provider::start(WORK, WANTED).await?;
        let data = Data::provider(context, provider.port, SLOTS)?;
        figures.extend(wait(context, &provider, &data, has_plan, "").await?);
    }
    if let Some(url) = &context.postgres {
        for has_plan in [false, true] {
            let provider = Provider::start(WORK, WANTED).await?;
            let data = Data::provider_postgres(context, provider.port, SLOTS, url).await?;
            figures.extend(wait(context, &provider, &data, has_plan, ", on PostgreSQL").await?);
            database::clear(url).await?;
        }
    }
    Ok(figures)
}

async fn wait(
    context: &Context,
    provider: &Provider,
    data: &Data,
    has_plan: bool,
    store: &str,
) -> Result<Vec<Figure>> {
    let queued = context.amount(QUEUED);
    history::queue(data, queued, "provider").await?;
    let key = data.account("other")?;
    if has_plan {
        let limits = ["--max-running", "2", "--weight", "2", "--json"];
        data.ask(&[&["plan", "set", "studio"][..], &limits].concat())?;
        for account in ["bench", "other"] {
            data.ask(&["account", "update", account, "--plan", "studio", "--json"])?;
        }
    }
    let mut receiver = Receiver::start().await?;
    let service = data.serve(&[]).await?;
    // Both slots are in use, and some jobs have ended.
    let begun = Instant::now();
    while provider.begun() < 2 * SLOTS {
        if begun.elapsed() > LATEST {
            return Err(Error::Unexpected("the queued jobs do not begin".to_owned()));
        }
        tokio::time::sleep(LOOK).await;
    }
    let body =
        generation(Some(&receiver.url())).replace("a lighthouse on a cliff at dusk, watercolor", WANTED);
    let request = http::request("POST", &format!("{BASE}/generations"), &key, Some(&body));
    let submitted = Instant::now();
    Connection::open(service.port)
        .await?
        .expect(201, &request)
        .await?;
    let last = super::complete::arrivals(&mut receiver, 1, LATEST).await?;
    let began = provider
        .found_at()
        .ok_or_else(|| Error::Unexpected("the job ended before it began".to_owned()))?;
    let length = last - began;
    let plan = if has_plan { ", with a plan" } else { "" };
    Ok(vec![
        Figure::new(
            format!(
                "wait for a slot behind {queued} jobs of another account, in lengths of a job{plan}{store}"
            ),
            (began - submitted).as_secs_f64() / length.as_secs_f64(),
            "",
        )
        .at_most(2.0),
        Figure::seconds(format!("length of a job{plan}{store}"), length),
    ])
}
