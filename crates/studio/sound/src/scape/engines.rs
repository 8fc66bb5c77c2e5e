//! Piston engines: the table of all kinds, and how one runs.

use super::make::{Bed, bandpass, drift, highpass, lowpass};
use crate::chance::Rng;

/// A kind of piston engine. Each firing is a pulse with a burst of noise, which rings in the exhaust.
#[derive(Clone, Copy)]
pub(super) struct Engine {
    /// Lowest and highest number of firings per second.
    firing: (f32, f32),
    /// How uneven firings are, in time and in force.
    uneven: f32,
    /// Resonances of the exhaust, in Hz.
    pipes: [f32; 3],
    /// The share of noise in each firing.
    noise: f32,
    /// Number of cylinders, which differ in force.
    cylinders: usize,
    /// How much the speed wanders, as a fraction.
    wander: f32,
    /// Cutoff of the low-pass filter, in Hz.
    bright: f32,
}

#[rustfmt::skip]
impl Engine {
    // Columns: firings per second, unevenness, exhaust in Hz, noise, cylinders, wander, brightness in Hz.
    pub(super) const IDLING: Self = Self::new((44.0, 52.0), 0.22, [110.0, 260.0, 680.0], 0.35, 4, 0.03, 4_500.0);
    pub(super) const CAR: Self = Self::new((75.0, 95.0), 0.1, [150.0, 320.0, 800.0], 0.3, 4, 0.05, 2_500.0);
    pub(super) const PASSING: Self = Self::new((65.0, 100.0), 0.1, [130.0, 300.0, 650.0], 0.3, 4, 0.0, 900.0);
    pub(super) const TRUCK: Self = Self::new((34.0, 42.0), 0.15, [75.0, 190.0, 1_100.0], 0.8, 6, 0.04, 3_000.0);
    pub(super) const MOTORCYCLE: Self = Self::new((58.0, 72.0), 0.3, [180.0, 420.0, 1_300.0], 0.5, 2, 0.16, 7_000.0);
    pub(super) const BOAT: Self = Self::new((10.5, 13.0), 0.12, [95.0, 210.0, 520.0], 0.5, 2, 0.02, 1_800.0);
    pub(super) const CHAINSAW: Self = Self::new((115.0, 135.0), 0.3, [420.0, 1_100.0, 2_900.0], 0.7, 1, 0.22, 9_000.0);
    pub(super) const PROPELLER: Self = Self::new((82.0, 94.0), 0.06, [170.0, 360.0, 900.0], 0.3, 4, 0.006, 2_200.0);
}

impl Engine {
    const fn new(
        firing: (f32, f32),
        uneven: f32,
        pipes: [f32; 3],
        noise: f32,
        cylinders: usize,
        wander: f32,
        bright: f32,
    ) -> Self {
        Self {
            firing,
            uneven,
            pipes,
            noise,
            cylinders,
            wander,
            bright,
        }
    }

    /// The same engine with another brightness, in Hz.
    pub(super) fn muffled(self, bright: f32) -> Self {
        Self { bright, ..self }
    }

    /// Draws the firings per second of one engine of this kind.
    pub(super) fn speed(&self, rng: &mut Rng) -> f32 {
        rng.between(self.firing.0, self.firing.1)
    }

    /// Runs one engine at its own speed, and fills a bed with it.
    pub(super) fn fill(&self, rng: &mut Rng, bed: &mut Bed) {
        let firing = self.speed(rng);
        self.fill_at(firing, rng, bed);
    }

    /// Runs an engine at about `firing` firings per second, and fills a bed with it.
    pub(super) fn fill_at(&self, firing: f32, rng: &mut Rng, bed: &mut Bed) {
        let sway = drift(rng, bed.frames(), bed.rate, 0.4);
        let row = self.run(rng, bed.frames(), bed.rate, |at| {
            firing * (1.0 + self.wander * sway[at])
        });
        bed.add(0.0, &row, 0.0, 1.0);
        let (mut left, mut right) = (row.clone(), row);
        // Echoes from nearby walls.
        let frames = bed.frames().max(1);
        left.rotate_right((0.007 * bed.rate) as usize % frames);
        right.rotate_right((0.011 * bed.rate) as usize % frames);
        bed.add(0.0, &left, -0.9, 0.25);
        bed.add(0.0, &right, 0.9, 0.25);
    }

    /// Runs an engine in one channel. `firing` returns the firings per second at a sample.
    pub(super) fn run(
        &self,
        rng: &mut Rng,
        frames: usize,
        rate: f32,
        firing: impl Fn(usize) -> f32,
    ) -> Vec<f32> {
        let forces: Vec<f32> = (0..self.cylinders).map(|_| rng.between(0.7, 1.0)).collect();
        let mut phase = 0.0_f32;
        let (mut cylinder, mut force, mut stretch) = (0, 1.0, 1.0);
        let mut out: Vec<f32> = (0..frames)
            .map(|at| {
                phase += firing(at) * stretch / rate;
                if phase >= 1.0 {
                    phase -= 1.0;
                    cylinder = (cylinder + 1) % self.cylinders;
                    force = forces[cylinder] * (1.0 + self.uneven * rng.bipolar());
                    stretch = 1.0 + 0.3 * self.uneven * rng.bipolar();
                }
                let push = (-9.0 * phase).exp() * (phase * 40.0).min(1.0) - 0.11;
                force * (push + self.noise * rng.bipolar() * (-6.0 * phase).exp())
            })
            .collect();
        let dry = out.clone();
        for (pipe, gain) in self.pipes.iter().zip([1.0, 0.8, 0.5]) {
            let mut ring = dry.clone();
            bandpass(&mut ring, rate, *pipe, 2.2);
            for (x, y) in out.iter_mut().zip(&ring) {
                *x += 2.2 * gain * y;
            }
        }
        highpass(&mut out, rate, 28.0);
        lowpass(&mut out, rate, self.bright);
        out
    }
}
