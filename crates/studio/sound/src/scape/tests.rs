//! The guarantees of soundscapes.

use rayon::prelude::*;

use super::*;
use crate::{dsp::filter::Biquad, file::loudness, music::analysis};

const RATE: u32 = 22_050;

fn alone(sound: Sound, seconds: f32) -> Vec<f32> {
    let mut scape = Scape::new(seconds, 4);
    scape.sources.push(Source::new(sound));
    render(&scape, RATE).downmix()
}

fn energy(samples: &[f32]) -> f64 {
    samples.iter().map(|x| f64::from(x * x)).sum()
}

/// The share of energy between two frequencies.
fn share(samples: &[f32], low: f32, high: f32) -> f64 {
    let mut band = samples.to_vec();
    for _ in 0..2 {
        Biquad::highpass(RATE as f32, low, 0.7).run(&mut band);
        Biquad::lowpass(RATE as f32, high, 0.7).run(&mut band);
    }
    energy(&band) / energy(samples)
}

/// Root mean square frequency, in Hz.
fn brightness(samples: &[f32]) -> f64 {
    let change: Vec<f32> = samples.windows(2).map(|pair| pair[1] - pair[0]).collect();
    (energy(&change) / energy(samples)).sqrt() * f64::from(RATE) / std::f64::consts::TAU
}

/// How uneven the level is over steps of 50 ms: the maximum divided by the mean.
fn crest(samples: &[f32]) -> f64 {
    let levels: Vec<f64> = samples.chunks(RATE as usize / 20).map(energy).collect();
    levels.iter().copied().fold(0.0, f64::max) * levels.len() as f64 / levels.iter().sum::<f64>()
}

/// Attacks per second.
fn attacks(samples: &[f32]) -> f64 {
    let levels: Vec<f64> = samples.chunks(RATE as usize / 50).map(energy).collect();
    let most = levels.iter().copied().fold(0.0, f64::max);
    let mut count = 0;
    let mut rest = 0;
    for pair in levels.windows(2) {
        if rest > 0 {
            rest -= 1;
        } else if pair[1] > 4.0 * pair[0] + 0.02 * most {
            count += 1;
            rest = 4;
        }
    }
    f64::from(count) * f64::from(RATE) / samples.len() as f64
}

#[test]
fn every_sound_has_the_promised_level_and_never_clips() {
    Sound::ALL.par_iter().for_each(|sound| {
        let mut scape = Scape::new(2.5, 11);
        scape.sources.push(Source::new(*sound));
        let audio = render(&scape, RATE);
        assert_eq!(audio.frames(), (2.5 * RATE as f32).round() as usize);
        assert!(
            audio.channels.iter().flatten().all(|x| x.is_finite()),
            "{sound:?}"
        );
        let heard = loudness::integrated(&audio);
        // A single short peak cannot reach this loudness without being cut.
        assert!(
            (-34.0..=-22.5).contains(&heard),
            "{sound:?} is at {heard:.1} LUFS"
        );
        assert!(loudness::true_peak(&audio) <= -0.9, "{sound:?}");
    });
}

#[test]
fn sounds_have_typical_spectra() {
    let low = [
        Sound::Thunder,
        Sound::Heartbeat,
        Sound::Boat,
        Sound::Underwater,
        Sound::Spaceship,
    ];
    for sound in low {
        let part = share(&alone(sound, 4.0), 20.0, 500.0);
        assert!(part > 0.6, "{sound:?} has {part:.2} of its energy below 500 Hz");
    }
    let high = [
        (Sound::Crickets, 2_500.0),
        (Sound::Birds, 1_500.0),
        (Sound::Hail, 1_500.0),
        (Sound::Keys, 2_000.0),
    ];
    for (sound, from) in high {
        let part = share(&alone(sound, 4.0), from, 10_500.0);
        assert!(
            part > 0.6,
            "{sound:?} has {part:.2} of its energy above {from} Hz"
        );
    }
    let order = [Sound::Thunder, Sound::Wind, Sound::Surf, Sound::Rain];
    let middles: Vec<f64> = order
        .iter()
        .map(|sound| brightness(&alone(*sound, 6.0)))
        .collect();
    assert!(
        middles.windows(2).all(|pair| pair[0] < pair[1]),
        "{order:?} are at {middles:?}"
    );
}

#[test]
fn continuous_sounds_are_even_and_events_stand_out() {
    for sound in [
        Sound::Rain,
        Sound::Fan,
        Sound::Waterfall,
        Sound::Crowd,
        Sound::Engine,
    ] {
        let crest = crest(&alone(sound, 4.0));
        assert!(crest < 4.0, "{sound:?} {crest}");
    }
    for sound in [
        Sound::Knock,
        Sound::Dog,
        Sound::Hammer,
        Sound::Footsteps,
        Sound::Drip,
    ] {
        let crest = crest(&alone(sound, 4.0));
        assert!(crest > 4.0, "{sound:?} {crest}");
    }
}

#[test]
fn steady_sounds_keep_their_pace() {
    for (sound, low, high) in [
        (Sound::Clock, 1.7, 2.3),
        (Sound::Footsteps, 1.6, 2.2),
        (Sound::Running, 2.8, 3.6),
        (Sound::Heartbeat, 1.0, 2.6),
    ] {
        let pace = attacks(&alone(sound, 8.0));
        assert!(
            (low..=high).contains(&pace),
            "{sound:?} has {pace} attacks a second"
        );
    }
    let onsets = analysis::onsets(&alone(Sound::Train, 8.0), RATE);
    assert!(onsets.iter().copied().fold(0.0, f32::max) > 2.0);
}

#[test]
fn an_event_is_heard_at_its_time_and_on_its_side() {
    let mut scape = Scape::new(4.0, 2);
    scape.events.push(Event::new(2.0, Sound::Knock).pan(-1.0));
    let audio = render(&scape, RATE);
    let [left, right] = &audio.channels[..] else {
        panic!("stereo is expected");
    };
    let at = 2 * RATE as usize;
    assert!(energy(&left[..at - 10]) < 1e-12);
    assert!(energy(&left[at..at + RATE as usize / 10]) > 0.05 * energy(left));
    assert!(energy(left) > 8.0 * energy(right));
}

#[test]
fn far_sounds_are_quieter_and_duller_than_near_ones() {
    let heard = |distance: f32| {
        let mut scape = Scape::new(3.0, 2);
        scape.sources.push(Source::new(Sound::Hail).distance(distance));
        render(&scape, RATE).downmix()
    };
    let treble = |distance: f32| share(&heard(distance), 4_000.0, 10_500.0);
    assert!(
        treble(12.0) < 0.5 * treble(1.0),
        "{} of {}",
        treble(12.0),
        treble(1.0)
    );
    // A hum keeps the level, so that loudness can be compared.
    let both = |distance: f32| {
        let mut scape = Scape::new(3.0, 2);
        scape.sources.push(Source::new(Sound::Fan));
        scape
            .events
            .push(Event::new(1.0, Sound::SmallBell).distance(distance));
        let samples = render(&scape, RATE).downmix();
        share(&samples[RATE as usize..], 1_400.0, 9_000.0)
    };
    assert!(both(1.0) > 2.0 * both(10.0), "{} and {}", both(1.0), both(10.0));
}

#[test]
fn a_passing_car_moves_across_and_bends_its_pitch() {
    let heard = from_words("a siren passing from left to right", 6.0, 3);
    assert_eq!(heard.scape.sources[0].sound, Sound::Siren);
    let audio = render(&heard.scape, RATE);
    let balance = |from: f32, to: f32| {
        let span = (from * RATE as f32) as usize..(to * RATE as f32) as usize;
        energy(&audio.channels[0][span.clone()]) / energy(&audio.channels[1][span])
    };
    assert!(balance(0.0, 1.5) > 3.0 && balance(4.5, 6.0) < 0.33);
    let tone = |distance: Curve| {
        let mut scape = Scape::new(2.0, 3);
        scape.sources.push(Source::new(Sound::Beep).distance(distance));
        brightness(&render(&scape, RATE).downmix()[..RATE as usize])
    };
    let coming = tone(Curve::points(&[(0.0, 8.0), (2.0, 1.0)]));
    let going = tone(Curve::points(&[(0.0, 1.0), (2.0, 8.0)]));
    assert!(coming > 1.05 * going, "{coming} Hz, {going} Hz");
}

#[test]
fn the_same_scape_gives_the_same_samples_and_another_seed_others() {
    let make = |seed| render(&from_words("rain, birds and a dog", 2.0, seed).scape, RATE);
    assert_eq!(make(5), make(5));
    assert_ne!(make(5), make(6));
}

#[test]
fn hostile_numbers_end_in_silence_or_sound_and_not_in_a_crash() {
    let mut scape = Scape::new(1.0, 1);
    scape.sources.push(
        Source::new(Sound::Rain)
            .gain(Curve::points(&[(f32::NAN, 1.0), (0.0, 1.0)]))
            .pan(900.0)
            .distance(f32::NAN),
    );
    scape.events.push(Event::new(f32::INFINITY, Sound::Dog));
    scape.events.push(Event::new(-2.0, Sound::Dog).strength(1e9));
    let audio = render(&scape, RATE);
    assert!(audio.channels.iter().flatten().all(|x| x.is_finite()));
    assert_eq!(render(&Scape::new(f32::NAN, 1), RATE).frames(), 0);
    assert_eq!(render(&Scape::new(0.0, 1), RATE).frames(), 0);
    assert_eq!(render(&Scape::new(1e9, 1), 100).frames(), LONGEST as usize * 100);
}
