//! The description of the tables against both schemas. The move itself is tested with the real program.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// Tables that are not copied row by row.
const OTHERS: [&str; 6] = [
    "settings",
    "storage",
    "usage_totals",
    "nodes",
    "checks",
    "atelier_schema",
];

/// The names and types of the columns of each table, as a query returns them.
fn described(of: impl Fn(&Column) -> (String, String)) -> BTreeMap<String, BTreeSet<(String, String)>> {
    let tables = TABLES.iter();
    tables
        .map(|table| (table.name.to_owned(), table.columns.iter().map(&of).collect()))
        .collect()
}

#[test]
fn every_table_and_column_of_sqlite_is_moved() {
    let folder = tempfile::tempdir().unwrap();
    let db = sqlite::open_for_transfer(&folder.path().join("atelier.db")).unwrap();
    let mut statement = db
        .prepare(
            "SELECT t.name, c.name, c.type FROM sqlite_schema t JOIN pragma_table_info(t.name) c
             WHERE t.type = 'table'",
        )
        .unwrap();
    let mut found: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))));
    for row in rows.unwrap() {
        let (table, column): (String, (String, String)) = row.unwrap();
        // The number of a row, which nothing names.
        if column.0 != "seq" && !OTHERS.contains(&table.as_str()) {
            found.entry(table).or_default().insert(column);
        }
    }
    let kind = |kind| match kind {
        Kind::Id | Kind::Bytes => "BLOB",
        Kind::Integer | Kind::Bool => "INTEGER",
        Kind::Real => "REAL",
        Kind::Text => "TEXT",
    };
    let expected = described(|column| (column.sqlite.to_owned(), kind(column.kind).to_owned()));
    assert_eq!(found, expected);
}

#[tokio::test]
async fn every_table_and_column_of_postgresql_is_filled() {
    let Some(server) = atelier_testkit::postgres() else {
        return;
    };
    let url = server.schema();
    let schema = url.rsplit("%3D").next().unwrap().to_owned();
    postgres::transfer::open(&url.parse().unwrap()).await.unwrap();
    let rows = server.run(&format!(
        "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = '{schema}'"
    ));
    let mut found: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for row in rows.lines() {
        let [table, column, kind] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        if !OTHERS.contains(&table) {
            let column = (column.to_owned(), kind.to_owned());
            found.entry(table.to_owned()).or_default().insert(column);
        }
    }
    let kind = |kind| match kind {
        Kind::Id => "uuid",
        Kind::Bytes => "bytea",
        Kind::Integer => "bigint",
        Kind::Bool => "boolean",
        Kind::Real => "double precision",
        Kind::Text => "text",
    };
    let expected = described(|column| (column.postgres.to_owned(), kind(column.kind).to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn values_survive_the_text_format_of_copy() {
    let text = |kind, value: ValueRef<'_>| {
        let column = Column {
            sqlite: "c",
            postgres: "c",
            kind,
        };
        let mut batch = String::new();
        push(&mut batch, value, &column).map(|()| batch)
    };
    let all = [
        (Kind::Text, ValueRef::Null, "\\N"),
        (Kind::Text, ValueRef::Text(b"\\N\t\n\r'\""), "\\\\N\\t\\n\\r'\""),
        (Kind::Bytes, ValueRef::Blob(&[0, 255]), "\\\\x00ff"),
        (
            Kind::Id,
            ValueRef::Blob(&[0; 16]),
            "00000000-0000-0000-0000-000000000000",
        ),
        (Kind::Bool, ValueRef::Integer(1), "t"),
        (Kind::Real, ValueRef::Real(0.1), "0.1"),
        (Kind::Integer, ValueRef::Integer(i64::MIN), "-9223372036854775808"),
    ];
    for (kind, value, expected) in all {
        assert_eq!(text(kind, value).unwrap(), expected);
    }
    assert!(text(Kind::Id, ValueRef::Blob(&[0; 3])).is_err());
    assert!(text(Kind::Integer, ValueRef::Text(b"1")).is_err());
}
