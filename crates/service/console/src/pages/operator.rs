//! The operator's pages about accounts and users. `service.rs` has the page about the service.

use askama::Template;
use atelier_app::{
    Error,
    accounts::{create::CreateAccount, update::AccountUpdate},
    people::{invite::join_path, reset::reset_path},
};
use atelier_domain::{Account, AccountRole, Plan, PlanLimits, Role};
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect},
};

use super::invitations::{InvitationView, new_link};
use crate::{
    error::{PageError, Result, capital},
    form::Form,
    frame::{Frame, page, page_with},
    moment::Moment,
    session::{PostedByOperator, SignedOperator},
    state::Console,
    text,
};

#[derive(Template)]
#[template(path = "operator/accounts.html")]
struct AccountsPage {
    frame: Frame,
    accounts: Vec<AccountView>,
    /// A new account with its key and its signing secret.
    created: Option<(String, String, String)>,
    name: String,
    problem: String,
}

#[derive(Template)]
#[template(path = "operator/account.html")]
struct AccountPage {
    frame: Frame,
    account: AccountView,
    /// The limits of its plan, which hold where its own are empty.
    plan: PlanLimits,
    users: Vec<UserView>,
    roles: [AccountRole; 4],
    invitations: Vec<InvitationView>,
    /// A new invitation link and its expiry.
    invited: Option<(String, Moment)>,
    /// Whether invitations can be mailed, and where the new one goes.
    mail: bool,
    mailed_to: Option<String>,
    /// A login, its new reset link and the expiry of the link.
    reset: Option<(String, String, Moment)>,
    problem: String,
}

struct AccountView {
    name: String,
    beta: bool,
    plan: String,
    /// The active plan's name, for the form.
    plan_name: String,
    available: String,
    held: String,
    per_minute: String,
    /// The account's own limit, for the form.
    own_per_minute: String,
    /// Empty without a limit.
    max_queued: String,
    max_running: String,
    monthly_budget: String,
    retention_days: String,
    private_media: bool,
    since: Moment,
}

#[expect(clippy::struct_excessive_bools, reason = "the badges and buttons of a row")]
struct UserView {
    login: String,
    /// The role in the account.
    role: &'static str,
    operator: bool,
    disabled: bool,
    own: bool,
    two_step: bool,
}

impl From<Account> for AccountView {
    fn from(account: Account) -> Self {
        let per_minute = account.per_minute();
        let active = account
            .plan
            .as_ref()
            .filter(|plan| plan.active)
            .map(|plan| plan.name.clone());
        let plan = account.plan.map(|plan| {
            let note = if plan.active { "" } else { " (not active)" };
            plan.name + note
        });
        let given = |limit: Option<u32>| limit.map(|limit| limit.to_string()).unwrap_or_default();
        let own = account.generations_per_minute.map(|limit| limit.to_string());
        Self {
            name: account.name,
            beta: account.beta,
            plan: plan.unwrap_or_else(|| "none".to_owned()),
            plan_name: active.unwrap_or_default(),
            available: text::count(account.available),
            held: text::count(account.held),
            per_minute: per_minute.map_or_else(|| "default".to_owned(), |limit| limit.to_string()),
            own_per_minute: own.unwrap_or_default(),
            max_queued: given(account.queue.max_queued),
            max_running: given(account.queue.max_running),
            monthly_budget: account
                .monthly_budget
                .map_or_else(String::new, |budget| budget.to_string()),
            retention_days: account
                .retention_days
                .map_or_else(String::new, |days| days.to_string()),
            private_media: account.private_media,
            since: Moment::date(account.created_at),
        }
    }
}

pub(crate) async fn accounts(State(console): State<Console>, by: SignedOperator) -> Result {
    let mut shown = accounts_page(&console, &by).await?;
    let text = |name| by.signed.once.text(name).map(str::to_owned);
    if let (Some(name), Some(key), Some(secret)) = (text("name"), text("key"), text("secret")) {
        shown.created = Some((name, key, secret));
    }
    Ok(page(&shown))
}

pub(crate) async fn create_account(State(console): State<Console>, posted: PostedByOperator) -> Result {
    let (by, form) = posted.split();
    let created = match new_account(&form) {
        Ok(new) => console.app.admin(&by.operator).create_account(new).await,
        Err(error) => Err(error),
    };
    match created {
        Ok(created) => {
            let texts = [
                ("name", created.account.name.as_str()),
                ("key", &created.key.text),
                ("secret", &created.account.signing.current),
            ];
            by.signed
                .once
                .redirect(&console, "/account/operator/accounts", &texts)
        }
        Err(Error::InvalidRequest { message, .. }) => {
            let mut shown = accounts_page(&console, &by).await?;
            shown.problem = capital(&message);
            form.get("name").clone_into(&mut shown.name);
            Ok(page_with(StatusCode::BAD_REQUEST, &shown))
        }
        Err(other) => Err(other.into()),
    }
}

pub(crate) async fn account(
    State(console): State<Console>,
    Path(name): Path<String>,
    by: SignedOperator,
) -> Result {
    let mut shown = account_page(&console, &by, &name).await?;
    let text = |name| by.signed.once.text(name);
    let link = new_link(text("link"), text("until"));
    match text("login") {
        Some(login) => shown.reset = link.map(|(link, until)| (login.to_owned(), link, until)),
        None => shown.invited = link,
    }
    shown.mailed_to = text("mailed").map(str::to_owned);
    Ok(page(&shown))
}

pub(crate) async fn update_account(
    State(console): State<Console>,
    Path(name): Path<String>,
    posted: PostedByOperator,
) -> Result {
    let (by, form) = posted.split();
    let changed = match change(&form) {
        Ok(change) => {
            let admin = console.app.admin(&by.operator);
            admin.update_account(&name, change, None).await
        }
        Err(error) => Err(error),
    };
    answer(&console, &by, &name, changed).await
}

pub(crate) async fn grant(
    State(console): State<Console>,
    Path(name): Path<String>,
    posted: PostedByOperator,
) -> Result {
    let (by, form) = posted.split();
    let booked = match whole::<i64>(&form, "credits") {
        Ok(Some(credits)) => {
            let reason = form.get("reason").trim();
            console
                .app
                .admin(&by.operator)
                .grant_credits(&name, credits, reason)
                .await
        }
        Ok(None) => Err(Error::invalid("enter the number of credits to add or remove")),
        Err(error) => Err(error),
    };
    answer(&console, &by, &name, booked).await
}

pub(crate) async fn invite(
    State(console): State<Console>,
    Path(name): Path<String>,
    posted: PostedByOperator,
) -> Result {
    let (by, form) = posted.split();
    let (role, account_role) = match form.get("role") {
        "operator" => (Role::Operator, AccountRole::Owner),
        role => (Role::Member, role.parse::<AccountRole>().map_err(Error::invalid)?),
    };
    let (app, signed_in) = (&console.app, by.operator.signed_in());
    let to = form.given("email");
    if let Some(to) = to {
        app.may_mail_invitation(signed_in, to)?;
    }
    let invited = app.admin(&by.operator).invite(&name, role, account_role).await?;
    if let Some(to) = to {
        app.mail_invitation(signed_in, &invited, to, &console.options.public_url);
    }
    let link = console.link(&join_path(&invited.token));
    let until = invited.expires_at.to_string();
    let mut texts = vec![("link", link.as_str()), ("until", &until)];
    texts.extend(to.map(|to| ("mailed", to)));
    by.signed.once.redirect(&console, &account_path(&name), &texts)
}

pub(crate) async fn revoke_invitation(
    State(console): State<Console>,
    Path((name, id)): Path<(String, String)>,
    posted: PostedByOperator,
) -> Result {
    let (by, _) = posted.split();
    console.app.admin(&by.operator).revoke_invitation(&id).await?;
    Ok(Redirect::to(&account_path(&name)).into_response())
}

pub(crate) async fn reset_password(
    State(console): State<Console>,
    Path(login): Path<String>,
    posted: PostedByOperator,
) -> Result {
    let (by, form) = posted.split();
    let link = console.app.admin(&by.operator).reset_password(&login).await;
    let account = form.get("account");
    match link {
        Ok(reset) => {
            let link = console.link(&reset_path(&reset.token));
            let until = reset.expires_at.to_string();
            let texts = [
                ("login", reset.user.login.as_str()),
                ("link", &link),
                ("until", &until),
            ];
            by.signed.once.redirect(&console, &account_path(account), &texts)
        }
        Err(Error::InvalidRequest { message, .. }) => {
            let mut shown = account_page(&console, &by, account).await?;
            shown.problem = capital(&message);
            Ok(page_with(StatusCode::BAD_REQUEST, &shown))
        }
        Err(other) => Err(other.into()),
    }
}

pub(crate) async fn update_user(
    State(console): State<Console>,
    Path(login): Path<String>,
    posted: PostedByOperator,
) -> Result {
    let (by, form) = posted.split();
    let role = form
        .given("role")
        .map(str::parse::<Role>)
        .transpose()
        .map_err(Error::invalid)?;
    let disabled = form.given("disabled").map(|text| text == "true");
    console
        .app
        .admin(&by.operator)
        .update_user(&login, role, disabled)
        .await?;
    Ok(Redirect::to(&account_path(form.get("account"))).into_response())
}

pub(crate) async fn reset_two_step(
    State(console): State<Console>,
    Path(login): Path<String>,
    posted: PostedByOperator,
) -> Result {
    let (by, form) = posted.split();
    console.app.admin(&by.operator).reset_two_step(&login).await?;
    Ok(Redirect::to(&account_path(form.get("account"))).into_response())
}

async fn answer(
    console: &Console,
    by: &SignedOperator,
    name: &str,
    changed: atelier_app::Result<Account>,
) -> Result {
    match changed {
        Ok(account) => Ok(Redirect::to(&account_path(&account.name)).into_response()),
        Err(Error::InvalidRequest { message, .. }) => {
            let mut shown = account_page(console, by, name).await?;
            shown.problem = capital(&message);
            Ok(page_with(StatusCode::BAD_REQUEST, &shown))
        }
        Err(other) => Err(other.into()),
    }
}

async fn accounts_page(
    console: &Console,
    by: &SignedOperator,
) -> std::result::Result<AccountsPage, PageError> {
    let accounts = console.app.admin(&by.operator).accounts().await?;
    Ok(AccountsPage {
        frame: by.signed.frame("Accounts", "/account/operator/accounts"),
        accounts: accounts.into_iter().map(AccountView::from).collect(),
        created: None,
        name: String::new(),
        problem: String::new(),
    })
}

async fn account_page(
    console: &Console,
    by: &SignedOperator,
    name: &str,
) -> std::result::Result<AccountPage, PageError> {
    let account = console.app.admin(&by.operator).account(name).await?;
    let plan = console.app.admin(&by.operator).plan_of(&account).await?;
    let plan = plan.unwrap_or_else(|| PlanLimits::none(String::new()));
    let members = console.app.admin(&by.operator).members(name).await?;
    let invitations = console.app.admin(&by.operator).invitations(Some(name)).await?;
    let mut users = Vec::new();
    for member in members {
        users.push(UserView {
            own: member.user.login == by.operator.login(),
            role: member.role.as_str(),
            operator: member.user.role == Role::Operator,
            disabled: member.user.disabled_at.is_some(),
            two_step: console.app.admin(&by.operator).has_two_step(&member.user).await?,
            login: member.user.login,
        });
    }
    Ok(AccountPage {
        frame: by.signed.frame(&account.name, "/account/operator/accounts"),
        users,
        roles: AccountRole::ALL,
        account: account.into(),
        plan,
        invitations: invitations
            .into_iter()
            .map(|listed| InvitationView::new(listed, &account_path(name), true))
            .collect(),
        invited: None,
        mail: console.app.has_mail(),
        mailed_to: None,
        reset: None,
        problem: String::new(),
    })
}

fn new_account(form: &Form) -> atelier_app::Result<CreateAccount> {
    Ok(CreateAccount {
        name: form.get("name").to_owned(),
        credits: whole(form, "credits")?.unwrap_or(0),
        plan: plan(form),
        beta: form.get("beta") == "true",
        generations_per_minute: None,
        private_media: form.get("private_media") == "true",
    })
}

fn change(form: &Form) -> atelier_app::Result<AccountUpdate> {
    Ok(AccountUpdate {
        beta: Some(form.get("beta") == "true"),
        plan: Some(plan(form)),
        generations_per_minute: Some(whole(form, "generations_per_minute")?),
        max_queued: Some(whole(form, "max_queued")?),
        max_running: Some(whole(form, "max_running")?),
        monthly_budget: Some(whole(form, "monthly_budget")?),
        retention_days: Some(whole(form, "retention_days")?),
        private_media: Some(form.get("private_media") == "true"),
        prompt_in_files: None,
    })
}

fn plan(form: &Form) -> Option<Plan> {
    form.given("plan").map(|name| Plan {
        name: name.to_owned(),
        active: true,
    })
}

/// A whole number, if the field is not empty.
fn whole<T: std::str::FromStr>(form: &Form, name: &str) -> atelier_app::Result<Option<T>> {
    let Some(text) = form.given(name) else {
        return Ok(None);
    };
    let wrong = || {
        Error::invalid(format!(
            "{} must be a whole number (got \u{201c}{text}\u{201d})",
            name.replace('_', " ")
        ))
    };
    text.parse().map(Some).map_err(|_| wrong())
}

pub(super) fn account_path(name: &str) -> String {
    let name: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
    format!("/account/operator/accounts/{}", name.replace('+', "%20"))
}
