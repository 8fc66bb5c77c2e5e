//! Drum patterns.

use super::Groove;
use crate::music::synth::drums::Piece as P;

pub(super) const NONE: Groove = &[];
pub(super) const HOUSE: Groove = &[
    (P::Kick, "X...X...X...X..."),
    (P::OpenHat, "..x...x...x...x."),
    (P::Shaker, "oxoxoxoxoxoxoxox"),
];
pub(super) const HOUSE_LIFT: Groove = &[
    (P::Kick, "X...X...X...X..."),
    (P::OpenHat, "..X...X...X...X."),
    (P::Hat, "x.oxx.oxx.oxx.ox"),
    (P::Clap, "....X.......X..."),
    (P::Shaker, "oxoxoxoxoxoxoxox"),
];
pub(super) const TECHNO: Groove = &[
    (P::Kick, "X...X...X...X..."),
    (P::Hat, "..x...x...x...x."),
    (P::Rim, "...x..x....x..x."),
    (P::LowTom, "..........o..o.."),
];
pub(super) const TECHNO_LIFT: Groove = &[
    (P::Kick, "X...X...X...X..."),
    (P::OpenHat, "..X...X...X...X."),
    (P::Hat, "xoxoxoxoxoxoxoxo"),
    (P::Clap, "....x.......x..."),
    (P::Rim, "...x..x....x..x."),
    (P::Ride, "x.x.x.x.x.x.x.x."),
];
pub(super) const TRANCE: Groove = &[(P::Kick, "X...X...X...X..."), (P::OpenHat, "..x...x...x...x.")];
pub(super) const TRANCE_LIFT: Groove = &[
    (P::Kick, "X...X...X...X..."),
    (P::OpenHat, "..X...X...X...X."),
    (P::Hat, "xoxoxoxoxoxoxoxo"),
    (P::Clap, "....X.......X..."),
    (P::Ride, "..x...x...x...x."),
];
pub(super) const BREAKBEAT: Groove = &[
    (P::Kick, "X.........X....."),
    (P::Snare, "....X..o.o..X..o"),
    (P::Hat, "x.x.x.x.x.x.x.x."),
];
pub(super) const BREAKBEAT_LIFT: Groove = &[
    (P::Kick, "X.........X..x.."),
    (P::Snare, "....X..o.o..X.oo"),
    (P::Hat, "xoxoxoxoxoxoxoxo"),
    (P::Ride, "x.x.x.x.x.x.x.x."),
];
pub(super) const HALFTIME: Groove = &[
    (P::Kick, "X.....x........."),
    (P::Snare, "........X......."),
    (P::Hat, "x.x.x.x.x.x.xxx."),
];
pub(super) const HALFTIME_LIFT: Groove = &[
    (P::Kick, "X.....x...x....."),
    (P::Snare, "........X......."),
    (P::Clap, "........X......."),
    (P::Hat, "x.xxx.x.x.xxx.xx"),
    (P::Crash, "o..............."),
];
pub(super) const TRAP: Groove = &[
    (P::Kick, "X......x..X....."),
    (P::Clap, "........X......."),
    (P::Hat, "x.x.x.x.x.x.xoxo"),
];
pub(super) const TRAP_LIFT: Groove = &[
    (P::Kick, "X......x..X..x.."),
    (P::Clap, "........X......."),
    (P::Snare, "..............o."),
    (P::Hat, "x.xoxxx.x.xxxoxo"),
    (P::OpenHat, "......x........."),
];
pub(super) const BOOM_BAP: Groove = &[
    (P::Kick, "X..x......Xx...."),
    (P::Snare, "....X.......X..."),
    (P::Hat, "x.x.x.x.x.x.x.x."),
];
pub(super) const BOOM_BAP_LIFT: Groove = &[
    (P::Kick, "X..x..x...Xx...."),
    (P::Snare, "....X..o....X..o"),
    (P::Hat, "x.x.x.xox.x.x.x."),
    (P::OpenHat, "..............x."),
];
pub(super) const DUSTY: Groove = &[
    (P::Kick, "X......x..x....."),
    (P::Snare, "....x.......x..."),
    (P::Hat, "x.o.x.o.x.o.x.o."),
    (P::Crackle, "x..............."),
];
pub(super) const DUSTY_LIFT: Groove = &[
    (P::Kick, "X......x..x..o.."),
    (P::Snare, "....x..o....x..."),
    (P::Hat, "x.ox.xo.x.o.x.ox"),
    (P::Rim, "......o.......o."),
    (P::Crackle, "x..............."),
];
pub(super) const SYNTHWAVE: Groove = &[
    (P::Kick, "X...X...X...X..."),
    (P::Snare, "....X.......X..."),
    (P::Hat, "x.x.x.x.x.x.x.x."),
];
pub(super) const SYNTHWAVE_LIFT: Groove = &[
    (P::Kick, "X...X...X...X..."),
    (P::Snare, "....X.......X..."),
    (P::Clap, "....x.......x..."),
    (P::Hat, "xoxoxoxoxoxoxoxo"),
    (P::Tambourine, "..x...x...x...x."),
];
pub(super) const POP: Groove = &[
    (P::Kick, "X.......X.x....."),
    (P::Snare, "....X.......X..."),
    (P::Hat, "x.x.x.x.x.x.x.x."),
];
pub(super) const POP_LIFT: Groove = &[
    (P::Kick, "X.....x.X.x....."),
    (P::Snare, "....X.......X..."),
    (P::Clap, "....x.......x..."),
    (P::Hat, "X.x.X.x.X.x.X.x."),
    (P::Tambourine, "..x...x...x...x."),
];
pub(super) const ROCK: Groove = &[
    (P::Kick, "X.......X.x....."),
    (P::Snare, "....X.......X..."),
    (P::Hat, "X.x.X.x.X.x.X.x."),
];
pub(super) const ROCK_LIFT: Groove = &[
    (P::Kick, "X..x....X.x..x.."),
    (P::Snare, "....X.......X..."),
    (P::Crash, "o.......o......."),
    (P::Ride, "X.x.X.x.X.x.X.x."),
];
pub(super) const METAL: Groove = &[
    (P::Kick, "X.xxX.xxX.xxX.xx"),
    (P::Snare, "....X.......X..."),
    (P::Ride, "X...X...X...X..."),
];
pub(super) const METAL_LIFT: Groove = &[
    (P::Kick, "XxxxXxxxXxxxXxxx"),
    (P::Snare, "....X.......X..."),
    (P::Crash, "X.......X......."),
    (P::Ride, "X...X...X...X..."),
];
pub(super) const PUNK: Groove = &[
    (P::Kick, "X.....X.X.....X."),
    (P::Snare, "..X...X...X...X."),
    (P::Hat, "X.X.X.X.X.X.X.X."),
];
pub(super) const PUNK_LIFT: Groove = &[
    (P::Kick, "X...X...X...X..."),
    (P::Snare, "..X...X...X...X."),
    (P::Crash, "X...X...X...X..."),
];
pub(super) const SHUFFLE: Groove = &[
    (P::Kick, "X.......X......."),
    (P::Snare, "....X.......X..."),
    (P::Hat, "X.x.X.x.X.x.X.x."),
];
pub(super) const SHUFFLE_LIFT: Groove = &[
    (P::Kick, "X.....x.X......."),
    (P::Snare, "....X.o.....X.o."),
    (P::Ride, "X.x.X.x.X.x.X.x."),
];
pub(super) const SWING: Groove = &[
    (P::Ride, "x...X.x.x...X.x."),
    (P::Hat, "....x.......x..."),
    (P::Kick, "o...o...o...o..."),
];
pub(super) const SWING_LIFT: Groove = &[
    (P::Ride, "X...X.x.X...X.x."),
    (P::Hat, "....X.......X..."),
    (P::Kick, "o...o...o..xo..."),
    (P::Snare, "......o...o...x."),
];
pub(super) const BOSSA: Groove = &[
    (P::Kick, "X..xX..xX..xX..x"),
    (P::Rim, "x..x..x...x..x.."),
    (P::Shaker, "xoxoxoxoxoxoxoxo"),
];
pub(super) const REGGAE: Groove = &[
    (P::Kick, "........X......."),
    (P::Rim, "........X......."),
    (P::Hat, "x.x.x.x.x.x.x.x."),
];
pub(super) const REGGAE_LIFT: Groove = &[
    (P::Kick, "x...x...X...x..."),
    (P::Rim, "........X......."),
    (P::Snare, "..............o."),
    (P::Hat, "xox.xox.xox.xox."),
];
pub(super) const FUNK: Groove = &[
    (P::Kick, "X.x.......x..x.."),
    (P::Snare, "....X..o.o..X..o"),
    (P::Hat, "xxxxxxxxxxxxxxxx"),
];
pub(super) const FUNK_LIFT: Groove = &[
    (P::Kick, "X.x....x..x..x.."),
    (P::Snare, "....X..o.o..X.oo"),
    (P::Hat, "XxxxXxxxXxxxXxx."),
    (P::OpenHat, "..............x."),
    (P::Tambourine, "....x.......x..."),
];
pub(super) const SOUL: Groove = &[
    (P::Kick, "X......xX......."),
    (P::Snare, "....X.......X..."),
    (P::Hat, "x.x.x.x.x.x.x.x."),
    (P::Tambourine, "....o.......o..."),
];
pub(super) const SOUL_LIFT: Groove = &[
    (P::Kick, "X......xX.x....."),
    (P::Snare, "X...X...X...X..."),
    (P::Hat, "x.x.x.x.x.x.x.x."),
    (P::Tambourine, "x.x.x.x.x.x.x.x."),
];
pub(super) const DISCO: Groove = &[
    (P::Kick, "X...X...X...X..."),
    (P::Snare, "....X.......X..."),
    (P::OpenHat, "..x...x...x...x."),
    (P::Hat, "x...x...x...x..."),
];
pub(super) const DISCO_LIFT: Groove = &[
    (P::Kick, "X...X...X...X..."),
    (P::Snare, "....X.......X..."),
    (P::OpenHat, "..X...X...X...X."),
    (P::Hat, "xo.oxo.oxo.oxo.o"),
    (P::Tambourine, "xoxoxoxoxoxoxoxo"),
    (P::HighConga, "..o..o.x..o..o.x"),
];
pub(super) const TRAIN: Groove = &[(P::Kick, "X.......X......."), (P::Brush, "xoXoxoXoxoXoxoXo")];
pub(super) const TRAIN_LIFT: Groove = &[
    (P::Kick, "X...x...X...x..."),
    (P::Snare, "....X.......X..."),
    (P::Brush, "xoxoxoxoxoxoxoxo"),
    (P::Tambourine, "..x...x...x...x."),
];
pub(super) const FOLK: Groove = &[(P::Kick, "x.......x......."), (P::Shaker, "x.o.x.o.x.o.x.o.")];
pub(super) const FOLK_LIFT: Groove = &[
    (P::Kick, "X...x...X...x..."),
    (P::Clap, "....o.......o..."),
    (P::Tambourine, "..x...x...x...x."),
    (P::Shaker, "xoxoxoxoxoxoxoxo"),
];
pub(super) const BODHRAN: Groove = &[(P::LowConga, "X..ox..oX..ox..o"), (P::Shaker, "x.o.x.o.x.o.x.o.")];
pub(super) const BODHRAN_LIFT: Groove = &[
    (P::LowConga, "X.oox.ooX.oox.oo"),
    (P::Kick, "x.......x......."),
    (P::Tambourine, "..x...x...x...x."),
];
pub(super) const WALTZ: Groove = &[(P::Kick, "x..........."), (P::Brush, "....o...o...")];
pub(super) const WALTZ_LIFT: Groove = &[
    (P::Kick, "X..........."),
    (P::Brush, "....x...x..."),
    (P::Triangle, "x..........."),
];
pub(super) const CINEMATIC: Groove = &[(P::Taiko, "X.....x...x.....")];
pub(super) const CINEMATIC_LIFT: Groove = &[
    (P::Taiko, "X..x..x.X.x.x.xx"),
    (P::LowTom, "..o...o...o.o.o."),
    (P::Gong, "o..............."),
];
pub(super) const MARCH: Groove = &[(P::Kick, "o.......o......."), (P::Snare, "o..oo...o..oo.oo")];
pub(super) const MARCH_LIFT: Groove = &[
    (P::Kick, "x.......x......."),
    (P::Snare, "x.oox...x.oox.oo"),
    (P::Crash, "o..............."),
];
pub(super) const CHIP: Groove = &[
    (P::Kick, "X...X...X...X..."),
    (P::Snare, "....X.......X..."),
    (P::Hat, "..x...x...x...x."),
];
pub(super) const CHIP_LIFT: Groove = &[
    (P::Kick, "X..xX...X..xX..."),
    (P::Snare, "....X.......X.xx"),
    (P::Hat, "x.x.x.x.x.x.x.x."),
];
pub(super) const SALSA: Groove = &[
    (P::Clave, "x..x..x...x.x..."),
    (P::LowConga, "......xx......xx"),
    (P::HighConga, "..x.....x.o....."),
    (P::Cowbell, "x...x...x...x..."),
    (P::Shaker, "xoxoxoxoxoxoxoxo"),
];
pub(super) const SALSA_LIFT: Groove = &[
    (P::Clave, "x..x..x...x.x..."),
    (P::LowConga, "......xX......xX"),
    (P::HighConga, "..x.x...x.x.o..."),
    (P::Cowbell, "X.x.X.x.X.xxX.x."),
    (P::Shaker, "xoxoxoxoxoxoxoxo"),
    (P::MidTom, "............o.x."),
];
pub(super) const GOSPEL: Groove = &[
    (P::Kick, "X.......X......."),
    (P::Snare, "....x.......x..."),
    (P::Hat, "x.x.x.x.x.x.x.x."),
    (P::Tambourine, "....x.......x..."),
];
pub(super) const GOSPEL_LIFT: Groove = &[
    (P::Kick, "X.....x.X.x....."),
    (P::Snare, "....X.......X..."),
    (P::Clap, "....X.......X..."),
    (P::Tambourine, "x.x.X.x.x.x.X.x."),
    (P::Ride, "x.x.x.x.x.x.x.x."),
];
