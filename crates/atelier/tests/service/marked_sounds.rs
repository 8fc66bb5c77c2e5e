//! Sounds of trained models carry an inaudible mark, and `POST /verify` leads from it back to their generation.

use std::f32::consts::TAU;

use serde_json::{Value, json};

use crate::{credentials::verified, marks::StandIn, setup::World};

const RATE: u32 = 16_000;
const HEADER: usize = 44;

/// A WAV file of a voice that hums a melody with pauses, and some noise.
fn voice(seconds: u32) -> Vec<u8> {
    let mut state = 1_u32;
    let samples = (0..seconds * RATE).flat_map(|at| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = (state >> 8) as f32 / (1 << 23) as f32 - 1.0;
        let time = at as f32 / RATE as f32;
        let harmonics = (1..25).map(|harmonic| {
            let phase = harmonic as f32 * (120.0 * time + 3.0 * (time * 2.1).sin());
            (TAU * phase.fract()).sin() / harmonic as f32
        });
        let loudness = (time * 7.0).sin().max(0.0);
        let sample = 0.2 * loudness * harmonics.sum::<f32>() + 0.02 * noise;
        ((sample * 32_768.0) as i16).to_le_bytes()
    });
    wav(&samples.collect::<Vec<u8>>())
}

fn wav(samples: &[u8]) -> Vec<u8> {
    let length = samples.len() as u32;
    let mut file = [
        &b"RIFF"[..],
        &(length + 36).to_le_bytes(),
        b"WAVEfmt \x10\0\0\0\x01\0\x01\0",
    ]
    .concat();
    file.extend([RATE, 2 * RATE].map(u32::to_le_bytes).concat());
    file.extend(b"\x02\0\x10\0data");
    file.extend(length.to_le_bytes());
    file.extend(samples);
    file
}

#[tokio::test]
async fn a_sound_of_a_trained_model_leads_back_to_its_generation_after_it_was_cut() {
    let sound = voice(9);
    let server = StandIn::replicate("speech.wav", sound.clone()).await;
    let world = World::start(&format!(
        "[metrics]\nlisten = \"\"\n[engines.cloud]\nkind = \"http\"\nprofile = \"replicate\"\nurl = \"{}\"\n\
         [[routes]]\nmodel = \"orpheus-3b\"\nengine = \"cloud\"\ntarget = \"a/b\"\n",
        server.url
    ));
    let (owner, anybody) = (world.account(1_000), world.anonymous());
    let id = owner
        .http
        .create(&json!({"model": "orpheus-3b", "text": "The boat leaves at noon."}))
        .await;
    let job = owner.http.wait(&id).await;
    assert_eq!(
        job["output"]["metadata"]["watermark"],
        json!(["written"]),
        "{job}"
    );
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let file = anybody.get(&format!("/{path}")).await.bytes;

    // Six seconds of it at half the level, in a file without metadata.
    let part = file[HEADER..][2 * 12_345..][..2 * 6 * RATE as usize].chunks_exact(2);
    let halved = part.flat_map(|sample| (i16::from_le_bytes([sample[0], sample[1]]) / 2).to_le_bytes());
    let found = verified(&anybody, &wav(&halved.collect::<Vec<u8>>())).await;
    let maker = json!({
        "id": id, "model": "orpheus-3b", "created_at": job["created_at"], "deleted": false,
    });
    assert_eq!(found["result"], "made_here", "{found}");
    assert_eq!(
        (&found["made_by"], &found["watermark"]["made_by"]),
        (&Value::Null, &maker)
    );

    // The sound that the engine sent has no mark.
    let found = verified(&anybody, &sound).await;
    assert_eq!(found["watermark"]["found"], json!(false), "{found}");
}
