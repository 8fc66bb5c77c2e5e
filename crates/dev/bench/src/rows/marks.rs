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
    server::{Data, Server},
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
    // In turn, because a machine is not equally fast from one minute to the next.
    let mut kinds = Vec::new();
    for marks in [
        &[][..],
        &["watermark"],
        &["credentials"],
        &["watermark", "credentials"],
    ] {
        kinds.push(Kind::start(context, marks).await?);
    }
    let pictures = context.amount(PICTURES);
    // The first one starts the processes.
    for number in 0..=pictures {
        for kind in &mut kinds {
            let took = kind.draw(PROMPTS[number as usize % PROMPTS.len()]).await?;
            if number > 0 {
                kind.took += took;
            }
        }
    }
    let mut costs = Vec::new();
    for kind in kinds {
        kind.service.stop()?;
        costs.push(kind.took / u32::try_from(pictures).unwrap_or(1).max(1));
    }
    let [drawn, marked, signed, both] = costs[..] else {
        unreachable!("there are four kinds");
    };
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

/// A service whose pictures get these marks, and the processor time that they took.
struct Kind {
    marks: &'static [&'static str],
    service: Server,
    client: Connection,
    data: Data,
    took: Duration,
}

impl Kind {
    async fn start(context: &Context, marks: &'static [&'static str]) -> Result<Self> {
        let data = Data::marking(context, marks)?;
        let service = data.serve(&[]).await?;
        Ok(Self {
            client: Connection::open(service.port).await?,
            marks,
            service,
            data,
            took: Duration::ZERO,
        })
    }

    /// Makes one picture, and returns its processor time.
    async fn draw(&mut self, prompt: &str) -> Result<Duration> {
        let before = machine::cpu_time_of_all(self.service.pid())?;
        let body = json!({ "model": "image-gen-4", "prompt": prompt, "resolution": "1K" });
        let (_, job) = made(&mut self.client, &self.data.key, &body).await?;
        let metadata = &job["output"]["metadata"];
        let missing = self
            .marks
            .iter()
            .find(|mark| metadata[**mark] != json!(["written"]));
        if let Some(missing) = missing {
            let message = format!("a picture has no {missing}: {metadata}");
            return Err(Error::Unexpected(message));
        }
        Ok(machine::cpu_time_of_all(self.service.pid())?.saturating_sub(before))
    }
}
