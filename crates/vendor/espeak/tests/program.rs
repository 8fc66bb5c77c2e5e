//! The program, used over pipes as atelier does.
#![expect(
    clippy::unwrap_used,
    reason = "a failure in a helper fails the test that uses it"
)]

use std::{
    io::{Read as _, Write as _},
    process::{Child, Command, Stdio},
};

fn start() -> Child {
    Command::new(env!("CARGO_BIN_EXE_atelier-espeak"))
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn ask(program: &mut Child, request: &[u8]) -> Vec<u8> {
    let input = program.stdin.as_mut().unwrap();
    input.write_all(&(request.len() as u32).to_le_bytes()).unwrap();
    input.write_all(request).unwrap();
    let output = program.stdout.as_mut().unwrap();
    let mut length = [0; 4];
    output.read_exact(&mut length).unwrap();
    let mut answer = vec![0; u32::from_le_bytes(length) as usize];
    output.read_exact(&mut answer).unwrap();
    answer
}

fn say(program: &mut Child, language: &str, text: &str) -> Vec<u8> {
    ask(program, format!("{language}\n165\n50\n50\n{text}").as_bytes())
}

/// The rate, the samples and the phones of an answer.
fn heard(answer: &[u8]) -> (u32, Vec<i16>, String) {
    assert_eq!(answer[0], 0, "{}", String::from_utf8_lossy(&answer[1..]));
    let number = |at: usize| u32::from_le_bytes(answer[at..at + 4].try_into().unwrap());
    let count = number(5) as usize;
    let samples = answer[9..9 + 2 * count]
        .chunks(2)
        .map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    let mut at = 13 + 2 * count;
    let mut phones = String::new();
    while at < answer.len() {
        let length = usize::from(answer[at + 13]);
        if answer[at] == 2 {
            phones.push_str(std::str::from_utf8(&answer[at + 14..at + 14 + length]).unwrap());
        }
        at += 14 + length;
    }
    (number(1), samples.collect(), phones)
}

#[test]
fn a_text_becomes_sound_and_phones_of_its_language() {
    let mut program = start();
    for (language, phones) in [("de", "ɡˈuːtəntˈɑːk"), ("fr", "bɔ̃ʒˈuʁ"), ("en", "həlˈəʊ")] {
        let text = match language {
            "de" => "Guten Tag",
            "fr" => "Bonjour",
            _ => "Hello",
        };
        let (rate, samples, said) = heard(&say(&mut program, language, text));
        assert_eq!(rate, 22_050);
        assert!(
            (rate / 3..2 * rate).contains(&(samples.len() as u32)),
            "{language} {}",
            samples.len()
        );
        assert!(samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap() > 4_000);
        assert_eq!(said, phones, "{language}");
    }
}

/// The places and phones of the words of an answer without sound.
fn spelled(program: &mut Child, language: &str, text: &str) -> Vec<(u32, String)> {
    let answer = ask(program, format!("phones\n{language}\n{text}").as_bytes());
    assert_eq!(answer[0], 0, "{}", String::from_utf8_lossy(&answer[1..]));
    let number = |at: usize| u32::from_le_bytes(answer[at..at + 4].try_into().unwrap());
    assert_eq!(number(5), 0, "it has samples");
    let mut words: Vec<(u32, String)> = Vec::new();
    let mut at = 13;
    while at < answer.len() {
        let length = usize::from(answer[at + 13]);
        if answer[at] == 1 {
            words.push((number(at + 5), String::new()));
        } else if let Some((_, phones)) = words.last_mut() {
            phones.push_str(std::str::from_utf8(&answer[at + 14..at + 14 + length]).unwrap());
        }
        at += 14 + length;
    }
    words
}

#[test]
fn a_text_becomes_words_of_phones_without_sound() {
    let mut program = start();
    let mut words = |language: &str, text: &str| {
        let words = spelled(&mut program, language, text);
        words
            .into_iter()
            .map(|(place, phones)| format!("{place} {phones}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        words("en-us", "Hello, better world"),
        ["1 həlˈoʊ", "8 bˈɛɾɚ", "15 wˈɜːld"]
    );
    assert_eq!(
        words("en", "Hello, better world"),
        ["1 həlˈəʊ", "8 bˈɛtə", "15 wˈɜːld"]
    );
    assert_eq!(words("pt-br", "Bom dia"), ["1 bˈoŋ", "5 dʒˈiæ"]);
    assert_eq!(words("de", "Guten Tag"), ["1 ɡˈuːtən", "7 tˈɑːk"]);
    // Nothing is lost where a sentence ends, even with one letter after it.
    assert_eq!(words("es", "Sí. O no. Y").len(), 4);
    assert_eq!(words("en-us", "").len(), 0);
}

#[test]
fn every_language_speaks_a_number_in_its_own_phones() {
    let listed = Command::new(env!("CARGO_BIN_EXE_atelier-espeak"))
        .arg("--languages")
        .output()
        .unwrap();
    let languages = String::from_utf8(listed.stdout).unwrap();
    let mut program = start();
    let mut different = std::collections::BTreeSet::new();
    for language in languages.lines() {
        // Chuvash has no numbers.
        let text = if language == "cv" {
            "\u{421}\u{430}\u{43b}\u{430}\u{43c}"
        } else {
            "3"
        };
        let (_, samples, phones) = heard(&say(&mut program, language, text));
        assert!(samples.len() > 2_000, "{language}");
        different.insert(phones);
    }
    assert_eq!(languages.lines().count(), 94);
    assert!(different.len() > 50, "{different:?}");
}

#[test]
fn the_same_texts_give_the_same_sound() {
    let read = || {
        let mut program = start();
        ["Buenos d\u{ed}as.", "\u{bf}Qu\u{e9} tal?"].map(|text| say(&mut program, "es", text))
    };
    assert!(read() == read());
}

#[test]
fn a_bad_request_is_refused_and_the_next_one_is_answered() {
    let mut program = start();
    for (request, reason) in [
        (
            &b"xx\n165\n50\n50\nText"[..],
            "unknown language \"xx\"; --languages lists the known ones",
        ),
        (
            b"../../etc/passwd\n165\n50\n50\nText",
            "unknown language \"../../etc/passwd\"; --languages lists the known ones",
        ),
        (
            b"de\nfast\n50\n50\nText",
            "words a minute, pitch and range of the request must be whole numbers",
        ),
        (
            b"de\n165\n50",
            "the request must have five lines: language, words a minute, pitch, range, text",
        ),
        (
            b"de\n165\n50\n50\na\0b",
            "the text must not contain a NUL character",
        ),
        (b"\xff\xfe", "the request must be UTF-8"),
    ] {
        let answer = ask(&mut program, request);
        assert_eq!(
            (answer[0], std::str::from_utf8(&answer[1..]).unwrap()),
            (1, reason)
        );
    }
    heard(&say(&mut program, "it", "Ciao"));
}

#[test]
fn hostile_texts_are_spoken_like_any_other() {
    let mut program = start();
    let texts = [
        "[[".repeat(300),
        "<audio src=\"/etc/passwd\"/><mark name=\"x\"/>".repeat(5),
        "a".repeat(3_000),
        "9".repeat(300),
        "\u{1}\u{1b}[31m\u{202e}\u{feff}\u{1f600}\u{10ffff}".repeat(20),
        "\u{301}".repeat(1_000),
        "?!.,;:-_'\"".repeat(100),
        String::new(),
    ];
    for text in &texts {
        for language in ["en", "zh", "ar"] {
            heard(&say(&mut program, language, text));
        }
    }
}

#[test]
fn the_program_ends_with_its_input_and_on_a_request_that_is_too_long() {
    let mut program = start();
    drop(program.stdin.take());
    assert!(program.wait().unwrap().success());
    let mut program = start();
    program
        .stdin
        .as_mut()
        .unwrap()
        .write_all(&u32::MAX.to_le_bytes())
        .unwrap();
    assert!(!program.wait().unwrap().success());
}
