//! The command line, parsed.

use clap::CommandFactory as _;

use super::*;

fn parse(line: &str) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(line.split(' '))
}

#[test]
fn the_definitions_are_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn global_flags_are_accepted_anywhere() {
    for line in [
        "atelier --data d --json account list",
        "atelier account --json list --data d",
    ] {
        let cli = parse(line).unwrap();
        assert!(cli.global.json);
        assert_eq!(cli.global.data, Some(PathBuf::from("d")));
    }
}

#[test]
fn credits_are_changed_by_signed_numbers_only() {
    let credits = |line: &str| match parse(line).unwrap().command {
        Command::Account(Account::Update(update)) => update.credits,
        other => panic!("{other:?}"),
    };
    assert_eq!(credits("atelier account update a --credits +5"), Some(5));
    assert_eq!(credits("atelier account update a --credits -5"), Some(-5));
    assert_eq!(credits("atelier account update a --credits=-5"), Some(-5));
    let error = parse("atelier account update a --credits 5").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("use +N to add or -N to remove credits"),
        "{error}"
    );
    assert_eq!(error.exit_code(), 2);
}

#[test]
fn an_update_that_changes_nothing_is_wrong_usage() {
    assert_eq!(parse("atelier account update a").unwrap_err().exit_code(), 2);
}

#[test]
fn params_have_names_and_values() {
    let Command::Generate(generate) =
        parse("atelier generate m --param a=1 --param b=x=y -o out --image a.png --image b.png")
            .unwrap()
            .command
    else {
        panic!("not generate")
    };
    assert_eq!(
        generate.params,
        [
            ("a".to_owned(), "1".to_owned()),
            ("b".to_owned(), "x=y".to_owned())
        ]
    );
    assert_eq!(generate.images, ["a.png", "b.png"]);
    assert_eq!(generate.out, PathBuf::from("out"));
    assert!(parse("atelier generate m --param a").is_err());
}
