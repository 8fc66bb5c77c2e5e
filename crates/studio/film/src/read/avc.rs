//! Decodes H.264 with openh264, sample by sample.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use openh264::OpenH264API;
use openh264::decoder::{DecodedYUV, Decoder, DecoderConfig, Flush};
use openh264::formats::YUVSource;

use super::container::Tracks;
use super::turn::Recoding;
use super::{Facts, Frame};
use crate::Error;
use crate::color::I420;
use crate::write::Coded;

pub(super) struct Native {
    file: File,
    tracks: Tracks,
    decoder: Decoder,
    recoding: Option<Recoding>,
    /// The next sample to decode.
    next: usize,
    /// Display positions of the frames that the decoder still holds, lowest last.
    inside: Vec<usize>,
    /// Frames before this one are decoded but not returned.
    from: usize,
    done: VecDeque<Frame>,
    flushed: bool,
    unit: Vec<u8>,
    stream: Vec<u8>,
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Native")
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

fn decoder() -> Result<Decoder, Error> {
    // With the default flush after each sample, the decoder fails on films whose frames are out of order.
    let config = DecoderConfig::new().flush_after_decode(Flush::NoFlush);
    Decoder::with_api_config(OpenH264API::from_source(), config)
        .map_err(|error| Error::Damaged(format!("the decoder does not start: {error}")))
}

impl Native {
    pub(super) fn new(path: &Path, tracks: Tracks) -> Result<Self, Error> {
        Ok(Self {
            file: File::open(path)?,
            recoding: Recoding::of(&tracks.sps),
            decoder: decoder()?,
            next: 0,
            inside: Vec::new(),
            from: 0,
            done: VecDeque::new(),
            flushed: false,
            unit: Vec::new(),
            stream: Vec::new(),
            tracks,
        })
    }

    fn size(&self) -> (u32, u32) {
        let (width, height) = (self.tracks.sps.width & !1, self.tracks.sps.height & !1);
        if self.tracks.turn.swaps() {
            (height, width)
        } else {
            (width, height)
        }
    }

    pub(super) fn facts(&self) -> Facts {
        let (width, height) = self.size();
        let frames = self.tracks.frames.iter().filter(|frame| !frame.hidden).count();
        Facts {
            width,
            height,
            seconds: self.tracks.seconds(),
            frames: frames as u64,
            foreign: false,
            has_sound: self.tracks.has_sound,
        }
    }

    /// Frames before the first that the edit list shows.
    fn hidden(&self) -> usize {
        self.tracks.frames.iter().take_while(|frame| frame.hidden).count()
    }

    pub(super) fn time_of(&self, frame: u64) -> Option<f64> {
        let frame = self.hidden() + usize::try_from(frame).ok()?;
        let frame = self.tracks.frames.get(frame).filter(|frame| !frame.hidden)?;
        Some(frame.start)
    }

    pub(super) fn keys(&self) -> Vec<u64> {
        let hidden = self.hidden();
        let keys = self.tracks.samples.iter().filter(|sample| sample.key);
        let mut keys: Vec<u64> = keys
            .filter_map(|sample| sample.shown.checked_sub(hidden))
            .map(|place| place as u64)
            .collect();
        keys.sort_unstable();
        keys
    }

    pub(super) fn restart(&mut self) -> Result<(), Error> {
        self.begin(0, 0)
    }

    pub(super) fn seek(&mut self, frame: u64) -> Result<(), Error> {
        let frame = (self.hidden() + frame as usize).min(self.tracks.frames.len());
        // The last key frame after which nothing is shown before this frame.
        let start = self
            .tracks
            .samples
            .iter()
            .enumerate()
            .take_while(|(_, sample)| sample.shown <= frame || !sample.key)
            .filter(|(_, sample)| sample.key && sample.shown <= frame)
            .map(|(i, _)| i)
            .last()
            .unwrap_or(0);
        self.begin(start, frame)
    }

    fn begin(&mut self, sample: usize, from: usize) -> Result<(), Error> {
        self.decoder = decoder()?;
        self.inside.clear();
        self.done.clear();
        (self.next, self.from, self.flushed) = (sample, from, false);
        Ok(())
    }

    pub(super) fn next(&mut self, mut reuse: Option<I420>) -> Result<Option<Frame>, Error> {
        loop {
            if let Some(frame) = self.done.pop_front() {
                return Ok(Some(frame));
            }
            if self.next < self.tracks.samples.len() {
                self.decode(&mut reuse)?;
            } else if self.flushed {
                return Ok(None);
            } else {
                self.flush()?;
            }
        }
    }

    /// Decodes one sample. A frame may come out; it is rarely the same one.
    fn decode(&mut self, reuse: &mut Option<I420>) -> Result<(), Error> {
        let sample = self.tracks.samples[self.next];
        self.unit.resize(sample.size as usize, 0);
        self.file.seek(SeekFrom::Start(sample.offset))?;
        self.file.read_exact(&mut self.unit)?;
        self.stream.clear();
        if self.next == 0 || self.inside.is_empty() && sample.key {
            self.stream.extend_from_slice(&self.tracks.parameters);
        }
        with_start_codes(&self.unit, self.tracks.length_size, &mut self.stream)
            .ok_or_else(|| self.broken("its units have impossible lengths"))?;
        self.next += 1;
        let at = self.inside.partition_point(|place| *place > sample.shown);
        self.inside.insert(at, sample.shown);
        let number = self.next - 1;
        match self.decoder.decode(&self.stream) {
            Ok(Some(picture)) => {
                let size = (self.tracks.sps.width, self.tracks.sps.height);
                let frame = taken(&picture, &self.tracks, size, self.recoding.as_ref(), reuse.take())?;
                let place = self.inside.pop();
                push(&mut self.done, &self.tracks, self.from, place, frame);
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(error) => Err(Error::Damaged(format!(
                "frame {number} of {} cannot be decoded ({error})",
                self.tracks.samples.len()
            ))),
        }
    }

    /// Returns the frames that the decoder still holds at the end.
    fn flush(&mut self) -> Result<(), Error> {
        self.flushed = true;
        let pictures = self
            .decoder
            .flush_remaining()
            .map_err(|error| Error::Damaged(format!("its last frames cannot be decoded ({error})")))?;
        let size = (self.tracks.sps.width, self.tracks.sps.height);
        for picture in &pictures {
            let frame = taken(picture, &self.tracks, size, self.recoding.as_ref(), None)?;
            let place = self.inside.pop();
            push(&mut self.done, &self.tracks, self.from, place, frame);
        }
        Ok(())
    }

    fn broken(&self, why: &str) -> Error {
        Error::Damaged(format!("frame {} is broken: {why}", self.next))
    }

    pub(super) fn coded_sound(&self, seconds: f64) -> Result<Option<Coded>, Error> {
        const PACKET: u32 = 1024;
        let Some(sound) = &self.tracks.sound else {
            return Ok(None);
        };
        let samples = (seconds.max(0.0) * f64::from(sound.rate)).ceil() as u64 + sound.skip;
        let count = samples.div_ceil(u64::from(PACKET)) as usize + 1;
        let mut file = &self.file;
        let mut packets = Vec::new();
        for (offset, size) in sound.packets.iter().take(count) {
            // AAC packs at most this many bytes into a frame of two channels.
            if *size > 2 * 768 {
                return Ok(None);
            }
            let mut packet = vec![0; *size as usize];
            file.seek(SeekFrom::Start(*offset))?;
            file.read_exact(&mut packet)?;
            packets.push(packet.into_boxed_slice());
        }
        Ok(Some(Coded {
            rate: sound.rate,
            channels: sound.channels,
            config: sound.config.clone(),
            packet: PACKET,
            skip: sound.skip,
            packets,
        }))
    }
}

/// Queues a picture with the time of its position, unless it is hidden.
fn push(done: &mut VecDeque<Frame>, tracks: &Tracks, from: usize, place: Option<usize>, picture: I420) {
    let Some(place) = place.filter(|place| *place >= from) else {
        return;
    };
    let shown = tracks.frames[place];
    if !shown.hidden {
        done.push_back(Frame {
            time: shown.start,
            picture,
        });
    }
}

/// Converts a decoded picture: upright, in BT.709.
fn taken(
    picture: &DecodedYUV<'_>,
    tracks: &Tracks,
    (width, height): (u32, u32),
    recoding: Option<&Recoding>,
    reuse: Option<I420>,
) -> Result<I420, Error> {
    if picture.dimensions() != (width as usize, height as usize) {
        return Err(Error::Damaged(format!(
            "its frames change size from {width} × {height} to {} × {}",
            picture.dimensions().0,
            picture.dimensions().1
        )));
    }
    let (width, height) = (width as usize & !1, height as usize & !1);
    let (across, down) = if tracks.turn.swaps() {
        (height, width)
    } else {
        (width, height)
    };
    let mut frame = reuse
        .filter(|frame| (frame.width, frame.height) == (across, down))
        .unwrap_or_else(|| I420::new(across, down));
    let (luma, chroma) = frame.data.split_at_mut(width * height);
    let (blue, red) = chroma.split_at_mut(width * height / 4);
    let (stride, stride_u, stride_v) = picture.strides();
    tracks.turn.plane(picture.y(), stride, width, height, luma);
    tracks
        .turn
        .plane(picture.u(), stride_u, width / 2, height / 2, blue);
    tracks
        .turn
        .plane(picture.v(), stride_v, width / 2, height / 2, red);
    if let Some(recoding) = recoding {
        recoding.apply(&mut frame);
    }
    Ok(frame)
}

/// Replaces the length before each unit by a start code.
fn with_start_codes(sample: &[u8], length_size: usize, stream: &mut Vec<u8>) -> Option<()> {
    let mut rest = sample;
    while !rest.is_empty() {
        let (length, after) = rest.split_at_checked(length_size)?;
        let length = length
            .iter()
            .fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte));
        let (unit, after) = after.split_at_checked(length)?;
        if !unit.is_empty() {
            stream.extend_from_slice(&[0, 0, 0, 1]);
            stream.extend_from_slice(unit);
        }
        rest = after;
    }
    Some(())
}
