//! ISO base media (MP4, MOV, M4A): tracks, picture size after the track's matrix, duration.
//! After ISO/IEC 14496-12. Fragmented files, which a browser's recorder writes, have their duration in the fragments.

use std::io::{Read, Seek};

use atelier_domain::MediaType;

use super::Found;
use crate::source::Source;

/// Tracks remembered; real files have a handful.
const TRACKS: usize = 64;

/// A box: its type, and where its contents begin and end.
struct Part {
    kind: [u8; 4],
    body: u64,
    end: u64,
}

#[derive(Default)]
struct Movie {
    /// Seconds, from the header.
    duration: Option<f64>,
    /// Units per second of the movie's own times.
    timescale: u32,
    tracks: Vec<Track>,
    fragmented: bool,
}

#[derive(Default)]
struct Track {
    id: u32,
    handler: [u8; 4],
    enabled: bool,
    shown: Option<(u32, u32)>,
    coded: Option<(u32, u32)>,
    turned: bool,
    timescale: u32,
    /// Seconds.
    duration: Option<f64>,
    /// Of a sample in a fragment that does not say.
    sample_duration: u32,
    /// Units up to the end of the last fragment seen.
    fragments_end: u64,
}

pub(super) fn read<R: Read + Seek>(source: &mut Source<R>, found: &mut Found) {
    let mut movie = Movie::default();
    let (mut at, end) = (0, source.size());
    while let Some(part) = part(source, at, end) {
        match &part.kind {
            b"moov" => movie.header(source, &part),
            b"moof" if movie.fragmented => movie.fragment(source, &part),
            _ => {}
        }
        at = part.end;
    }
    movie.tell(found);
}

impl Movie {
    fn tell(&self, found: &mut Found) {
        let videos = || self.tracks.iter().filter(|track| track.handler == *b"vide");
        let audible = self.tracks.iter().any(|track| track.handler == *b"soun");
        // Pictures of chapters are video tracks too, switched off.
        let video = videos().find(|track| track.enabled);
        found.media_type = match found.media_type {
            MediaType::M4a if video.is_some() => MediaType::Mp4,
            MediaType::Mp4 if audible && videos().next().is_none() => MediaType::M4a,
            other => other,
        };
        if found.media_type != MediaType::M4a
            && let Some(track) = video.or_else(|| videos().next())
        {
            found.picture(track.picture());
        }
        found.duration = self
            .duration
            .or_else(|| longest(self.tracks.iter().map(Track::fragments)))
            .or_else(|| longest(self.tracks.iter().map(|track| track.duration)));
    }

    fn header<R: Read + Seek>(&mut self, source: &mut Source<R>, moov: &Part) {
        each(source, moov, |source, part| match &part.kind {
            b"mvhd" => {
                let (timescale, duration) = times(source, part.body)?;
                self.timescale = timescale;
                self.duration = seconds(duration, timescale);
                Some(())
            }
            b"trak" if self.tracks.len() < TRACKS => {
                let mut track = Track::default();
                track.header(source, part);
                self.tracks.push(track);
                Some(())
            }
            b"mvex" => {
                self.fragmented = true;
                each(source, part, |source, part| self.extension(source, part));
                Some(())
            }
            _ => Some(()),
        });
    }

    fn extension<R: Read + Seek>(&mut self, source: &mut Source<R>, part: &Part) -> Option<()> {
        match &part.kind {
            b"mehd" => {
                let duration = match source.u8(part.body)? {
                    0 => source.be32(part.body + 4)?.into(),
                    _ => u64::from_be_bytes(source.array(part.body + 4)?),
                };
                self.duration = self.duration.or(seconds(duration, self.timescale));
            }
            b"trex" => {
                let id = source.be32(part.body + 4)?;
                let duration = source.be32(part.body + 12)?;
                self.track(id)?.sample_duration = duration;
            }
            _ => {}
        }
        Some(())
    }

    fn fragment<R: Read + Seek>(&mut self, source: &mut Source<R>, moof: &Part) {
        each(source, moof, |source, traf| {
            if traf.kind != *b"traf" {
                return Some(());
            }
            let mut current = None;
            let mut sample_duration = 0;
            each(source, traf, |source, part| {
                match &part.kind {
                    b"tfhd" => {
                        let flags = source.be32(part.body)?;
                        let track = self.track(source.be32(part.body + 4)?)?;
                        let skipped = u64::from(flags & 1) * 8 + u64::from(flags >> 1 & 1) * 4;
                        sample_duration = match flags & 8 {
                            0 => track.sample_duration,
                            _ => source.be32(part.body + 8 + skipped)?,
                        };
                        current = Some(track.id);
                    }
                    b"tfdt" => {
                        let start = match source.u8(part.body)? {
                            0 => source.be32(part.body + 4)?.into(),
                            _ => u64::from_be_bytes(source.array(part.body + 4)?),
                        };
                        self.track(current?)?.fragments_end = start;
                    }
                    b"trun" => {
                        let length = run_length(source, part, sample_duration)?;
                        let track = self.track(current?)?;
                        track.fragments_end = track.fragments_end.saturating_add(length);
                    }
                    _ => {}
                }
                Some(())
            });
            Some(())
        });
    }

    fn track(&mut self, id: u32) -> Option<&mut Track> {
        self.tracks.iter_mut().find(|track| track.id == id)
    }
}

impl Track {
    fn header<R: Read + Seek>(&mut self, source: &mut Source<R>, parent: &Part) {
        each(source, parent, |source, part| {
            match &part.kind {
                b"tkhd" => self.track_header(source, part.body)?,
                b"mdia" | b"minf" | b"stbl" => self.nested(source, part),
                b"mdhd" => {
                    let (timescale, duration) = times(source, part.body)?;
                    self.timescale = timescale;
                    self.duration = seconds(duration, timescale);
                }
                // Inside `minf`, QuickTime has a second handler, of the data.
                b"hdlr" if parent.kind == *b"mdia" => self.handler = source.array(part.body + 8)?,
                // The first entry's width and height, where it is one of pictures.
                b"stsd" => {
                    let width = source.be16(part.body + 40)?.into();
                    let height = source.be16(part.body + 42)?.into();
                    self.coded = Some((width, height));
                }
                _ => {}
            }
            Some(())
        });
    }

    /// One level down; the levels are fixed by the names, so the depth is bounded by what `depth` counts.
    fn nested<R: Read + Seek>(&mut self, source: &mut Source<R>, part: &Part) {
        if source.enter() {
            self.header(source, part);
            source.leave();
        }
    }

    fn track_header<R: Read + Seek>(&mut self, source: &mut Source<R>, body: u64) -> Option<()> {
        let flags = source.be32(body)?;
        self.enabled = flags & 1 != 0;
        // Version 1 has three times of twice the width.
        let (id, matrix) = if flags >> 24 == 1 { (20, 52) } else { (12, 40) };
        self.id = source.be32(body + id)?;
        let cell = |source: &mut Source<R>, index: u64| source.be32(body + matrix + 4 * index);
        let (a, b, c, d) = (
            cell(source, 0)?,
            cell(source, 1)?,
            cell(source, 3)?,
            cell(source, 4)?,
        );
        self.turned = a == 0 && d == 0 && b != 0 && c != 0;
        // 16.16 fixed point.
        let side = |value: u32| (value >> 16) + (value >> 15 & 1);
        self.shown = Some((side(cell(source, 9)?), side(cell(source, 10)?)));
        Some(())
    }

    fn picture(&self) -> Option<(u32, u32)> {
        let real = |size: &(u32, u32)| size.0 > 0 && size.1 > 0;
        let (width, height) = self.shown.filter(real).or(self.coded)?;
        Some(if self.turned {
            (height, width)
        } else {
            (width, height)
        })
    }

    fn fragments(&self) -> Option<f64> {
        seconds(self.fragments_end, self.timescale)
    }
}

/// The sum of the durations of a run's samples.
fn run_length<R: Read + Seek>(source: &mut Source<R>, trun: &Part, sample_duration: u32) -> Option<u64> {
    let flags = source.be32(trun.body)?;
    let count = u64::from(source.be32(trun.body + 4)?);
    if flags & 0x100 == 0 {
        return count.checked_mul(sample_duration.into());
    }
    let step = 4 * u64::from((flags >> 8 & 0xf).count_ones());
    let mut at = trun.body + 8 + 4 * u64::from(flags & 1) + 4 * u64::from(flags >> 2 & 1);
    let mut sum = 0_u64;
    for _ in 0..count {
        if at >= trun.end {
            break;
        }
        sum += u64::from(source.be32(at)?);
        at += step;
    }
    Some(sum)
}

/// Timescale and duration of a `mvhd` or `mdhd`.
fn times<R: Read + Seek>(source: &mut Source<R>, body: u64) -> Option<(u32, u64)> {
    if source.u8(body)? == 1 {
        return Some((
            source.be32(body + 20)?,
            u64::from_be_bytes(source.array(body + 24)?),
        ));
    }
    let duration = source.be32(body + 16)?;
    // All ones stand for "unknown".
    Some((
        source.be32(body + 12)?,
        if duration == u32::MAX { 0 } else { duration.into() },
    ))
}

fn seconds(duration: u64, timescale: u32) -> Option<f64> {
    (duration > 0 && duration != u64::MAX && timescale > 0).then(|| duration as f64 / f64::from(timescale))
}

fn longest(durations: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    durations.flatten().reduce(f64::max)
}

/// Calls `visit` for each box inside `parent`. A box that cannot be read is passed over.
fn each<R: Read + Seek>(
    source: &mut Source<R>,
    parent: &Part,
    mut visit: impl FnMut(&mut Source<R>, &Part) -> Option<()>,
) {
    let mut at = parent.body;
    while let Some(part) = part(source, at, parent.end) {
        at = part.end;
        let _unreadable = visit(source, &part);
    }
}

/// The box at `at`. One that claims to reach beyond `end` ends there; each is at least its header long.
fn part<R: Read + Seek>(source: &mut Source<R>, at: u64, end: u64) -> Option<Part> {
    if at.checked_add(8)? > end {
        return None;
    }
    let size = source.be32(at)?;
    let kind = source.array(at + 4)?;
    let (header, size) = match size {
        0 => (8, end - at),
        1 => (16, u64::from_be_bytes(source.array(at + 8)?)),
        size => (8, size.into()),
    };
    if size < header {
        return None;
    }
    Some(Part {
        kind,
        body: at + header,
        end: at.saturating_add(size).min(end),
    })
}
