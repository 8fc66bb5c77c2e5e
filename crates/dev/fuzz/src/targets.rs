//! The targets of fuzzing: everything that reads files, bodies and model files from outside.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use atelier_catalog::Catalog;
use atelier_domain::MediaKind;
use atelier_film::Reader;
use atelier_media::{Mark, mark, probe, sniff};
use atelier_provenance::SourceType;

/// One reader, and the files of the corpus that it begins with.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    /// Whether a file of the corpus, by its name, is one for this reader.
    pub(crate) reads: fn(&str) -> bool,
    /// Reads one input. Panics if the reader does, or if it breaks a promise. `folder` is for files it needs.
    pub(crate) run: fn(&[u8], &Path),
}

pub(crate) const TARGETS: [Target; 7] = [
    Target {
        name: "sniff",
        reads: is_media,
        run: sniffed,
    },
    Target {
        name: "probe",
        reads: is_media,
        run: probed,
    },
    Target {
        name: "mark",
        reads: is_media,
        run: marked,
    },
    Target {
        name: "film",
        reads: |name| has_suffix(name, &["mp4", "mov"]),
        run: filmed,
    },
    Target {
        name: "sound",
        // The formats that the program ffmpeg would decode are left out: it is not ours, and slow to start.
        reads: |name| has_suffix(name, &["mp3", "wav", "flac", "m4a", "aac"]) || name == "vorbis.ogg",
        run: heard,
    },
    Target {
        name: "body",
        reads: |name| has_suffix(name, &["json"]),
        run: body,
    },
    Target {
        name: "catalog",
        reads: |name| has_suffix(name, &["toml"]),
        run: catalog,
    },
];

fn has_suffix(name: &str, suffixes: &[&str]) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, suffix)| suffixes.contains(&suffix))
}

fn is_media(name: &str) -> bool {
    !has_suffix(name, &["json", "toml"])
}

fn sniffed(bytes: &[u8], _: &Path) {
    let whole = sniff(bytes);
    let head = sniff(&bytes[..bytes.len().min(atelier_media::sniff::HEAD)]);
    assert_eq!(whole, head, "more than the head was looked at");
}

fn probed(bytes: &[u8], _: &Path) {
    let Ok(facts) = atelier_media::probe::probe_reader(std::io::Cursor::new(bytes)) else {
        return;
    };
    assert_eq!(facts.size, bytes.len() as u64);
    if let Some(seconds) = facts.duration {
        assert!(seconds.is_finite() && seconds > 0.0, "{seconds} s");
    }
    assert!(facts.width != Some(0) && facts.height != Some(0));
}

fn written(bytes: &[u8], folder: &Path) -> PathBuf {
    let path = folder.join("input");
    fs::write(&path, bytes).expect("the folder for inputs can be written to");
    path
}

fn marked(bytes: &[u8], folder: &Path) {
    let path = written(bytes, folder);
    let before = probe(&path).ok();
    let kind = before.as_ref().and_then(|facts| facts.media_type.kind());
    let wanted = Mark {
        program: "atelier".to_owned(),
        source: SourceType::Trained,
        system: "a-model".to_owned(),
        prompt: Some("a boat".to_owned()),
        kind: kind.unwrap_or(MediaKind::Image),
    };
    match mark(&path, &wanted) {
        Ok(_) => {
            let (before, after) = (
                before.expect("it was probed"),
                probe(&path).expect("it is a file"),
            );
            assert_eq!(before.media_type, after.media_type, "the mark changes the type");
            assert_eq!(
                (before.width, before.height),
                (after.width, after.height),
                "the mark changes the picture"
            );
        }
        Err(_) => assert!(
            fs::read(&path).is_ok_and(|after| after == bytes),
            "a file without a mark is changed"
        ),
    }
}

fn filmed(bytes: &[u8], folder: &Path) {
    const FRAMES: usize = 12;
    let path = written(bytes, folder);
    let limits = atelier_film::Limits {
        seconds: 10.0,
        side: 1_024,
        frames: 1_000,
        ffmpeg: false,
        ..atelier_film::Limits::default()
    };
    let Ok(mut film) = Reader::open(&path, &limits) else {
        return;
    };
    let facts = *film.facts();
    assert!(facts.seconds <= limits.seconds + 0.5, "{} s", facts.seconds);
    for _ in 0..FRAMES {
        match film.next(None) {
            Ok(Some(frame)) => assert_eq!(
                (frame.picture.width as u32, frame.picture.height as u32),
                (facts.width, facts.height)
            ),
            Ok(None) | Err(_) => break,
        }
    }
    let _sound = film.coded_sound(1.0);
    let _last = film.seek(facts.frames.saturating_sub(1));
}

fn heard(bytes: &[u8], folder: &Path) {
    let path = written(bytes, folder);
    let limits = atelier_sound::file::Limits {
        seconds: 20.0,
        ffmpeg: false,
        ..atelier_sound::file::Limits::default()
    };
    if let Ok(audio) = atelier_sound::file::decode_within(&path, &limits) {
        assert!(audio.seconds() <= limits.seconds + 1.0, "{} s", audio.seconds());
        assert!(audio.channels.iter().all(|row| row.len() == audio.frames()));
    }
}

fn body(bytes: &[u8], _: &Path) {
    static MODELS: LazyLock<Catalog> =
        LazyLock::new(|| Catalog::builtin().expect("the built-in catalog compiles"));
    let Ok(mut fields) = atelier_catalog::parse_body(bytes) else {
        return;
    };
    let slug = fields
        .remove("model")
        .and_then(|slug| slug.as_str().map(str::to_owned))
        .unwrap_or_default();
    let params = fields
        .remove("params")
        .and_then(|params| params.as_object().cloned())
        .unwrap_or_default();
    // If the name of the model is damaged, some model takes the fields.
    let Some(model) = MODELS
        .get(&slug)
        .or_else(|| MODELS.iter().nth(bytes.len() % MODELS.iter().len()))
    else {
        return;
    };
    match model.check(&fields, &params) {
        Ok(checked) => {
            let unknown = vec![None; checked.inputs.len()];
            assert!(model.estimate(&checked.params, &checked.inputs, &unknown) >= 0);
            let _problems = model.check_files(&checked.params, &checked.inputs, &unknown);
        }
        Err(problems) => assert!(!problems.is_empty(), "refused without a reason"),
    }
}

fn catalog(bytes: &[u8], _: &Path) {
    let Ok(catalog) = Catalog::of_text("fuzzed.toml", &String::from_utf8_lossy(bytes)) else {
        return;
    };
    for model in catalog.iter() {
        let _described = (
            model.describe(),
            model.summary(),
            model.json_schema(),
            model.rules(),
        );
    }
}
