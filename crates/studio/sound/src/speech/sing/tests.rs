//! Measurements of what is sung.

use super::{super::vocoder::analysis::pitch::Yin, *};

/// One note per syllable, from `first` seconds on.
fn line(text: &str, first: f32, length: f32, pitches: &[f32]) -> Line {
    let notes = pitches
        .iter()
        .enumerate()
        .map(|(index, &pitch)| Note::new(first + length * index as f32, length, pitch));
    Line {
        text: text.to_owned(),
        notes: notes.collect(),
    }
}

fn rms(samples: &[f32]) -> f32 {
    (samples.iter().map(|value| value * value).sum::<f32>() / samples.len() as f32).sqrt()
}

/// Difference in cents between the median pitch of a note's inner part and its score.
fn off(samples: &[f32], note: &Note) -> f32 {
    let yin = Yin::new(RATE, 60.0, 900.0);
    let place = |part: f32| ((note.start + note.duration * part) * RATE as f32) as usize;
    let mut cents: Vec<f32> = (place(0.25)..place(0.8))
        .step_by(441)
        .map(|centre| yin.at(samples, centre).f0)
        .filter(|f0| *f0 > 0.0)
        .map(|f0| 1_200.0 * (f0 / note.frequency()).log2())
        .collect();
    cents.sort_by(f32::total_cmp);
    cents.get(cents.len() / 2).copied().unwrap_or(f32::INFINITY)
}

#[test]
fn every_singer_sings_each_note_within_fifty_cents_of_its_score() {
    for singer in Singer::ALL {
        let low = singer.range.0;
        let top = singer.range.1;
        let pitches = [
            low,
            low + 4.0,
            low + 7.0,
            top,
            low + 5.0,
            low + 2.0,
            low + 3.0,
            low,
        ];
        let sung = line("sing me a river of golden", 0.4, 0.5, &pitches);
        let samples = sing(singer, std::slice::from_ref(&sung), 3).unwrap();
        for note in &sung.notes {
            let off = off(&samples, note);
            assert!(off.abs() < 50.0, "{} {note:?}: {off}", singer.name);
        }
    }
}

#[test]
fn vowels_begin_with_their_notes_and_rests_are_silent() {
    let mut sung = line("la la la la", 0.5, 0.4, &[60.0, 64.0, 67.0, 64.0]);
    for note in &mut sung.notes {
        note.start += note.start - 0.5;
    }
    let samples = sing(Singer::of(Gender::Male, 0), std::slice::from_ref(&sung), 3).unwrap();
    for note in &sung.notes {
        let level = |from: f32, to: f32| rms(&samples[(from * 44_100.0) as usize..(to * 44_100.0) as usize]);
        let held = level(note.start + 0.05, note.start + 0.3);
        assert!(held > 0.04, "{held}");
        let rest = level(note.start - 0.35, note.start - 0.22);
        assert!(rest < held * 0.03, "{rest} {held}");
    }
    let peak = samples.iter().fold(0.0_f32, |peak, value| peak.max(value.abs()));
    assert!(peak < 1.0, "{peak}");
}

#[test]
fn a_melisma_continues_its_syllable_and_a_wrong_count_is_refused() {
    let mut sung = line("day", 0.3, 0.4, &[60.0, 64.0]);
    let refused = sing(Singer::of(Gender::Female, 0), std::slice::from_ref(&sung), 3);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "the line \"day\" has 1 syllables, but its score has 2 notes that begin one"
    );
    sung.notes[1].tied = true;
    let samples = sing(Singer::of(Gender::Female, 0), std::slice::from_ref(&sung), 3).unwrap();
    for note in &sung.notes {
        assert!(off(&samples, note).abs() < 50.0);
    }
}

#[test]
fn the_same_seed_gives_the_same_samples() {
    let sung = [line("hello", 0.3, 0.4, &[60.0, 64.0])];
    let one = sing(Singer::of(Gender::Female, 1), &sung, 3).unwrap();
    assert_eq!(one, sing(Singer::of(Gender::Female, 1), &sung, 3).unwrap());
    assert_ne!(one, sing(Singer::of(Gender::Female, 1), &sung, 4).unwrap());
}

#[test]
fn errors_name_notes_that_cannot_be_sung() {
    let wrong = |change: fn(&mut Note)| {
        let mut sung = line("la la", 0.3, 0.4, &[60.0, 62.0]);
        change(&mut sung.notes[1]);
        sing(Singer::of(Gender::Female, 1), &[sung], 3)
            .unwrap_err()
            .to_string()
    };
    assert!(wrong(|note| note.start = f32::NAN).contains("note 1 of the line \"la la\""));
    assert!(wrong(|note| note.start = 0.1).ends_with("it starts before the previous note"));
    assert!(wrong(|note| note.duration = 0.0).ends_with("it must last 0.02 to 60 seconds"));
    assert!(wrong(|note| note.pitch = 200.0).ends_with("its pitch must be 24 to 96"));
}
