//! Phrases with a value: which speed, which part, which shape, which place, and which picture. Each is read at the
//! front of the words and returns how many of them it took.

/// The place of an overlay: −1 is left or top, 1 right or bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::edit) struct Spot {
    pub(in crate::edit) across: i8,
    pub(in crate::edit) down: i8,
}

/// The requested part of the film, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::edit) enum Part {
    First(f64),
    Last(f64),
    Between(f64, f64),
}

fn number(word: &str) -> Option<f64> {
    match word {
        "two" | "twice" | "double" => Some(2.0),
        "three" | "triple" => Some(3.0),
        "four" => Some(4.0),
        "five" => Some(5.0),
        "ten" => Some(10.0),
        "half" => Some(0.5),
        _ => word.parse().ok(),
    }
    .filter(|value: &f64| value.is_finite() && *value > 0.0)
}

/// A speed, relative to the film's own.
pub(super) fn speed(words: &[&str]) -> Option<(f64, usize)> {
    let word = |i: usize| words.get(i).copied().unwrap_or("");
    let slow = |i: usize| matches!(word(i), "slower" | "slow");
    let fast = |i: usize| matches!(word(i), "faster" | "fast" | "speed");
    match (word(0), word(1)) {
        ("slow", "motion" | "mo") => return Some((0.5, 2)),
        ("slow motion" | "slow mo" | "slowmo" | "slower", _) => return Some((0.5, 1)),
        ("slow", "down" | "it") => return Some((0.5, 2 + usize::from(word(2) == "down"))),
        ("speed", "up" | "it") => return Some((2.0, 2 + usize::from(word(2) == "up"))),
        ("sped", "up") => return Some((2.0, 2)),
        ("faster", _) => return Some((2.0, 1)),
        ("fast", "forward" | "motion") => return Some((4.0, 2)),
        ("time", "lapse") => return Some((8.0, 2)),
        ("timelapse" | "time lapse" | "hyperlapse", _) => return Some((8.0, 1)),
        ("twice" | "double" | "half", "as") if slow(2) || fast(2) => {
            let k = number(word(0))?;
            return Some((if slow(2) { 1.0 / k } else { k }, 3));
        }
        ("half" | "double" | "triple", "the") if word(2) == "speed" => return Some((number(word(0))?, 3)),
        ("half" | "double" | "triple", "speed") => return Some((number(word(0))?, 2)),
        _ => {}
    }
    let times = word(0).strip_suffix(['x', '×']).and_then(number);
    if let Some(k) = times {
        let taken = 1 + usize::from(slow(1) || fast(1));
        return Some((if slow(1) { 1.0 / k } else { k }, taken));
    }
    let percent = word(0).strip_suffix('%').and_then(number);
    if let (Some(percent), "speed" | "of") = (percent, word(1)) {
        return Some((percent / 100.0, 2));
    }
    let k = number(word(0))?;
    match word(1) {
        "times" | "x" if slow(2) => Some((1.0 / k, 3)),
        "times" | "x" if fast(2) => Some((k, 3)),
        _ => None,
    }
}

/// A part of the film.
pub(super) fn part(words: &[&str]) -> Option<(Part, usize)> {
    let word = |i: usize| words.get(i).copied().unwrap_or("");
    let seconds = |i: usize| matches!(word(i), "seconds" | "second" | "s" | "sec");
    // "3" or "3s".
    let time = |i: usize| number(word(i)).or_else(|| number(word(i).trim_end_matches('s')));
    match word(0) {
        "first" if seconds(2) => Some((Part::First(time(1)?), 3)),
        "last" if seconds(2) => Some((Part::Last(time(1)?), 3)),
        "from" if matches!(word(2), "to" | "until") => {
            let (from, to) = (word(1).trim_end_matches('s').parse().ok()?, time(3)?);
            (from >= 0.0 && to > from).then_some((Part::Between(from, to), 4 + usize::from(seconds(4))))
        }
        _ => None,
    }
}

/// A shape to crop to.
pub(super) fn ratio(words: &[&str]) -> Option<(f64, usize)> {
    let word = |i: usize| words.get(i).copied().unwrap_or("");
    if let Some((w, h)) = word(0).split_once(':')
        && let (Some(w), Some(h)) = (number(w), number(h))
        && (0.2..=5.0).contains(&(w / h))
    {
        return Some((w / h, 1));
    }
    let format = matches!(
        word(1),
        "format" | "video" | "aspect" | "crop" | "mode" | "orientation" | "ratio"
    );
    match word(0) {
        "square" => Some((1.0, 1)),
        "vertical" => Some((9.0 / 16.0, 1)),
        "widescreen" => Some((16.0 / 9.0, 1)),
        "portrait" if format => Some((9.0 / 16.0, 2)),
        "landscape" if format => Some((16.0 / 9.0, 2)),
        _ => None,
    }
}

/// A place on the picture: "at the top", "in the upper left corner".
pub(super) fn spot(words: &[&str]) -> Option<(Spot, usize)> {
    let start = words
        .iter()
        .take_while(|word| matches!(**word, "at" | "in" | "on" | "the" | "to"))
        .count();
    let word = |i: usize| words.get(start + i).copied().unwrap_or("");
    let side = |word: &str| match word {
        "left" => Some(-1),
        "right" => Some(1),
        _ => None,
    };
    let (across, down, taken) = match word(0) {
        "top" | "upper" => (side(word(1)), -1, 1),
        "bottom" | "lower" | "foot" => (side(word(1)), 1, 1),
        "center" | "centre" | "middle" if start > 0 => (None, 0, 1),
        _ => return None,
    };
    let taken = start + taken + usize::from(across.is_some());
    Some((
        Spot {
            across: across.unwrap_or(0),
            down,
        },
        taken,
    ))
}

/// How many words at the front name an additional picture.
pub(super) fn names_picture(words: &[&str]) -> usize {
    let mut at = 0;
    while matches!(
        words.get(at).copied(),
        Some("of" | "the" | "my" | "this" | "in" | "from" | "supporting" | "reference" | "given")
    ) {
        at += 1;
    }
    let Some(word) = words.get(at) else { return 0 };
    let numbered = word
        .strip_prefix("@image")
        .or_else(|| word.strip_prefix("image"))
        .or_else(|| word.strip_prefix('@'))
        .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
        || word.starts_with("@image");
    let plain = matches!(*word, "image" | "picture" | "reference") && at > 0;
    if numbered || plain { at + 1 } else { 0 }
}

/// Words that only carry an order.
pub(super) fn is_filler(word: &str) -> bool {
    const FILLERS: &str = "|make|turn|convert|change|changed|render|video|clip|footage|film|movie|play|played|it|into|\
        please|scene|whole|this|set|put|add|apply|give|as|crop|cropped|aspect|ratio|format|text|title|subtitle|\
        caption|lettering|headline|saying|says|reading|reads|that|entire|edit|everything|look|looks|style|\
        transform|frame|frames|show|let|keep|source|original|supporting|corner|then|also|restyle|effect|\
        filter|speed|trim|cut|only|use|using|run|playing|should|be|want|i|my|";
    FILLERS.contains(&format!("|{word}|"))
}
