//! Copies of ended jobs in a PostgreSQL database, and what belongs to jobs.

use atelier_domain::{Clock as _, clock::SystemClock};

use super::{SPAN, belongings, copy_of_job};
use crate::{
    database::{connect, failed},
    error::Result,
};

/// What the service finds after a while: statistics, and pages that indexes alone can answer from.
const TIDY: [&str; 4] = [
    "VACUUM (ANALYZE) generations",
    "VACUUM (ANALYZE) accounts",
    "VACUUM (ANALYZE) usage",
    "VACUUM (ANALYZE) usage_totals",
];

pub(super) async fn multiply(url: &str, jobs: u64, accounts: u64) -> Result<()> {
    let db = connect(url).await?;
    let columns = async |table: &str| -> Result<String> {
        let sql = "SELECT string_agg(column_name, ', ' ORDER BY ordinal_position)
                   FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1";
        let row = db.query_one(sql, &[&table]).await.map_err(failed)?;
        row.try_get(0).map_err(failed)
    };
    let of_accounts = columns("accounts").await?;
    let of_jobs = columns("generations").await?;
    let copy = of_accounts
        .replacen("id", "pg_temp.id_of(n)", 1)
        .replacen("name", "'account ' || n", 1);
    let id = "(lpad(to_hex(n.at / 1000), 12, '0') || left(md5(n.i::text), 20))::uuid";
    let job = copy_of_job(&of_jobs, id);
    let begun = SystemClock.now().minus(SPAN).micros();
    let apart = SPAN.as_micros() as u64 / jobs;
    // Indexes are faster to make at the end. The multiplications by primes spread accounts and patterns.
    let sql = format!(
        "CREATE FUNCTION pg_temp.id_of(n bigint) RETURNS uuid LANGUAGE sql AS
             $$ SELECT lpad(to_hex(n), 32, '0')::uuid $$;
         INSERT INTO accounts ({of_accounts})
             SELECT {copy} FROM accounts, generate_series(1, {accounts} - 1) n WHERE name = 'bench';
         CREATE TEMP TABLE owners AS SELECT 0::bigint AS number, id FROM accounts WHERE name = 'bench'
             UNION ALL SELECT n, pg_temp.id_of(n) FROM generate_series(1, {accounts} - 1) n;
         CREATE TEMP TABLE patterns AS SELECT row_number() OVER (ORDER BY id) - 1 AS number, * FROM generations;
         CREATE TEMP TABLE made_later AS SELECT indexname, indexdef FROM pg_indexes
             WHERE schemaname = 'public' AND tablename = 'generations' AND indexname <> 'generations_pkey';
         DO $$ DECLARE it record; BEGIN
             FOR it IN SELECT * FROM made_later LOOP EXECUTE 'DROP INDEX ' || it.indexname; END LOOP;
         END $$;
         INSERT INTO generations ({of_jobs}) SELECT {job}
             FROM (SELECT i, {begun} + {apart} * i AS at FROM generate_series(0, {jobs}::bigint - 1) i) n
             JOIN owners o ON o.number = CASE WHEN i % 10 = 0 THEN 0 ELSE i * 7919 % {accounts} END
             JOIN patterns g ON g.number = i * 104729 % (SELECT count(*) FROM patterns);
         DO $$ DECLARE it record; BEGIN
             FOR it IN SELECT * FROM made_later LOOP EXECUTE it.indexdef; END LOOP;
         END $$;
         DELETE FROM usage;
         INSERT INTO usage (account, day, model, outcome, kind, generations, credits)
             SELECT account, ended_at / 86400000000, model,
                    CASE state WHEN 'completed' THEN state ELSE failure::json ->> 'code' END, kind, count(*),
                    sum(coalesce(charged, 0))
             FROM generations GROUP BY 1, 2, 3, 4, 5;"
    );
    db.batch_execute(&sql).await.map_err(failed)?;
    for statement in TIDY {
        db.batch_execute(statement).await.map_err(failed)?;
    }
    Ok(())
}

/// Returns the names of the files.
pub(super) async fn add_belongings(url: &str) -> Result<Vec<String>> {
    let db = connect(url).await?;
    // A trigger would count each file in the same row, which gets slower with every version of it in a transaction.
    let sql = format!(
        "ALTER TABLE files DISABLE TRIGGER USER;
         {}
         ALTER TABLE files ENABLE TRIGGER USER;
         INSERT INTO storage (media_type, files, bytes) SELECT media_type, count(*), sum(size) FROM files GROUP BY 1;",
        belongings("replace(id::text, '-', '')")
    );
    db.batch_execute(&sql).await.map_err(failed)?;
    db.batch_execute("VACUUM (ANALYZE)").await.map_err(failed)?;
    let made = db.query("SELECT file FROM made", &[]).await.map_err(failed)?;
    made.iter().map(|row| row.try_get(0).map_err(failed)).collect()
}
