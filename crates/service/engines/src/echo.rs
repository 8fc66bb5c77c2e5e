//! The echo engine answers every job immediately with a tiny valid file of the right kind. It serves to test
//! integrations for free and to measure the service itself.

use async_trait::async_trait;
use atelier_domain::{Failure, MediaKind};

use crate::{Context, Engine, Job, Made, MadeFile};

/// The name that routes use.
pub const NAME: &str = "echo";

/// Jobs take no time, so this only bounds the size of a claim.
const CONCURRENCY: usize = 256;

/// More files than any model makes. Bounds the memory that a large `n` of an operator's model can take.
const MOST_FILES: u64 = 1_000;

/// A checkerboard of 16 × 16 pixels, 8-bit RGB.
const PNG: &[u8] = include_bytes!("../assets/echo.png");
/// One H.264 frame of 16 × 16 pixels, one second long.
const MP4: &[u8] = include_bytes!("../assets/echo.mp4");
/// A tenth of a second of silence: 16-bit PCM, mono, 8 kHz.
const WAV: &[u8] = include_bytes!("../assets/echo.wav");

/// The echo engine.
#[derive(Debug, Clone, Copy, Default)]
pub struct EchoEngine;

#[async_trait]
impl Engine for EchoEngine {
    fn name(&self) -> &str {
        NAME
    }

    fn serves(&self, _task: &str, _kind: MediaKind) -> bool {
        true
    }

    fn needs_scratch(&self) -> bool {
        false
    }

    fn concurrency(&self) -> usize {
        CONCURRENCY
    }

    async fn run(&self, job: Job, _context: Context) -> Result<Made, Failure> {
        let count = job
            .params
            .get("n")
            .and_then(serde_json::Value::as_u64)
            .unwrap_or(1)
            .clamp(1, MOST_FILES);
        Ok(Made {
            files: vec![MadeFile::Bytes(file(job.kind)); count as usize],
            ..Made::default()
        })
    }
}

const fn file(kind: MediaKind) -> &'static [u8] {
    match kind {
        MediaKind::Image => PNG,
        MediaKind::Video => MP4,
        MediaKind::Audio => WAV,
    }
}

#[cfg(test)]
mod tests {
    use atelier_domain::GenerationId;
    use serde_json::json;
    use tokio_util::sync::CancellationToken;

    use super::*;

    /// The comment in every asset.
    const NOTE: &[u8] = b"Test file by atelier's echo engine";

    async fn made(kind: MediaKind, params: serde_json::Value) -> Vec<MadeFile> {
        let job = Job {
            id: GenerationId(uuid::Uuid::from_u128(7)),
            attempt: 1,
            asked: Vec::new(),
            model: "image-gen-4".to_owned(),
            task: "image".to_owned(),
            kind,
            params: params.as_object().unwrap().clone(),
            inputs: Vec::new(),
            seed: 7,
            options: crate::RouteOptions::default(),
            resume: None,
            scratch: atelier_media::Scratch::new("never-written", atelier_media::scratch::Quota::NONE),
        };
        EchoEngine
            .run(job, Context::new(CancellationToken::new(), |_| {}))
            .await
            .unwrap()
            .files
    }

    fn says(bytes: &[u8], text: &[u8]) -> bool {
        bytes.windows(text.len()).any(|window| window == text)
    }

    /// The boxes of an MP4 at one level: name and content.
    fn boxes(mut bytes: &[u8]) -> Vec<(String, &[u8])> {
        let mut found = Vec::new();
        while !bytes.is_empty() {
            let size = u32::from_be_bytes(bytes[..4].try_into().unwrap()) as usize;
            found.push((String::from_utf8(bytes[4..8].to_vec()).unwrap(), &bytes[8..size]));
            bytes = &bytes[size..];
        }
        found
    }

    #[tokio::test]
    async fn an_image_is_a_png_that_decodes() {
        let files = made(MediaKind::Image, json!({})).await;
        let [MadeFile::Bytes(bytes)] = files[..] else {
            panic!("{files:?}")
        };
        let picture = image::load_from_memory_with_format(bytes, image::ImageFormat::Png)
            .unwrap()
            .to_rgb8();
        assert_eq!(picture.dimensions(), (16, 16));
        assert_eq!(picture.get_pixel(0, 0).0, [0xd8, 0xdf, 0xe6]);
        assert_eq!(picture.get_pixel(4, 0).0, [0x35, 0x4a, 0x5f]);
        assert!(says(bytes, NOTE));
    }

    #[tokio::test]
    async fn a_video_is_an_mp4_with_one_h264_frame_of_a_second() {
        let files = made(MediaKind::Video, json!({})).await;
        let [MadeFile::Bytes(bytes)] = files[..] else {
            panic!("{files:?}")
        };
        let top = boxes(bytes);
        assert_eq!(
            top.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["ftyp", "moov", "free", "mdat"]
        );
        let moov = boxes(top[1].1);
        let (name, header) = &moov[0];
        assert_eq!(name, "mvhd");
        let number = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().unwrap());
        assert_eq!(number(12), number(16), "the duration is one time scale: a second");
        assert!(says(top[1].1, b"avc1") && says(top[1].1, b"avcC"));
        let frame = top[3].1;
        assert_eq!(
            u32::from_be_bytes(frame[..4].try_into().unwrap()) as usize,
            frame.len() - 4,
            "one unit"
        );
        assert_eq!(frame[4] & 0x1f, 5, "a key frame");
        assert!(says(bytes, NOTE));
    }

    #[tokio::test]
    async fn audio_is_a_wav_of_silence() {
        let files = made(MediaKind::Audio, json!({})).await;
        let [MadeFile::Bytes(bytes)] = files[..] else {
            panic!("{files:?}")
        };
        let mut wav = hound::WavReader::new(bytes).unwrap();
        assert_eq!(
            (
                wav.spec().channels,
                wav.spec().sample_rate,
                wav.spec().bits_per_sample
            ),
            (1, 8_000, 16)
        );
        let samples: Vec<i16> = wav.samples().collect::<Result<_, _>>().unwrap();
        assert_eq!(samples, [0; 800]);
        assert!(says(bytes, NOTE));
    }

    #[tokio::test]
    async fn it_makes_n_files() {
        assert_eq!(made(MediaKind::Image, json!({"n": 4})).await.len(), 4);
        assert_eq!(made(MediaKind::Image, json!({"n": "4"})).await.len(), 1);
        assert_eq!(
            made(MediaKind::Image, json!({"n": 9_007_199_254_740_992_u64}))
                .await
                .len(),
            1_000
        );
    }
}
