//! The container: its tracks, their codecs, where each frame is and when it is shown.
//!
//! mp4parse reads the boxes. It is Firefox's parser: fuzzed for years, with checked arithmetic throughout.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use mp4parse::unstable::{CheckedInteger, Indice, create_sample_table};
use mp4parse::{
    AudioCodecSpecific, CodecType, MediaContext, SampleEntry, Track, TrackType, VideoCodecSpecific,
};

use super::edits;
use super::sps::Sps;
use super::turn::Turn;
use super::{Limits, check_length, check_size};
use crate::Error;

/// The largest sample: a third of an uncompressed frame at the largest size.
const LARGEST_SAMPLE: u64 = 32 << 20;
/// At most this many sound packets are read: half an hour.
const MOST_PACKETS: u64 = 100_000;

/// The decoder that can read the file.
pub(super) enum Found {
    Here(Box<Tracks>),
    Elsewhere { codec: String, has_sound: bool },
}

/// A film that is decoded here.
#[derive(Debug, Clone)]
pub(super) struct Tracks {
    pub(super) sps: Sps,
    /// Parameter sets as a byte stream with start codes.
    pub(super) parameters: Vec<u8>,
    /// Size in bytes of the length before each unit.
    pub(super) length_size: usize,
    pub(super) turn: Turn,
    /// In decoding order, up to the last one that is shown.
    pub(super) samples: Vec<Sample>,
    /// Frame times in display order, in seconds from the first.
    pub(super) frames: Vec<Shown>,
    pub(super) sound: Option<SoundTable>,
    pub(super) has_sound: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) key: bool,
    /// Its position in display order.
    pub(super) shown: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    pub(super) start: f64,
    pub(super) end: f64,
    /// The edit list hides this frame, but others may need it.
    pub(super) hidden: bool,
}

/// AAC-LC as it is stored in the file.
#[derive(Debug, Clone)]
pub(super) struct SoundTable {
    pub(super) rate: u32,
    pub(super) channels: u16,
    pub(super) config: Vec<u8>,
    /// Samples to skip at the beginning.
    pub(super) skip: u64,
    pub(super) packets: Vec<(u64, u64)>,
}

pub(super) fn open(path: &Path, limits: &Limits) -> Result<Found, Error> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut magic = [0; 12];
    if file.read_exact(&mut magic).is_err() {
        return Err(Error::Damaged("not a video file: it is too short".into()));
    }
    if magic[..4] == [0x1a, 0x45, 0xdf, 0xa3] {
        return Ok(Found::Elsewhere {
            codec: "WebM or Matroska".into(),
            has_sound: true,
        });
    }
    if !magic[4..8].iter().all(|c| c.is_ascii_graphic() || *c == b' ') {
        return Err(Error::Damaged(
            "not a video file: it is neither MP4, QuickTime nor WebM".into(),
        ));
    }
    file.seek(SeekFrom::Start(0))?;
    let mut input = BufReader::with_capacity(1 << 16, file);
    // mp4parse asserts states that should be impossible. An untrusted file must not bring the process down if they
    // occur.
    let context = catch_unwind(AssertUnwindSafe(|| mp4parse::read_mp4(&mut input)))
        .map_err(|_| damaged("its boxes contradict each other"))?
        .map_err(|error| damaged(&format!("its boxes cannot be read ({error:?})")))?;
    let has_sound = context
        .tracks
        .iter()
        .any(|track| track.track_type == TrackType::Audio);
    let video = context
        .tracks
        .iter()
        .find(|track| track.track_type == TrackType::Video)
        .ok_or_else(|| damaged("it has no video track"))?;
    if context.mvex.is_some() {
        return Ok(Found::Elsewhere {
            codec: "fragmented MP4".into(),
            has_sound,
        });
    }
    let Some(config) = avc_config(video) else {
        return Ok(Found::Elsewhere {
            codec: codec_name(video, path)?,
            has_sound,
        });
    };
    let (parameters, sps, length_size) =
        parameter_sets(config).ok_or_else(|| damaged("its H.264 configuration is damaged"))?;
    check_size(sps.width, sps.height, limits)?;
    let odd = match sps {
        Sps { bits: 9.., .. } => Some(format!("{}-bit H.264", sps.bits)),
        Sps { interlaced: true, .. } => Some("interlaced H.264".to_owned()),
        Sps { chroma: 1, .. } => None,
        Sps { .. } => Some("H.264 that is not 4:2:0".to_owned()),
    };
    if let Some(codec) = odd {
        return Ok(Found::Elsewhere { codec, has_sound });
    }
    let table = table(video, u64::from(limits.frames), length)?;
    let timescale = video.timescale.map_or(0, |scale| scale.0);
    if timescale == 0 || table.is_empty() {
        return Err(damaged("its video track has no frames"));
    }
    let edit = Edit {
        from: video.media_time.map_or(0, |time| time.0),
        lasts: edited(&mut input, &context, video),
    };
    let (samples, frames) = timed(&table, timescale, &edit);
    let shown = frames.iter().filter(|frame| !frame.hidden);
    let seconds = shown.clone().next_back().map_or(0.0, |frame| frame.end);
    check_length(seconds, shown.count() as u64, limits)?;
    let sound = context
        .tracks
        .iter()
        .find(|track| track.track_type == TrackType::Audio)
        .and_then(|track| sound_table(track, length));
    Ok(Found::Here(Box::new(Tracks {
        sps,
        parameters,
        length_size,
        turn: Turn::of(video.tkhd.as_ref().map(|header| &header.matrix)),
        samples,
        frames,
        sound,
        has_sound,
    })))
}

fn damaged(why: &str) -> Error {
    Error::Damaged(why.to_owned())
}

fn avc_config(track: &Track) -> Option<&[u8]> {
    let entry = track.stsd.as_ref()?.descriptions.iter().next()?;
    match entry {
        SampleEntry::Video(entry) if entry.codec_type == CodecType::H264 => match &entry.codec_specific {
            VideoCodecSpecific::AVCConfig(config) => Some(config),
            _ => None,
        },
        _ => None,
    }
}

/// The codec's usual name, for people who might convert the file.
fn codec_name(track: &Track, path: &Path) -> Result<String, Error> {
    let entry = track
        .stsd
        .as_ref()
        .and_then(|descriptions| descriptions.descriptions.iter().next());
    let known = match entry {
        Some(SampleEntry::Video(entry)) => match entry.codec_type {
            CodecType::AV1 => Some("AV1"),
            CodecType::VP8 => Some("VP8"),
            CodecType::VP9 => Some("VP9"),
            CodecType::MP4V => Some("MPEG-4 Part 2"),
            CodecType::H263 => Some("H.263"),
            CodecType::EncryptedVideo => return Err(damaged("its video track is encrypted")),
            _ => None,
        },
        _ => None,
    };
    if let Some(name) = known {
        return Ok(name.to_owned());
    }
    let letters = sample_entries(path)?;
    let name = letters.iter().find_map(|four| {
        Some(match four {
            b"hvc1" | b"hev1" | b"dvh1" | b"dvhe" => "HEVC (H.265)",
            b"vvc1" | b"vvi1" => "VVC (H.266)",
            b"apch" | b"apcn" | b"apcs" | b"apco" | b"ap4h" => "ProRes",
            b"av01" => "AV1",
            b"vp09" => "VP9",
            b"mp4v" => "MPEG-4 Part 2",
            b"jpeg" | b"mjpa" | b"mjpb" => "Motion JPEG",
            b"AVdn" | b"AVdh" => "DNxHD",
            b"avc3" => "H.264 with parameter sets inside",
            _ => return None,
        })
    });
    Ok(name.unwrap_or("an unknown codec").to_owned())
}

/// Finds the first sample description of each track by its four letters. It scans the bytes, because it only serves
/// error messages.
fn sample_entries(path: &Path) -> Result<Vec<[u8; 4]>, Error> {
    const KEPT: usize = 20;
    let mut file = File::open(path)?;
    let mut window = Vec::new();
    let mut found = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 || found.len() > 16 {
            return Ok(found);
        }
        window.extend_from_slice(&chunk[..read]);
        for bytes in window.windows(KEPT) {
            // The name, version and flags, the number of entries, the first entry's size and name.
            if bytes.starts_with(b"stsd\0\0\0\0\0\0\0") {
                found.push([bytes[16], bytes[17], bytes[18], bytes[19]]);
            }
        }
        window.drain(..window.len().saturating_sub(KEPT - 1));
    }
}

/// Reads the parameter sets from the decoder configuration (ISO/IEC 14496-15, 5.3.3.1).
fn parameter_sets(config: &[u8]) -> Option<(Vec<u8>, Sps, usize)> {
    let length_size = usize::from(config.get(4)? & 3) + 1;
    let mut stream = Vec::new();
    let mut first = None;
    let mut at = 5;
    for mask in [0x1f, 0xff] {
        let count = config.get(at)? & mask;
        at += 1;
        for _ in 0..count {
            let size = usize::from(u16::from_be_bytes([*config.get(at)?, *config.get(at + 1)?]));
            let unit = config.get(at + 2..at + 2 + size)?;
            at += 2 + size;
            stream.extend_from_slice(&[0, 0, 0, 1]);
            stream.extend_from_slice(unit);
            if first.is_none() {
                first = Some(Sps::read(unit)?);
            }
        }
    }
    Some((stream, first?, length_size))
}

/// Reads the sample table. Checks its size first: a few bytes can claim billions of samples.
fn table(track: &Track, most: u64, length: u64) -> Result<Vec<Indice>, Error> {
    let (Some(stsc), Some(stco)) = (&track.stsc, &track.stco) else {
        return Err(damaged("a track has no sample table"));
    };
    let chunks = stco.offsets.len() as u64;
    let mut claimed = 0_u64;
    let mut runs = stsc.samples.iter().peekable();
    while let Some(run) = runs.next() {
        let next = runs
            .peek()
            .map_or(chunks + 1, |next| u64::from(next.first_chunk).min(chunks + 1));
        let of_run = next.saturating_sub(u64::from(run.first_chunk));
        claimed = claimed.saturating_add(of_run.saturating_mul(u64::from(run.samples_per_chunk)));
    }
    if claimed > most {
        return Err(Error::TooLarge(format!(
            "a track claims {claimed} samples; at most {most} are accepted"
        )));
    }
    let table = catch_unwind(AssertUnwindSafe(|| create_sample_table(track, CheckedInteger(0))))
        .ok()
        .flatten()
        .ok_or_else(|| damaged("a sample table contradicts itself"))?;
    for sample in table.iter() {
        let size = sample.end_offset.0.saturating_sub(sample.start_offset.0);
        if sample.end_offset.0 > length {
            return Err(damaged("it ends before its last frame: the file is truncated"));
        }
        if size > LARGEST_SAMPLE {
            return Err(Error::TooLarge(format!("a frame claims {size} bytes")));
        }
    }
    Ok(table.into_iter().collect())
}

/// The part of the track that is shown.
struct Edit {
    /// In units of the track.
    from: u64,
    /// In seconds; `None`: to the end.
    lasts: Option<f64>,
}

/// How many seconds the only edit of a track lasts.
fn edited(file: &mut (impl Read + Seek), context: &MediaContext, track: &Track) -> Option<f64> {
    let lasts = track.edited_duration.filter(|lasts| lasts.0 > 0)?.0;
    let scale = context.timescale.filter(|scale| scale.0 > 0)?.0;
    edits::is_one(file, track.id).then(|| lasts as f64 / scale as f64)
}

/// Returns the samples in decoding order, up to the last one that is shown, and the frame times in display order.
fn timed(table: &[Indice], timescale: u64, edit: &Edit) -> (Vec<Sample>, Vec<Shown>) {
    /// An edit lasts whole units of the movie, so its end is known to a millisecond or two.
    const ROUNDED: f64 = 0.002;
    let mut order: Vec<usize> = (0..table.len()).collect();
    order.sort_by_key(|i| table[*i].start_composition.0);
    let mut samples: Vec<Sample> = table
        .iter()
        .map(|sample| Sample {
            offset: sample.start_offset.0,
            size: sample.end_offset.0 - sample.start_offset.0,
            key: sample.sync,
            shown: 0,
        })
        .collect();
    // An edit that begins before the first frame, or after the last one, is ignored.
    let lowest = order.first().map_or(0, |i| table[*i].start_composition.0);
    let highest = order.last().map_or(0, |i| table[*i].end_composition.0);
    let from = (edit.from as i64).max(lowest);
    let from = if from < highest { from } else { lowest };
    let seconds = |ticks: i64| (ticks.saturating_sub(from)) as f64 / timescale as f64;
    let until = edit.lasts.unwrap_or(f64::INFINITY);
    let frames: Vec<Shown> = order
        .iter()
        .enumerate()
        .map(|(place, i)| {
            samples[*i].shown = place;
            let (start, end) = (table[*i].start_composition.0, table[*i].end_composition.0);
            let shown_at = seconds(start).max(0.0);
            Shown {
                start: shown_at,
                end: seconds(end).max(0.0).min(until),
                hidden: end <= from || (shown_at > 0.0 && shown_at + ROUNDED >= until),
            }
        })
        .collect();
    let needed = samples.iter().rposition(|sample| !frames[sample.shown].hidden);
    samples.truncate(needed.map_or(0, |last| last + 1));
    (samples, frames)
}

fn sound_table(track: &Track, length: u64) -> Option<SoundTable> {
    let entry = track.stsd.as_ref()?.descriptions.iter().next()?;
    let SampleEntry::Audio(entry) = entry else {
        return None;
    };
    let AudioCodecSpecific::ES_Descriptor(descriptor) = &entry.codec_specific else {
        return None;
    };
    // AAC-LC in one or two channels, which every browser plays.
    if descriptor.audio_codec != CodecType::AAC || descriptor.audio_object_type != Some(2) {
        return None;
    }
    if descriptor.extended_audio_object_type.is_some() {
        return None;
    }
    let rate = descriptor
        .audio_sample_rate
        .filter(|rate| (8_000..=96_000).contains(rate))?;
    let channels = descriptor
        .audio_channel_count
        .filter(|count| (1..=2).contains(count))?;
    let table = table(track, MOST_PACKETS, length).ok()?;
    let config = descriptor.decoder_specific_data.to_vec();
    let packets = table
        .iter()
        .map(|sample| (sample.start_offset.0, sample.end_offset.0 - sample.start_offset.0));
    let scale = track.timescale.map(|scale| scale.0).filter(|scale| *scale > 0)?;
    let skip = track.media_time.map_or(0, |time| time.0);
    Some(SoundTable {
        rate,
        channels,
        skip: u64::try_from(u128::from(skip) * u128::from(rate) / u128::from(scale)).ok()?,
        config,
        packets: packets.collect(),
    })
}
