use std::path::{Path, PathBuf};

use atelier_film::{I420, Limits, Reader, color};
use serde_json::{Value, json};

use super::run;
use atelier_protocol::{Error, Input, Request, Response};

/// A synthetic landscape: a sky with clouds, a hill, water, and a tower; `shift` moves the tower.
fn landscape(width: u32, height: u32, shift: f32) -> image::RgbImage {
    image::RgbImage::from_fn(width, height, |x, y| {
        let (u, v) = (x as f32 / width as f32, y as f32 / height as f32);
        let cloud = ((u * 17.0 + v * 9.0).sin() * (v * 23.0 - u * 5.0).cos()).max(0.0) * 50.0;
        let hill = 0.5 + 0.06 * (u * 7.0).sin();
        let tower = (u - 0.4 - shift).abs() < 0.06 && v > 0.25 && v < 0.62;
        let brick = if (y / 7 + x / 11) % 2 == 0 { 18.0 } else { 0.0 };
        let rgb = if tower {
            [150.0 + brick, 90.0, 70.0]
        } else if v < hill {
            [120.0 + cloud, 165.0 + cloud * 0.7, 225.0]
        } else if v < 0.66 {
            [60.0, 120.0 + brick, 50.0]
        } else {
            let wave = ((v * 90.0 + u * 13.0).sin() * 14.0).round();
            [45.0 + wave, 90.0 + wave, 150.0 + wave]
        };
        image::Rgb(rgb.map(|v: f32| v as u8))
    })
}

fn made(folder: &Path, pictures: &[PathBuf], params: &Value) -> Result<(Response, Vec<I420>), Error> {
    let mut all = json!({ "prompt": "", "resolution": "144p", "aspect_ratio": "16:9", "duration": 1 });
    for (name, value) in params.as_object().unwrap() {
        all[name] = value.clone();
    }
    let request = Request {
        task: "video".into(),
        params: all.as_object().unwrap().clone(),
        inputs: pictures
            .iter()
            .map(|path| Input {
                parameter: "image_urls".into(),
                path: path.clone(),
                media_type: "image/png".into(),
                seconds: None,
            })
            .collect(),
        seed: 3,
        out: folder.to_owned(),
    };
    let response = run(&request, &mut |_| {})?;
    let mut film = Reader::open(&response.files[0], &Limits::default()).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = film.next(None).unwrap() {
        frames.push(frame.picture);
    }
    Ok((response, frames))
}

fn saved(folder: &Path, name: &str, picture: &image::RgbImage) -> PathBuf {
    let path = folder.join(name);
    picture.save(&path).unwrap();
    path
}

/// Peak signal to noise ratio of a frame and a picture as film stores it, in decibels.
fn psnr(frame: &I420, picture: &image::RgbImage) -> f64 {
    let mut own = I420::new(frame.width, frame.height);
    assert_eq!(frame.width * frame.height * 3, picture.as_raw().len());
    color::from_rgb::<3>(picture.as_raw(), &mut own);
    let sum: f64 = frame
        .data
        .iter()
        .zip(&own.data)
        .map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2))
        .sum();
    10.0 * (255.0_f64.powi(2) * own.data.len() as f64 / sum.max(1e-9)).log10()
}

fn change(a: &I420, b: &I420) -> f64 {
    let sum: u64 = a
        .planes()
        .y
        .iter()
        .zip(b.planes().y)
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    sum as f64 / a.planes().y.len() as f64
}

#[test]
fn the_first_frame_is_the_picture_and_the_film_moves_without_jumps() {
    let folder = tempfile::tempdir().unwrap();
    let picture = landscape(256, 144, 0.0);
    let path = saved(folder.path(), "a.png", &picture);
    let (response, frames) = made(folder.path(), &[path], &json!({ "prompt": "a tower by a lake" })).unwrap();
    assert_eq!((frames.len(), frames[0].width, frames[0].height), (24, 256, 144));
    let first = psnr(&frames[0], &picture);
    println!("first frame: {first:.1} dB, {:?}", response.metadata);
    assert!(first >= 35.0, "{first} dB");
    let steps: Vec<f64> = frames.windows(2).map(|pair| change(&pair[0], &pair[1])).collect();
    assert!(change(&frames[0], &frames[23]) > 2.0, "{steps:?}");
    let mean = steps.iter().sum::<f64>() / steps.len() as f64;
    assert!(steps.iter().all(|step| *step < 3.0 * mean + 0.5), "{steps:?}");
}

#[test]
fn a_picture_of_another_shape_is_cropped_to_its_middle() {
    let folder = tempfile::tempdir().unwrap();
    let tall = landscape(256, 300, 0.0);
    let path = saved(folder.path(), "a.png", &tall);
    let (_, frames) = made(folder.path(), &[path], &json!({})).unwrap();
    let middle = image::imageops::crop_imm(&tall, 0, 78, 256, 144).to_image();
    assert!(psnr(&frames[0], &middle) >= 35.0, "{}", psnr(&frames[0], &middle));
}

#[test]
fn the_camera_goes_where_the_words_say() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "a.png", &landscape(256, 144, 0.0));
    // The horizontal position of the red tower.
    let tower = |frame: &I420| {
        let (mut sum, mut weight) = (0.0, 0.0);
        for (i, v) in frame.planes().v.iter().enumerate() {
            let k = (f64::from(*v) - 138.0).max(0.0);
            sum += k * (i % 128) as f64;
            weight += k;
        }
        sum / weight
    };
    let went = |prompt: &str| {
        let (response, frames) = made(
            folder.path(),
            std::slice::from_ref(&path),
            &json!({ "prompt": prompt, "duration": 1 }),
        )
        .unwrap();
        (
            tower(&frames[23]) - tower(&frames[0]),
            response.metadata["camera"].clone(),
        )
    };
    let (left, told) = went("pan left");
    assert_eq!(told, json!(["PanLeft"]));
    let (right, _) = went("the camera pans right");
    assert!(left > 3.0 && right < -3.0, "{left} and {right}");
    let (still, _) = went("static camera");
    assert!(still.abs() < 0.6, "{still}");
}

#[test]
fn a_film_arrives_at_its_last_frame_and_moves_things_there_instead_of_fading() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (landscape(256, 144, 0.0), landscape(256, 144, 0.05));
    let paths = [
        saved(folder.path(), "a.png", &a),
        saved(folder.path(), "b.png", &b),
    ];
    let (_, frames) = made(folder.path(), &paths, &json!({})).unwrap();
    let (first, last) = (psnr(&frames[0], &a), psnr(&frames[23], &b));
    println!("first {first:.1} dB, last {last:.1} dB");
    assert!(first >= 35.0 && last >= 35.0, "{first} and {last} dB");
    // Halfway the tower stands halfway: closer to a picture drawn so than a cross-fade is.
    let between = landscape(256, 144, 0.025);
    let faded = image::RgbImage::from_fn(256, 144, |x, y| {
        let (p, q) = (a.get_pixel(x, y), b.get_pixel(x, y));
        image::Rgb(std::array::from_fn(|c| u8::midpoint(p[c], q[c])))
    });
    let mut fade = I420::new(256, 144);
    color::from_rgb::<3>(faded.as_raw(), &mut fade);
    let best = (10..14).map(|n| psnr(&frames[n], &between)).fold(0.0, f64::max);
    let crossfade = psnr(&fade, &between);
    println!("half-way {best:.1} dB, a cross-fade {crossfade:.1} dB");
    assert!(best > crossfade + 1.0, "{best} against {crossfade}");
}

#[test]
fn light_and_weather_come_when_the_words_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "a.png", &landscape(256, 144, 0.0));
    let light = |frame: &I420| {
        let y = frame.planes().y;
        y.iter().map(|v| f64::from(*v)).sum::<f64>() / y.len() as f64
    };
    let prompt = json!({ "prompt": "a tower, from day to night, static camera" });
    let (_, frames) = made(folder.path(), std::slice::from_ref(&path), &prompt).unwrap();
    let lights: Vec<f64> = frames.iter().map(light).collect();
    assert!(lights[23] < 0.6 * lights[0], "{lights:?}");
    assert!(
        lights.windows(2).all(|pair| pair[1] < pair[0] + 0.5),
        "{lights:?}"
    );
    let prompt = json!({ "prompt": "a tower, heavy snowfall, static camera" });
    let (_, frames) = made(folder.path(), &[path], &prompt).unwrap();
    assert!(change(&frames[0], &frames[23]) > 1.0);
}

#[test]
fn what_is_no_picture_is_refused_with_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    std::fs::write(&path, b"\x89PNG\r\n\x1a\nnothing").unwrap();
    assert!(matches!(
        made(folder.path(), &[path], &json!({})),
        Err(Error::InvalidInput(_))
    ));
}
