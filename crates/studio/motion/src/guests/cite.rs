//! How prompts name reference pictures: `character1`, `@Image1`, `<image 2>`, `[ref_3]`, "image 1".

use atelier_picture::prompt::Prompt;

/// The name of an unnamed person in a scene.
pub(crate) const GUEST: &str = "guest";

/// A prompt in words that scenes understand: "the cat from image 1", "guest from image 2".
pub(super) struct Cited {
    pub(super) prompt: String,
    /// The pictures that are named, from 0.
    pub(super) named: Vec<usize>,
    /// Named numbers without a picture, from 1.
    pub(super) missing: Vec<usize>,
}

pub(super) fn cite(prompt: &str, pictures: usize) -> Cited {
    let mut cited = Cited {
        prompt: String::with_capacity(prompt.len()),
        named: Vec::new(),
        missing: Vec::new(),
    };
    if pictures == 0 {
        prompt.clone_into(&mut cited.prompt);
        return cited;
    }
    let words: Vec<&str> = prompt.split_whitespace().take(2_000).collect();
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some((number, end, taken)) = naming(&words[at..]) else {
            out.push(words[at].to_owned());
            at += 1;
            continue;
        };
        at += taken;
        if number == 0 || number > pictures {
            cited.missing.push(number);
            continue;
        }
        if !cited.named.contains(&(number - 1)) {
            cited.named.push(number - 1);
        }
        let bare = |word: &String| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        // "From image 1" already has the form; "the cat in @Image1" and "the cat (@Image1)" mean it.
        if out
            .last()
            .is_some_and(|last| matches!(bare(last).as_str(), "from" | "in" | "of" | "the" | "as" | "on"))
        {
            while out
                .last()
                .is_some_and(|last| matches!(bare(last).as_str(), "from" | "in" | "of" | "the" | "as" | "on"))
            {
                out.pop();
            }
        }
        let noun = out.last().map(bare).is_some_and(|last| {
            !last.is_empty()
                && !out.last().is_some_and(|last| last.ends_with(','))
                && !Prompt::read(&last).mentions.is_empty()
        });
        if !noun {
            out.push(GUEST.to_owned());
        }
        out.push(format!("from image {number}{end}"));
    }
    cited.prompt = out.join(" ");
    if cited.named.is_empty() {
        // If the prompt names no reference, all of them are used.
        cited.named = (0..pictures).collect();
        for number in 1..=pictures {
            let guest = format!(
                "{} {GUEST} from image {number}",
                if cited.prompt.is_empty() { "" } else { ", a" }
            );
            cited.prompt.push_str(&guest);
        }
    }
    cited
}

/// A reference at the front of the words: its number, the mark that ends it, and how many words it took.
fn naming(words: &[&str]) -> Option<(usize, &'static str, usize)> {
    const NAMES: [&str; 9] = [
        "image",
        "img",
        "character",
        "char",
        "reference",
        "ref",
        "subject",
        "picture",
        "person",
    ];
    let marked = words[0].starts_with(['@', '<', '[', '{', '(']);
    let end = |word: &str| {
        if word.ends_with([',', '.', ';', ':', '!', '?']) {
            ","
        } else {
            ""
        }
    };
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let word = bare(words[0].trim_end_matches("'s").trim_end_matches("’s"));
    let letters = word
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .trim_end_matches(['_', '-']);
    if !NAMES.contains(&letters) {
        return None;
    }
    let digits = word.trim_start_matches(|c: char| !c.is_ascii_digit());
    if let Ok(number) = digits.parse() {
        return Some((number, end(words[0]), 1));
    }
    // "Image 1", "character 2"; but "a person 2 metres tall" is not a reference.
    let next = words.get(1)?;
    let number = bare(next).parse().ok()?;
    (marked || letters != "person").then(|| (number, end(next), 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_named_in_many_ways() {
        for (prompt, expected, named) in [
            (
                "character1 walks on a beach",
                "guest from image 1 walks on a beach",
                vec![0],
            ),
            (
                "@Image2 and @Image1, at night",
                "guest from image 2 and guest from image 1, at night",
                vec![1, 0],
            ),
            ("the cat in @Image1 runs", "the cat from image 1 runs", vec![0]),
            (
                "the dog from image 2 in a park",
                "the dog from image 2 in a park",
                vec![1],
            ),
            (
                "<image 1> flies over hills",
                "guest from image 1 flies over hills",
                vec![0],
            ),
        ] {
            let cited = cite(prompt, 2);
            assert_eq!(
                (cited.prompt.as_str(), &cited.named),
                (expected, &named),
                "{prompt}"
            );
            assert!(cited.missing.is_empty());
        }
    }

    #[test]
    fn who_is_not_named_comes_all_the_same_and_who_is_not_there_is_missed() {
        let cited = cite("a beach at noon", 2);
        assert_eq!(
            cited.prompt,
            "a beach at noon, a guest from image 1, a guest from image 2"
        );
        assert_eq!(cited.named, [0, 1]);
        assert_eq!(cite("character1 meets character7", 1).missing, [7]);
        assert_eq!(cite("a person 2 metres tall", 0).prompt, "a person 2 metres tall");
    }
}
