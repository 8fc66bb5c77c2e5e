//! `atelier user`: lists users and changes their roles.

use std::{collections::HashMap, sync::Arc};

use atelier_app::people::reset::reset_path;
use atelier_domain::{Timestamp, User};
use serde_json::{Value, json};

use super::OnStore;
use crate::{cli, failure::Failure, output::table};

pub(super) async fn run(session: Arc<OnStore>, command: cli::User) -> Result<(), Failure> {
    match command {
        cli::User::List { account } => list(&session, account.as_deref()).await,
        cli::User::Update(change) => update(&session, &change).await,
        cli::User::ResetPassword { login } => reset_password(&session, &login).await,
        cli::User::ResetTwoStep { login } => reset_two_step(&session, &login).await,
    }
}

async fn reset_password(session: &OnStore, login: &str) -> Result<(), Failure> {
    let link = session.admin.reset_password(login).await?;
    let url = format!("{}{}", session.public_url, reset_path(&link.token));
    let value = json!({
        "login": link.user.login,
        "url": url,
        "expires_at": link.expires_at.rfc3339(),
    });
    Ok(session.output.result(&value, || {
        format!(
            "{url}\n\n`{}` can use this link once to choose a new password. It expires at {}.\n",
            link.user.login, link.expires_at
        )
    })?)
}

async fn reset_two_step(session: &OnStore, login: &str) -> Result<(), Failure> {
    let user = session.admin.reset_two_step(login).await?;
    let name = session.admin.account_of(&user).await?.name;
    Ok(session.output.result(&as_json(&user, &name), || {
        format!(
            "Two-step sign-in is off for {}: their password alone signs them in.",
            user.login
        )
    })?)
}

async fn list(session: &OnStore, account: Option<&str>) -> Result<(), Failure> {
    let users = match account {
        Some(account) => {
            let members = session.admin.members(account).await?;
            members.into_iter().map(|member| member.user).collect()
        }
        None => session.admin.users().await?,
    };
    let accounts = session.admin.accounts().await?;
    let names: HashMap<_, _> = accounts
        .into_iter()
        .map(|account| (account.id, account.name))
        .collect();
    let name = |user: &User| names.get(&user.account).cloned().unwrap_or_default();
    let value: Value = users.iter().map(|user| as_json(user, &name(user))).collect();
    let row = |user: &User| {
        vec![
            user.login.clone(),
            user.role.to_string(),
            name(user),
            user.created_at.to_string(),
            user.disabled_at
                .map_or_else(|| "-".to_owned(), Timestamp::rfc3339),
        ]
    };
    Ok(session.output.result(&value, || {
        if users.is_empty() {
            return "There are no users yet. Invite someone: atelier account invite NAME".to_owned();
        }
        let header = ["login", "role", "account", "created", "disabled"];
        table(&header, users.iter().map(row).collect())
    })?)
}

async fn update(session: &OnStore, change: &cli::UpdateUser) -> Result<(), Failure> {
    let disabled = (change.disable || change.enable).then_some(change.disable);
    let admin = &session.admin;
    let user = admin.update_user(&change.login, change.role, disabled).await?;
    let name = admin.account_of(&user).await?.name;
    Ok(session.output.result(&as_json(&user, &name), || {
        let state = if user.disabled_at.is_some() {
            "disabled"
        } else {
            "enabled"
        };
        format!("{} is {} of `{name}` ({state}).", user.login, user.role)
    })?)
}

fn as_json(user: &User, account: &str) -> Value {
    json!({
        "id": user.id,
        "login": user.login,
        "role": user.role,
        "account": account,
        "created_at": user.created_at.rfc3339(),
        "disabled_at": user.disabled_at.map(Timestamp::rfc3339),
    })
}
