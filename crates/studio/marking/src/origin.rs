//! Ids that lead to a generation, and tell nothing to those without the key.
//!
//! Generations have UUIDs of version 7, which begin with their time in milliseconds. An id has this time and four bits
//! of the UUID's end, encrypted by a Feistel network of eight rounds over two halves of 22 bits. So no table is needed:
//! the time is a short range of UUIDs, and it is still known when the generation is deleted.

use sha2::{Digest as _, Sha256};

use crate::{Id, Key};

/// The beginning of the times that ids can say, 2025-01-01, in milliseconds since 1970.
const FIRST: u64 = 1_735_689_600_000;
const TIME_BITS: u32 = 40;
const TAIL_BITS: u32 = 4;
const HALF_BITS: u32 = 22;
const HALF: u64 = (1 << HALF_BITS) - 1;
const ROUNDS: u8 = 8;

/// The statement of an id about a generation. Of the generations of one millisecond, one in sixteen has the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// When it was accepted, in milliseconds since 1970.
    pub milliseconds: u64,
    /// The last four bits of its UUID.
    pub tail: u8,
}

impl Origin {
    /// The origin of a generation with this UUID of version 7.
    pub fn of(uuid: [u8; 16]) -> Self {
        let milliseconds = uuid[..6].iter().fold(0, |all, &byte| all << 8 | u64::from(byte));
        Self {
            milliseconds,
            tail: uuid[15] & 0xf,
        }
    }

    /// The id; `None` if its time is before 2025 or after the October of 2059.
    pub fn seal(self, key: &Key) -> Option<Id> {
        let time = self.milliseconds.checked_sub(FIRST)?;
        if time >> TIME_BITS != 0 {
            return None;
        }
        let number = time << TAIL_BITS | u64::from(self.tail & 0xf);
        let (mut left, mut right) = (number >> HALF_BITS, number & HALF);
        for round in 0..ROUNDS {
            (left, right) = (right, left ^ mixed(right, round, key));
        }
        Id::new(left << HALF_BITS | right)
    }

    /// Reads the statement of an id. Every id says something: only those that were read from a picture were sealed.
    pub fn open(id: Id, key: &Key) -> Self {
        let (mut left, mut right) = (id.number() >> HALF_BITS, id.number() & HALF);
        for round in (0..ROUNDS).rev() {
            (left, right) = (right ^ mixed(left, round, key), left);
        }
        let number = left << HALF_BITS | right;
        Self {
            milliseconds: FIRST + (number >> TAIL_BITS),
            tail: (number & 0xf) as u8,
        }
    }
}

fn mixed(half: u64, round: u8, key: &Key) -> u64 {
    let mut hash = Sha256::new();
    hash.update(b"atelier watermark origin");
    hash.update(key.0);
    hash.update([round]);
    hash.update(half.to_be_bytes());
    let digest = hash.finalize();
    u64::from(u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])) & HALF
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = Key([3; 32]);
    /// 01a208cd-37c7-74e0-8310-60a000d77e88
    const UUID: [u8; 16] = [
        0x01, 0xa2, 0x08, 0xcd, 0x37, 0xc7, 0x74, 0xe0, 0x83, 0x10, 0x60, 0xa0, 0x00, 0xd7, 0x7e, 0x88,
    ];

    #[test]
    fn an_id_leads_back_to_the_time_and_the_end_of_the_uuid() {
        let origin = Origin::of(UUID);
        assert_eq!(
            origin,
            Origin {
                milliseconds: 0x01a2_08cd_37c7,
                tail: 8
            }
        );
        let id = origin.seal(&KEY).unwrap();
        assert_eq!(Origin::open(id, &KEY), origin);
        assert_ne!(Origin::open(id, &Key([4; 32])), origin);
    }

    #[test]
    fn neighbours_have_ids_that_have_nothing_in_common() {
        let origin = Origin::of(UUID);
        let next = Origin {
            milliseconds: origin.milliseconds + 1,
            ..origin
        };
        let (one, other) = (
            origin.seal(&KEY).unwrap().number(),
            next.seal(&KEY).unwrap().number(),
        );
        let differing = (one ^ other).count_ones();
        assert!((10..=34).contains(&differing), "{differing} of 44 bits differ");
    }

    #[test]
    fn a_time_that_does_not_fit_has_no_id() {
        for milliseconds in [FIRST - 1, FIRST + (1 << 40)] {
            assert_eq!(
                Origin {
                    milliseconds,
                    tail: 0
                }
                .seal(&KEY),
                None
            );
        }
        let last = Origin {
            milliseconds: FIRST + (1 << 40) - 1,
            tail: 15,
        };
        assert_eq!(last.seal(&KEY).map(|id| Origin::open(id, &KEY)), Some(last));
    }
}
