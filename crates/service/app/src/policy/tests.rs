use atelier_catalog::Catalog;
use serde_json::json;

use super::*;

const RULES: &str = include_str!("tests/policy.toml");
const PROMPTS: &str = include_str!("tests/prompts.txt");

fn blocked(prompt: &str) -> Result<(), (String, Violation)> {
    let params = json!({ "prompt": prompt, "n": 1 });
    Policy::new(["forbidden thing"]).check(None, params.as_object().unwrap())
}

#[test]
fn a_blocked_term_is_refused_however_it_is_written() {
    for (prompt, words) in [
        ("a forbidden thing", "forbidden thing"),
        ("FORBIDDEN, thing!", "FORBIDDEN, thing"),
        ("x\nforbidden\tthing", "forbidden thing"),
        ("a f0rbidden t h i n g", "f0rbidden t h i n g"),
    ] {
        let (parameter, found) = blocked(prompt).unwrap_err();
        assert_eq!(parameter, "prompt");
        assert_eq!((&*found.rule, &*found.words), (BLOCKED_TERMS, words), "{prompt}");
    }
}

#[test]
fn words_that_only_contain_a_blocked_term_pass() {
    assert_eq!(blocked("an unforbidden thing"), Ok(()));
    assert_eq!(blocked("forbidden things"), Ok(()));
}

#[test]
fn what_is_refused_goes_before_what_is_to_be_reviewed() {
    let rules = r#"
        [[rules]]
        name = "look"
        action = "review"
        [rules.terms]
        en = ["castle"]

        [[rules]]
        name = "never"
        [rules.terms]
        en = ["dragon"]
    "#;
    let policy = Policy::default().with_file("policy.toml", rules).unwrap();
    let found = |params: serde_json::Value| policy.check(None, params.as_object().unwrap());
    let look = Violation {
        rule: "look".to_owned(),
        action: Action::Review,
        words: "castle".to_owned(),
    };
    let never = Violation {
        rule: "never".to_owned(),
        action: Action::Refuse,
        words: "dragon".to_owned(),
    };
    assert_eq!(
        found(json!({ "lines": ["a castle", "a fox"], "prompt": "a fox" })),
        Err(("lines".to_owned(), look))
    );
    for params in [
        json!({ "prompt": "a dragon in a castle" }),
        json!({ "negative_prompt": "a castle", "prompt": "a dragon" }),
        json!({ "prompt": ["a castle", "a dragon"] }),
    ] {
        assert_eq!(
            found(params.clone()),
            Err(("prompt".to_owned(), never.clone())),
            "{params}"
        );
    }
}

/// The work is counted, not timed: most terms must look at few places of a long text.
#[test]
fn thousands_of_terms_look_at_few_places_of_a_long_text() {
    let letters = "abcdefghijklmnopqrstuvwxyz".as_bytes();
    let word = |number: usize| -> String {
        let letter = |step: usize| char::from(letters[(number / step) % letters.len()]);
        [letter(1), letter(26), letter(676), letter(7), letter(97)]
            .iter()
            .collect()
    };
    let text: String = (0..6_000).map(|number| word(number * 31 + 5) + " ").collect();
    let terms: Vec<Term> = (0..7_000)
        .filter_map(|number| Term::new(&format!("{}q", word(number)), "en", true))
        .collect();
    let folded = Text::new(&text, Accents::of("en"));
    let looked_at: usize = terms.iter().map(|term| term.candidates(&folded)).sum();
    assert!(
        looked_at < 300_000,
        "{looked_at} places; by the first letter they were 1.6 million"
    );
    assert!(terms.iter().all(|term| term.find(&folded).next().is_none()));
}

#[test]
fn texts_in_lists_and_objects_are_checked_too() {
    let policy = Policy::new(["forbidden thing"]);
    let params = json!({ "lines": [{ "text": "a forbidden thing" }] });
    let (parameter, _) = policy.check(None, params.as_object().unwrap()).unwrap_err();
    assert_eq!(parameter, "lines");
}

#[test]
fn prompts_in_ten_languages_are_refused_or_pass_as_the_table_says() {
    let policy = Policy::default().with_file("policy.toml", RULES).unwrap();
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for line in PROMPTS.lines().filter(|line| !line.starts_with('#')) {
        let [language, rule, prompt] = line.splitn(3, " | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let prompt = prompt.replace("\\u200b", "\u{200B}").replace("\\u00ad", "\u{AD}");
        let found = policy.check_text(None, &prompt);
        let named = found.as_ref().map_or("-", |found| &found.rule);
        if named != rule {
            wrong.push(format!("{line}: {found:?}"));
        }
        counts.entry(language).or_default()[usize::from(rule == "-")] += 1;
    }
    assert_eq!(wrong, [""; 0]);
    assert_eq!(counts.len(), 10);
    assert!(counts.values().all(|count| *count == [10, 10]), "{counts:?}");
}

#[test]
fn rules_apply_to_the_accounts_and_plans_that_they_name() {
    let text = "[[rules]]\nname = \"a\"\naccounts = [\"free-*\"]\nplans = [\"trial\"]\n\
                except_accounts = [\"*-press\"]\nterms = { any = [\"gun\"] }";
    let policy = Policy::default().with_file("policy.toml", text).unwrap();
    assert!(policy.depends_on_account());
    for (account, plan, refused) in [
        ("free-1", None, true),
        ("free-press", None, false),
        ("studio", None, false),
        ("studio", Some("trial"), true),
        ("studio", Some("pro"), false),
        ("my-press", Some("trial"), false),
    ] {
        let found = policy.check_text(Some(Subject { account, plan }), "a gun");
        assert_eq!(found.is_some(), refused, "{account} {plan:?}");
    }
}

#[test]
fn access_rules_name_what_an_account_may_use() {
    let catalog = Catalog::builtin().unwrap();
    let text = "[[access]]\nname = \"trial\"\nplans = [\"trial\"]\nallow_tasks = [\"text-to-image\"]\n\
                refuse_models = [\"flux-*\"]\n[[access]]\nname = \"faces\"\nrefuse_tasks = [\"lip-sync\"]\n\
                except_accounts = [\"studio\"]";
    let policy = Policy::default().with_file("policy.toml", text).unwrap();
    let asked = |account, plan, model: &str| {
        let barred = policy.may_use(Subject { account, plan }, catalog.get(model).unwrap());
        barred.map_err(|barred| barred.to_string())
    };
    assert_eq!(asked("a", Some("trial"), "image-gen-4"), Ok(()));
    assert_eq!(asked("a", Some("pro"), "flux-1-schnell"), Ok(()));
    assert_eq!(
        asked("a", Some("trial"), "flux-1-schnell").unwrap_err(),
        "this account may not use the model `flux-1-schnell`: the policy's rule `trial` refuses it"
    );
    assert_eq!(
        asked("a", Some("trial"), "upscale").unwrap_err(),
        "this account may not use the model `upscale`: the policy's rule `trial` allows models for `text-to-image`"
    );
    let lips = catalog
        .iter()
        .find(|model| model.tasks.contains(&atelier_catalog::Task::LipSync))
        .unwrap();
    assert_eq!(asked("studio", None, &lips.slug), Ok(()));
    assert_eq!(
        asked("a", None, &lips.slug).unwrap_err(),
        format!(
            "this account may not use the model `{}`: the policy's rule `faces` refuses the task `lip-sync`",
            lips.slug
        )
    );
}

#[test]
fn only_short_texts_with_few_terms_are_checked_without_another_thread() {
    let few = Policy::new(DEFAULT_BLOCKED);
    let many = Policy::new((0..1_000).map(|n| format!("term {n}")));
    let quickly =
        |policy: &Policy, params: serde_json::Value| policy.checks_quickly(params.as_object().unwrap());
    assert!(quickly(&few, json!({ "prompt": "a castle", "n": 1 })));
    assert!(!quickly(&few, json!({ "prompt": "a castle ".repeat(200) })));
    assert!(!quickly(&few, json!({ "scenes": vec!["a castle"; 100] })));
    assert!(!quickly(
        &few,
        json!({ "scenes": [{ "prompt": "a castle ".repeat(200) }] })
    ));
    assert!(!quickly(&many, json!({ "prompt": "a castle" })));
}
