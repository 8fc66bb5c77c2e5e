//! How lists of generations are read, for both databases: a list is made of one part for each status that it may
//! contain, and each part has an index.

use atelier_domain::{Generation, Status};
use uuid::Uuid;

use crate::{GenerationFilter, PageRequest};

/// The generations of one status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// The condition of the part, in the words of its index.
    pub(crate) condition: &'static str,
    /// The index that answers it.
    pub(crate) index: &'static str,
}

/// The favourites of an account. There are never so many that they could not be filtered.
pub(crate) const FAVOURITES: Part = Part {
    condition: "g.favourite_at IS NOT NULL",
    index: "generations_favourite",
};

/// The parts that a list with this filter is made of.
pub(crate) fn parts(filter: &GenerationFilter) -> Vec<Part> {
    if filter.favourite {
        return if may_have_completed(filter) {
            vec![FAVOURITES]
        } else {
            Vec::new()
        };
    }
    let statuses = match filter.status {
        Some(ref status) => std::slice::from_ref(status),
        None => &[Status::Processing, Status::Completed, Status::Failed],
    };
    statuses.iter().map(|status| part(*status, filter)).collect()
}

/// Whether completed generations match the status.
pub(crate) const fn may_have_completed(filter: &GenerationFilter) -> bool {
    matches!(filter.status, None | Some(Status::Completed))
}

fn part(status: Status, filter: &GenerationFilter) -> Part {
    let by = |all, model, kind| match (&filter.model, filter.kind) {
        (Some(_), _) => model,
        (None, Some(_)) => kind,
        (None, None) => all,
    };
    match status {
        // There are never many more than an account has in the queue.
        Status::Processing => Part {
            condition: "g.ended_at IS NULL",
            index: "generations_unfinished_by_account",
        },
        Status::Completed => Part {
            condition: "g.state = 'completed'",
            index: by(
                "generations_completed",
                "generations_completed_by_model",
                "generations_completed_by_kind",
            ),
        },
        Status::Failed => Part {
            condition: "g.state = 'failed'",
            index: by(
                "generations_failed",
                "generations_failed_by_model",
                "generations_failed_by_kind",
            ),
        },
    }
}

/// The order of a list in SQL: how its ids compare with the last one of the page before, and the direction.
pub(crate) fn order(filter: &GenerationFilter) -> (&'static str, &'static str) {
    if filter.oldest_first {
        (">", "ASC")
    } else {
        ("<", "DESC")
    }
}

/// The id that a page begins after.
pub(crate) fn start(filter: &GenerationFilter, page: &PageRequest) -> Uuid {
    let least = if filter.oldest_first {
        Uuid::nil()
    } else {
        Uuid::max()
    };
    page.before.map_or(least, |id| id.0)
}

/// The first of all parts: one page, and whether there are more.
pub(crate) fn first(
    mut found: Vec<Generation>,
    filter: &GenerationFilter,
    limit: u32,
) -> (Vec<Generation>, bool) {
    found.sort_unstable_by_key(|generation| generation.id);
    if !filter.oldest_first {
        found.reverse();
    }
    let more = found.len() > limit as usize;
    found.truncate(limit as usize);
    (found, more)
}

#[cfg(test)]
pub(crate) mod tests {
    use atelier_domain::MediaKind;

    use super::*;

    /// Every combination of the filters.
    pub(crate) fn filters() -> Vec<GenerationFilter> {
        let statuses = [
            None,
            Some(Status::Processing),
            Some(Status::Completed),
            Some(Status::Failed),
        ];
        let mut all = Vec::new();
        for (status, oldest_first) in statuses
            .iter()
            .flat_map(|status| [(*status, false), (*status, true)])
        {
            for model in [None, Some("m")] {
                for kind in [None, Some(MediaKind::Image)] {
                    all.push(GenerationFilter {
                        status,
                        model: model.map(str::to_owned),
                        kind,
                        oldest_first,
                        ..GenerationFilter::default()
                    });
                }
            }
        }
        all
    }
}
