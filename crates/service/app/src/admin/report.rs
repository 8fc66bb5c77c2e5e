//! The report of a month: what was made and how it was marked, what failed and was refused, what was taken down.

use std::{collections::BTreeMap, fmt::Write as _};

use atelier_domain::{Takedown, Timestamp};
use atelier_store::{DecisionCount, MarkCount};

use crate::{Admin, Error, Result, usage::csv::quoted as field};

const DAY_MICROS: i64 = 86_400_000_000;
/// The most takedowns of a report.
const MAX_TAKEDOWNS: u32 = 10_000;

/// One month in UTC. Rows with a count of 0 are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// `2026-11`.
    pub month: String,
    /// Jobs that ended in the month: model, outcome (`completed`, `cancelled` or a failure code), count.
    pub ended: Vec<(String, String, u64)>,
    /// Results of jobs that were accepted in the month and are still there.
    pub marked: Vec<(Marks, u64)>,
    /// The refusals of the content policy.
    pub refused: Vec<DecisionCount>,
    pub takedowns: Vec<Takedown>,
}

/// How files are marked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Marks {
    pub model: String,
    pub engine: String,
    /// The outcome of the watermark and of the signature; `none`: none was planned.
    pub watermark: String,
    pub signature: String,
}

impl Admin {
    /// The report of a month such as `2026-11`.
    pub async fn report(&self, month: &str) -> Result<Report> {
        let (from, until) = bounds(month).ok_or_else(|| {
            let message = format!("`month` must be a year and a month, such as 2026-11 (got {month})");
            Error::parameter("month", message)
        })?;
        let days = (from.micros() / DAY_MICROS, until.micros() / DAY_MICROS - 1);
        let mut ended = BTreeMap::new();
        let mut add = |model: &str, outcome: &str, count: u64| {
            if count > 0 {
                *ended.entry((model.to_owned(), outcome.to_owned())).or_insert(0) += count;
            }
        };
        for row in self.store.usage(None, days).await? {
            add(&row.model, "cancelled", row.cancelled);
            add(
                &row.model,
                &row.outcome,
                row.generations.saturating_sub(row.cancelled),
            );
        }
        let ended = ended
            .into_iter()
            .map(|((model, outcome), count)| (model, outcome, count));
        let takedowns = self.store.takedowns(MAX_TAKEDOWNS).await?.into_iter();
        Ok(Report {
            month: month.to_owned(),
            ended: ended.collect(),
            marked: marked(self.store.marks(from, until).await?),
            refused: self.store.decision_counts(from, until).await?,
            takedowns: takedowns.filter(|one| from <= one.at && one.at < until).collect(),
        })
    }
}

/// Files by their marks. A job has as many as it has files; one without any marks counts once.
fn marked(jobs: Vec<MarkCount>) -> Vec<(Marks, u64)> {
    let mut counts = BTreeMap::new();
    let list = |text: Option<String>| -> Vec<String> {
        text.and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    };
    for row in jobs {
        let (watermarks, signatures) = (list(row.watermark), list(row.credentials));
        let said = |list: &[String], file| list.get(file).cloned().unwrap_or_else(|| "none".to_owned());
        for file in 0..watermarks.len().max(signatures.len()).max(1) {
            let marks = Marks {
                model: row.model.clone(),
                engine: row.engine.clone(),
                watermark: said(&watermarks, file),
                signature: said(&signatures, file),
            };
            *counts.entry(marks).or_insert(0) += row.jobs;
        }
    }
    counts.into_iter().collect()
}

/// The first moment of a month, and of the next one.
fn bounds(month: &str) -> Option<(Timestamp, Timestamp)> {
    let (year, number) = month.split_once('-').filter(|_| month.len() == "2026-11".len())?;
    let (year, number): (u32, u32) = (year.parse().ok()?, number.parse().ok()?);
    let next = if number == 12 {
        (year + 1, 1)
    } else {
        (year, number + 1)
    };
    let first = |(year, month)| Timestamp::of_date(&format!("{year:04}-{month:02}-01"));
    Some((first((year, number))?, first(next)?))
}

impl Report {
    /// Rows of `part,subject,by,what,signature,count` (RFC 4180), in the order of the parts.
    pub fn csv(&self) -> String {
        let mut text = String::from("part,subject,by,what,signature,count\r\n");
        let mut row = |part: &str, cells: [&str; 4], count: u64| {
            let cells = cells.map(field).join(",");
            // Writing to a text cannot fail.
            let _ = write!(text, "{part},{cells},{count}\r\n");
        };
        for (model, outcome, count) in &self.ended {
            row("ended", [model, "", outcome, ""], *count);
        }
        for (marks, count) in &self.marked {
            let cells = [&marks.model, &marks.engine, &marks.watermark, &marks.signature];
            row("marked", cells.map(String::as_str), *count);
        }
        for one in &self.refused {
            let cells = [&*one.rule, &one.stage, &one.decision, ""];
            row("refused", cells, one.count);
            if one.overturned > 0 {
                row("overturned", cells, one.overturned);
            }
        }
        for one in &self.takedowns {
            row("taken_down", [&one.name, &one.at.rfc3339(), &one.reason, ""], 1);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_has_its_first_moment_and_that_of_the_next() {
        let bounds = |month| bounds(month).map(|(from, until)| (from.rfc3339(), until.rfc3339()));
        let (from, until) = bounds("2026-12").unwrap();
        assert!(from.starts_with("2026-12-01T00:00:00"), "{from}");
        assert!(until.starts_with("2027-01-01T00:00:00"), "{until}");
        for wrong in ["2026", "2026-13", "2026-1", "26-11", "2026-11-01", "x-y"] {
            assert_eq!(bounds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_file_of_a_job_counts_by_its_watermark_and_its_signature() {
        let job = |watermark: Option<&str>, credentials: Option<&str>, jobs| MarkCount {
            model: "m".to_owned(),
            engine: "draft".to_owned(),
            watermark: watermark.map(str::to_owned),
            credentials: credentials.map(str::to_owned),
            jobs,
        };
        let row = |watermark: &str, signature: &str, count| {
            let marks = Marks {
                model: "m".to_owned(),
                engine: "draft".to_owned(),
                watermark: watermark.to_owned(),
                signature: signature.to_owned(),
            };
            (marks, count)
        };
        let both = Some(r#"["written","written"]"#);
        assert_eq!(
            marked(vec![
                job(None, None, 3),
                job(None, Some(r#"["unsupported"]"#), 5),
                job(Some(r#"["written","too_plain"]"#), both, 2),
                job(Some(r#"["written"]"#), None, 1)
            ]),
            [
                row("none", "none", 3),
                row("none", "unsupported", 5),
                row("too_plain", "written", 2),
                row("written", "none", 1),
                row("written", "written", 2)
            ]
        );
    }
}
