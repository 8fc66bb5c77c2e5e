//! `upscale`: two or four times the size, by a small learned network for each of photographs and drawings. The
//! picture is processed in bands and written as they come, so the result is never in memory as a whole.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use self::double::{Piece, double};
use self::network::Network;
use crate::decode::Picture;
use crate::encode::{Frame, PngRows, Provenance, SourceType};
use crate::{OUTPUT, metadata, open, params};
use atelier_protocol::{Error, Request, Response};

mod double;
pub mod network;

/// The most pixels a result may have.
const MAX_RESULT: u64 = 256_000_000;

/// Source rows that are processed at a time, and how many more on each side influence them at four times.
const BAND: usize = 128;
const HALO: usize = 10;

/// The kind of picture that the detail is estimated for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Photo,
    Art,
}

static PHOTO: LazyLock<Network> = LazyLock::new(|| {
    Network::from_bytes(include_bytes!("photo.weights"))
        .expect("the weights fit the network, a test reads them")
});
static ART: LazyLock<Network> = LazyLock::new(|| {
    Network::from_bytes(include_bytes!("art.weights"))
        .expect("the weights fit the network, a test reads them")
});

impl Kind {
    fn network(self) -> &'static Network {
        match self {
            Self::Photo => &PHOTO,
            Self::Art => &ART,
        }
    }

    /// Drawings have large flat parts; photographs have grain everywhere.
    pub fn of(picture: &Picture) -> Self {
        let step = (picture.width * picture.height / 200_000).max(1);
        let (mut flat, mut all) = (0_usize, 0_usize);
        for i in (0..picture.width * picture.height).step_by(step) {
            if (i + 1) % picture.width == 0 || i + picture.width >= picture.width * picture.height {
                continue;
            }
            let here = &picture.rgba[4 * i..4 * i + 3];
            let right = &picture.rgba[4 * i + 4..4 * i + 7];
            let below = &picture.rgba[4 * (i + picture.width)..4 * (i + picture.width) + 3];
            all += 1;
            flat += usize::from(here == right && here == below);
        }
        if flat * 2 > all { Self::Art } else { Self::Photo }
    }
}

/// The task.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let factor = params::number(request, "factor", 2.0, 2.0, 4.0)?;
    let factor = match factor {
        2.0 => 2,
        4.0 => 4,
        _ => {
            return Err(Error::InvalidInput(format!(
                "`factor` must be 2 or 4 (got {factor})"
            )));
        }
    };
    let mode = params::choice(request, "mode", &["auto", "photo", "art"])?;
    let picture = open(request)?;
    check_result(&picture, factor)?;
    progress(0.05);
    let kind = match mode {
        "photo" => Kind::Photo,
        "art" => Kind::Art,
        _ => Kind::of(&picture),
    };
    let opaque = picture.is_opaque();
    let (width, height) = (picture.width * factor, picture.height * factor);
    let path = request.out.join(OUTPUT);
    let frame = Frame {
        width,
        height,
        alpha: !opaque,
        icc: picture.icc.as_deref(),
    };
    let provenance = Provenance {
        tool: &request.task,
        source: SourceType::AlgorithmicallyEnhanced,
    };
    let mut file = PngRows::create(&path, frame, provenance)?;
    let mut next = band(&picture, 0, factor, kind, opaque);
    for start in (0..picture.height).step_by(BAND) {
        let rows = next;
        let (written, following) = rayon::join(
            || file.write(&rows),
            || band(&picture, start + BAND, factor, kind, opaque),
        );
        written?;
        next = following;
        progress(0.05 + 0.93 * ((start + BAND) as f32 / picture.height as f32).min(1.0));
    }
    file.finish()?;
    let mut notes = Map::new();
    notes.insert("factor".into(), factor.into());
    notes.insert(
        "mode".into(),
        Value::from(if kind == Kind::Photo { "photo" } else { "art" }),
    );
    Ok(Response {
        files: vec![path],
        metadata: metadata(width, height, notes),
    })
}

/// Enlarges a whole picture, two or four times.
pub fn enlarge(picture: &Picture, factor: usize, kind: Kind) -> Picture {
    let opaque = picture.is_opaque();
    let mut piece = Piece {
        width: picture.width,
        height: picture.height,
        rgba: picture.rgba.clone(),
    };
    for _ in 0..factor.ilog2() {
        piece = double(&piece, kind.network(), opaque);
    }
    Picture {
        width: piece.width,
        height: piece.height,
        rgba: piece.rgba,
        icc: picture.icc.clone(),
    }
}

fn check_result(picture: &Picture, factor: usize) -> Result<(), Error> {
    let pixels = (picture.width * picture.height * factor * factor) as u64;
    if pixels <= MAX_RESULT {
        return Ok(());
    }
    Err(Error::InvalidInput(format!(
        "the picture is {} × {}; {factor} times that is {:.0} megapixels, and up to {} can be made: {}",
        picture.width,
        picture.height,
        pixels as f64 / 1e6,
        MAX_RESULT / 1_000_000,
        if factor == 4 {
            "use a factor of 2 or a smaller picture"
        } else {
            "use a smaller picture"
        },
    )))
}

/// The result's rows for a band of the source, in the file's layout; none after the last band.
fn band(picture: &Picture, start: usize, factor: usize, kind: Kind, opaque: bool) -> Vec<u8> {
    if start >= picture.height {
        return Vec::new();
    }
    let end = (start + BAND).min(picture.height);
    let (top, bottom) = (start.saturating_sub(HALO), (end + HALO).min(picture.height));
    let stride = 4 * picture.width;
    let mut piece = Piece {
        width: picture.width,
        height: bottom - top,
        rgba: picture.rgba[top * stride..bottom * stride].to_vec(),
    };
    for _ in 0..factor.ilog2() {
        piece = double(&piece, kind.network(), opaque);
    }
    let rows = &piece.rgba[(start - top) * factor * factor * stride..(end - top) * factor * factor * stride];
    if opaque {
        rows.chunks_exact(4)
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect()
    } else {
        rows.to_vec()
    }
}

#[cfg(test)]
mod tests;
