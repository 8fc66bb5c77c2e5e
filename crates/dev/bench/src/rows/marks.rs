//! The cost of the watermark and the signature of a picture beside its drawing: processor time of the service and all
//! its processes.

use std::time::Duration;

use serde_json::json;

use super::picture::made;
use crate::{
    context::Context,
    error::{Error, Result},
    figure::Figure,
    http::Connection,
    machine,
    server::Data,
};

const PROMPTS: [&str; 4] = [
    "a lighthouse on a cliff at dusk, watercolor",
    "a city street at night in the rain, neon",
    "a red sailing boat on a calm sea at sunrise",
    "a bowl of oranges on a wooden table, photo",
];
/// Pictures of each kind.
const PICTURES: u64 = 40;

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let drawn = cost(context, &[]).await?;
    let marked = cost(context, &["watermark"]).await?;
    let signed = cost(context, &["credentials"]).await?;
    let both = cost(context, &["watermark", "credentials"]).await?;
    let share = |cost: Duration| 100.0 * cost.saturating_sub(drawn).as_secs_f64() / drawn.as_secs_f64();
    Ok(vec![
        Figure::millis("a picture of 1K without marks", drawn),
        Figure::millis("its watermark", marked.saturating_sub(drawn)),
        Figure::millis("its signature", signed.saturating_sub(drawn)),
        Figure::new("its watermark, of the picture", share(marked), "%"),
        Figure::new("its signature, of the picture", share(signed), "%"),
        Figure::new("both, of the picture", share(both), "%").at_most(15.0),
    ])
}

/// The processor time of one picture with these marks.
async fn cost(context: &Context, marks: &[&str]) -> Result<Duration> {
    let data = Data::marking(context, marks)?;
    let service = data.serve(&[]).await?;
    let mut client = Connection::open(service.port).await?;
    let pictures = context.amount(PICTURES);
    let mut before = Duration::ZERO;
    // The first one starts the processes.
    for number in 0..=pictures {
        if number == 1 {
            before = machine::cpu_time_of_all(service.pid())?;
        }
        let prompt = PROMPTS[number as usize % PROMPTS.len()];
        let body = json!({ "model": "image-gen-4", "prompt": prompt, "resolution": "1K" });
        let (_, job) = made(&mut client, &data.key, &body).await?;
        let metadata = &job["output"]["metadata"];
        if let Some(missing) = marks.iter().find(|mark| metadata[**mark] != json!(["written"])) {
            let message = format!("a picture has no {missing}: {metadata}");
            return Err(Error::Unexpected(message));
        }
    }
    let took = machine::cpu_time_of_all(service.pid())?.saturating_sub(before);
    service.stop()?;
    Ok(took / u32::try_from(pictures).unwrap_or(1).max(1))
}
