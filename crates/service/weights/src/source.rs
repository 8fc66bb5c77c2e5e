//! Addresses of files. An address names fixed bytes: a commit or a release, never a branch.

use std::fmt;

use serde::{Deserialize, Serialize};
use url::Url;

/// The hub that `hf://` means, unless the operator names another.
pub const HUB: &str = "https://huggingface.co";

/// The source of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Source {
    /// `hf://owner/repository@commit/path`: a file of the hub at one commit.
    Hub {
        /// `owner/repository`.
        repository: String,
        /// 40 hexadecimal digits.
        commit: String,
        path: String,
    },
    Http(Url),
}

impl Source {
    /// The URL at this hub: `endpoint` has no trailing slash.
    pub fn url(&self, endpoint: &str) -> Result<Url, url::ParseError> {
        match self {
            Self::Hub {
                repository,
                commit,
                path,
            } => Url::parse(&format!("{endpoint}/{repository}/resolve/{commit}/{path}")),
            Self::Http(url) => Ok(url.clone()),
        }
    }

    /// The page where a person can accept conditions, if there is one.
    pub fn page(&self, endpoint: &str) -> Option<String> {
        match self {
            Self::Hub { repository, .. } => Some(format!("{endpoint}/{repository}")),
            Self::Http(_) => None,
        }
    }

    pub const fn is_hub(&self) -> bool {
        matches!(self, Self::Hub { .. })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hub {
                repository,
                commit,
                path,
            } => write!(f, "hf://{repository}@{commit}/{path}"),
            Self::Http(url) => url.fmt(f),
        }
    }
}

impl From<Source> for String {
    fn from(source: Source) -> Self {
        source.to_string()
    }
}

impl TryFrom<String> for Source {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.strip_prefix("hf://") {
            Some(rest) => hub(&text, rest),
            None => http(&text),
        }
    }
}

fn hub(text: &str, rest: &str) -> Result<Source, String> {
    let wrong = || format!("`{text}` must be hf://OWNER/REPOSITORY@COMMIT/PATH");
    let (repository, rest) = rest.split_once('@').ok_or_else(wrong)?;
    let (commit, path) = rest.split_once('/').ok_or_else(wrong)?;
    if !is_commit(commit) {
        return Err(format!(
            "`{text}` points at `{commit}`; name a commit of 40 hexadecimal digits instead of a branch"
        ));
    }
    let plain = |part: &str| {
        !part.is_empty()
            && part != "."
            && part != ".."
            && part
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "-_.+ ()".contains(letter))
    };
    let (owner, name) = repository.split_once('/').ok_or_else(wrong)?;
    if !plain(owner) || !plain(name) || !path.split('/').all(plain) {
        return Err(wrong());
    }
    Ok(Source::Hub {
        repository: repository.to_owned(),
        commit: commit.to_owned(),
        path: path.to_owned(),
    })
}

fn http(text: &str) -> Result<Source, String> {
    let url = Url::parse(text).map_err(|error| format!("`{text}` is not a URL: {error}"))?;
    if !matches!(url.scheme(), "https" | "http") || url.host_str().is_none() {
        return Err(format!(
            "`{text}` must be an https URL or hf://OWNER/REPOSITORY@COMMIT/PATH"
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a URL with a user name or a password is not allowed".to_owned());
    }
    if let Some(branch) = branch(&url) {
        return Err(format!(
            "`{text}` points at a branch (`{branch}`), whose files change; name a commit or a release"
        ));
    }
    Ok(Source::Http(url))
}

/// The part of an address that names a branch instead of a commit or a release.
fn branch(url: &Url) -> Option<String> {
    let parts: Vec<&str> = url.path_segments()?.collect();
    let moving = |part: &str| ["main", "master", "HEAD", "develop", "trunk"].contains(&part);
    for (place, pair) in parts.windows(2).enumerate() {
        let from_commit = ["resolve", "raw", "blob", "tree", "media"].contains(&pair[0]);
        // After owner and repository.
        if (from_commit && (moving(pair[1]) || (place == 2 && !is_commit(pair[1]))))
            || (pair[0] == "refs" && pair[1] == "heads")
            || (pair[0] == "releases" && pair[1] == "latest")
        {
            return Some(format!("{}/{}", pair[0], pair[1]));
        }
    }
    // github's host of raw files has the commit in the third place.
    let raw_host = url.host_str() == Some("raw.githubusercontent.com");
    let third = parts.get(2).filter(|part| raw_host && !is_commit(part))?;
    Some((*third).to_owned())
}

fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.chars().all(|digit| matches!(digit, '0'..='9' | 'a'..='f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str = "440dea96dd4a3b06bbbf5abec3e26569dd7ec49f";

    #[test]
    fn an_address_of_the_hub_becomes_a_url_at_its_commit() {
        let text = format!("hf://imgly/isnet-general-onnx@{COMMIT}/onnx/model_fp16.onnx");
        let source = Source::try_from(text.clone()).unwrap();
        assert_eq!(source.to_string(), text);
        assert_eq!(
            source.url("https://mirror.example").unwrap().as_str(),
            format!("https://mirror.example/imgly/isnet-general-onnx/resolve/{COMMIT}/onnx/model_fp16.onnx")
        );
    }

    #[test]
    fn branches_are_refused() {
        for text in [
            "hf://owner/name@main/model.onnx",
            "hf://owner/name@440dea9/model.onnx",
            "https://huggingface.co/owner/name/resolve/main/model.onnx",
            "https://huggingface.co/owner/name/resolve/v1.0/model.onnx",
            "https://github.com/owner/name/raw/master/model.onnx",
            "https://github.com/owner/name/raw/refs/heads/main/model.onnx",
            "https://github.com/owner/name/releases/latest/download/model.onnx",
            "https://raw.githubusercontent.com/owner/name/main/model.onnx",
        ] {
            let error = Source::try_from(text.to_owned()).unwrap_err();
            assert!(error.contains("points at"), "{text}: {error}");
        }
        for text in [
            "https://github.com/owner/name/releases/download/v0.0.0/model.onnx".to_owned(),
            format!("https://huggingface.co/owner/name/resolve/{COMMIT}/model.onnx"),
            format!("https://raw.githubusercontent.com/owner/name/{COMMIT}/model.onnx"),
        ] {
            Source::try_from(text).unwrap();
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        for text in [
            "hf://owner@x/y",
            &format!("hf://owner/name@{COMMIT}/../../x"),
            "ftp://example.com/x.onnx",
            "/home/x.onnx",
            "https://me:secret@example.com/x.onnx",
        ] {
            assert!(Source::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
