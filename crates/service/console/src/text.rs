//! Formats numbers, times and sizes for people.

use atelier_domain::Timestamp;

/// `20,000`.
pub(crate) fn count(amount: impl Into<i128>) -> String {
    let amount = amount.into();
    let digits = amount.unsigned_abs().to_string();
    let mut text = String::new();
    if amount < 0 {
        text.push('\u{2212}');
    }
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 credit`, `20,000 credits`.
pub(crate) fn credits(amount: i64) -> String {
    let noun = if amount == 1 { "credit" } else { "credits" };
    format!("{} {noun}", count(amount))
}

/// With its sign: `+500`, `−20`, `0`.
pub(crate) fn signed(amount: i64) -> String {
    if amount > 0 {
        format!("+{}", count(amount))
    } else {
        count(amount)
    }
}

/// `just now`, `5 min ago`, `3 h ago`, `2 days ago`, then the date.
pub(crate) fn ago(at: Timestamp, now: Timestamp) -> String {
    let seconds = now.since(at).as_secs();
    match seconds {
        0..60 => "just now".to_owned(),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        86_400..172_800 => "yesterday".to_owned(),
        172_800..604_800 => format!("{} days ago", seconds / 86_400),
        _ => date(at),
    }
}

/// `21 Nov 2026`.
pub(crate) fn date(at: Timestamp) -> String {
    date_text(&at.rfc3339())
}

/// The same for a date in RFC 3339.
pub(crate) fn date_text(rfc3339: &str) -> String {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mut parts = rfc3339.get(..10).unwrap_or_default().split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let month = month.and_then(|month| month.parse::<usize>().ok()).unwrap_or(1);
    format!(
        "{} {} {}",
        day.unwrap_or_default().trim_start_matches('0'),
        MONTHS[month.clamp(1, 12) - 1],
        year.unwrap_or_default()
    )
}

/// `21 Nov 2026, 09:30:05 UTC`.
pub(crate) fn moment(at: Timestamp) -> String {
    moment_text(&at.rfc3339())
}

/// The same for a time in RFC 3339.
pub(crate) fn moment_text(rfc3339: &str) -> String {
    let time = rfc3339.get(11..19).unwrap_or_default();
    format!("{}, {time} UTC", date_text(rfc3339))
}

/// `850 ms`, `4.2 s`, `3 min 20 s`.
pub(crate) fn duration(duration: std::time::Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0 => format!("{} ms", duration.as_millis()),
        1..60 => format!("{:.1} s", duration.as_secs_f64()),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
    }
}

/// A whole time in its largest units: `90 s` is `1 min 30 s`, `3,600 s` is `1 h`.
pub(crate) fn span(duration: std::time::Duration) -> String {
    let seconds = duration.as_secs();
    let units = [
        (seconds / 3_600, "h"),
        (seconds / 60 % 60, "min"),
        (seconds % 60, "s"),
    ];
    let shown: Vec<String> = units
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, unit)| format!("{count} {unit}"))
        .collect();
    shown.join(" ")
}

/// A text as HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A text as HTML. Text between backticks becomes code.
pub(crate) fn coded(text: impl AsRef<str>) -> String {
    let text = text.as_ref();
    let mut html = String::with_capacity(text.len() + 32);
    for (index, part) in text.split('`').enumerate() {
        let code = index % 2 == 1;
        html.push_str(if code { "<code>" } else { "" });
        for letter in part.chars() {
            match letter {
                '&' => html.push_str("&amp;"),
                '<' => html.push_str("&lt;"),
                '>' => html.push_str("&gt;"),
                '"' => html.push_str("&quot;"),
                '\'' => html.push_str("&#39;"),
                other => html.push(other),
            }
        }
        html.push_str(if code { "</code>" } else { "" });
    }
    html
}

/// `640 bytes`, `12.4 kB`, `3.1 MB`.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

/// An estimate in seconds, as precise as it deserves: `about 4 s`, `about 20 s`, `about 3 min`. The script of the page
/// says the same.
pub(crate) fn about(seconds: f64) -> String {
    if seconds < 9.5 {
        format!("about {} s", seconds.round().max(1.0))
    } else if seconds < 57.5 {
        format!("about {} s", (seconds / 5.0).round() * 5.0)
    } else if seconds < 3_570.0 {
        format!("about {} min", (seconds / 60.0).round())
    } else {
        format!("about {} h", (seconds / 3_600.0).round())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_estimate_is_not_more_precise_than_it_is() {
        let said = [
            0.2, 1.4, 9.4, 9.6, 22.0, 56.0, 58.0, 200.0, 3_500.0, 3_590.0, 8_000.0,
        ]
        .map(about);
        let expected = [
            "1 s", "1 s", "9 s", "10 s", "20 s", "55 s", "1 min", "3 min", "58 min", "1 h", "2 h",
        ];
        assert_eq!(said, expected.map(|text| format!("about {text}")));
    }

    #[test]
    fn numbers_are_grouped_and_signed() {
        assert_eq!(
            [0, 999, 1_000, -20_000].map(count),
            ["0", "999", "1,000", "\u{2212}20,000"]
        );
        assert_eq!(signed(500), "+500");
        assert_eq!(credits(1), "1 credit");
    }

    #[test]
    fn recent_times_are_relative_and_older_ones_are_dates() {
        let at = Timestamp(1_795_253_405_000_000);
        let later = |seconds| ago(at, at.plus(Duration::from_secs(seconds)));
        assert_eq!(later(5), "just now");
        assert_eq!(later(300), "5 min ago");
        assert_eq!(later(90_000), "yesterday");
        assert_eq!(later(864_000), "21 Nov 2026");
        assert_eq!(moment(at), "21 Nov 2026, 09:30:05 UTC");
    }

    #[test]
    fn only_backticks_become_markup() {
        assert_eq!(coded("`a<b>` & <i>"), "<code>a&lt;b&gt;</code> &amp; &lt;i&gt;");
        assert_eq!(coded("`\"'"), "<code>&quot;&#39;</code>");
    }

    #[test]
    fn sizes_have_one_unit_and_durations_one_or_two() {
        assert_eq!(size(640), "640 bytes");
        assert_eq!(size(12_400), "12.4 kB");
        assert_eq!(duration(Duration::from_millis(850)), "850 ms");
        assert_eq!(duration(Duration::from_secs(200)), "3 min 20 s");
        let spans = [90, 3_600, 900].map(|seconds| span(Duration::from_secs(seconds)));
        assert_eq!(spans, ["1 min 30 s", "1 h", "15 min"]);
    }
}
