//! The list of settings. `default.toml` explains them; here are the allowed values, in the words of error messages.

/// One setting.
#[derive(Debug)]
pub(super) struct Key {
    /// `section.key`, or `key` at the top.
    pub(super) path: &'static str,
    pub(super) allowed: &'static str,
    /// Whether the value is never shown.
    pub(super) secret: bool,
}

const fn key(path: &'static str, allowed: &'static str) -> Key {
    Key {
        path,
        allowed,
        secret: false,
    }
}

const fn secret(path: &'static str, allowed: &'static str) -> Key {
    Key {
        path,
        allowed,
        secret: true,
    }
}

const TEXT: &str = "a text";
const BOOLEAN: &str = "true or false";
const COUNT: &str = "a whole number from 1 to 4294967295";
const DAYS: &str = "a whole number of days from 0 (kept) to 36500";
const JOBS: &str = "0 (kept), or a whole number of days from 2 to 36500";
const ADDRESS: &str = "an address and a port, such as 127.0.0.1:8080 or [::1]:8080";
const ORIGIN: &str = "an http or https URL without query, such as https://media.example.com";

/// In the order of `default.toml`.
pub(super) const KEYS: &[Key] = &[
    key("data", "a folder"),
    key(
        "routes",
        "a list of routes, each with `model` (a slug or a pattern), `engine`, and optionally `target`, `workflow` and \
         `body`",
    ),
    key(
        "engines",
        "a table of engines by name, each with `kind` and the settings of that kind",
    ),
    key("devices", "a table of devices by name, each with `memory_mb`"),
    key(
        "sign_in",
        "a table with the table `oidc`: `issuer`, `client_id` and further settings of the provider",
    ),
    key("server.listen", ADDRESS),
    key(
        "server.public_url",
        "an http or https URL without path and query, such as https://media.example.com",
    ),
    key(
        "server.shutdown_grace_seconds",
        "a number of seconds from 0 to 3600",
    ),
    key("server.slow_body_seconds", "a number of seconds from 1 to 3600"),
    key(
        "server.trusted_proxies",
        "a list of networks or addresses, such as [\"10.0.0.0/8\", \"::1\"]",
    ),
    key(
        "metrics.listen",
        "an address and a port, such as 127.0.0.1:9464, or an empty text",
    ),
    key("media.public_url", ORIGIN),
    key("media.url", "file:/path or s3://bucket/prefix"),
    key("media.upload_url", ORIGIN),
    key(
        "media.private_link_seconds",
        "a number of seconds from 1 to 31536000",
    ),
    key("s3.endpoint", "an http or https URL"),
    key("s3.region", TEXT),
    key("s3.access_key_id", TEXT),
    secret("s3.secret_access_key", TEXT),
    secret("s3.session_token", TEXT),
    key("s3.allow_http", BOOLEAN),
    key("store.url", "sqlite:/path or postgres://user@host/database"),
    key("store.connections", "a whole number from 2 to 1000"),
    key("outbound.allow_private", BOOLEAN),
    key(
        "webhooks.retry_seconds",
        "a list of at most 20 numbers of seconds, each from 0 to 86400",
    ),
    key("limits.generations_per_minute", COUNT),
    key("limits.requests_per_minute", COUNT),
    key("limits.upload_mib", "a whole number from 1 to 4096"),
    secret(
        "mail.url",
        "an smtp or smtps URL, such as smtps://user:password@smtp.example.com",
    ),
    key(
        "mail.from",
        "an address, such as atelier@example.com or \"atelier <atelier@example.com>\"",
    ),
    key("mail.require_tls", BOOLEAN),
    key(
        "accounts.first_operator_credits",
        "a whole number from 0 to 4294967295",
    ),
    key("retention.jobs_days", JOBS),
    key("retention.media_days", DAYS),
    key("retention.uploads_days", DAYS),
    key("retention.deliveries_days", DAYS),
    key("retention.requests_days", DAYS),
    key("retention.decisions_days", DAYS),
    key(
        "workers.concurrency",
        "a whole number from 0 (the number of cores) to 1024",
    ),
    key("workers.lease_seconds", "a number of seconds from 2 to 3600"),
    key("workers.turn_seconds", "a number of seconds from 0 to 86400"),
    key("workers.job_input_mib", "a whole number from 1 to 1048576"),
    key(
        "workers.scratch_mib",
        "a whole number from 0 (no limit) to 16777216",
    ),
    key("workers.scratch_reserve_mib", "a whole number from 0 to 1048576"),
    key(
        "workers.callback_listen",
        "an address and a port, such as 10.0.0.5:9700, or an empty text",
    ),
    key("workers.callback_url", ORIGIN),
    key("catalog.draft", "on or off"),
    key("models.offline", BOOLEAN),
    key("models.endpoint", "an http or https URL"),
    key("models.token_file", "the path of a file"),
    key("models.ca_file", "the path of a PEM file"),
    key(
        "models.licences",
        "a list of \"permissive\" and SPDX ids, such as [\"permissive\", \"OpenRAIL-M\"]",
    ),
    key("models.max_gb", "a whole number from 0 (no limit) to 1048576"),
    key("models.share", "on or off"),
    key("models.runtime", "auto, rten or onnxruntime"),
    key("models.library", "the path of ONNX Runtime's shared library"),
    key("models.provider", "the path of a provider's shared library"),
    key("models.device", "auto, cpu or gpu"),
    key("models.memory_mb", "a whole number from 64 to 1048576"),
    key(
        "models.bandwidth_mib",
        "a whole number from 0 (no limit) to 1048576",
    ),
    key("models.ranges", "a whole number from 1 to 32"),
    key("models.stall_seconds", "a number of seconds from 1 to 3600"),
    key("draft.memory_mb", "a whole number from 64 to 1048576"),
    key("draft.output_mb", "a whole number from 1 to 1048576"),
    key("draft.idle_seconds", "a number of seconds from 0 to 86400"),
    key("draft.soundfont", "the path of an .sf2 file"),
    key("marking.watermark", "trained, all or off"),
    secret("marking.key", "64 hexadecimal digits, or an empty text"),
    key("marking.credentials", "trained, all or off"),
    key(
        "marking.certificate",
        "the path of a chain of certificates in PEM, or an empty text",
    ),
    key(
        "marking.certificate_key",
        "the path of a private key in PEM, or an empty text",
    ),
    key(
        "marking.signing_command",
        "a list of texts: a program and its arguments",
    ),
    key(
        "marking.algorithm",
        "es256, es384, es512, ps256, ps384, ps512 or ed25519",
    ),
    key(
        "marking.earlier",
        "the path of certificates in PEM, or an empty text",
    ),
    key(
        "marking.trusted",
        "the path of certificates in PEM, or an empty text",
    ),
    key(
        "marking.time_stamps",
        "an http:// or https:// URL, or an empty text",
    ),
    key("policy.blocked_terms", "a list of texts"),
    key("policy.file", "the path of a .toml file"),
    secret("policy.check_secret", TEXT),
    key("policy.safety", "on or off"),
    key("policy.safety_inputs", "on or off"),
    key("policy.safety_refuse_at", "a number from 0 to 1"),
    key(
        "log.level",
        "error, warn, info, debug, trace, or a filter such as info,atelier_worker=debug",
    ),
    key("log.format", "text or json"),
];

pub(super) fn find(path: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.path == path)
}

/// Whether this is the name of a section, such as `server`.
pub(super) fn is_section(name: &str) -> bool {
    KEYS.iter().any(|key| {
        key.path
            .split_once('.')
            .is_some_and(|(section, _)| section == name)
    })
}

/// The known settings beside `path`, for the message about an unknown setting.
pub(super) fn siblings(path: &str) -> String {
    let section = path
        .split_once('.')
        .map(|(section, _)| section)
        .filter(|section| is_section(section));
    let mut names: Vec<&str> = match section {
        Some(section) => KEYS
            .iter()
            .filter_map(|key| key.path.strip_prefix(section)?.strip_prefix('.'))
            .collect(),
        None => KEYS
            .iter()
            .map(|key| key.path.split_once('.').map_or(key.path, |(section, _)| section))
            .collect(),
    };
    names.dedup();
    match section {
        Some(section) => format!("known settings in [{section}]: {}", names.join(", ")),
        None => format!("known settings and sections: {}", names.join(", ")),
    }
}

/// The environment variable of a setting: `ATELIER_SERVER__LISTEN`.
pub(super) fn variable(path: &str) -> String {
    format!("ATELIER_{}", path.replace('.', "__").to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_file_has_exactly_these_settings_in_this_order() {
        let text = include_str!("default.toml");
        let mut section = String::new();
        let mut found = Vec::new();
        for line in text.lines() {
            if let Some(name) = line.strip_prefix('[') {
                section = format!("{}.", name.trim_end_matches(']'));
            } else if let Some((name, _)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) {
                found.push(format!("{section}{name}"));
            }
        }
        assert_eq!(found, KEYS.iter().map(|key| key.path).collect::<Vec<_>>());
    }

    #[test]
    fn a_variable_is_named_after_section_and_key() {
        assert_eq!(variable("server.public_url"), "ATELIER_SERVER__PUBLIC_URL");
        assert_eq!(variable("data"), "ATELIER_DATA");
    }
}
