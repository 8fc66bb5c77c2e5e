//! The bits of a mark: the id, sixteen check bits that depend on the key, and a convolutional code of rate 1/4 and
//! constraint length 7 (generators 135, 135, 147, 163 in octal; free distance 20) that bites its tail.

use sha2::{Digest as _, Sha256};

use crate::Key;

/// The bits of an id.
pub const ID_BITS: u32 = 44;
/// The bits that a random word passes with a probability of 2⁻¹⁶.
pub(crate) const CHECK_BITS: u32 = 16;
const BITS: usize = (ID_BITS + CHECK_BITS) as usize;
const RATE: usize = 4;
/// The length of a code word.
pub(crate) const CODED: usize = BITS * RATE;
const GENERATORS: [u8; RATE] = [0o135, 0o135, 0o147, 0o163];
const MEMORY: usize = 6;
const STATES: usize = 1 << MEMORY;

/// The content of a mark: a number below 2⁴⁴.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u64);

impl Id {
    /// `None` if the number has more than 44 bits.
    pub fn new(number: u64) -> Option<Self> {
        (number >> ID_BITS == 0).then_some(Self(number))
    }

    pub fn number(self) -> u64 {
        self.0
    }
}

fn check(id: u64, key: &Key) -> u64 {
    let mut hash = Sha256::new();
    hash.update(b"atelier watermark check");
    hash.update(key.0);
    hash.update(id.to_be_bytes());
    let digest = hash.finalize();
    u64::from(digest[0]) << 8 | u64::from(digest[1])
}

/// The code word of an id, as signs.
pub(crate) fn encode(id: Id, key: &Key) -> [f32; CODED] {
    word(id.0 << CHECK_BITS | check(id.0, key))
}

fn word(bits: u64) -> [f32; CODED] {
    let bit = |at: usize| (bits >> (BITS - 1 - at % BITS) & 1) as u8;
    let mut coded = [1.0; CODED];
    for at in 0..BITS {
        // The register holds the bit and the six before it, those of the end at the beginning.
        let register = (0..=MEMORY).fold(0, |register, back| register | bit(at + BITS - back) << back);
        for (symbol, generator) in coded[RATE * at..][..RATE].iter_mut().zip(GENERATORS) {
            if (register & generator).count_ones() % 2 == 1 {
                *symbol = -1.0;
            }
        }
    }
    coded
}

/// The id whose code word is closest to the soft values, if its check bits agree.
pub(crate) fn decode(soft: &[f32; CODED], key: &Key) -> Option<Id> {
    let bits = viterbi(soft);
    let id = bits >> CHECK_BITS;
    (bits & ((1 << CHECK_BITS) - 1) == check(id, key)).then_some(Id(id))
}

/// Viterbi's algorithm round the circle three times; the middle one is taken, where the unknown start has no effect.
fn viterbi(soft: &[f32; CODED]) -> u64 {
    let steps = 3 * BITS;
    let mut metric = [0.0_f32; STATES];
    let mut from = vec![[0_u8; STATES]; steps];
    for (step, from) in from.iter_mut().enumerate() {
        let soft = &soft[RATE * (step % BITS)..][..RATE];
        let mut next = [f32::NEG_INFINITY; STATES];
        for (state, metric) in metric.iter().enumerate() {
            for bit in 0..2 {
                let register = state << 1 | bit;
                let gained: f32 = GENERATORS
                    .iter()
                    .zip(soft)
                    .map(|(&generator, soft)| {
                        let odd = (register & usize::from(generator)).count_ones() % 2 == 1;
                        if odd { -soft } else { *soft }
                    })
                    .sum();
                let to = register & (STATES - 1);
                if metric + gained > next[to] {
                    next[to] = metric + gained;
                    from[to] = state as u8;
                }
            }
        }
        metric = next;
    }
    let mut state = (0..STATES).fold(
        0,
        |best, state| if metric[state] > metric[best] { state } else { best },
    );
    let mut bits = 0;
    for step in (0..steps).rev() {
        if (BITS..2 * BITS).contains(&step) {
            bits |= (state as u64 & 1) << (2 * BITS - 1 - step);
        }
        state = usize::from(from[step][state]);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = Key([7; 32]);

    #[test]
    fn a_word_with_a_tenth_of_its_signs_turned_gives_the_id() {
        let id = Id::new(0x0abc_def0_1234 & ((1 << ID_BITS) - 1)).unwrap();
        let mut soft = encode(id, &KEY);
        for at in (0..CODED).step_by(10) {
            soft[at] = -soft[at];
        }
        assert_eq!(decode(&soft, &KEY), Some(id));
        assert_eq!(decode(&soft, &Key([8; 32])), None);
    }

    #[test]
    fn an_id_has_44_bits() {
        assert_eq!(Id::new((1 << 44) - 1).map(Id::number), Some((1 << 44) - 1));
        assert_eq!(Id::new(1 << 44), None);
    }
}
