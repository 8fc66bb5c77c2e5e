//! Codes that change every 30 seconds (TOTP, RFC 6238), as authenticator apps compute them: SHA-1 and six digits, which
//! are the only parameters that all apps support.

use atelier_domain::Timestamp;
use atelier_store::TOTP_SECRET;
use ring::hmac;

pub(crate) type Secret = [u8; TOTP_SECRET];

/// How long a code is shown, in seconds.
const PERIOD: i64 = 30;
/// How many periods early or late a code may be, because clocks differ and typing takes time.
const TOLERANCE: i64 = 1;
const DIGITS: usize = 6;

/// The period of a moment.
fn step_at(now: Timestamp) -> i64 {
    now.0.div_euclid(1_000_000).div_euclid(PERIOD)
}

/// The period whose code this is, if it is near `now` and later than `last`.
pub(crate) fn matching_step(secret: &Secret, given: &str, now: Timestamp, last: i64) -> Option<i64> {
    let now = step_at(now);
    (now - TOLERANCE..=now + TOLERANCE).find(|step| *step > last && code(secret, *step) == given)
}

/// The code of a period (RFC 4226, section 5.3).
pub(crate) fn code(secret: &Secret, step: i64) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret);
    let hash = hmac::sign(&key, &step.to_be_bytes());
    let hash = hash.as_ref();
    let offset = usize::from(hash.last().copied().unwrap_or_default() & 0x0F);
    let taken = hash[offset..].iter().take(4);
    let number = taken.fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) & 0x7FFF_FFFF;
    format!("{:0DIGITS$}", number % 1_000_000)
}

/// Whether a text has the form of a code.
pub(crate) fn is_code(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_digit())
}

const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Base32 (RFC 4648) of whole groups of five bytes, which need no padding.
pub(crate) fn base32(bytes: &[u8]) -> String {
    let groups = bytes.chunks_exact(5).flat_map(|group| {
        let bits = group
            .iter()
            .fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
        (0..8)
            .rev()
            .map(move |place| ALPHABET[(bits >> (place * 5) & 31) as usize])
    });
    groups.map(char::from).collect()
}

/// The secret that a text of Base32 stands for.
pub(crate) fn secret_of(text: &str) -> Option<Secret> {
    let mut secret = Secret::default();
    if text.len() != secret.len() / 5 * 8 {
        return None;
    }
    for (group, bytes) in text.as_bytes().chunks_exact(8).zip(secret.chunks_exact_mut(5)) {
        let mut bits = 0_u64;
        for letter in group {
            let value = ALPHABET.iter().position(|known| known == letter)?;
            bits = bits << 5 | value as u64;
        }
        bytes.copy_from_slice(&bits.to_be_bytes()[3..]);
    }
    Some(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of the test values in RFC 4226 and RFC 6238.
    const SECRET: &Secret = b"12345678901234567890";

    #[test]
    fn codes_are_those_of_the_standards() {
        let hotp = ["755224", "287082", "359152", "969429", "338314", "254676"];
        for (step, expected) in (0..).zip(hotp) {
            assert_eq!(code(SECRET, step), expected);
        }
        // RFC 6238, appendix B, whose codes have eight digits.
        for (second, expected) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (20_000_000_000, "353130"),
        ] {
            let now = Timestamp(second * 1_000_000);
            assert_eq!(code(SECRET, step_at(now)), expected);
        }
    }

    #[test]
    fn a_code_counts_one_period_early_and_late_and_never_before_the_last_one() {
        let now = Timestamp(1_000 * 30_000_000);
        for (step, last, expected) in [
            (998, 0, None),
            (999, 0, Some(999)),
            (1_000, 0, Some(1_000)),
            (1_001, 0, Some(1_001)),
            (1_002, 0, None),
            (999, 999, None),
            (1_000, 999, Some(1_000)),
        ] {
            assert_eq!(
                matching_step(SECRET, &code(SECRET, step), now, last),
                expected,
                "{step}"
            );
        }
        assert!(is_code("012345") && !is_code("12345") && !is_code("12345x"));
    }

    #[test]
    fn a_secret_is_read_as_it_is_written() {
        assert_eq!(base32(b"foobarfoob"), "MZXW6YTBOJTG633C");
        let text = base32(SECRET);
        assert_eq!(text, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(secret_of(&text), Some(*SECRET));
        for wrong in ["", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1", "GEZDGNBV"] {
            assert_eq!(secret_of(wrong), None, "{wrong}");
        }
    }
}
