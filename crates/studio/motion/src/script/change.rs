//! Changes within a shot: light, weather and season, and their states.

use super::words::Words;
use atelier_picture::light::{Season, Time, Weather};
use atelier_picture::prompt::Prompt;

/// A state of light and weather; anything unset stays as the scene has it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Look {
    pub(crate) time: Option<Time>,
    pub(crate) weather: Option<Weather>,
    pub(crate) season: Option<Season>,
}

impl Look {
    const fn time(time: Time) -> Self {
        Self {
            time: Some(time),
            weather: None,
            season: None,
        }
    }

    const fn weather(weather: Weather) -> Self {
        Self {
            time: None,
            weather: Some(weather),
            season: None,
        }
    }

    const fn season(season: Season) -> Self {
        Self {
            time: None,
            weather: None,
            season: Some(season),
        }
    }

    /// The meaning of words that are only about light, weather or season.
    fn read(words: &[String]) -> Option<Self> {
        let prompt = Prompt::read(&words.join(" "));
        let look = Self {
            time: prompt.time,
            weather: prompt.weather,
            season: prompt.season,
        };
        let only = prompt.mentions.is_empty() && prompt.terrain.is_empty() && prompt.unknown.is_empty();
        (only && look != Self::default()).then_some(look)
    }
}

/// Phrases, and the states that they go through.
const PHRASES: &[(&str, &[Look])] = &[
    (
        "sun sets|sun is setting|sun goes down|sun going down|sun setting|sun slowly sets|sun slowly setting",
        &[
            Look::time(Time::Golden),
            Look::time(Time::Sunset),
            Look::time(Time::Dusk),
        ],
    ),
    (
        "sun rises|sun is rising|sun comes up|sun coming up|sun rising|sun slowly rises",
        &[
            Look::time(Time::Dusk),
            Look::time(Time::Dawn),
            Look::time(Time::Morning),
        ],
    ),
    (
        "night falls|night falling|darkness falls|it gets dark|it grows dark|night comes",
        &[
            Look::time(Time::Sunset),
            Look::time(Time::Dusk),
            Look::time(Time::Night),
        ],
    ),
    (
        "day breaks|morning comes|dawn breaks",
        &[
            Look::time(Time::Night),
            Look::time(Time::Dawn),
            Look::time(Time::Morning),
        ],
    ),
    (
        "it starts to rain|it begins to rain|starts to rain|begins to rain|starts raining|begins raining|\
            rain starts|rain begins to fall|rain begins|rain sets in",
        &[Look::weather(Weather::Cloudy), Look::weather(Weather::Rain)],
    ),
    (
        "it starts to snow|it begins to snow|starts to snow|begins to snow|starts snowing|begins snowing|\
            snow begins to fall|snow starts to fall|snow starts falling|snow begins falling",
        &[Look::weather(Weather::Cloudy), Look::weather(Weather::Snow)],
    ),
    (
        "storm rolls in|storm approaches|storm breaks|storm gathers|storm clouds gather|storm comes in|\
            thunderstorm rolls in",
        &[Look::weather(Weather::Cloudy), Look::weather(Weather::Storm)],
    ),
    (
        "fog rolls in|mist rolls in|fog rises|mist rises|fog comes in|fog moves in",
        &[Look::weather(Weather::Clear), Look::weather(Weather::Fog)],
    ),
    (
        "fog lifts|mist lifts|fog clears|mist clears|fog disperses",
        &[Look::weather(Weather::Fog), Look::weather(Weather::Clear)],
    ),
    (
        "rain stops|storm passes|storm clears|sky clears|skies clear|clouds part|rain clears",
        &[Look::weather(Weather::Rain), Look::weather(Weather::Clear)],
    ),
    (
        "clouds gather|sky darkens|skies darken",
        &[Look::weather(Weather::Clear), Look::weather(Weather::Overcast)],
    ),
    (
        "seasons change|changing seasons|through the seasons|four seasons|all seasons|seasons pass",
        &[
            Look::season(Season::Spring),
            Look::season(Season::Summer),
            Look::season(Season::Autumn),
            Look::season(Season::Winter),
        ],
    ),
];

/// The course of a day; changes pass through what lies between.
const DAY: &[Time] = &[
    Time::Dawn,
    Time::Morning,
    Time::Day,
    Time::Sunset,
    Time::Dusk,
    Time::Night,
];

/// Takes the changes out of the words.
pub(super) fn take(words: &mut Words) -> Vec<Look> {
    if let Some(looks) = between(words) {
        return looks;
    }
    let mut looks = Vec::new();
    for (phrases, states) in PHRASES {
        for phrase in phrases.split('|') {
            if let Some((mut at, mut length)) = words.find(phrase) {
                // "As the", "and the", "then it": connecting words.
                while at > 0
                    && matches!(
                        words.all()[at - 1].as_str(),
                        "the" | "a" | "as" | "and" | "while" | "then" | "when" | "it" | "until"
                    )
                {
                    at -= 1;
                    length += 1;
                }
                words.cut(at, length);
                if looks.is_empty() {
                    looks.extend_from_slice(states);
                }
                break;
            }
        }
    }
    looks
}

/// "From day to night", "day turns into night", "summer to winter".
fn between(words: &mut Words) -> Option<Vec<Look>> {
    const TURNS: &[&str] = &[
        "turns",
        "turning",
        "turn",
        "becomes",
        "becoming",
        "changes",
        "changing",
        "fades",
        "fading",
        "gives",
        "giving",
        "transitions",
        "transitioning",
        "transition",
        "shifts",
        "shifting",
        "passes",
        "passing",
        "way",
        "slowly",
        "gradually",
    ];
    let all = words.all().to_vec();
    for to in 1..all.len() {
        if !matches!(all[to].as_str(), "to" | "into" | "until") && !matches!(all[to].as_str(), "becomes") {
            continue;
        }
        let after = (1..=3)
            .rev()
            .filter(|length| to + length < all.len())
            .find_map(|length| Look::read(&all[to + 1..=to + length]).map(|look| (look, to + 1 + length)));
        let Some((last, end)) = after else { continue };
        let mut middle = to;
        while middle > 0 && TURNS.contains(&all[middle - 1].as_str()) {
            middle -= 1;
        }
        let before = (1..=3)
            .rev()
            .filter(|length| *length <= middle)
            .find_map(|length| Look::read(&all[middle - length..middle]).map(|look| (look, middle - length)));
        let Some((first, mut from)) = before else { continue };
        while from > 0
            && matches!(
                all[from - 1].as_str(),
                "from" | "transitioning" | "transition" | "changing" | "the" | "as"
            )
        {
            from -= 1;
        }
        words.cut(from, end - from);
        return Some(way(first, last));
    }
    None
}

/// All states from one to another.
fn way(first: Look, last: Look) -> Vec<Look> {
    let place = |time: Time| {
        DAY.iter()
            .position(|known| *known == time || (time == Time::Golden && *known == Time::Sunset))
    };
    if let (Some(a), Some(b)) = (first.time.and_then(place), last.time.and_then(place)) {
        let hours = (b + DAY.len() - a) % DAY.len();
        let mut looks: Vec<Look> = (0..=hours)
            .map(|hour| Look::time(DAY[(a + hour) % DAY.len()]))
            .collect();
        looks[0] = first;
        looks[hours] = last;
        // Two between the ends are enough, and each costs a painting.
        while looks.len() > 4 {
            looks.remove(1);
        }
        return looks;
    }
    vec![first, last]
}
