//! Signs and reads Content Credentials (C2PA). Reads one request as JSON from standard input and answers it on standard
//! output, so that untrusted files are parsed in a separate process.

use std::io::Read as _;

use serde::{Deserialize, Serialize};

mod format;
mod identity;
mod limits;
mod read;
mod sign;
mod signer;
mod stamp;

/// A request.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Request {
    /// Write a signed manifest into a copy of a file.
    Sign(Box<sign::Order>),
    /// Read the manifest of a file, and check whether it is valid.
    Read(read::Order),
    /// Make a certificate and its key.
    Identity(identity::Order),
    /// Check whether a certificate and its key can sign.
    Check { signer: signer::Order },
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Answer {
    Signed(sign::Signed),
    Read(read::Found),
    Identity(identity::Identity),
    Checked {},
    Failed { error: String },
}

fn main() {
    let answer = answer().unwrap_or_else(|error| Answer::Failed { error });
    match serde_json::to_string(&answer) {
        Ok(text) => println!("{text}"),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}

fn answer() -> Result<Answer, String> {
    limits::set()?;
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| format!("the request cannot be read: {error}"))?;
    let request = serde_json::from_str(&text).map_err(|error| format!("the request is wrong: {error}"))?;
    match request {
        Request::Sign(order) => sign::sign(&order).map(Answer::Signed),
        Request::Read(order) => read::read(&order).map(Answer::Read),
        Request::Identity(order) => identity::make(&order).map(Answer::Identity),
        Request::Check { signer } => sign::check(signer).map(|()| Answer::Checked {}),
    }
}
