//! Charts as SVG without scripts or inline styles. Colours come from the classes of the style sheet.

use std::fmt::Write as _;

use crate::text;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 52.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 28.0;

/// One bar: the text below it, its tooltip and its height.
#[derive(Debug, Clone)]
pub(crate) struct Bar {
    pub label: String,
    pub title: String,
    pub amount: i64,
}

/// A bar for each day, with a grid of round amounts. `name` describes the chart for screen readers, `class` is that of
/// the bars.
pub(crate) fn bars(name: &str, class: &str, bars: &[Bar]) -> String {
    let most = bars.iter().map(|bar| bar.amount).max().unwrap_or(0).max(1);
    let step = round_step(most);
    let top = (most + step - 1) / step * step;
    let plot = HEIGHT - TOP - BOTTOM;
    let y = |amount: i64| TOP + plot * (1.0 - amount as f64 / top as f64);
    let mut svg = format!(
        r#"<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{}">"#,
        text::escaped(name)
    );
    let mut line = 0;
    while line <= top {
        write_grid_line(&mut svg, y(line), line);
        line += step;
    }
    let room = (WIDTH - LEFT) / bars.len().max(1) as f64;
    let width = (room * 0.72).min(28.0);
    let every = bars.len().div_ceil(8).max(1);
    for (index, bar) in bars.iter().enumerate() {
        let x = LEFT + room * index as f64 + (room - width) / 2.0;
        if bar.amount > 0 {
            // The smallest amounts are still visible.
            let from = y(bar.amount).min(HEIGHT - BOTTOM - 1.5);
            let _ = write!(
                svg,
                r#"<rect class="{class}" x="{x:.1}" y="{from:.1}" width="{width:.1}" height="{:.1}" rx="2">"#,
                HEIGHT - BOTTOM - from
            );
            let _ = write!(svg, "<title>{}</title></rect>", text::escaped(&bar.title));
        }
        let before_last = bars.len() - 1 - index;
        if before_last.is_multiple_of(every) {
            // On a phone, where letters must be larger, every second label is left out.
            let class = if (before_last / every).is_multiple_of(2) {
                "label"
            } else {
                "label minor"
            };
            // A centred last label would reach beyond the edge.
            let (x, anchor) = if index + 1 == bars.len() {
                (WIDTH, "end")
            } else {
                (x + width / 2.0, "middle")
            };
            let (y, label) = (HEIGHT - 8.0, text::escaped(&bar.label));
            let _ = write!(
                svg,
                r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{label}</text>"#
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

fn write_grid_line(svg: &mut String, y: f64, amount: i64) {
    let (x, base, label) = (LEFT - 8.0, y + 4.0, text::count(amount));
    let _ = write!(
        svg,
        r#"<line class="grid" x1="{LEFT}" x2="{WIDTH}" y1="{y:.1}" y2="{y:.1}"/>"#
    );
    let _ = write!(
        svg,
        r#"<text x="{x:.1}" y="{base:.1}" text-anchor="end">{label}</text>"#
    );
}

/// A part of a whole as one bar that fills the available width.
pub(crate) fn share(part: i64, whole: i64) -> String {
    let width = 100.0 * part as f64 / whole.max(1) as f64;
    [
        r#"<svg class="chart" viewBox="0 0 100 6" preserveAspectRatio="none" height="6" aria-hidden="true">"#,
        &format!(r#"<rect class="bar" width="{width:.1}" height="6" rx="1"/></svg>"#),
    ]
    .concat()
}

/// The distance between grid lines: 1, 2 or 5 times a power of ten, so that there are three to six lines.
fn round_step(most: i64) -> i64 {
    let mut step = 1;
    loop {
        for factor in [1, 2, 5] {
            if step * factor * 5 >= most {
                return step * factor;
            }
        }
        step *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(amount: i64) -> Bar {
        Bar {
            label: "1 Nov".to_owned(),
            title: format!("<{amount}>"),
            amount,
        }
    }

    #[test]
    fn the_highest_bar_stays_below_a_round_line_and_heights_are_proportional() {
        let svg = bars("Credits", "bar", &[bar(90), bar(45), bar(0)]);
        assert_eq!(svg.matches("<rect").count(), 2);
        let height = |nth: usize| -> f64 {
            let rect = svg.split("<rect").nth(nth).unwrap();
            rect.split("height=\"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap()
                .parse()
                .unwrap()
        };
        assert!((height(1) / height(2) - 2.0).abs() < 0.01);
        assert!(svg.contains(">100<"));
        assert!(svg.contains("&lt;90&gt;") && !svg.contains("<90>"));
    }

    #[test]
    fn steps_are_round() {
        assert_eq!([1, 4, 30, 90, 1_234].map(round_step), [1, 1, 10, 20, 500]);
    }

    #[test]
    fn a_chart_without_bars_is_still_a_chart() {
        assert!(bars("Nothing", "bar", &[]).ends_with("</svg>"));
    }
}
