use std::{
    collections::{BTreeMap, BTreeSet},
    f32::consts::TAU,
};

use rayon::prelude::*;

use super::{
    analysis,
    form::Kind,
    instrument::Instrument,
    mix::{Settings, perform},
    plan::{Gender, Order, PROFILES, plan},
    score::Role,
    section::{Replacement, replace},
    *,
};
use crate::file::{Audio, loudness};

mod recordings;

/// Samples and settings as bits, for exact comparison.
fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn instrumental(prompt: &str, seconds: f64) -> Order {
    Order {
        instrumental: true,
        seconds: Some(seconds),
        ..Order::new(prompt, 11)
    }
}

fn played(order: &Order) -> (compose::Composition, Audio) {
    let piece = super::compose(order);
    let audio = perform(&piece.score, &piece.production, &Settings::default(), &mut |_| {}).unwrap();
    (piece, audio)
}

#[test]
fn every_genre_is_understood_by_name_and_has_its_own_music() {
    let mut pieces = Vec::new();
    for genre in genre::all() {
        let piece = super::compose(&instrumental(&format!("{} about rivers", genre.name), 60.0));
        assert_eq!(piece.plan.genre.name, genre.name);
        let score = &piece.score;
        assert!(
            (genre.tempo.0..=genre.tempo.1).contains(&(score.bpm as f32)),
            "{}: {}",
            genre.name,
            score.bpm
        );
        assert!(
            score.seconds() > 35.0 && score.seconds() < 100.0,
            "{}: {} s",
            genre.name,
            score.seconds()
        );
        let notes: usize = score.parts.iter().map(|part| part.notes.len()).sum();
        assert!(notes > 60, "{}: {notes} notes", genre.name);
        for part in &score.parts {
            let (low, high) = part.instrument.facts().range;
            let off = part
                .notes
                .iter()
                .filter(|note| (note.pitch as f32) < low - 7.0 || note.pitch as f32 > high + 12.0)
                .count();
            assert_eq!(
                off,
                0,
                "{}: {} beyond its range",
                genre.name,
                part.instrument.name()
            );
            assert!(
                part.notes
                    .iter()
                    .all(|note| note.beat >= 0.0 && note.beats > 0.0 && note.velocity > 0.0)
            );
        }
        pieces.push((genre.name, piece.score));
    }
    assert!(pieces.len() >= 22, "{}", pieces.len());
    for (at, (name, score)) in pieces.iter().enumerate() {
        for (other, different) in &pieces[at + 1..] {
            assert!(
                score.hits != different.hits || score.parts != different.parts,
                "{name} is {other}"
            );
        }
    }
}

#[test]
fn the_sound_has_the_requested_tempo_and_key() {
    for (prompt, bpm, tonic) in [
        ("house track, 124 bpm, in a minor", 124.0, 9),
        ("rock, 120 bpm, e major", 120.0, 4),
    ] {
        let (piece, audio) = played(&instrumental(prompt, 15.0));
        assert_eq!((piece.score.bpm, piece.score.key.tonic), (bpm, tonic), "{prompt}");
        let mono = audio.downmix();
        let heard = analysis::pulse(&mono, audio.rate).unwrap().bpm;
        assert!((heard / bpm - 1.0).abs() < 0.01, "{prompt}: {heard}");
        // Of all twelve scales, the key's own must be the strongest.
        let classes = analysis::profile(&mono, audio.rate);
        let share = |shift: i32| -> f64 {
            let inside = (0..12).filter(|class| piece.score.key.holds(class - shift));
            inside.map(|class| classes[class as usize]).sum()
        };
        let best = (0..12).max_by(|a, b| share(*a).total_cmp(&share(*b)));
        assert_eq!(best, Some(0), "{prompt}: {classes:?}");
        assert!(
            (loudness::integrated(&audio) + 14.0).abs() < 1.0,
            "{}",
            loudness::integrated(&audio)
        );
        assert!(loudness::true_peak(&audio) < -0.5);
        let quietest = mono[..mono.len() - 4 * 44_100]
            .chunks(44_100)
            .map(|second| second.iter().fold(0.0_f32, |peak, x| peak.max(x.abs())))
            .fold(1.0, f32::min);
        assert!(quietest > 0.01, "{prompt}: silent for a second");
    }
}

#[test]
fn the_tempo_of_every_genre_is_detected_in_its_sound() {
    let genres: Vec<_> = genre::all().collect();
    let heard: Vec<(&str, f64, f64)> = genres
        .par_iter()
        .map(|genre| {
            let (piece, audio) = played(&instrumental(&format!("{} about rivers", genre.name), 9.0));
            let heard = analysis::pulse(&audio.downmix(), audio.rate).unwrap().bpm;
            (genre.name, piece.score.bpm, heard)
        })
        .collect();
    let within =
        |factor: f64| move |(_, bpm, heard): &&(&str, f64, f64)| (heard / (bpm * factor) - 1.0).abs() < 0.02;
    let right = heard.iter().filter(within(1.0)).count();
    // Some can be counted at half or twice the tempo, as people do: swing, ambient, drum and bass.
    let twofold = heard.iter().filter(within(0.5)).count() + heard.iter().filter(within(2.0)).count();
    assert_eq!(right + twofold, genres.len(), "{heard:?}");
    assert!(twofold <= 4, "{heard:?}");
}

#[test]
fn the_same_order_gives_the_same_samples_and_another_seed_another_piece() {
    let order = instrumental("lo-fi", 8.0);
    let (piece, audio) = played(&order);
    let (_, again) = played(&order);
    assert!(audio == again);
    let other = super::compose(&Order { seed: 12, ..order });
    assert_ne!(other.score.parts, piece.score.parts);
}

#[test]
fn excluded_instruments_and_genres_are_absent() {
    for (seed, prompt) in ["rock anthem", "pop song", "jazz club", "waltz", "metal"]
        .iter()
        .enumerate()
    {
        let order = Order {
            negative: "guitar, drums, piano".to_owned(),
            seed: seed as u64,
            ..instrumental(prompt, 60.0)
        };
        let score = super::compose(&order).score;
        assert!(score.kit.is_none() && score.hits.is_empty());
        for part in &score.parts {
            assert!(
                !part.instrument.is_named_in("guitar") && part.instrument != Instrument::Piano,
                "{prompt}: {}",
                part.instrument.name()
            );
        }
        assert!(!score.parts.is_empty());
    }
    let refused = plan(&Order {
        negative: "metal".to_owned(),
        ..Order::new("metal or jazz", 1)
    });
    assert_eq!(refused.genre.name, "jazz");
    let silent = super::compose(&Order {
        negative: "vocals".to_owned(),
        ..Order::new("a pop song", 1)
    });
    assert!(silent.score.song.is_none());
    let asked = plan(&Order::new("jazz without saxophone", 1));
    assert!(asked.unwanted.contains(&Instrument::Saxophone));
}

#[test]
fn form_has_beginning_middle_and_end_and_motifs_return() {
    let piece = super::compose(&instrumental("synthwave", 120.0));
    let kinds: Vec<Kind> = piece.score.sections.iter().map(|section| section.kind).collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), (Kind::Intro, Kind::Outro));
    assert!(kinds.iter().filter(|kind| **kind == Kind::Chorus).count() >= 2 && kinds.contains(&Kind::Bridge));
    let choruses: Vec<_> = piece
        .score
        .sections
        .iter()
        .filter(|section| section.kind == Kind::Chorus)
        .collect();
    let lead = piece
        .score
        .parts
        .iter()
        .find(|part| part.role == Role::Lead)
        .unwrap();
    let theme = |bar: usize| -> Vec<(i64, i32)> {
        let start = (bar * piece.score.beats) as f64;
        lead.notes
            .iter()
            .filter(|note| note.beat >= start && note.beat < start + 16.0)
            .map(|note| (((note.beat - start) * 8.0) as i64, note.pitch))
            .collect()
    };
    assert!(!theme(choruses[0].bar).is_empty());
    assert_eq!(theme(choruses[0].bar), theme(choruses[1].bar));
    assert!(choruses[1].energy > piece.score.sections[0].energy);
}

/// The share of notes outside the key.
fn chromatic(order: &Order) -> f64 {
    let score = super::compose(order).score;
    let notes: Vec<i32> = score
        .parts
        .iter()
        .flat_map(|part| &part.notes)
        .map(|note| note.pitch)
        .collect();
    notes.iter().filter(|pitch| !score.key.holds(**pitch)).count() as f64 / notes.len() as f64
}

#[test]
fn weights_change_what_they_promise() {
    let mean = |weirdness: f32| -> f64 {
        (0..6)
            .map(|seed| {
                chromatic(&Order {
                    weirdness,
                    seed,
                    ..instrumental("pop", 60.0)
                })
            })
            .sum::<f64>()
            / 6.0
    };
    assert!(mean(1.0) > mean(0.0) + 0.05, "{} {}", mean(1.0), mean(0.0));

    let own = |style_weight: f32| -> usize {
        (0..12)
            .map(|seed| {
                let piece = super::compose(&Order {
                    style_weight,
                    seed,
                    ..instrumental("country", 60.0)
                });
                let genre = piece.plan.genre;
                piece
                    .score
                    .parts
                    .iter()
                    .filter(|part| {
                        part.role == Role::Harmony
                            && !genre
                                .layers
                                .iter()
                                .any(|layer| layer.choices.contains(&part.instrument))
                    })
                    .count()
            })
            .sum()
    };
    assert_eq!(own(1.0), 0);
    assert!(own(0.0) > 3, "{}", own(0.0));

    let song = |audio_weight: f32| {
        super::compose(&Order {
            audio_weight,
            ..Order::new("a pop song about the sea", 4)
        })
        .score
    };
    let (words, sound) = (song(0.0), song(1.0));
    assert!(words.song.as_ref().unwrap().gain > sound.song.as_ref().unwrap().gain + 3.0);
    assert!(sound.sections[0].bars > words.sections[0].bars);
}

#[test]
fn versions_are_arranged_more_richly_one_after_the_other() {
    let count = |profile| {
        let score = super::compose(&Order {
            profile,
            ..instrumental("pop", 60.0)
        })
        .score;
        (score.parts.len(), score.hits.len())
    };
    let (plain, rich) = (count(PROFILES[0]), count(PROFILES[5]));
    assert!(rich.0 > plain.0 + 1, "{plain:?} {rich:?}");
    let widths: Vec<f32> = PROFILES.iter().map(|profile| profile.width).collect();
    assert!(widths.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn a_persona_keeps_its_voice_and_production() {
    let sung = |seed, persona: Option<&str>| {
        super::compose(&Order {
            persona: persona.map(ToOwned::to_owned),
            ..Order::new("pop about rain", seed)
        })
    };
    let voice = |piece: &compose::Composition| {
        piece
            .score
            .song
            .as_ref()
            .map(|song| (song.female, song.singer))
            .unwrap()
    };
    let bright = |piece: &compose::Composition| piece.production.finish.bright.to_bits();
    let (one, two) = (sung(1, Some("nova")), sung(2, Some("nova")));
    assert_eq!((voice(&one), bright(&one)), (voice(&two), bright(&two)));
    let voices: BTreeSet<_> = ["nova", "juno", "mara", "leo", "kit"]
        .map(|name| voice(&sung(1, Some(name))))
        .into();
    assert!(voices.len() > 1);
    assert_ne!(bright(&one), bright(&sung(1, None)));
}

#[test]
fn the_requested_gender_is_likely_but_not_certain() {
    let count = |gender| {
        (0..60)
            .filter(|seed| {
                plan(&Order {
                    gender,
                    seed: *seed,
                    ..Order::new("pop", 0)
                })
                .female
            })
            .count()
    };
    let (female, any, male) = (
        count(Some(Gender::Female)),
        count(None),
        count(Some(Gender::Male)),
    );
    assert!(
        female > 48 && male < 12 && (15..45).contains(&any),
        "{female} {any} {male}"
    );
}

#[test]
fn a_song_of_one_line_lasts_at_least_a_minute_and_sings_it_once() {
    for style in ["waltz, piano", "techno", "ambient"] {
        let line = "A slow waltz for a rainy evening";
        let order = Order {
            lyrics: Some(line.to_owned()),
            ..Order::new(style, 2)
        };
        let score = super::compose(&order).score;
        let bars: usize = score.sections.iter().map(|section| section.bars).sum();
        let seconds = bars as f64 * score.beats as f64 * 60.0 / score.bpm;
        assert!((60.0..100.0).contains(&seconds), "{style}: {seconds}");
        let sung = score.sections.iter().filter(|section| section.stanza.is_some());
        assert_eq!(sung.count(), 1, "{style}");
    }
}

#[test]
fn given_lyrics_are_in_the_score_word_for_word() {
    let lyrics = "[Verse]\nThe road is long and the night is cold\nI carry stories that were never told\n\
                  [Chorus]\nRun, run, river run";
    let piece = super::compose(&Order {
        lyrics: Some(lyrics.to_owned()),
        style: "folk".to_owned(),
        ..Order::new(lyrics, 2)
    });
    let song = piece.score.song.as_ref().unwrap();
    assert_eq!(
        song.lines,
        [
            "The road is long and the night is cold",
            "I carry stories that were never told",
            "Run, run, river run"
        ]
    );
    for (number, line) in song.lines.iter().enumerate() {
        let words: BTreeMap<usize, usize> =
            song.notes
                .iter()
                .filter(|sung| sung.line == number)
                .fold(BTreeMap::new(), |mut words, sung| {
                    *words.entry(sung.word).or_default() += 1;
                    words
                });
        assert_eq!(
            words.len(),
            line.split(' ').count(),
            "{line}: every word has notes"
        );
    }
    assert!(
        song.notes
            .windows(2)
            .all(|pair| pair[0].note.beat < pair[1].note.beat)
    );
    let chorus = piece
        .score
        .sections
        .iter()
        .find(|section| section.kind == Kind::Chorus)
        .unwrap();
    let first = song.notes.iter().find(|sung| sung.line == 2).unwrap().note.beat;
    let bars = (chorus.bar * 4) as f64..((chorus.bar + chorus.bars) * 4) as f64;
    assert!(bars.contains(&first));
}
