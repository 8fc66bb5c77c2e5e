use super::*;

const KEY: Key = Key([42; 32]);

/// A picture with flat, smooth and busy parts.
fn scene(width: usize, height: usize) -> (Vec<u8>, Shape) {
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as f32 / 255.0 - 0.5
    };
    let mut pixels = Vec::with_capacity(width * height * 3);
    for y in 0..height {
        for x in 0..width {
            let (u, v) = (x as f32 / width as f32, y as f32 / height as f32);
            let sky = 120.0 + 90.0 * v;
            let ground = 90.0 + 40.0 * (u * 31.0).sin() * (v * 23.0).cos() + 50.0 * noise();
            let light = if v < 0.5 + 0.1 * (u * 9.0).sin() {
                sky
            } else {
                ground
            };
            pixels.extend([light * 0.8, light, light * 0.9].map(|value| value.clamp(0.0, 255.0) as u8));
        }
    }
    (
        pixels,
        Shape {
            width,
            height,
            channels: 3,
        },
    )
}

fn cropped(
    pixels: &[u8],
    shape: Shape,
    left: usize,
    top: usize,
    width: usize,
    height: usize,
) -> (Vec<u8>, Shape) {
    let row = shape.width * shape.channels;
    let rows = pixels.chunks_exact(row).skip(top).take(height);
    let part = rows.flat_map(|row| &row[left * shape.channels..(left + width) * shape.channels]);
    (
        part.copied().collect(),
        Shape {
            width,
            height,
            ..shape
        },
    )
}

fn halved(pixels: &[u8], shape: Shape) -> (Vec<u8>, Shape) {
    let (width, height, channels) = (shape.width / 2, shape.height / 2, shape.channels);
    let at = |x: usize, y: usize, c: usize| u32::from(pixels[(y * shape.width + x) * channels + c]);
    let mut half = Vec::with_capacity(width * height * channels);
    for y in 0..height {
        for x in 0..width {
            for c in 0..channels {
                let (x, y) = (2 * x, 2 * y);
                let sum = at(x, y, c) + at(x + 1, y, c) + at(x, y + 1, c) + at(x + 1, y + 1, c);
                half.push((sum / 4) as u8);
            }
        }
    }
    (
        half,
        Shape {
            width,
            height,
            channels,
        },
    )
}

#[test]
fn a_marked_picture_tells_its_id_only_to_its_key() {
    let (mut pixels, shape) = scene(512, 384);
    let before = pixels.clone();
    let id = Id::new(0x0123_4567_89ab).unwrap();
    let embedded = embed(&mut pixels, shape, id, &KEY).unwrap();
    assert!(embedded.psnr >= 40.0, "{embedded:?}");
    let found = detect(&pixels, shape, &KEY).unwrap();
    assert_eq!(found.id, id);
    assert!((found.scale - 1.0).abs() < 0.002, "{found:?}");
    assert_eq!(detect(&pixels, shape, &Key([43; 32])), None);
    assert_eq!(detect(&before, shape, &KEY), None);
}

#[test]
fn a_mark_survives_a_crop_to_half_the_size() {
    let (mut pixels, shape) = scene(640, 480);
    let id = Id::new(77).unwrap();
    embed(&mut pixels, shape, id, &KEY).unwrap();
    let (part, shape) = cropped(&pixels, shape, 61, 37, 512, 384);
    let (part, shape) = halved(&part, shape);
    let found = detect(&part, shape, &KEY).unwrap();
    assert_eq!(found.id, id);
    assert!((found.scale - 0.5).abs() < 0.002, "{found:?}");
}

#[test]
fn a_picture_that_cannot_hide_a_mark_stays_as_it_is() {
    let id = Id::new(5).unwrap();
    let white = (
        vec![255; 400 * 400 * 3],
        Shape {
            width: 400,
            height: 400,
            channels: 3,
        },
    );
    let tiny = scene(199, 300);
    for (mut pixels, shape) in [white, tiny] {
        let before = pixels.clone();
        assert_eq!(embed(&mut pixels, shape, id, &KEY), Err(TooPlain));
        assert!(pixels == before);
    }
}

#[test]
fn transparent_parts_stay_as_they_are() {
    let (rgb, shape) = scene(512, 512);
    let mut pixels: Vec<u8> = Vec::new();
    for (at, pixel) in rgb.chunks_exact(3).enumerate() {
        pixels.extend(pixel);
        pixels.push(if at % 512 < 60 { 0 } else { 255 });
    }
    let before = pixels.clone();
    let shape = Shape { channels: 4, ..shape };
    let id = Id::new(9).unwrap();
    embed(&mut pixels, shape, id, &KEY).unwrap();
    for (new, old) in pixels.chunks_exact(4).zip(before.chunks_exact(4)) {
        assert_eq!(new[3], old[3]);
        assert!(old[3] > 0 || new == old);
    }
    assert_eq!(detect(&pixels, shape, &KEY).map(|found| found.id), Some(id));
}

#[test]
fn the_same_picture_id_and_key_give_the_same_bytes() {
    let id = Id::new(11).unwrap();
    let marked = || {
        let (mut pixels, shape) = scene(300, 300);
        embed(&mut pixels, shape, id, &KEY).unwrap();
        pixels
    };
    assert!(marked() == marked());
}

#[test]
fn frames_that_are_too_noisy_one_by_one_give_the_id_together() {
    let (mut pixels, shape) = scene(400, 300);
    let id = Id::new(13).unwrap();
    embed(&mut pixels, shape, id, &KEY).unwrap();
    let mut state = 9_u32;
    let mut noisy = || {
        let mut frame = pixels.clone();
        for pixel in frame.chunks_exact_mut(3) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let noise = (state >> 24) as f32 * 0.8 - 102.0;
            for value in pixel {
                *value = (f32::from(*value) * 0.4 + 70.0 + noise * 0.6).clamp(0.0, 255.0) as u8;
            }
        }
        frame
    };
    assert_eq!(detect(&noisy(), shape, &KEY), None);
    let mut frames = Frames::new(shape);
    for _ in 0..12 {
        frames.add(&noisy());
    }
    assert_eq!(frames.read(&KEY).and_then(|reading| reading.id), Some(id));
    assert_eq!(Frames::new(shape).read(&KEY), None);
}
