//! The sequence parameter set of H.264 (ITU-T H.264, 7.3.2.1.1 and Annex E): what the reader must know before
//! decoding.

/// The statements of a stream about its pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sps {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) bits: u32,
    /// 1 means 4:2:0.
    pub(super) chroma: u32,
    pub(super) interlaced: bool,
    pub(super) full_range: bool,
    /// Matrix coefficients of H.273; 2 if not specified.
    pub(super) matrix: u8,
}

/// Reads bits from the left, skipping the bytes that only prevent start codes.
struct Bits {
    bytes: Vec<u8>,
    at: usize,
}

impl Bits {
    fn new(unit: &[u8]) -> Self {
        let mut bytes = Vec::with_capacity(unit.len());
        for (i, byte) in unit.iter().enumerate() {
            if *byte == 3 && i >= 2 && unit[i - 2..i] == [0, 0] {
                continue;
            }
            bytes.push(*byte);
        }
        Self { bytes, at: 0 }
    }

    fn bit(&mut self) -> Option<u32> {
        let byte = *self.bytes.get(self.at / 8)?;
        let bit = byte >> (7 - self.at % 8) & 1;
        self.at += 1;
        Some(u32::from(bit))
    }

    fn flag(&mut self) -> Option<bool> {
        Some(self.bit()? == 1)
    }

    fn bits(&mut self, count: u32) -> Option<u32> {
        (0..count).try_fold(0_u32, |value, _| Some(value << 1 | self.bit()?))
    }

    /// Exp-Golomb, unsigned.
    fn ue(&mut self) -> Option<u32> {
        let mut zeros = 0;
        while !self.flag()? {
            zeros += 1;
            if zeros > 31 {
                return None;
            }
        }
        Some((1_u32 << zeros) - 1 + self.bits(zeros)?)
    }

    /// Exp-Golomb, signed.
    fn se(&mut self) -> Option<i64> {
        let value = i64::from(self.ue()?);
        Some(if value % 2 == 1 {
            i64::midpoint(value, 1)
        } else {
            -value / 2
        })
    }

    fn skip_scaling_list(&mut self, size: u32) -> Option<()> {
        let (mut last, mut next) = (8_i64, 8_i64);
        for _ in 0..size {
            if next != 0 {
                next = (last + self.se()? + 256).rem_euclid(256);
            }
            last = if next == 0 { last } else { next };
        }
        Some(())
    }
}

impl Sps {
    /// Reads a unit, including its header byte.
    pub(super) fn read(unit: &[u8]) -> Option<Self> {
        let mut bits = Bits::new(unit.get(1..)?);
        let profile = bits.bits(8)?;
        bits.bits(16)?;
        bits.ue()?;
        let (mut chroma, mut depth) = (1, 8);
        if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(&profile) {
            chroma = bits.ue()?;
            if chroma == 3 {
                bits.bit()?;
            }
            depth = 8 + bits.ue()?.max(bits.ue()?).min(8);
            bits.bit()?;
            if bits.flag()? {
                for i in 0..if chroma == 3 { 12 } else { 8 } {
                    if bits.flag()? {
                        bits.skip_scaling_list(if i < 6 { 16 } else { 64 })?;
                    }
                }
            }
        }
        bits.ue()?;
        match bits.ue()? {
            0 => drop(bits.ue()?),
            1 => {
                bits.bit()?;
                bits.se()?;
                bits.se()?;
                let count = bits.ue()?;
                if count > 255 {
                    return None;
                }
                for _ in 0..count {
                    bits.se()?;
                }
            }
            _ => {}
        }
        bits.ue()?;
        bits.bit()?;
        let across = bits.ue()?.checked_add(1)?.checked_mul(16)?;
        let down = bits.ue()?.checked_add(1)?.checked_mul(16)?;
        let interlaced = !bits.flag()?;
        if interlaced {
            bits.bit()?;
        }
        bits.bit()?;
        let (mut width, mut height) = (across, if interlaced { down.checked_mul(2)? } else { down });
        if bits.flag()? {
            let unit_x = if chroma == 1 || chroma == 2 { 2 } else { 1 };
            let unit_y = if chroma == 1 { 2 } else { 1 } * if interlaced { 2 } else { 1 };
            let edges = [bits.ue()?, bits.ue()?, bits.ue()?, bits.ue()?];
            let cut = |a: u32, b: u32, unit: u32| a.checked_add(b)?.checked_mul(unit);
            width = width.checked_sub(cut(edges[0], edges[1], unit_x)?)?;
            height = height.checked_sub(cut(edges[2], edges[3], unit_y)?)?;
        }
        let (full_range, matrix) = colors(&mut bits).unwrap_or((false, 2));
        Some(Self {
            width,
            height,
            bits: depth,
            chroma,
            interlaced,
            full_range,
            matrix,
        })
    }
}

/// Range and matrix from the usability information, if present.
fn colors(bits: &mut Bits) -> Option<(bool, u8)> {
    if !bits.flag()? {
        return None;
    }
    if bits.flag()? && bits.bits(8)? == 255 {
        bits.bits(32)?;
    }
    if bits.flag()? {
        bits.bit()?;
    }
    if !bits.flag()? {
        return None;
    }
    bits.bits(3)?;
    let full = bits.flag()?;
    let matrix = if bits.flag()? {
        bits.bits(16)?;
        bits.bits(8)? as u8
    } else {
        2
    };
    Some((full, matrix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_set_is_read() {
        // 1920 × 1080 High, as x264 writes it, BT.709 in limited range.
        let unit = [
            0x67, 0x64, 0x00, 0x28, 0xac, 0xd9, 0x40, 0x78, 0x02, 0x27, 0xe5, 0xc0, 0x5a, 0x80, 0x80, 0x80,
            0xa0,
        ];
        let sps = Sps::read(&unit).unwrap();
        assert_eq!((sps.width, sps.height, sps.bits, sps.chroma), (1920, 1080, 8, 1));
        assert!(!sps.interlaced);
    }

    #[test]
    fn an_invalid_set_is_refused() {
        for length in 0..40 {
            for seed in 0..200_u32 {
                let unit: Vec<u8> = (0..length)
                    .map(|i| (seed.wrapping_mul(2_654_435_761).wrapping_add(i * 40_503) >> 7) as u8)
                    .collect();
                Sps::read(&unit);
            }
        }
        assert_eq!(Sps::read(&[0x67, 0xff]), None);
    }
}
