//! `inpaint`: replaces what a mask shows white with what could be there. No other pixel changes.

use serde_json::{Map, Value};

use atelier_protocol::{Error, Request, Response};
use atelier_retouch::color::luma;
use atelier_retouch::decode::{self, Picture};
use atelier_retouch::encode::SourceType;
use atelier_retouch::inpaint::fill;
use atelier_retouch::{close, open, params};

mod subject;

/// The largest share of a picture that can be replaced.
const MOST: f32 = 0.7;

/// The task.
pub(crate) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let mut picture = open(request)?;
    progress(0.08);
    let mask = request
        .inputs_of("mask_url")
        .next()
        .ok_or_else(|| Error::InvalidInput("`mask_url` is missing; a mask is required".into()))?;
    let missing = missing(&decode::read(&mask.path)?, picture.width, picture.height)?;
    let share = missing.iter().filter(|missing| **missing).count() as f32 / missing.len() as f32;
    if share <= 0.0 {
        return Err(Error::InvalidInput(
            "the mask has no white pixels; paint the part to replace white".into(),
        ));
    }
    if share > MOST {
        return Err(Error::InvalidInput(format!(
            "the mask is white over {:.0} % of the picture; up to {:.0} % can be replaced",
            100.0 * share,
            100.0 * MOST,
        )));
    }
    progress(0.12);
    let seed = request
        .params
        .get("seed")
        .and_then(Value::as_u64)
        .unwrap_or(request.seed);
    if !fill(
        &mut picture,
        &missing,
        (seed ^ (seed >> 32)) as u32,
        &mut |done| progress(0.12 + 0.76 * done),
    ) {
        return Err(Error::InvalidInput(
            "the mask leaves too little of the picture to fill from; use a smaller mask".into(),
        ));
    }
    let mut notes = Map::new();
    notes.insert(
        "replaced_share".into(),
        ((f64::from(share) * 10_000.0).round() / 10_000.0).into(),
    );
    if let Some(prompt) = params::text(request, "prompt") {
        notes.append(&mut subject::draw(&mut picture, &missing, prompt, seed));
    }
    close(request, &picture, SourceType::Composite, notes)
}

/// The pixels that a mask selects, stretched to this size: those at least half white.
fn missing(mask: &Picture, width: usize, height: usize) -> Result<Vec<bool>, Error> {
    let shape = (mask.width as f32 / mask.height as f32) / (width as f32 / height as f32);
    if !(0.97..=1.03).contains(&shape) {
        return Err(Error::InvalidInput(format!(
            "the mask is {} × {} and the picture {width} × {height}; the mask must have the picture's shape",
            mask.width, mask.height
        )));
    }
    let white = |x: usize, y: usize| {
        let [r, g, b, a] = mask
            .pixel(x * mask.width / width, y * mask.height / height)
            .map(f32::from);
        luma(r, g, b) * a / 255.0 >= 127.5
    };
    Ok((0..width * height).map(|i| white(i % width, i / width)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_of_another_size_is_stretched_and_of_another_shape_refused() {
        let mut mask = Picture::filled(50, 40, [0, 0, 0, 255]);
        mask.rgba[4 * (10 * 50 + 20)..4 * (10 * 50 + 20) + 3].fill(255);
        let stretched = missing(&mask, 100, 80).expect("of the same shape");
        assert_eq!(stretched.iter().filter(|missing| **missing).count(), 4);
        assert!(stretched[20 * 100 + 40]);
        assert!(matches!(missing(&mask, 40, 80), Err(Error::InvalidInput(_))));
    }
}
