//! Settings of the signed-in user: password, open sessions, the account's members and recent changes.

use askama::Template;
use atelier_app::{Error, people::SignedIn};
use atelier_catalog::Problem;
use atelier_domain::{AccountRole, AuditEntry, PromptInFiles, Right, Role};
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect},
};

use super::{
    invitations::{InvitationView, new_link},
    members::MemberView,
};
use crate::{
    error::{PageError, Result, problem_of},
    frame::{Frame, page, page_with},
    moment::Moment,
    session::{Posted, Signed},
    state::Console,
};

#[derive(Template)]
#[template(path = "settings.html")]
#[expect(clippy::struct_excessive_bools, reason = "what the page shows or leaves out")]
struct SettingsPage {
    frame: Frame,
    login: String,
    account: String,
    role: AccountRole,
    operator: bool,
    /// Whether the user manages the members of the account.
    manages: bool,
    roles: [AccountRole; 4],
    /// The OpenID provider, if there is one.
    provider: Option<String>,
    /// Whether sign-in asks for a code.
    two_step: bool,
    /// Whether links to the account's files are signed, and how long they then work.
    private_media: bool,
    link_life: String,
    /// The places where the account's files can name their prompt: value, words, and whether it is the current choice.
    prompt_places: [(&'static str, &'static str, bool); 3],
    sessions: Vec<SessionView>,
    members: Vec<MemberView>,
    invitations: Vec<InvitationView>,
    changes: Vec<ChangeView>,
    problems: Vec<Problem>,
    /// A new invitation link, shown only now, and its expiry.
    invited: Option<(String, Moment)>,
    /// Whether invitations can be mailed, and where the new one goes.
    mail: bool,
    mailed_to: Option<String>,
    done: Option<&'static str>,
}

impl SettingsPage {
    fn problem(&self, name: &str) -> String {
        problem_of(&self.problems, name)
    }
}

struct SessionView {
    id: String,
    browser: String,
    address: String,
    seen: Moment,
    began: Moment,
    own: bool,
}

/// A change as a row of a table.
pub(crate) struct ChangeView {
    pub when: Moment,
    pub actor: String,
    pub action: String,
    pub object: String,
    pub details: String,
}

impl From<AuditEntry> for ChangeView {
    fn from(entry: AuditEntry) -> Self {
        let details = entry.details.iter().map(|(name, value)| match value {
            serde_json::Value::String(text) => format!("{name}: {text}"),
            other => format!("{name}: {other}"),
        });
        Self {
            when: Moment::new(entry.at),
            actor: entry.actor,
            action: entry.action,
            details: details.collect::<Vec<_>>().join(", "),
            object: entry.object,
        }
    }
}

pub(crate) async fn settings(State(console): State<Console>, signed: Signed) -> Result {
    let mut shown = view(&console, &signed).await?;
    let text = |name| signed.once.text(name);
    shown.done = text("password").map(|_| "Your password has been changed. Your other sessions have ended.");
    shown.invited = new_link(text("link"), text("until"));
    shown.mailed_to = text("mailed").map(str::to_owned);
    Ok(page(&shown))
}

pub(crate) async fn change_password(State(console): State<Console>, posted: Posted) -> Result {
    let Posted { signed, form } = posted;
    let changed = if form.get("new_password") == form.get("again") {
        let (current, new) = (form.get("current_password"), form.get("new_password"));
        console.app.change_password(&signed.signed_in, current, new).await
    } else {
        Err(Error::parameter("again", "the two passwords differ"))
    };
    match changed {
        Ok(()) => signed
            .once
            .redirect(&console, "/account/settings", &[("password", "true")]),
        Err(Error::InvalidRequest { details, .. }) => {
            let mut shown = view(&console, &signed).await?;
            // The rules for passwords name the field `password`, which has another name in this form.
            shown.problems = details;
            for problem in &mut shown.problems {
                if problem.parameter == "password" {
                    "new_password".clone_into(&mut problem.parameter);
                }
            }
            Ok(page_with(StatusCode::BAD_REQUEST, &shown))
        }
        Err(other) => Err(other.into()),
    }
}

pub(crate) async fn end_session(
    State(console): State<Console>,
    Path(id): Path<String>,
    posted: Posted,
) -> Result {
    console.app.end_session(&posted.signed.signed_in, &id).await?;
    Ok(Redirect::to("/account/settings#sessions").into_response())
}

pub(crate) async fn end_other_sessions(State(console): State<Console>, posted: Posted) -> Result {
    console.app.end_other_sessions(&posted.signed.signed_in).await?;
    Ok(Redirect::to("/account/settings#sessions").into_response())
}

pub(crate) async fn invite(State(console): State<Console>, posted: Posted) -> Result {
    let role = match posted.form.given("role") {
        Some(role) => role.parse::<AccountRole>().map_err(Error::invalid)?,
        None => AccountRole::Owner,
    };
    let (app, signed_in) = (&console.app, &posted.signed.signed_in);
    let to = posted.form.given("email");
    if let Some(to) = to {
        app.may_mail_invitation(signed_in, to)?;
    }
    let invited = app.invite_member(signed_in, role).await?;
    if let Some(to) = to {
        app.mail_invitation(signed_in, &invited, to, &console.options.public_url);
    }
    let link = console.link(&atelier_app::people::invite::join_path(&invited.token));
    let until = invited.expires_at.to_string();
    let mut texts = vec![("link", link.as_str()), ("until", &until)];
    texts.extend(to.map(|to| ("mailed", to)));
    posted
        .signed
        .once
        .redirect(&console, "/account/settings#users", &texts)
}

pub(crate) async fn set_private_media(State(console): State<Console>, posted: Posted) -> Result {
    let caller = &posted.signed.signed_in.caller;
    let on = posted.form.get("private") == "true";
    console.app.set_private_media(caller, on).await?;
    Ok(Redirect::to("/account/settings#media").into_response())
}

pub(crate) async fn set_prompt_in_files(State(console): State<Console>, posted: Posted) -> Result {
    let caller = &posted.signed.signed_in.caller;
    let place = posted.form.get("prompt_in_files").parse();
    let place =
        place.map_err(|why| Error::parameter("prompt_in_files", format!("`prompt_in_files` {why}")))?;
    console.app.set_prompt_in_files(caller, place).await?;
    Ok(Redirect::to("/account/settings#prompts").into_response())
}

/// The places, in words, and which is chosen.
fn prompt_places(chosen: PromptInFiles) -> [(&'static str, &'static str, bool); 3] {
    PromptInFiles::ALL.map(|place| {
        let words = match place {
            PromptInFiles::Nowhere => "Nowhere",
            PromptInFiles::Metadata => "In the metadata (XMP)",
            PromptInFiles::Signed => "In the metadata and in the signed Content Credentials",
        };
        (place.as_str(), words, place == chosen)
    })
}

pub(crate) async fn revoke_invitation(
    State(console): State<Console>,
    Path(id): Path<String>,
    posted: Posted,
) -> Result {
    let signed_in = &posted.signed.signed_in;
    console.app.revoke_invitation(signed_in, &id).await?;
    Ok(Redirect::to("/account/settings#users").into_response())
}

async fn view(console: &Console, signed: &Signed) -> std::result::Result<SettingsPage, PageError> {
    let app = &console.app;
    let now = app.now();
    let own = signed.signed_in.session.id;
    let sessions = app.sessions(&signed.signed_in).await?;
    let members = app.members(&signed.signed_in).await?;
    let SignedIn { user, role, .. } = &signed.signed_in;
    let operator = user.role == Role::Operator;
    let manages = operator || role.allows(Right::Members);
    let invitations = if manages {
        app.invitations(&signed.signed_in).await?
    } else {
        Vec::new()
    };
    let changes = if role.allows(Right::Look) {
        app.own_changes(&signed.signed_in, None, 20).await?.items
    } else {
        Vec::new()
    };
    Ok(SettingsPage {
        frame: signed.frame("Settings", "/account/settings"),
        login: signed.signed_in.user.login.clone(),
        account: signed.signed_in.account().name.clone(),
        role: *role,
        operator,
        manages,
        roles: AccountRole::ALL,
        provider: app.oidc_name().map(str::to_owned),
        private_media: signed.signed_in.account().private_media,
        link_life: link_life(app.private_link_life()),
        prompt_places: prompt_places(signed.signed_in.account().prompt_in_files),
        two_step: app.two_step(&signed.signed_in).await?.on.is_some(),
        sessions: sessions
            .into_iter()
            .map(|session| SessionView {
                id: session.id.to_string(),
                browser: browser_name(&session.user_agent),
                address: session.address,
                seen: Moment::ago(session.last_seen_at, now),
                began: Moment::date(session.created_at),
                own: session.id == own,
            })
            .collect(),
        members: members
            .into_iter()
            .map(|member| MemberView::new(member, &user.login))
            .collect(),
        invitations: invitations
            .into_iter()
            .map(|listed| InvitationView::new(listed, "/account/settings", true))
            .collect(),
        changes: changes.into_iter().map(ChangeView::from).collect(),
        problems: Vec::new(),
        invited: None,
        mail: app.has_mail(),
        mailed_to: None,
        done: None,
    })
}

/// The common name of a browser, from its user agent.
fn browser_name(agent: &str) -> String {
    let known = [
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    let systems = [
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("Linux", "Linux"),
    ];
    let find = |names: &[(&str, &'static str)]| {
        let found = names.iter().find(|(mark, _)| agent.contains(mark));
        found.map(|(_, name)| *name)
    };
    match (find(&known), find(&systems)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        _ if agent.is_empty() => "Unknown".to_owned(),
        _ => agent.chars().take(60).collect(),
    }
}

/// How long a link works, in the largest unit without a rest.
fn link_life(life: std::time::Duration) -> String {
    let seconds = life.as_secs().max(1);
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
    let (size, unit) = units
        .into_iter()
        .find(|(size, _)| seconds.is_multiple_of(*size))
        .unwrap_or((1, "second"));
    let count = seconds / size;
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_shown_with_their_common_names() {
        let chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 \
                      Safari/537.36";
        assert_eq!(browser_name(chrome), "Chrome on Linux");
        assert_eq!(browser_name("curl/8.5"), "curl/8.5");
        assert_eq!(browser_name(""), "Unknown");
    }
}
