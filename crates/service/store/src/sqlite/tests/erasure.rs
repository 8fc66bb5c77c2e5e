//! After an erasure, no row of any table has a word about the people of the account.

use rusqlite::types::ValueRef;

use super::{fresh, raw};
use crate::conformance::erasure::{WORDS, erase_all, full};

/// The rows that have one of the words, with the table.
fn found(db: &rusqlite::Connection) -> Vec<String> {
    let tables = db
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<rusqlite::Result<Vec<String>>>()
        .unwrap();
    let mut found = Vec::new();
    for table in tables {
        let mut statement = db.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for column in 0..columns {
                let (ValueRef::Text(bytes) | ValueRef::Blob(bytes)) = row.get_ref(column).unwrap() else {
                    continue;
                };
                let text = String::from_utf8_lossy(bytes);
                if WORDS.iter().any(|word| text.contains(word)) {
                    found.push(format!("{table}: {text}"));
                }
            }
        }
    }
    found
}

#[tokio::test]
async fn no_table_has_a_word_about_the_people_of_an_erased_account() {
    let (store, folder) = fresh();
    let (world, _) = full(&store).await;
    let db = raw(folder.path());
    let before = found(&db);
    for word in WORDS {
        assert!(before.iter().any(|row| row.contains(word)), "{word}");
    }
    erase_all(&world).await;
    assert_eq!(found(&db), Vec::<String>::new());
    store.close().await.unwrap();
}

#[tokio::test]
async fn every_table_that_names_a_user_or_a_key_is_emptied_before_they_go() {
    let (_store, folder) = fresh();
    let db = raw(folder.path());
    let mut statement = db
        .prepare(
            "SELECT t.name || '.' || f.\"from\" FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
             WHERE t.type = 'table' AND f.\"table\" IN ('users', 'keys') AND f.on_delete <> 'CASCADE'
             ORDER BY 1",
        )
        .unwrap();
    let found = statement.query_map([], |row| row.get(0)).unwrap();
    let found: Vec<String> = found.map(Result::unwrap).collect();
    let expected = [
        "changes.user",
        "identities.user",
        "invitations.inviter",
        "members.user",
        "old_keys.key",
        "password_resets.issuer",
        "password_resets.user",
        "sessions.user",
    ];
    assert_eq!(found, expected, "`erasure.rs` must know each of them");
}
