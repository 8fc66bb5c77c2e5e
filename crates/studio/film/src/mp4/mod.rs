//! The MP4 file around coded frames and sound (ISO/IEC 14496-12, -14 and -15).

mod boxes;
mod movie;

pub(crate) use movie::{Movie, SoundTrack, Table, VideoTrack};
