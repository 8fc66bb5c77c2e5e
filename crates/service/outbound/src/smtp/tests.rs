//! Tests with servers that record the commands they receive.

use std::time::{Duration, SystemTime};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpListener,
};

use super::*;

fn mail(to: &str) -> Mail {
    Mail {
        to: to.to_owned(),
        subject: "Grüße".to_owned(),
        text: "One line\n.\nand another one, which is long enough to need a second line of base64\n"
            .to_owned(),
        id: "1".to_owned(),
        date: SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777),
    }
}

/// A server that offers these extensions and answers with these codes in turn. Returns the received commands.
async fn server(offers: &'static str, codes: &'static [u16]) -> (u16, tokio::task::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let task = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut stream = BufReader::new(stream);
        stream.write_all(b"220-hello\r\n220 there\r\n").await.unwrap();
        let mut told = Vec::new();
        let mut codes = codes.iter();
        let mut in_message = false;
        let mut line = String::new();
        while stream.read_line(&mut line).await.is_ok_and(|read| read > 0) {
            let said = line.trim_end().to_owned();
            line.clear();
            told.push(said.clone());
            if said.starts_with("EHLO") {
                let answer = format!("250-here\r\n{offers}250 SIZE 1000000\r\n");
                stream.write_all(answer.as_bytes()).await.unwrap();
                continue;
            }
            if in_message && said != "." {
                continue;
            }
            in_message = said == "DATA";
            let Some(code) = codes.next() else { break };
            stream
                .write_all(format!("{code} so\r\n").as_bytes())
                .await
                .unwrap();
        }
        told
    });
    (port, task)
}

fn to(port: u16, user: &str) -> SmtpServer {
    SmtpServer::new(
        &format!("smtp://{user}127.0.0.1:{port}"),
        "atelier <noreply@media.example>",
        false,
    )
    .unwrap()
}

#[tokio::test]
async fn a_message_is_handed_over_with_the_password_first() {
    let (port, server) = server("250-AUTH LOGIN PLAIN\r\n", &[235, 250, 250, 354, 250]).await;
    to(port, "ada:p%40ss@")
        .send(&mail("grace@example.com"))
        .await
        .unwrap();
    let told = server.await.unwrap();
    assert_eq!(
        told[..5],
        [
            "EHLO media.example",
            "AUTH PLAIN AGFkYQBwQHNz",
            "MAIL FROM:<noreply@media.example>",
            "RCPT TO:<grace@example.com>",
            "DATA",
        ]
    );
    let message = told[5..].join("\n");
    let expected = "From: atelier <noreply@media.example>\nTo: <grace@example.com>\n\
                    Subject: =?utf-8?B?R3LDvMOfZQ==?=\nDate: Sun, 06 Nov 1994 08:49:37 +0000\n\
                    Message-ID: <1@media.example>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\
                    Content-Transfer-Encoding: base64\nAuto-Submitted: auto-generated\n\n\
                    T25lIGxpbmUNCi4NCmFuZCBhbm90aGVyIG9uZSwgd2hpY2ggaXMgbG9uZyBlbm91Z2ggdG8gbmVl\n";
    assert!(message.starts_with(expected), "{message}");
    assert!(message.ends_with("\n.\nQUIT"), "{message}");
}

#[tokio::test]
async fn what_the_server_refuses_is_told_with_whether_to_try_again() {
    let (port, told) = server("", &[250, 550]).await;
    let refused = to(port, "").send(&mail("grace@example.com")).await.unwrap_err();
    assert_eq!(refused.to_string(), "the mail server refused: 550 so");
    assert!(!refused.is_transient());
    drop(told);
    let (port, told) = server("", &[451]).await;
    let later = to(port, "").send(&mail("grace@example.com")).await.unwrap_err();
    assert!(later.is_transient(), "{later}");
    drop(told);
    let (port, told) = server("250-AUTH CRAM-MD5\r\n", &[]).await;
    let none = to(port, "ada:x@").send(&mail("grace@example.com")).await;
    assert!(matches!(none, Err(SmtpError::NoAuth)), "{none:?}");
    drop(told);
}

#[tokio::test]
async fn a_password_is_not_sent_to_another_machine_without_tls() {
    let (port, server) = server("250-AUTH PLAIN\r\n", &[]).await;
    let mut smtp = to(port, "ada:x@");
    smtp.security = Security::StartTls;
    let refused = smtp.send(&mail("grace@example.com")).await;
    assert!(matches!(refused, Err(SmtpError::NoTls)), "{refused:?}");
    assert_eq!(server.await.unwrap(), ["EHLO media.example"]);
}

#[test]
fn servers_are_read_from_their_urls() {
    let read = |url: &str| {
        let server = SmtpServer::new(url, "a@b.example", false).unwrap();
        (
            server.host,
            server.port,
            server.security,
            server.credentials.is_some(),
        )
    };
    let expected = |host: &str, port, security, password| (host.to_owned(), port, security, password);
    assert_eq!(
        read("smtps://u:p@mx.example"),
        expected("mx.example", 465, Security::Tls, true)
    );
    assert_eq!(
        read("smtp://u:p@mx.example"),
        expected("mx.example", 587, Security::StartTls, true)
    );
    assert_eq!(
        read("smtp://mx.example:25"),
        expected("mx.example", 25, Security::IfOffered, false)
    );
    assert_eq!(
        read("smtp://[::1]:25"),
        expected("::1", 25, Security::Loopback, false)
    );
    for url in ["smtp://localhost", "smtp://mx.example", "smtp://u:p@[::1]"] {
        let server = SmtpServer::new(url, "a@b.example", true).unwrap();
        assert_eq!(server.security, Security::StartTls, "{url}");
    }
    for wrong in [
        "",
        "mx.example",
        "http://mx.example",
        "smtp://",
        "smtp://u@mx.example",
        "smtp://mx.example/x",
    ] {
        assert!(SmtpServer::new(wrong, "a@b.example", false).is_err(), "{wrong}");
    }
    let shown = format!(
        "{:?}",
        SmtpServer::new("smtp://u:topsecret@mx.example", "a@b.example", false)
    );
    assert!(!shown.contains("topsecret"), "{shown}");
}

#[test]
fn addresses_cannot_begin_another_header_or_command() {
    for right in ["grace@example.com", "g.h+x@example.com", "a@localhost"] {
        assert!(is_address(right), "{right}");
    }
    for wrong in [
        "",
        "grace",
        "@example.com",
        "grace@",
        "a b@example.com",
        "a@b@c",
        "a@b\r\nBcc: c@d",
        "a@b>",
        "gräce@example.com",
    ] {
        assert!(!is_address(wrong), "{wrong}");
    }
    assert!(is_sender("atelier <a@b.example>") && is_sender("a@b.example") && !is_sender("atelier"));
}
