//! Videos by the embedded engines: how long they take by the job's own times, the processor time and the memory of
//! the process, and how soon it ends when a job is cancelled.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::picture;
use crate::{
    context::Context,
    error::{Error, Result},
    figure::Figure,
    http::{self, Connection},
    machine,
    server::{BASE, Data, Server},
};

/// The memory limit for one video, in MiB.
const MEMORY: f64 = 800.0;
/// How often to check the process of a cancelled job.
const LOOK_AGAIN: Duration = Duration::from_millis(5);
const LAKE: &str = "a sailing boat on a lake below mountains, slow pan right";

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let data = Data::embedded(context)?;
    let service = data.serve(&[]).await?;
    let mut bench = Bench {
        client: Connection::open(service.port).await?,
        service,
        key: data.key.clone(),
        figures: Vec::new(),
    };
    // The first job starts the engine's process.
    let still = json!({ "model": "image-gen-4", "prompt": LAKE, "resolution": "1K", "aspect_ratio": "16:9" });
    let still = url(&picture::made(&mut bench.client, &bench.key, &still).await?.1)?;

    let text = |prompt: &str, duration: u32, resolution: &str| {
        json!({ "model": "video-gen-1-0", "prompt": prompt,
            "params": { "duration": duration, "resolution": resolution, "seed": 1 } })
    };
    let short = text(LAKE, 5, "720p");
    bench.row("text, 5 s at 720p", &short, Some(8.0)).await?;
    for (what, words) in [
        ("text, watercolor in the rain, 5 s at 720p", "watercolor, rain"),
        ("text, from day to night, 5 s at 720p", "from day to night"),
        // Two scenes are drawn and each frame has its own light: this is the slowest case.
        (
            "text, ink from day to night, 5 s at 720p",
            "an ink drawing, from day to night",
        ),
    ] {
        let body = text(&format!("{LAKE}, {words}"), 5, "720p");
        bench.row(what, &body, Some(8.0)).await?;
    }
    let frames = json!({ "model": "video-gen-1-0", "prompt": "the camera moves slowly closer, the water ripples",
        "image_urls": [still], "params": { "duration": 5, "resolution": "720p", "seed": 1 } });
    bench.row("picture, 5 s at 720p", &frames, Some(8.0)).await?;
    let guests = json!({ "model": "video-gen-1-0", "prompt": "@Image1 on a beach at sunset",
        "params": { "reference_image_urls": [still], "duration": 5, "resolution": "720p", "seed": 1 } });
    bench.row("reference, 5 s at 720p", &guests, None).await?;
    if !context.quick {
        // Memory does not depend on the length of a video.
        let short = text(LAKE, 5, "1080p");
        bench.row("text, 5 s at 1080p", &short, None).await?;
        let long = text(LAKE, 15, "1080p");
        let source = bench.row("text, 15 s at 1080p", &long, Some(60.0)).await?;
        for (what, prompt) in [
            ("edit (night), 15 s at 1080p", "make it night"),
            ("edit (watercolor), 15 s at 1080p", "as a watercolor"),
            ("edit (stained glass), 15 s at 1080p", "as stained glass"),
        ] {
            let edit = json!({ "model": "video-edit-1-0", "prompt": prompt, "video_url": source,
                "params": { "resolution": "1080p", "seed": 1 } });
            bench.row(what, &edit, Some(75.0)).await?;
        }
    }
    bench.cancel(&text(LAKE, 15, "1080p")).await?;
    // Its child processes are counted only if it ends in order and waits for them.
    bench.service.stop()?;
    Ok(bench.figures)
}

struct Bench {
    service: Server,
    client: Connection,
    key: String,
    figures: Vec<Figure>,
}

impl Bench {
    /// Makes and measures a video. Returns its URL.
    async fn row(&mut self, what: &str, body: &Value, target: Option<f64>) -> Result<String> {
        let makers = self.makers()?;
        for maker in &makers {
            machine::reset_peak(*maker)?;
        }
        let before = processor(&makers)?;
        let (took, job) = picture::made(&mut self.client, &self.key, body).await?;
        let used = processor(&makers)?.saturating_sub(before);
        let peaks = makers.iter().map(|maker| machine::peak(*maker));
        let peak = peaks
            .collect::<Result<Vec<u64>>>()?
            .into_iter()
            .max()
            .unwrap_or(0);
        let figure = Figure::seconds(what, took);
        self.figures.push(match target {
            Some(bound) => figure.at_most(bound),
            None => figure,
        });
        self.figures
            .push(Figure::seconds(format!("{what}: processor time"), used));
        self.figures
            .push(Figure::mebibytes(format!("{what}: memory at most"), peak).at_most(MEMORY));
        url(&job)
    }

    /// Cancels a running job. Measures how soon the job and its process end.
    async fn cancel(&mut self, body: &Value) -> Result<()> {
        let makers = self.makers()?.into_iter();
        let makers: Vec<(u32, Duration)> = makers
            .map(|maker| Ok((maker, machine::cpu_time(maker)?)))
            .collect::<Result<_>>()?;
        let create = http::request(
            "POST",
            &format!("{BASE}/generations"),
            &self.key,
            Some(&body.to_string()),
        );
        let created: Value = serde_json::from_slice(self.client.expect(201, &create).await?)?;
        let id = created["data"]["id"].as_str().unwrap_or_default().to_owned();
        // Other processes may be idle; only the busy one matters.
        let maker = 'midst: loop {
            for (maker, before) in &makers {
                if machine::cpu_time(*maker)?.saturating_sub(*before) > Duration::from_secs(3) {
                    break 'midst *maker;
                }
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        };
        let path = format!("{BASE}/generations/{id}/cancel");
        let asked = Instant::now();
        let cancel = http::request("POST", &path, &self.key, None);
        self.client.expect(200, &cancel).await?;
        let read = http::request(
            "GET",
            &format!("{BASE}/generations/{id}?wait=60"),
            &self.key,
            None,
        );
        let ended: Value = serde_json::from_slice(self.client.expect(200, &read).await?)?;
        let answered = asked.elapsed();
        if ended["data"]["status"] != "failed" {
            return Err(Error::Unexpected(format!("a job was not cancelled: {ended}")));
        }
        while machine::is_running(maker) {
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        self.figures
            .push(Figure::millis("cancelled, until the job has ended", answered).at_most(1_000.0));
        self.figures
            .push(Figure::millis("cancelled, until its process has ended", asked.elapsed()).at_most(1_000.0));
        Ok(())
    }

    /// The processes that make media.
    fn makers(&self) -> Result<Vec<u32>> {
        machine::children(self.service.pid())
    }
}

fn processor(makers: &[u32]) -> Result<Duration> {
    makers.iter().map(|maker| machine::cpu_time(*maker)).sum()
}

/// The URL of a job's file.
fn url(job: &Value) -> Result<String> {
    let url = job["output"]["assets"][0]["url"].as_str();
    url.map(str::to_owned)
        .ok_or_else(|| Error::Unexpected(format!("a job without a file: {job}")))
}
