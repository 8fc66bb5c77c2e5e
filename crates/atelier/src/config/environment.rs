//! The environment, read once. No other part of the program reads it.

use std::{collections::HashMap, fmt};

/// The variables that concern this program.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `ATELIER_API_KEY`: the key for calling a service. It is not a setting of the service.
    pub api_key: Option<String>,
    /// The variables of settings, in alphabetical order.
    pub(super) settings: Vec<(String, String)>,
    /// All variables: a setting can name the variable of a secret.
    variables: Variables,
}

#[derive(Clone, Default)]
struct Variables(HashMap<String, String>);

impl fmt::Debug for Variables {
    /// Hides the values, because some are secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} variables", self.0.len())
    }
}

/// The address of a service, for the client libraries. It is not a setting either.
const SERVICE_URL: &str = "ATELIER_URL";

impl Environment {
    pub fn of_process() -> Self {
        let text = |bytes: std::ffi::OsString| bytes.to_string_lossy().into_owned();
        Self::new(std::env::vars_os().map(|(name, value)| (text(name), text(value))))
    }

    pub fn new(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut environment = Self::default();
        for (name, value) in variables {
            environment.variables.0.insert(name.clone(), value.clone());
            if name == "ATELIER_API_KEY" {
                environment.api_key = Some(value).filter(|value| !value.is_empty());
            } else if name.starts_with("ATELIER_") && name != SERVICE_URL && !is_service_link(&name) {
                environment.settings.push((name, value));
            }
        }
        environment.settings.sort();
        environment
    }
}

impl Environment {
    /// The value of a variable that a setting names.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        self.variables.0.get(name).map(String::as_str)
    }
}

/// Whether Kubernetes sets this variable in every container next to a service named `atelier`.
fn is_service_link(name: &str) -> bool {
    let rest = name.strip_prefix("ATELIER_").unwrap_or(name);
    rest == "SERVICE_HOST"
        || rest == "SERVICE_PORT"
        || rest.starts_with("SERVICE_PORT_")
        || rest == "PORT"
        || rest.starts_with("PORT_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_not_a_setting_and_foreign_variables_are_ignored() {
        let variables = [
            ("ATELIER_API_KEY", "atl_x"),
            ("ATELIER_URL", "https://studio.example"),
            ("ATELIER_LOG__LEVEL", "debug"),
            ("ATELIER_DATA", "/data"),
            ("ATELIER_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
            ("ATELIER_SERVICE_HOST", "10.0.0.1"),
            ("HOME", "/root"),
        ];
        let environment =
            Environment::new(variables.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(environment.api_key.as_deref(), Some("atl_x"));
        let names: Vec<_> = environment
            .settings
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["ATELIER_DATA", "ATELIER_LOG__LEVEL"]);
    }
}
