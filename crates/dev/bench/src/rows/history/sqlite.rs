//! Copies of ended jobs in an SQLite file, and what belongs to jobs.

use std::path::Path;

use atelier_domain::{Clock as _, clock::SystemClock};
use rusqlite::Connection;
use uuid::Uuid;

use super::{SPAN, belongings, copy_of_job};
use crate::error::Result;

pub(super) fn multiply(file: &Path, jobs: u64, accounts: u64) -> Result<()> {
    let mut db = Connection::open(file)?;
    db.execute_batch("PRAGMA synchronous = off; PRAGMA cache_size = -500000")?;
    let columns = |table: &str| -> Result<Vec<String>> {
        let mut named = db.prepare("SELECT name FROM pragma_table_info(?1)")?;
        let names = named.query_map([table], |row| row.get(0))?;
        Ok(names.collect::<rusqlite::Result<_>>()?)
    };
    let of_accounts = columns("accounts")?.join(", ");
    let of_jobs = columns("generations")?.join(", ");
    let begun = SystemClock.now().minus(SPAN).micros();
    let span = SPAN.as_micros() as i64;
    let write = db.transaction()?;
    // The first account comes first.
    write.execute_batch(
        "CREATE TEMP TABLE owners (number INTEGER PRIMARY KEY, id BLOB);
         INSERT INTO owners (number, id) SELECT 0, id FROM accounts WHERE name = 'bench';
         CREATE TEMP TABLE patterns (number INTEGER PRIMARY KEY, seq INTEGER);
         INSERT INTO patterns (number, seq)
             SELECT row_number() OVER (ORDER BY seq) - 1, seq FROM generations;",
    )?;
    for number in 1..accounts {
        let copy = of_accounts
            .replacen("id", "?1", 1)
            .replacen("name", "'account ' || ?2", 1);
        let id = Uuid::from_u128(u128::from(number));
        let sql =
            format!("INSERT INTO accounts ({of_accounts}) SELECT {copy} FROM accounts WHERE name = 'bench'");
        write.execute(&sql, (id.as_bytes(), number as i64))?;
        write.execute(
            "INSERT INTO owners (number, id) VALUES (?2, ?1)",
            (id.as_bytes(), number as i64),
        )?;
    }
    let id = "CAST(unhex(printf('%012x', n.at / 1000)) || randomblob(10) AS BLOB)";
    let job = copy_of_job(&of_jobs, id);
    // The multiplications by primes spread accounts and patterns.
    let sql = format!(
        "WITH RECURSIVE n (i, at) AS
             (SELECT 0, ?2 UNION ALL SELECT i + 1, ?2 + ?3 / ?1 * (i + 1) FROM n WHERE i + 1 < ?1)
         INSERT INTO generations ({of_jobs}) SELECT {job} FROM n
         JOIN owners o ON o.number = iif(i % 10 = 0, 0, i * 7919 % ?4)
         JOIN patterns p ON p.number = i * 104729 % (SELECT count(*) FROM patterns)
         JOIN generations g ON g.seq = p.seq"
    );
    write.execute(&sql, (jobs as i64, begun, span, accounts as i64))?;
    write.execute_batch(
        "DELETE FROM usage;
         INSERT INTO usage (account, day, model, outcome, kind, generations, credits)
             SELECT account, ended_at / 86400000000, model,
                    iif(state = 'completed', state, json_extract(failure, '$.code')), kind, count(*),
                    sum(coalesce(charged, 0))
             FROM generations GROUP BY 1, 2, 3, 4;",
    )?;
    write.commit()?;
    db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    Ok(())
}

/// Returns the names of the files.
pub(super) fn add_belongings(file: &Path) -> Result<Vec<String>> {
    let mut db = Connection::open(file)?;
    db.execute_batch("PRAGMA synchronous = off")?;
    let write = db.transaction()?;
    write.execute_batch(&belongings("lower(hex(id))"))?;
    write.commit()?;
    db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    let mut made = db.prepare("SELECT file FROM made")?;
    let names = made.query_map([], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}
