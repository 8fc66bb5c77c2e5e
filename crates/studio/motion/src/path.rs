//! The camera's path through a shot.

use super::guests::Footage;
use super::script::{Camera, Move};
use super::stage::act::wander;
use super::stage::view::View;

/// The facts about the scene that a path needs. Places are in the scene's pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground {
    /// The frame of the film and that of the scene, in their pixels.
    pub(crate) frame: (f32, f32),
    pub(crate) scene: (f32, f32),
    /// The margin of the painted scene.
    pub(crate) margin: f32,
    pub(crate) horizon: Option<f32>,
    /// The main subject: its centre, and its nearness.
    pub(crate) lead: Option<((f32, f32), f32)>,
    pub(crate) seconds: f32,
    /// To the right or to the left: the direction of the main subject.
    pub(crate) heading: f32,
}

/// How close the camera comes: what textures must be painted for.
pub(crate) fn closest(camera: &Camera) -> f32 {
    let zooms = camera
        .moves
        .iter()
        .any(|m| matches!(m, Move::ZoomIn | Move::ZoomOut));
    let comes = camera
        .moves
        .iter()
        .any(|m| matches!(m, Move::DollyIn | Move::DollyOut | Move::Fly));
    if zooms {
        1.3
    } else if comes {
        1.18
    } else {
        1.06
    }
}

/// The view at a time from 0 to 1 of the shot.
pub(crate) fn view(camera: &Camera, ground: &Ground, t: f32) -> View {
    let (width, height) = ground.frame;
    let (w, h) = ground.scene;
    let middle = (0.5 * w, 0.5 * h);
    let mut view = View {
        width,
        height,
        scale: w / width,
        middle,
        truck: (0.0, 0.0),
        forward: 0.0,
        vanish: (middle.0, ground.horizon.unwrap_or(0.0)),
        span: h - ground.horizon.unwrap_or(0.0),
    };
    // Nearly even, with a soft start and end.
    let smooth = t * t * (3.0 - 2.0 * t);
    let e = 0.5 * t + 0.5 * smooth;
    let c = 2.0 * e - 1.0;
    let strength = (camera.speed * (0.5 + 0.05 * ground.seconds)).min(1.0);
    let room = ground.margin * 0.96;
    let lead = ground.lead.map_or(middle, |(place, _)| place);
    let lead_near = ground.lead.map_or(0.3, |(_, near)| near.clamp(0.08, 0.9));
    let mut zoom = 1.0;
    let pan = strength * room / 1.3;
    let truck = strength * room;
    for moves in &camera.moves {
        match moves {
            Move::PanLeft | Move::PanRight => {
                let side = if *moves == Move::PanRight { 1.0 } else { -1.0 };
                view.middle.0 += side * pan * c;
                view.truck.0 -= side * 0.25 * pan * c;
            }
            Move::TiltUp | Move::TiltDown => {
                let up = if *moves == Move::TiltUp { 1.0 } else { -1.0 };
                view.middle.1 -= up * 0.8 * strength * room * c;
            }
            Move::TruckLeft | Move::TruckRight => {
                let side = if *moves == Move::TruckRight { 1.0 } else { -1.0 };
                view.truck.0 -= side * 0.85 * truck * c;
                view.middle.0 += side * 0.12 * truck * c;
            }
            Move::Follow => view.truck.0 -= ground.heading * truck * c,
            Move::OrbitLeft | Move::OrbitRight => {
                let side = if *moves == Move::OrbitRight { 1.0 } else { -1.0 };
                let far = 0.9 * truck * c / (1.0 + lead_near);
                view.truck.0 -= side * far;
                // Turned back, so that the subject stays in place.
                view.middle.0 -= side * far * lead_near;
                zoom *= 1.0 + 0.03 * (1.0 - c * c);
            }
            Move::CraneUp | Move::CraneDown => {
                let up = if *moves == Move::CraneUp { 1.0 } else { -1.0 };
                view.truck.1 += up * 0.24 * strength * view.span * c;
                view.middle.1 -= up * 0.22 * room * strength * c;
            }
            Move::ZoomIn | Move::ZoomOut => {
                let k = if *moves == Move::ZoomIn { e } else { 1.0 - e };
                let most = 1.0 + 0.55 * strength;
                zoom *= most.powf(k);
            }
            Move::DollyIn | Move::DollyOut => {
                let k = if *moves == Move::DollyIn { e } else { 1.0 - e };
                approach(&mut view, &mut zoom, ground, 0.5 * strength * k);
            }
            Move::Fly => {
                approach(&mut view, &mut zoom, ground, 0.55 * strength * e);
                view.truck.1 += 0.14 * view.span * c;
            }
        }
    }
    let breathes = camera.moves.is_empty() && !camera.still;
    if breathes {
        // Without instructions: slowly closer, and a little to the side.
        approach(&mut view, &mut zoom, ground, 0.13 * e);
        view.truck.0 -= ground.heading * 0.07 * room * c;
    }
    if camera.hand {
        let time = t * ground.seconds;
        let far = 0.008 * w;
        view.middle.0 += far * wander(0.55 * time, 0.3);
        view.middle.1 += 0.8 * far * wander(0.62 * time, 2.1);
        zoom *= 1.035 + 0.006 * wander(0.3 * time, 4.0);
    }
    if zoom > 1.0 {
        // Closer to the subject, but never beyond the frame at rest.
        let free = 1.0 - 1.0 / zoom;
        let toward = |lead: f32, middle: f32, size: f32| {
            (lead - middle).clamp(-0.5 * size * free, 0.5 * size * free) * 0.9
        };
        view.middle.0 += toward(lead.0, middle.0, w);
        view.middle.1 += toward(lead.1, middle.1, h);
    }
    view.scale /= zoom;
    view
}

/// Forward on the ground; without ground, by zooming.
fn approach(view: &mut View, zoom: &mut f32, ground: &Ground, far: f32) {
    if ground.horizon.is_some() {
        view.forward += 0.62 * far;
        *zoom *= 1.0 + 0.22 * far;
    } else {
        *zoom *= 1.0 + 0.6 * far;
    }
}

/// The view of a camera that moves like that of a reference video, at a time from 0 to 1 of the whole film. If it
/// moves further than the scene is painted, the path is shortened.
pub(crate) fn after(footage: &Footage, camera: &Camera, ground: &Ground, t: f32) -> View {
    let still = Camera {
        still: true,
        ..camera.clone()
    };
    let mut view = view(&still, ground, t);
    let ((left, right), (up, down), (far, near)) = footage.extent();
    let room = 0.75 * ground.margin;
    let fit = |from: f32, to: f32| (room / (0.5 * (to - from) * ground.scene.0).max(1.0)).min(1.0);
    let (x, y, closer) = footage.at(t);
    let across = (x - f32::midpoint(left, right)) * fit(left, right) * ground.scene.0;
    let along = (y - f32::midpoint(up, down)) * fit(up, down) * ground.scene.0;
    view.middle.0 += across;
    view.middle.1 += along;
    view.truck.0 -= 0.25 * across;
    let most = 0.4_f32;
    view.scale /= ((closer - far) * (most / (near - far).max(most))).exp();
    view
}
