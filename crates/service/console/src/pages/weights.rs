//! The operator's page about trained weights: what is on this server, what can be pulled, pulls with their progress.

use askama::Template;
use atelier_app::{
    Error,
    admin::weights::{Kind, Licence, Offer, PullState, Step, Weights, WeightsList, WeightsState},
};
use axum::{
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Redirect},
};

use crate::{
    error::{PageError, Result, capital},
    frame::{Frame, page, page_with},
    gzip,
    session::{PostedByOperator, SignedOperator},
    state::Console,
    text,
};

const PATH: &str = "/account/operator/models";

#[derive(Template)]
#[template(path = "operator/models.html")]
struct ModelsPage {
    frame: Frame,
    /// Whether this process has a folder for weights.
    managed: bool,
    /// Bytes in the store, and what is free beside them.
    disk: String,
    free: String,
    here: Vec<ItemView>,
    available: Vec<ItemView>,
    unavailable: Vec<ItemView>,
    /// Programs and libraries for this machine.
    programs: Vec<ItemView>,
    /// Parts, and programs that cannot be pulled.
    shared: Vec<ItemView>,
    /// Pulls without an entry: names with their form's path.
    unknown: Vec<(String, String)>,
    /// The problem of a form that has no item on the page.
    problem: String,
}

impl ModelsPage {
    fn sections(&self) -> [(&'static str, &[ItemView]); 3] {
        [
            ("On this server", &self.here),
            ("Can be pulled", &self.available),
            ("Cannot be pulled", &self.unavailable),
        ]
    }

    fn has_live(&self) -> bool {
        let items = [&self.here, &self.programs, &self.shared];
        items.into_iter().flatten().any(ItemView::is_live)
    }

    /// Shows a problem beside its item.
    fn refuse(&mut self, name: &str, message: String) {
        let items = [
            &mut self.here,
            &mut self.available,
            &mut self.unavailable,
            &mut self.programs,
            &mut self.shared,
        ];
        match items.into_iter().flatten().find(|item| item.name == name) {
            Some(item) => item.problem = message,
            None => self.problem = message,
        }
    }
}

/// The state of one item, which is shown again every second while it changes.
#[derive(Template)]
#[template(path = "operator/weights_live.html")]
struct StatePart {
    item: ItemView,
    disk: String,
}

/// One entry.
struct ItemView {
    csrf: String,
    name: String,
    title: String,
    summary: String,
    kind: &'static str,
    /// Names of models and tasks, with the path of the model's page.
    serves: Vec<(String, Option<String>)>,
    runtime: String,
    /// Whether the service runs the weights, by itself or by a program.
    runs: bool,
    /// The program that has to be pulled too.
    program: Option<String>,
    brings: String,
    licence: LicenceView,
    memory: String,
    /// The unverified part; empty for a verified entry.
    unverified: String,
    path: String,
    state: StateView,
    problem: String,
}

struct LicenceView {
    name: String,
    page: String,
    commercial: String,
    /// Conditions and regions.
    notes: String,
}

enum StateView {
    Here {
        disk: String,
        used_by: String,
    },
    Pulling {
        stage: &'static str,
        percent: u64,
        bytes: String,
        /// Why it is tried again later.
        error: String,
    },
    Failed {
        error: String,
        offer: Option<OfferView>,
        obstacle: String,
    },
    Absent {
        offer: Option<OfferView>,
        obstacle: String,
    },
}

struct OfferView {
    size: String,
    to_accept: Vec<LicenceView>,
}

impl ItemView {
    fn new(console: &Console, csrf: &str, weights: Weights) -> Self {
        let Weights {
            entry,
            brings,
            runs,
            program,
            state,
        } = weights;
        let page_of = |slug: &str| {
            let served = console.app.is_served(slug);
            served.then(|| format!("/account/playground/{slug}"))
        };
        let serves = entry.serves.iter().map(|served| match &served.model {
            Some(slug) => (slug.clone(), page_of(slug)),
            None => (format!("{} (a task of the service)", served.task), None),
        });
        Self {
            csrf: csrf.to_owned(),
            path: path_of(&entry.name),
            serves: serves.collect(),
            memory: memory(entry.needs.memory_mb, entry.needs.vram_mb),
            licence: LicenceView::new(&entry.licence),
            brings: brings.join(", "),
            kind: entry.kind.as_str(),
            runtime: entry.runtime.unwrap_or_default(),
            runs,
            program,
            unverified: entry.missing.as_deref().map(capital).unwrap_or_default(),
            name: entry.name,
            title: entry.title,
            summary: entry.summary,
            state: state.into(),
            problem: String::new(),
        }
    }

    fn is_live(&self) -> bool {
        matches!(self.state, StateView::Pulling { .. })
    }

    /// The word for scripts and tests.
    fn word(&self) -> &'static str {
        match self.state {
            StateView::Here { .. } => "here",
            StateView::Pulling { .. } => "pulling",
            StateView::Failed { .. } => "failed",
            StateView::Absent { .. } => "absent",
        }
    }
}

impl LicenceView {
    fn new(licence: &Licence) -> Self {
        let notes = [&licence.note, &licence.regions].into_iter().flatten();
        Self {
            name: licence.short().to_owned(),
            page: licence.page.to_string(),
            commercial: licence.commercial.to_string(),
            notes: notes.map(|note| capital(note)).collect::<Vec<_>>().join(" "),
        }
    }
}

impl From<WeightsState> for StateView {
    fn from(state: WeightsState) -> Self {
        match state {
            WeightsState::Here { bytes, used_by } => Self::Here {
                disk: text::size(bytes),
                used_by: used_by.join(", "),
            },
            WeightsState::Pulling(pull) => {
                let (done, total) = (pull.verified_bytes, pull.total_bytes);
                let mut bytes = format!("{} of {}", text::size(done), text::size(total));
                if pull.bytes_per_second > 0 {
                    bytes = format!("{bytes}, {}/s", text::size(pull.bytes_per_second));
                }
                Self::Pulling {
                    stage: stage(pull.state, pull.step),
                    percent: (done * 100).checked_div(total).unwrap_or(0).min(100),
                    bytes: if total == 0 { String::new() } else { bytes },
                    error: pull.error.as_deref().map(capital).unwrap_or_default(),
                }
            }
            WeightsState::Failed { error, offer } => {
                let (offer, obstacle) = split(offer);
                let error = capital(&error);
                // The obstacle to another pull is often the failure itself.
                let obstacle = if obstacle == error {
                    String::new()
                } else {
                    obstacle
                };
                Self::Failed {
                    error,
                    offer,
                    obstacle,
                }
            }
            WeightsState::Absent(offer) => {
                let (offer, obstacle) = split(offer);
                Self::Absent { offer, obstacle }
            }
        }
    }
}

fn split(offer: std::result::Result<Offer, String>) -> (Option<OfferView>, String) {
    match offer {
        Ok(offer) => {
            let licences = offer
                .to_accept
                .iter()
                .map(|(_, licence)| LicenceView::new(licence));
            let view = OfferView {
                size: text::size(offer.missing_bytes),
                to_accept: licences.collect(),
            };
            (Some(view), String::new())
        }
        Err(obstacle) => (None, capital(&obstacle)),
    }
}

const fn stage(state: PullState, step: Step) -> &'static str {
    match (state, step) {
        (PullState::Retrying, _) => "tried again soon",
        (PullState::Failed, _) => "failed",
        (PullState::Waiting, _) | (PullState::Running, Step::Waiting) => "waiting",
        (PullState::Running, Step::Downloading) => "downloading",
        (PullState::Running, Step::Checking) => "checking the files",
        (PullState::Running, Step::Searching) => "repairing a file",
        (PullState::Running, Step::Preparing) => "installing",
    }
}

fn memory(memory_mb: u64, vram_mb: u64) -> String {
    let mut parts = Vec::new();
    if memory_mb > 0 {
        parts.push(text::size(memory_mb * 1_000_000));
    }
    if vram_mb > 0 {
        parts.push(format!("{} on a GPU", text::size(vram_mb * 1_000_000)));
    }
    if parts.is_empty() {
        parts.push("not known".to_owned());
    }
    parts.join(", ")
}

/// A long page that repeats nothing from the request, so it is compressed.
pub(crate) async fn models(State(console): State<Console>, by: SignedOperator, headers: HeaderMap) -> Result {
    let page = page(&view(&console, &by).await?);
    Ok(gzip::compressed(page, &headers).await)
}

pub(crate) async fn state(
    State(console): State<Console>,
    Path(name): Path<String>,
    by: SignedOperator,
) -> Result {
    let (weights, used) = console.app.weights_named(&by.operator, &name).await?;
    let csrf = by.signed.signed_in.csrf();
    Ok(page(&StatePart {
        item: ItemView::new(&console, csrf, weights),
        disk: text::size(used),
    }))
}

pub(crate) async fn pull(
    State(console): State<Console>,
    Path(name): Path<String>,
    posted: PostedByOperator,
) -> Result {
    let (by, form) = posted.split();
    let accepted = form.get("accept") == "true";
    let asked = console.app.pull_weights(&by.operator, &name, accepted).await;
    answer(&console, &by, &name, asked).await
}

pub(crate) async fn cancel(
    State(console): State<Console>,
    Path(name): Path<String>,
    posted: PostedByOperator,
) -> Result {
    let (by, _) = posted.split();
    let ended = console.app.cancel_weights(&by.operator, &name).await;
    answer(&console, &by, &name, ended).await
}

pub(crate) async fn remove(
    State(console): State<Console>,
    Path(name): Path<String>,
    posted: PostedByOperator,
) -> Result {
    let (by, _) = posted.split();
    let removed = console.app.remove_weights(&by.operator, &name).await;
    answer(&console, &by, &name, removed.map(|_| ())).await
}

async fn answer(
    console: &Console,
    by: &SignedOperator,
    name: &str,
    changed: atelier_app::Result<()>,
) -> Result {
    match changed {
        Ok(()) => Ok(Redirect::to(&anchor(name)).into_response()),
        Err(Error::InvalidRequest { message, .. }) => {
            let mut shown = view(console, by).await?;
            shown.refuse(name, capital(&message));
            Ok(page_with(StatusCode::BAD_REQUEST, &shown))
        }
        Err(other) => Err(other.into()),
    }
}

async fn view(console: &Console, by: &SignedOperator) -> std::result::Result<ModelsPage, PageError> {
    let list = console.app.weights(&by.operator).await?;
    let mut shown = ModelsPage {
        frame: by.signed.frame("Trained models", PATH),
        managed: list.is_some(),
        disk: String::new(),
        free: String::new(),
        here: Vec::new(),
        available: Vec::new(),
        unavailable: Vec::new(),
        programs: Vec::new(),
        shared: Vec::new(),
        unknown: Vec::new(),
        problem: String::new(),
    };
    let Some(list) = list else { return Ok(shown) };
    (shown.disk, shown.free) = (text::size(list.used_bytes), free(&list));
    let item = |weights| ItemView::new(console, by.signed.signed_in.csrf(), weights);
    for weights in list.models {
        let section = match &weights.state {
            WeightsState::Absent(Ok(_)) => &mut shown.available,
            WeightsState::Absent(Err(_)) => &mut shown.unavailable,
            _ => &mut shown.here,
        };
        section.push(item(weights));
    }
    for weights in list.shared {
        let is_obstructed = matches!(weights.state, WeightsState::Absent(Err(_)));
        let section = match weights.entry.kind {
            Kind::Runtime if !is_obstructed => &mut shown.programs,
            _ => &mut shown.shared,
        };
        section.push(item(weights));
    }
    let unknown = list.unknown.into_iter();
    shown.unknown = unknown
        .map(|pull| (pull.name.clone(), path_of(&pull.name)))
        .collect();
    Ok(shown)
}

/// `30 GB are free; the limit is 10 GB`.
fn free(list: &WeightsList) -> String {
    let free = text::size(list.free_bytes);
    match list.max_bytes {
        Some(limit) => format!("{free} are free on its disk; the limit is {}", text::size(limit)),
        None => format!("{free} are free on its disk"),
    }
}

fn path_of(name: &str) -> String {
    let name: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
    format!("{PATH}/{}", name.replace('+', "%20"))
}

/// The place of an entry on the page.
pub(super) fn anchor(name: &str) -> String {
    let name: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
    format!("{PATH}#weights-{name}")
}
