//! Figures beside their targets, as a table for people and as JSON for programs.

use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};

use crate::{figure::Figure, rows::Row};

/// The measurements of one row.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) row: Row,
    pub(crate) figures: Vec<Figure>,
    /// The share of the machine that other programs used in the meantime, 0 to 1.
    pub(crate) others: f64,
    /// The machine's load average at the end.
    pub(crate) load: f64,
}

pub(crate) fn table(measured: &[Measured]) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header([
        "",
        "measured",
        "figure",
        "target",
        "reference",
        "ratio",
        "",
        "others",
        "load",
    ]);
    for row in measured {
        for (number, figure) in row.figures.iter().enumerate() {
            // Values of the whole row are on its first line.
            let (name, others, load) = match number {
                0 => (
                    row.row.name(),
                    format!("{:.0} %", row.others * 100.0),
                    format!("{:.1}", row.load),
                ),
                _ => ("", String::new(), String::new()),
            };
            let cells = figure.cells();
            let line = [name]
                .into_iter()
                .chain(cells.iter().map(String::as_str))
                .chain([others.as_str(), load.as_str()]);
            table.add_row(line.collect::<Vec<_>>());
        }
    }
    for number in [2, 4, 5, 7, 8] {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let note =
        "others: the share of the machine that other programs used; load: the load average at the end.";
    format!("{table}\n{note}")
}

pub(crate) fn json(measured: &[Measured]) -> Value {
    let rows = measured.iter().map(|row| {
        json!({
            "row": row.row.name(), "about": row.row.about(), "others": row.others, "load_average": row.load,
            "figures": row.figures.iter().map(Figure::json).collect::<Vec<_>>(),
        })
    });
    json!({ "rows": rows.collect::<Vec<_>>() })
}
