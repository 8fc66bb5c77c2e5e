//! The operator's page about programs that this node starts: their devices, what is in memory, and what they did.

use askama::Template;
use atelier_app::{
    Error,
    admin::programs::{DeviceState, ProgramChange, ProgramList, ProgramState, Residence},
};
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect},
};

use crate::{
    error::{PageError, Result, capital},
    frame::{Frame, page, page_with},
    session::{PostedByOperator, SignedOperator},
    state::Console,
    text,
};

const PATH: &str = "/account/operator/programs";

/// Joins the reason of a failure to the program's output.
const ENDS_WITH: &str = "; its output ends with:";

#[derive(Template)]
#[template(path = "operator/programs.html")]
struct ProgramsPage {
    frame: Frame,
    state: StateView,
}

/// The part that is shown again every two seconds.
#[derive(Template)]
#[template(path = "operator/programs_state.html")]
struct StatePart {
    state: StateView,
}

struct StateView {
    csrf: String,
    devices: Vec<DeviceView>,
    programs: Vec<ProgramView>,
}

struct DeviceView {
    name: String,
    /// `600 of 1,000 MiB`.
    memory: String,
    percent: u64,
    /// The programs that hold its memory.
    holders: String,
}

struct ProgramView {
    name: String,
    path: String,
    /// Its state in words, for people and for tests.
    residence: &'static str,
    tone: &'static str,
    is_pinned: bool,
    /// `9,000 MiB on gpu`.
    memory: String,
    jobs: String,
    counts: String,
    last_load: String,
    /// How long it has been loading.
    loading: Option<LoadingView>,
    /// When it is started again after a failure.
    recovers: String,
    /// Why it last failed: the reason, and the end of its output.
    failure: Option<(String, String)>,
    /// How often it has failed; tells one failure from the next.
    failures: u64,
    can_load: bool,
    can_unload: bool,
    problem: String,
}

struct LoadingView {
    /// Of the time that it took last time.
    percent: Option<u64>,
    text: String,
}

impl DeviceView {
    fn new(device: DeviceState, programs: &[ProgramState]) -> Self {
        let holds = |program: &&ProgramState| {
            !matches!(program.residence, Residence::Absent | Residence::WaitsForRoom)
                && program.memory.iter().any(|(name, _)| *name == device.name)
        };
        let holders: Vec<_> = programs
            .iter()
            .filter(holds)
            .map(|program| program.name.as_str())
            .collect();
        Self {
            memory: format!("{} of {} MiB", mib(device.held), mib(device.budget)),
            percent: (device.held * 100).div_ceil(device.budget.max(1)).min(100),
            holders: holders.join(", "),
            name: device.name,
        }
    }
}

impl ProgramView {
    fn new(program: ProgramState) -> Self {
        let (residence, tone) = residence(&program);
        let memory = program.memory.iter();
        let memory = memory.map(|(device, bytes)| format!("{} MiB on {device}", mib(*bytes)));
        let can_load = matches!(program.residence, Residence::Absent) && program.too_large.is_none();
        Self {
            path: path_of(&program.name),
            residence,
            tone,
            is_pinned: program.is_pinned,
            memory: memory.collect::<Vec<_>>().join(", "),
            jobs: jobs(&program),
            counts: counts(&program),
            last_load: program.last_load.map(text::duration).unwrap_or_default(),
            loading: LoadingView::new(&program),
            recovers: program.recovers_in.map(text::duration).unwrap_or_default(),
            failure: program.last_failure.map(|why| {
                let (reason, output) = why.split_once('\n').unwrap_or((&why, ""));
                let reason = reason.strip_suffix(ENDS_WITH).unwrap_or(reason);
                (capital(reason), output.to_owned())
            }),
            failures: program.counts.failures,
            can_load,
            can_unload: matches!(
                program.residence,
                Residence::WaitsForRoom | Residence::Loading | Residence::Resident
            ),
            problem: program
                .too_large
                .map(|why| capital(&why.to_string()))
                .unwrap_or_default(),
            name: program.name,
        }
    }
}

impl LoadingView {
    fn new(program: &ProgramState) -> Option<Self> {
        let elapsed = program.loading_for?;
        let so_far = format!("for {} s", elapsed.as_secs());
        let Some(last) = program.last_load else {
            return Some(Self {
                percent: None,
                text: so_far,
            });
        };
        let share = elapsed.as_secs_f64() / last.as_secs_f64().max(0.001);
        Some(Self {
            // It is not ready before its program says so.
            percent: Some(((share * 100.0) as u64).min(95)),
            text: format!("{so_far}; it took {} last time", text::duration(last)),
        })
    }
}

/// Returns the present state of a program, in words, and the colour of its badge.
pub(super) fn residence(program: &ProgramState) -> (&'static str, &'static str) {
    match program.residence {
        Residence::Absent if program.too_large.is_some() => ("does not fit", "bad"),
        Residence::Absent if program.last_failure.is_some() => ("failed", "bad"),
        Residence::Absent => ("not loaded", "plain"),
        Residence::WaitsForRoom => ("waits for room", "busy"),
        Residence::Loading => ("loading", "busy"),
        Residence::Resident => ("in memory", "good"),
        Residence::Draining => ("making room", "busy"),
        Residence::Stopping => ("stopping", "busy"),
    }
}

/// In MiB, as operators write memory in the configuration.
fn mib(bytes: u64) -> String {
    text::count(bytes >> 20)
}

/// `1 running, 3 waiting, the oldest for 12 s`.
fn jobs(program: &ProgramState) -> String {
    let running = text::count(program.running as u64);
    let waiting = text::count(program.waiting as u64);
    let oldest = program.waited.map_or_else(String::new, |time| {
        format!(", the oldest for {}", text::duration(time))
    });
    format!("{running} running, {waiting} waiting{oldest}")
}

/// `2 loads, 1 eviction, 0 failures`.
fn counts(program: &ProgramState) -> String {
    let counted = |count: u64, what: &str| {
        let ending = if count == 1 { "" } else { "s" };
        format!("{} {what}{ending}", text::count(count))
    };
    [
        counted(program.counts.loads, "load"),
        counted(program.counts.evictions, "eviction"),
        counted(program.counts.failures, "failure"),
    ]
    .join(", ")
}

fn path_of(name: &str) -> String {
    let name: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
    format!("{PATH}/{}", name.replace('+', "%20"))
}

/// The place of a program on the page.
pub(super) fn anchor(name: &str) -> String {
    let name: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
    format!("{PATH}#program-{name}")
}

pub(crate) async fn programs(State(console): State<Console>, by: SignedOperator) -> Result {
    Ok(page(&view(&console, &by)))
}

pub(crate) async fn state(State(console): State<Console>, by: SignedOperator) -> Result {
    let ProgramsPage { state, .. } = view(&console, &by);
    Ok(page(&StatePart { state }))
}

pub(crate) async fn change(
    State(console): State<Console>,
    Path((name, change)): Path<(String, String)>,
    posted: PostedByOperator,
) -> Result {
    let (by, _) = posted.split();
    let change = ProgramChange::parse(&change).ok_or_else(PageError::missing)?;
    match console.app.change_program(&by.operator, &name, change).await {
        Ok(()) => Ok(Redirect::to(&anchor(&name)).into_response()),
        Err(Error::InvalidRequest { message, .. }) => {
            let mut shown = view(&console, &by);
            let programs = &mut shown.state.programs;
            if let Some(program) = programs.iter_mut().find(|program| program.name == name) {
                program.problem = capital(&message);
            }
            Ok(page_with(StatusCode::BAD_REQUEST, &shown))
        }
        Err(other) => Err(other.into()),
    }
}

fn view(console: &Console, by: &SignedOperator) -> ProgramsPage {
    let ProgramList { devices, programs } = console.app.programs(&by.operator);
    ProgramsPage {
        frame: by.signed.frame("Programs", PATH),
        state: StateView {
            csrf: by.signed.signed_in.csrf().to_owned(),
            devices: devices
                .into_iter()
                .map(|device| DeviceView::new(device, &programs))
                .collect(),
            programs: programs.into_iter().map(ProgramView::new).collect(),
        },
    }
}
