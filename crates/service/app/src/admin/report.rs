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
    /// Results of jobs that were accepted in the month and are still there: model, engine, mark, count.
    pub marked: Vec<(String, String, String, u64)>,
    /// What the content policy refused.
    pub refused: Vec<DecisionCount>,
    pub takedowns: Vec<Takedown>,
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

/// Pictures by mark. A job has as many as it has pictures; one without any counts once, as `none`.
fn marked(jobs: Vec<MarkCount>) -> Vec<(String, String, String, u64)> {
    let mut counts = BTreeMap::new();
    for row in jobs {
        let marks: Vec<String> = row
            .watermark
            .and_then(|text| serde_json::from_str(&text).ok())
            .filter(|marks: &Vec<String>| !marks.is_empty())
            .unwrap_or_else(|| vec!["none".to_owned()]);
        for mark in marks {
            *counts
                .entry((row.model.clone(), row.engine.clone(), mark))
                .or_insert(0) += row.jobs;
        }
    }
    let counts = counts.into_iter();
    counts
        .map(|((model, engine, mark), count)| (model, engine, mark, count))
        .collect()
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
    /// Rows of `part,a,b,c,count` (RFC 4180), in the order of the parts.
    pub fn csv(&self) -> String {
        let mut text = String::from("part,subject,by,what,count\r\n");
        let mut row = |part: &str, cells: [&str; 3], count: u64| {
            let cells = cells.map(field);
            // Writing to a text cannot fail.
            let _ = write!(text, "{part},{},{},{},{count}\r\n", cells[0], cells[1], cells[2]);
        };
        for (model, outcome, count) in &self.ended {
            row("ended", [model, "", outcome], *count);
        }
        for (model, engine, mark, count) in &self.marked {
            row("marked", [model, engine, mark], *count);
        }
        for one in &self.refused {
            row("refused", [&one.rule, &one.stage, &one.decision], one.count);
            if one.overturned > 0 {
                row(
                    "overturned",
                    [&one.rule, &one.stage, &one.decision],
                    one.overturned,
                );
            }
        }
        for one in &self.takedowns {
            row("taken_down", [&one.name, &one.at.rfc3339(), &one.reason], 1);
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
    fn every_picture_of_a_job_counts_by_its_mark() {
        let job = |watermark: Option<&str>, jobs| MarkCount {
            model: "m".to_owned(),
            engine: "draft".to_owned(),
            watermark: watermark.map(str::to_owned),
            jobs,
        };
        let row = |mark: &str, count| ("m".to_owned(), "draft".to_owned(), mark.to_owned(), count);
        assert_eq!(
            marked(vec![
                job(None, 3),
                job(Some(r#"["written","too_plain"]"#), 2),
                job(Some(r#"["written"]"#), 1)
            ]),
            [row("none", 3), row("too_plain", 2), row("written", 3)]
        );
    }
}
