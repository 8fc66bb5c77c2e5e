//! Motion JPEG in AVI, with or without sound, as programs for trained models write it, rewritten as MP4 (Microsoft's
//! AVI RIFF reference).

use std::fs;

use atelier_film::{Picture, Rate, Sound, Tags, Video, Writer};
use atelier_protocol::{ENGINE, Error, Request, Response};
use atelier_retouch::decode::read_bytes;
use serde_json::{Map, json};

/// The task. No model has it: the service asks for it after a program has made a film.
pub const TASK: &str = "rewrite-film";
/// The most frames a second.
const FASTEST: u32 = 120;
/// The sound's kind in `WAVEFORMATEX`.
const PCM: u16 = 1;
/// The bytes of a chunk's name and length.
const HEAD: usize = 8;

/// Writes `video.mp4` of the frames of the request's only input.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let input = request
        .inputs
        .first()
        .ok_or_else(|| damaged("there is no file"))?;
    let bytes = fs::read(&input.path)?;
    let film = Film::read(&bytes)?;
    let path = request.out.join("video.mp4");
    let mut writer = None;
    let mut size = (0, 0);
    for (at, jpeg) in film.frames.iter().enumerate() {
        let frame = read_bytes(jpeg)?;
        if writer.is_none() {
            size = (frame.width, frame.height);
            let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
            let mut video = Video::new(side(size.0), side(size.1));
            video.rate = film.rate;
            let tags = Tags {
                title: String::new(),
                encoder: ENGINE.into(),
                comment: "AI-generated video".into(),
                xmp: None,
            };
            let sound = film.sound.map(|format| Sound::Stereo { rate: format.rate });
            let has_sound = sound.is_some();
            let created = writer.insert(Writer::create(&path, video, sound, tags).map_err(failed)?);
            if has_sound {
                created.samples(&film.stereo()).map_err(failed)?;
            }
        }
        if (frame.width, frame.height) != size {
            return Err(damaged("its frames differ in size"));
        }
        if let Some(writer) = &mut writer {
            writer.frame(Picture::Rgbx(&frame.rgba)).map_err(failed)?;
        }
        progress((at + 1) as f32 / film.frames.len() as f32);
    }
    let writer = writer.ok_or_else(|| damaged("it has no frames"))?;
    let recorded = writer.finish().map_err(failed)?;
    let seconds = (recorded.seconds * 1000.0).round() / 1000.0;
    let facts = [
        ("width", json!(size.0)),
        ("height", json!(size.1)),
        ("frames", json!(recorded.frames)),
        ("duration_seconds", json!(seconds)),
    ];
    Ok(Response {
        files: vec![path],
        metadata: Map::from_iter(facts.map(|(name, value)| (name.to_owned(), value))),
    })
}

/// A file in pieces.
struct Film<'a> {
    rate: Rate,
    /// JPEG files.
    frames: Vec<&'a [u8]>,
    sound: Option<Format>,
    /// Of 16 bits, little-endian.
    samples: Vec<&'a [u8]>,
}

/// How the samples of a film are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Format {
    channels: u16,
    rate: u32,
}

impl Format {
    /// Reads a `WAVEFORMATEX`.
    fn read(chunk: &[u8]) -> Result<Self, Error> {
        let half = |at| Some(u16::from_le_bytes(chunk.get(at..at + 2)?.try_into().ok()?));
        let (kind, channels, rate, bits) = (half(0), half(2), number(chunk, 4), half(14));
        match (kind, channels, rate, bits) {
            (Some(PCM), Some(channels @ 1..=2), Some(rate), Some(16)) => Ok(Self { channels, rate }),
            _ => Err(damaged("its sound is not PCM of 16 bits in one or two channels")),
        }
    }
}

impl<'a> Film<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let is_avi = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"AVI ");
        let body = bytes.get(12..).filter(|_| is_avi);
        let mut film = Self {
            rate: Rate::whole(0),
            frames: Vec::new(),
            sound: None,
            samples: Vec::new(),
        };
        film.collect(body.ok_or_else(|| damaged("it is not AVI"))?)?;
        let Rate { frames, seconds } = film.rate;
        if frames == 0 || seconds == 0 || frames > FASTEST.saturating_mul(seconds) {
            return Err(damaged(&format!("its rate is {frames} frames in {seconds} s")));
        }
        Ok(film)
    }

    /// Reads the chunks of a list, and of the lists in it.
    fn collect(&mut self, mut rest: &'a [u8]) -> Result<(), Error> {
        let mut is_sound = false;
        while let Some((head, after)) = rest.split_at_checked(HEAD) {
            let length = number(head, 4).unwrap_or_default() as usize;
            let chunk = after.get(..length).ok_or_else(|| damaged("it ends too early"))?;
            match &head[..4] {
                b"LIST" => self.collect(chunk.get(4..).unwrap_or_default())?,
                b"strh" if chunk.starts_with(b"vids") => {
                    let (scale, rate) = (number(chunk, 20), number(chunk, 24));
                    self.rate = Rate {
                        frames: rate.unwrap_or_default(),
                        seconds: scale.unwrap_or_default(),
                    };
                }
                b"strh" if chunk.starts_with(b"auds") => is_sound = true,
                b"strf" if is_sound => self.sound = Some(Format::read(chunk)?),
                b"00dc" => self.frames.push(chunk),
                b"01wb" => self.samples.push(chunk),
                _ => {}
            }
            // Chunks begin at even places.
            rest = after.get(length + length % 2..).unwrap_or_default();
        }
        Ok(())
    }
}

impl Film<'_> {
    /// The samples in pairs, −1 to 1; none without sound.
    fn stereo(&self) -> Vec<f32> {
        let Some(format) = self.sound else {
            return Vec::new();
        };
        let samples = self.samples.iter().flat_map(|chunk| chunk.chunks_exact(2));
        let samples = samples.map(|two| f32::from(i16::from_le_bytes([two[0], two[1]])) / 32_768.0);
        let mut stereo: Vec<f32> = if format.channels == 1 {
            samples.flat_map(|sample| [sample, sample]).collect()
        } else {
            samples.collect()
        };
        stereo.truncate(stereo.len() / 2 * 2);
        stereo
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

fn damaged(why: &str) -> Error {
    Error::Failed(format!("the film of the engine cannot be read: {why}"))
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn failed(error: atelier_film::Error) -> Error {
    Error::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use atelier_film::{Limits, Reader};

    use super::*;

    fn chunk(name: [u8; 4], body: &[u8]) -> Vec<u8> {
        let mut chunk = name.to_vec();
        chunk.extend((body.len() as u32).to_le_bytes());
        chunk.extend(body);
        chunk.resize(chunk.len().next_multiple_of(2), 0);
        chunk
    }

    /// A film of pictures in one colour each, without sound.
    fn avi(frames: &[[u8; 3]], scale: u32, rate: u32) -> Vec<u8> {
        avi_with(frames, (scale, rate), None)
    }

    /// The same with a sound: its bits, channels, rate and samples.
    fn avi_with(
        frames: &[[u8; 3]],
        (scale, rate): (u32, u32),
        sound: Option<(u16, u16, u32, &[i16])>,
    ) -> Vec<u8> {
        let mut header = b"vidsMJPG".to_vec();
        header.resize(20, 0);
        header.extend(scale.to_le_bytes());
        header.extend(rate.to_le_bytes());
        header.resize(56, 0);
        let format = chunk(*b"strf", &[0; 40]);
        let mut streams = chunk(
            *b"LIST",
            &[&b"strl"[..], &chunk(*b"strh", &header), &format].concat(),
        );
        if let Some((bits, channels, rate, _)) = sound {
            let mut header = b"auds".to_vec();
            header.resize(56, 0);
            let mut format = [1, channels].map(u16::to_le_bytes).concat();
            format.extend(rate.to_le_bytes());
            format.extend((rate * u32::from(channels * bits / 8)).to_le_bytes());
            format.extend([channels * bits / 8, bits].map(u16::to_le_bytes).concat());
            let lists = [&b"strl"[..], &chunk(*b"strh", &header), &chunk(*b"strf", &format)].concat();
            streams.extend(chunk(*b"LIST", &lists));
        }
        let mut body = b"AVI ".to_vec();
        body.extend(chunk(*b"LIST", &[&b"hdrl"[..], &streams].concat()));
        let mut movie = b"movi".to_vec();
        for color in frames {
            let mut jpeg = std::io::Cursor::new(Vec::new());
            let picture = image::RgbImage::from_pixel(64, 32, image::Rgb(*color));
            picture.write_to(&mut jpeg, image::ImageFormat::Jpeg).unwrap();
            movie.extend(chunk(*b"00dc", jpeg.get_ref()));
        }
        if let Some((.., samples)) = sound {
            let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
            movie.extend(chunk(*b"01wb", &bytes));
        }
        body.extend(chunk(*b"LIST", &movie));
        chunk(*b"RIFF", &body)
    }

    fn rewritten(folder: &Path, bytes: &[u8]) -> Result<Response, Error> {
        let path = folder.join("film");
        fs::write(&path, bytes).unwrap();
        let request = Request {
            task: TASK.to_owned(),
            params: Map::new(),
            inputs: vec![atelier_protocol::Input {
                parameter: "file".to_owned(),
                path,
                media_type: "video/x-msvideo".to_owned(),
                seconds: None,
            }],
            seed: 0,
            out: folder.to_owned(),
        };
        run(&request, &mut |_| {})
    }

    #[test]
    fn motion_jpeg_becomes_mp4_with_the_same_frames_at_the_same_rate() {
        let folder = tempfile::tempdir().unwrap();
        let colors = [[200, 30, 30], [30, 200, 30], [30, 30, 200]];
        let response = rewritten(folder.path(), &avi(&colors, 1, 6)).unwrap();
        let facts = ["width", "height", "frames", "duration_seconds"].map(|name| &response.metadata[name]);
        assert_eq!(facts, [&json!(64), &json!(32), &json!(3), &json!(0.5)]);
        let mut film = Reader::open(&response.files[0], &Limits::default()).unwrap();
        for color in colors {
            let frame = film.next(None).unwrap().unwrap();
            let mut rgb = vec![0; 64 * 32 * 3];
            atelier_film::color::to_rgb::<3>(&frame.picture, &mut rgb);
            for (found, expected) in rgb[..3].iter().zip(color) {
                assert!(found.abs_diff(expected) < 12, "{:?} is not {color:?}", &rgb[..3]);
            }
        }
        assert!(film.next(None).unwrap().is_none());
    }

    #[test]
    fn the_sound_of_a_film_comes_along_on_its_side() {
        let folder = tempfile::tempdir().unwrap();
        let tone = |at: u32| ((f64::from(at) * 0.06).sin() * 12_000.0) as i16;
        let left: Vec<i16> = (0..24_000).flat_map(|at| [tone(at), 0]).collect();
        let one: Vec<i16> = (0..24_000).map(tone).collect();
        for (channels, samples, expected) in [(2, left, [true, false]), (1, one, [true, true])] {
            let film = avi_with(&[[9, 9, 9]; 4], (1, 8), Some((16, channels, 48_000, &samples)));
            let response = rewritten(folder.path(), &film).unwrap();
            assert_eq!(response.metadata["duration_seconds"], json!(0.5));
            let heard = atelier_sound::file::decode(&response.files[0]).unwrap();
            assert_eq!((heard.rate, heard.channels.len()), (48_000, 2));
            let loud = heard.channels.iter().map(|side| {
                let middle = &side[8_000..16_000];
                (middle.iter().map(|sample| sample * sample).sum::<f32>() / 8_000.0).sqrt()
            });
            let loud: Vec<f32> = loud.collect();
            // A sine's root mean square is its height over the square root of two.
            let full = 12_000.0 / 32_768.0 / f32::sqrt(2.0);
            for (loud, expected) in loud.iter().zip(expected) {
                let expected = if expected { full } else { 0.0 };
                assert!((loud - expected).abs() < 0.02, "{loud} is not {expected}");
            }
        }
    }

    #[test]
    fn a_damaged_film_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let good = avi(&[[1, 2, 3]], 1, 16);
        let table = [
            (b"RIFF....WAVE".to_vec(), "it is not AVI"),
            (good[..good.len() - 40].to_vec(), "it ends too early"),
            (avi(&[], 1, 16), "it has no frames"),
            (avi(&[[1, 2, 3]], 0, 16), "its rate is 16 frames in 0 s"),
            (avi(&[[1, 2, 3]], 1, 4_000), "its rate is 4000 frames in 1 s"),
            (
                avi_with(&[[1, 2, 3]], (1, 16), Some((24, 2, 48_000, &[0; 30]))),
                "its sound is not PCM of 16 bits in one or two channels",
            ),
        ];
        for (bytes, expected) in table {
            let error = rewritten(folder.path(), &bytes).unwrap_err().to_string();
            assert!(error.ends_with(expected), "{error}");
        }
    }
}
