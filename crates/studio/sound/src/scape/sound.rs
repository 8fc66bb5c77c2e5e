//! The sounds, and the words that ask for them.

use super::{animals, birds, effects, machines, make::Bed, objects, people, vehicles, water, weather};
use crate::chance::Rng;

/// How a sound is made.
#[derive(Clone, Copy)]
pub(super) enum Make {
    /// Lasts as long as needed.
    Bed(fn(&mut Rng, &mut Bed)),
    /// Is repeated: the shortest and longest time in seconds from one to the next.
    Again(fn(&mut Rng, f32) -> Vec<f32>, f32, f32),
    /// Happens once, unless several are requested.
    Once(fn(&mut Rng, f32) -> Vec<f32>),
}

macro_rules! sounds {
    ($($sound:ident, $level:literal, $make:expr, [$($word:literal),+ $(,)?];)+) => {
        /// A sound of a soundscape.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Sound {
            $($sound),+
        }

        impl Sound {
            pub const ALL: &'static [Self] = &[$(Self::$sound),+];

            /// The words that ask for it; the first is its name.
            pub fn words(self) -> &'static [&'static str] {
                match self {
                    $(Self::$sound => &[$($word),+]),+
                }
            }

            /// The usual level compared with others, in dB.
            pub(super) fn level(self) -> f32 {
                match self {
                    $(Self::$sound => $level),+
                }
            }

            pub(super) fn make(self) -> Make {
                use Make::{Again, Bed, Once};
                match self {
                    $(Self::$sound => $make),+
                }
            }
        }
    };
}

// Name, level in dB, how it is made, words.
sounds! {
    Wind, -4.0, Bed(weather::wind), ["wind", "breeze", "breezy", "windy", "gust"];
    Gale, 0.0, Bed(weather::gale), [
        "gale", "howling wind", "wind howl", "hurricane", "tornado", "blizzard", "snowstorm", "sandstorm",
    ];
    Leaves, -7.0, Bed(weather::leaves), [
        "rustling leaves", "leaves", "leaf", "foliage", "rustling trees", "wind in trees", "palm trees",
    ];
    Rain, -2.0, Bed(weather::rain), ["rain", "rainy", "rainfall", "shower"];
    Drizzle, -8.0, Bed(weather::drizzle), ["drizzle", "light rain", "gentle rain", "soft rain", "raindrop"];
    Downpour, 2.0, Bed(weather::downpour), [
        "downpour", "heavy rain", "pouring rain", "rainstorm", "torrential rain", "monsoon",
    ];
    Hail, -2.0, Bed(weather::hail), ["hail", "hailstorm", "sleet"];
    Thunder, 6.0, Again(weather::thunder, 7.0, 14.0), ["thunder", "lightning", "thunderclap", "thunderbolt"];
    Air, -16.0, Bed(weather::air), ["room tone", "silence", "quiet room", "ambient noise"];
    Surf, 0.0, Bed(water::surf), ["surf", "wave", "ocean wave", "sea wave", "breakers", "tide"];
    Stream, -4.0, Bed(water::stream), ["stream", "brook", "creek", "trickle", "fountain", "babbling brook"];
    River, -2.0, Bed(water::river), ["river", "rapids", "rushing water", "flowing water", "running water"];
    Lapping, -6.0, Bed(water::lapping), ["lapping water", "lapping", "lake", "pond", "water"];
    Waterfall, 1.0, Bed(water::waterfall), ["waterfall", "cascade", "cataract"];
    Underwater, -3.0, Bed(water::underwater), ["underwater", "diving", "scuba", "submarine", "bubble", "deep sea"];
    Boiling, -6.0, Bed(water::boiling), ["boiling", "bubbling", "cauldron", "simmer", "lava"];
    Drip, -8.0, Again(water::drip, 0.9, 2.4), ["water drop", "drip", "drop", "droplet", "dripping water", "leaking"];
    Splash, 0.0, Once(water::splash), ["splash", "dive", "jump into water"];
    Pour, -4.0, Once(water::pour), ["pour", "pouring water", "tap", "faucet", "filling a glass"];
    Birds, -5.0, Bed(birds::birds), [
        "birds", "bird", "birdsong", "chirping", "tweet", "songbird", "sparrow", "blackbird", "robin", "dawn chorus",
    ];
    Cuckoo, -8.0, Again(birds::cuckoo, 1.3, 2.2), ["cuckoo"];
    Owl, -9.0, Again(birds::owl, 6.0, 12.0), ["owl", "hoot"];
    Gull, -6.0, Again(birds::gull, 2.5, 6.5), ["seagull", "gull", "seabird"];
    Crow, -5.0, Again(birds::crow, 3.0, 7.0), ["crow", "raven", "caw"];
    Rooster, -3.0, Again(birds::rooster, 6.0, 11.0), ["rooster", "cockerel", "cock-a-doodle-doo"];
    Wings, -6.0, Once(birds::wings), ["wing flap", "flapping wings", "flapping", "pigeon", "dove", "flock"];
    Dog, 0.0, Again(animals::dog, 1.1, 3.2), ["dog", "bark", "puppy", "hound", "woof"];
    Growl, -3.0, Again(animals::growl, 2.5, 4.0), ["growl", "snarl", "bear"];
    Lion, 2.0, Again(animals::lion, 4.0, 8.0), ["lion", "roar", "tiger", "dragon", "dinosaur", "monster", "beast"];
    Wolf, -3.0, Again(animals::wolf, 5.0, 10.0), ["wolf", "wolves", "howl", "coyote"];
    Cat, -5.0, Again(animals::cat, 2.2, 5.0), ["cat", "meow", "kitten", "miaow"];
    Purr, -10.0, Bed(animals::purr), ["purr"];
    Cow, -2.0, Again(animals::cow, 4.0, 9.0), ["cow", "moo", "cattle", "bull"];
    Sheep, -4.0, Again(animals::sheep, 1.6, 5.0), ["sheep", "goat", "lamb", "baa", "bleat"];
    Neigh, -2.0, Again(animals::neigh, 5.0, 10.0), ["neigh", "whinny"];
    Hooves, -2.0, Again(animals::hooves, 0.5, 0.54), ["horse", "hooves", "hoof", "gallop", "trot"];
    Crickets, -9.0, Bed(animals::crickets), ["crickets", "cricket", "grasshopper", "night insects", "insect"];
    Cicadas, -8.0, Bed(animals::cicadas), ["cicadas", "cicada", "locust"];
    Frogs, -6.0, Bed(animals::frogs), ["frogs", "frog", "toad", "croak"];
    Bees, -8.0, Bed(animals::bees), ["bees", "bee", "buzz", "housefly", "mosquito", "wasp", "swarm"];
    Crowd, -3.0, Bed(people::crowd), [
        "crowd", "people", "chatter", "talk", "murmur", "babble", "conversation", "audience", "voices", "party",
    ];
    Cheer, 2.0, Bed(people::cheer), ["cheer", "cheering crowd", "celebration", "fans"];
    Applause, 0.0, Bed(people::applause), ["applause", "clap", "applaud", "ovation", "clapping"];
    Clap, -3.0, Once(people::one_clap), ["hand clap", "handclap", "single clap"];
    Laughter, -3.0, Again(people::laughter, 2.4, 4.5), ["laughter", "laugh", "giggle", "chuckle"];
    Baby, 0.0, Again(people::baby, 1.5, 2.4), ["baby", "crying baby", "baby cry", "infant"];
    Scream, 2.0, Once(people::scream), ["scream", "shriek", "shout", "yell"];
    Footsteps, -6.0, Again(people::step, 0.5, 0.57), ["footsteps", "footstep", "step", "walk", "pedestrian"];
    Running, -4.0, Again(people::step, 0.29, 0.33), ["running footsteps", "run", "jogging", "sprint"];
    GravelSteps, -6.0, Again(people::gravel_step, 0.52, 0.6), [
        "footsteps on gravel", "gravel", "pebble", "footsteps on leaves",
    ];
    SnowSteps, -7.0, Again(people::snow_step, 0.58, 0.68), [
        "footsteps in snow", "footsteps on snow", "walking in snow", "walking on snow", "walking through snow",
        "crunching snow", "snow crunch",
    ];
    Heartbeat, -2.0, Again(people::heartbeat, 0.82, 0.86), ["heartbeat", "heart", "pulse"];
    Breath, -10.0, Again(people::breath, 3.0, 3.4), ["breathing", "breath", "breathe", "sigh", "panting"];
    Snore, -6.0, Again(people::snore, 3.6, 4.0), ["snore", "snoring"];
    Typing, -8.0, Again(people::key_press, 0.09, 0.26), ["typing", "keyboard", "typewriter"];
    Engine, -2.0, Bed(vehicles::engine), [
        "engine", "motor", "idling car", "engine idle", "generator", "lawnmower", "tractor",
    ];
    Car, -2.0, Bed(vehicles::car), ["car", "automobile", "taxi", "vehicle", "racing car", "race car"];
    CarPass, 0.0, Once(vehicles::pass_by), ["drive-by", "passing vehicle", "vroom"];
    Truck, 0.0, Bed(vehicles::truck), ["truck", "lorry", "bus", "bulldozer", "excavator", "tank"];
    Motorcycle, 0.0, Bed(vehicles::motorcycle), ["motorcycle", "motorbike", "scooter", "moped"];
    Boat, -4.0, Bed(vehicles::boat), ["motorboat", "boat engine", "ferry", "ship engine", "speedboat"];
    Chainsaw, 0.0, Bed(vehicles::chainsaw), ["chainsaw", "chain saw"];
    Traffic, -3.0, Bed(vehicles::traffic), [
        "traffic", "highway", "motorway", "cars", "busy street", "road noise", "rush hour",
    ];
    Train, 0.0, Bed(vehicles::train), ["train", "railway", "railroad", "subway", "metro", "tram", "locomotive"];
    TrainHorn, 4.0, Again(vehicles::train_horn, 5.0, 9.0), ["train horn", "train whistle"];
    SteamTrain, 0.0, Bed(vehicles::steam_train), ["steam train", "steam locomotive", "steam engine"];
    SteamWhistle, 2.0, Again(vehicles::steam_whistle, 5.0, 9.0), ["steam whistle", "whistle", "kettle"];
    CarHorn, 0.0, Again(vehicles::car_horn, 2.5, 6.0), ["car horn", "horn", "honk", "hoot of a car"];
    ShipHorn, 2.0, Again(vehicles::ship_horn, 8.0, 14.0), ["ship horn", "foghorn", "ship", "ocean liner"];
    Helicopter, 2.0, Bed(vehicles::helicopter), ["helicopter", "chopper", "drone"];
    Jet, 3.0, Bed(vehicles::jet), [
        "jet", "aeroplane", "airplane", "plane", "aircraft", "rocket", "fighter jet", "rocket launch",
    ];
    Propeller, 0.0, Bed(vehicles::propeller), ["propeller plane", "propeller", "biplane", "cessna"];
    Siren, 1.0, Bed(machines::siren), ["siren", "police", "police siren", "police car"];
    TwoTone, 1.0, Bed(machines::two_tone), ["ambulance", "fire engine", "fire truck", "two-tone siren"];
    Alarm, -2.0, Bed(machines::alarm), ["alarm", "alarm clock", "fire alarm", "smoke detector"];
    Clock, -9.0, Again(machines::clock, 1.0, 1.0), ["clock", "tick", "ticking", "tick-tock", "metronome"];
    Telephone, -3.0, Again(machines::telephone, 4.0, 4.0), ["telephone", "phone", "phone ring", "telephone ring"];
    Doorbell, -3.0, Once(machines::doorbell), ["doorbell", "ding-dong", "ding dong", "door chime"];
    Buzzer, -2.0, Once(machines::buzzer), ["buzzer", "wrong answer", "game show buzzer"];
    Beep, -6.0, Again(machines::beep, 0.9, 1.0), ["beep", "bleep", "heart monitor", "sonar"];
    Hum, -10.0, Bed(machines::hum), ["hum", "electric hum", "transformer", "fridge", "refrigerator", "neon light"];
    Fan, -8.0, Bed(machines::fan), [
        "fan", "air conditioner", "air conditioning", "ventilation", "ventilator", "hair dryer",
    ];
    Vacuum, -1.0, Bed(machines::vacuum), ["vacuum", "vacuum cleaner", "hoover"];
    Drill, 0.0, Bed(machines::drill), ["drill", "power tool", "jackhammer", "dentist"];
    Factory, -2.0, Bed(machines::factory), [
        "factory", "machine", "machinery", "industrial", "assembly line", "conveyor",
    ];
    Spaceship, -4.0, Bed(machines::spaceship), [
        "spaceship", "space", "sci-fi", "science fiction", "drone tone", "spacecraft", "space station", "eerie",
        "dark ambient",
    ];
    Computer, -6.0, Again(machines::computer, 1.2, 3.0), ["computer", "robot", "terminal", "interface"];
    Shutter, -6.0, Once(machines::shutter), ["camera shutter", "shutter", "taking photo", "camera click", "snapshot"];
    Radio, -6.0, Bed(machines::radio), ["radio static", "static", "radio", "white noise", "tuning"];
    Fire, -3.0, Bed(objects::fire), [
        "fire", "campfire", "bonfire", "fireplace", "flame", "burning", "crackling fire", "torch",
    ];
    Sizzle, -6.0, Bed(objects::sizzle), ["sizzle", "frying", "fry", "cooking", "bacon", "grill", "barbecue"];
    Creak, -5.0, Once(objects::creak), ["creak", "door creak", "creaky door", "squeak", "hinge", "floorboard"];
    Slam, 3.0, Once(objects::slam), ["door slam", "slam", "door slams shut", "bang", "door close"];
    Door, 0.0, Once(objects::door), ["door", "door open", "gate"];
    Knock, 0.0, Once(objects::knock), ["knock", "knocking", "door knock", "knock on door"];
    ChurchBell, 0.0, Again(objects::church_bell, 1.8, 2.4), ["church bell", "bell", "bell tower", "toll", "gong"];
    SmallBell, -5.0, Again(objects::small_bell, 0.7, 1.6), [
        "hand bell", "bicycle bell", "jingle bell", "sleigh bell", "little bell", "service bell",
    ];
    Chimes, -6.0, Bed(objects::chimes), ["wind chimes", "chime", "chimes"];
    GlassBreak, 2.0, Once(objects::glass_break), [
        "glass break", "breaking glass", "broken glass", "shatter", "shattering glass", "glass shatter",
        "glass smash", "window break",
    ];
    Clink, -6.0, Again(objects::clink, 1.2, 4.0), [
        "glass clink", "clink", "toast", "cheers", "glass", "dishes", "cutlery",
    ];
    Coin, -5.0, Once(objects::coin), ["coin", "money"];
    Keys, -7.0, Once(objects::keys), ["keys", "jingle", "key ring"];
    Sword, 0.0, Again(objects::sword, 0.9, 2.2), ["sword", "blade", "sword fight", "clang"];
    Paper, -8.0, Again(objects::paper, 1.4, 3.5), ["paper", "page turn", "page", "book", "newspaper"];
    Thud, 0.0, Once(objects::thud), ["thud", "thump", "body fall"];
    Hammer, 0.0, Again(objects::hammer, 0.7, 0.9), ["hammer", "anvil", "blacksmith", "construction"];
    Saw, -3.0, Again(objects::saw, 0.98, 1.05), ["saw", "sawing", "carpenter"];
    Zip, -6.0, Once(objects::zip), ["zip", "zipper"];
    Rustle, -9.0, Again(objects::rustle, 1.6, 4.0), ["rustle", "rustling", "grass", "cloth", "fabric"];
    Explosion, 8.0, Once(effects::explosion), [
        "explosion", "blast", "bomb", "explode", "boom", "detonation", "firework", "cannon",
    ];
    Gunshot, 6.0, Once(effects::gunshot), ["gunshot", "gun", "shot", "pistol", "rifle", "gunfire"];
    Whoosh, -2.0, Once(effects::whoosh), ["whoosh", "swoosh", "swish", "transition", "arrow", "fly-by", "flyby"];
    Laser, -1.0, Once(effects::laser), ["laser", "zap", "blaster", "ray gun", "pew"];
    Impact, 5.0, Once(effects::impact), ["impact", "cinematic hit", "braam", "car crash"];
    Riser, 0.0, Once(effects::riser), ["riser", "build-up", "tension", "power up", "power-up"];
    Magic, -3.0, Once(effects::magic), ["magic", "sparkle", "fairy", "spell", "twinkle", "shimmer", "wand"];
    Pop, -4.0, Once(effects::pop), ["pop", "cork", "plop"];
    Click, -7.0, Once(effects::click), ["click", "button", "mouse click", "switch"];
    Reward, -4.0, Once(effects::reward), ["coin pickup", "level up", "reward", "success", "game coin", "collect"];
    Failure, -4.0, Once(effects::failure), ["game over", "failure", "fail", "sad trombone", "lose"];
    Boing, -3.0, Once(effects::boing), ["boing", "spring bounce", "cartoon jump", "bounce", "trampoline"];
    Electricity, -2.0, Again(effects::electricity, 1.8, 3.5), [
        "electricity", "spark", "electric shock", "short circuit", "tesla coil",
    ];
    Punch, 1.0, Once(effects::punch), ["punch", "slap", "kick", "boxing"];
}

impl Sound {
    /// The name, which is the first of its words.
    pub fn name(self) -> &'static str {
        self.words()[0]
    }

    /// Whether the sound is continuous.
    pub fn is_bed(self) -> bool {
        matches!(self.make(), Make::Bed(_))
    }

    /// The sound with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|sound| sound.name() == name)
    }
}
