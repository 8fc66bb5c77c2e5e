//! The measurements, one file per row of the table.

use clap::ValueEnum;

use crate::{context::Context, error::Result, figure::Figure};

mod accept;
mod audit;
mod complete;
mod fairness;
mod generation;
mod history;
mod latency;
mod lists;
mod marks;
mod memory;
mod pages;
mod picture;
mod postgres;
mod providers;
mod read;
mod remote;
mod retention;
mod sound;
mod start;
mod video;
mod voices;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Row {
    /// Generations accepted per second, durably, and the processor time of one
    Accept,
    /// Jobs completed per second, including the webhook, and the processor time of one
    Complete,
    /// Latency from submission to webhook, with one client
    Latency,
    /// Generations read per second
    Read,
    /// Memory when idle, and its growth under large uploads
    Memory,
    /// From start to ready, with many jobs in the store
    Start,
    /// How long the account area's pages take, with many jobs in the store
    Pages,
    /// How long one picture takes
    Picture,
    /// The cost of the watermark and the signature of a picture
    Marks,
    /// How long videos take, and their memory and processor time
    Video,
    /// How long speech, songs and sections of them take, and their memory
    Sound,
    /// How long speech takes by each kind of voice, and its processor time and memory
    Voices,
    /// A thousand jobs in progress at a slow provider
    Providers,
    /// The first job of one account behind 100,000 of another one
    Fairness,
    /// How long lists take, with many jobs in the store
    Lists,
    /// How long requests take while retention removes old jobs
    Retention,
    /// How long an audit of a million jobs takes
    Audit,
    /// Jobs completed per second by a worker that joined over HTTP, and what one costs
    Remote,
    /// Jobs completed per second with PostgreSQL as the store, on one node and two, and what one costs
    Postgres,
}

impl Row {
    pub(crate) const ALL: &[Self] = &[
        Self::Accept,
        Self::Complete,
        Self::Latency,
        Self::Read,
        Self::Memory,
        Self::Start,
        Self::Pages,
        Self::Picture,
        Self::Marks,
        Self::Video,
        Self::Sound,
        Self::Voices,
        Self::Providers,
        Self::Fairness,
        Self::Lists,
        Self::Retention,
        Self::Audit,
        Self::Remote,
        Self::Postgres,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Complete => "complete",
            Self::Latency => "latency",
            Self::Read => "read",
            Self::Memory => "memory",
            Self::Start => "start",
            Self::Pages => "pages",
            Self::Picture => "picture",
            Self::Marks => "marks",
            Self::Video => "video",
            Self::Sound => "sound",
            Self::Voices => "voices",
            Self::Providers => "providers",
            Self::Fairness => "fairness",
            Self::Lists => "lists",
            Self::Retention => "retention",
            Self::Audit => "audit",
            Self::Remote => "remote",
            Self::Postgres => "postgres",
        }
    }

    pub(crate) const fn about(self) -> &'static str {
        match self {
            Self::Accept => "generations accepted per second, durably, compared with plain inserts",
            Self::Complete => "jobs completed per second, including the webhook",
            Self::Latency => "latency from submission to webhook, with one client",
            Self::Read => "generations read per second, compared with a route that does nothing",
            Self::Memory => "memory when idle, and its growth under large uploads",
            Self::Start => "from start to ready, with many jobs in the store",
            Self::Pages => "how long the account area's pages take, with many jobs in the store",
            Self::Picture => "how long one picture takes",
            Self::Marks => "what the watermark and the signature of a picture cost beside its drawing",
            Self::Video => {
                "how long videos take, their processor time and memory, and how soon one is cancelled"
            }
            Self::Sound => "how long speech, songs and sections of them take, and their memory",
            Self::Voices => {
                "how long speech takes by the statistical and the trained voices on two cores, and its memory"
            }
            Self::Providers => "a thousand jobs in progress at a provider that takes 30 s for each",
            Self::Fairness => "the first job of one account behind many of another one, on two slots",
            Self::Lists => "how long lists take by each filter, with many jobs in the store",
            Self::Retention => {
                "how long requests take while retention removes old jobs, and while it does not"
            }
            Self::Audit => "how long `atelier audit` takes for a million jobs",
            Self::Remote => "jobs completed by a worker that joined over HTTP, and their cost",
            Self::Postgres => {
                "jobs completed by one node and two, and their cost; requires --postgres with an empty database"
            }
        }
    }

    pub(crate) async fn run(self, context: &Context) -> Result<Vec<Figure>> {
        match self {
            Self::Accept => accept::run(context).await,
            Self::Complete => complete::run(context).await,
            Self::Latency => latency::run(context).await,
            Self::Read => read::run(context).await,
            Self::Memory => memory::run(context).await,
            Self::Start => start::run(context).await,
            Self::Pages => pages::run(context).await,
            Self::Picture => picture::run(context).await,
            Self::Marks => marks::run(context).await,
            Self::Video => video::run(context).await,
            Self::Sound => sound::run(context).await,
            Self::Voices => voices::run(context).await,
            Self::Providers => providers::run(context).await,
            Self::Fairness => fairness::run(context).await,
            Self::Lists => lists::run(context).await,
            Self::Retention => retention::run(context).await,
            Self::Audit => audit::run(context).await,
            Self::Remote => remote::run(context).await,
            Self::Postgres => postgres::run(context).await,
        }
    }
}
