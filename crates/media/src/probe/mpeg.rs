//! Duration of MP3 and raw AAC, after any ID3 tags: by the encoder's own count of frames, or by counting them.

use std::io::{Read, Seek};

use atelier_domain::MediaType;

use super::{Found, audio, source::Source};
use crate::sniff::{MpegFrame, adts_frame, id3_length, mpeg_frame};

/// Tags in a row; two happen.
const TAGS: usize = 8;
/// How far after the tags the first frame may be.
const SEARCH: usize = 8 * 1024;

/// Reads what was taken for an MP3. Behind a long tag there may be something else.
pub(super) fn mp3<R: Read + Seek>(source: &mut Source<R>, found: &mut Found) {
    let start = after_tags(source);
    if source.upto(start, 4) == b"fLaC" {
        found.media_type = MediaType::Flac;
        found.duration = audio::flac(source, start);
    } else if adts_frame(source.upto(start, 7)).is_some() {
        found.media_type = MediaType::Aac;
        found.duration = count_adts(source, start);
    } else {
        found.duration = frames(source, start);
    }
}

pub(super) fn aac<R: Read + Seek>(source: &mut Source<R>) -> Option<f64> {
    let start = after_tags(source);
    count_adts(source, start)
}

/// A FLAC stream that may follow a tag.
pub(super) fn flac<R: Read + Seek>(source: &mut Source<R>) -> Option<f64> {
    let start = after_tags(source);
    audio::flac(source, start)
}

fn after_tags<R: Read + Seek>(source: &mut Source<R>) -> u64 {
    let mut at = 0;
    for _ in 0..TAGS {
        match id3_length(source.upto(at, 10)) {
            Some(length) => at += length as u64,
            None => break,
        }
    }
    at
}

fn frames<R: Read + Seek>(source: &mut Source<R>, start: u64) -> Option<f64> {
    let (start, first) = first_frame(source, start)?;
    let per_second = |count: u64| count as f64 * f64::from(first.samples) / f64::from(first.sample_rate);
    if let Some(count) = announced(source, start, &first) {
        return Some(per_second(count));
    }
    let mut count = 0;
    let mut at = start;
    while let Some(frame) = mpeg_frame(source.upto(at, 4)) {
        count += 1;
        at += frame.length as u64;
    }
    let size = source.size();
    if at.min(size) - start >= (size - start) / 10 * 9 {
        return Some(per_second(count));
    }
    // Something in between is no frame: the rest is taken to be like the first.
    Some((size - start) as f64 * 8.0 / f64::from(first.bit_rate))
}

/// The first place from `start` on where a frame is followed by another, or by the end.
fn first_frame<R: Read + Seek>(source: &mut Source<R>, start: u64) -> Option<(u64, MpegFrame)> {
    let bytes = source.upto(start, SEARCH).to_vec();
    let size = source.size();
    bytes.windows(4).enumerate().find_map(|(offset, window)| {
        let frame = mpeg_frame(window)?;
        let at = start + offset as u64;
        let next = at + frame.length as u64;
        (next + 4 > size || mpeg_frame(source.upto(next, 4)).is_some()).then_some((at, frame))
    })
}

/// The number of frames by a Xing, Info or VBRI header.
fn announced<R: Read + Seek>(source: &mut Source<R>, at: u64, first: &MpegFrame) -> Option<u64> {
    let xing = at + 4 + first.side_info as u64;
    if matches!(source.upto(xing, 4), b"Xing" | b"Info") {
        let counted = source.be32(xing + 4)? & 1 != 0;
        return counted
            .then(|| source.be32(xing + 8))?
            .filter(|&count| count > 0)
            .map(u64::from);
    }
    let vbri = at + 4 + 32;
    if source.upto(vbri, 4) == b"VBRI" {
        return source.be32(vbri + 14).filter(|&count| count > 0).map(u64::from);
    }
    None
}

fn count_adts<R: Read + Seek>(source: &mut Source<R>, start: u64) -> Option<f64> {
    const RATES: [u32; 13] = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ];
    let index = source.u8(start + 2)? >> 2 & 0xf;
    let rate = *RATES.get(usize::from(index))?;
    let mut samples = 0_u64;
    let mut at = start;
    loop {
        let bytes = source.upto(at, 7);
        let Some(length) = adts_frame(bytes) else { break };
        // A frame holds one to four blocks of 1,024 samples.
        samples += 1024 * (1 + u64::from(bytes.get(6).copied().unwrap_or(0) & 3));
        at += length as u64;
    }
    (samples > 0).then(|| samples as f64 / f64::from(rate))
}
