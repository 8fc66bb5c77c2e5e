//! Files to upload, generated while they are sent: valid WAV files of the largest allowed size, all different.

use crate::error::Result;
use crate::http::Connection;

/// The default upload limit, in bytes.
pub(crate) const SIZE: usize = 25 << 20;
/// The size of one write.
const CHUNK: usize = 64 << 10;
const BOUNDARY: &str = "bench-boundary";
const WAV_HEAD: usize = 44;

/// Uploads a file of [`SIZE`] bytes. Each number has a different file.
pub(crate) async fn upload(port: u16, key: &str, number: u64) -> Result<()> {
    let mut connection = Connection::open(port).await?;
    let before = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"noise.wav\"\r\n\
         content-type: audio/wav\r\n\r\n"
    );
    let after = format!("\r\n--{BOUNDARY}--\r\n");
    let length = before.len() + SIZE + after.len();
    let head = format!(
        "POST {}/uploads HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}\r\ncontent-length: {length}\r\n\
         content-type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n{before}",
        crate::server::BASE
    );
    connection.send(head.as_bytes()).await?;
    connection.send(&wav_head()).await?;
    let mut chunk = noise(number);
    let mut left = SIZE - WAV_HEAD;
    while left > 0 {
        let now = left.min(CHUNK);
        // Every chunk is different too, so that nothing can be deduplicated.
        chunk[..8].copy_from_slice(&(left as u64).to_le_bytes());
        connection.send(&chunk[..now]).await?;
        left -= now;
    }
    connection.expect(201, after.as_bytes()).await?;
    Ok(())
}

/// RIFF, `fmt ` and the head of `data`: 16-bit PCM, stereo, 48 kHz.
fn wav_head() -> [u8; WAV_HEAD] {
    let mut head = [0; WAV_HEAD];
    let mut at = 0;
    let mut put = |bytes: &[u8]| {
        head[at..at + bytes.len()].copy_from_slice(bytes);
        at += bytes.len();
    };
    put(b"RIFF");
    put(&(SIZE as u32 - 8).to_le_bytes());
    put(b"WAVEfmt ");
    put(&16_u32.to_le_bytes());
    put(&1_u16.to_le_bytes());
    put(&2_u16.to_le_bytes());
    put(&48_000_u32.to_le_bytes());
    put(&192_000_u32.to_le_bytes());
    put(&4_u16.to_le_bytes());
    put(&16_u16.to_le_bytes());
    put(b"data");
    put(&((SIZE - WAV_HEAD) as u32).to_le_bytes());
    head
}

/// One chunk of noise. Marsaglia, "Xorshift RNGs", the 64-bit generator with 13, 7, 17.
fn noise(number: u64) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15 ^ (number + 1);
    let mut chunk = Vec::with_capacity(CHUNK);
    while chunk.len() < CHUNK {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        chunk.extend_from_slice(&state.to_le_bytes());
    }
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_files_are_the_same_and_each_says_its_length() {
        assert_ne!(noise(0), noise(1));
        assert_eq!(noise(3).len(), CHUNK);
        let head = wav_head();
        assert_eq!(
            u32::from_le_bytes([head[40], head[41], head[42], head[43]]) as usize + WAV_HEAD,
            SIZE
        );
    }
}
