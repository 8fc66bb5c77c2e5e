//! The understanding of words.

use super::*;

fn sounds(heard: &Heard) -> Vec<Sound> {
    let sources = heard.scape.sources.iter().map(|source| source.sound);
    sources
        .chain(heard.scape.events.iter().map(|event| event.sound))
        .collect()
}

fn of(prompt: &str) -> Vec<Sound> {
    sounds(&from_words(prompt, 10.0, 1))
}

#[test]
fn nouns_verbs_and_endings_name_sounds() {
    for (prompt, sound) in [
        ("a dog barking", Sound::Dog),
        ("Dogs bark!", Sound::Dog),
        ("the doorbell rings", Sound::Doorbell),
        ("glass shattering", Sound::GlassBreak),
        ("footsteps in the snow", Sound::SnowSteps),
        ("a steam train", Sound::SteamTrain),
        ("typing on a keyboard", Sound::Typing),
        ("heavy rain", Sound::Downpour),
        ("light rain", Sound::Drizzle),
        ("crowd clapping", Sound::Applause),
        ("helicopters", Sound::Helicopter),
        ("a door slams shut", Sound::Slam),
        ("wind chimes", Sound::Chimes),
        ("wolves howling", Sound::Wolf),
    ] {
        assert!(of(prompt).contains(&sound), "{prompt}: {:?}", of(prompt));
    }
}

#[test]
fn every_sound_answers_to_its_own_name() {
    for sound in Sound::ALL {
        assert_eq!(of(sound.name())[0], *sound, "{}", sound.name());
    }
}

#[test]
fn places_bring_what_is_heard_there_by_day_and_by_night() {
    assert_eq!(of("a beach"), [Sound::Surf, Sound::Wind, Sound::Gull]);
    assert_eq!(
        of("a forest at night"),
        [Sound::Leaves, Sound::Crickets, Sound::Owl]
    );
    assert_eq!(of("a forest in winter, snow"), [Sound::Leaves, Sound::Wind]);
    let heard = from_facts(&["storm", "night", "harbor"], 5.0, 1);
    assert!(sounds(&heard).contains(&Sound::Thunder) && sounds(&heard).contains(&Sound::Lapping));
    assert_eq!(from_words("drops in a cave", 5.0, 1).scape.room, Room::Cave);
}

#[test]
fn refused_sounds_are_absent() {
    assert!(!of("a forest without birds").contains(&Sound::Birds));
    assert!(!of("a beach, no gulls and no wind").contains(&Sound::Gull));
    let heard = from_words("city street with rain", 5.0, 1).without("car horns, people");
    assert!(!sounds(&heard).contains(&Sound::CarHorn) && !sounds(&heard).contains(&Sound::Crowd));
    assert!(sounds(&heard).contains(&Sound::Traffic));
}

#[test]
fn then_puts_sounds_after_each_other() {
    let heard = from_words("footsteps, then a door slams, followed by an explosion", 9.0, 1);
    let at = |sound: Sound| {
        heard
            .scape
            .events
            .iter()
            .find(|event| event.sound == sound)
            .map(|event| event.at)
    };
    assert!((3.0..4.0).contains(&at(Sound::Slam).unwrap()));
    assert!((6.0..7.0).contains(&at(Sound::Explosion).unwrap()));
    let steps = &heard.scape.sources[0];
    assert_eq!(steps.sound, Sound::Footsteps);
    assert!(steps.gain.at(1.0) > 0.99 && steps.gain.at(5.0) < 0.01);
}

#[test]
fn counts_strength_distance_and_direction_have_an_effect() {
    let heard = from_words("two loud gunshots and distant thunder", 8.0, 1);
    assert_eq!(
        heard
            .scape
            .events
            .iter()
            .filter(|event| event.sound == Sound::Gunshot)
            .count(),
        2
    );
    assert!(heard.scape.events[0].strength > 1.5);
    for (prompt, count) in [
        ("a door slams", 1),
        ("the door slams", 1),
        ("explosions", 3),
        ("an explosion", 1),
    ] {
        assert_eq!(from_words(prompt, 8.0, 1).scape.events.len(), count, "{prompt}");
    }
    assert!((heard.scape.sources[0].distance.at(0.0) - 5.0).abs() < 1e-6);
    let away = from_words("a motorcycle driving away", 8.0, 1);
    assert!(away.scape.sources[0].distance.at(8.0) > 5.0 * away.scape.sources[0].distance.at(0.0));
}

#[test]
fn unknown_words_are_reported_and_do_not_fail() {
    let heard = from_words("a quokka eating marmalade in the rain", 4.0, 1);
    assert_eq!(heard.understood, ["rain"]);
    assert_eq!(heard.unknown, ["quokka", "eating", "marmalade"]);
    let nothing = from_words("\u{1f600} \u{3042} ,,, then then", 4.0, 1);
    assert_eq!(sounds(&nothing), [Sound::Air]);
    assert_eq!(
        sounds(&from_words(&"rain and ".repeat(4_000), 4.0, 1)),
        [Sound::Rain]
    );
}
