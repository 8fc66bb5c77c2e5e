//! Motion JPEG in AVI, as programs for trained models write it, rewritten as MP4 (Microsoft's AVI RIFF reference).

use std::fs;

use atelier_film::{Picture, Rate, Tags, Video, Writer};
use atelier_protocol::{ENGINE, Error, Request, Response};
use atelier_retouch::decode::read_bytes;
use serde_json::{Map, json};

/// The task. No model has it: the service asks for it after a program has made a film.
pub const TASK: &str = "rewrite-film";
/// The most frames a second.
const FASTEST: u32 = 120;
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
            writer = Some(Writer::create(&path, video, None, tags).map_err(failed)?);
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
}

impl<'a> Film<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let is_avi = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"AVI ");
        let body = bytes.get(12..).filter(|_| is_avi);
        let mut film = Self {
            rate: Rate::whole(0),
            frames: Vec::new(),
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
                b"00dc" => self.frames.push(chunk),
                _ => {}
            }
            // Chunks begin at even places.
            rest = after.get(length + length % 2..).unwrap_or_default();
        }
        Ok(())
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

    /// A film of pictures in one colour each.
    fn avi(frames: &[[u8; 3]], scale: u32, rate: u32) -> Vec<u8> {
        let mut header = b"vidsMJPG".to_vec();
        header.resize(20, 0);
        header.extend(scale.to_le_bytes());
        header.extend(rate.to_le_bytes());
        header.resize(56, 0);
        let streams = chunk(*b"LIST", &[&b"strl"[..], &chunk(*b"strh", &header)].concat());
        let mut body = b"AVI ".to_vec();
        body.extend(chunk(*b"LIST", &[&b"hdrl"[..], &streams].concat()));
        let mut movie = b"movi".to_vec();
        for color in frames {
            let mut jpeg = std::io::Cursor::new(Vec::new());
            let picture = image::RgbImage::from_pixel(64, 32, image::Rgb(*color));
            picture.write_to(&mut jpeg, image::ImageFormat::Jpeg).unwrap();
            movie.extend(chunk(*b"00dc", jpeg.get_ref()));
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
    fn a_damaged_film_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let good = avi(&[[1, 2, 3]], 1, 16);
        let table = [
            (b"RIFF....WAVE".to_vec(), "it is not AVI"),
            (good[..good.len() - 40].to_vec(), "it ends too early"),
            (avi(&[], 1, 16), "it has no frames"),
            (avi(&[[1, 2, 3]], 0, 16), "its rate is 16 frames in 0 s"),
            (avi(&[[1, 2, 3]], 1, 4_000), "its rate is 4000 frames in 1 s"),
        ];
        for (bytes, expected) in table {
            let error = rewritten(folder.path(), &bytes).unwrap_err().to_string();
            assert!(error.ends_with(expected), "{error}");
        }
    }
}
