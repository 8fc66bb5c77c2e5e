//! The parts that a style reuses for every picture: its paper, its grain, the course of a hand's lines. For the frames
//! of a film they are computed once and kept; for one picture they are computed as needed, and take no memory.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use atelier_retouch::canvas::Frame;

/// The desk at which pictures of one style are finished: those of a film, or one alone.
#[derive(Debug, Default)]
pub struct Desk {
    keeps: bool,
    kept: Mutex<Option<Kept>>,
    chosen: Mutex<Option<Arc<dyn Any + Send + Sync>>>,
}

#[derive(Debug)]
struct Kept {
    frame: Frame,
    sheet: Arc<dyn Any + Send + Sync>,
}

impl Desk {
    /// For the frames of a film: the first choices are kept.
    pub fn of_a_film() -> Self {
        Self {
            keeps: true,
            kept: Mutex::default(),
            chosen: Mutex::default(),
        }
    }

    /// Chooses again at the next picture what is chosen for a film as a whole (inks, black and white).
    pub fn choose_anew(&mut self) {
        self.chosen = Mutex::default();
    }

    /// Returns the choice for the picture as a whole; for a film, the first choice.
    pub(super) fn chosen<T: Send + Sync + 'static>(&self, choose: impl FnOnce() -> T) -> Arc<T> {
        if !self.keeps {
            return Arc::new(choose());
        }
        let mut chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = chosen
            .as_ref()
            .and_then(|chosen| Arc::clone(chosen).downcast().ok());
        kept.unwrap_or_else(|| {
            let new = Arc::new(choose());
            *chosen = Some(new.clone());
            new
        })
    }

    /// Whether the pictures are a film's frames.
    pub(super) fn is_of_a_film(&self) -> bool {
        self.keeps
    }

    /// The sheet that a picture is finished on: what `make` returns for each pixel.
    pub(super) fn sheet<T, F>(&self, frame: Frame, make: impl FnOnce() -> F) -> Sheet<T, F>
    where
        T: Copy + Send + Sync + 'static,
        F: Fn(usize, usize) -> T + Sync,
    {
        if !self.keeps {
            return Sheet::New(make());
        }
        let width = frame.width;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = &*kept
            && kept.frame == frame
            && let Ok(sheet) = Arc::clone(&kept.sheet).downcast::<Vec<T>>()
        {
            return Sheet::Kept(sheet, width);
        }
        let at = make();
        let pixels = (0..width * frame.height).into_par_iter().with_min_len(width);
        let sheet: Arc<Vec<T>> = Arc::new(pixels.map(|i| at(i % width, i / width)).collect());
        *kept = Some(Kept {
            frame,
            sheet: sheet.clone(),
        });
        Sheet::Kept(sheet, width)
    }
}

/// The unchanging part, pixel by pixel.
pub(super) enum Sheet<T, F> {
    New(F),
    Kept(Arc<Vec<T>>, usize),
}

impl<T: Copy, F: Fn(usize, usize) -> T> Sheet<T, F> {
    #[inline]
    pub(super) fn at(&self, x: usize, y: usize) -> T {
        match self {
            Self::New(at) => at(x, y),
            Self::Kept(sheet, width) => sheet[y * width + x],
        }
    }
}

/// A number from 0 to 1 in a byte.
#[inline]
pub(super) fn byte(value: f32) -> u8 {
    whole(value.clamp(0.0, 1.0) * 255.0)
}

/// The nearest whole number from 0 to 255.
#[inline]
pub(super) fn whole(value: f32) -> u8 {
    // Added to a number, this leaves its whole part in the low bits of the sum, which is cheaper than a conversion
    // that handles every number.
    const WHOLE: f32 = 8_388_608.0;
    (value + WHOLE).to_bits() as u8
}

/// The number in a byte.
#[inline]
pub(super) fn part(byte: u8) -> f32 {
    f32::from(byte) * (1.0 / 255.0)
}

/// A function of numbers from 0 to 1 as a table: for powers, which need no higher precision.
pub(super) struct Curve(Vec<f32>);

impl Curve {
    const STEPS: usize = 1024;

    pub(super) fn new(of: impl Fn(f32) -> f32) -> Self {
        Self(
            (0..=Self::STEPS)
                .map(|i| of(i as f32 / Self::STEPS as f32))
                .collect(),
        )
    }

    #[inline]
    pub(super) fn at(&self, value: f32) -> f32 {
        self.0[((value * Self::STEPS as f32 + 0.5).max(0.0) as usize).min(Self::STEPS)]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_film_computes_what_stays_once_and_a_new_size_anew() {
        let (desk, asked) = (Desk::of_a_film(), AtomicUsize::new(0));
        let look = |width: usize, x: usize, y: usize| {
            let sheet = desk.sheet(Frame::new(width, 4), || {
                asked.fetch_add(1, Ordering::Relaxed);
                |x: usize, y: usize| (10 * y + x) as u8
            });
            sheet.at(x, y)
        };
        assert_eq!([look(6, 5, 3), look(6, 0, 0), look(6, 2, 1)], [35, 0, 12]);
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        assert_eq!(look(8, 7, 2), 27);
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_film_keeps_to_what_was_chosen_for_it_until_it_is_to_choose_anew() {
        let mut desk = Desk::of_a_film();
        assert_eq!((*desk.chosen(|| 3_u8), *desk.chosen(|| 4_u8)), (3, 3));
        desk.choose_anew();
        assert_eq!(*desk.chosen(|| 5_u8), 5);
        let alone = Desk::default();
        assert_eq!((*alone.chosen(|| 3_u8), *alone.chosen(|| 4_u8)), (3, 4));
    }

    #[test]
    fn a_picture_alone_keeps_nothing() {
        let desk = Desk::default();
        let sheet = desk.sheet(Frame::new(6, 4), || |x: usize, y: usize| (10 * y + x) as u8);
        assert_eq!(sheet.at(5, 3), 35);
        assert!(desk.kept.lock().unwrap().is_none());
    }
}
