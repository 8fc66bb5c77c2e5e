//! The form of a piece: the order of its sections, and how long and strong they are.

/// The kind of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Intro,
    Verse,
    Chorus,
    Bridge,
    Solo,
    Outro,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Intro => "intro",
            Self::Verse => "verse",
            Self::Chorus => "chorus",
            Self::Bridge => "bridge",
            Self::Solo => "solo",
            Self::Outro => "outro",
        }
    }
}

/// Lines of lyrics that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stanza {
    pub kind: Kind,
    pub lines: Vec<String>,
}

/// A section.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    pub kind: Kind,
    /// The first bar.
    pub bar: usize,
    pub bars: usize,
    /// 0 (hardly anything plays) to 1 (everything plays).
    pub energy: f32,
    /// The stanza of the lyrics that is sung in it.
    pub stanza: Option<usize>,
}

/// Sections for an instrumental of about `seconds`.
pub fn instrumental(seconds: f64, bar_seconds: f64) -> Vec<Section> {
    use Kind::{Bridge, Chorus, Intro, Outro, Solo, Verse};
    let shapes: [&[(Kind, usize)]; 6] = [
        &[(Verse, 4), (Chorus, 4)],
        &[(Intro, 2), (Verse, 4), (Chorus, 4), (Outro, 2)],
        &[(Intro, 4), (Verse, 8), (Chorus, 8), (Outro, 4)],
        &[
            (Intro, 4),
            (Verse, 8),
            (Chorus, 8),
            (Verse, 8),
            (Chorus, 8),
            (Outro, 4),
        ],
        &[
            (Intro, 4),
            (Verse, 8),
            (Chorus, 8),
            (Verse, 8),
            (Chorus, 8),
            (Bridge, 8),
            (Chorus, 8),
            (Outro, 4),
        ],
        &[
            (Intro, 8),
            (Verse, 16),
            (Chorus, 8),
            (Verse, 16),
            (Chorus, 8),
            (Bridge, 8),
            (Solo, 8),
            (Chorus, 16),
            (Outro, 4),
        ],
    ];
    let wanted = seconds / bar_seconds;
    let bars = |shape: &[(Kind, usize)]| shape.iter().map(|(_, bars)| bars).sum::<usize>() as f64;
    let best = shapes
        .into_iter()
        .min_by(|a, b| (bars(a) - wanted).abs().total_cmp(&(bars(b) - wanted).abs()))
        .unwrap_or(shapes[0]);
    lay(best.iter().map(|(kind, bars)| (*kind, *bars, None)))
}

/// Sections for stanzas whose lines take `line_bars` each. `room` (0 to 1) says how much is played between and around
/// them. A piece with few words is extended to `least` bars.
pub fn sung(stanzas: &[Stanza], line_bars: usize, room: f32, short: bool, least: usize) -> Vec<Section> {
    let mut plan = Vec::new();
    if !short {
        plan.push((Kind::Intro, if room > 0.6 { 8 } else { 4 }, None));
    }
    let last = stanzas.len().saturating_sub(1);
    for (index, stanza) in stanzas.iter().enumerate() {
        let bars = (stanza.lines.len() * line_bars).max(if stanza.lines.is_empty() { 4 } else { 2 });
        let bars = bars.next_multiple_of(if short { 2 } else { 4 });
        let kind = stanza.kind;
        let words = (!stanza.lines.is_empty()).then_some(index);
        plan.push((kind, bars, words));
        // If there is room, there is a solo before the last chorus.
        let next_is_last_chorus = index + 1 == last && stanzas[last].kind == Kind::Chorus;
        if !short && room > 0.45 && next_is_last_chorus && last > 2 {
            plan.push((Kind::Solo, if room > 0.7 { 8 } else { 4 }, None));
        }
    }
    if !short {
        const OUTRO: usize = 4;
        let mut bars: usize = plan.iter().map(|(_, bars, _)| bars).sum();
        for kind in [Kind::Solo, Kind::Chorus].into_iter().cycle() {
            if bars + OUTRO >= least {
                break;
            }
            plan.push((kind, 8, None));
            bars += 8;
        }
        plan.push((Kind::Outro, OUTRO, None));
    }
    lay(plan.into_iter())
}

/// Sections that fill `bars` in the middle of a piece: stanzas while there are some and room for them, then a chorus.
pub fn fitting(stanzas: &[Stanza], line_bars: usize, bars: usize) -> Vec<Section> {
    let mut left = bars;
    let mut plan = Vec::new();
    for (index, stanza) in stanzas.iter().enumerate() {
        let wanted = (stanza.lines.len() * line_bars).max(1).min(left);
        if wanted > 0 {
            plan.push((stanza.kind, wanted, Some(index)));
        }
        left -= wanted;
    }
    while left > 0 {
        let take = left.min(8);
        plan.push((Kind::Chorus, take, None));
        left -= take;
    }
    lay(plan.into_iter())
}

fn lay(plan: impl Iterator<Item = (Kind, usize, Option<usize>)>) -> Vec<Section> {
    let mut bar = 0;
    let (mut verses, mut choruses) = (0, 0);
    plan.map(|(kind, bars, stanza)| {
        let energy = match kind {
            Kind::Intro => 0.3,
            Kind::Verse => {
                verses += 1;
                if verses == 1 { 0.45 } else { 0.58 }
            }
            Kind::Chorus => {
                choruses += 1;
                [0.82, 0.9, 1.0][choruses.min(3) - 1]
            }
            Kind::Bridge => 0.5,
            Kind::Solo => 0.85,
            Kind::Outro => 0.35,
        };
        let section = Section {
            kind,
            bar,
            bars,
            energy,
            stanza,
        };
        bar += bars;
        section
    })
    .collect()
}
