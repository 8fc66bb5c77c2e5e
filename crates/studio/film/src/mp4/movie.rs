//! The movie box: the tracks, their codecs, and where each sample is.

use super::boxes::{boxed, full, runs, u16s, u32s, u64s, upright};
use crate::tags::Tags;

/// The positions of a track's samples.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    /// Bytes of each sample.
    pub(crate) sizes: Vec<u32>,
    /// For each run of adjacent samples: its start in the media data, and its number of samples.
    pub(crate) chunks: Vec<(u64, u32)>,
}

impl Table {
    /// Records a sample written at `offset`. `new_chunk` is true if another track's sample was written before it.
    pub(crate) fn add(&mut self, offset: u64, size: u32, new_chunk: bool) {
        self.sizes.push(size);
        match self.chunks.last_mut() {
            Some((_, samples)) if !new_chunk => *samples += 1,
            _ => self.chunks.push((offset, 1)),
        }
    }
}

#[derive(Debug)]
pub(crate) struct VideoTrack {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Duration of a frame, in ticks of the movie's clock.
    pub(crate) ticks: u32,
    pub(crate) sps: Vec<u8>,
    pub(crate) pps: Vec<u8>,
    pub(crate) table: Table,
    /// Numbers of the key frames, counted from 0.
    pub(crate) keys: Vec<u32>,
}

#[derive(Debug)]
pub(crate) struct SoundTrack {
    pub(crate) rate: u32,
    pub(crate) channels: u16,
    /// The AudioSpecificConfig of ISO/IEC 14496-3.
    pub(crate) config: Vec<u8>,
    /// Samples per packet.
    pub(crate) packet: u32,
    /// Samples to skip before the first audible one.
    pub(crate) skip: u64,
    /// Audible samples.
    pub(crate) heard: u64,
    pub(crate) table: Table,
}

/// Everything that comes before the media data.
#[derive(Debug)]
pub(crate) struct Movie<'a> {
    /// Ticks per second, for the movie and the video.
    pub(crate) clock: u32,
    pub(crate) video: &'a VideoTrack,
    pub(crate) sound: Option<&'a SoundTrack>,
    pub(crate) tags: &'a Tags,
    /// Bytes of media data.
    pub(crate) media: u64,
}

const LANGUAGE_UNDETERMINED: u16 = 0x55c4;
/// The id of the box that holds XMP (ISO 16684-3).
const XMP: [u8; 16] = [
    0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
];

impl Movie<'_> {
    /// The file up to its media data, including that box's header. Readers find the tables before the data.
    pub(crate) fn head(&self) -> Vec<u8> {
        // The tables contain the position of the media data, but their length does not depend on it.
        let draft = self.with_media_at(0);
        self.with_media_at(draft.len() as u64)
    }

    fn with_media_at(&self, start: u64) -> Vec<u8> {
        let mut out = Vec::new();
        boxed(&mut out, *b"ftyp", |out| {
            out.extend_from_slice(b"isom\0\0\x02\0isomiso2avc1mp41");
        });
        boxed(&mut out, *b"moov", |out| {
            self.header(out);
            self.video(out, start);
            if let Some(sound) = self.sound {
                self.sound(out, sound, start);
            }
            boxed(out, *b"udta", |out| tags(out, self.tags));
        });
        if let Some(xmp) = &self.tags.xmp {
            boxed(&mut out, *b"uuid", |out| {
                out.extend_from_slice(&XMP);
                out.extend_from_slice(xmp.as_bytes());
            });
        }
        if self.is_large() {
            u32s(&mut out, &[1]);
            out.extend_from_slice(b"mdat");
            u64s(&mut out, &[self.media + 16]);
        } else {
            u32s(&mut out, &[self.media as u32 + 8]);
            out.extend_from_slice(b"mdat");
        }
        out
    }

    fn is_large(&self) -> bool {
        // The tables are far smaller than the room left here.
        self.media > 0xf000_0000
    }

    fn length(&self) -> u32 {
        self.video.table.sizes.len() as u32 * self.video.ticks
    }

    fn header(&self, out: &mut Vec<u8>) {
        full(out, *b"mvhd", 0, 0, |out| {
            // Creation times stay zero, so that the same film is the same file.
            u32s(out, &[0, 0, self.clock, self.length(), 0x1_0000]);
            u16s(out, &[0x100, 0]);
            u32s(out, &[0, 0]);
            upright(out);
            u32s(out, &[0; 6]);
            u32s(out, &[if self.sound.is_some() { 3 } else { 2 }]);
        });
    }

    fn video(&self, out: &mut Vec<u8>, start: u64) {
        let video = self.video;
        boxed(out, *b"trak", |out| {
            track_header(out, 1, self.length(), 0, (video.width, video.height));
            boxed(out, *b"mdia", |out| {
                media_header(out, self.clock, self.length());
                handler(out, *b"vide", "VideoHandler");
                boxed(out, *b"minf", |out| {
                    full(out, *b"vmhd", 0, 1, |out| u16s(out, &[0; 4]));
                    here(out);
                    boxed(out, *b"stbl", |out| {
                        full(out, *b"stsd", 0, 0, |out| {
                            u32s(out, &[1]);
                            avc1(out, video);
                        });
                        full(out, *b"stts", 0, 0, |out| {
                            u32s(out, &[1, video.table.sizes.len() as u32, video.ticks]);
                        });
                        full(out, *b"stss", 0, 0, |out| {
                            u32s(out, &[video.keys.len() as u32]);
                            out.extend(video.keys.iter().flat_map(|key| (key + 1).to_be_bytes()));
                        });
                        self.places(out, &video.table, start);
                    });
                });
            });
        });
    }

    fn sound(&self, out: &mut Vec<u8>, sound: &SoundTrack, start: u64) {
        let heard = (sound.heard * u64::from(self.clock)).div_ceil(u64::from(sound.rate)) as u32;
        let heard = heard.min(self.length());
        let packets = sound.table.sizes.len() as u32;
        boxed(out, *b"trak", |out| {
            track_header(out, 2, heard, 0x100, (0, 0));
            boxed(out, *b"edts", |out| {
                full(out, *b"elst", 0, 0, |out| {
                    u32s(out, &[1, heard, sound.skip as u32, 0x1_0000]);
                });
            });
            boxed(out, *b"mdia", |out| {
                media_header(out, sound.rate, packets * sound.packet);
                handler(out, *b"soun", "SoundHandler");
                boxed(out, *b"minf", |out| {
                    full(out, *b"smhd", 0, 0, |out| u16s(out, &[0, 0]));
                    here(out);
                    boxed(out, *b"stbl", |out| {
                        full(out, *b"stsd", 0, 0, |out| {
                            u32s(out, &[1]);
                            mp4a(out, sound);
                        });
                        full(out, *b"stts", 0, 0, |out| u32s(out, &[1, packets, sound.packet]));
                        self.places(out, &sound.table, start);
                    });
                });
            });
        });
    }

    fn places(&self, out: &mut Vec<u8>, table: &Table, start: u64) {
        full(out, *b"stsc", 0, 0, |out| {
            let runs = runs(table.chunks.iter().map(|(_, samples)| *samples));
            u32s(out, &[runs.len() as u32]);
            let mut first = 1;
            for (chunks, samples) in runs {
                u32s(out, &[first, samples, 1]);
                first += chunks;
            }
        });
        full(out, *b"stsz", 0, 0, |out| {
            u32s(out, &[0, table.sizes.len() as u32]);
            u32s(out, &table.sizes);
        });
        let count = [table.chunks.len() as u32];
        let places = table.chunks.iter().map(|(offset, _)| start + offset);
        if self.is_large() {
            full(out, *b"co64", 0, 0, |out| {
                u32s(out, &count);
                out.extend(places.flat_map(u64::to_be_bytes));
            });
        } else {
            full(out, *b"stco", 0, 0, |out| {
                u32s(out, &count);
                out.extend(places.flat_map(|place| (place as u32).to_be_bytes()));
            });
        }
    }
}

fn track_header(out: &mut Vec<u8>, id: u32, length: u32, volume: u16, (width, height): (u32, u32)) {
    // Enabled, and part of the presentation.
    full(out, *b"tkhd", 0, 3, |out| {
        u32s(out, &[0, 0, id, 0, length, 0, 0]);
        u16s(out, &[0, 0, volume, 0]);
        upright(out);
        u32s(out, &[width << 16, height << 16]);
    });
}

fn media_header(out: &mut Vec<u8>, clock: u32, length: u32) {
    full(out, *b"mdhd", 0, 0, |out| {
        u32s(out, &[0, 0, clock, length]);
        u16s(out, &[LANGUAGE_UNDETERMINED, 0]);
    });
}

fn handler(out: &mut Vec<u8>, kind: [u8; 4], name: &str) {
    full(out, *b"hdlr", 0, 0, |out| {
        u32s(out, &[0]);
        out.extend_from_slice(&kind);
        u32s(out, &[0; 3]);
        out.extend_from_slice(name.as_bytes());
        out.push(0);
    });
}

/// A data reference that says: the media data is in this file.
fn here(out: &mut Vec<u8>) {
    boxed(out, *b"dinf", |out| {
        full(out, *b"dref", 0, 0, |out| {
            u32s(out, &[1]);
            full(out, *b"url ", 0, 1, |_| {});
        });
    });
}

fn avc1(out: &mut Vec<u8>, video: &VideoTrack) {
    boxed(out, *b"avc1", |out| {
        u32s(out, &[0]);
        u16s(out, &[0, 1]);
        u32s(out, &[0; 4]);
        u16s(out, &[video.width as u16, video.height as u16]);
        u32s(out, &[0x48_0000, 0x48_0000, 0]);
        u16s(out, &[1]);
        out.extend_from_slice(&[0; 32]);
        u16s(out, &[24, 0xffff]);
        boxed(out, *b"avcC", |out| {
            // Lengths of four bytes, one parameter set of each kind. High names its chroma format and bit depths.
            out.extend_from_slice(&[1, video.sps[1], video.sps[2], video.sps[3], 0xff, 0xe1]);
            u16s(out, &[video.sps.len() as u16]);
            out.extend_from_slice(&video.sps);
            out.push(1);
            u16s(out, &[video.pps.len() as u16]);
            out.extend_from_slice(&video.pps);
            if video.sps[1] >= 100 {
                out.extend_from_slice(&[0xfd, 0xf8, 0xf8, 0]);
            }
        });
        boxed(out, *b"colr", |out| {
            out.extend_from_slice(b"nclx");
            // BT.709 primaries, transfer and matrix, limited range.
            u16s(out, &[1, 1, 1]);
            out.push(0);
        });
        boxed(out, *b"pasp", |out| u32s(out, &[1, 1]));
    });
}

fn mp4a(out: &mut Vec<u8>, sound: &SoundTrack) {
    boxed(out, *b"mp4a", |out| {
        u32s(out, &[0]);
        u16s(out, &[0, 1]);
        u32s(out, &[0; 2]);
        u16s(out, &[sound.channels, 16, 0, 0]);
        u32s(out, &[sound.rate.min(0xffff) << 16]);
        full(out, *b"esds", 0, 0, |out| {
            let config = sound.config.len() as u8;
            // ES descriptor, decoder configuration (AAC, audio stream), its specific part, and SL "as in MP4".
            out.extend_from_slice(&[3, 23 + config, 0, 2, 0, 4, 15 + config, 0x40, 0x15, 0, 0, 0]);
            u32s(out, &[0, 0]);
            out.extend_from_slice(&[5, config]);
            out.extend_from_slice(&sound.config);
            out.extend_from_slice(&[6, 1, 2]);
        });
    });
}

/// Writes title, encoder and comment where players and file managers look for them.
fn tags(out: &mut Vec<u8>, tags: &Tags) {
    full(out, *b"meta", 0, 0, |out| {
        full(out, *b"hdlr", 0, 0, |out| {
            out.extend_from_slice(b"\0\0\0\0mdirappl\0\0\0\0\0\0\0\0\0");
        });
        boxed(out, *b"ilst", |out| {
            for (name, text) in [
                (*b"\xa9nam", &tags.title),
                (*b"\xa9too", &tags.encoder),
                (*b"\xa9cmt", &tags.comment),
            ] {
                if text.is_empty() {
                    continue;
                }
                boxed(out, name, |out| {
                    boxed(out, *b"data", |out| {
                        u32s(out, &[1, 0]);
                        out.extend_from_slice(text.as_bytes());
                    });
                });
            }
        });
    });
}
