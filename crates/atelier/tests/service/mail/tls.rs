//! Mail over TLS, to a mail server of others (aiosmtpd) with certificates of an authority made here.

use std::{
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{forgot, join, link};
use crate::{
    oidc::Browser,
    setup::{ECHO, PROGRAM, World},
};

/// Certificates of one authority for `localhost` and for `other.example`.
struct Certificates(tempfile::TempDir);

impl Certificates {
    fn new(openssl: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let run = |arguments: &str| {
            let output = Command::new(openssl)
                .current_dir(folder.path())
                .args(arguments.split_ascii_whitespace())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{arguments}: {said}");
        };
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
        run(&format!(
            "req -x509 {key} -days 30 -keyout root.key -out root.pem -subj /CN=Root"
        ));
        for name in ["localhost", "other.example"] {
            let extensions = format!("basicConstraints=critical,CA:FALSE\nsubjectAltName=DNS:{name}\n");
            std::fs::write(folder.path().join("extensions"), extensions).unwrap();
            run(&format!(
                "req {key} -keyout {name}.key -out request -subj /CN={name}"
            ));
            run(&format!(
                "x509 -req -in request -CA root.pem -CAkey root.key -CAcreateserial -days 30 -extfile extensions \
                 -out {name}.pem"
            ));
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The program, which trusts the authority.
    fn trusted(&self) -> Command {
        let mut program = Command::new(PROGRAM);
        program.env("SSL_CERT_FILE", self.path("root.pem"));
        program
    }
}

/// Killed when dropped.
struct MailServer {
    child: Child,
    said: BufReader<ChildStdout>,
    port: u64,
}

impl MailServer {
    fn start(python: &Path, mode: &str, certificates: &Certificates, name: &str) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/service/mail/smtpd.py");
        let mut child = Command::new(python)
            .args([script, mode])
            .args(["pem", "key"].map(|part| certificates.path(&format!("{name}.{part}"))))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let said = BufReader::new(child.stdout.take().unwrap());
        let mut server = Self { child, said, port: 0 };
        server.port = server.next().as_u64().unwrap();
        server
    }

    /// Returns the next line that it has printed.
    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// The next mail, which must have come encrypted and after a sign-in, with its text.
    fn mail(&mut self) -> (Value, String) {
        let mail = self.next();
        assert_eq!(
            (&mail["encrypted"], &mail["login"]),
            (&json!(true), &json!("ada")),
            "{mail}"
        );
        let message = mail["message"].as_str().unwrap().replace("\r\n", "\n");
        let (_, body) = message.split_once("\n\n").unwrap();
        let text = STANDARD.decode(body.replace('\n', "")).unwrap();
        (mail, String::from_utf8(text).unwrap())
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn config(scheme: &str, password: &str, port: u64) -> String {
    format!(
        "{ECHO}\n[mail]\nurl = \"{scheme}://ada:{password}@localhost:{port}\"\nfrom = \"a@media.example\"\n\
         require_tls = true\n"
    )
}

/// Invites grace by mail at the command line. Returns the exit status, and what was printed.
fn invite(mut program: Command, world: &World, account: &str) -> (i32, Value, String) {
    let output = program
        .args(["account", "invite", account, "--role", "viewer", "--json"])
        .args(["--mail", "grace@example.com", "--data"])
        .arg(world.server.data())
        .output()
        .unwrap();
    let printed = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap_or(-1), printed, said)
}

#[tokio::test]
async fn mail_goes_through_tls_to_a_server_with_a_trusted_certificate() {
    let (Some(python), Some(openssl)) = (
        atelier_testkit::program("smtp-python"),
        atelier_testkit::program("openssl"),
    ) else {
        return;
    };
    let certificates = Certificates::new(&openssl);
    for (scheme, mode) in [("smtps", "tls"), ("smtp", "starttls")] {
        let mut mail = MailServer::start(&python, mode, &certificates, "localhost");
        let mut world = World::prepare(&config(scheme, "p%40ss", mail.port));
        let mut serve = certificates.trusted();
        serve
            .args(["serve", "--listen", &world.server.address(), "--data"])
            .arg(world.server.data());
        world.server.start_as(serve);
        let account = world.account(10).name;

        let (status, printed, said) = invite(certificates.trusted(), &world, &account);
        assert_eq!(
            (status, &printed["mailed_to"]),
            (0, &json!("grace@example.com")),
            "{mode}: {said}"
        );
        let (sent, text) = mail.mail();
        assert_eq!(
            (&sent["from"], &sent["to"]),
            (&json!("a@media.example"), &json!(["grace@example.com"]))
        );
        let beginning = format!("You are invited to the account \"{account}\" at http");
        assert!(
            text.starts_with(&beginning) && text.contains(", as viewer."),
            "{text}"
        );
        join(
            &mut Browser::new(&world),
            &link(&text, "/account/join/"),
            "grace@example.com",
        )
        .await;

        forgot(&world, "grace@example.com").await;
        let (_, text) = mail.mail();
        link(&text, "/account/reset/");
    }
}

#[tokio::test]
async fn a_mail_server_without_tls_or_a_right_certificate_gets_no_mail() {
    let (Some(python), Some(openssl)) = (
        atelier_testkit::program("smtp-python"),
        atelier_testkit::program("openssl"),
    ) else {
        return;
    };
    let certificates = Certificates::new(&openssl);
    let unknown = || Command::new(PROGRAM);
    let known = || certificates.trusted();
    let (right, wrong) = ("p%40ss", "wrong");
    let cases: [(&str, &str, &str, &str, Command, &str); 6] = [
        (
            "tls",
            "smtps",
            "localhost",
            right,
            unknown(),
            "certificate of the mail server is not accepted: its authority",
        ),
        (
            "starttls",
            "smtp",
            "localhost",
            right,
            unknown(),
            "certificate of the mail server is not accepted: its authority",
        ),
        (
            "tls",
            "smtps",
            "other.example",
            right,
            known(),
            "certificate of the mail server is not accepted: ",
        ),
        (
            "starttls",
            "smtp",
            "other.example",
            right,
            known(),
            "certificate of the mail server is not accepted: ",
        ),
        ("plain", "smtp", "localhost", right, known(), "offers no STARTTLS"),
        (
            "tls",
            "smtps",
            "localhost",
            wrong,
            known(),
            "the mail server refused: 535",
        ),
    ];
    for (mode, scheme, name, password, program, why) in cases {
        let mail = MailServer::start(&python, mode, &certificates, name);
        let world = World::prepare(&config(scheme, password, mail.port));
        let account = world.account(10).name;
        let (status, printed, said) = invite(program, &world, &account);
        assert_eq!(
            (status, &printed["error"]["code"]),
            (1, &json!("mail")),
            "{mode} {name}: {said}"
        );
        let message = printed["error"]["message"].as_str().unwrap();
        assert!(message.contains(why), "{mode} {name}: {message}");
        assert!(
            message.starts_with("the invitation was not sent and is now revoked"),
            "{message}"
        );
        let open = world.server.json(&["account", "invitations", &account]);
        assert_eq!(open, json!([]), "{mode} {name}");
    }
}
