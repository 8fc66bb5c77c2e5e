//! Results of trained models are signed (Content Credentials, C2PA), and an independent reader finds them valid.

use std::{path::Path, process::Command};

use atelier_testkit::Http;
use reqwest::{
    Method,
    multipart::{Form, Part},
};
use serde_json::{Value, json};

use crate::{
    marks::StandIn,
    setup::{Account, PROGRAM, World},
};

const PICTURE: &[u8] = include_bytes!("../../../../docs/images/lighthouse.jpg");
const WATERMARK: &str = if cfg!(feature = "studio") {
    "written"
} else {
    "none"
};
const PROMPT: &str = "a boat that nobody must know of";
/// Prints the state of each file's manifest, its actions and its ingredients, by the reference library.
const READER: &str = r#"
import json, sys, c2pa
for path in sys.argv[1:]:
    with c2pa.Reader(path) as reader:
        told = json.loads(reader.json())
        manifest = told["manifests"][told["active_manifest"]]
        actions = next(a["data"]["actions"] for a in manifest["assertions"] if a["label"].startswith("c2pa.actions"))
        print(json.dumps({
            "state": reader.get_validation_state(),
            "actions": [a["action"] for a in actions],
            "source": actions[-1].get("digitalSourceType"),
            "description": actions[-1].get("description"),
            "agent": actions[-1].get("softwareAgent", {}).get("name"),
            "parents": [i["relationship"] for i in manifest.get("ingredients", [])],
            "whole": reader.json(),
        }))
"#;

/// Whether the program that signs is built beside the main program. CI must not skip tests.
#[expect(clippy::print_stderr, reason = "the message of a skipped test")]
#[expect(clippy::disallowed_methods, reason = "the environment of tests")]
pub(crate) fn is_signing_possible() -> bool {
    let is_built = Path::new(PROGRAM).with_file_name("atelier-credentials").is_file();
    if !is_built {
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci != "true"),
            "`atelier-credentials` is not built"
        );
        eprintln!("skipped: `atelier-credentials` is not built; docs/building.md says how");
    }
    is_built
}

pub(crate) fn config(engine: &StandIn, more: &str) -> String {
    format!(
        "[metrics]\nlisten = \"\"\n[outbound]\nallow_private = true\n[engines.cellar]\nkind = \"comfyui\"\n\
         url = \"{}\"\n[[routes]]\nmodel = \"sdxl-1-0\"\nengine = \"cellar\"\nworkflow = \"checkpoint.json\"\n{more}",
        engine.url
    )
}

/// The answer of `POST /verify`.
pub(crate) async fn verified(http: &Http, file: &[u8]) -> Value {
    let part = Part::bytes(file.to_vec()).file_name("file");
    let request = http
        .request(Method::POST, "/verify")
        .multipart(Form::new().part("file", part));
    let answer = http.send(request).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()["data"].clone()
}

/// The job's end, and its file.
pub(crate) async fn made(world: &World, account: &Account, request: &Value) -> (Value, Vec<u8>) {
    let job = account.http.wait(&account.http.create(request).await).await;
    assert_eq!(job["status"], "completed", "{job}");
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let file = world.anonymous().get(&format!("/{path}")).await;
    (job, file.bytes.to_vec())
}

/// Returns the reference library's reading of these files; nothing if it is not installed.
pub(crate) fn read_elsewhere(files: &[&Path]) -> Option<Vec<Value>> {
    let python = atelier_testkit::program("c2pa-python")?;
    let output = Command::new(python)
        .arg("-c")
        .arg(READER)
        .args(files)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines = String::from_utf8(output.stdout).unwrap();
    Some(
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

#[tokio::test]
async fn a_result_is_signed_and_a_changed_byte_breaks_the_signature() {
    if !is_signing_possible() {
        return;
    }
    let engine = StandIn::comfy(PICTURE.to_vec()).await;
    let world = World::start(&config(&engine, ""));
    let (owner, anybody) = (world.account(1_000), world.anonymous());
    let request = json!({"model": "sdxl-1-0", "prompt": PROMPT});
    let (job, file) = made(&world, &owner, &request).await;
    assert_eq!(
        job["output"]["metadata"]["credentials"],
        json!(["written"]),
        "{job}"
    );

    let found = verified(&anybody, &file).await;
    let signed = &found["credentials"];
    assert_eq!(
        (&signed["state"], &signed["own"]),
        (&json!("valid"), &json!(true)),
        "{found}"
    );
    assert_eq!(signed["signer"], "atelier at 127.0.0.1");
    assert_eq!(signed["actions"][0]["action"], "c2pa.created");
    assert_eq!(signed["actions"][0]["source_type"], "trainedAlgorithmicMedia");

    let month = &job["created_at"].as_str().unwrap()[.."2026-11".len()];
    let report = world.server.json(&["report", "--month", month]);
    let marks = json!({ "model": "sdxl-1-0", "engine": "cellar", "watermark": WATERMARK, "signature": "written",
        "count": 1 });
    assert_eq!(report["marked"], json!([marks]), "{report}");

    // One bit of the picture's own bytes.
    let mut changed = file.clone();
    let at = changed.len() - 100;
    changed[at] ^= 1;
    let found = verified(&anybody, &changed).await;
    assert_eq!(found["credentials"]["state"], "invalid", "{found}");
    assert!(
        found["credentials"]["problems"].to_string().contains("mismatch"),
        "{found}"
    );

    // A second service knows the signature as valid, and not as its own.
    let other = World::start(&config(&engine, ""));
    let found = verified(&other.anonymous(), &file).await;
    assert_eq!(
        (
            &found["credentials"]["state"],
            &found["credentials"]["own"],
            &found["result"]
        ),
        (&json!("valid"), &json!(false), &json!("declared"))
    );

    let path = world.server.data().join("signed.jpg");
    std::fs::write(&path, &file).unwrap();
    let origin = world.server.origin();
    let (status, said, failed) =
        world
            .server
            .command(&["verify", path.to_str().unwrap(), "--server", &origin]);
    assert_eq!(status, 0, "{failed}");
    assert!(said.contains("valid, signed by atelier at 127.0.0.1"), "{said}");
    let Some(told) = read_elsewhere(&[&path]) else {
        return;
    };
    assert_eq!(
        (&told[0]["state"], &told[0]["actions"], &told[0]["agent"]),
        (&json!("Valid"), &json!(["c2pa.created"]), &json!("sdxl-1-0"))
    );
    assert!(
        !told[0]["whole"].as_str().unwrap().contains(PROMPT),
        "the prompt is nobody's business"
    );
}

#[cfg(feature = "studio")]
#[tokio::test]
async fn an_edit_names_the_picture_that_it_was_made_from() {
    if !is_signing_possible() {
        return;
    }
    // The embedded engines edit it; they are signed only on request.
    let world = World::start("[metrics]\nlisten = \"\"\n[marking]\ncredentials = \"all\"\n");
    let account = world.account(1_000);
    let drawn = json!({"model": "sdxl-turbo", "prompt": "a boat", "size": "512x512"});
    let (job, drawing) = made(&world, &account, &drawn).await;
    let url = &job["output"]["assets"][0]["url"];
    let (job, edited) = made(
        &world,
        &account,
        &json!({"model": "upscale", "image_urls": [url]}),
    )
    .await;
    assert_eq!(
        job["output"]["metadata"]["credentials"],
        json!(["written"]),
        "{job}"
    );
    let found = verified(&world.anonymous(), &edited).await;
    let actions: Vec<_> = found["credentials"]["actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|act| &act["action"])
        .collect();
    assert_eq!(actions, ["c2pa.opened", "c2pa.edited"], "{found}");

    let paths = [("drawing", drawing), ("edited", edited)].map(|(name, bytes)| {
        let extension = if bytes.starts_with(b"\x89PNG") {
            "png"
        } else {
            "jpg"
        };
        let path = world.server.data().join(format!("{name}.{extension}"));
        std::fs::write(&path, bytes).unwrap();
        path
    });
    let Some(told) = read_elsewhere(&[&paths[0], &paths[1]]) else {
        return;
    };
    assert_eq!(
        (&told[0]["state"], &told[1]["state"]),
        (&json!("Valid"), &json!("Valid"))
    );
    assert_eq!(told[1]["parents"], json!(["parentOf"]));
    let original = told[0]["whole"].as_str().unwrap();
    let label = serde_json::from_str::<Value>(original).unwrap()["active_manifest"].clone();
    let kept = told[1]["whole"].as_str().unwrap();
    assert!(
        kept.contains(label.as_str().unwrap()),
        "the drawing's own manifest is kept"
    );
}

/// Writes an operator's certificates and keys into a folder: `root.pem` and `root.key`, and `chain.pem` with the
/// certificate that signs with `leaf.key`; `next-chain.pem` and `next.key` are another pair.
fn make_certificates(openssl: &Path, folder: &Path) {
    let path = |name: &str| folder.join(name);
    let run = |arguments: &str| {
        let output = Command::new(openssl)
            .current_dir(folder)
            .args(arguments.split(' '))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{arguments}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    std::fs::write(
        path("leaf.cnf"),
        "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n\
         extendedKeyUsage=emailProtection\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n",
    )
    .unwrap();
    run(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -keyout root.key -out root.pem \
         -subj /O=Harbour/CN=Root",
    );
    for (name, chain) in [("leaf", "chain.pem"), ("next", "next-chain.pem")] {
        run(&format!(
            "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout {name}.key -out {name}.csr \
             -subj /O=Harbour/CN=Signer"
        ));
        run(&format!(
            "x509 -req -in {name}.csr -CA root.pem -CAkey root.key -CAcreateserial -days 20 -extfile leaf.cnf \
             -out {name}.pem"
        ));
        let own = std::fs::read_to_string(path(&format!("{name}.pem"))).unwrap();
        let root = std::fs::read_to_string(path("root.pem")).unwrap();
        std::fs::write(path(chain), own + &root).unwrap();
    }
}

fn configure(world: &World, config: &str) {
    std::fs::write(world.server.data().join("atelier.toml"), config).unwrap();
}

/// Files that the self-made certificate and an earlier one of the operator signed are this service's own.
async fn files_from_before_a_rotation_stay_own(engine: &StandIn, folder: &Path) {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let request = json!({"model": "sdxl-1-0", "prompt": PROMPT});
    let mut world = World::prepare(&config(engine, ""));
    world.server.start();
    let account = world.account(1_000);
    let (_, self_made) = made(&world, &account, &request).await;
    let operators = |chain: &str, key: &str, more: &str| {
        let (chain, key) = (path(chain), path(key));
        let table = format!("[marking]\ncertificate = \"{chain}\"\ncertificate_key = \"{key}\"\n{more}\n");
        config(engine, &table)
    };
    let state = async |world: &World, file: &[u8]| {
        let found = verified(&world.anonymous(), file).await;
        (
            found["credentials"]["state"].clone(),
            found["credentials"]["own"].clone(),
        )
    };
    let own = (json!("valid"), json!(true));
    world.server.terminate();
    configure(&world, &operators("chain.pem", "leaf.key", ""));
    world.server.start();
    assert_eq!(state(&world, &self_made).await, own);
    let (_, first) = made(&world, &account, &request).await;
    assert_eq!(state(&world, &first).await, own);

    // Another certificate of the same authority: without the earlier one, the service does not know its file.
    world.server.terminate();
    configure(&world, &operators("next-chain.pem", "next.key", ""));
    world.server.start();
    assert_eq!(state(&world, &first).await, (json!("valid"), json!(false)));
    world.server.terminate();
    let earlier = format!("earlier = \"{}\"", path("leaf.pem"));
    configure(&world, &operators("next-chain.pem", "next.key", &earlier));
    world.server.start();
    let (_, second) = made(&world, &account, &request).await;
    for file in [&self_made, &first, &second] {
        assert_eq!(state(&world, file).await, own);
    }
}

#[tokio::test]
async fn an_operators_certificate_signs_with_a_key_or_by_a_command_and_a_wrong_one_stops_the_start() {
    if !is_signing_possible() {
        return;
    }
    let Some(openssl) = atelier_testkit::program("openssl") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    make_certificates(&openssl, folder.path());

    let engine = StandIn::comfy(PICTURE.to_vec()).await;
    let signed_by = |signer: &str| {
        let table = format!(
            "[marking]\ncertificate = \"{}\"\ntrusted = \"{}\"\n{signer}\n",
            path("chain.pem"),
            path("root.pem")
        );
        World::prepare(&config(&engine, &table))
    };
    let (openssl, key) = (openssl.display(), path("leaf.key"));
    let command = format!("signing_command = [\"{openssl}\", \"dgst\", \"-sha256\", \"-sign\", \"{key}\"]");
    for signer in [format!("certificate_key = \"{key}\""), command] {
        let mut world = signed_by(&signer);
        world.server.start();
        let account = world.account(1_000);
        let (_, file) = made(&world, &account, &json!({"model": "sdxl-1-0", "prompt": PROMPT})).await;
        let found = verified(&world.anonymous(), &file).await;
        let signed = &found["credentials"];
        assert_eq!(
            (
                &signed["state"],
                &signed["own"],
                &signed["signer"],
                &signed["problems"]
            ),
            (&json!("trusted"), &json!(true), &json!("Harbour"), &json!([])),
            "{signer}: {found}"
        );
    }
    files_from_before_a_rotation_stay_own(&engine, folder.path()).await;

    // An authority for time stamps that is away keeps no result from being signed.
    let mut world = signed_by(&format!(
        "certificate_key = \"{key}\"\ntime_stamps = \"http://127.0.0.1:{}/stamps\"",
        atelier_testkit::free_port()
    ));
    world.server.start();
    let account = world.account(1_000);
    let (_, file) = made(&world, &account, &json!({"model": "sdxl-1-0", "prompt": PROMPT})).await;
    let found = verified(&world.anonymous(), &file).await;
    assert_eq!(
        (&found["credentials"]["state"], &found["credentials"]["signed_at"]),
        (&json!("trusted"), &Value::Null),
        "{found}"
    );
    assert!(
        world.server.log().contains("no time stamp"),
        "{}",
        world.server.log()
    );

    // If it started nevertheless, it would find its address taken.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    // The root's key does not belong to the certificate that signs.
    let wrong = signed_by(&format!("certificate_key = \"{}\"", path("root.key")));
    let (status, _, said) = wrong.server.command(&["serve", "--listen", &listen]);
    assert!(status != 0 && said.contains("marking.certificate"), "{said}");
    let neither = signed_by("");
    let (other, _, more) = neither.server.command(&["serve", "--listen", &listen]);
    assert!(
        other != 0 && more.contains("certificate_key") && more.contains("signing_command"),
        "{more}"
    );
}
