//! Signatures with time stamps, by an authority that OpenSSL plays.
#![expect(clippy::disallowed_methods, reason = "the environment of tests")]

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose,
};
use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::support::{ask, order, program};

mod support;

const PICTURE: &[u8] = include_bytes!("../src/pixel.png");

/// A time-stamping authority whose certificates and settings lie in a folder.
struct Authority {
    openssl: PathBuf,
    folder: PathBuf,
}

impl Authority {
    fn new(openssl: PathBuf, folder: &Path) -> Self {
        let settings = "\
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[leaf]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[stamps]
serial = serial
signer_cert = leaf.pem
certs = root.pem
signer_key = leaf.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
";
        fs::write(folder.join("settings"), settings).unwrap();
        fs::write(folder.join("serial"), "01\n").unwrap();
        let authority = Self {
            openssl,
            folder: folder.to_owned(),
        };
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -sha256 -days 30 -config settings";
        authority.run(&format!(
            "req -x509 {key} -extensions root -subj /O=Clock/CN=Root -keyout root.key -out root.pem"
        ));
        authority.run(&format!(
            "req -x509 {key} -extensions leaf -subj /O=Clock/CN=Clock -keyout leaf.key -out leaf.pem \
             -CA root.pem -CAkey root.key"
        ));
        authority
    }

    fn run(&self, arguments: &str) {
        let output = Command::new(&self.openssl)
            .args(arguments.split_whitespace())
            .current_dir(&self.folder)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{arguments}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    fn root(&self) -> String {
        fs::read_to_string(self.folder.join("root.pem")).unwrap()
    }

    /// Answers every request on a port.
    fn listen(self) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for stream in listener.incoming() {
                self.answer(stream.unwrap());
            }
        });
        address
    }

    fn answer(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut question = vec![0; length];
        reader.read_exact(&mut question).unwrap();
        fs::write(self.folder.join("question"), question).unwrap();
        self.run("ts -reply -config settings -section stamps -queryfile question -out answer");
        let answer = fs::read(self.folder.join("answer")).unwrap();
        let mut stream = reader.into_inner();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/timestamp-reply\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n",
            answer.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&answer).unwrap();
    }
}

/// A signer whose certificate is valid for so long from now, and its root.
fn signer(valid: time::Duration) -> (Value, String) {
    let now = OffsetDateTime::now_utc();
    let params = |name: &str, until| {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::OrganizationName, "Studio");
        params.distinguished_name.push(DnType::CommonName, name);
        params.not_before = now - time::Duration::days(1);
        params.not_after = until;
        params
    };
    let mut root = params("Root", now + time::Duration::days(1));
    root.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    root.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let root = CertifiedIssuer::self_signed(root, KeyPair::generate().unwrap()).unwrap();
    let mut leaf = params("Signer", now + valid);
    leaf.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    leaf.extended_key_usages = vec![ExtendedKeyUsagePurpose::EmailProtection];
    leaf.use_authority_key_identifier_extension = true;
    let key = KeyPair::generate().unwrap();
    let leaf = leaf.signed_by(&key, &root).unwrap();
    let signer = json!({
        "certificates": format!("{}{}", leaf.pem(), root.pem()),
        "key": key.serialize_pem(),
        "algorithm": "es256",
    });
    (signer, root.pem())
}

fn sign(folder: &Path, name: &str, signer: &Value, authority: Option<&str>) -> (Value, PathBuf) {
    let path = folder.join(name);
    fs::write(&path, PICTURE).unwrap();
    let mut order = order(&path, signer);
    order["time_stamps"] = json!(authority);
    let to = order["to"].as_str().unwrap().into();
    (ask(&order), to)
}

#[test]
fn a_signature_with_a_time_stamp_outlives_its_certificate() {
    let Some(openssl) = program("openssl") else { return };
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new(openssl, folder.path());
    let clock = authority.root();
    let address = format!("http://{}/", authority.listen());
    let valid = Duration::from_secs(6);
    let (signer, root) = signer(valid.try_into().unwrap());
    let ends = Instant::now() + valid;

    let (answer, stamped) = sign(folder.path(), "stamped.png", &signer, Some(&address));
    assert_eq!(answer, json!({ "signed": true, "inputs": 0 }));
    let (_, bare) = sign(folder.path(), "bare.png", &signer, None);
    let trusted = format!("{root}{clock}");
    let read = |path: &Path| ask(&json!({ "do": "read", "path": path, "trusted": trusted }));
    let (first, second) = (read(&stamped), read(&bare));
    assert_eq!(first["state"], "trusted", "{first}");
    assert_eq!(second["state"], "trusted", "{second}");
    assert!(first["signed_at"].is_string(), "{first}");
    assert_eq!(second["signed_at"], Value::Null);
    // Anybody can make an authority.
    let stranger = ask(&json!({ "do": "read", "path": stamped, "trusted": root }));
    assert_eq!(
        (&stranger["state"], &stranger["signed_at"]),
        (&json!("trusted"), &Value::Null),
        "{stranger}"
    );

    thread::sleep(ends.saturating_duration_since(Instant::now()) + Duration::from_secs(2));
    let (first, second) = (read(&stamped), read(&bare));
    assert_eq!(first["state"], "trusted", "{first}");
    assert_ne!(second["state"], "trusted", "{second}");
}

#[test]
fn an_authority_that_is_away_or_silent_keeps_no_file_from_being_signed() {
    let folder = tempfile::tempdir().unwrap();
    let (signer, _) = signer(time::Duration::days(1));
    // Accepts connections, and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (name, address, why) in [
        ("away.png", closed, "refused"),
        (
            "silent.png",
            silent.local_addr().unwrap(),
            "no answer within 10 s",
        ),
    ] {
        let (answer, signed) = sign(folder.path(), name, &signer, Some(&format!("http://{address}/")));
        assert_eq!(answer["signed"], true, "{answer}");
        assert!(answer["not_stamped"].as_str().unwrap().contains(why), "{answer}");
        let found = ask(&json!({ "do": "read", "path": signed }));
        assert_eq!(
            (&found["state"], &found["signed_at"]),
            (&json!("valid"), &Value::Null)
        );
    }
}
