//! The statements in signed files: whether they name their prompt is the account's choice, and films and sounds are
//! signed too.

use serde_json::json;

use crate::{
    credentials::{config, is_signing_possible, made, read_elsewhere, verified},
    marks::{MP4, StandIn},
    setup::World,
};

const PICTURE: &[u8] = include_bytes!("../../../../docs/images/lighthouse.jpg");
const PROMPT: &str = "a boat that nobody must know of";

fn holds(file: &[u8], text: &str) -> bool {
    file.windows(text.len()).any(|found| found == text.as_bytes())
}

#[tokio::test]
async fn the_account_decides_whether_files_name_their_prompt() {
    if !is_signing_possible() {
        return;
    }
    let engine = StandIn::comfy(PICTURE.to_vec()).await;
    let world = World::start(&config(&engine, ""));
    let account = world.account(1_000);
    // In the XMP, and in the manifest.
    for (place, expected) in [
        ("metadata", (true, false)),
        ("signed", (true, true)),
        ("none", (false, false)),
    ] {
        let update = ["account", "update", &account.name, "--prompt-in-files", place];
        assert_eq!(world.server.json(&update)["prompt_in_files"], place);
        let (job, file) = made(&world, &account, &json!({"model": "sdxl-1-0", "prompt": PROMPT})).await;
        assert_eq!(
            job["output"]["metadata"]["credentials"],
            json!(["written"]),
            "{job}"
        );
        assert!(holds(&file, "<Iptc4xmpExt:AISystemUsed>sdxl-1-0<"), "{place}");
        let in_xmp = holds(&file, &format!("<Iptc4xmpExt:AIPromptInformation>{PROMPT}<"));
        let path = world.server.data().join("signed.jpg");
        std::fs::write(&path, &file).unwrap();
        let Some(told) = read_elsewhere(&[&path]) else {
            return;
        };
        assert_eq!(told[0]["state"], "Valid", "{place}");
        let in_manifest = told[0]["whole"].as_str().unwrap().contains(PROMPT);
        assert_eq!((in_xmp, in_manifest), expected, "{place}");
    }
}

#[cfg(feature = "studio")]
#[tokio::test]
async fn drawings_of_an_account_that_wants_no_prompts_do_not_name_theirs() {
    let world = World::start("[metrics]\nlisten = \"\"\n");
    let account = world.account(1_000);
    let drawn = json!({"model": "sdxl-turbo", "prompt": "a boat", "size": "512x512"});
    let told = "<Iptc4xmpExt:AIPromptInformation>a boat<";
    let (_, before) = made(&world, &account, &drawn).await;
    assert!(holds(&before, told));
    let update = ["account", "update", &account.name, "--prompt-in-files", "none"];
    world.server.json(&update);
    let (_, after) = made(&world, &account, &drawn).await;
    assert!(!holds(&after, "a boat"));
    assert!(holds(&after, "digitalsourcetype/algorithmicMedia"));
}

#[tokio::test]
async fn a_film_of_a_provider_is_signed_and_valid_for_others() {
    if !is_signing_possible() {
        return;
    }
    let server = StandIn::replicate("file.mp4", MP4.to_vec()).await;
    let world = World::start(&format!(
        "[metrics]\nlisten = \"\"\n[engines.cloud]\nkind = \"http\"\nprofile = \"replicate\"\nurl = \"{}\"\n\
         [[routes]]\nmodel = \"wan-2-2-t2v-a14b\"\nengine = \"cloud\"\ntarget = \"a/b\"\n",
        server.url
    ));
    let account = world.account(1_000);
    let request = json!({"model": "wan-2-2-t2v-a14b", "prompt": PROMPT});
    let (job, film) = made(&world, &account, &request).await;
    assert_eq!(
        job["output"]["metadata"]["credentials"],
        json!(["written"]),
        "{job}"
    );
    let found = verified(&world.anonymous(), &film).await;
    assert_eq!(found["credentials"]["own"], true, "{found}");
    let path = world.server.data().join("signed.mp4");
    std::fs::write(&path, &film).unwrap();
    let Some(told) = read_elsewhere(&[&path]) else {
        return;
    };
    assert_eq!(
        (&told[0]["state"], &told[0]["actions"], &told[0]["agent"]),
        (
            &json!("Valid"),
            &json!(["c2pa.created"]),
            &json!("wan-2-2-t2v-a14b")
        )
    );
}

/// Without the cache that `scripts/fetch-weights` fills, this test says so and checks nothing; CI has it.
#[cfg(feature = "studio")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trained_voice_is_signed_with_its_model_and_its_weights_and_valid_for_others() {
    let (true, Some(voices), Some(_)) = (
        is_signing_possible(),
        atelier_testkit::trained_voices(),
        atelier_testkit::built("atelier-espeak"),
    ) else {
        return;
    };
    let mut world = World::prepare("[metrics]\nlisten = \"\"\n");
    let voices = voices.to_str().unwrap();
    world
        .server
        .json(&["models", "import", voices, "--accept-licence"]);
    world.server.start();
    let account = world.account(1_000);
    let request = json!({ "model": "tts-v3", "params": { "text": "Hello there.", "voice": "Rosalind" } });
    let (job, speech) = made(&world, &account, &request).await;
    assert_eq!(
        (&job["served_by"], &job["output"]["metadata"]["credentials"]),
        (&json!("weights"), &json!(["written"])),
        "{job}"
    );
    let extension = if speech.starts_with(b"RIFF") { "wav" } else { "mp3" };
    let path = world.server.data().join(format!("signed.{extension}"));
    std::fs::write(&path, &speech).unwrap();
    let Some(told) = read_elsewhere(&[&path]) else {
        return;
    };
    assert_eq!(
        (&told[0]["state"], &told[0]["agent"]),
        (&json!("Valid"), &json!("tts-v3"))
    );
    let description = told[0]["description"].as_str().unwrap_or_default();
    assert!(
        description.starts_with("Made by the model tts-v3 with Kokoro"),
        "{told:?}, {job}"
    );
}
