use std::{f32::consts::TAU, fs, path::Path, process::Command};

use atelier_found::program;

use super::*;

/// A second and a half of two sines, one per channel.
fn sines(rate: u32) -> Audio {
    let sine = |pitch: f32| {
        (0..rate as usize * 3 / 2)
            .map(|at| 0.4 * (TAU * pitch * at as f32 / rate as f32).sin())
            .collect()
    };
    Audio::stereo(rate, sine(440.0), sine(660.0))
}

/// Signal-to-noise ratio in dB, over their common length.
fn snr(expected: &[f32], found: &[f32]) -> f64 {
    let noise: f64 = expected
        .iter()
        .zip(found)
        .map(|(a, b)| f64::from(a - b).powi(2))
        .sum();
    let signal: f64 = expected.iter().map(|a| f64::from(*a).powi(2)).sum();
    10.0 * (signal / noise.max(1e-12)).log10()
}

fn ffmpeg(args: &[&str], out: &Path) -> Option<()> {
    let status = Command::new(program("ffmpeg")?)
        .args(["-v", "error", "-y"])
        .args(args)
        .arg(out)
        .status()
        .unwrap();
    assert!(status.success());
    Some(())
}

#[test]
fn wav_keeps_samples_and_says_that_it_was_generated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wav");
    let audio = sines(22_050);
    encode(
        &path,
        &audio,
        Format::Wav(Depth::Bits24),
        &Tags::generated(Some("Rain".to_owned())),
    )
    .unwrap();
    let heard = decode(&path).unwrap();
    assert_eq!((heard.rate, heard.frames()), (audio.rate, audio.frames()));
    assert!(snr(&audio.channels[1], &heard.channels[1]) > 120.0);
    let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
    assert!(text.contains("Rain") && text.contains("atelier draft") && text.contains("AI_GENERATED=true"));
}

#[cfg(feature = "mp3")]
#[test]
fn mp3_holds_duration_and_sound_and_tags() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mp3");
    let audio = sines(44_100);
    encode(
        &path,
        &audio,
        Format::Mp3 { kbps: 320 },
        &Tags::generated(Some("Régen".to_owned())),
    )
    .unwrap();
    let heard = decode(&path).unwrap();
    assert_eq!(heard.frames(), audio.frames());
    for channel in 0..2 {
        assert!(snr(&audio.channels[channel], &heard.channels[channel]) > 30.0);
    }
    let Some(probe) = program("ffprobe") else { return };
    let output = Command::new(probe)
        .args([
            "-v",
            "error",
            "-show_entries",
            "format_tags:stream=bit_rate,codec_name",
            "-of",
            "json",
        ])
        .arg(&path)
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        told.contains("Régen") && told.contains("atelier draft") && told.contains("AI_GENERATED"),
        "{told}"
    );
    assert!(told.contains("320000"), "{told}");
}

#[test]
fn files_of_other_encoders_decode_to_their_full_length() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("a.wav");
    let audio = sines(44_100);
    encode(
        &source,
        &audio,
        Format::Wav(Depth::Bits16),
        &Tags::generated(None),
    )
    .unwrap();
    let source = source.to_str().unwrap();
    for (name, codec) in [
        ("a.flac", "flac"),
        ("a.ogg", "libvorbis"),
        ("a.m4a", "aac"),
        ("a.mp3", "libmp3lame"),
        ("b.wav", "pcm_s24le"),
        ("a.opus", "libopus"),
    ] {
        let path = folder.path().join(name);
        if ffmpeg(&["-i", source, "-c:a", codec, "-b:a", "192k"], &path).is_none() {
            return;
        }
        let heard = decode(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(heard.channels.len(), 2, "{name}");
        let off = (heard.seconds() - audio.seconds()).abs();
        assert!(off < 0.001, "{name} is {off} s off");
        let rate = heard.rate;
        let expected = crate::dsp::resample::resample(&audio.channels[0], audio.rate, rate);
        let snr = snr(&expected[2_000..50_000], &heard.channels[0][2_000..50_000]);
        assert!(snr > 15.0, "{name}: {snr} dB");
    }
}

#[test]
fn hostile_files_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    assert!(matches!(
        decode(&write("empty.mp3", b"")),
        Err(DecodeError::NoAudio)
    ));
    let noise: Vec<u8> = (0..20_000_u32)
        .map(|x| (x.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    for (name, head) in [
        ("a.mp3", &b"ID3\x04"[..]),
        ("a.ogg", b"OggS\0"),
        ("a.flac", b"fLaC"),
        ("a.m4a", b"\0\0\0\x20ftypM4A "),
    ] {
        let bytes = [head, &noise].concat();
        let error = decode(&write(name, &bytes)).expect_err(name);
        assert!(!error.to_string().is_empty());
    }
    let mut wav = wav::bytes(&sines(8_000), Depth::Bits16, &Tags::generated(None));
    wav[22] = 200;
    assert!(decode(&write("channels.wav", &wav)).is_err());
    wav[22] = 2;
    wav[24..28].copy_from_slice(&4_000_000_u32.to_le_bytes());
    let error = decode(&write("rate.wav", &wav)).expect_err("a rate of 4 MHz");
    assert!(
        matches!(error, DecodeError::Rate { found: 4_000_000, .. }),
        "{error}"
    );
}

#[test]
fn a_truncated_file_decodes_as_far_as_it_goes_and_a_long_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wav");
    let bytes = wav::bytes(&sines(8_000), Depth::Bits16, &Tags::generated(None));
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let seconds = decode(&path).unwrap().seconds();
    assert!((0.6..0.76).contains(&seconds), "{seconds}");
    fs::write(&path, &bytes).unwrap();
    let limits = Limits {
        seconds: 1.0,
        ..Limits::default()
    };
    assert!(matches!(
        decode_within(&path, &limits),
        Err(DecodeError::TooLong { .. })
    ));
}

#[test]
fn a_limit_counts_decoded_samples_in_every_container() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("a.wav");
    let wav = wav::bytes(&sines(44_100), Depth::Bits16, &Tags::generated(None));
    fs::write(&source, &wav).unwrap();
    for (name, codec) in [
        ("b.wav", "pcm_s16le"),
        ("a.aiff", "pcm_s16be"),
        ("a.flac", "flac"),
        ("a.ogg", "libvorbis"),
        ("a.m4a", "aac"),
        ("a.aac", "aac"),
        ("a.mp3", "libmp3lame"),
        ("a.mka", "libvorbis"),
        ("a.opus", "libopus"),
    ] {
        let path = folder.path().join(name);
        if ffmpeg(&["-i", source.to_str().unwrap(), "-c:a", codec], &path).is_none() {
            return;
        }
        assert!(decode_within(&path, &Limits::of_seconds(1.5)).is_ok(), "{name}");
        let error = decode_within(&path, &Limits::of_seconds(0.5)).expect_err(name);
        assert!(
            matches!(error, DecodeError::TooLong { limit } if (limit - 0.5).abs() < 1e-9),
            "{name}: {error}"
        );
    }
    // A FLAC whose header declares a tenth of a second.
    let path = folder.path().join("a.flac");
    let mut flac = fs::read(&path).unwrap();
    // The last 36 bits of these are the number of samples.
    flac[22..26].copy_from_slice(&4_410_u32.to_be_bytes());
    fs::write(&path, &flac).unwrap();
    match decode_within(&path, &Limits::of_seconds(0.5)) {
        Err(DecodeError::TooLong { .. }) => {}
        Ok(audio) => assert!(audio.seconds() <= 0.7, "{} s", audio.seconds()),
        Err(error) => panic!("{error}"),
    }
}

/// Sets the start, in samples, and the length, in milliseconds, of the only edit of an MP4 file.
fn set_edit(bytes: &mut [u8], start: u32, milliseconds: u32) {
    let list = bytes.windows(4).position(|name| name == b"elst").unwrap() + 4;
    assert_eq!(
        bytes[list..list + 8],
        [0, 0, 0, 0, 0, 0, 0, 1],
        "one entry of version 0"
    );
    bytes[list + 8..list + 12].copy_from_slice(&milliseconds.to_be_bytes());
    bytes[list + 12..list + 16].copy_from_slice(&start.to_be_bytes());
}

#[test]
fn only_the_part_in_the_edit_list_is_heard_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let (source, path) = (folder.path().join("a.wav"), folder.path().join("a.m4a"));
    let wav = wav::bytes(&sines(44_100), Depth::Bits16, &Tags::generated(None));
    fs::write(&source, wav).unwrap();
    if ffmpeg(&["-i", source.to_str().unwrap(), "-c:a", "aac"], &path).is_none() {
        return;
    }
    let whole = fs::read(&path).unwrap();
    // (start in samples, length in milliseconds, seconds heard)
    for (start, length, seconds) in [(1_024, 400, 0.4), (45_124, 300, 0.3), (1_024, 0, 1.5)] {
        let mut bytes = whole.clone();
        set_edit(&mut bytes, start, length);
        fs::write(&path, &bytes).unwrap();
        let heard = decode_within(&path, &Limits::of_seconds(seconds))
            .unwrap()
            .seconds();
        assert!((heard - seconds).abs() < 0.03, "{start} {length}: {heard} s");
        let error = decode_within(&path, &Limits::of_seconds(seconds - 0.25)).expect_err("too long");
        assert!(
            matches!(error, DecodeError::TooLong { .. }),
            "{start} {length}: {error}"
        );
    }
    // An edit that begins after the end presents nothing, and is ignored.
    let mut bytes = whole;
    set_edit(&mut bytes, u32::MAX, 100);
    fs::write(&path, &bytes).unwrap();
    assert!(decode(&path).unwrap().seconds() > 1.4);
    assert!(decode_within(&path, &Limits::of_seconds(0.5)).is_err());
}

#[test]
fn normalising_reaches_the_loudness_and_keeps_below_the_ceiling() {
    let mut audio = sines(44_100);
    // A beat of loud clicks, so that peaks are far above the loudness.
    for at in (0..audio.frames()).step_by(11_025) {
        for channel in &mut audio.channels {
            channel[at..at + 40].iter_mut().for_each(|x| *x = 0.95);
        }
    }
    let reached = loudness::normalise(&mut audio, -12.0, -1.0);
    assert!((reached + 12.0).abs() < 0.5, "{reached}");
    assert!((loudness::integrated(&audio) - reached).abs() < 0.01);
    assert!(
        loudness::true_peak(&audio) <= -0.9,
        "{}",
        loudness::true_peak(&audio)
    );
}

#[test]
fn silence_stays_silence() {
    let mut audio = Audio::mono(44_100, vec![0.0; 44_100]);
    assert!(loudness::normalise(&mut audio, -14.0, -1.0) <= -70.0);
    assert!(audio.peak() < 1e-9);
}

#[test]
fn a_file_that_lasts_longer_than_it_was_measured_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wav");
    fs::write(
        &path,
        wav::bytes(&sines(8_000), Depth::Bits16, &Tags::generated(None)),
    )
    .unwrap();
    let whole = decode(&path).unwrap();
    let measured = |seconds| decode_measured(&path, seconds);
    assert_eq!(measured(None).unwrap(), whole);
    assert_eq!(measured(Some(whole.seconds())).unwrap(), whole);
    assert!(matches!(
        measured(Some(whole.seconds() - 0.6)),
        Err(DecodeError::TooLong { .. })
    ));
}
