//! Fragments (`moof`), which a browser's recorder writes: their runs of samples add to the tracks.

use std::io::{Read, Seek};

use super::{Movie, Part, each, table::fragment_run};
use crate::source::Source;

impl Movie {
    /// Notes the duration of samples that do not say theirs.
    pub(super) fn extension<R: Read + Seek>(&mut self, source: &mut Source<R>, part: &Part) -> Option<()> {
        if part.kind == *b"trex" {
            let id = source.be32(part.body + 4)?;
            let duration = source.be32(part.body + 12)?;
            self.track(id)?.sample_duration = duration;
        }
        Some(())
    }

    pub(super) fn fragment<R: Read + Seek>(&mut self, source: &mut Source<R>, moof: &Part) {
        each(source, moof, |source, traf| {
            if traf.kind == *b"traf" {
                self.track_fragment(source, traf);
            }
            Some(())
        });
    }

    fn track_fragment<R: Read + Seek>(&mut self, source: &mut Source<R>, traf: &Part) {
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
                    self.track(current?)?.samples.fragment_starts(start);
                }
                b"trun" => {
                    let track = self.track(current?)?;
                    fragment_run(source, part, sample_duration, &mut track.samples)?;
                }
                _ => {}
            }
            Some(())
        });
    }
}
