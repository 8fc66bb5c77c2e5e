//! The functions that the pages hand out for verifying webhooks, run as they stand.

#![expect(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "what fails in here fails the test; the snippet is a file of its reader's own"
)]

use std::process::Command;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

#[path = "../snippets/verify.rs"]
mod verify;

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const BODY: &str = r#"{"event":"generation.completed","data":{"prompt":"café"}}"#;

fn signature(sent: u64) -> String {
    let key = STANDARD.decode(SECRET.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("msg_1.{sent}.{BODY}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[test]
fn the_rust_function_believes_what_was_signed_and_nothing_else() {
    let now = 1_795_253_400;
    let two = format!("v1,AAAA {}", signature(now));
    let check = |signatures: &str, body: &str, at| {
        verify::verify(SECRET, "msg_1", &now.to_string(), signatures, body.as_bytes(), at)
    };
    assert!(check(&signature(now), BODY, now));
    assert!(check(&two, BODY, now + 300), "one of two signatures is enough");
    assert!(!check(&signature(now), "{}", now));
    assert!(!check(&signature(now), BODY, now + 301));
    assert!(!check("v1,", BODY, now));
}

#[test]
fn the_python_function_believes_what_was_signed_and_nothing_else() {
    let Some(python) = atelier_testkit::program("python3") else {
        return;
    };
    let script = format!(
        "import sys, time\nsys.path.insert(0, 'snippets')\nfrom verify import verify\n\
         import base64, hashlib, hmac\n\
         body = {BODY:?}.encode()\nsent = str(int(time.time()))\n\
         key = base64.b64decode({SECRET:?}[6:])\n\
         sign = lambda at: 'v1,' + base64.b64encode(hmac.new(key, f'msg_1.{{at}}.'.encode() + body, hashlib.sha256).digest()).decode()\n\
         headers = lambda at, s: {{'webhook-id': 'msg_1', 'webhook-timestamp': at, 'webhook-signature': s}}\n\
         assert verify({SECRET:?}, headers(sent, 'v1,AAAA ' + sign(sent)), body)\n\
         assert not verify({SECRET:?}, headers(sent, sign(sent)), body + b' ')\n\
         old = str(int(sent) - 301)\nassert not verify({SECRET:?}, headers(old, sign(old)), body)\n"
    );
    let output = Command::new(python)
        .args(["-B", "-c", &script])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
