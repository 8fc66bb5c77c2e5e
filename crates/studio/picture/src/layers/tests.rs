use super::*;

const PROMPTS: [&str; 6] = [
    "three boats on a lake below a mountain at sunrise, photo",
    "a lighthouse on a cliff at dusk in the rain, photo",
    "a city street at night in the rain, photo",
    "a bowl of oranges on a table, photo",
    "two fish and a whale underwater, photo",
    "a deer in a snowy forest, falling snow, photo",
];

fn flat(scene: &Layered) -> Vec<[u8; 4]> {
    scene.scene.painting.paint(scene.frame).pixels
}

#[test]
fn layers_laid_over_each_other_are_the_flat_painting() {
    for prompt in PROMPTS {
        let scene = Layered::new(prompt, 3, 0, 160, 120);
        let mut composite = Composite::new(160, 120);
        for layer in scene.layers(0, 0.0) {
            composite.lay(&layer, 0, 0);
        }
        let (mut sum, mut worst) = (0.0, 0);
        for (a, b) in composite.rgb.iter().zip(flat(&scene)) {
            for c in 0..3 {
                let difference = a[c].abs_diff(b[c]);
                sum += f32::from(difference);
                worst = worst.max(difference);
            }
        }
        let mean = sum / (160.0 * 120.0 * 3.0);
        println!("{prompt}: mean {mean}, worst {worst}");
        assert!(mean < 1.0, "{prompt}: {mean} of 255 on average");
    }
}

#[test]
fn a_margin_moves_nothing_within_the_frame_and_is_filled_by_the_world() {
    for prompt in PROMPTS {
        let scene = Layered::new(prompt, 3, 0, 160, 120);
        let wide = scene.layers(24, 0.0);
        // The frame 20 pixels further to the left and up is opaque everywhere.
        let mut covered = vec![0.0_f32; 160 * 120];
        for layer in &wide {
            for (i, p) in layer.rgba.iter().enumerate() {
                let x = layer.left + (i % layer.width) as i32 + 20;
                let y = layer.top + (i / layer.width) as i32 + 20;
                if (0..160).contains(&x) && (0..120).contains(&y) {
                    let at = &mut covered[y as usize * 160 + x as usize];
                    *at += (1.0 - *at) * f32::from(p[3]) / 255.0;
                }
            }
        }
        let bare = covered.iter().filter(|a| **a < 0.99).count();
        assert_eq!(bare, 0, "{prompt}: {bare} pixels without anything");
        let (mut near, mut far) = (Composite::new(160, 120), Composite::new(160, 120));
        for layer in &wide {
            near.lay(layer, 0, 0);
        }
        for layer in scene.layers(0, 0.0) {
            far.lay(&layer, 0, 0);
        }
        let differ = near
            .rgb
            .iter()
            .zip(&far.rgb)
            .filter(|(a, b)| (0..3).any(|c| a[c].abs_diff(b[c]) > 12))
            .count();
        assert!(differ < 160 * 120 / 50, "{prompt}: {differ} pixels");
    }
}

#[test]
fn subjects_are_layers_with_names_and_stand_on_something() {
    let scene = Layered::new(PROMPTS[0], 3, 0, 160, 120);
    let layers = scene.layers(0, 0.0);
    let boats: Vec<&Layer> = layers
        .iter()
        .filter(|l| l.kind == LayerKind::Subject && l.name.as_deref() == Some("boat"))
        .collect();
    assert_eq!(boats.len(), 3);
    let horizon = scene.horizon().expect("a horizon");
    for boat in boats {
        let (x, y) = boat.contact.expect("it floats");
        assert!(y > horizon && y <= 120.0, "{y} below {horizon}");
        let right = boat.left + boat.width as i32;
        assert!(f64::from(x) > f64::from(boat.left) && f64::from(x) < f64::from(right));
        assert!((boat.depth - (1.0 - (y - horizon) / (120.0 - horizon))).abs() < 1e-3);
    }
    let reflections = layers.iter().filter(|l| l.kind == LayerKind::Reflection).count();
    assert_eq!(reflections, 3);
    assert!(
        layers
            .windows(2)
            .any(|l| l[0].kind == LayerKind::Sky && l[1].kind == LayerKind::Clouds)
    );
    assert_eq!(scene.light().time, "dawn");
}

#[test]
fn clouds_and_water_live_and_the_rest_stands_still() {
    let scene = Layered::new(PROMPTS[0], 3, 0, 160, 120);
    let (first, later) = (scene.layers(8, 0.0), scene.layers(8, 1.5));
    assert_eq!(first.len(), later.len());
    for (a, b) in first.iter().zip(&later) {
        let same = a.rgba == b.rgba;
        assert_eq!(same, !a.kind.is_alive(), "{:?} {:?}", a.kind, a.name);
    }
    let alive = scene.alive(&first, 8, 1.5);
    let again: Vec<&Layer> = later.iter().filter(|l| l.kind.is_alive()).collect();
    assert_eq!(alive.len(), again.len());
    for (a, b) in alive.iter().zip(again) {
        assert_eq!(a.rgba, b.rgba);
    }
}

#[test]
fn a_still_of_layers_is_the_picture_that_is_drawn() {
    let prompt = "a house by a lake at sunset, watercolor";
    let still = Layered::new(prompt, 5, 1, 128, 96).still();
    let drawn = super::super::render(prompt, 5, 1, 128, 96);
    let sum: f32 = still
        .rgb
        .iter()
        .zip(&drawn.rgb)
        .map(|(a, b)| f32::from(a.abs_diff(*b)))
        .sum();
    let mean = sum / drawn.rgb.len() as f32;
    assert!(mean < 2.0, "{mean} of 255 on average");
    assert_eq!(still.metadata["placed"], drawn.metadata["placed"]);
}
