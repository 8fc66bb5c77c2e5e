//! Addresses in every spelling, and names whose answers change.

use std::{
    io,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures_util::future::BoxFuture;
use reqwest::dns::Resolve as _;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use super::*;
use crate::{Lookup, Outbound, Timeouts, resolve};

const STRICT: Guard = Guard { allow_private: false };
const OPEN: Guard = Guard { allow_private: true };

/// Hosts that must not be connected to, in the spellings a client may use.
const PRIVATE_HOSTS: &[&str] = &[
    "localhost",
    "LOCALHOST",
    "LocalHost.",
    "app.localhost",
    "router",
    "router.",
    "printer.local",
    "PRINTER.LOCAL.",
    "metadata.google.internal",
    "nas.home.arpa",
    "box.lan",
    "localhost.localdomain",
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "0x7f.1",
    "0x7f000001",
    "0X7F.0.0.1",
    "2130706433",
    "0177.0.0.1",
    "017700000001",
    "127.0.0.0x1",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "127。0。0。1",
    "①②⑦.0.0.1",
    "ⓛocalhost",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "012.0.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "172.16.0.1",
    "192.168.1.1",
    "192.168.257",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:10.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[ff02::1]",
];

#[test]
fn a_private_host_is_refused_in_every_spelling() {
    for host in PRIVATE_HOSTS {
        for suffix in ["", "/hook", ":8443/hook?a=b"] {
            let text = format!("https://{host}{suffix}");
            assert!(
                matches!(STRICT.check_webhook_url(&text), Err(Refused::PrivateHost(_))),
                "{text}"
            );
            let text = format!("http://{host}{suffix}");
            assert!(
                matches!(STRICT.check_input_url(&text), Err(Refused::PrivateHost(_))),
                "{text}"
            );
            assert!(OPEN.check_webhook_url(&text).is_ok(), "{text}");
        }
    }
}

#[test]
fn a_public_host_passes() {
    for text in [
        "https://example.com/hook",
        "https://EXAMPLE.com:8443/hook?token=1#part",
        "https://xn--bcher-kva.example/hook",
        "https://bücher.example/hook",
        "https://93.184.215.14/hook",
        "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hook",
        "https://notlocalhost.com/",
        "https://mylocal.net/",
        "https://localhost.example.com/",
    ] {
        assert!(STRICT.check_webhook_url(text).is_ok(), "{text}");
        assert!(
            STRICT.check_input_url(&text.replacen("https", "http", 1)).is_ok(),
            "{text}"
        );
    }
}

#[test]
fn a_webhook_is_https() {
    let refused = STRICT.check_webhook_url("http://example.com/hook").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the URL must begin with `https://`, not `http:`"
    );
    assert!(OPEN.check_webhook_url("http://example.com/hook").is_ok());
    assert!(OPEN.check_webhook_url("ftp://example.com/hook").is_err());
}

#[test]
fn what_is_no_absolute_web_address_is_refused() {
    for text in [
        "",
        "example.com/a.png",
        "/a.png",
        "//example.com/a.png",
        "http:example.com",
        "https:/example.com",
        "https:\\\\example.com",
        "https://",
        "https://exa mple.com/",
        " https://example.com/",
        "https://example.com/\n",
        "https://exam\tple.com/",
        "https://256.1.1.1/",
        "https://1.2.3.4.5/",
        "https://[::1/",
        "data:image/png;base64,AAAA",
        "file:///etc/passwd",
        "ftp://example.com/a.png",
        "gopher://example.com/",
        "javascript:alert(1)",
        "https://user@example.com/",
        "https://user:secret@example.com/",
        "https://example.com@127.0.0.1/",
    ] {
        for guard in [STRICT, OPEN] {
            assert!(guard.check_input_url(text).is_err(), "{text:?}");
            assert!(guard.check_webhook_url(text).is_err(), "{text:?}");
        }
    }
}

#[test]
fn a_url_has_at_most_2048_characters() {
    let base = "https://example.com/";
    let longest = format!("{base}{}", "a".repeat(MAX_URL - base.len()));
    assert!(STRICT.check_input_url(&longest).is_ok());
    assert_eq!(
        STRICT.check_input_url(&format!("{longest}a")),
        Err(Refused::TooLong)
    );
    assert_eq!(
        STRICT.check_webhook_url(&format!("{longest}a")),
        Err(Refused::TooLong)
    );
}

/// Answers with one list of addresses after the other; the last one stays.
struct Answers {
    lists: Vec<Vec<IpAddr>>,
    asked: AtomicUsize,
}

impl Answers {
    fn new(lists: &[&[&str]]) -> Arc<Self> {
        let lists = lists
            .iter()
            .map(|list| list.iter().map(|text| text.parse().unwrap()).collect())
            .collect();
        Arc::new(Self {
            lists,
            asked: AtomicUsize::new(0),
        })
    }
}

impl Lookup for Answers {
    fn lookup(&self, _: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let turn = self
            .asked
            .fetch_add(1, Ordering::SeqCst)
            .min(self.lists.len() - 1);
        let list = self.lists[turn].clone();
        Box::pin(async move { Ok(list) })
    }
}

/// A server on loopback that counts connections and answers each request with 200.
async fn receiver() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                let mut buffer = [0; 4096];
                while stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {
                    if stream
                        .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
                        .await
                        .is_err()
                    {
                        break;
                    }
                }
            });
        }
    });
    (port, connections)
}

#[tokio::test]
async fn a_name_that_leads_to_a_private_address_is_refused_at_connect_time() {
    let (port, connections) = receiver().await;
    for address in [
        "127.0.0.1",
        "::1",
        "10.0.0.1",
        "169.254.169.254",
        "::ffff:127.0.0.1",
    ] {
        let outbound =
            Outbound::with_lookup(STRICT, Timeouts::default(), Answers::new(&[&[address]])).unwrap();
        let url = STRICT
            .check_input_url(&format!("http://hooks.example.com:{port}/"))
            .unwrap();
        let error = outbound.post(&url).unwrap().send().await.unwrap_err();
        assert_eq!(
            Refused::within(&error),
            Some(&Refused::PrivateAddress("hooks.example.com".to_owned())),
            "{address}: {error:?}"
        );
    }
    assert_eq!(connections.load(Ordering::SeqCst), 0);
}

async fn resolved(filtered: &resolve::Filtered) -> Result<Vec<String>, Refused> {
    match filtered.resolve("rebind.example.com".parse().unwrap()).await {
        Ok(addresses) => Ok(addresses.map(|address| address.ip().to_string()).collect()),
        Err(error) => Err(error.downcast_ref::<Refused>().unwrap().clone()),
    }
}

#[tokio::test]
async fn of_mixed_answers_only_the_public_addresses_are_left() {
    let lookup = Answers::new(&[&["127.0.0.1", "93.184.215.14", "::1", "2606:2800::1", "10.0.0.1"]]);
    let filtered = resolve::Filtered {
        guard: STRICT,
        lookup,
    };
    assert_eq!(
        resolved(&filtered).await.unwrap(),
        ["93.184.215.14", "2606:2800::1"]
    );
}

#[tokio::test]
async fn an_answer_that_changes_is_checked_each_time() {
    let lookup = Answers::new(&[&["93.184.215.14"], &["127.0.0.1"]]);
    let filtered = resolve::Filtered {
        guard: STRICT,
        lookup,
    };
    assert_eq!(resolved(&filtered).await.unwrap(), ["93.184.215.14"]);
    let refused = Refused::PrivateAddress("rebind.example.com".to_owned());
    assert_eq!(resolved(&filtered).await.unwrap_err(), refused);
}

#[tokio::test]
async fn the_address_that_was_checked_is_the_one_connected_to() {
    let (port, connections) = receiver().await;
    // Asked a second time, the name would lead elsewhere, where nobody listens.
    let answers = Answers::new(&[&["127.0.0.1"], &["127.0.0.2"]]);
    let lookup = Arc::<Answers>::clone(&answers);
    let outbound = Outbound::with_lookup(OPEN, Timeouts::default(), lookup).unwrap();
    let url = Url::parse(&format!("http://rebind.example.com:{port}/")).unwrap();
    assert_eq!(outbound.post(&url).unwrap().send().await.unwrap().status(), 200);
    assert_eq!(answers.asked.load(Ordering::SeqCst), 1);
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_literal_private_address_gets_no_request() {
    let (port, connections) = receiver().await;
    let outbound = Outbound::new(STRICT, Timeouts::default()).unwrap();
    for host in ["127.0.0.1", "0x7f.1", "[::ffff:127.0.0.1]", "localhost"] {
        let url = Url::parse(&format!("http://{host}:{port}/")).unwrap();
        assert!(
            matches!(outbound.post(&url), Err(Refused::PrivateHost(_))),
            "{host}"
        );
    }
    assert_eq!(connections.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn connections_are_kept_for_the_next_request() {
    let (port, connections) = receiver().await;
    let outbound = Outbound::new(OPEN, Timeouts::default()).unwrap();
    let url = Url::parse(&format!("http://localhost:{port}/")).unwrap();
    for _ in 0..20 {
        let answer = outbound.post(&url).unwrap().body("{}").send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.bytes().await.unwrap();
    }
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}
