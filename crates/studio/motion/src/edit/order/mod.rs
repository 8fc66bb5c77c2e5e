//! The order: what the words of an edit ask for that pictures do not have (speed, direction, shape, lettering,
//! overlays), and the remaining words, which the picture engine reads.

mod lettering;
mod phrases;

use atelier_picture::prompt::Prompt;
use lettering::lettering;
pub(super) use lettering::{Kind, Lettering};
pub(super) use phrases::{Part, Spot};
use phrases::{is_filler, names_picture, part, ratio, speed, spot};

/// The range of speeds, relative to the film's own.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.1..=16.0;

/// The purpose of an additional picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Overlay,
    Background,
    Style,
}

/// The requested edit.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "words that are there or not, in any mixture"
)]
pub(super) struct Order {
    /// Times its own speed.
    pub(super) speed: f64,
    pub(super) reverse: bool,
    pub(super) mirror: bool,
    pub(super) part: Option<Part>,
    /// The ratio to crop to, width divided by height.
    pub(super) ratio: Option<f64>,
    pub(super) mute: bool,
    pub(super) fade_in: bool,
    pub(super) fade_out: bool,
    pub(super) lettering: Vec<Lettering>,
    /// The spot where words place lettering or an overlay.
    pub(super) spot: Option<Spot>,
    pub(super) watermark: bool,
    pub(super) picture: Use,
    /// Whether the words are about the background, and whether it is only blurred.
    pub(super) background: bool,
    pub(super) blur: bool,
    /// The picture engine's reading of the remaining words.
    pub(super) prompt: Prompt,
    /// The remaining words.
    pub(super) rest: String,
    pub(super) understood: Vec<String>,
}

impl Order {
    pub(super) fn read(text: &str) -> Self {
        let (bare, lettering) = lettering(text);
        let words: Vec<Token> = bare.split_whitespace().map(Token::new).take(400).collect();
        let mut order = Self {
            speed: 1.0,
            reverse: false,
            mirror: false,
            part: None,
            ratio: None,
            mute: false,
            fade_in: false,
            fade_out: false,
            lettering,
            spot: None,
            watermark: false,
            picture: Use::Overlay,
            background: false,
            blur: false,
            prompt: Prompt::default(),
            rest: String::new(),
            understood: Vec::new(),
        };
        let mut at = 0;
        let mut rest: Vec<String> = Vec::new();
        while at < words.len() {
            let ahead: Vec<&str> = words[at..].iter().take(7).map(|t| t.word.as_str()).collect();
            let taken = order.take(&ahead);
            if taken == 0 {
                rest.push(plain(&ahead) + words[at].end);
                at += 1;
                continue;
            }
            if !is_filler(ahead[0]) || taken > 1 {
                order.note(ahead[..taken].join(" "));
            }
            at += taken;
            if !words[at - 1].end.is_empty()
                && let Some(last) = rest.last_mut()
            {
                last.push(',');
            }
        }
        for lettering in &order.lettering {
            order.understood.push(match lettering.kind {
                Kind::Title => format!("title: {}", lettering.text),
                Kind::Subtitle => format!("subtitle: {}", lettering.text),
            });
        }
        order.rest = rest.join(" ");
        order.prompt = Prompt::read(&order.rest);
        // "Put her on a beach" names no background, but asks for one.
        order.background |= order.prompt.moved.is_some();
        order
            .prompt
            .unknown
            .retain(|word| !matches!(word.as_str(), "replace" | "swap" | "remove"));
        if order.background && order.picture == Use::Overlay {
            order.picture = Use::Background;
        }
        order
    }

    fn note(&mut self, phrase: String) {
        if !self.understood.contains(&phrase) {
            self.understood.push(phrase);
        }
    }

    /// Reads the phrase at the front, and returns how many words it took; the picture engine does not get them.
    fn take(&mut self, words: &[&str]) -> usize {
        let word = |i: usize| words.get(i).copied().unwrap_or("");
        let is = |i: usize, of: &str| of.split('|').any(|one| one == word(i));
        if let Some((speed, taken)) = speed(words) {
            self.speed = (self.speed * speed).clamp(*SPEEDS.start(), *SPEEDS.end());
            return taken;
        }
        if is(0, "reverse|reversed|backwards|backward|rewind") {
            self.reverse = true;
            return 1;
        }
        if is(0, "mirror|mirrored|flip|flipped") {
            self.mirror = true;
            return 1 + usize::from(is(1, "horizontally|it|left"));
        }
        if is(0, "mute|muted|silent|silence") || (is(0, "no|without") && is(1, "sound|audio|music")) {
            self.mute = true;
            return if is(0, "no|without") { 2 } else { 1 };
        }
        if is(0, "fade|fades") {
            match word(1) {
                "in" => self.fade_in = true,
                "out" | "away" => self.fade_out = true,
                _ => (self.fade_in, self.fade_out) = (true, true),
            }
            return 1 + usize::from(is(1, "in|out|away"));
        }
        if let Some((part, taken)) = part(words) {
            self.part = Some(part);
            return taken;
        }
        if let Some((ratio, taken)) = ratio(words) {
            self.ratio = Some(ratio);
            return taken;
        }
        if is(0, "style|look|colors|colours|palette|mood|like|grade") && names_picture(&words[1..]) > 0 {
            self.picture = Use::Style;
            return 1 + names_picture(&words[1..]);
        }
        if is(0, "watermark|logo|overlay|sticker|inset") || (word(0), word(1)) == ("picture", "in") {
            self.watermark |= is(0, "watermark");
            return if is(0, "picture") { 3.min(words.len()) } else { 1 };
        }
        if is(0, "blur|blurred|blurry|defocus|bokeh") {
            self.blur = true;
            return 1;
        }
        if is(0, "background|backdrop") {
            self.background = true;
            // The picture engine reads it too: what follows is a scene.
            return 0;
        }
        if let Some((spot, taken)) = spot(words) {
            self.spot = Some(spot);
            return taken;
        }
        let named = names_picture(words);
        if named > 0 {
            return named;
        }
        usize::from(is_filler(word(0)))
    }
}

/// A word in lower case, and whether a phrase ends with it.
struct Token {
    word: String,
    end: &'static str,
}

impl Token {
    fn new(chunk: &str) -> Self {
        let ends = chunk.ends_with([',', '.', ';', '!', '?']);
        let word = chunk.trim_matches(|c: char| !c.is_alphanumeric() && c != '@' && c != '%');
        Self {
            word: word.to_lowercase().replace('-', " ").trim().to_owned(),
            end: if ends { "," } else { "" },
        }
    }
}

/// Words of orders as the picture engine says them.
fn plain(words: &[&str]) -> String {
    let next = words.get(1).copied().unwrap_or("");
    match words[0] {
        "brighter" | "lighter" | "brighten" | "lighten" => "bright",
        "darker" | "darken" => "dark",
        "warmer" => "warm",
        "cooler" | "colder" | "bluer" => "cool",
        // Said about a film, it means falling.
        "snow" if !matches!(next, "covered" | "capped") => "snowing",
        other => other,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use atelier_picture::light::{Time, Weather};
    use atelier_picture::style::Style;

    #[test]
    fn speeds_directions_and_shapes_are_understood() {
        let speed = |text: &str| Order::read(text).speed;
        for (text, expected) in [
            ("play it at 2x speed", 2.0),
            ("in slow motion", 0.5),
            ("slow-motion", 0.5),
            ("three times faster", 3.0),
            ("4 times slower", 0.25),
            ("half speed", 0.5),
            ("make it twice as fast", 2.0),
            ("50% speed", 0.5),
            ("a time-lapse", 8.0),
            ("a watercolor", 1.0),
        ] {
            assert!((speed(text) - expected).abs() < 1e-9, "{text}: {}", speed(text));
        }
        assert!(Order::read("play the clip backwards").reverse);
        let ratio = |text: &str| Order::read(text).ratio;
        assert_eq!(ratio("crop to 9:16"), Some(9.0 / 16.0));
        assert_eq!(ratio("crop to a square"), Some(1.0));
        assert_eq!(ratio("portrait of a woman"), None);
        assert_eq!(
            Order::read("only the first 3 seconds").part,
            Some(Part::First(3.0))
        );
        assert_eq!(
            Order::read("cut from 2 to 4.5 s").part,
            Some(Part::Between(2.0, 4.5))
        );
    }

    #[test]
    fn the_rest_is_the_picture_engines() {
        let order = Order::read("Make it night in the rain, in reverse, as a watercolor painting");
        assert!(order.reverse);
        assert_eq!(order.prompt.time, Some(Time::Night));
        assert_eq!(order.prompt.weather, Some(Weather::Rain));
        assert_eq!(order.prompt.style, Some(Style::Watercolor));
        assert!(order.prompt.unknown.is_empty(), "{:?}", order.prompt.unknown);
        assert_eq!(Order::read("let it snow").prompt.weather, Some(Weather::Snow));
    }

    #[test]
    fn words_in_quotes_are_titles_or_subtitles() {
        let order = Order::read("add the title \"North Sea\" at the top and a subtitle “day one”");
        assert_eq!(
            order.lettering,
            [
                Lettering {
                    text: "North Sea".into(),
                    kind: Kind::Title
                },
                Lettering {
                    text: "day one".into(),
                    kind: Kind::Subtitle
                }
            ]
        );
        assert_eq!(order.spot, Some(Spot { across: 0, down: -1 }));
        assert!(order.prompt.unknown.is_empty(), "{:?}", order.prompt.unknown);
    }

    #[test]
    fn a_picture_that_comes_along_has_a_use() {
        let used = |text: &str| Order::read(text).picture;
        assert_eq!(
            used("put @Image1 as a logo in the bottom right corner"),
            Use::Overlay
        );
        assert_eq!(used("in the style of @Image1"), Use::Style);
        assert_eq!(used("use the colours of the picture"), Use::Style);
        assert_eq!(used("replace the background with @Image1"), Use::Background);
    }

    #[test]
    fn hostile_text_is_read_without_harm() {
        for text in [
            "\"".repeat(999),
            "1e999x 0x -5x 0:0 9:0 %".into(),
            "🦊 ".repeat(5000),
        ] {
            let order = Order::read(&text);
            assert!(SPEEDS.contains(&order.speed));
        }
    }
}
