//! Lists of hashes: pictures that look like one on a list are refused or reviewed.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use atelier_domain::{
    AccountId, Failure, FailureCode, FileFacts, FileName, Generation, MediaKind, MediaType,
};
use atelier_store::{Gone, HashList, ListedHash};

use super::{Action, Policy, deciding::not_applied};
use crate::{
    Admin, App, Error, Result, System, audit,
    likeness::{NEAR, WorkFolder, distance, look},
};

/// The rule about what an operator took down.
const TAKEDOWN: &str = "takedown";
/// The most hashes of a list: every picture is compared with all of them.
const MAX_HASHES: usize = 200_000;
/// Hashes that are written at a time.
const STEP: usize = 5_000;
/// The most characters of a comment that are kept.
const MAX_NOTE: usize = 200;

/// The lists that this node has read.
#[derive(Debug, Default)]
pub(crate) struct Known(Mutex<Option<Read>>);

/// The lists at the last read, and their hashes.
type Read = (Vec<HashList>, Arc<Vec<Listed>>);

/// A hash, and its list.
#[derive(Debug)]
struct Listed {
    list: Arc<str>,
    hash: [u8; 32],
}

/// A match of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Alike {
    /// A file that was taken down.
    TakenDown,
    /// It looks like a picture on this list.
    Listed(String),
}

impl Policy {
    /// The action for pictures that look like one on a list.
    pub(crate) fn list_action(&self, list: &str) -> Action {
        let named = |(pattern, _): &&(String, Action)| atelier_engines::routes::matches(pattern, list);
        let found = self.lists.iter().find(named);
        found.map_or(Action::Refuse, |(_, action)| *action)
    }
}

impl App {
    /// The match of a picture among takedowns and the lists of hashes. A picture that cannot be decoded has none.
    pub(crate) async fn alike(&self, path: &Path, media_type: MediaType) -> Result<Option<Alike>> {
        let Some(marking) = self.routes().marking() else {
            return Ok(None);
        };
        if media_type.kind() != Some(MediaKind::Image) {
            return Ok(None);
        }
        let known = self.store().likenesses().await?;
        let listed = self.listed_hashes().await?;
        if known.is_empty() && listed.is_empty() {
            return Ok(None);
        }
        let id = self.entropy().uuid(self.now());
        let folder = WorkFolder::new(self.settings().scratch.below(format!("look-{id}"))).await?;
        let Some(likeness) = look(marking, (path, media_type), &folder.0).await else {
            return Ok(None);
        };
        let near_taken = known.iter().find(|(_, other)| distance(&likeness, other) <= NEAR);
        if let Some((file, _)) = near_taken {
            tracing::info!(%file, "a picture looks like one that was taken down");
            return Ok(Some(Alike::TakenDown));
        }
        Ok(near(&likeness, &listed).map(Alike::Listed))
    }

    /// The hashes of all lists. They are read again when a list has changed.
    async fn listed_hashes(&self) -> Result<Arc<Vec<Listed>>> {
        let lists = self.store().hash_lists().await?;
        let known = &self.0.hash_lists.0;
        let kept = known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((read, hashes)) = kept
            && read == lists
        {
            return Ok(hashes);
        }
        let mut hashes = Vec::new();
        for list in &lists {
            let name: Arc<str> = list.name.as_str().into();
            let found = self.store().hashes(&list.name).await?;
            let found = found.into_iter().filter_map(|hash| hash.try_into().ok());
            hashes.extend(found.map(|hash| Listed {
                list: Arc::clone(&name),
                hash,
            }));
        }
        let hashes = Arc::new(hashes);
        *known.lock().unwrap_or_else(PoisonError::into_inner) = Some((lists, Arc::clone(&hashes)));
        Ok(hashes)
    }

    /// Whether an uploaded picture may be stored. A picture that requires a review is stored: the job that uses it
    /// waits.
    pub(crate) async fn upload_is_allowed(
        &self,
        account: AccountId,
        (path, facts): (&Path, &FileFacts),
    ) -> Result<()> {
        match self.alike(path, facts.media_type).await? {
            None => Ok(()),
            Some(Alike::TakenDown) => Err(self.upload_was_taken_down(account).await),
            Some(Alike::Listed(list)) if self.policy().list_action(&list) == Action::Review => Ok(()),
            Some(Alike::Listed(list)) => {
                self.note(account, (&list, "upload"), "refused", "").await;
                Err(Error::invalid(format!(
                    "this service's content policy does not allow this file (rule `{list}`)"
                )))
            }
        }
    }

    /// The refusal of a file that an operator took down, or of its copy, once it is written down.
    pub(crate) async fn upload_was_taken_down(&self, account: AccountId) -> Error {
        self.note(account, (TAKEDOWN, "upload"), "refused", "").await;
        Error::invalid("this file was taken down and cannot be stored again")
    }
}

impl System {
    /// Whether the policy allows an input of a job: a file that was uploaded, or one that was downloaded.
    pub async fn input_is_allowed(
        &self,
        generation: &Generation,
        parameter: &str,
        (path, name): (&Path, &FileName),
    ) -> Result<(), Failure> {
        let unread = |error: Error| {
            tracing::warn!(id = %generation.id, %error, "an input could not be compared with lists and takedowns");
            not_applied()
        };
        let refused = async |rule: &str, message: String| {
            self.note(generation, rule, "input", "refused").await;
            Err(Failure::fail(FailureCode::ContentPolicyViolation, message))
        };
        let gone = self.app.store().gone(name).await.map_err(Error::from);
        if gone.map_err(unread)? == Some(Gone::TakenDown) {
            let message = format!("`{parameter}` names a file that was taken down");
            return refused(TAKEDOWN, message).await;
        }
        let alike = self.app.alike(path, name.media_type()).await.map_err(unread)?;
        match alike {
            None => Ok(()),
            Some(Alike::TakenDown) => {
                let message = format!("`{parameter}` names a file that looks like one that was taken down");
                refused(TAKEDOWN, message).await
            }
            Some(Alike::Listed(list)) if self.policy().list_action(&list) == Action::Review => {
                let about = (&*list, "input", parameter);
                self.person_allows(generation, about).await
            }
            Some(Alike::Listed(list)) => {
                let message = format!(
                    "`{parameter}` names a file that this service's content policy does not allow (rule `{list}`)"
                );
                refused(&list, message).await
            }
        }
    }

    /// Whether a picture that a job made may be stored; if not, why.
    pub(crate) async fn result_is_allowed(
        &self,
        generation: &Generation,
        (path, facts): (&Path, &FileFacts),
    ) -> Result<()> {
        match self.app.alike(path, facts.media_type).await? {
            None => Ok(()),
            Some(Alike::TakenDown) => {
                let message = "the output looks like a file that was taken down";
                Err(self.result_was_taken_down(generation, message).await)
            }
            Some(Alike::Listed(list)) => {
                self.note(generation, &list, "result", "refused").await;
                Err(Error::Gone(format!(
                    "this service's content policy does not allow the output (rule `{list}`)"
                )))
            }
        }
    }

    /// The refusal of a result that an operator took down, or of its copy, once it is written down.
    pub(crate) async fn result_was_taken_down(&self, generation: &Generation, message: &str) -> Error {
        self.note(generation, TAKEDOWN, "result", "refused").await;
        Error::Gone(message.to_owned())
    }
}

impl Admin {
    /// Imports a list of hashes, one per line, which replaces an existing list of this name.
    pub async fn import_hashes(&self, list: &str, text: &str) -> Result<u64> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if list.is_empty() || list.len() > 60 || !list.chars().all(is_plain) {
            let message =
                format!("a list's name must have 1 to 60 letters, digits, `-`, `_` or `.` (got {list:?})");
            return Err(Error::parameter("list", message));
        }
        let hashes = read(text).map_err(|message| Error::parameter("file", message))?;
        let now = self.now();
        for step in hashes.chunks(STEP) {
            self.store.add_hashes(list, step.to_vec(), now).await?;
        }
        let record = audit::record(now, &self.by, "policy.hashes_import", None, list);
        let record = audit::with(record, &[("hashes", hashes.len().into())]);
        Ok(self.store.complete_hashes(list, now, record).await?)
    }

    /// The lists of hashes, by name.
    pub async fn hash_lists(&self) -> Result<Vec<HashList>> {
        Ok(self.store.hash_lists().await?)
    }

    pub async fn remove_hashes(&self, list: &str) -> Result<()> {
        let record = audit::record(self.now(), &self.by, "policy.hashes_remove", None, list);
        if self.store.remove_hashes(list, record).await? {
            return Ok(());
        }
        Err(Error::NotFound(format!(
            "there is no list of hashes named `{list}`"
        )))
    }
}

/// The list with a hash near that of a picture.
fn near(likeness: &[u8; 32], hashes: &[Listed]) -> Option<String> {
    let found = hashes.iter().find(|one| distance(likeness, &one.hash) <= NEAR);
    found.map(|one| one.list.to_string())
}

/// Reads lines of a hash in hexadecimal digits, and a comment after a comma, a semicolon or white space. Skips empty
/// lines, lines that begin with `#`, and a first line that names columns.
fn read(text: &str) -> Result<Vec<ListedHash>, String> {
    let mut hashes = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim().trim_start_matches('\u{FEFF}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (first, note) = line
            .split_once(|c: char| matches!(c, ',' | ';') || c.is_whitespace())
            .unwrap_or((line, ""));
        let first = first.trim().trim_matches('"');
        if index == 0 && first.eq_ignore_ascii_case("hash") {
            continue;
        }
        let mut hash = [0; 32];
        hex::decode_to_slice(first, &mut hash).map_err(|_| {
            format!(
                "line {}: a hash must have 64 hexadecimal digits (got {:?})",
                index + 1,
                super::quoted(first, 80)
            )
        })?;
        hashes.push(ListedHash {
            hash,
            note: note.trim().chars().take(MAX_NOTE).collect(),
        });
    }
    match hashes.len() {
        0 => Err("the file has no hashes".to_owned()),
        found if found > MAX_HASHES => Err(format!(
            "a list can have at most {MAX_HASHES} hashes (got {found})"
        )),
        _ => Ok(hashes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_a_hash_on_each_line_and_perhaps_a_comment() {
        let (one, two) = ("0f".repeat(32), "A0".repeat(32));
        let text = format!("hash,case\n# from a partner\n{one}\n\n\"{two}\",case 7, second\n");
        let hash = |byte, note: &str| ListedHash {
            hash: [byte; 32],
            note: note.to_owned(),
        };
        assert_eq!(
            read(&text).unwrap(),
            [hash(0x0f, ""), hash(0xa0, "case 7, second")]
        );
        for (wrong, why) in [
            ("", "the file has no hashes"),
            (
                "abcd",
                "line 1: a hash must have 64 hexadecimal digits (got \"abcd\")",
            ),
            (
                "d41d8cd98f00b204e9800998ecf8427e,md5",
                "line 1: a hash must have 64 hexadecimal digits (got \"d41d8cd98f00b204e9800998ecf8427e\")",
            ),
        ] {
            assert_eq!(read(wrong).unwrap_err(), why);
        }
    }

    #[test]
    fn a_picture_is_on_a_list_if_it_differs_in_40_bits_at_most() {
        let list: Arc<str> = "known".into();
        let hashes = [Listed { list, hash: [0; 32] }];
        let mut likeness = [0; 32];
        likeness[..5].fill(0xff);
        assert_eq!(near(&likeness, &hashes).as_deref(), Some("known"));
        likeness[5] = 1;
        assert_eq!(near(&likeness, &hashes), None);
    }
}
