//! Actors: the cards of one thing (itself, its shadow, its reflection) and how it moves, from what it is and what
//! the prompt says.

use super::act::{Act, Bend};
use super::card::Card;
use crate::script::Doing;
use atelier_picture::chance::Rng;
use atelier_picture::draw::LayerKind;

#[derive(Debug, Clone)]
pub(crate) struct Actor {
    pub(crate) name: String,
    pub(crate) act: Act,
    /// Its pivot in the scene: the foot, or the centre of flying things.
    pub(crate) pivot: (f32, f32),
    /// The texture's size.
    pub(crate) size: (f32, f32),
    pub(crate) near: f32,
    pub(crate) afloat: bool,
    /// The direction it faces: right (1) or left (-1).
    pub(crate) heading: f32,
    middle: (f32, f32),
}

impl Actor {
    /// The centre of its texture at rest, in the scene's pixels.
    pub(crate) fn middle(&self) -> (f32, f32) {
        self.middle
    }
}

/// The facts about the scene that an actor needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) seconds: f32,
    /// The frame in the scene's pixels.
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// How much wind there is: 1 is a breeze.
    pub(crate) wind: f32,
    pub(crate) water: bool,
    /// Whether the scene is under water or in space, where nothing stands.
    pub(crate) weightless: bool,
    pub(crate) doing: &'a Doing,
    /// The name of the main subject: the camera follows it, so it stays in place.
    pub(crate) followed: Option<&'a str>,
}

/// How a kind of thing moves: body heights a second.
#[derive(Clone, Copy)]
enum Way {
    Stays,
    /// Only if the prompt says so.
    Walks(f32),
    /// The same for an unknown cut-out: it hops like paper.
    Comes(f32),
    Beast(f32),
    Drives(f32),
    Sails(f32),
    Flies(f32),
    Glides(f32),
    Hovers,
    Swims(f32),
    Pulses,
    Rises(f32),
    Sways(f32),
    Burns,
    Waves,
}

fn way(name: &str) -> Way {
    match name {
        "person" | "woman" | "child" | "astronaut" | "robot" | "wizard" => Way::Walks(0.75),
        "penguin" => Way::Walks(0.4),
        "guest" => Way::Comes(0.6),
        "fox" | "wolf" | "dog" | "cat" | "deer" | "rabbit" => Way::Beast(1.0),
        "horse" => Way::Beast(1.1),
        "cow" | "sheep" | "bear" | "lion" | "elephant" | "pig" | "camel" | "giraffe" | "rooster" => {
            Way::Beast(0.5)
        }
        "turtle" => Way::Beast(0.3),
        "car" | "motorcycle" => Way::Drives(3.0),
        "bus" | "truck" => Way::Drives(1.8),
        "train" | "bicycle" => Way::Drives(1.6),
        "cart" => Way::Drives(0.7),
        "boat" | "ship" => Way::Sails(0.12),
        "rowboat" | "fishing boat" => Way::Sails(0.16),
        "swan" | "duck" => Way::Sails(0.3),
        "bird" => Way::Flies(1.3),
        "eagle" => Way::Flies(0.9),
        "butterfly" | "bee" => Way::Flies(0.5),
        "airplane" | "helicopter" | "zeppelin" => Way::Glides(0.7),
        "ufo" | "satellite" => Way::Glides(0.25),
        "hot air balloon" | "kite" => Way::Hovers,
        "fish" | "dolphin" => Way::Swims(0.8),
        "shark" => Way::Swims(0.5),
        "whale" => Way::Swims(0.2),
        "jellyfish" | "octopus" => Way::Pulses,
        "rocket" => Way::Rises(0.14),
        "tree" | "birch" | "cherry tree" | "cypress" | "dead tree" => Way::Sways(0.008),
        "pine" => Way::Sways(0.006),
        "palm" => Way::Sways(0.02),
        "bush" | "fern" | "rose bush" => Way::Sways(0.018),
        "flower" | "sunflower" | "tulip" | "reed" => Way::Sways(0.035),
        "campfire" => Way::Burns,
        "flag" => Way::Waves,
        _ => Way::Stays,
    }
}

/// Finds the actors among the cards: the actor of each card, by number.
pub(crate) fn cast(cards: &mut [Card], setting: Setting<'_>, seed: u64) -> (Vec<Actor>, Vec<Option<usize>>) {
    let mut actors: Vec<Actor> = Vec::new();
    let mut of = vec![None; cards.len()];
    let mut rng = Rng::new(seed);
    for number in 0..cards.len() {
        let card = &mut cards[number];
        if card.kind != LayerKind::Subject {
            continue;
        }
        if matches!(card.name.as_str(), "sun" | "moon" | "star" | "comet" | "rainbow") {
            card.near = 0.0;
        }
        let goes = !matches!(
            way(&card.name),
            Way::Stays | Way::Sways(_) | Way::Burns | Way::Waves
        );
        if goes
            && setting
                .doing
                .toward_side
                .is_some_and(|side| side * card.flip < 0.0)
        {
            card.turn_around();
        }
        let actor = actor(card, setting, &mut rng);
        actors.push(actor);
        of[number] = Some(actors.len() - 1);
    }
    // Shadows and reflections move with their things.
    for number in 0..cards.len() {
        let card = &cards[number];
        if !matches!(card.kind, LayerKind::Shadow | LayerKind::Reflection) {
            continue;
        }
        of[number] = cards.iter().zip(&of).find_map(|(other, of)| {
            let same =
                other.kind == LayerKind::Subject && other.name == card.name && other.contact == card.contact;
            same.then_some(*of).flatten()
        });
    }
    (actors, of)
}

fn actor(card: &Card, setting: Setting<'_>, rng: &mut Rng) -> Actor {
    let (width, height) = (card.width as f32, card.height as f32);
    let middle = (card.left + 0.5 * width, card.top + 0.5 * height);
    let free = card.contact.is_none();
    let afloat = !free && setting.water && is_afloat(&card.name);
    let pivot = card.contact.unwrap_or(middle);
    let mut act = Act {
        phase: rng.range(0.0, std::f32::consts::TAU),
        home: setting.seconds * 0.5,
        ..Act::default()
    };
    let doing = setting.doing;
    let facing = doing.toward_side.unwrap_or(card.flip);
    let shallow = height.min(0.3 * setting.height);
    let body = Body {
        setting,
        height,
        shallow,
        free,
        facing,
        around: (-middle.0 - 0.8 * width, setting.width - middle.0 + 0.8 * width),
    };
    let way = way(&card.name);
    match way {
        Way::Walks(_) | Way::Beast(_) | Way::Comes(_) | Way::Drives(_) => body.go_on_land(way, &mut act),
        _ => body.go_elsewhere(way, &mut act),
    }
    if afloat && matches!(way, Way::Stays) {
        act.speed = (0.0, 0.0);
    }
    if setting.weightless && free && act.heave.1 == 0.0 {
        act.heave = (0.04 * shallow, 0.13, false);
        act.roll = (0.03, 0.09);
    }
    if doing.approach != 0.0 && act.speed.0 != 0.0 && !free {
        act.approach = doing.approach * 0.9 / setting.seconds.max(1.0);
        act.speed.0 = 0.0;
    }
    if setting.followed == Some(card.name.as_str()) {
        act.speed.0 = 0.0;
        act.around = None;
    }
    Actor {
        name: card.name.clone(),
        act,
        pivot,
        size: (width, height),
        near: card.near,
        afloat,
        heading: facing,
        middle,
    }
}

/// The facts about a card that decide how it moves, in pixels.
struct Body<'a> {
    setting: Setting<'a>,
    height: f32,
    /// The height, at most a part of the frame's.
    shallow: f32,
    /// Whether it touches neither ground nor water.
    free: bool,
    /// 1 if it faces right, otherwise -1.
    facing: f32,
    /// The places where it leaves the frame and comes in again.
    around: (f32, f32),
}

impl Body<'_> {
    /// The speed of so many of its heights a second, so slow that it does not leave the frame.
    fn go(&self, heights: f32) -> f32 {
        let most = 0.5 * self.setting.width / self.setting.seconds.max(1.0);
        (heights * self.setting.doing.pace * self.height).min(most) * self.facing
    }

    fn go_on_land(&self, way: Way, act: &mut Act) {
        let (free, height, doing) = (self.free, self.height, self.setting.doing);
        let walks = doing.moves && !doing.rests;
        match way {
            Way::Walks(heights) if walks && !free => {
                act.speed.0 = self.go(heights * if doing.runs { 2.2 } else { 1.0 });
                let steps = if doing.runs { 2.6 } else { 1.7 };
                act.heave = (0.016 * height, steps, true);
                act.roll = (0.02, steps * 0.5);
                act.bend = Bend::Stride(steps);
            }
            Way::Beast(heights) if walks && !free => {
                act.speed.0 = self.go(heights * if doing.runs { 2.4 } else { 1.0 });
                let steps = if doing.runs { 2.4 } else { 1.5 };
                act.heave = (if doing.runs { 0.05 } else { 0.012 } * height, steps, true);
                act.roll = (if doing.runs { 0.035 } else { 0.008 }, steps);
                act.bend = Bend::Trot(steps);
            }
            Way::Comes(heights) | Way::Beast(heights) if free => {
                if !doing.rests {
                    act.speed.0 = self.go(heights);
                }
                act.heave = (0.05 * height, 0.4, false);
                act.roll = (0.03, 0.23);
            }
            Way::Comes(heights) => {
                if walks && !free {
                    act.speed.0 = self.go(heights * if doing.runs { 2.0 } else { 1.0 });
                }
                let often = if walks { 1.6 } else { 0.35 };
                act.heave = (if walks { 0.025 } else { 0.006 } * height, often, walks);
                act.roll = (if walks { 0.03 } else { 0.012 }, often * 0.5);
            }
            Way::Walks(_) | Way::Beast(_) => act.bend = Bend::Sway(0.006),
            Way::Drives(heights) if !doing.rests => {
                act.speed.0 = self.go(heights);
                act.heave = (0.004 * height, 2.3, false);
            }
            _ => {}
        }
    }

    fn go_elsewhere(&self, way: Way, act: &mut Act) {
        let (setting, height, shallow) = (self.setting, self.height, self.shallow);
        let (free, facing, doing) = (self.free, self.facing, self.setting.doing);
        match way {
            Way::Sails(heights) => {
                if !doing.rests {
                    act.speed.0 = self.go(heights);
                }
                let rough = 0.5 + 0.5 * setting.wind;
                act.heave = (0.012 * shallow * rough, 0.28, false);
                act.roll = (0.016 * rough, 0.23);
            }
            Way::Flies(heights) => {
                act.speed.0 = self.go(heights);
                act.around = Some(self.around);
                act.heave = (0.12 * height, 0.5, false);
                let often = if height < 0.08 * setting.height { 2.6 } else { 1.7 };
                act.bend = Bend::Flap(0.26, often);
            }
            Way::Glides(heights) => {
                act.speed.0 = self.go(heights);
                act.heave = (0.03 * height, 0.2, false);
                act.roll = (0.012, 0.17);
            }
            Way::Hovers => {
                act.speed = (0.05 * height * facing, -0.04 * height);
                act.heave = (0.03 * height, 0.16, false);
                act.roll = (0.02, 0.13);
            }
            Way::Swims(heights) => {
                act.speed.0 = self.go(heights);
                act.around = Some(self.around);
                act.heave = (0.1 * height, 0.3, false);
                act.bend = Bend::Swim(0.1, 1.1);
            }
            Way::Pulses => {
                act.speed.1 = -0.05 * height;
                act.heave = (0.06 * height, 0.4, false);
                act.bend = Bend::Flap(0.06, 0.8);
            }
            Way::Rises(heights) if free || setting.weightless => {
                act.speed.1 = -heights * height;
                act.heave = (0.01 * height, 0.9, false);
                act.roll = (0.012, 0.3);
            }
            Way::Sways(far) => act.bend = Bend::Sway(far * (0.4 + 0.6 * setting.wind)),
            Way::Burns => act.bend = Bend::Lick,
            Way::Waves => act.bend = Bend::Wave(0.5 + 0.4 * setting.wind),
            // Rockets on the ground, and what does not move at all.
            _ => {}
        }
    }
}

fn is_afloat(name: &str) -> bool {
    matches!(
        name,
        "boat" | "ship" | "rowboat" | "fishing boat" | "swan" | "duck" | "water lily"
    )
}
