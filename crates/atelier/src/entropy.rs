//! Secure randomness: one cryptographic generator per thread, seeded by the system.

use atelier_domain::Entropy;
use rand::Rng as _;

/// Unpredictable bytes, without a system call for each read.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        rand::rng().fill_bytes(bytes);
    }
}

#[cfg(test)]
mod tests {
    use atelier_domain::Timestamp;

    use super::*;

    #[test]
    fn ids_of_one_moment_differ_and_contain_the_time() {
        let now = Timestamp(1_700_000_000_000_000);
        let (a, b) = (SystemEntropy.uuid(now), SystemEntropy.uuid(now));
        assert_ne!(a, b);
        assert_eq!(a.get_version_num(), 7);
        assert_eq!(&a.as_bytes()[..6], &1_700_000_000_000_u64.to_be_bytes()[2..]);
    }
}
