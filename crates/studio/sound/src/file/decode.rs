//! Decodes MP3, WAV, AIFF, FLAC, Ogg Vorbis and M4A/AAC here, and other formats through the program ffmpeg, if it is
//! installed. Files are untrusted: length, rate and channels are limited, and every fault is an error.

use std::{
    fs::File,
    io::{self, Read as _},
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
};

use symphonia::core::{
    codecs::{
        CodecParameters,
        audio::{AudioCodecId, AudioDecoderOptions, well_known as codec},
    },
    errors::Error as Fault,
    formats::{FormatOptions, TrackType, probe::Hint},
    io::{MediaSourceStream, MediaSourceStreamOptions},
    meta::MetadataOptions,
};

use super::{
    Audio, edit_list, ffmpeg,
    limits::{DecodeError, Limits, bounded, sanitise, within},
};

/// Decoding stops after this many damaged packets.
const MOST_BAD_PACKETS: usize = 100;
/// The name of a format without a known signature.
const UNKNOWN: &str = "an unknown format";

/// Decodes the first audio track of a file, without the silence that encoders add before and after.
pub fn decode(path: &Path) -> Result<Audio, DecodeError> {
    decode_within(path, &Limits::default())
}

/// Decodes a file that was measured: one that goes on for longer is refused.
pub fn decode_measured(path: &Path, seconds: Option<f64>) -> Result<Audio, DecodeError> {
    decode_within(path, &Limits::measured(seconds))
}

/// Decodes a file within the caller's limits.
pub fn decode_within(path: &Path, limits: &Limits) -> Result<Audio, DecodeError> {
    // The decoders are third-party code and read hostile bytes. A panic there means a damaged file.
    let heard = catch_unwind(AssertUnwindSafe(|| decode_here(path, limits))).unwrap_or_else(|_| {
        Err(DecodeError::Damaged(
            "the decoder stopped unexpectedly".to_owned(),
        ))
    });
    match heard {
        Err(DecodeError::Codec { codec }) => ffmpeg::decode(path, limits, codec),
        heard => heard,
    }
}

fn decode_here(path: &Path, limits: &Limits) -> Result<Audio, DecodeError> {
    let file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Err(DecodeError::NoAudio);
    }
    let stream = MediaSourceStream::new(Box::new(file), MediaSourceStreamOptions::default());
    let mut format = symphonia::default::get_probe()
        .probe(
            &Hint::new(),
            stream,
            FormatOptions::default(),
            MetadataOptions::default(),
        )
        .map_err(|fault| unopened(path, &fault))?;
    let track = format
        .default_track(TrackType::Audio)
        .ok_or_else(|| no_track(path))?;
    let track_id = track.id;
    let Some(CodecParameters::Audio(parameters)) = track.codec_params.clone() else {
        return Err(no_track(path));
    };
    if let Some(channels) = &parameters.channels {
        within(channels.count(), parameters.sample_rate, limits)?;
    }
    let mut decoder = symphonia::default::get_codecs()
        .make_audio_decoder(&parameters, &AudioDecoderOptions::default())
        .map_err(|fault| match fault {
            Fault::Unsupported(_) => DecodeError::Codec {
                codec: name(parameters.codec).map_or_else(|| sniffed(path), ToOwned::to_owned),
            },
            fault => DecodeError::Damaged(fault.to_string()),
        })?;

    let edit = edit_list::read(path);
    // Sound before the edit is decoded too, but does not count.
    let skipped = edit
        .as_ref()
        .map_or(0.0, |edit| edit.start().min(Limits::default().seconds));
    let mut audio = Audio::default();
    let mut rows = Vec::new();
    let mut bad = 0;
    loop {
        let packet = match format.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) | Err(Fault::ResetRequired) => break,
            // A truncated file is decoded as far as it goes.
            Err(Fault::IoError(error)) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(fault) => return Err(DecodeError::Damaged(fault.to_string())),
        };
        if packet.track_id != track_id {
            continue;
        }
        match decoder.decode(&packet) {
            Ok(buffer) => {
                let (rate, channels) = (buffer.spec().rate(), buffer.spec().channels().count());
                buffer.copy_to_vecs_planar(&mut rows);
                append(&mut audio, rate, channels, &rows, limits)?;
                if edit.as_ref().is_some_and(|edit| edit.is_covered_by(&audio)) {
                    break;
                }
                bounded(&audio, skipped, limits)?;
            }
            Err(Fault::Unsupported(_)) => return Err(DecodeError::Codec { codec: sniffed(path) }),
            Err(fault) if bad >= MOST_BAD_PACKETS => return Err(DecodeError::Damaged(fault.to_string())),
            Err(_) => bad += 1,
        }
    }
    match (audio.frames(), bad) {
        (0, 0) => return Err(DecodeError::NoAudio),
        (0, _) => {
            return Err(DecodeError::Damaged("no frame of it can be decoded".to_owned()));
        }
        _ => {}
    }
    if let Some(edit) = edit {
        edit.apply(&mut audio);
    }
    bounded(&audio, 0.0, limits)?;
    sanitise(&mut audio);
    Ok(audio)
}

/// Adds the samples of one packet, if its format matches the previous ones and the limits hold.
fn append(
    audio: &mut Audio,
    rate: u32,
    channels: usize,
    rows: &[Vec<f32>],
    limits: &Limits,
) -> Result<(), DecodeError> {
    within(channels, Some(rate), limits)?;
    if audio.channels.is_empty() {
        audio.rate = rate;
        audio.channels = vec![Vec::new(); channels];
    }
    if audio.rate != rate || audio.channels.len() != channels {
        return Err(DecodeError::Damaged(
            "its sample rate or its channels change midway".to_owned(),
        ));
    }
    for (channel, row) in audio.channels.iter_mut().zip(rows) {
        channel.extend_from_slice(row);
    }
    Ok(())
}

/// The error for a file whose format was not recognised.
fn unopened(path: &Path, fault: &Fault) -> DecodeError {
    match fault {
        Fault::IoError(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            DecodeError::Damaged(error.to_string())
        }
        // Perhaps a format that ffmpeg knows.
        _ => DecodeError::Codec { codec: sniffed(path) },
    }
}

fn no_track(path: &Path) -> DecodeError {
    match sniffed(path).as_str() {
        UNKNOWN => DecodeError::NoAudio,
        codec => DecodeError::Codec {
            codec: codec.to_owned(),
        },
    }
}

/// Guesses the codec from the first bytes, if the demuxer does not name it.
fn sniffed(path: &Path) -> String {
    let mut head = Vec::new();
    if let Ok(file) = File::open(path) {
        // An unreadable file gives the same result as an empty one.
        let _ = file.take(64 << 10).read_to_end(&mut head);
    }
    let marks: [(&[u8], &str); 9] = [
        (b"OpusHead", "Opus"),
        (b"A_OPUS", "Opus"),
        (b"Speex   ", "Speex"),
        (b"alac", "ALAC"),
        (b"#!AMR", "AMR"),
        (b"wvpk", "WavPack"),
        (b"MAC ", "Monkey's Audio"),
        (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "Windows Media Audio"),
        (b"mp4a", "this kind of AAC"),
    ];
    marks
        .iter()
        .find(|(mark, _)| head.windows(mark.len()).any(|window| window == *mark))
        .map_or(UNKNOWN, |(_, name)| name)
        .to_owned()
}

/// The names of codecs that containers declare and that are not decoded here.
fn name(id: AudioCodecId) -> Option<&'static str> {
    let names = [
        (codec::CODEC_ID_OPUS, "Opus"),
        (codec::CODEC_ID_SPEEX, "Speex"),
        (codec::CODEC_ID_ALAC, "ALAC"),
        (codec::CODEC_ID_AC3, "AC-3"),
        (codec::CODEC_ID_EAC3, "E-AC-3"),
        (codec::CODEC_ID_WAVPACK, "WavPack"),
        (codec::CODEC_ID_AAC, "this kind of AAC"),
    ];
    names
        .iter()
        .find(|(known, _)| *known == id)
        .map(|(_, name)| *name)
}
