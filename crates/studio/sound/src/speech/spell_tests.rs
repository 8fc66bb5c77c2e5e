use super::*;

fn read(language: &str, text: &str) -> Option<Vec<Spelling>> {
    let helper = atelier_found::built("atelier-espeak")?;
    let script = Script {
        text,
        language,
        normalization: Normalization::Auto,
        helper: &helper,
    };
    Some(spell(&script).unwrap())
}

fn written(spelling: &Spelling) -> String {
    let sounds = spelling.sounds.iter().map(|(sound, _)| match sound {
        Sound::Phone(phone) => phone.clone(),
        Sound::Space => " ".to_owned(),
        Sound::Mark(mark) => mark.to_string(),
    });
    sounds.collect()
}

/// The phones of each word.
fn by_word(spelling: &Spelling) -> Vec<(String, String)> {
    let mut words: Vec<(String, String)> = spelling
        .words
        .iter()
        .map(|word| (word.word.clone(), String::new()))
        .collect();
    for (sound, owner) in &spelling.sounds {
        if let (Sound::Phone(phone), Some(owner)) = (sound, owner) {
            words[*owner].1.push_str(phone);
        }
    }
    words
}

#[test]
fn sentences_become_phones_with_their_marks() {
    let Some(spelled) = read("en-us", "Hello, caf\u{e9}! How are you today? \u{1f600}") else {
        return;
    };
    assert_eq!(spelled.len(), 2);
    assert_eq!(written(&spelled[0]), "həlˈoʊ, kˈæfeɪ!");
    assert!(written(&spelled[1]).ends_with('?'), "{}", written(&spelled[1]));
    assert_eq!(
        spelled[0].words[1],
        TextWord {
            word: "caf\u{e9}".to_owned(),
            from: 7,
            to: 11
        }
    );
}

#[test]
fn every_phone_belongs_to_the_word_that_it_is_heard_in() {
    let Some(spelled) = read("en-us", "She paid $5 of the 20 kg.") else {
        return;
    };
    let words = by_word(&spelled[0]);
    let names: Vec<&str> = words.iter().map(|(word, _)| word.as_str()).collect();
    assert_eq!(names, ["She", "paid", "$5", "of", "the", "20 kg"]);
    assert_eq!(words[2].1, "fˈaɪvdˈɑːlɚz");
    // The helper says "of the" as one.
    assert_eq!((words[3].1.as_str(), words[4].1.as_str()), ("ʌv", "ðə"));
    let Some(spelled) = read("de", "Am 3. Mai kam Herr Weber, und dann?") else {
        return;
    };
    assert_eq!(spelled.len(), 1);
    let words = by_word(&spelled[0]);
    assert_eq!(words.last().unwrap(), &("dann".to_owned(), "dan".to_owned()));
    assert!(written(&spelled[0]).contains(", "), "{}", written(&spelled[0]));
    assert!(written(&spelled[0]).ends_with('?'));
}

#[test]
fn a_script_without_spaces_is_cut_into_the_helpers_words() {
    let Some(spelled) = read(
        "zh",
        "\u{4eca}\u{5929}\u{5929}\u{6c14}\u{5f88}\u{597d}\u{ff0c}\u{6211}\u{4eec}\u{53bb}\u{6d77}\u{8fb9}\u{3002}",
    ) else {
        return;
    };
    assert_eq!(spelled.len(), 1);
    assert!(written(&spelled[0]).contains(", ") && written(&spelled[0]).ends_with('.'));
    assert!(spelled[0].words.len() > 2, "{:?}", spelled[0].words);
}

#[test]
fn a_text_without_words_has_no_sentences() {
    for language in ["en-us", "fr"] {
        let Some(spelled) = read(language, "\u{1f600} ?! ...") else {
            return;
        };
        assert_eq!(spelled, []);
    }
}
