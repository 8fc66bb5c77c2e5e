//! MP3 files, which are encoded once more. Their tags stay.

use std::{fs, path::Path};

use atelier_sound::file::{Audio, Format, Tags, encode};

/// The length of the old kind of tag, at the end of a file.
const OLD_TAG: usize = 128;
/// The bit rates of MPEG audio that are used, in kbit/s.
const BIT_RATES: [u32; 7] = [64, 96, 128, 160, 192, 256, 320];

/// Whether the file begins with a tag or a frame of layer III.
pub(super) fn is_mp3(file: &[u8]) -> bool {
    let sound = file.get(tag(file)..).unwrap_or_default();
    matches!(sound, [0xff, second, ..] if second & 0xe6 == 0xe2)
}

/// The file with other sound, of which it has `seconds`. `None` if this program cannot write it. `work` is a place for
/// a file.
pub(super) fn with(file: &[u8], seconds: f64, audio: &Audio, work: &Path) -> Option<Vec<u8>> {
    let (start, end) = (tag(file), old_tag(file));
    let kbps = (end.checked_sub(start)? * 8) as f64 / 1_000.0 / seconds;
    // Encoding twice costs some quality; the next bit rate makes up for it.
    let next = BIT_RATES.into_iter().find(|rate| f64::from(*rate) > 1.05 * kbps);
    let format = Format::compressed(next.unwrap_or(320));
    if format.extension() != "mp3" {
        return None;
    }
    encode(work, audio, format, &Tags::generated(None)).ok()?;
    let written = fs::read(work).ok()?;
    let sound = written.get(tag(&written)..)?;
    Some([&file[..start], sound, &file[end..]].concat())
}

/// The length of the ID3 tag at the beginning.
pub(super) fn tag(file: &[u8]) -> usize {
    const HEADER: usize = 10;
    match file {
        [b'I', b'D', b'3', _, _, flags, a, b, c, d, ..] => {
            let length = [a, b, c, d]
                .into_iter()
                .fold(0, |all, &seven| all << 7 | usize::from(seven & 0x7f));
            let footer = if flags & 0x10 == 0 { 0 } else { HEADER };
            (HEADER + length + footer).min(file.len())
        }
        _ => 0,
    }
}

/// Where the old tag at the end begins.
fn old_tag(file: &[u8]) -> usize {
    let at = file.len().saturating_sub(OLD_TAG);
    if file[at..].starts_with(b"TAG") {
        at
    } else {
        file.len()
    }
}
