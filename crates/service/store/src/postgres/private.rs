//! Private media: whose a stored file is.

use atelier_domain::{AccountId, FileName};

use super::{
    error::Result,
    row::get,
    write::{Db, the_row},
};
use crate::private::{ANY, IS_OF, OWNERS, Owners};

pub(super) async fn is_private(db: &Db, name: &FileName) -> Result<bool> {
    if !get::<bool>(&the_row(db, ANY, &[]).await?, 0)? {
        return Ok(false);
    }
    let found = the_row(db, &OWNERS.replace('?', "$"), &[&name.as_str()]).await?;
    let owners = Owners {
        is_public: get(&found, 0)?,
        is_owned: get(&found, 1)?,
        is_used: get(&found, 2)?,
        is_public_input: get(&found, 3)?,
    };
    Ok(owners.is_private())
}

pub(super) async fn is_file_of(db: &Db, name: &FileName, account: AccountId) -> Result<bool> {
    let found = the_row(db, &IS_OF.replace('?', "$"), &[&name.as_str(), &account.0]).await?;
    get(&found, 0)
}
