//! How things move: their paths, swings and bends, as functions of time.

use std::f32::consts::TAU;

/// A movement that can be evaluated at any moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Act {
    /// Pixels of the scene a second, right and down.
    pub(crate) speed: (f32, f32),
    /// The borders at which the path across starts over, in pixels from its rest: left and right.
    pub(crate) around: Option<(f32, f32)>,
    /// The approach a second: the share of its distance that it covers.
    pub(crate) approach: f32,
    /// Up and down: pixels, times a second, and whether it hops rather than swings.
    pub(crate) heave: (f32, f32, bool),
    /// To and fro around its foot or centre: radians and times a second.
    pub(crate) roll: (f32, f32),
    pub(crate) bend: Bend,
    pub(crate) phase: f32,
    /// The moment, in seconds, at which it is where it was drawn.
    pub(crate) home: f32,
}

/// How a texture bends.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) enum Bend {
    #[default]
    Stiff,
    /// The top sways: its share of the height.
    Sway(f32),
    /// Legs swing: two that open and close, or those of a four-legged animal, one after the other. Times a second.
    Stride(f32),
    Trot(f32),
    /// Both ends go up and down: wings. The share of the height, times a second.
    Flap(f32, f32),
    /// A wave runs along it: fish. The share of the height, times a second.
    Swim(f32, f32),
    /// A wave moves away from its left border: flags.
    Wave(f32),
    /// Flames that flicker upward.
    Lick,
}

/// The position of a thing at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pose {
    pub(crate) shift: (f32, f32),
    /// How much larger it is, because it is nearer.
    pub(crate) size: f32,
    pub(crate) turn: f32,
    pub(crate) bent: Bent,
}

impl Default for Pose {
    fn default() -> Self {
        Self {
            shift: (0.0, 0.0),
            size: 1.0,
            turn: 0.0,
            bent: Bent::default(),
        }
    }
}

/// A bend at one moment.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bent {
    bend: Bend,
    /// Depends on the bend: its extent, or its phase.
    state: f32,
}

impl Act {
    pub(crate) fn pose(&self, time: f32) -> Pose {
        let since = time - self.home;
        let mut x = self.speed.0 * since;
        if let Some((left, right)) = self.around {
            x = left + (x - left).rem_euclid((right - left).max(1.0));
        }
        let (far, often, hops) = self.heave;
        let swing = (TAU * often * time + self.phase).sin();
        let lift = if hops { -swing.abs() } else { swing };
        let roll = self.roll.0 * (TAU * self.roll.1 * time + self.phase * 1.3).sin();
        let state = match self.bend {
            Bend::Stiff => 0.0,
            Bend::Sway(far) => far * wander(time * 0.5, self.phase),
            Bend::Stride(often) | Bend::Trot(often) | Bend::Flap(_, often) | Bend::Swim(_, often) => {
                TAU * often * time + self.phase
            }
            Bend::Wave(often) => TAU * often * time,
            Bend::Lick => time * 9.0 + self.phase,
        };
        Pose {
            shift: (x, self.speed.1 * since + far * lift),
            size: (self.approach * since).exp().clamp(0.3, 3.0),
            turn: roll,
            bent: Bent {
                bend: self.bend,
                state,
            },
        }
    }
}

impl Bent {
    pub(crate) fn is_stiff(self) -> bool {
        self.bend == Bend::Stiff
    }

    /// The displacement of a place of the texture (`u`, `v` from 0 to 1), as shares of its height.
    #[inline]
    pub(crate) fn at(self, u: f32, v: f32) -> (f32, f32) {
        match self.bend {
            Bend::Stiff => (0.0, 0.0),
            Bend::Sway(_) => {
                let up = 1.0 - v;
                (
                    self.state * up * up + 0.12 * self.state * up * (9.0 * u + 7.0 * v).sin(),
                    0.0,
                )
            }
            Bend::Stride(_) => {
                let low = smooth((v - 0.55) / 0.45);
                let side = ((u - 0.5) * 6.0).clamp(-1.0, 1.0);
                let swing = self.state.sin();
                (0.045 * low * side * (1.0 + swing) * 0.8 - 0.02 * low * swing, 0.0)
            }
            Bend::Trot(_) => {
                // Hind legs and forelegs, each pair together; there is nothing between them to stretch.
                let low = smooth((v - 0.55) / 0.4);
                let pair = smooth((u - 0.38) / 0.24);
                (
                    0.1 * low * (self.state + 2.4 * pair).sin(),
                    0.006 * self.state.sin(),
                )
            }
            Bend::Flap(far, _) => {
                let out = (2.0 * u - 1.0).abs();
                let beat = self.state.sin();
                (0.0, far * (beat * out * out - 0.25 * beat))
            }
            Bend::Swim(far, _) => (
                0.0,
                far * (TAU * 0.9 * u - self.state).sin() * (0.25 + (u - 0.5).abs()),
            ),
            Bend::Wave(_) => {
                let loose = smooth((u - 0.12) / 0.5);
                (0.0, 0.03 * loose * (TAU * 1.6 * u - self.state).sin())
            }
            Bend::Lick => {
                let up = 1.0 - v;
                let side = (6.0 * v + self.state).sin() + 0.6 * (11.0 * v + 1.7 * self.state).sin();
                let tall = 0.07 * (0.8 * self.state).sin() + 0.05 * (1.9 * self.state).sin();
                (0.035 * up * up * side, tall * up)
            }
        }
    }

    /// The largest displacement, as a share of the height.
    pub(crate) fn reach(self) -> f32 {
        match self.bend {
            Bend::Stiff => 0.0,
            Bend::Flap(far, _) | Bend::Swim(far, _) => far,
            Bend::Sway(_) => self.state.abs() * 1.2,
            _ => 0.14,
        }
    }
}

fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A path without a visible period, −1 to 1, like the movement of wind and hands.
pub(crate) fn wander(time: f32, phase: f32) -> f32 {
    0.5 * (TAU * 0.71 * time + phase).sin()
        + 0.3 * (TAU * 1.27 * time + 2.3 * phase).sin()
        + 0.2 * (TAU * 0.37 * time + 4.1 * phase).sin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_travels_is_at_home_at_its_hour_and_goes_evenly() {
        let act = Act {
            speed: (30.0, 0.0),
            home: 2.0,
            ..Act::default()
        };
        assert_eq!(act.pose(2.0).shift, (0.0, 0.0));
        assert!((act.pose(3.5).shift.0 - 45.0).abs() < 1e-3);
    }

    #[test]
    fn what_goes_around_stays_between_its_bounds() {
        let act = Act {
            speed: (50.0, 0.0),
            around: Some((-100.0, 60.0)),
            ..Act::default()
        };
        for tenth in 0..200 {
            let x = act.pose(tenth as f32 * 0.1).shift.0;
            assert!((-100.0..=60.0).contains(&x), "{x}");
        }
    }

    #[test]
    fn bends_are_smooth_over_time() {
        for bend in [
            Bend::Sway(0.03),
            Bend::Stride(1.8),
            Bend::Trot(2.0),
            Bend::Flap(0.3, 2.0),
            Bend::Swim(0.1, 1.0),
            Bend::Wave(0.8),
            Bend::Lick,
        ] {
            let act = Act {
                bend,
                ..Act::default()
            };
            for frame in 0..240 {
                let (now, next) = (act.pose(frame as f32 / 24.0), act.pose((frame + 1) as f32 / 24.0));
                for (u, v) in [(0.1, 0.2), (0.5, 0.9), (0.9, 0.5)] {
                    let (a, b) = (now.bent.at(u, v), next.bent.at(u, v));
                    let step = (a.0 - b.0).hypot(a.1 - b.1);
                    assert!(step < 0.16, "{bend:?} jumps {step}");
                    assert!(a.0.hypot(a.1) <= now.bent.reach() + 0.02, "{bend:?}: {a:?}");
                }
            }
        }
    }
}
