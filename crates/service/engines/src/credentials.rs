//! Content Credentials (C2PA): signed statements in files about how they were made. The program `atelier-credentials`
//! writes and reads them, one process for each file, so that this process parses no untrusted files.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use atelier_domain::Timestamp;
use atelier_media::Scratch;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt as _, process::Command, sync::Semaphore, time::timeout};

use crate::{Coverage, Written};

/// The name of the program, which is in the folder of the main program.
pub const PROGRAM: &str = "atelier-credentials";
/// The number of files that are signed at the same time, and the longest time for one, including its wait.
const SIGNERS: usize = 2;
const PATIENCE: Duration = Duration::from_mins(1);
/// The longest time for reading a file.
const LOOK: Duration = Duration::from_secs(20);
/// The most bytes that a manifest adds to a file, without the manifests of its inputs.
const MANIFEST: u64 = 1 << 20;
/// The signed copy, until it replaces the file.
const SIGNED: &str = "signed";

/// Writes and reads Content Credentials.
#[derive(Debug)]
pub struct Credentials {
    options: CredentialsOptions,
    turns: Semaphore,
}

#[derive(Debug)]
pub struct CredentialsOptions {
    pub program: PathBuf,
    /// The engines whose results are signed.
    pub coverage: Coverage,
    /// The operator's certificate; without one, the service makes one for itself.
    pub signer: Option<Signer>,
    /// Certificates in PEM with which this service has signed before.
    pub earlier: String,
    /// Certificates in PEM whose signatures are trusted.
    pub trusted: String,
    /// The address of an authority that says when a signature was made (RFC 3161).
    pub time_stamps: Option<String>,
}

/// A certificate and what signs in its name.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signer {
    /// A chain of certificates in PEM, the signer's first.
    pub certificates: String,
    /// The private key in PEM; empty if a command signs.
    #[serde(default)]
    pub key: String,
    /// A program and its arguments. It reads the bytes to sign from standard input and writes the signature to standard
    /// output.
    #[serde(default)]
    pub command: Vec<String>,
    /// `es256`, `es384`, `es512`, `ps256`, `ps384`, `ps512` or `ed25519`.
    pub algorithm: String,
}

impl Signer {
    /// The signer's certificate, without those of the authorities above it.
    fn own_certificate(&self) -> &str {
        const END: &str = "-----END CERTIFICATE-----";
        let end = self.certificates.find(END).map(|at| at + END.len());
        &self.certificates[..end.unwrap_or_default()]
    }
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signer")
            .field("algorithm", &self.algorithm)
            .finish_non_exhaustive()
    }
}

/// A statement about a file.
#[derive(Debug)]
pub struct Statement<'a> {
    /// The program that signs, and its version.
    pub program: (&'a str, &'a str),
    /// The model that made the content.
    pub agent: &'a str,
    /// One sentence about how, such as with which weights.
    pub description: Option<&'a str>,
    /// The prompt, if it is to be recorded.
    pub prompt: Option<&'a str>,
    /// A URI of the IPTC's vocabulary of digital source types.
    pub source_type: &'a str,
    pub made_at: Timestamp,
    pub inputs: Vec<UsedFile<'a>>,
}

/// A file that the content was made from.
#[derive(Debug, Serialize)]
pub struct UsedFile<'a> {
    pub path: &'a Path,
    pub title: &'a str,
    /// Whether the result is an edit of this file. This is true for at most one file.
    pub is_parent: bool,
}

/// The content of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Manifest {
    pub state: ManifestState,
    /// Whether this service signed it, with its present certificate or an earlier one.
    pub is_own: bool,
    /// The signer: the organisation and the common name of the certificate. Anybody can write these into a certificate
    /// that is not trusted.
    pub organization: Option<String>,
    pub name: Option<String>,
    /// The program that wrote it.
    pub program: Option<String>,
    /// When it was signed (RFC 3339), by the time stamp of a trusted authority.
    pub signed_at: Option<String>,
    pub actions: Vec<Act>,
    /// The number of files that it was made from.
    pub inputs: usize,
    /// Codes of the C2PA specification.
    pub problems: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ManifestState {
    None,
    /// The file or its manifest was changed after it was signed, or the manifest is damaged.
    Invalid,
    /// The file was not changed after it was signed. Anybody can make the certificate.
    Valid,
    /// The same, and this service trusts the certificate.
    Trusted,
}

impl ManifestState {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Invalid => "invalid",
            Self::Valid => "valid",
            Self::Trusted => "trusted",
        }
    }
}

/// An action on the content.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Act {
    /// Such as `c2pa.created`.
    pub action: String,
    pub agent: Option<String>,
    pub source_type: Option<String>,
    pub when: Option<String>,
}

#[derive(Deserialize)]
struct Signed {
    signed: bool,
    /// The reason why a requested time stamp is missing.
    #[serde(default)]
    not_stamped: Option<String>,
}

impl Credentials {
    pub fn new(options: CredentialsOptions) -> Self {
        Self {
            options,
            turns: Semaphore::new(SIGNERS),
        }
    }

    pub const fn coverage(&self) -> Coverage {
        self.options.coverage
    }

    /// The operator's certificate.
    pub const fn configured(&self) -> Option<&Signer> {
        self.options.signer.as_ref()
    }

    /// Makes a certificate and its key.
    pub async fn make_signer(&self, name: &str) -> Result<Signer, String> {
        self.ask(&json!({ "do": "identity", "name": name }), false, PATIENCE)
            .await
    }

    /// Says whether this certificate and its key can sign.
    pub async fn check_signer(&self, signer: &Signer) -> Result<(), String> {
        let request = merged(json!({ "do": "check" }), signer);
        self.ask::<Value>(&request, true, PATIENCE).await.map(drop)
    }

    /// Writes a signed manifest into a file of a result, in its folder. If this fails, the file is not changed.
    pub async fn sign(
        &self,
        path: &Path,
        statement: &Statement<'_>,
        signer: &Signer,
        scratch: &Scratch,
    ) -> Written {
        match timeout(PATIENCE, self.replace(path, statement, signer, scratch)).await {
            Ok(Ok(true)) => Written::Written,
            Ok(Ok(false)) => Written::Unsupported,
            Ok(Err(why)) => {
                tracing::warn!(why, "a file could not be signed");
                Written::Failed
            }
            Err(_) => {
                tracing::warn!("a file could not be signed in time");
                Written::Failed
            }
        }
    }

    async fn replace(
        &self,
        path: &Path,
        statement: &Statement<'_>,
        signer: &Signer,
        scratch: &Scratch,
    ) -> Result<bool, String> {
        let _turn = self.turns.acquire().await.map_err(text)?;
        let size = tokio::fs::metadata(path).await.map_err(text)?.len();
        let mut room = scratch.reservation();
        room.need(size + MANIFEST).await.map_err(text)?;
        let to = scratch.path().join(SIGNED);
        let request = json!({
            "do": "sign",
            "path": path,
            "to": to,
            "program": statement.program,
            "agent": statement.agent,
            "description": statement.description,
            "prompt": statement.prompt,
            "source_type": statement.source_type,
            "made_at": statement.made_at.rfc3339(),
            "inputs": statement.inputs,
            "time_stamps": self.options.time_stamps,
        });
        let Signed { signed, not_stamped } = self.ask(&merged(request, signer), true, PATIENCE).await?;
        if signed && self.options.time_stamps.is_some() {
            let result = if not_stamped.is_some() {
                "failed"
            } else {
                "written"
            };
            metrics::counter!("atelier_time_stamps_total", "result" => result).increment(1);
        }
        if let Some(why) = not_stamped {
            tracing::warn!(why, "a signature has no time stamp: check `marking.time_stamps`");
        }
        if signed {
            tokio::fs::rename(&to, path).await.map_err(text)?;
        }
        Ok(signed)
    }

    /// Reads the manifest of a file, which may be a stranger's. `own`: the current signer, and the earlier ones.
    pub async fn read(&self, path: &Path, own: &[Signer]) -> Result<Manifest, String> {
        let own: String = own.iter().map(Signer::own_certificate).collect();
        let own = own + &self.options.earlier;
        let request = json!({ "do": "read", "path": path, "own": own, "trusted": self.options.trusted });
        self.ask(&request, false, LOOK).await
    }

    /// Sends one request to one process. `has_environment`: a signing command may require it.
    async fn ask<T: DeserializeOwned>(
        &self,
        request: &Value,
        has_environment: bool,
        patience: Duration,
    ) -> Result<T, String> {
        let mut command = Command::new(&self.options.program);
        if !has_environment {
            command.env_clear();
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("{}: {error}", self.options.program.display()))?;
        let mut input = child.stdin.take().ok_or("the program has no input")?;
        let bytes = serde_json::to_vec(request).map_err(text)?;
        let asked = async {
            // A process that ends early closes its input; its exit status says more.
            if let Err(error) = input.write_all(&bytes).await {
                tracing::debug!(%error, "{PROGRAM} did not read its request");
            }
            drop(input);
            child.wait_with_output().await.map_err(text)
        };
        let output = timeout(patience, asked)
            .await
            .map_err(|_| format!("{PROGRAM} took more than {} s", patience.as_secs()))??;
        let answer: Value = serde_json::from_slice(&output.stdout)
            .map_err(|_| format!("{PROGRAM} ended without an answer ({})", output.status))?;
        if let Some(why) = answer["error"].as_str() {
            return Err(why.to_owned());
        }
        serde_json::from_value(answer).map_err(|error| format!("{PROGRAM} gave a wrong answer: {error}"))
    }
}

fn merged(mut request: Value, signer: &Signer) -> Value {
    request["signer"] = json!(signer);
    request
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
