//! ISO base media (MP4, MOV, M4A): tracks, picture size after the track's matrix, duration.
//! After ISO/IEC 14496-12. The duration is that of the longest track of pictures or sound, by its samples; the
//! durations in the headers of movie and tracks are not read at all.

mod coded;
mod fragment;
mod table;
mod track;

use std::io::{Read, Seek};

use atelier_domain::MediaType;

use self::track::Track;
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
    /// Units per second.
    timescale: u32,
    tracks: Vec<Track>,
    /// Whether there are more tracks than are remembered.
    crowded: bool,
}

pub(super) fn read<R: Read + Seek>(source: &mut Source<R>, found: &mut Found) {
    let mut movie = Movie::default();
    let (mut at, end) = (0, source.size());
    while let Some(part) = part(source, at, end) {
        match &part.kind {
            b"moov" => movie.header(source, &part),
            b"moof" => movie.fragment(source, &part),
            _ => {}
        }
        at = part.end;
    }
    movie.tell(found);
}

impl Movie {
    fn tell(&self, found: &mut Found) {
        let videos = || self.tracks.iter().filter(|track| track.is_video());
        let audible = self.tracks.iter().any(Track::is_sound);
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
        // Decoders choose a track in different ways, so the longest one counts.
        let durations = self
            .tracks
            .iter()
            .filter(|track| track.is_video() || track.is_sound())
            .filter_map(|track| track.seconds(self.timescale));
        found.duration = durations.reduce(f64::max).filter(|_| !self.crowded);
    }

    fn header<R: Read + Seek>(&mut self, source: &mut Source<R>, moov: &Part) {
        each(source, moov, |source, part| {
            match &part.kind {
                b"mvhd" => self.timescale = track::timescale(source, part.body)?,
                b"trak" if self.tracks.len() < TRACKS => self.tracks.push(Track::read(source, part)),
                b"trak" => self.crowded = true,
                b"mvex" => each(source, part, |source, part| self.extension(source, part)),
                _ => {}
            }
            Some(())
        });
    }

    fn track(&mut self, id: u32) -> Option<&mut Track> {
        self.tracks.iter_mut().find(|track| track.id == id)
    }
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
