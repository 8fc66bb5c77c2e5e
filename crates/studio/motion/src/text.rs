//! Text to video: shots of composed scenes with a moving camera.

use std::collections::VecDeque;

use atelier_film::Picture;
use serde_json::{Map, Value, json};

use super::finish::{Finish, is_restless};
use super::guests::{Footage, Guests};
use super::order::HEARD;
use super::path::{self, Ground};
use super::script::{self, Camera, Look, Shot};
use super::sound::{Heard, Track};
use super::stage::card::Pixel;
use super::stage::moment::Moment;
use super::stage::view::View;
use super::stage::world::{Casting, World};
use super::{About, Film, Form, Order};
use atelier_picture::chance::hash;
use atelier_picture::light::{Time, Weather};
use atelier_picture::prompt::Prompt;
use atelier_picture::style::Style;
use atelier_protocol::{Error, Request, Response};
use atelier_retouch::encode::SourceType;

/// The painted margin of a scene, in units: the world ends a little further out.
const AROUND: f32 = 0.275;
/// The largest number of pixels of a scene's frame.
const MOST_PIXELS: f32 = 3_600_000.0;
/// How much faster clouds and the sun move in a time-lapse.
const LAPSE: f32 = 14.0;

/// Makes a film of a prompt and of its references.
pub(super) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let order = Order::read(request, None)?;
    let guests = Guests::read(request, &order.prompt, progress)?;
    let mut shots = script::read(&guests.prompt);
    direct(request, &mut shots)?;
    let sound = Track::of(&order, &guests);
    let about = About {
        prompt: &order.prompt,
        source: if guests.given == 0 {
            SourceType::Algorithmic
        } else {
            SourceType::CompositeSynthetic
        },
    };
    let form = Form {
        width: order.width,
        height: order.height,
        rate: order.rate,
        frames: order.frames,
    };
    let mut film = Film::create(&request.out, form, sound.setting(), about, 0.05, progress)?.checked(request);
    let starts = starts(&order, shots.len() as u64, &guests);
    let mut told = Vec::new();
    let mut heard = Vec::new();
    for (number, span) in starts.windows(2).enumerate() {
        let mut set = Set::new(&order, &shots, number, (span[0], span[1]), &guests);
        for frame in 0..set.frames {
            let pixels = set.frame(frame);
            film.frame(Picture::Rgbx(pixels.as_flattened()))?;
        }
        told.push(set.told(&shots[number]));
        heard.push(set.heard());
    }
    let sounds = sound.write(&order, &guests, &heard, &mut film)?;
    let mut metadata = Map::new();
    metadata.insert("seed".into(), json!(order.seed));
    metadata.insert("shots".into(), Value::Array(told));
    metadata.insert("sound".into(), sounds);
    if guests.given > 0 {
        metadata.insert("references".into(), guests.told());
    }
    if !guests.notes.is_empty() {
        metadata.insert("not_done".into(), json!(guests.notes));
    }
    film.finish(request, &HEARD, metadata)
}

/// Passes the fields of a request on to the camera and moving things.
fn direct(request: &Request, shots: &mut [Shot]) -> Result<(), Error> {
    if let Some(name) = request.params.get("camera_motion").and_then(Value::as_str) {
        let mut camera = Camera::named(name)
            .ok_or_else(|| Error::InvalidInput(format!("unknown `camera_motion` {name:?}")))?;
        let speed = super::order::number(request, "camera_speed", (0.05, 10.0))?;
        camera.speed = speed.unwrap_or(1.0) as f32;
        for shot in &mut *shots {
            if shot.camera.moves.is_empty() {
                shot.camera = camera.clone();
            }
        }
    }
    if let Some(amount) = super::order::number(request, "motion_bucket_id", (1.0, 255.0))? {
        for shot in shots {
            shot.doing.pace *= (amount / 127.0).sqrt() as f32;
            shot.camera.speed *= (amount / 127.0).sqrt() as f32;
        }
    }
    Ok(())
}

/// The first frames of the shots, and the end: equal parts, or the cuts of a reference video, or the nearest beats.
fn starts(order: &Order, shots: u64, guests: &Guests) -> Vec<u64> {
    let seconds = order.seconds() as f32;
    let frame = |time: f32| (f64::from(time / seconds) * order.frames as f64).round() as u64;
    let cuts: Vec<f32> = guests.footage.as_ref().map_or(Vec::new(), |footage| {
        let longer = seconds / footage.seconds().max(0.1);
        footage.cuts.iter().map(|cut| cut * longer).collect()
    });
    let mut starts = vec![0];
    for shot in 1..shots {
        let even = seconds * shot as f32 / shots as f32;
        let near = 0.45 * seconds / shots as f32;
        let nearest = |times: &[f32]| {
            let beside = times.iter().copied().filter(|time| (time - even).abs() < near);
            beside.min_by(|a, b| (a - even).abs().total_cmp(&(b - even).abs()))
        };
        let at = nearest(&cuts).or_else(|| nearest(&guests.beats)).unwrap_or(even);
        starts.push(frame(at));
    }
    starts.push(order.frames);
    starts
}

/// One shot, ready to be filmed.
struct Set<'a> {
    shot: &'a Shot,
    prompt: Prompt,
    guests: &'a Guests,
    /// When the shot begins in the film, in seconds, and the length of the film.
    begins: f32,
    whole: f32,
    style: Style,
    finish: Finish,
    seed: u64,
    frames: u64,
    seconds: f32,
    size: (usize, usize),
    scene: (usize, usize),
    margin: usize,
    lead: Option<String>,
    /// The worlds of the current light, and the number of the first.
    worlds: VecDeque<World>,
    first: usize,
    strokes: Vec<f32>,
    spare: Vec<Pixel>,
    /// The metadata of the first world.
    opening: Vec<String>,
}

impl<'a> Set<'a> {
    fn new(
        order: &Order,
        shots: &'a [Shot],
        number: usize,
        (from, to): (u64, u64),
        guests: &'a Guests,
    ) -> Self {
        let shot = &shots[number];
        let frames = to - from;
        let mut prompt = with_negative(&shot.scene, &order.negative);
        if number > 0 {
            // Later shots continue in the style, the light and the season of the first.
            let first = Prompt::read(&shots[0].scene);
            prompt.style = prompt.style.or(first.style);
            prompt.palette = prompt.palette.or(first.palette);
            prompt.season = prompt.season.or(first.season);
            prompt.time = prompt.time.or(first.time);
        }
        let size = (order.width as usize, order.height as usize);
        let mut finish = Finish::new(prompt.style, &prompt, size, shot.looks.len() < 2);
        finish.palette = guests.footage.as_ref().map(|footage| footage.palette);
        let style = prompt.style.unwrap_or(Style::Photo);
        let lent = guests.footage.as_ref().is_some_and(Footage::moves) && shot.camera.moves.is_empty();
        let closer = path::closest(&shot.camera).max(if lent { 1.2 } else { 1.0 });
        // Memory is bounded: the largest films are painted a little smaller than they are shown.
        let closer = closer.min((MOST_PIXELS / (size.0 * size.1) as f32).sqrt());
        let scene = (
            (size.0 as f32 * closer) as usize,
            (size.1 as f32 * closer) as usize,
        );
        let seconds = order.rate.time_of(frames) as f32;
        let seed = order.seed.wrapping_add(0x51_7c * number as u64);
        let mut time = 0.7 + (hash(1, 0, seed as u32) & 255) as f32 / 255.0;
        let mut strokes = Vec::new();
        while time < seconds - 0.3 {
            strokes.push(time);
            time += 2.3 + 1.8 * (hash(strokes.len() as i32, 2, seed as u32) & 255) as f32 / 255.0;
        }
        Self {
            shot,
            lead: prompt.mentions.first().map(|mention| mention.name().to_owned()),
            prompt,
            guests,
            begins: order.rate.time_of(from) as f32,
            whole: order.seconds() as f32,
            style,
            finish,
            seed,
            frames,
            seconds,
            size,
            margin: (AROUND * ((scene.0 * scene.1) as f32).sqrt()) as usize,
            scene,
            worlds: VecDeque::new(),
            first: 0,
            strokes,
            spare: Vec::new(),
            opening: Vec::new(),
        }
    }

    /// Worlds of two consecutive states; painted when they are needed.
    fn prepare(&mut self, state: usize) {
        let states = self.shot.looks.len().max(1);
        while self.first < state {
            self.worlds.pop_front();
            self.first += 1;
        }
        while self.worlds.len() < (states - self.first).min(2) {
            let look = self.shot.looks.get(self.first + self.worlds.len());
            let world = self.world(look.copied().unwrap_or_default());
            if self.opening.is_empty() {
                self.opening = world.facts();
            }
            self.worlds.push_back(world);
        }
    }

    fn world(&self, look: Look) -> World {
        let mut prompt = self.prompt.clone();
        prompt.time = look.time.or(prompt.time);
        prompt.weather = look.weather.or(prompt.weather);
        prompt.season = look.season.or(prompt.season);
        let follows = self.shot.camera.moves.contains(&script::Move::Follow);
        let mut world = World::new(
            prompt,
            self.guests.sprites.clone(),
            Casting {
                style: self.style,
                ids: self.finish.wants_ids() || is_restless(self.style),
                seed: self.seed,
                size: self.scene,
                margin: self.margin,
                seconds: self.seconds,
                doing: &self.shot.doing,
                followed: self.lead.as_deref().filter(|_| follows),
            },
        );
        if is_restless(self.style) {
            world.paint(self.style, self.margin);
        }
        world
    }

    /// Returns the view of the camera at a time from 0 to 1.
    fn view(&self, world: &World, t: f32) -> View {
        let lead = self.lead.as_deref().and_then(|name| world.lead(name));
        let ground = Ground {
            frame: (self.size.0 as f32, self.size.1 as f32),
            scene: (self.scene.0 as f32, self.scene.1 as f32),
            margin: self.margin as f32,
            horizon: world.horizon(),
            lead: lead.map(|lead| (lead.middle(), lead.near)),
            seconds: self.seconds,
            heading: lead.map_or(1.0, |lead| lead.heading),
        };
        let camera = &self.shot.camera;
        let time = self.begins + t * self.seconds;
        let lent = self.guests.footage.as_ref().filter(|footage| footage.moves());
        let mut view = match lent {
            Some(footage) if camera.moves.is_empty() && !camera.still => {
                path::after(footage, camera, &ground, time / self.whole.max(0.1))
            }
            _ => path::view(camera, &ground, t),
        };
        // On a beat the camera moves a little closer, and back.
        let beats = &self.guests.beats;
        if let Some(beat) = beats.iter().rev().find(|beat| **beat <= time) {
            let since = 12.0 * (time - beat);
            view.scale /= 1.0 + 0.022 * since * (1.0 - since).exp();
        }
        view
    }

    fn frame(&mut self, frame: u64) -> &[Pixel] {
        let t = frame as f32 / self.frames.max(2).saturating_sub(1) as f32;
        let time = t * self.seconds;
        let changes = self.shot.looks.len().saturating_sub(1);
        let way = (0.4 * t + 0.6 * t * t * (3.0 - 2.0 * t)) * changes as f32;
        let state = (way as usize).min(changes.saturating_sub(1));
        self.prepare(state);
        let part = way - state as f32;
        let part = 0.75 * part + 0.25 * part * part * (3.0 - 2.0 * part);
        let mut pixels = std::mem::take(&mut self.spare);
        pixels.resize(self.size.0 * self.size.1, [0; 4]);
        let draw = |number: usize, pixels: &mut [Pixel]| {
            let world = &self.worlds[number];
            world.draw(
                pixels,
                &self.view(&self.worlds[0], t),
                self.moment(number, time, part),
            );
        };
        if part <= 0.002 || self.worlds.len() < 2 {
            draw(0, &mut pixels);
        } else if part >= 0.998 {
            draw(1, &mut pixels);
        } else {
            draw(0, &mut pixels);
            let mut other = vec![[0; 4]; pixels.len()];
            draw(1, &mut other);
            super::blend(&mut pixels, &other, part);
        }
        let last = self.worlds.len() - 1;
        let world = &self.worlds[if part > 0.5 { last.min(1) } else { 0 }];
        self.spare = self.finish.frame(pixels, world.scene());
        &self.spare
    }

    fn moment(&self, number: usize, time: f32, part: f32) -> Moment {
        let world = &self.worlds[number];
        let lapse = self.shot.camera.lapse;
        let moving = lapse || self.shot.looks.len() > 1;
        let disc = world.scene().disc.filter(|disc| disc.shown || moving);
        let course = disc.map(|disc| {
            // At dusk the sun is gone.
            let height = |world: &World| match world.light().time {
                Time::Dusk => -0.06,
                _ => world.light().disc.1,
            };
            let own = height(world);
            let other = self
                .worlds
                .get(1 - number.min(1))
                .filter(|_| self.worlds.len() > 1);
            let along = if number == 0 { part } else { 1.0 - part };
            let course = match other.and_then(|other| other.scene().disc.map(|disc| (disc, height(other)))) {
                Some((other, height)) if other.phase.is_some() == disc.phase.is_some() => {
                    own + (height - own) * along
                }
                Some(_) => own + (-0.16 - own) * (1.5 * along).min(1.0),
                None => own,
            };
            let side = if course > 0.3 { 0.02 } else { -0.02 };
            if lapse && self.shot.looks.len() < 2 {
                course + side * 4.0 * (time / self.seconds - 0.5)
            } else {
                course
            }
        });
        let storm = world.light().weather == Weather::Storm;
        let stroke = self
            .strokes
            .iter()
            .rposition(|stroke| *stroke <= time)
            .filter(|_| storm);
        let flash = stroke.map_or(0.0, |stroke| {
            let since = time - self.strokes[stroke];
            let again = (since - 0.2).max(0.0);
            ((-9.0 * since).exp()
                + if since > 0.2 {
                    0.6 * (-9.0 * again).exp()
                } else {
                    0.0
                })
            .min(1.0)
        });
        Moment {
            time,
            slow: if lapse { LAPSE * time } else { time },
            amount: 1.0,
            course,
            flash: if flash < 0.02 { 0.0 } else { flash },
            stroke: stroke.map_or(0, |stroke| stroke as i32),
        }
    }

    /// The sounds of this shot.
    fn heard(&self) -> Heard {
        let facts = |world: Option<&World>| world.map_or(Vec::new(), World::facts);
        let storm = self
            .worlds
            .iter()
            .any(|world| world.light().weather == Weather::Storm);
        Heard {
            seconds: self.seconds,
            before: self.opening.clone(),
            after: facts(self.worlds.back()),
            thunder: if storm { self.strokes.clone() } else { Vec::new() },
            seed: self.seed,
        }
    }

    fn told(&self, shot: &Shot) -> Value {
        let world = self.worlds.back();
        let mut told = world.map(|world| world.layered.metadata()).unwrap_or_default();
        let camera: Vec<&str> = shot.camera.moves.iter().map(|way| way.name()).collect();
        told.insert("camera".into(), json!(camera));
        let storm = self
            .worlds
            .iter()
            .any(|world| world.light().weather == Weather::Storm);
        if storm {
            told.insert("lightning".into(), json!(self.strokes));
        }
        told.insert("frames".into(), json!(self.frames));
        Value::Object(told)
    }
}

/// A scene without what must not be visible.
fn with_negative(scene: &str, negative: &str) -> Prompt {
    let mut text = scene.to_owned();
    for part in negative
        .split([',', ';', '.'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        text.push_str(", no ");
        text.push_str(part);
    }
    Prompt::read(&text)
}
