//! Runs the functions for verifying webhooks that the pages show.

#![expect(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a failure in here fails the test; the snippet is meant to be a file of its own"
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
fn the_rust_function_accepts_only_what_was_signed() {
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

/// Runs a program and fails with its output if it fails.
fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{stdout}{stderr}");
}

fn now() -> u64 {
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed();
    since.unwrap().as_secs()
}

#[test]
fn the_python_function_accepts_only_what_was_signed() {
    let Some(python) = atelier_testkit::program("python3") else {
        return;
    };
    let sent = now();
    let (old, signed, signed_long_ago) = (sent - 301, signature(sent), signature(sent - 301));
    let script = format!(
        "import sys\nsys.path.insert(0, 'snippets')\nfrom verify import verify\nbody = {BODY:?}.encode()\n\
         headers = lambda at, s: {{'webhook-id': 'msg_1', 'webhook-timestamp': str(at), 'webhook-signature': s}}\n\
         assert verify({SECRET:?}, headers({sent}, 'v1,AAAA {signed}'), body)\n\
         assert not verify({SECRET:?}, headers({sent}, '{signed}'), body + b' ')\n\
         assert not verify({SECRET:?}, headers({old}, '{signed_long_ago}'), body)\n"
    );
    run(Command::new(python)
        .args(["-B", "-c", &script])
        .current_dir(env!("CARGO_MANIFEST_DIR")));
}

#[test]
fn the_php_function_accepts_only_what_was_signed() {
    let Some(php) = atelier_testkit::program("php") else {
        return;
    };
    let sent = now();
    let (old, signed, signed_long_ago) = (sent - 301, signature(sent), signature(sent - 301));
    let script = format!(
        "require 'snippets/verify.php';
         $body = '{BODY}';
         $headers = fn($at, $s) => ['webhook-id' => 'msg_1', 'webhook-timestamp' => \"$at\", 'webhook-signature' => $s];
         $right = verify('{SECRET}', $headers({sent}, 'v1,AAAA {signed}'), $body);
         $other = verify('{SECRET}', $headers({sent}, '{signed}'), $body . ' ');
         $late = verify('{SECRET}', $headers({old}, '{signed_long_ago}'), $body);
         exit($right && !$other && !$late ? 0 : 1);"
    );
    run(Command::new(php)
        .args(["-r", &script])
        .current_dir(env!("CARGO_MANIFEST_DIR")));
}

#[test]
fn the_go_function_accepts_only_what_was_signed() {
    let Some(go) = atelier_testkit::program("go") else {
        return;
    };
    let sent = now();
    let (old, signed, signed_long_ago) = (sent - 301, signature(sent), signature(sent - 301));
    let test = format!(
        "package webhook\n\
         import (\"net/http\"; \"testing\")\n\
         func headers(at, signatures string) http.Header {{\n\
         header := http.Header{{}}\n\
         header.Set(\"webhook-id\", \"msg_1\")\n\
         header.Set(\"webhook-timestamp\", at)\n\
         header.Set(\"webhook-signature\", signatures)\n\
         return header\n}}\n\
         func TestVerify(t *testing.T) {{\n\
         body := []byte(`{BODY}`)\n\
         right := Verify(\"{SECRET}\", headers(\"{sent}\", \"v1,AAAA {signed}\"), body)\n\
         other := Verify(\"{SECRET}\", headers(\"{sent}\", \"{signed}\"), append(body, ' '))\n\
         late := Verify(\"{SECRET}\", headers(\"{old}\", \"{signed_long_ago}\"), body)\n\
         if !right || other || late {{ t.Fatal(right, other, late) }}\n}}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let snippet = concat!(env!("CARGO_MANIFEST_DIR"), "/snippets/verify.go");
    std::fs::copy(snippet, folder.path().join("verify.go")).unwrap();
    std::fs::write(folder.path().join("verify_test.go"), test).unwrap();
    std::fs::write(folder.path().join("go.mod"), "module example.com/webhook\n").unwrap();
    run(Command::new(go)
        .arg("test")
        .current_dir(folder.path())
        .env("GOCACHE", folder.path().join("cache"))
        .env("GOFLAGS", "-mod=mod")
        .env("GOTOOLCHAIN", "local"));
}
