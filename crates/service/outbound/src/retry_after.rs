//! `Retry-After` in both of its forms (RFC 9110, section 10.2.3): seconds, or a date.

use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// How long an answer asks its client to wait. `None` if it does not say, or says it in no known form.
///
/// A date counts from the `Date` of the same answer, so that the two clocks need not agree; without one, from now.
/// A date in the past asks for no wait at all.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(text).ok()?;
    let answered = headers
        .get(DATE)
        .and_then(|value| httpdate::parse_http_date(value.to_str().ok()?).ok())
        .unwrap_or_else(now);
    Some(until.duration_since(answered).unwrap_or_default())
}

#[allow(
    clippy::disallowed_methods,
    reason = "a provider's date is a time of the real world, whatever clock the service runs on"
)]
fn now() -> SystemTime {
    SystemTime::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(fields: &[(&'static str, &str)]) -> Option<u64> {
        let headers = fields
            .iter()
            .map(|&(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect();
        retry_after(&headers).map(|wait| wait.as_secs())
    }

    #[test]
    fn seconds_and_every_form_of_a_date_are_understood() {
        let date = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        for (text, seconds) in [
            ("0", 0),
            (" 120 ", 120),
            ("Sun, 06 Nov 1994 08:50:07 GMT", 30),
            ("Sunday, 06-Nov-94 08:50:07 GMT", 30),
            ("Sun Nov  6 08:50:07 1994", 30),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sat, 05 Nov 1994 08:49:37 GMT", 0),
        ] {
            assert_eq!(asked(&[date, ("retry-after", text)]), Some(seconds), "{text}");
        }
    }

    #[test]
    fn without_a_date_of_the_answer_the_wait_counts_from_now() {
        let until = httpdate::fmt_http_date(now() + Duration::from_secs(90));
        let seconds = asked(&[("retry-after", &until)]).unwrap();
        assert!((85..=90).contains(&seconds), "{seconds}");
    }

    #[test]
    fn other_texts_say_nothing() {
        for text in [
            "",
            "soon",
            "-1",
            "1.5",
            "2026-11-22T11:00:00Z",
            "99999999999999999999999",
        ] {
            assert_eq!(asked(&[("retry-after", text)]), None, "{text}");
        }
        assert_eq!(asked(&[]), None);
    }
}
