//! The film that a task makes: takes frames and sound, reports progress, and writes a file with its marks.

use std::path::{Path, PathBuf};

use atelier_film::{Picture, Rate, Sound, Tags, Video, Writer};
use serde_json::{Map, Value, json};

use super::safety::Check;
use atelier_protocol::{ENGINE, Error, Request, Response};
use atelier_retouch::encode::{SourceType, generated_xmp};

/// The sample rate of generated sound.
pub const SAMPLES_A_SECOND: u32 = 48_000;

/// The description of a film, for the marks in its file.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    pub prompt: &'a str,
    pub source: SourceType,
}

/// The shape of a film, known before its first frame.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub width: u32,
    pub height: u32,
    pub rate: Rate,
    /// The number of frames, for progress.
    pub frames: u64,
}

/// A film in progress. Dropped before [`Film::finish`], it leaves nothing behind.
pub struct Film<'a> {
    writer: Writer,
    path: PathBuf,
    frames: u64,
    progress: &'a mut dyn FnMut(f32),
    /// How much of the whole task was done before the first frame.
    from: f32,
    form: Form,
    check: Option<Check>,
}

impl std::fmt::Debug for Film<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Film")
            .field("writer", &self.writer)
            .finish_non_exhaustive()
    }
}

impl<'a> Film<'a> {
    /// Begins the film `video.mp4` in the folder `out`. Progress goes from `from` to 1 with the frames.
    pub fn create(
        out: &Path,
        form: Form,
        sound: Option<Sound>,
        about: About<'_>,
        from: f32,
        progress: &'a mut dyn FnMut(f32),
    ) -> Result<Self, Error> {
        let path = out.join("video.mp4");
        let mut video = Video::new(form.width, form.height);
        video.rate = form.rate;
        let tags = Tags {
            title: about
                .prompt
                .chars()
                .filter(|c| !c.is_control())
                .take(100)
                .collect(),
            encoder: ENGINE.into(),
            comment: "AI-generated video, drawn by an algorithm".into(),
            xmp: Some(generated_xmp("video", about.prompt, about.source)),
        };
        let writer = Writer::create(&path, video, sound, tags).map_err(failed)?;
        progress(from);
        Ok(Self {
            writer,
            path,
            frames: form.frames.max(1),
            progress,
            from,
            form,
            check: None,
        })
    }

    /// With the check of its content, if the request asks for one.
    pub fn checked(mut self, request: &Request) -> Self {
        let form = self.form;
        let rate = 1.0 / form.rate.time_of(1);
        self.check = Check::asked(request, (form.width, form.height), rate, form.frames);
        self
    }

    /// Adds a frame and reports progress.
    pub fn frame(&mut self, picture: Picture<'_>) -> Result<(), Error> {
        if let Some(check) = &mut self.check {
            check.see(&picture)?;
        }
        self.writer.frame(picture).map_err(failed)?;
        let done = self.writer.frames() as f32 / self.frames as f32;
        (self.progress)(self.from + (0.995 - self.from) * done.min(1.0));
        Ok(())
    }

    /// Adds sound, left and right interleaved.
    pub fn samples(&mut self, stereo: &[f32]) -> Result<(), Error> {
        self.writer.samples(stereo).map_err(failed)
    }

    /// Frames so far.
    pub fn frames(&self) -> u64 {
        self.writer.frames()
    }

    /// Ends the film and returns its file, with the metadata that all film tasks share: the engine, its size and
    /// length, and the fields of the request, except those in `heard`, that had no effect.
    pub fn finish(
        self,
        request: &Request,
        heard: &[&str],
        mut metadata: Map<String, Value>,
    ) -> Result<Response, Error> {
        let recorded = self.writer.finish().map_err(failed)?;
        (self.progress)(1.0);
        let seconds = (recorded.seconds * 1000.0).round() / 1000.0;
        let facts = [
            ("engine", json!(ENGINE)),
            ("width", json!(self.form.width)),
            ("height", json!(self.form.height)),
            ("frames", json!(recorded.frames)),
            ("duration_seconds", json!(seconds)),
        ];
        metadata.extend(facts.map(|(name, value)| (name.to_owned(), value)));
        let idle: Vec<&String> = request
            .params
            .iter()
            .filter(|(name, value)| !heard.contains(&name.as_str()) && !value.is_null())
            .map(|(name, _)| name)
            .collect();
        if !idle.is_empty() {
            metadata.insert("without_effect".into(), json!(idle));
        }
        Ok(Response {
            files: vec![self.path],
            metadata,
        })
    }
}

/// An error in writing a film.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn failed(error: atelier_film::Error) -> Error {
    Error::Failed(error.to_string())
}

/// An error in an input film.
pub fn refused(error: atelier_film::Error) -> Error {
    match error {
        atelier_film::Error::Io(error) => error.into(),
        atelier_film::Error::Settings(message) | atelier_film::Error::Encoder(message) => {
            Error::Failed(message)
        }
        error => Error::InvalidInput(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_goes_with_the_frames_and_the_file_says_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let form = Form {
            width: 64,
            height: 64,
            rate: Rate::whole(24),
            frames: 4,
        };
        let about = About {
            prompt: "a red sea",
            source: SourceType::Algorithmic,
        };
        let mut told = Vec::new();
        let mut tell = |done| told.push(done);
        let mut film = Film::create(folder.path(), form, None, about, 0.2, &mut tell).unwrap();
        for _ in 0..4 {
            film.frame(Picture::Rgb(&[90; 64 * 64 * 3])).unwrap();
        }
        let params = json!({ "prompt": "a red sea", "steps": 30, "guidance": null });
        let request = Request {
            task: "video".into(),
            params: params.as_object().unwrap().clone(),
            inputs: Vec::new(),
            seed: 1,
            out: folder.path().to_owned(),
        };
        let metadata = Map::from_iter([("seed".to_owned(), json!(1))]);
        let response = film.finish(&request, &["prompt"], metadata).unwrap();
        assert_eq!(
            Value::Object(response.metadata),
            json!({
                "engine": ENGINE, "width": 64, "height": 64, "frames": 4, "duration_seconds": 0.167, "seed": 1,
                "without_effect": ["steps"],
            })
        );
        assert_eq!((told[0], told.len(), told.last()), (0.2, 6, Some(&1.0)));
        assert!(told.windows(2).all(|pair| pair[0] < pair[1]), "{told:?}");
        let bytes = std::fs::read(&response.files[0]).unwrap();
        let has = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(has("algorithmicMedia") && has("a red sea") && has("AI-generated video"));
    }
}
