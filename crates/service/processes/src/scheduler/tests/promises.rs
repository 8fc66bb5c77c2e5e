//! The promises that hold for all programs, devices, jobs and faults. `World` checks after every step that no device is
//! over-committed, that jobs run only in loaded programs and alone where they must be, and that no program with jobs
//! loses its room before its turn is over.

use proptest::{collection::vec, option, prelude::*};

use super::*;

const RULES: Rules = Rules {
    turn: seconds(10),
    linger: Duration::from_millis(500),
    backoff: (seconds(1), seconds(8)),
};
const LONGEST_JOB: u64 = 12;
const LONGEST_LOAD: u64 = 15;
const LONGEST_STOP: u64 = 4;

fn devices() -> impl Strategy<Value = Vec<Device>> {
    vec(4..12_u64, 1..=3).prop_map(|budgets| {
        let device = |(at, budget)| Device {
            name: format!("gpu{at}"),
            budget,
        };
        budgets.into_iter().enumerate().map(device).collect()
    })
}

/// A program of any size, which may be larger than its devices.
fn behaviour(devices: usize, faults: bool) -> impl Strategy<Value = Behaviour> {
    let memory = vec((0..devices, 0..9_u64), 1..=2);
    let failed = vec(any::<bool>(), 0..4);
    let times = (0..=LONGEST_LOAD, 0..=LONGEST_STOP);
    (
        memory,
        1..4_usize,
        any::<bool>(),
        option::of(0..40_u64),
        times,
        failed,
    )
        .prop_map(move |(mut memory, jobs, alone, idle, (load, stop), failed)| {
            memory.sort_unstable();
            memory.dedup_by_key(|(device, _)| *device);
            Behaviour {
                needs: Needs {
                    memory,
                    jobs,
                    alone,
                    idle: idle.map(seconds),
                },
                load: seconds(load),
                stop: seconds(stop),
                failed_loads: if faults { failed } else { Vec::new() },
            }
        })
}

fn simulated_job(programs: usize, faults: bool) -> impl Strategy<Value = SimulatedJob> {
    (
        0..programs,
        0..200_u64,
        0..=LONGEST_JOB,
        any::<bool>(),
        option::weighted(0.2, 0..60_u64),
        prop::bool::weighted(0.1),
    )
        .prop_map(
            move |(program, arrives, takes, patient, cancelled, crashes)| SimulatedJob {
                cancelled: cancelled.map(seconds).filter(|_| faults),
                crashes: crashes && faults,
                patient,
                ..job(program, arrives, takes)
            },
        )
}

fn operator(programs: usize) -> impl Strategy<Value = Vec<(Time, Event)>> {
    let event = (0..programs, 0..6_u8).prop_map(|(program, what)| match what {
        0 => Event::Load(program),
        1 => Event::Unload(program),
        2 => Event::Kill(program),
        5 => Event::Renew(program),
        3 => Event::Pin {
            program,
            pinned: true,
        },
        _ => Event::Pin {
            program,
            pinned: false,
        },
    });
    vec((0..200_u64, event), 0..6).prop_map(|events| {
        events
            .into_iter()
            .map(|(at, event)| (seconds(at), event))
            .collect()
    })
}

type Case = (Vec<Device>, Vec<Behaviour>, Vec<SimulatedJob>, Vec<(Time, Event)>);

fn case(faults: bool) -> impl Strategy<Value = Case> {
    devices()
        .prop_flat_map(move |devices| {
            let programs = vec(behaviour(devices.len(), faults), 1..=5);
            (Just(devices), programs)
        })
        .prop_flat_map(move |(devices, programs)| {
            let jobs = vec(simulated_job(programs.len(), faults), 0..60);
            let operator = operator(programs.len());
            (Just(devices), Just(programs), jobs, operator)
        })
}

/// Two programs that do not fit together, and jobs that alternate between them, most of them at once.
fn rivals() -> impl Strategy<Value = (Vec<Behaviour>, Vec<SimulatedJob>)> {
    let program = behaviour(1, false).prop_map(|program| Behaviour {
        needs: Needs {
            memory: vec![(0, 3)],
            ..program.needs
        },
        ..program
    });
    let facts = (prop_oneof![3 => Just(0), 1 => 0..200_u64], 0..=LONGEST_JOB);
    (vec(program, 2), vec(facts, 1..60)).prop_map(|(programs, facts)| {
        let jobs = facts.into_iter().enumerate();
        let jobs = jobs.map(|(at, (arrives, takes))| job(at % 2, arrives, takes));
        (programs, jobs.collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_job_ends_whatever_fails_and_whatever_the_operator_does(
        (devices, programs, jobs, operator) in case(true)
    ) {
        let count = jobs.len();
        let mut world = World::new(devices, programs, jobs, &operator, RULES);
        world.run();
        prop_assert_eq!(world.fates.len(), count);
    }

    #[test]
    fn two_models_that_take_turns_load_no_more_often_than_their_turns_allow(
        (programs, jobs) in rivals()
    ) {
        let device = Device { name: "gpu".to_owned(), budget: 4 };
        let mut world = World::new(vec![device], programs, jobs.clone(), &[], RULES);
        world.run();
        let mut ends = Vec::new();
        let mut bound = 0;
        for program in 0..2 {
            // Each time that a model has jobs again costs a load.
            let mut busy_until = None;
            let mut of_program: Vec<_> = jobs.iter().enumerate().filter(|(_, job)| job.program == program).collect();
            of_program.sort_by_key(|(_, job)| job.arrives);
            for (id, job) in of_program {
                let Fate::Made { waited } = world.fates[&id] else {
                    panic!("job {id}: {:?}", world.fates[&id]);
                };
                let end = job.arrives + waited + job.takes;
                bound += u64::from(busy_until.is_none_or(|until| until <= job.arrives));
                busy_until = busy_until.max(Some(end));
                ends.push(end);
            }
        }
        // Otherwise it loses its room only after a turn, and they have no turns at the same time.
        let whole = ends.into_iter().max().unwrap_or_default();
        bound += whole.as_secs() / RULES.turn.as_secs();
        prop_assert!(world.loads() <= bound, "{} loads, {bound} allowed in {whole:?}", world.loads());
    }

    #[test]
    fn no_job_starves((devices, programs, jobs, _) in case(false)) {
        let too_large: Vec<bool> = {
            let needs = programs.iter().map(|program| program.needs.clone()).collect();
            let scheduler = Scheduler::new(devices.clone(), needs, RULES);
            (0..programs.len()).map(|id| scheduler.too_large(id).is_some()).collect()
        };
        // While a job is the oldest, every other program has at most one more turn.
        let round = programs.len() as u64
            * (2 * RULES.turn.as_secs() + LONGEST_JOB + LONGEST_LOAD + LONGEST_STOP + 1);
        let mut world = World::new(devices, programs, jobs.clone(), &[], RULES);
        world.run();
        for (id, job) in jobs.iter().enumerate() {
            match world.fates[&id] {
                Fate::Refused => prop_assert!(too_large[job.program]),
                Fate::Made { waited } => {
                    let older = jobs.iter().filter(|other| other.arrives <= job.arrives).count();
                    prop_assert!(waited <= seconds(round * older as u64), "job {id} waited {waited:?}");
                }
                fate => prop_assert!(false, "job {id}: {fate:?}"),
            }
        }
    }
}
