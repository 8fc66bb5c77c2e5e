//! The table `sign_in`: the OpenID provider.

use std::{collections::BTreeMap, fs};

use atelier_app::people::oidc::{GroupRole, OidcSettings};
use atelier_domain::AccountRole;
use figment::value::Value;
use serde::Deserialize;
use url::Url;

use super::{
    environment::Environment,
    read::{Read, Refused},
};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    oidc: Option<Oidc>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Oidc {
    issuer: String,
    name: Option<String>,
    client_id: String,
    client_secret_env: Option<String>,
    client_secret_file: Option<String>,
    scopes: Option<Vec<String>>,
    login_claim: Option<String>,
    groups_claim: Option<String>,
    #[serde(default)]
    groups: BTreeMap<String, String>,
    #[serde(default)]
    create: bool,
    account: Option<String>,
    mcp_audience: Option<String>,
    mcp_scopes: Option<Vec<String>>,
}

/// Reads the provider; `None` without one.
pub(super) fn oidc(environment: &Environment) -> impl Fn(&Value) -> Read<Option<OidcSettings>> {
    move |value| {
        let written: Written = value.deserialize().map_err(|error| refused(&error.to_string()))?;
        written.oidc.map(|oidc| settings(oidc, environment)).transpose()
    }
}

fn settings(written: Oidc, environment: &Environment) -> Read<OidcSettings> {
    let issuer = written.issuer;
    let is_url = Url::parse(&issuer)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host() && url.query().is_none());
    if !is_url {
        return Err(refused(&format!(
            "`issuer` must be an http or https URL without query (got {issuer:?})"
        )));
    }
    if written.client_id.is_empty() {
        return Err(refused("`client_id` must not be empty"));
    }
    let mut scopes = written
        .scopes
        .unwrap_or_else(|| ["openid", "email", "profile"].map(str::to_owned).to_vec());
    if !scopes.iter().any(|scope| scope == "openid") {
        scopes.insert(0, "openid".to_owned());
    }
    let mcp_audience = written.mcp_audience.filter(|audience| !audience.is_empty());
    if mcp_audience.as_ref() == Some(&written.client_id) {
        return Err(refused(
            "`mcp_audience` must not be the `client_id`: ID tokens name it, and they must not open `/mcp`",
        ));
    }
    let groups = written.groups.into_iter().map(|(group, place)| {
        let (account, role) = membership(&place)?;
        Ok(GroupRole { group, account, role })
    });
    Ok(OidcSettings {
        name: written.name.unwrap_or_else(|| "single sign-on".to_owned()),
        client_secret: secret(
            written.client_secret_env.as_deref(),
            written.client_secret_file.as_deref(),
            environment,
        )?,
        client_id: written.client_id,
        mcp_scopes: written.mcp_scopes.unwrap_or_else(|| scopes.clone()),
        mcp_audience,
        scopes,
        login_claim: written.login_claim.unwrap_or_else(|| "email".to_owned()),
        groups_claim: written.groups_claim.unwrap_or_else(|| "groups".to_owned()),
        groups: groups.collect::<Read<_>>()?,
        create: written.create,
        account: written.account.as_deref().map(membership).transpose()?,
        issuer,
    })
}

/// An account and a role: `studio:developer`. Names of accounts may contain colons.
fn membership(text: &str) -> Read<(String, AccountRole)> {
    let (account, role) = text.rsplit_once(':').ok_or_else(|| {
        refused(&format!(
            "{text:?} must be an account and a role, such as studio:developer"
        ))
    })?;
    let role = role.parse().map_err(|error: String| refused(&error))?;
    Ok((account.to_owned(), role))
}

fn secret(variable: Option<&str>, file: Option<&str>, environment: &Environment) -> Read<Option<String>> {
    match (variable, file) {
        (None, None) => Ok(None),
        (Some(variable), None) => {
            let value = environment.variable(variable).filter(|value| !value.is_empty());
            let unset = || {
                refused(&format!(
                    "`client_secret_env`: the variable {variable} is not set"
                ))
            };
            Ok(Some(value.ok_or_else(unset)?.to_owned()))
        }
        (None, Some(file)) => match fs::read_to_string(file) {
            Ok(text) => Ok(Some(text.trim().to_owned())),
            Err(error) => Err(refused(&format!("`client_secret_file` {file}: {error}"))),
        },
        (Some(_), Some(_)) => Err(refused(
            "set either `client_secret_env` or `client_secret_file`, not both",
        )),
    }
}

fn refused(why: &str) -> Refused {
    Refused::Because(format!("[sign_in.oidc]: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(more: &str) -> Read<Option<OidcSettings>> {
        let table = format!("{{ issuer = \"https://id.example\", client_id = \"atelier\", {more} }}");
        let table: toml::Table = toml::from_str(&format!("oidc = {table}")).unwrap();
        oidc(&Environment::default())(&Value::serialize(table).unwrap())
    }

    #[test]
    fn access_tokens_have_the_scopes_of_the_sign_in_and_never_the_audience_of_id_tokens() {
        let settings = read("scopes = [\"email\"]").unwrap().unwrap();
        assert_eq!(
            (settings.mcp_audience, settings.mcp_scopes.join(" ")),
            (None, "openid email".to_owned())
        );
        let settings = read("mcp_audience = \"api\", mcp_scopes = [\"a\"]")
            .unwrap()
            .unwrap();
        assert_eq!(
            (settings.mcp_audience.as_deref(), settings.mcp_scopes.len()),
            (Some("api"), 1)
        );
        let Err(Refused::Because(why)) = read("mcp_audience = \"atelier\"") else {
            panic!("it was accepted")
        };
        assert!(
            why.contains("`mcp_audience` must not be the `client_id`"),
            "{why}"
        );
    }
}
