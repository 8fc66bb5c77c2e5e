use std::path::PathBuf;

use atelier_protocol::{Input, Request, Response};
use atelier_sound::{
    file::{Depth, Format, Tags, encode},
    speech::{Normalization, RATE, Reading, Voice, speak},
};
use serde_json::json;
use tempfile::TempDir;

use super::*;

const KEY: &str = "2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a";
const ID: &str = "01a208cd37c774e0831060a000d77e88";
const MILLISECONDS: u64 = 0x01a2_08cd_37c7;
const TEXT: &str = "The harbour was quiet when the first boats came in. Gulls circled over the pier, and someone was \
                    singing in the fish market.";

fn speech() -> Audio {
    let reading = Reading {
        text: TEXT,
        voice: &Voice::ALL[0],
        stability: 0.5,
        normalization: Normalization::Auto,
        language: "en",
        helper: Path::new(""),
        seed: 1,
    };
    let mut audio = Audio::mono(RATE, speak(&reading, &|_| {}).unwrap().samples);
    audio.scale(0.8 / audio.peak());
    audio
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn encoded(&self, name: &str, audio: &Audio, format: Format) -> PathBuf {
        let path = self.path(name);
        encode(&path, audio, format, &Tags::generated(Some("Harbour".to_owned()))).unwrap();
        path
    }

    fn run(&self, task: &str, file: &Path) -> Response {
        let params = json!({ "key": KEY, "id": ID }).as_object().unwrap().clone();
        let request = Request {
            task: task.to_owned(),
            params,
            inputs: vec![Input {
                parameter: "file".to_owned(),
                path: file.to_owned(),
                media_type: "audio/any".to_owned(),
                seconds: None,
            }],
            seed: 0,
            out: self.0.path().to_owned(),
        };
        crate::run(&request, &mut |_| {}).unwrap()
    }

    /// The marked file, which must carry the mark.
    fn marked(&self, file: &Path) -> Vec<u8> {
        let response = self.run("watermark", file);
        assert_eq!(response.metadata["watermark"], "written", "{file:?}");
        let found = &self.run("watermark-reading", &response.files[0]).metadata["found"];
        assert_eq!(
            (&found["milliseconds"], &found["tail"]),
            (&json!(MILLISECONDS), &json!(8))
        );
        assert!(found["score"].as_f64().unwrap() >= 6.0, "{found}");
        std::fs::read(&response.files[0]).unwrap()
    }
}

/// The samples that differ, and the largest difference.
fn differences(a: &Audio, b: &Audio) -> (usize, f32) {
    assert_eq!(
        (a.rate, a.channels.len(), a.frames()),
        (b.rate, b.channels.len(), b.frames())
    );
    let pairs = a.channels.iter().flatten().zip(b.channels.iter().flatten());
    pairs.fold((0, 0.0), |(count, most), (a, b)| {
        (
            count + usize::from((a - b).abs() > 0.0),
            f32::max(most, (a - b).abs()),
        )
    })
}

#[test]
fn a_wav_keeps_its_depth_and_everything_but_its_samples() {
    let (folder, audio) = (Folder::new(), speech());
    let stereo = Audio::stereo(RATE, audio.channels[0].clone(), audio.channels[0].clone());
    for (depth, audio) in [
        (Depth::Bits16, &audio),
        (Depth::Bits24, &stereo),
        (Depth::Float32, &audio),
    ] {
        let path = folder.encoded("a.wav", audio, Format::Wav(depth));
        let (before, after) = (std::fs::read(&path).unwrap(), folder.marked(&path));
        let data = wav::Wav::of(&before).unwrap().data;
        assert_eq!(before.len(), after.len());
        assert!(before[..data.start] == after[..data.start] && before[data.end..] == after[data.end..]);
        let sounds = [before, after].map(|file| wav::Wav::of(&file).unwrap().audio());
        let (count, most) = differences(&sounds[0], &sounds[1]);
        assert!(count > 0 && most < 0.25, "{count} samples, by up to {most}");
    }
}

#[test]
fn a_flac_keeps_its_depth_and_its_tags_and_is_exact() {
    let (folder, audio) = (Folder::new(), speech());
    // A kind and a length, as of Vorbis comments, and what stands for them.
    let comments = [&[4, 0, 0, 5][..], b"notes"].concat();
    for bits in [16, 24] {
        let channels = audio.channels[0].clone();
        let audio = Audio::stereo(
            RATE,
            channels.clone(),
            channels.iter().map(|x| -0.5 * x).collect(),
        );
        let flac = flac::Flac {
            before: b"",
            blocks: vec![&comments],
            rate: RATE,
            channels: 2,
            bits,
        };
        let path = folder.path("a.flac");
        std::fs::write(&path, flac.with(&audio).unwrap()).unwrap();
        let (_, most) = differences(&audio, &decode(&path).unwrap());
        assert!(
            f64::from(most) <= 0.5_f64.powi(bits as i32 - 1),
            "{most} at {bits} bits"
        );
        let marked = folder.marked(&path);
        assert!(
            marked
                .windows(comments.len() - 1)
                .any(|window| window == &comments[1..])
        );
        assert_eq!(flac::Flac::of(&marked).unwrap().bits, bits);
        let (count, most) = differences(&audio, &decode(&folder.path("watermarked")).unwrap());
        assert!(count > 0 && most < 0.25, "{count} samples, by up to {most}");
    }
}

#[cfg(feature = "mp3")]
#[test]
fn an_mp3_keeps_its_tags_and_its_length_and_gets_the_next_bit_rate() {
    let (folder, audio) = (Folder::new(), speech());
    let path = folder.encoded("a.mp3", &audio, Format::Mp3 { kbps: 64 });
    let (before, after) = (std::fs::read(&path).unwrap(), folder.marked(&path));
    let tag = mp3::tag(&before);
    assert!(tag > 100 && before[..tag] == after[..tag]);
    let growth = after.len() as f64 / before.len() as f64;
    assert!((1.4..1.6).contains(&growth), "{growth}");
    let sounds = [path, folder.path("watermarked")].map(|path| decode(&path).unwrap());
    assert_eq!(sounds[0].frames(), sounds[1].frames());
}

#[test]
fn what_cannot_be_marked_says_why() {
    let (folder, audio) = (Folder::new(), speech());
    let short = Audio::mono(RATE, audio.channels[0][..2 * RATE as usize].to_vec());
    let silent = Audio::mono(RATE, vec![0.0; 6 * RATE as usize]);
    let wav = Format::Wav(Depth::Bits16);
    for audio in [short, silent] {
        let path = folder.encoded("a.wav", &audio, wav);
        let response = folder.run("watermark", &path);
        assert_eq!(
            (&response.metadata["watermark"], response.files.len()),
            (&json!("too_plain"), 0)
        );
    }
    let path = folder.encoded("a.wav", &audio, wav);
    let mut signed = std::fs::read(&path).unwrap();
    signed.extend(b"C2PA\x08\0\0\0jumdc2pa");
    std::fs::write(&path, signed).unwrap();
    assert_eq!(folder.run("watermark", &path).metadata["watermark"], "signed");
    for damaged in [
        &b""[..],
        b"RIFF\0\0\0\0WAVEfmt \xff\xff\xff\xff",
        b"OggS",
        b"fLaC\x80",
        b"ID3\x04\0\0\x7f",
        b"\xff\xfb",
    ] {
        let path = folder.path("damaged");
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(
            folder.run("watermark", &path).metadata["watermark"],
            "unsupported"
        );
    }
}
