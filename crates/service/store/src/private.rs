//! Private media: who may read a stored file without a signed link.
//!
//! A file belongs to the accounts that uploaded it or whose jobs made it, and if there are none, to those whose jobs
//! use it as an input. A preview belongs to the owners of the files that it shows. If one of them keeps its media
//! public, so is the file: the same bytes have one address, and that of a public account is permanent.

/// How many jobs of private accounts with the same file are looked at, before it counts as private.
macro_rules! most {
    () => {
        "1000"
    };
}

/// Whether any account has private media.
pub(crate) const ANY: &str = "SELECT EXISTS (SELECT 1 FROM accounts WHERE private_media)";

// The database of one file keeps the order of a CROSS JOIN: the index of files is used, not that of uploads.

/// Whether a public account has a job with the file `?1` as this kind of use.
macro_rules! public_job {
    ($kind:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM (SELECT u.holder FROM of CROSS JOIN file_uses u
                                    WHERE u.file = of.file AND u.kind = '",
            $kind,
            "' LIMIT ",
            most!(),
            ") used JOIN generations g ON g.id = used.holder JOIN accounts a ON a.id = g.account
                 WHERE NOT a.private_media)"
        )
    };
}

/// Whether the file `?1` belongs to a public account or to the program; whether anybody uploaded or made it; whether
/// anybody uses it at all; and whether a public account has it as an input.
pub(crate) const OWNERS: &str = concat!(
    "WITH of AS (SELECT CAST(?1 AS text) AS file UNION ALL SELECT file FROM previews WHERE preview = ?1)
     SELECT EXISTS (SELECT 1 FROM of CROSS JOIN file_uses u WHERE u.file = of.file AND u.kind = 'program')
         OR EXISTS (SELECT 1 FROM of CROSS JOIN file_uses u JOIN accounts a ON a.id = u.holder
                    WHERE u.file = of.file AND u.kind = 'upload' AND NOT a.private_media)
         OR ",
    public_job!("output"),
    ", EXISTS (SELECT 1 FROM of CROSS JOIN file_uses u WHERE u.file = of.file AND u.kind IN ('upload', 'output')),
       EXISTS (SELECT 1 FROM of CROSS JOIN file_uses u WHERE u.file = of.file), ",
    public_job!("input"),
);

/// The result of [`OWNERS`].
#[expect(clippy::struct_excessive_bools, reason = "the columns of a query")]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owners {
    pub is_public: bool,
    pub is_owned: bool,
    pub is_used: bool,
    pub is_public_input: bool,
}

impl Owners {
    /// Whether a link to the file must be signed. A file that nobody uses is on its way out, or older than the records.
    pub(crate) const fn is_private(self) -> bool {
        !self.is_public && self.is_used && (self.is_owned || !self.is_public_input)
    }
}

/// Whether the account `?2` has uploaded the file `?1`, or has a job with it.
pub(crate) const IS_OF: &str = concat!(
    "SELECT EXISTS (SELECT 1 FROM file_uses WHERE holder = ?2 AND file = ?1)
         OR EXISTS (SELECT 1 FROM (SELECT holder FROM file_uses WHERE file = ?1 AND kind = 'output' LIMIT ",
    most!(),
    ") used JOIN generations g ON g.id = used.holder WHERE g.account = ?2)
         OR EXISTS (SELECT 1 FROM (SELECT holder FROM file_uses WHERE file = ?1 AND kind = 'input' LIMIT ",
    most!(),
    ") used JOIN generations g ON g.id = used.holder WHERE g.account = ?2)",
);
