//! Finds and reads the file of the content policy.

use std::{io, path::Path};

use atelier_app::policy::Policy;

use crate::{config::Config, failure::Failure};

/// The name of the file in the data folder.
const FILE: &str = "policy.toml";

/// Reads the policy of this configuration: its blocked terms, the rules of its file, and the operator's own check.
pub(crate) fn read(config: &Config) -> Result<Policy, Failure> {
    let policy = read_rules(config)?;
    policy
        .with_check_secret(config.policy_check_secret.as_deref())
        .map_err(|message| Failure::Failed {
            code: "policy",
            message,
        })
}

fn read_rules(config: &Config) -> Result<Policy, Failure> {
    let own = Policy::new(&config.blocked_terms);
    if let Some(path) = &config.policy_path {
        return read_file(own, path);
    }
    let path = config.data.join(FILE);
    match path.try_exists() {
        Ok(false) => Ok(own),
        _ => read_file(own, &path),
    }
}

/// Adds the rules of a file.
pub(crate) fn read_file(policy: Policy, path: &Path) -> Result<Policy, Failure> {
    let name = path.display().to_string();
    let failed = |message| Failure::Failed {
        code: "policy",
        message,
    };
    let text =
        std::fs::read_to_string(path).map_err(|error: io::Error| failed(format!("{name}: {error}")))?;
    policy
        .with_file(&name, &text)
        .map_err(|error| failed(error.to_string()))
}
