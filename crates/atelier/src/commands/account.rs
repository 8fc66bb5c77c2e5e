//! `atelier account`: creates, shows and changes accounts.

use std::sync::Arc;

use atelier_app::{
    accounts::{
        create::CreateAccount,
        update::{AccountUpdate, Credits},
    },
    people::invite::{Invited, join_path},
};
use atelier_domain::{Account, AccountRole, ListedInvitation, Member, Plan, PlanLimits, Role};
use atelier_outbound::smtp::{SmtpServer, is_address};
use serde_json::{Value, json};

use super::{OnStore, key, plan as plans};
use crate::{
    cli::{self, Maximum, Most},
    failure::Failure,
    output::{fields, table},
};

pub(super) async fn run(session: Arc<OnStore>, command: cli::Account) -> Result<(), Failure> {
    match command {
        cli::Account::Create(new) => create(&session, new).await,
        cli::Account::List => list(&session).await,
        cli::Account::Show { name } => show(&session, &name).await,
        cli::Account::Update(change) => update(&session, change).await,
        cli::Account::Invite {
            name,
            operator,
            role,
            mail,
        } => invite(&session, &name, operator, role, mail.as_deref()).await,
        cli::Account::Members { name } => members(&session, &name).await,
        cli::Account::Member(change) => change_member(&session, &change).await,
        cli::Account::Invitations { name } => invitations(&session, name.as_deref()).await,
        cli::Account::RevokeInvitation { id } => revoke_invitation(&session, &id).await,
        // They also need the files.
        cli::Account::Export { .. } | cli::Account::Erase { .. } => Ok(()),
    }
}

async fn create(session: &OnStore, new: cli::CreateAccount) -> Result<(), Failure> {
    let new = CreateAccount {
        name: new.name,
        credits: new.credits,
        plan: plan(&new.plan),
        beta: !new.no_beta,
        generations_per_minute: new.generations_per_minute,
        private_media: new.private_media,
    };
    let created = session.admin.create_account(new).await?;
    let shown = [
        ("id", created.account.id.to_string()),
        ("name", created.account.name),
        ("api_key", created.key.text),
        ("api_key_id", created.key.record.id.to_string()),
        ("signing_secret", created.account.signing.current),
    ];
    let value: Value = shown
        .iter()
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect();
    Ok(session.output.result(&value, || {
        format!("{}\nThe key is shown only once. Store it now.\n", fields(&shown))
    })?)
}

async fn list(session: &OnStore) -> Result<(), Failure> {
    let accounts = session.admin.accounts().await?;
    let value: Value = accounts.iter().map(as_json).collect();
    let rows = || {
        accounts
            .iter()
            .map(|account| {
                vec![
                    account.name.clone(),
                    account.available.to_string(),
                    account.held.to_string(),
                    plan_name(account),
                    yes_no(account.beta),
                    per_minute(account),
                    account.created_at.to_string(),
                ]
            })
            .collect()
    };
    let header = ["name", "credits", "held", "plan", "beta", "per minute", "created"];
    Ok(session.output.result(&value, || {
        if accounts.is_empty() {
            return "There are no accounts. Create one: atelier account create NAME".to_owned();
        }
        table(&header, rows())
    })?)
}

async fn show(session: &OnStore, name: &str) -> Result<(), Failure> {
    let account = session.admin.account(name).await?;
    let keys = session.admin.keys(name).await?;
    let plan = session.admin.plan_of(&account).await?;
    let mut value = as_json(&account);
    value["limits"] = plans::effective(&account, plan.as_ref());
    value["signing_secret"] = json!(account.signing.current);
    value["keys"] = keys.iter().map(key::as_json).collect();
    Ok(session.output.result(&value, || {
        let mut shown = described(&account, plan.as_ref());
        shown.push(("signing secret", account.signing.current.clone()));
        format!("{}\n{}", fields(&shown), key::listed(&keys))
    })?)
}

async fn update(session: &OnStore, change: cli::UpdateAccount) -> Result<(), Failure> {
    let update = AccountUpdate {
        beta: (change.beta || change.no_beta).then_some(change.beta),
        plan: change.plan.as_deref().map(plan),
        generations_per_minute: change.generations_per_minute.map(Some),
        max_queued: change.max_queued.map(|Maximum(max)| max),
        max_running: change.max_running.map(|Maximum(max)| max),
        monthly_budget: change.monthly_budget.map(|Most(budget)| budget),
        retention_days: change.retention_days.map(|Maximum(days)| days),
        private_media: (change.private_media || change.no_private_media).then_some(change.private_media),
        prompt_in_files: change.prompt_in_files,
    };
    let credits = change.credits.map(|amount| Credits {
        amount,
        reason: change.reason,
    });
    let updated = session.admin.update_account(&change.name, update, credits);
    let account = updated.await?;
    let plan = session.admin.plan_of(&account).await?;
    Ok(session
        .output
        .result(&as_json(&account), || fields(&described(&account, plan.as_ref())))?)
}

async fn invitations(session: &OnStore, account: Option<&str>) -> Result<(), Failure> {
    let invitations = session.admin.invitations(account).await?;
    let value = |listed: &ListedInvitation| {
        let invitation = &listed.invitation;
        json!({
            "id": invitation.id,
            "account": listed.account,
            "role": invitation.role,
            "account_role": invitation.account_role,
            "inviter": listed.inviter,
            "created_at": invitation.created_at.rfc3339(),
            "expires_at": invitation.expires_at.rfc3339(),
        })
    };
    let row = |listed: &ListedInvitation| {
        let invitation = &listed.invitation;
        vec![
            invitation.id.to_string(),
            listed.account.clone().unwrap_or_else(|| "-".to_owned()),
            match invitation.role {
                Role::Operator => "operator".to_owned(),
                Role::Member => invitation.account_role.to_string(),
            },
            listed.inviter.clone().unwrap_or_else(|| "-".to_owned()),
            invitation.expires_at.to_string(),
        ]
    };
    let values: Value = invitations.iter().map(value).collect();
    Ok(session.output.result(&values, || {
        if invitations.is_empty() {
            return "There are no open invitations.".to_owned();
        }
        let header = ["invitation", "account", "role", "invited by", "expires"];
        table(&header, invitations.iter().map(row).collect())
    })?)
}

async fn revoke_invitation(session: &OnStore, id: &str) -> Result<(), Failure> {
    let invitation = session.admin.revoke_invitation(id).await?;
    let value = json!({ "id": invitation.id, "revoked": true });
    Ok(session
        .output
        .result(&value, || format!("Revoked the invitation {}.", invitation.id))?)
}

async fn members(session: &OnStore, name: &str) -> Result<(), Failure> {
    let members = session.admin.members(name).await?;
    let value = |member: &Member| {
        json!({
            "login": member.user.login,
            "account_role": member.role,
            "role": member.user.role,
            "since": member.since.rfc3339(),
        })
    };
    let row = |member: &Member| {
        vec![
            member.user.login.clone(),
            member.role.to_string(),
            member.since.to_string(),
        ]
    };
    let values: Value = members.iter().map(value).collect();
    Ok(session.output.result(&values, || {
        if members.is_empty() {
            return format!("`{name}` has no members. Invite someone: atelier account invite {name}");
        }
        table(&["login", "role", "since"], members.iter().map(row).collect())
    })?)
}

async fn change_member(session: &OnStore, change: &cli::ChangeMember) -> Result<(), Failure> {
    let cli::ChangeMember {
        name, login, role, ..
    } = change;
    session.admin.change_member(name, login, *role).await?;
    let value = json!({ "account": name, "login": login, "account_role": role });
    Ok(session.output.result(&value, || match role {
        Some(role) => format!("{login} is {role} in `{name}`."),
        None => format!("{login} no longer belongs to `{name}`."),
    })?)
}

async fn invite(
    session: &OnStore,
    name: &str,
    operator: bool,
    account_role: AccountRole,
    mail: Option<&str>,
) -> Result<(), Failure> {
    // An invitation that cannot be sent must not be created.
    let mail = mail.map(|to| server_for(session, to)).transpose()?;
    let role = if operator { Role::Operator } else { Role::Member };
    let invited = session.admin.invite(name, role, account_role).await?;
    if let Some((server, to)) = mail {
        send(session, server, &invited, to).await?;
    }
    let url = format!("{}{}", session.public_url, join_path(&invited.token));
    let value = json!({
        "account": name,
        "role": role,
        "account_role": account_role,
        "url": url,
        "expires_at": invited.expires_at.rfc3339(),
        "mailed_to": mail.map(|(_, to)| to),
    });
    Ok(session.output.result(&value, || {
        let (role, expires) = (
            if operator { "operator" } else { account_role.as_str() },
            invited.expires_at,
        );
        match mail {
            None => format!(
                "{url}\n\nOne person can use this link once to join `{name}` as {role}. It expires at {expires}.\n"
            ),
            Some((_, to)) => format!(
                "Mailed to {to}: a link to join `{name}` once as {role}. It expires at {expires}.\n"
            ),
        }
    })?)
}

/// The mail server for an invitation to this address.
fn server_for<'a>(session: &'a OnStore, to: &'a str) -> Result<(&'a SmtpServer, &'a str), Failure> {
    let missing = || Failure::usage("--mail requires a mail server: set `mail.url` and `mail.from`");
    let server = session.mail.as_ref().ok_or_else(missing)?;
    if !is_address(to) {
        return Err(Failure::usage(format!(
            "--mail must be one address, such as grace@example.com (got {to:?})"
        )));
    }
    Ok((server, to))
}

/// Mails an invitation. If the server does not accept it, the invitation is revoked.
async fn send(session: &OnStore, server: &SmtpServer, invited: &Invited, to: &str) -> Result<(), Failure> {
    let sent = session
        .admin
        .mail_invitation(server, invited, to, &session.public_url)
        .await;
    let Err(error) = sent else {
        return Ok(());
    };
    session.admin.revoke_invitation(&invited.id.to_string()).await?;
    Err(Failure::Failed {
        code: "mail",
        message: format!("the invitation was not sent and is now revoked: {error}"),
    })
}

fn plan(name: &str) -> Option<Plan> {
    (name != "none").then(|| Plan {
        name: name.to_owned(),
        active: true,
    })
}

fn as_json(account: &Account) -> Value {
    json!({
        "id": account.id,
        "name": account.name,
        "credits": account.available,
        "held": account.held,
        "plan": account.plan,
        "beta": account.beta,
        "generations_per_minute": account.generations_per_minute,
        "max_queued": account.queue.max_queued,
        "max_running": account.queue.max_running,
        "monthly_budget": account.monthly_budget,
        "retention_days": account.retention_days,
        "private_media": account.private_media,
        "prompt_in_files": account.prompt_in_files.as_str(),
        "created_at": account.created_at.rfc3339(),
    })
}

fn described(account: &Account, plan: Option<&PlanLimits>) -> Vec<(&'static str, String)> {
    let queue = plan.map(|plan| plan.queue).unwrap_or_default();
    let maximum_of = |own, of_plan| plans::shown(own, of_plan, "any");
    vec![
        ("id", account.id.to_string()),
        ("name", account.name.clone()),
        ("credits", account.available.to_string()),
        ("held", account.held.to_string()),
        ("plan", plan_name(account)),
        ("beta", yes_no(account.beta)),
        ("per minute", per_minute(account)),
        (
            "max queued",
            maximum_of(account.queue.max_queued, queue.max_queued),
        ),
        (
            "max running",
            maximum_of(account.queue.max_running, queue.max_running),
        ),
        ("weight", plan.map_or(1, |plan| plan.weight).to_string()),
        ("monthly budget", maximum(account.monthly_budget)),
        ("retention", retention(account.retention_days)),
        ("private media", yes_no(account.private_media)),
        ("prompt in files", account.prompt_in_files.as_str().to_owned()),
        ("created", account.created_at.to_string()),
    ]
}

fn plan_name(account: &Account) -> String {
    match &account.plan {
        None => "none".to_owned(),
        Some(plan) if plan.active => plan.name.clone(),
        Some(plan) => format!("{} (not active)", plan.name),
    }
}

fn per_minute(account: &Account) -> String {
    plans::shown(account.generations_per_minute, account.plan_per_minute, "default")
}

fn maximum(limit: Option<impl ToString>) -> String {
    limit.map_or_else(|| "any".to_owned(), |limit| limit.to_string())
}

fn retention(days: Option<u32>) -> String {
    days.map_or_else(|| "default".to_owned(), |days| format!("{days} days"))
}

fn yes_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}
