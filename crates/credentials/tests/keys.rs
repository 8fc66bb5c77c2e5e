//! Certificates with keys of every kind sign, and an independent reader finds what they sign valid.
#![expect(clippy::disallowed_methods, reason = "the environment of tests")]

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};

use crate::support::{ask, order, program};

mod support;

/// The algorithm, and openssl's name of a key for it.
const KEYS: [(&str, &str); 6] = [
    ("es256", "ec -pkeyopt ec_paramgen_curve:P-256"),
    ("es384", "ec -pkeyopt ec_paramgen_curve:P-384"),
    ("es512", "ec -pkeyopt ec_paramgen_curve:P-521"),
    ("ps256", "rsa:2048"),
    ("ps384", "rsa:3072"),
    ("ed25519", "ed25519"),
];
const PIXEL: &[u8] = include_bytes!("../src/pixel.png");
/// Prints the state of each file's manifest and the algorithm that signed it, by the reference library.
const READER: &str = "\
import json, sys, c2pa
for path in sys.argv[1:]:
    with c2pa.Reader(path) as reader:
        told = json.loads(reader.json())
        manifest = told['manifests'][told['active_manifest']]
        print(reader.get_validation_state(), manifest['signature_info']['alg'])
";

/// A certificate of the authority `root.pem` with such a key, as somebody who signs.
fn signer(openssl: &Path, folder: &Path, algorithm: &str, key: &str) -> Value {
    let run = |arguments: String| {
        let mut command = Command::new(openssl);
        command.current_dir(folder).args(arguments.split_whitespace());
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments}: {said}");
    };
    let read = |name: String| fs::read_to_string(folder.join(name)).unwrap();
    if !folder.join("root.pem").is_file() {
        fs::write(
            folder.join("leaf.cnf"),
            "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n\
             extendedKeyUsage=emailProtection\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n",
        )
        .unwrap();
        run(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -keyout root.key \
             -out root.pem -subj /O=Harbour/CN=Root"
                .to_owned(),
        );
    }
    run(format!(
        "req -newkey {key} -nodes -keyout {algorithm}.key -out {algorithm}.csr -subj /O=Harbour/CN={algorithm}"
    ));
    run(format!(
        "x509 -req -in {algorithm}.csr -CA root.pem -CAkey root.key -CAcreateserial -days 20 -extfile leaf.cnf \
         -out {algorithm}.pem"
    ));
    json!({
        "certificates": read(format!("{algorithm}.pem")) + &read("root.pem".to_owned()),
        "key": read(format!("{algorithm}.key")),
        "algorithm": algorithm,
    })
}

#[test]
fn keys_of_every_kind_sign_and_others_find_it_valid() {
    let (Some(openssl), Some(python)) = (program("openssl"), program("c2pa-python")) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    for (algorithm, key) in KEYS {
        let signer = signer(&openssl, folder.path(), algorithm, key);
        assert_eq!(
            ask(&json!({ "do": "check", "signer": signer })),
            json!({}),
            "{algorithm}"
        );
        let path = folder.path().join(format!("{algorithm}.png"));
        fs::write(&path, PIXEL).unwrap();
        let order = order(&path, &signer);
        assert_eq!(ask(&order)["signed"], true, "{algorithm}");
        let found = ask(&json!({ "do": "read", "path": order["to"], "own": signer["certificates"] }));
        assert_eq!(
            (&found["state"], &found["is_own"], &found["name"]),
            (&json!("valid"), &json!(true), &json!(algorithm)),
            "{found}"
        );
        paths.push(order["to"].as_str().unwrap().to_owned());
    }
    let output = Command::new(python).args(["-c", READER]).args(paths).output();
    let output = output.unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let expected = KEYS.map(|(algorithm, _)| format!("Valid {}\n", capital(algorithm)));
    assert_eq!(
        said,
        expected.concat(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// As the reference library writes it, such as `Es256`.
fn capital(algorithm: &str) -> String {
    let (first, rest) = algorithm.split_at(1);
    first.to_uppercase() + rest
}

#[test]
fn files_that_were_signed_before_a_rotation_are_own_if_the_earlier_certificate_is_named() {
    let Some(openssl) = program("openssl") else { return };
    let folder = tempfile::tempdir().unwrap();
    let [earlier, present] =
        [KEYS[0], KEYS[1]].map(|(algorithm, key)| signer(&openssl, folder.path(), algorithm, key));
    let path = folder.path().join("a.png");
    fs::write(&path, PIXEL).unwrap();
    let order = order(&path, &earlier);
    assert_eq!(ask(&order)["signed"], true);
    let text = |signer: &Value| signer["certificates"].as_str().unwrap().to_owned();
    for (own, is_own) in [(text(&present), false), (text(&present) + &text(&earlier), true)] {
        // The authority above both is not who signs.
        let own = own.replace(&fs::read_to_string(folder.path().join("root.pem")).unwrap(), "");
        let found = ask(&json!({ "do": "read", "path": order["to"], "own": own }));
        assert_eq!(found["is_own"], is_own, "{found}");
    }
}
