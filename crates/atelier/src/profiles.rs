//! The profiles of engines: the operator's own, and those that ship.

use std::fs;

use atelier_engines::http::Profile;

use crate::config::Config;

/// The operator's own profile of this name, else the one that ships.
pub(crate) fn profile(config: &Config, name: &str) -> Result<Profile, String> {
    let file = config.data.join("profiles").join(format!("{name}.toml"));
    let read = match fs::read_to_string(&file) {
        Ok(text) => Some(Profile::parse(&file.display().to_string(), &text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Profile::shipped(name),
        Err(error) => return Err(format!("{}: {error}", file.display())),
    };
    let missing = || {
        let shipped: Vec<_> = Profile::shipped_names().collect();
        format!(
            "unknown profile `{name}`: {} does not exist; included profiles: {}",
            file.display(),
            shipped.join(", ")
        )
    };
    read.ok_or_else(missing)?.map_err(|error| error.to_string())
}
