//! Relations between things, as the layout reports them and as the pixels show them.

use super::color::Rgb;
use super::{Rendered, render};

/// Left, top, right, bottom in parts of the picture.
type Area = [f64; 4];

fn areas(picture: &Rendered, name: &str) -> Vec<Area> {
    let all = picture.metadata["placed"].as_array().expect("a list");
    all.iter()
        .filter(|thing| thing["name"] == name)
        .map(|thing| std::array::from_fn(|i| thing["box"][i].as_f64().expect("a number")))
        .collect()
}

/// Two things and their places in three compositions of a prompt.
fn pairs(prompt: &str, a: &str, b: &str) -> Vec<(Area, Area)> {
    (0..3)
        .map(|seed| {
            let picture = render(prompt, seed, 0, 112, 112);
            let one = |name: &str| {
                *areas(&picture, name)
                    .first()
                    .unwrap_or_else(|| panic!("{prompt}: no {name}"))
            };
            (one(a), one(b))
        })
        .collect()
}

fn middle(a: &Area) -> f64 {
    f64::midpoint(a[0], a[2])
}

#[test]
fn what_is_on_something_rests_within_its_outline() {
    for (prompt, a, b) in [
        ("a cat on a car, flat vector", "cat", "car"),
        ("a bird on a branch of a tree, flat vector", "bird", "tree"),
        ("a person on a bridge, flat vector", "person", "bridge"),
        ("an apple on a book, flat vector", "apple", "book"),
    ] {
        for (top, base) in pairs(prompt, a, b) {
            assert!(
                (base[0]..base[2]).contains(&middle(&top)),
                "{prompt}: {top:?} {base:?}"
            );
            assert!(
                top[3] > base[1] - 0.01 && top[3] < base[3] - 0.02,
                "{prompt}: {top:?} {base:?}"
            );
        }
    }
}

#[test]
fn above_and_under_are_where_they_say() {
    for (above, below) in pairs(
        "a hot air balloon over a castle, flat vector",
        "hot air balloon",
        "castle",
    ) {
        assert!(above[3] < below[1] + 0.05, "{above:?} {below:?}");
        assert!(
            (middle(&above) - middle(&below)).abs() < 0.3,
            "{above:?} {below:?}"
        );
    }
    for (under, over) in pairs("a cat under a table, flat vector", "cat", "dining table") {
        assert!(
            under[1] > over[1] && under[3] > over[3] - 0.05,
            "{under:?} {over:?}"
        );
        assert!(under[0] > over[0] && under[2] < over[2], "{under:?} {over:?}");
    }
    for (under, over) in pairs("a boat under a bridge, flat vector", "boat", "bridge") {
        assert!(under[0] > over[0] && under[2] < over[2], "{under:?} {over:?}");
        assert!(under[1] > over[1], "{under:?} {over:?}");
    }
}

#[test]
fn sides_are_told_apart() {
    for (horse, house) in pairs("a horse to the left of a house, flat vector", "horse", "house") {
        assert!(horse[2] < house[0] + 0.04, "{horse:?} {house:?}");
    }
    for (horse, house) in pairs("a horse to the right of a house, flat vector", "horse", "house") {
        assert!(horse[0] > house[2] - 0.04, "{horse:?} {house:?}");
    }
    for (ladder, house) in pairs("a ladder leaning against a house, flat vector", "ladder", "house") {
        assert!(
            ladder[2] > house[0] && ladder[0] < house[2],
            "{ladder:?} {house:?}"
        );
        assert!(
            (ladder[3] - house[3]).abs() < 0.06,
            "both stand on the ground: {ladder:?} {house:?}"
        );
    }
}

#[test]
fn before_is_nearer_and_behind_is_farther() {
    for (dog, church) in pairs("a dog in front of a church, flat vector", "dog", "church") {
        assert!(dog[3] > church[3], "{dog:?} {church:?}");
        assert!(dog[2] > church[0] && dog[0] < church[2], "{dog:?} {church:?}");
    }
    for (tower, tree) in pairs("a tower behind a tree, flat vector", "tower", "tree") {
        assert!(tower[3] < tree[3], "{tower:?} {tree:?}");
    }
}

#[test]
fn what_is_reflected_in_a_lake_is_seen_again_below() {
    let side = 160;
    let picture = render("a castle reflected in a lake at noon, photo", 2, 0, side, side);
    let castle = areas(&picture, "castle")[0];
    let light = |x: usize, y: usize| {
        let i = (y * side + x) * 3;
        Rgb::from_bytes([picture.rgb[i], picture.rgb[i + 1], picture.rgb[i + 2]]).luma()
    };
    let (left, right) = (
        (castle[0] * side as f64) as usize,
        (castle[2] * side as f64) as usize,
    );
    let (top, foot) = (
        (castle[1] * side as f64) as usize,
        (castle[3] * side as f64) as usize,
    );
    let mut pairs = Vec::new();
    for y in top..foot {
        let below = 2 * foot - y;
        if below < side {
            pairs.extend((left..right).map(|x| (light(x, y), light(x, below))));
        }
    }
    let n = pairs.len() as f32;
    let mean = pairs
        .iter()
        .fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
    let sum = |f: fn(f32, f32) -> f32| pairs.iter().map(|p| f(p.0 - mean.0, p.1 - mean.1)).sum::<f32>();
    let alike = sum(|a, b| a * b) / (sum(|a, _| a * a) * sum(|_, b| b * b)).sqrt();
    assert!(
        alike > 0.35,
        "correlation of the castle with what is below it: {alike}"
    );
}
