//! One track: what it holds, how it is shown, and how long its samples last.

use std::io::{Read, Seek};

use super::{Part, coded::Coded, each, table::Samples};
use crate::{probe::TOLERANCE, source::Source};

#[derive(Default)]
pub(super) struct Track {
    pub(super) id: u32,
    pub(super) enabled: bool,
    pub(super) samples: Samples,
    /// Of a sample in a fragment that does not say.
    pub(super) sample_duration: u32,
    handler: [u8; 4],
    shown: Option<(u32, u32)>,
    pictured: Option<(u32, u32)>,
    turned: bool,
    timescale: u32,
    /// The decoded form of each sample of sound.
    coded: Option<Coded>,
}

impl Track {
    pub(super) fn read<R: Read + Seek>(source: &mut Source<R>, trak: &Part) -> Self {
        let mut track = Self::default();
        track.header(source, trak);
        track.samples.tables(source);
        track
    }

    pub(super) fn is_video(&self) -> bool {
        self.handler == *b"vide"
    }

    pub(super) fn is_sound(&self) -> bool {
        self.handler == *b"soun"
    }

    /// Width and height as shown.
    pub(super) fn picture(&self) -> Option<(u32, u32)> {
        let real = |size: &(u32, u32)| size.0 > 0 && size.1 > 0;
        let (width, height) = self.shown.filter(real).or(self.pictured)?;
        Some(if self.turned {
            (height, width)
        } else {
            (width, height)
        })
    }

    /// How long the samples last that are shown. `movie` is the movie's units per second. Decoders of sound ignore the
    /// times in the tables, so the duration of the decoded samples counts if it is longer.
    pub(super) fn seconds(&self, movie: u32) -> Option<f64> {
        let rate = f64::from(self.timescale);
        let shown = if rate > 0.0 {
            self.samples.units(self.timescale, movie) as f64 / rate
        } else {
            0.0
        };
        let timed = if rate > 0.0 {
            self.samples.lasting as f64 / rate
        } else {
            0.0
        };
        let decoded = self.coded.map_or(0.0, |coded| coded.seconds(self.samples.count));
        let seconds = if decoded > timed + TOLERANCE {
            decoded
        } else {
            shown
        };
        (seconds > 0.0).then_some(seconds)
    }

    fn header<R: Read + Seek>(&mut self, source: &mut Source<R>, parent: &Part) {
        each(source, parent, |source, part| {
            match &part.kind {
                b"tkhd" => self.track_header(source, part.body)?,
                b"mdia" | b"minf" | b"stbl" | b"edts" => self.nested(source, part),
                b"mdhd" => self.timescale = timescale(source, part.body)?,
                // Inside `minf`, QuickTime has a second handler, of the data.
                b"hdlr" if parent.kind == *b"mdia" => self.handler = source.array(part.body + 8)?,
                // The first entry's width and height, where it is one of pictures.
                b"stsd" => {
                    let width = source.be16(part.body + 40)?.into();
                    let height = source.be16(part.body + 42)?.into();
                    self.pictured = Some((width, height));
                    self.coded = Coded::read(source, part);
                }
                _ => self.samples.note(source, part)?,
            }
            Some(())
        });
    }

    /// One level down. The names fix the levels, so the depth is bounded by what `enter` counts.
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
}

/// Units per second of a `mdhd` or `mvhd`.
pub(super) fn timescale<R: Read + Seek>(source: &mut Source<R>, body: u64) -> Option<u32> {
    let version = source.u8(body)?;
    source.be32(body + if version == 1 { 20 } else { 12 })
}
