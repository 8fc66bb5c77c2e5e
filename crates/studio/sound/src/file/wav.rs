//! Writes WAV files (RIFF), with their tags in a LIST chunk.

use super::{Audio, Tags};

/// The sample format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    Bits16,
    Bits24,
    Float32,
}

impl Depth {
    fn bytes(self) -> u16 {
        match self {
            Self::Bits16 => 2,
            Self::Bits24 => 3,
            Self::Float32 => 4,
        }
    }
}

/// A whole file.
pub(super) fn bytes(audio: &Audio, depth: Depth, tags: &Tags) -> Vec<u8> {
    let data_length = audio.frames() * audio.channels.len() * usize::from(depth.bytes());
    let mut file = Vec::with_capacity(data_length + 512);
    file.extend(b"RIFF\0\0\0\0WAVE");
    chunk(&mut file, "fmt ", &format(audio, depth));
    file.extend(b"data");
    file.extend((data_length as u32).to_le_bytes());
    for frame in 0..audio.frames() {
        for channel in &audio.channels {
            put(&mut file, channel[frame], depth);
        }
    }
    if data_length % 2 == 1 {
        file.push(0);
    }
    chunk(&mut file, "LIST", &notes(tags));
    let length = (file.len() - 8) as u32;
    file[4..8].copy_from_slice(&length.to_le_bytes());
    file
}

fn put(file: &mut Vec<u8>, x: f32, depth: Depth) {
    match depth {
        Depth::Bits16 => {
            let value = (x * 32_768.0).round().clamp(-32_768.0, 32_767.0) as i16;
            file.extend(value.to_le_bytes());
        }
        Depth::Bits24 => {
            let value = (f64::from(x) * 8_388_608.0)
                .round()
                .clamp(-8_388_608.0, 8_388_607.0) as i32;
            file.extend(&value.to_le_bytes()[..3]);
        }
        Depth::Float32 => file.extend(x.to_le_bytes()),
    }
}

/// The body of the `fmt ` chunk. More than two channels require the extensible format.
fn format(audio: &Audio, depth: Depth) -> Vec<u8> {
    let channels = audio.channels.len() as u16;
    let block = channels * depth.bytes();
    let tag: u16 = if depth == Depth::Float32 { 3 } else { 1 };
    let extensible = channels > 2;
    let mut body = Vec::new();
    body.extend(if extensible { 0xfffe } else { tag }.to_le_bytes());
    body.extend(channels.to_le_bytes());
    body.extend(audio.rate.to_le_bytes());
    body.extend((audio.rate * u32::from(block)).to_le_bytes());
    body.extend(block.to_le_bytes());
    body.extend((8 * depth.bytes()).to_le_bytes());
    if extensible {
        body.extend(22_u16.to_le_bytes());
        body.extend((8 * depth.bytes()).to_le_bytes());
        body.extend(((1_u32 << channels) - 1).to_le_bytes());
        body.extend(tag.to_le_bytes());
        body.extend([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]);
    }
    body
}

/// The body of the LIST chunk: title, artist and comments.
fn notes(tags: &Tags) -> Vec<u8> {
    let mut body = b"INFO".to_vec();
    let mut note = |id: &str, text: &str| {
        let mut text = text.as_bytes().to_vec();
        text.push(0);
        chunk(&mut body, id, &text);
    };
    if let Some(title) = &tags.title {
        note("INAM", title);
    }
    note("IART", &tags.artist);
    let extra = tags.extra.iter().map(|(name, value)| format!("{name}={value}"));
    let remarks: Vec<String> = std::iter::once(tags.comment.clone()).chain(extra).collect();
    note("ICMT", &remarks.join("; "));
    body
}

fn chunk(file: &mut Vec<u8>, id: &str, body: &[u8]) {
    file.extend(id.as_bytes());
    file.extend((body.len() as u32).to_le_bytes());
    file.extend(body);
    if body.len() % 2 == 1 {
        file.push(0);
    }
}
