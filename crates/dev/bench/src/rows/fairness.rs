//! The first job of one account behind many of another one, on an engine with two slots.

use std::time::{Duration, Instant};

use super::{generation::generation, history, providers::Provider};
use crate::{
    context::Context,
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

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let provider = Provider::start(WORK, WANTED).await?;
    let data = Data::provider(context, provider.port, SLOTS)?;
    let queued = context.amount(QUEUED);
    history::queue(&data, queued, "provider").await?;
    let other = data.ask(&["account", "create", "other", "--credits", "1000", "--json"])?;
    let key = other["api_key"].as_str().unwrap_or_default();
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
    let request = http::request("POST", &format!("{BASE}/generations"), key, Some(&body));
    let submitted = Instant::now();
    Connection::open(service.port)
        .await?
        .expect(201, &request)
        .await?;
    let last = super::complete::arrivals(&mut receiver, 1, LATEST).await?;
    let began = provider
        .found_at()
        .ok_or_else(|| Error::Unexpected("the job ended before it began".to_owned()))?;
    let length = (last - began).as_secs_f64();
    Ok(vec![
        Figure::new(
            format!("wait for a slot behind {queued} jobs of another account, in lengths of a job"),
            (began - submitted).as_secs_f64() / length,
            "",
        )
        .at_most(2.0),
        Figure::seconds("length of a job", last - began),
    ])
}
