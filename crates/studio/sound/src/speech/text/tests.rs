//! How texts are read.

use super::*;

fn said(text: &str, normalization: Normalization) -> String {
    let says: Vec<String> = pieces(text, normalization)
        .into_iter()
        .map(|piece| piece.say)
        .collect();
    says.join(" ")
}

#[test]
fn numbers_money_dates_times_units_and_abbreviations_become_words() {
    for (text, expected) in [
        ("Dr. Smith paid $13.", "doctor smith paid thirteen dollars"),
        (
            "It costs \u{20ac}3.50, or $5 million.",
            "it costs three euros fifty or five million dollars",
        ),
        (
            "On 2024-03-15 at 7:05pm",
            "on march fifteenth twenty twenty four at seven oh five pea em",
        ),
        (
            "March 3, 2024 and the 21st",
            "march third twenty twenty four and the twenty first",
        ),
        (
            "5 km in 20 min at 15 km/h",
            "five kilometers in twenty minutes at fifteen kilometers per hour",
        ),
        (
            "50% of 1,200 is 600",
            "fifty percent of one thousand two hundred is six hundred",
        ),
        (
            "-4.5\u{b0}C in the 1990s",
            "minus four point five degrees celsius in the nineteen nineties",
        ),
        (
            "See https://example.com/a-b for 1/2",
            "see example dot com slash a dash b for one half",
        ),
        (
            "The FBI & NASA, e.g. in the U.S.",
            "the eff bee eye and nasa for example in the you ess",
        ),
        (
            "10:00, 12:30, pages 10-20",
            "ten o'clock twelve thirty pages ten to twenty",
        ),
        ("caf\u{e9} na\u{ef}ve Stra\u{df}e", "cafe naive strasse"),
        ("well-known and/or", "well known and or"),
    ] {
        assert_eq!(said(text, Normalization::On), expected, "{text}");
        assert_eq!(said(text, Normalization::Auto), expected, "{text}");
    }
}

#[test]
fn without_normalization_text_is_read_literally() {
    for (text, expected) in [
        ("Dr. Smith paid $13.", "dr smith paid dollar one three"),
        ("1984 & 50%", "one nine eight four and five zero percent"),
        ("5 km", "five km"),
    ] {
        assert_eq!(said(text, Normalization::Off), expected, "{text}");
    }
}

#[test]
fn each_piece_has_its_position_in_the_text() {
    let text = "\u{201c}\u{1f600} Caf\u{e9},\u{201d} said Dr. No: $5 million!";
    let letters: Vec<char> = text.chars().collect();
    let places: Vec<String> = pieces(text, Normalization::On)
        .iter()
        .map(|piece| letters[piece.from..piece.to].iter().collect())
        .collect();
    assert_eq!(places, ["Caf\u{e9}", "said", "Dr", "No", "$5 million"]);
}

#[test]
fn sentences_end_at_their_marks_and_long_ones_at_commas() {
    let text = "One. Two? Three, four\n\nfive";
    let all = pieces(text, Normalization::On);
    let lengths: Vec<usize> = sentences(&all).iter().map(|group| group.len()).collect();
    assert_eq!(lengths, [1, 1, 2, 1]);
    let long = "word, ".repeat(200);
    let all = pieces(&long, Normalization::On);
    assert!(sentences(&all).iter().all(|group| group.len() < 60));
}

#[test]
fn odd_texts_are_read_or_skipped_and_never_crash() {
    for silent in [
        "",
        " ",
        "...!?",
        "\u{1f600}\u{1f468}\u{200d}\u{1f469}",
        "\u{200b}\u{feff}",
        "\u{0}\u{7}\u{1b}",
        "()[]{}",
        "---",
    ] {
        assert_eq!(said(silent, Normalization::On), "", "{silent:?}");
        assert_eq!(said(silent, Normalization::Off), "", "{silent:?}");
    }
    let long = "a".repeat(5_000);
    assert_eq!(said(&long, Normalization::On).replace(' ', "").len(), 5_000);
    for odd in [
        "\u{5e9}\u{5dc}\u{5d5}\u{5dd} hello \u{645}\u{631}\u{62d}\u{628}\u{627}",
        "$",
        "$$$",
        "1.",
        ".5.",
        "--5",
        "+-+-+-1",
        "1/",
        "/2",
        "::",
        "9:99",
        "2024-99-99",
        "13/40/2024",
        "$1.2.3",
        "999999999999999999999999",
        "1,,2",
        "a@b",
        "http://",
        "www.",
        "\u{b0}C",
        "5\u{b0}",
        "1e9",
        "0x1F",
        "U.S.A.",
        "'",
        "''''",
        "don't",
        "\u{2019}tis",
        "1st2nd",
        "\u{ff11}\u{ff12}",
        "\u{bd}",
    ] {
        for normalization in [Normalization::On, Normalization::Off] {
            let text = said(odd, normalization);
            assert!(
                text.bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b' ' || byte == b'\''),
                "{odd:?} {text:?}"
            );
        }
    }
}
