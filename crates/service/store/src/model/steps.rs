//! The steps of a life, and how likely each is.

use proptest::prelude::*;

#[derive(Debug, Clone)]
pub(super) enum Step {
    Accept {
        hold: i64,
        webhook: bool,
        key: Option<(u8, u8)>,
    },
    Claim {
        max: u32,
    },
    Complete {
        which: usize,
        charge: Charge,
        stale: bool,
    },
    Fail {
        which: usize,
    },
    End {
        which: usize,
    },
    Retry {
        which: usize,
    },
    GiveBack {
        which: usize,
    },
    Grant {
        credits: i64,
    },
    /// Every lease expires; generations with attempts left are requeued, the others end.
    Lapse,
    /// The process is killed and started again.
    Crash,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Charge {
    Nothing,
    BelowHold,
    Hold,
    AboveHold,
    Everything,
    TooMuch,
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let which = any::<usize>();
    let charge = prop_oneof![
        Just(Charge::Nothing),
        Just(Charge::BelowHold),
        Just(Charge::Hold),
        Just(Charge::AboveHold),
        Just(Charge::Everything),
        Just(Charge::TooMuch),
    ];
    prop_oneof![
        6 => (0..60_i64, any::<bool>(), prop::option::of((0..3_u8, 0..2_u8)))
            .prop_map(|(hold, webhook, key)| Step::Accept { hold, webhook, key }),
        5 => (1..4_u32).prop_map(|max| Step::Claim { max }),
        6 => (which, charge, prop::bool::weighted(0.2))
            .prop_map(|(which, charge, stale)| Step::Complete { which, charge, stale }),
        2 => which.prop_map(|which| Step::Fail { which }),
        2 => which.prop_map(|which| Step::End { which }),
        2 => which.prop_map(|which| Step::Retry { which }),
        1 => which.prop_map(|which| Step::GiveBack { which }),
        2 => (-80..80_i64).prop_map(|credits| Step::Grant { credits }),
        1 => Just(Step::Lapse),
        1 => Just(Step::Crash),
    ]
}
