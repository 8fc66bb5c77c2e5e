//! Films whose subject is known: each frame is drawn with the subject in white and in black, and the difference is
//! its coverage.

use rayon::prelude::*;

use super::super::{Notes, Order};
use super::Behind;
use crate::finish::Finish;
use crate::path::{self, Ground};
use crate::script::{self, Move};
use crate::stage::moment::Moment;
use crate::stage::world::{Casting, World};
use atelier_picture::draw::LayerKind;
use atelier_picture::prompt::Prompt;
use atelier_picture::style::Style;
use atelier_retouch::Plane;
use atelier_retouch::canvas::{Canvas, Frame};

/// Frames, and the coverage of the subject in each.
fn film(
    prompt: &str,
    subject: &str,
    (width, height): (usize, usize),
    frames: usize,
    rate: f32,
) -> Vec<(Canvas, Plane)> {
    let shot = &script::read(prompt)[0];
    let prompt = Prompt::read(&shot.scene);
    let closer = path::closest(&shot.camera);
    let scene = (
        (width as f32 * closer) as usize,
        (height as f32 * closer) as usize,
    );
    let margin = (0.275 * ((scene.0 * scene.1) as f32).sqrt()) as usize;
    let seconds = frames as f32 / rate;
    let follows = shot.camera.moves.contains(&Move::Follow);
    let casting = Casting {
        style: Style::Photo,
        ids: false,
        seed: 7,
        size: scene,
        margin,
        seconds,
        doing: &shot.doing,
        followed: Some(subject).filter(|_| follows),
    };
    let mut world = World::new(prompt.clone(), Vec::new(), casting);
    let lead = world.lead(subject).expect("the subject is in the scene");
    let ground = Ground {
        frame: (width as f32, height as f32),
        scene: (scene.0 as f32, scene.1 as f32),
        margin: margin as f32,
        horizon: world.horizon(),
        lead: Some((lead.middle(), lead.near)),
        seconds,
        heading: lead.heading,
    };
    let mut finish = Finish::new(None, &prompt, (width, height), true);
    let draw = |world: &World, number: usize| {
        let t = number as f32 / (frames - 1) as f32;
        let moment = Moment {
            time: t * seconds,
            slow: t * seconds,
            amount: 1.0,
            course: world.scene().disc.map(|_| world.light().disc.1),
            flash: 0.0,
            stroke: 0,
        };
        let mut pixels = vec![[0; 4]; width * height];
        world.draw(&mut pixels, &path::view(&shot.camera, &ground, t), moment);
        pixels
    };
    let shown: Vec<Canvas> = (0..frames)
        .map(|number| {
            let pixels = finish.frame(draw(&world, number), world.scene());
            Canvas {
                frame: Frame::new(width, height),
                pixels,
            }
        })
        .collect();
    let mut paint = |value: u8| {
        for card in &mut world.cards {
            if card.kind == LayerKind::Subject && card.name == subject {
                card.rgba.par_iter_mut().for_each(|p| {
                    let v = value.min(p[3]);
                    *p = [v, v, v, p[3]];
                });
            }
        }
        (0..frames).map(|number| draw(&world, number)).collect::<Vec<_>>()
    };
    let (white, black) = (paint(255), paint(0));
    shown
        .into_iter()
        .zip(white.into_iter().zip(black))
        .map(|(canvas, (white, black))| {
            let cover = Plane::from_fn(width, height, |x, y| {
                let i = y * width + x;
                (f32::from(white[i][1]) - f32::from(black[i][1])).clamp(0.0, 255.0) / 255.0
            });
            (canvas, cover)
        })
        .collect()
}

/// Intersection over union.
fn overlap(a: &Plane, b: &Plane) -> f32 {
    let both = a.zip(b, |a, b| f32::from(u8::from(a > 0.5 && b > 0.5))).mean();
    let any = a.zip(b, |a, b| f32::from(u8::from(a > 0.5 || b > 0.5))).mean();
    if any > 0.0 { both / any } else { 1.0 }
}

/// How well the subject of such a film is found: the mean overlap, and the second-worst frame.
fn found(subject: &str, prompt: &str) -> (f32, f32) {
    let shown = film(prompt, subject, (160, 90), 12, 6.0);
    let mut behind = behind();
    let frames: Vec<(u64, Canvas)> = (0..)
        .zip(shown.iter().map(|(canvas, _)| canvas.clone()))
        .collect();
    behind.find(&frames);
    let mut overlaps: Vec<f32> = behind
        .seen
        .iter()
        .zip(&shown)
        .map(|(seen, (_, truth))| seen.mask.as_ref().map_or(0.0, |mask| overlap(mask, truth)))
        .collect();
    overlaps.sort_by(f32::total_cmp);
    let mean = overlaps.iter().sum::<f32>() / overlaps.len() as f32;
    println!("{subject}: {mean:.3}, {:.3}", overlaps[1]);
    (mean, overlaps[1])
}

fn behind() -> Behind {
    let order = Order::read("replace the background with a green screen");
    Behind::new(&order, None, Frame::new(160, 90), 1, &mut Notes::default())
        .unwrap()
        .unwrap()
}

#[test]
fn who_walks_is_told_from_a_beach() {
    let (mean, least) = found("woman", "a woman walks on a beach at golden hour, tilt up");
    assert!(mean > 0.85 && least > 0.8, "{mean} {least}");
}

#[test]
fn a_fox_is_told_from_the_snow_that_falls_about_it() {
    let (mean, least) = found("fox", "a fox walks through a snowy forest, falling snow");
    assert!(mean > 0.75 && least > 0.7, "{mean} {least}");
}

#[test]
fn a_horse_keeps_its_legs() {
    let (mean, least) = found("horse", "a horse gallops across a meadow");
    assert!(mean > 0.9 && least > 0.88, "{mean} {least}");
}

#[test]
fn a_balloon_is_told_from_the_mountains_behind_it() {
    let (mean, least) = found(
        "hot air balloon",
        "a hot air balloon over mountains at golden hour, crane up",
    );
    assert!(mean > 0.88 && least > 0.85, "{mean} {least}");
}

#[test]
fn a_car_that_the_camera_follows_is_told_from_its_road() {
    let (mean, least) = found(
        "car",
        "a red car drives along a road through hills, tracking shot",
    );
    assert!(mean > 0.72 && least > 0.69, "{mean} {least}");
}

#[test]
fn a_dog_is_told_from_a_field_that_the_camera_pans_over() {
    let (mean, least) = found("dog", "a dog runs across a field, pan right");
    assert!(mean > 0.85 && least > 0.8, "{mean} {least}");
}

#[test]
fn a_film_in_which_nothing_stands_out_is_left_as_it_is() {
    let frames: Vec<(u64, Canvas)> = (0..6)
        .map(|n| {
            let mut canvas = Canvas::new(Frame::new(64, 36));
            for (i, pixel) in canvas.pixels.iter_mut().enumerate() {
                let k = (i as u32 + 7_919 * n as u32).wrapping_mul(2_654_435_761) >> 29;
                let light = 120 + (i / 64) as u8 + k as u8;
                *pixel = [light, light, light, 1];
            }
            (n, canvas)
        })
        .collect();
    let mut behind = behind();
    behind.find(&frames);
    let mut canvas = frames[3].1.clone();
    behind.put(&mut canvas, 3);
    assert!(canvas.pixels == frames[3].1.pixels);
    let mut notes = Notes::default();
    behind.tell(&mut notes);
    assert!(
        notes.done.is_empty() && notes.not_done[0].contains("no subject"),
        "{notes:?}"
    );
}
