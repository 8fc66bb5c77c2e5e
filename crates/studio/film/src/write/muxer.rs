//! The thread behind a [`Writer`](super::Writer): encodes frames and sound and interleaves them in the work file. The
//! order in the file follows from times alone, so it does not matter when sound came.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::mpsc::{Receiver, Sender};

use super::aac::Aac;
use super::avc::Avc;
use super::{Coded, Order, Sound, Video, clock};
use crate::Error;
use crate::color::I420;
use crate::mp4::{SoundTrack, Table, VideoTrack};

/// Seconds of picture between two stretches of sound in the file.
const STRETCH: f64 = 0.5;

pub(super) struct Muxer {
    video: Video,
    out: BufWriter<File>,
    avc: Avc,
    track: VideoTrack,
    sound: Option<SoundQueue>,
    /// Bytes written.
    bytes: u64,
    /// Whether the last sample written was sound.
    sound_last: bool,
    sample: Vec<u8>,
    /// When the next stretch of sound is due.
    due: f64,
}

/// The result of the thread: the tables of the work file.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) video: VideoTrack,
    pub(super) sound: Option<SoundTrack>,
    pub(super) bytes: u64,
}

/// The encoded sound on its way into the file.
struct SoundQueue {
    aac: Option<Aac>,
    waiting: VecDeque<Box<[u8]>>,
    track: SoundTrack,
}

impl SoundQueue {
    fn new(sound: Sound) -> Result<Self, Error> {
        let (aac, coded) = match sound {
            Sound::Stereo { rate } => {
                let aac = Aac::new(rate)?;
                let coded = aac.stream();
                (Some(aac), coded)
            }
            Sound::Coded(coded) => (None, coded),
        };
        let Coded {
            rate,
            channels,
            config,
            packet,
            skip,
            packets,
        } = coded;
        if rate == 0 || packet == 0 || config.is_empty() || config.len() > 100 {
            return Err(Error::Settings(
                "encoded sound needs a rate, packets and a configuration".into(),
            ));
        }
        Ok(Self {
            aac,
            waiting: packets.into(),
            track: SoundTrack {
                rate,
                channels,
                config,
                packet,
                skip,
                heard: 0,
                table: Table::default(),
            },
        })
    }

    /// How many packets cover this many seconds.
    fn packets_for(&self, seconds: f64) -> u64 {
        let samples = (seconds * f64::from(self.track.rate)).ceil() as u64 + self.track.skip;
        samples.div_ceil(u64::from(self.track.packet))
    }
}

impl Muxer {
    pub(super) fn new(video: Video, sound: Option<Sound>, out: BufWriter<File>) -> Result<Self, Error> {
        Ok(Self {
            avc: Avc::new(&video)?,
            track: VideoTrack {
                width: video.width,
                height: video.height,
                ticks: clock(video.rate).1,
                sps: Vec::new(),
                pps: Vec::new(),
                table: Table::default(),
                keys: Vec::new(),
            },
            video,
            out,
            sound: sound.map(SoundQueue::new).transpose()?,
            bytes: 0,
            sound_last: false,
            sample: Vec::new(),
            due: 0.0,
        })
    }

    /// Encodes until the sender is dropped.
    pub(super) fn work(mut self, orders: &Receiver<Order>, empties: &Sender<I420>) -> Result<Tables, Error> {
        for order in orders {
            match order {
                Order::Frame(frame) => {
                    self.frame(&frame)?;
                    // At the end, nobody takes the frame back.
                    let _ = empties.send(frame);
                }
                Order::Samples(samples) => {
                    let Some(SoundQueue {
                        aac: Some(aac),
                        waiting,
                        ..
                    }) = &mut self.sound
                    else {
                        continue;
                    };
                    aac.feed(&samples, |packet| waiting.push_back(packet.into()))?;
                }
            }
        }
        self.finish()
    }

    fn frame(&mut self, frame: &I420) -> Result<(), Error> {
        let number = self.track.table.sizes.len() as u64;
        let now = self.video.rate.time_of(number);
        if now >= self.due {
            self.due += STRETCH;
            self.lay_sound(now + STRETCH)?;
        }
        let mut sample = std::mem::take(&mut self.sample);
        if self.avc.code(frame, &mut sample)? {
            self.track.keys.push(number as u32);
        }
        let new_chunk = self.sound_last || number == 0;
        self.track.table.add(self.bytes, sample.len() as u32, new_chunk);
        self.sound_last = false;
        self.write(&sample)?;
        self.sample = sample;
        Ok(())
    }

    /// Writes the sound that is heard before a time, as far as it is available.
    fn lay_sound(&mut self, until: f64) -> Result<(), Error> {
        let Some(mut band) = self.sound.take() else {
            return Ok(());
        };
        let packets = band.packets_for(until);
        while (band.track.table.sizes.len() as u64) < packets
            && let Some(packet) = band.waiting.pop_front()
        {
            band.track
                .table
                .add(self.bytes, packet.len() as u32, !self.sound_last);
            self.sound_last = true;
            self.write(&packet)?;
        }
        self.sound = Some(band);
        Ok(())
    }

    fn finish(mut self) -> Result<Tables, Error> {
        let length = self.video.rate.time_of(self.track.table.sizes.len() as u64);
        if let Some(band) = &mut self.sound {
            let wanted = (length * f64::from(band.track.rate)).round() as u64;
            if let Some(aac) = &mut band.aac {
                let missing = wanted.saturating_sub(aac.taken) as usize;
                let waiting = &mut band.waiting;
                aac.feed(&vec![0.0; 2 * missing], |packet| waiting.push_back(packet.into()))?;
                aac.finish(|packet| waiting.push_back(packet.into()))?;
            }
            let there = band.track.table.sizes.len() + band.waiting.len();
            let there = (there as u64 * u64::from(band.track.packet)).saturating_sub(band.track.skip);
            band.track.heard = wanted.min(there);
        }
        self.lay_sound(length)?;
        self.out.flush()?;
        self.track.sps = self.avc.sps;
        self.track.pps = self.avc.pps;
        let sound = self
            .sound
            .map(|band| band.track)
            .filter(|track| !track.table.sizes.is_empty());
        Ok(Tables {
            video: self.track,
            sound,
            bytes: self.bytes,
        })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}
