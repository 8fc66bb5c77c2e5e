//! One figure beside its target.

use std::time::Duration;

use serde_json::{Value, json};

/// One figure.
#[derive(Debug)]
pub(crate) struct Figure {
    what: String,
    value: f64,
    unit: &'static str,
    target: Option<Target>,
    /// The figure of the reference server, or of the same server in another state, in the same run.
    reference: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
enum Target {
    AtLeast(f64),
    AtMost(f64),
    /// At least this share of the reference.
    ShareOfReference(f64),
    /// At most so many times the reference.
    TimesReference(f64),
}

impl Figure {
    pub(crate) fn new(what: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self {
            what: what.into(),
            value,
            unit,
            target: None,
            reference: None,
        }
    }

    pub(crate) fn per_second(what: impl Into<String>, value: f64) -> Self {
        Self::new(what, value, "/s")
    }

    pub(crate) fn millis(what: impl Into<String>, value: Duration) -> Self {
        Self::new(what, value.as_secs_f64() * 1_000.0, "ms")
    }

    pub(crate) fn seconds(what: impl Into<String>, value: Duration) -> Self {
        Self::new(what, value.as_secs_f64(), "s")
    }

    pub(crate) fn mebibytes(what: impl Into<String>, bytes: u64) -> Self {
        Self::new(what, bytes as f64 / f64::from(1 << 20), "MiB")
    }

    pub(crate) fn at_least(self, bound: f64) -> Self {
        Self {
            target: Some(Target::AtLeast(bound)),
            ..self
        }
    }

    pub(crate) fn at_most(self, bound: f64) -> Self {
        Self {
            target: Some(Target::AtMost(bound)),
            ..self
        }
    }

    /// At least this share of the reference server's figure.
    pub(crate) fn share_of(self, reference: f64, share: f64) -> Self {
        Self {
            target: Some(Target::ShareOfReference(share)),
            reference: Some(reference),
            ..self
        }
    }

    /// At most so many times the figure of the same server in another state.
    pub(crate) fn at_most_times(self, reference: Duration, times: f64) -> Self {
        Self {
            target: Some(Target::TimesReference(times)),
            reference: Some(reference.as_secs_f64() * 1_000.0),
            ..self
        }
    }

    fn ratio(&self) -> Option<f64> {
        self.reference.map(|reference| self.value / reference)
    }

    fn passed(&self) -> Option<bool> {
        Some(match self.target? {
            Target::AtLeast(bound) => self.value >= bound,
            Target::AtMost(bound) => self.value <= bound,
            Target::ShareOfReference(share) => self.ratio()? >= share,
            Target::TimesReference(times) => self.ratio()? <= times,
        })
    }

    fn target(&self) -> String {
        match self.target {
            None => String::new(),
            Some(Target::AtLeast(bound)) => format!("≥ {}", shown(bound, self.unit)),
            Some(Target::AtMost(bound)) => format!("≤ {}", shown(bound, self.unit)),
            Some(Target::ShareOfReference(share)) => format!("≥ {share} × reference"),
            Some(Target::TimesReference(times)) => format!("≤ {times} × reference"),
        }
    }

    /// The figure's cells in the table.
    pub(crate) fn cells(&self) -> [String; 6] {
        [
            self.what.clone(),
            shown(self.value, self.unit),
            self.target(),
            self.reference
                .map(|reference| shown(reference, self.unit))
                .unwrap_or_default(),
            self.ratio()
                .map(|ratio| format!("{ratio:.2}"))
                .unwrap_or_default(),
            verdict(self.passed()).to_owned(),
        ]
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "what": self.what, "value": self.value, "unit": self.unit, "target": self.target(),
            "reference": self.reference, "ratio": self.ratio(), "passed": self.passed(),
        })
    }
}

const fn verdict(passed: Option<bool>) -> &'static str {
    match passed {
        None => "",
        Some(true) => "pass",
        Some(false) => "MISS",
    }
}

/// A figure with at least three digits and grouped thousands.
fn shown(value: f64, unit: &str) -> String {
    let number = match value.abs() {
        at if at >= 1_000.0 => thousands(value.round() as i64),
        at if at >= 100.0 => format!("{value:.0}"),
        at if at >= 10.0 => format!("{value:.1}"),
        at if at >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    };
    match unit {
        "/s" => format!("{number}/s"),
        _ => format!("{number} {unit}"),
    }
}

fn thousands(value: i64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_passes_if_it_meets_its_target() {
        let at = |value| Figure::per_second("x", value);
        assert_eq!(at(4_000.0).at_least(4_000.0).passed(), Some(true));
        assert_eq!(at(3_999.9).at_least(4_000.0).passed(), Some(false));
        assert_eq!(at(0.1).at_most(0.1).passed(), Some(true));
        assert_eq!(at(24.9).share_of(100.0, 0.25).passed(), Some(false));
        assert_eq!(at(25.0).share_of(100.0, 0.25).passed(), Some(true));
        let without = Duration::from_millis(2);
        let beside = |micros| Figure::millis("x", Duration::from_micros(micros)).at_most_times(without, 2.0);
        assert_eq!(beside(4_000).passed(), Some(true));
        assert_eq!(beside(4_001).passed(), Some(false));
        assert_eq!(at(1.0).passed(), None);
    }

    #[test]
    fn figures_are_shown_with_their_significant_digits() {
        assert_eq!(shown(12_345.6, "/s"), "12,346/s");
        assert_eq!(shown(1_000_000.0, "/s"), "1,000,000/s");
        assert_eq!(shown(0.0824, "ms"), "0.082 ms");
        assert_eq!(shown(31.25, "MiB"), "31.2 MiB");
    }
}
