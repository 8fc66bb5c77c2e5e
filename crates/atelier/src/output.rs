//! The output of commands: one JSON value, or text for people. Messages go to standard error.

use std::io::{self, IsTerminal as _, Write as _};

use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;

/// How results are printed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    pub(crate) json: bool,
}

impl Output {
    /// Prints the result of a command: `value` with `--json`, otherwise the text.
    pub(crate) fn result(self, value: &impl Serialize, text: impl FnOnce() -> String) -> io::Result<()> {
        let text = match (self.json, io::stdout().is_terminal()) {
            (true, true) => serde_json::to_string_pretty(value)?,
            (true, false) => serde_json::to_string(value)?,
            (false, _) => text(),
        };
        print(&text)
    }
}

/// Prints text on standard output. It is not a failure if the reader has closed the pipe.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}

/// Prints a message on standard error, if it is open.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Names and values, with the values aligned.
pub(crate) fn fields(fields: &[(&str, String)]) -> String {
    let width = fields
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    let lines: Vec<_> = fields
        .iter()
        .map(|(name, value)| format!("{name:width$}  {value}\n"))
        .collect();
    lines.concat()
}

/// A table that is as wide as the terminal, or 100 columns without a terminal.
pub(crate) fn table(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let width = console::Term::stdout()
        .size_checked()
        .map_or(100, |(_, columns)| columns.clamp(60, 160));
    table_of_width(header, rows, width)
}

fn table_of_width(header: &[&str], rows: Vec<Vec<String>>, width: u16) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width);
    table.set_header(header.iter().map(|name| name.to_uppercase()));
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let lines: Vec<_> = table
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect();
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_not_wider_than_allowed() {
        let long =
            "a description that is far longer than what one line of a narrow terminal can hold".to_owned();
        let rows = vec![
            vec!["image-gen-4".to_owned(), long.clone()],
            vec!["upscale".to_owned(), long],
        ];
        let table = table_of_width(&["slug", "description"], rows, 60);
        assert!(table.lines().all(|line| line.chars().count() <= 60), "{table}");
        assert!(table.starts_with("SLUG"), "{table}");
    }

    #[test]
    fn the_values_of_fields_are_aligned() {
        assert_eq!(
            fields(&[("id", "1".to_owned()), ("api_key", "2".to_owned())]),
            "id       1\napi_key  2\n"
        );
    }
}
