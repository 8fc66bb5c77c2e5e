//! How long the account area's pages take, for an account with many generations.

use std::time::{Duration, Instant};

use super::history;
use crate::{
    browser::Browser,
    context::Context,
    error::{Error, Result},
    figure::Figure,
    http::Connection,
    load::percentile,
    receiver::Receiver,
    server::Data,
};

const JOBS: u64 = 100_000;
const VISITS: usize = 40;
/// Every page is larger, because each has the navigation.
const SMALLEST: usize = 2_000;
const WARM_UP: usize = 5;
/// The webhooks of a tenth of the jobs are sent before the measurement.
const LONGEST: Duration = Duration::from_mins(2);

/// The pages with their names in the table.
const PAGES: &[(&str, &str)] = &[
    ("overview", "/account"),
    ("playground", "/account/playground"),
    ("a model's form", "/account/playground/image-gen-4"),
    ("gallery", "/account/gallery"),
    ("gallery, the failed ones", "/account/gallery?status=failed"),
    ("gallery, of a model never used", "/account/gallery?model=upscale"),
    ("apps and API", "/account/apps"),
    ("webhooks", "/account/webhooks"),
    ("webhooks, the failed ones", "/account/webhooks?state=failed"),
    ("usage, 30 days", "/account/usage"),
    ("usage, 90 days", "/account/usage?days=90"),
    ("settings", "/account/settings"),
    ("operator: service", "/account/operator"),
    ("operator: accounts", "/account/operator/accounts"),
    ("operator: an account", "/account/operator/accounts/bench"),
    ("operator: audit", "/account/operator/audit"),
    ("documentation", "/docs"),
];

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let data = Data::echo(context)?;
    let mut receiver = Receiver::start().await?;
    let jobs = context.amount(JOBS);
    history::fill(&data, jobs, Some(&receiver.url())).await?;
    let service = data.serve(&[]).await?;
    let late = |_| Error::Unexpected("the webhooks did not arrive".to_owned());
    for _ in 0..jobs / history::SOME {
        tokio::time::timeout(LONGEST, receiver.next())
            .await
            .map_err(late)??;
    }
    let browser = Browser::join(service.port, &data.invitation()?).await?;
    let mut connection = Connection::open(service.port).await?;
    let generation = browser.first_link(&mut connection, "/account/gallery").await?;
    let delivery = browser.first_link(&mut connection, "/account/webhooks").await?;
    let found = [
        ("one generation", generation.as_str()),
        ("one delivery", &delivery),
    ];
    let mut figures = Vec::new();
    for &(name, path) in PAGES.iter().chain(&found) {
        let request = browser.get(path);
        let mut times = Vec::new();
        for visit in 0..WARM_UP + VISITS {
            let begun = Instant::now();
            let page = connection.expect(200, &request).await?;
            if page.len() < SMALLEST {
                return Err(Error::Unexpected(format!("{path} is not a whole page")));
            }
            if visit >= WARM_UP {
                times.push(begun.elapsed());
            }
        }
        figures.push(Figure::millis(name, percentile(&mut times, 0.5)).at_most(30.0));
    }
    Ok(figures)
}
