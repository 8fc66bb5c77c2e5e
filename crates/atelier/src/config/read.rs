//! Parses the merged values and reports every invalid one.

use std::{
    net::{IpAddr, SocketAddr},
    ops::RangeInclusive,
    path::{Path, PathBuf},
    time::Duration,
};

use atelier_engines::{Coverage, Endpoint, Route};
use atelier_store::postgres;
use figment::value::Value;
use ipnet::IpNet;
use serde::de::DeserializeOwned;
use url::Url;

use super::{StorePlace, keys, layers::Layers};

/// Why a value is invalid.
#[derive(Debug)]
pub(super) enum Refused {
    /// The setting does not allow this value.
    NotAllowed,
    Because(String),
}

pub(super) type Read<T> = Result<T, Refused>;

/// Reads a setting. An invalid value is reported and replaced by the default, so that all problems are found at
/// once.
pub(super) fn read<T>(layers: &mut Layers, path: &str, parse: impl Fn(&Value) -> Read<T>) -> T {
    let value = layers.value(path);
    match parse(&value) {
        Ok(read) => read,
        Err(refused) => {
            let key = keys::find(path).expect("only settings are read");
            let why = match refused {
                Refused::NotAllowed => format!("expected {}", key.allowed),
                Refused::Because(why) => why,
            };
            let found = if key.secret {
                "invalid".to_owned()
            } else {
                masked(&shown(&value))
            };
            let problem = format!("{}: `{path}` is {found}; {why}", layers.origin(path));
            layers.problems.push(problem);
            parse(&layers.default_value(path)).expect("a test reads every default")
        }
    }
}

/// A value as JSON, for messages and for `atelier config`. User names and passwords in the URLs of engines are masked.
pub(super) fn shown(value: &Value) -> serde_json::Value {
    let mut shown = serde_json::to_value(value).unwrap_or_default();
    mask_urls(&mut shown);
    shown
}

fn mask_urls(value: &mut serde_json::Value) {
    match value {
        // The store's URL is masked on its own: its user name is shown.
        serde_json::Value::String(text) if !text.starts_with("postgres") => {
            *text = Endpoint::masked_url(text);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(mask_urls),
        serde_json::Value::Object(members) => members.values_mut().for_each(mask_urls),
        _ => {}
    }
}

/// A value for a message, without the password of a URL.
fn masked(value: &serde_json::Value) -> String {
    match value.as_str() {
        Some(text) => format!("{:?}", postgres::masked(text)),
        None => value.to_string(),
    }
}

pub(super) fn any<T: DeserializeOwned>(value: &Value) -> Read<T> {
    value.deserialize().map_err(|_| Refused::NotAllowed)
}

pub(super) fn text(value: &Value) -> Read<String> {
    value.as_str().map(str::to_owned).ok_or(Refused::NotAllowed)
}

/// Networks such as `10.0.0.0/8`; an address is a network of its own.
pub(super) fn networks(value: &Value) -> Read<Vec<IpNet>> {
    let network = |text: &String| -> Read<IpNet> {
        let address = || text.parse::<IpAddr>().map(IpNet::from);
        text.parse()
            .or_else(|_| address())
            .map_err(|_| Refused::NotAllowed)
    };
    let texts: Vec<String> = any(value)?;
    texts.iter().map(network).collect()
}

pub(super) fn on_or_off(value: &Value) -> Read<bool> {
    match value.as_str() {
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        _ => Err(Refused::NotAllowed),
    }
}

pub(super) fn coverage(value: &Value) -> Read<Coverage> {
    match value.as_str() {
        Some("trained") => Ok(Coverage::Trained),
        Some("all") => Ok(Coverage::All),
        Some("off") => Ok(Coverage::Off),
        _ => Err(Refused::NotAllowed),
    }
}

/// 32 bytes in hexadecimal digits.
pub(super) fn optional_key(value: &Value) -> Read<Option<[u8; 32]>> {
    let mut key = [0; 32];
    match optional_text(value)? {
        None => Ok(None),
        Some(text) => match hex::decode_to_slice(text, &mut key) {
            Ok(()) => Ok(Some(key)),
            Err(_) => Err(Refused::NotAllowed),
        },
    }
}

/// One of these words.
pub(super) fn one_of(words: &'static [&'static str]) -> impl Fn(&Value) -> Read<String> {
    move |value| match value.as_str() {
        Some(word) if words.contains(&word) => Ok(word.to_owned()),
        _ => Err(Refused::NotAllowed),
    }
}

pub(super) fn optional_text(value: &Value) -> Read<Option<String>> {
    text(value).map(|text| Some(text).filter(|text| !text.is_empty()))
}

pub(super) fn number(least: u32, most: u32) -> impl Fn(&Value) -> Read<u32> {
    move |value| {
        let number: u32 = any(value)?;
        if (least..=most).contains(&number) {
            Ok(number)
        } else {
            Err(Refused::NotAllowed)
        }
    }
}

/// A number of days, at least `least`, or 0 for `None`.
pub(super) fn days(least: u32) -> impl Fn(&Value) -> Read<Option<Duration>> {
    move |value| match any::<u32>(value)? {
        0 => Ok(None),
        days if (least..=36_500).contains(&days) => Ok(Some(Duration::from_hours(24 * u64::from(days)))),
        _ => Err(Refused::NotAllowed),
    }
}

/// A number from 0 to 1.
pub(super) fn share(value: &Value) -> Read<f64> {
    seconds_within(0.0..=1.0)(value)
}

pub(super) fn seconds(most: f64) -> impl Fn(&Value) -> Read<f64> {
    seconds_within(0.0..=most)
}

pub(super) fn seconds_within(allowed: RangeInclusive<f64>) -> impl Fn(&Value) -> Read<f64> {
    move |value| {
        let number = match value {
            Value::Num(_, number) => number
                .to_f64()
                .or_else(|| number.to_i128().map(|whole| whole as f64)),
            _ => None,
        };
        number
            .filter(|number| allowed.contains(number))
            .ok_or(Refused::NotAllowed)
    }
}

pub(super) fn retries(value: &Value) -> Read<Vec<f64>> {
    let items = value
        .as_array()
        .filter(|items| items.len() <= 20)
        .ok_or(Refused::NotAllowed)?;
    items.iter().map(seconds(86_400.0)).collect()
}

pub(super) fn routes(value: &Value) -> Read<Vec<Route>> {
    value.deserialize().map_err(|error| match error.kind {
        figment::error::Kind::UnknownField(name, _) => Refused::Because(format!(
            "unknown field `{name}`; the fields of a route are `model`, `engine`, `target`, `workflow` and `body`"
        )),
        figment::error::Kind::MissingField(name) => {
            Refused::Because(format!("the field `{name}` of a route is missing"))
        }
        _ => Refused::NotAllowed,
    })
}

pub(super) fn address(value: &Value) -> Read<SocketAddr> {
    let text = text(value)?;
    let text = text
        .strip_prefix("localhost:")
        .map_or_else(|| text.clone(), |port| format!("127.0.0.1:{port}"));
    text.parse().map_err(|_| Refused::NotAllowed)
}

pub(super) fn optional_address(value: &Value) -> Read<Option<SocketAddr>> {
    if text(value)?.is_empty() {
        Ok(None)
    } else {
        address(value).map(Some)
    }
}

/// An origin without a trailing slash; `None` if the text is empty.
pub(super) fn origin(value: &Value) -> Read<Option<String>> {
    let Some(prefix) = prefix(value)? else {
        return Ok(None);
    };
    let path = Url::parse(&prefix).map_err(|_| Refused::NotAllowed)?.path().len();
    if path > 1 {
        Err(Refused::NotAllowed)
    } else {
        Ok(Some(prefix))
    }
}

/// A prefix of URLs, without a trailing slash; `None` if the text is empty.
pub(super) fn prefix(value: &Value) -> Read<Option<String>> {
    let Some(text) = optional_text(value)? else {
        return Ok(None);
    };
    let url = Url::parse(&text).map_err(|_| Refused::NotAllowed)?;
    let plain = matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none();
    if !plain || !url.username().is_empty() || url.password().is_some() {
        return Err(Refused::NotAllowed);
    }
    Ok(Some(url.as_str().trim_end_matches('/').to_owned()))
}

pub(super) fn media_place(value: &Value) -> Read<Option<String>> {
    let place = optional_text(value)?;
    match &place {
        Some(url) if !url.starts_with("file:/") && !url.starts_with("s3://") => Err(Refused::NotAllowed),
        _ => Ok(place),
    }
}

/// The database; `None` if the text is empty.
pub(super) fn store_place(value: &Value) -> Read<Option<StorePlace>> {
    let Some(url) = optional_text(value)? else {
        return Ok(None);
    };
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        let read = url.parse().map_err(Refused::Because)?;
        return Ok(Some(StorePlace::Postgres(read)));
    }
    let path = url.strip_prefix("sqlite:").ok_or(Refused::NotAllowed)?;
    let path = path.strip_prefix("//").unwrap_or(path);
    if Path::new(path).is_absolute() {
        Ok(Some(StorePlace::Sqlite(PathBuf::from(path))))
    } else {
        Err(Refused::NotAllowed)
    }
}

pub(super) fn log_filter(value: &Value) -> Read<String> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    let text = text(value)?;
    // The parser of filters would read a mistyped level as the name of a module.
    let named = |part: &str| LEVELS.contains(&part.split_once('=').map_or(part, |(_, level)| level).trim());
    let read = text.split(',').all(named) && text.parse::<tracing_subscriber::filter::Targets>().is_ok();
    if read { Ok(text) } else { Err(Refused::NotAllowed) }
}

pub(super) fn log_format(value: &Value) -> Read<super::LogFormat> {
    match text(value)?.as_str() {
        "text" => Ok(super::LogFormat::Text),
        "json" => Ok(super::LogFormat::Json),
        _ => Err(Refused::NotAllowed),
    }
}
