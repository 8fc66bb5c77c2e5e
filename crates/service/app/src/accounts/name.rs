//! The names of accounts, keys and tokens.

use crate::{Error, Result};

/// Names are shown in lists and typed in commands: 1 to 100 characters, none of them a control character.
pub(crate) fn check_name(what: &str, name: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 100 || name.chars().any(char::is_control) {
        return Err(Error::invalid(format!(
            "the {what}'s name must have 1 to 100 characters and no control characters (got {name:?})"
        )));
    }
    Ok(name.to_owned())
}
