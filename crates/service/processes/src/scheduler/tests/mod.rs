mod promises;
mod simulation;

use simulation::{Behaviour, Fate, SimulatedJob, World, seconds};

use super::*;

const GIB: u64 = 1 << 30;

fn gpu(gib: u64) -> Vec<Device> {
    vec![Device {
        name: "gpu".to_owned(),
        budget: gib * GIB,
    }]
}

/// A program on the first device that loads in 20 s and stops in 1 s.
fn program(gib: u64) -> Behaviour {
    Behaviour {
        needs: Needs {
            memory: vec![(0, gib * GIB)],
            jobs: 1,
            alone: true,
            idle: None,
        },
        load: seconds(20),
        stop: seconds(1),
        failed_loads: Vec::new(),
    }
}

fn job(program: ProgramId, arrives: u64, takes: u64) -> SimulatedJob {
    SimulatedJob {
        program,
        arrives: seconds(arrives),
        takes: seconds(takes),
        patient: true,
        cancelled: None,
        crashes: false,
    }
}

fn run(devices: Vec<Device>, programs: Vec<Behaviour>, jobs: Vec<SimulatedJob>) -> World {
    let mut world = World::new(devices, programs, jobs, &[], Rules::default());
    world.run();
    world
}

#[test]
fn programs_that_fit_together_are_loaded_once() {
    let jobs = (0..200).map(|at| job(at % 2, at as u64, 1)).collect();
    let world = run(gpu(24), vec![program(12), program(12)], jobs);
    assert_eq!(world.loads(), 2);
    assert!(world.fates.values().all(|fate| matches!(fate, Fate::Made { .. })));
}

#[test]
fn two_programs_that_do_not_fit_together_take_turns_of_a_minute_instead_of_loading_for_every_job() {
    // 200 jobs of a second, alternating: the best order loads twice.
    let jobs = (0..200).map(|at| job(at % 2, 0, 1)).collect();
    let world = run(gpu(16), vec![program(12), program(12)], jobs);
    assert_eq!(world.loads(), 4);
    let all = seconds(200 + 4 * 20 + 4);
    assert!(
        world.longest_wait(|_| true) <= all,
        "{:?}",
        world.longest_wait(|_| true)
    );
}

#[test]
fn a_single_job_gets_its_turn_although_another_program_always_has_jobs() {
    let mut jobs: Vec<_> = (0..2_000).map(|at| job(0, at, 1)).collect();
    jobs.push(job(1, 100, 1));
    let world = run(gpu(16), vec![program(12), program(12)], jobs);
    // A turn, the running job, the stop and the load.
    assert!(world.longest_wait(|job| job.program == 1) <= seconds(60 + 1 + 1 + 20));
    assert_eq!(world.loads(), 3);
}

#[test]
fn three_programs_with_endless_jobs_are_served_in_turn() {
    let jobs = (0..6_000).map(|at| job(at % 3, at as u64 / 3, 1)).collect();
    let mut programs = vec![program(12), program(12), program(12)];
    for program in &mut programs {
        program.needs.jobs = 4;
    }
    let world = run(gpu(16), programs, jobs);
    let round = 3 * (60 + 20 + 1 + 1);
    assert!(
        world.longest_wait(|_| true) <= seconds(2 * round),
        "{:?}",
        world.longest_wait(|_| true)
    );
    // 2,000 s, and what is left then, in turns of 60 s.
    assert!(world.loads() <= 60, "{}", world.loads());
}

#[test]
fn the_least_recently_used_idle_program_makes_room() {
    let programs = vec![program(8), program(8), program(8)];
    let mut world = World::new(
        gpu(16),
        programs,
        vec![job(0, 0, 1), job(1, 30, 1), job(0, 60, 1), job(2, 100, 1)],
        &[],
        Rules::default(),
    );
    world.run();
    // Program 1 left: program 0 was used later.
    assert_eq!(world.loads(), 3);
    let jobs = vec![
        job(0, 0, 1),
        job(1, 30, 1),
        job(0, 60, 1),
        job(2, 100, 1),
        job(0, 200, 1),
    ];
    assert_eq!(
        run(gpu(16), vec![program(8), program(8), program(8)], jobs).loads(),
        3
    );
    let jobs = vec![
        job(0, 0, 1),
        job(1, 30, 1),
        job(0, 60, 1),
        job(2, 100, 1),
        job(1, 200, 1),
    ];
    assert_eq!(
        run(gpu(16), vec![program(8), program(8), program(8)], jobs).loads(),
        4
    );
}

#[test]
fn a_program_larger_than_its_device_is_refused_with_the_reason() {
    let scheduler = |gib| Scheduler::new(gpu(16), vec![program(gib).needs], Rules::default());
    assert_eq!(scheduler(16).too_large(0), None);
    let why = scheduler(17).too_large(0).map(|why| why.to_string());
    let expected = "it requires 17408 MiB on the device `gpu`, which has 16384 MiB";
    assert_eq!(why.as_deref(), Some(expected));
    let arrived = Event::Arrived {
        job: 1,
        program: 0,
        patient: true,
    };
    let actions = scheduler(17).handle(seconds(1), arrived);
    let [Action::Refuse(1, why)] = &actions[..] else {
        panic!("{actions:?}")
    };
    assert_eq!(why.to_string(), expected);
}

#[test]
fn a_pinned_program_is_loaded_stays_and_is_counted_against_others() {
    let needs = vec![
        Needs {
            idle: Some(seconds(10)),
            ..program(10).needs
        },
        program(10).needs,
        program(6).needs,
    ];
    let mut scheduler = Scheduler::new(gpu(16), needs, Rules::default());
    let pin = |pinned| Event::Pin { program: 0, pinned };
    assert_eq!(scheduler.handle(seconds(1), pin(true)), [Action::Start(0)]);
    assert_eq!(scheduler.handle(seconds(2), Event::Loaded(0)), []);
    assert_eq!(scheduler.handle(seconds(1_000), Event::Tick), []);
    let arrived = |job, program| Event::Arrived {
        job,
        program,
        patient: true,
    };
    let actions = scheduler.handle(seconds(1_001), arrived(1, 1));
    let [Action::Refuse(1, why)] = &actions[..] else {
        panic!("{actions:?}")
    };
    let expected = "it requires 10240 MiB on the device `gpu`, which has 6144 MiB beside pinned programs";
    assert_eq!(why.to_string(), expected);
    assert_eq!(
        scheduler.handle(seconds(1_002), arrived(2, 2)),
        [Action::Start(2)]
    );
    assert_eq!(
        scheduler.handle(seconds(1_003), pin(false)),
        [Action::Stop(0)],
        "it was idle for long"
    );
}

#[test]
fn an_unloaded_program_ends_its_running_job_first() {
    let mut scheduler = Scheduler::new(gpu(16), vec![program(8).needs], Rules::default());
    assert_eq!(scheduler.handle(seconds(1), Event::Load(0)), [Action::Start(0)]);
    scheduler.handle(seconds(2), Event::Loaded(0));
    let arrived = Event::Arrived {
        job: 7,
        program: 0,
        patient: true,
    };
    assert_eq!(scheduler.handle(seconds(3), arrived), [Action::Run(7)]);
    assert_eq!(scheduler.handle(seconds(4), Event::Unload(0)), []);
    assert_eq!(scheduler.residence(0), Residence::Draining);
    let left = Event::Left { job: 7, made: true };
    assert_eq!(scheduler.handle(seconds(5), left), [Action::Stop(0)]);
    assert_eq!(scheduler.handle(seconds(6), Event::Ended(0)), []);
    assert_eq!(
        (scheduler.residence(0), scheduler.held(0)),
        (Residence::Absent, 0)
    );
}

#[test]
fn another_version_of_a_program_is_started_for_waiting_jobs_when_the_running_one_has_ended() {
    let mut scheduler = Scheduler::new(gpu(16), vec![program(8).needs], Rules::default());
    let arrived = |job| Event::Arrived {
        job,
        program: 0,
        patient: true,
    };
    assert_eq!(scheduler.handle(seconds(1), arrived(1)), [Action::Start(0)]);
    assert_eq!(scheduler.handle(seconds(2), Event::Loaded(0)), [Action::Run(1)]);
    assert_eq!(scheduler.handle(seconds(3), arrived(2)), []);
    scheduler.set_needs(0, program(12).needs);
    assert_eq!(scheduler.handle(seconds(4), Event::Renew(0)), []);
    let left = Event::Left { job: 1, made: true };
    assert_eq!(scheduler.handle(seconds(5), left), [Action::Stop(0)]);
    assert_eq!(scheduler.held(0), 8 * GIB, "what the earlier version holds");
    assert_eq!(
        scheduler.handle(seconds(6), Event::Ended(0)),
        [Action::Start(0)],
        "without a delay: it has not failed"
    );
    assert_eq!(scheduler.held(0), 12 * GIB);
    assert_eq!(scheduler.handle(seconds(7), Event::Loaded(0)), [Action::Run(2)]);
}

#[test]
fn a_program_that_fails_is_started_again_after_delays_that_double() {
    let mut scheduler = Scheduler::new(gpu(16), vec![program(8).needs], Rules::default());
    let mut now = seconds(100);
    for (job, expected) in [1, 2, 4, 8, 16, 32, 60, 60].into_iter().enumerate() {
        let arrived = |job, patient| Event::Arrived {
            job,
            program: 0,
            patient,
        };
        let mut actions = scheduler.handle(now, arrived(job as u64, true));
        if actions.is_empty() {
            now = scheduler.next_wake().unwrap();
            actions = scheduler.handle(now, Event::Tick);
        }
        assert_eq!(actions, [Action::Start(0)]);
        let refused = Action::Refuse(job as u64, Refusal::NotLoaded);
        assert_eq!(scheduler.handle(now, Event::Ended(0)), [refused]);
        let impatient = scheduler.handle(now, arrived(1_000, false));
        assert_eq!(impatient, [Action::Refuse(1_000, Refusal::Recovering)]);
        assert_eq!(scheduler.handle(now, arrived(1_001, true)), []);
        assert_eq!(scheduler.next_wake(), Some(now + seconds(expected)));
        scheduler.handle(
            now,
            Event::Left {
                job: 1_001,
                made: false,
            },
        );
    }
    assert_eq!(scheduler.counts(0).failures, 8);
}

#[test]
fn a_job_that_is_made_ends_the_row_of_failures() {
    let mut scheduler = Scheduler::new(gpu(16), vec![program(8).needs], Rules::default());
    let arrived = |job| Event::Arrived {
        job,
        program: 0,
        patient: true,
    };
    scheduler.handle(seconds(1), arrived(1));
    scheduler.handle(seconds(1), Event::Ended(0));
    scheduler.handle(seconds(10), arrived(2));
    scheduler.handle(seconds(11), Event::Loaded(0));
    scheduler.handle(seconds(12), Event::Left { job: 2, made: true });
    scheduler.handle(seconds(13), Event::Ended(0));
    assert_eq!(scheduler.handle(seconds(13), arrived(3)), []);
    assert_eq!(scheduler.next_wake(), Some(seconds(14)));
}
