//! Writes MP3 files with LAME: an ID3 tag, LAME's info frame with delay and padding, and the sound.

use mp3lame_encoder::{
    Bitrate, BuildError, Builder, DualPcm, FlushGap, Mode, MonoPcm, Quality, max_required_buffer_size,
};

use super::{Audio, EncodeError, Tags};

/// Samples per call of the encoder.
const BLOCK: usize = 1 << 16;

/// A whole file.
pub(super) fn bytes(audio: &Audio, kbps: u32, tags: &Tags) -> Result<Vec<u8>, EncodeError> {
    if !(1..=2).contains(&audio.channels.len()) || !(8_000..=48_000).contains(&audio.rate) {
        return Err(EncodeError::Unfit {
            channels: audio.channels.len(),
            rate: audio.rate,
        });
    }
    let failed = |error: mp3lame_encoder::EncodeError| EncodeError::Encoder(error.to_string());
    let mut encoder = builder(audio, kbps)
        .and_then(Builder::build)
        .map_err(|error| EncodeError::Encoder(error.to_string()))?;
    let mut sound = Vec::new();
    for start in (0..audio.frames()).step_by(BLOCK) {
        let block = start..(start + BLOCK).min(audio.frames());
        sound.reserve(max_required_buffer_size(block.len()));
        match audio.channels.as_slice() {
            [left, right] => {
                let (left, right) = (&left[block.clone()], &right[block]);
                encoder.encode_to_vec(DualPcm { left, right }, &mut sound)
            }
            channels => encoder.encode_to_vec(MonoPcm(&channels[0][block]), &mut sound),
        }
        .map_err(failed)?;
    }
    sound.reserve(max_required_buffer_size(0));
    encoder.flush_to_vec::<FlushGap>(&mut sound).map_err(failed)?;

    let mut file = tags.id3();
    file.reserve(sound.len() + encoder.lame_tag_size());
    // LAME's info frame tells players how much silence to skip. It is complete only now.
    if encoder.lame_tag_encode_to_vec(&mut file).is_none() {
        return Err(EncodeError::Encoder(
            "the frame with the delay is missing".to_owned(),
        ));
    }
    // LAME reserved its place with an empty frame at the start of the output.
    file.extend(sound.get(encoder.lame_tag_size()..).unwrap_or_default());
    Ok(file)
}

fn builder(audio: &Audio, kbps: u32) -> Result<Builder, BuildError> {
    let mode = match audio.channels.len() {
        1 => Mode::Mono,
        _ => Mode::JointStereo,
    };
    Builder::new()
        .ok_or(BuildError::NoMem)?
        .with_num_channels(audio.channels.len() as u8)?
        .with_sample_rate(audio.rate)?
        .with_mode(mode)?
        .with_brate(bitrate(kbps))?
        // At high bit rates, longer searches cost time and change nothing audible.
        .with_quality(Quality::Ok)?
        .with_to_write_vbr_tag(true)
}

/// The next higher bit rate. LAME lowers it if the sample rate requires.
fn bitrate(kbps: u32) -> Bitrate {
    match kbps {
        0..=64 => Bitrate::Kbps64,
        65..=96 => Bitrate::Kbps96,
        97..=128 => Bitrate::Kbps128,
        129..=160 => Bitrate::Kbps160,
        161..=192 => Bitrate::Kbps192,
        193..=256 => Bitrate::Kbps256,
        _ => Bitrate::Kbps320,
    }
}
