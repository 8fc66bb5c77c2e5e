//! The signer: a certificate, with its key, or with a command that uses a key stored elsewhere.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use c2pa::{BoxedSigner, CallbackSigner, Error, SigningAlg, create_signer};
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// A chain of certificates in PEM, the signer's first.
    certificates: String,
    /// The signer's key in PEM; empty if a command signs.
    #[serde(default)]
    key: String,
    /// A program and its arguments.
    #[serde(default)]
    command: Vec<String>,
    /// `es256`, `es384`, `es512`, `ps256`, `ps384`, `ps512` or `ed25519`.
    algorithm: String,
}

/// Room for a signature, the certificates and the structures around them.
const RESERVED: usize = 10_240;

pub fn make(order: Order) -> Result<BoxedSigner, String> {
    let algorithm: SigningAlg = order
        .algorithm
        .parse()
        .map_err(|_| format!("unknown algorithm `{}`", order.algorithm))?;
    if order.command.is_empty() {
        let (certificates, key) = (order.certificates.as_bytes(), order.key.as_bytes());
        return create_signer::from_keys(certificates, key, algorithm, None)
            .map_err(|error| format!("the certificate or its key cannot be used: {error}"));
    }
    let command = order.command;
    let sign = move |_: *const (), data: &[u8]| {
        let signature = run(&command, data).map_err(Error::OtherError)?;
        Ok(match width(algorithm) {
            Some(width) => plain(&signature, width).unwrap_or(signature),
            None => signature,
        })
    };
    let reserved = RESERVED + order.certificates.len();
    let mut signer = CallbackSigner::new(sign, algorithm, order.certificates.into_bytes());
    signer.reserve_size = reserved;
    Ok(Box::new(signer))
}

fn run(command: &[String], data: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    let (program, arguments) = command.split_first().ok_or("the signing command is empty")?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the signing command `{program}` cannot be started: {error}"))?;
    // The bytes to sign fit into a pipe.
    if let Some(mut input) = child.stdin.take() {
        input.write_all(data)?;
    }
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said: String = said.trim().chars().take(500).collect();
    Err(format!(
        "the signing command `{program}` failed ({}): {said}",
        output.status
    )
    .into())
}

/// The bytes of each of the two numbers of a signature.
const fn width(algorithm: SigningAlg) -> Option<usize> {
    match algorithm {
        SigningAlg::Es256 => Some(32),
        SigningAlg::Es384 => Some(48),
        SigningAlg::Es512 => Some(66),
        _ => None,
    }
}

/// Converts an ECDSA signature from DER, which most programs write, to the two numbers one after the other that COSE
/// (RFC 9053) requires; `None` if it is not DER.
fn plain(der: &[u8], width: usize) -> Option<Vec<u8>> {
    let [0x30, rest @ ..] = der else { return None };
    let (length, body) = match rest {
        [0x81, length, body @ ..] | [length, body @ ..] => (usize::from(*length), body),
        [] => return None,
    };
    if body.len() != length {
        return None;
    }
    let (first, rest) = number(body, width)?;
    let (second, rest) = number(rest, width)?;
    rest.is_empty().then(|| [first, second].concat())
}

fn number(bytes: &[u8], width: usize) -> Option<(Vec<u8>, &[u8])> {
    let [0x02, length, rest @ ..] = bytes else {
        return None;
    };
    let (digits, rest) = rest.split_at_checked(usize::from(*length))?;
    let zeros = digits.iter().take_while(|digit| **digit == 0).count();
    let digits = &digits[zeros..];
    let missing = width.checked_sub(digits.len())?;
    Some(([&vec![0; missing][..], digits].concat(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_in_der_becomes_its_two_numbers() {
        // A leading zero keeps a number positive, and a small number is short.
        let der = [0x30, 0x09, 0x02, 0x03, 0x00, 0xff, 0x01, 0x02, 0x02, 0x07, 0x08];
        assert_eq!(plain(&der, 4), Some(vec![0, 0, 0xff, 1, 0, 0, 7, 8]));
        for wrong in [&der[..10], &[0x31; 11], &[], &[0; 64]] {
            assert_eq!(plain(wrong, 4), None, "{wrong:?}");
        }
        assert_eq!(plain(&der, 1), None, "numbers longer than the algorithm's");
    }
}
