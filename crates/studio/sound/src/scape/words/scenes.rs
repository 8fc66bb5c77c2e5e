//! Places and kinds of weather, and what is heard there.

use super::super::{Room, Sound};

/// A place or kind of weather, and what is heard there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene {
    pub(super) words: &'static [&'static str],
    pub(super) always: &'static [(Sound, f32)],
    pub(super) by_day: &'static [(Sound, f32)],
    pub(super) by_night: &'static [(Sound, f32)],
    pub(super) room: Room,
}

const fn open(
    words: &'static [&'static str],
    always: &'static [(Sound, f32)],
    by_day: &'static [(Sound, f32)],
    by_night: &'static [(Sound, f32)],
) -> Scene {
    Scene {
        words,
        always,
        by_day,
        by_night,
        room: Room::Outdoors,
    }
}

const fn inside(words: &'static [&'static str], always: &'static [(Sound, f32)], room: Room) -> Scene {
    Scene {
        words,
        always,
        by_day: &[],
        by_night: &[],
        room,
    }
}

pub(super) const SCENES: &[Scene] = &[
    open(
        &[
            "forest", "wood", "woodland", "woods", "trees", "tree", "grove", "autumn",
        ],
        &[(Sound::Leaves, 0.8)],
        &[(Sound::Birds, 0.9)],
        &[(Sound::Crickets, 0.7), (Sound::Owl, 0.6)],
    ),
    open(
        &["jungle", "rainforest", "tropical", "swamp"],
        &[(Sound::Cicadas, 0.8)],
        &[(Sound::Birds, 1.0)],
        &[(Sound::Frogs, 0.9)],
    ),
    open(
        &[
            "beach",
            "ocean",
            "sea",
            "coast",
            "shore",
            "seaside",
            "seashore",
            "cliff",
            "island",
            "bay",
            "lighthouse",
        ],
        &[(Sound::Surf, 1.0), (Sound::Wind, 0.35)],
        &[(Sound::Gull, 0.45)],
        &[],
    ),
    open(
        &[
            "harbor", "harbour", "port", "marina", "pier", "dock", "sailboat", "rowboat", "boat", "canoe",
        ],
        &[(Sound::Lapping, 1.0), (Sound::Wind, 0.3)],
        &[(Sound::Gull, 0.5)],
        &[],
    ),
    open(
        &["lakeside", "riverbank", "wetland", "marsh", "reed"],
        &[(Sound::Lapping, 0.7), (Sound::Wind, 0.3)],
        &[(Sound::Birds, 0.6)],
        &[(Sound::Frogs, 0.7), (Sound::Crickets, 0.6)],
    ),
    open(
        &[
            "meadow",
            "field",
            "garden",
            "park",
            "countryside",
            "hill",
            "valley",
            "orchard",
            "spring",
            "flower",
            "summer",
            "prairie",
        ],
        &[(Sound::Wind, 0.35)],
        &[(Sound::Birds, 0.8), (Sound::Bees, 0.25)],
        &[(Sound::Crickets, 0.9)],
    ),
    open(
        &["farm", "village", "barn", "farmyard", "pasture"],
        &[(Sound::Wind, 0.3)],
        &[(Sound::Birds, 0.6), (Sound::Sheep, 0.4), (Sound::Rooster, 0.4)],
        &[(Sound::Crickets, 0.8)],
    ),
    open(
        &[
            "mountain", "peak", "summit", "canyon", "glacier", "desert", "dune", "tundra", "plain", "steppe",
            "moor", "ridge",
        ],
        &[(Sound::Wind, 1.0)],
        &[],
        &[],
    ),
    open(
        &["winter", "snow", "snowy", "snowfall", "ice", "icy", "arctic"],
        &[(Sound::Wind, 0.6)],
        &[],
        &[],
    ),
    open(
        &[
            "city",
            "street",
            "downtown",
            "town",
            "urban",
            "road",
            "skyscraper",
            "skyline",
            "avenue",
            "crossroad",
            "intersection",
            "bridge",
            "alley",
        ],
        &[(Sound::Traffic, 0.9)],
        &[(Sound::Crowd, 0.3), (Sound::CarHorn, 0.2)],
        &[(Sound::Crowd, 0.15)],
    ),
    open(
        &["storm", "thunderstorm", "stormy", "tempest"],
        &[(Sound::Downpour, 0.9), (Sound::Gale, 0.6), (Sound::Thunder, 1.0)],
        &[],
        &[],
    ),
    open(
        &["camp", "campsite", "camping"],
        &[(Sound::Fire, 0.9)],
        &[(Sound::Birds, 0.5)],
        &[(Sound::Crickets, 0.8), (Sound::Owl, 0.5)],
    ),
    open(
        &["battle", "war", "battlefield"],
        &[
            (Sound::Explosion, 0.6),
            (Sound::Gunshot, 0.5),
            (Sound::Crowd, 0.3),
        ],
        &[],
        &[],
    ),
    open(
        &["stadium", "arena", "football", "soccer", "match"],
        &[(Sound::Cheer, 0.7), (Sound::Crowd, 0.6)],
        &[],
        &[],
    ),
    open(
        &["market", "bazaar", "square", "festival", "fair"],
        &[(Sound::Crowd, 1.0)],
        &[(Sound::Footsteps, 0.3)],
        &[],
    ),
    open(
        &["airport", "runway"],
        &[(Sound::Jet, 0.5), (Sound::Crowd, 0.4)],
        &[],
        &[],
    ),
    inside(
        &["train station", "station", "platform"],
        &[(Sound::Crowd, 0.7), (Sound::Train, 0.5)],
        Room::Hall,
    ),
    inside(
        &[
            "restaurant",
            "cafe",
            "café",
            "coffee shop",
            "bar",
            "pub",
            "canteen",
        ],
        &[(Sound::Crowd, 0.9), (Sound::Clink, 0.5)],
        Room::Room,
    ),
    inside(
        &["kitchen"],
        &[(Sound::Sizzle, 0.6), (Sound::Hum, 0.4), (Sound::Clink, 0.3)],
        Room::Room,
    ),
    inside(
        &["office", "workplace"],
        &[(Sound::Typing, 0.8), (Sound::Fan, 0.5)],
        Room::Room,
    ),
    inside(
        &[
            "bedroom",
            "living room",
            "indoors",
            "indoor",
            "room",
            "house",
            "study",
            "library",
            "interior",
        ],
        &[(Sound::Air, 1.0), (Sound::Clock, 0.6)],
        Room::Room,
    ),
    inside(
        &["classroom", "school", "museum", "mall", "lobby"],
        &[(Sound::Crowd, 0.6)],
        Room::Hall,
    ),
    inside(
        &["workshop", "garage"],
        &[(Sound::Hum, 0.5), (Sound::Hammer, 0.5)],
        Room::Room,
    ),
    inside(
        &["hospital"],
        &[(Sound::Beep, 0.6), (Sound::Fan, 0.5)],
        Room::Room,
    ),
    inside(
        &["church", "cathedral", "temple", "monastery"],
        &[(Sound::Air, 1.0), (Sound::ChurchBell, 0.5)],
        Room::Hall,
    ),
    inside(
        &["hall", "gym", "warehouse", "corridor", "bathroom", "castle"],
        &[],
        Room::Hall,
    ),
    inside(
        &[
            "cave",
            "cavern",
            "tunnel",
            "dungeon",
            "mine",
            "sewer",
            "echo",
            "reverberant",
        ],
        &[(Sound::Drip, 0.7), (Sound::Air, 0.8)],
        Room::Cave,
    ),
];
