//! A message in its format on the network (RFC 5322): headers, and plain text in base64.

use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::Mail;

/// Whether this is a mail address: ASCII, one `@`, and nothing that could begin another header or command.
pub fn is_address(text: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && !b"<>()[]\\,;:\"@".contains(&byte))
    };
    text.len() <= 254
        && text
            .split_once('@')
            .is_some_and(|(local, domain)| plain(local) && plain(domain) && !domain.starts_with('-'))
}

/// Whether this is an address, or a name and an address: `atelier <atelier@example.com>`.
pub fn is_sender(text: &str) -> bool {
    is_address(address_of(text)) && !text.chars().any(char::is_control) && text.len() <= 400
}

/// The address of a sender.
pub(super) fn address_of(sender: &str) -> &str {
    let inner = sender.strip_suffix('>').and_then(|rest| rest.rsplit_once('<'));
    inner.map_or(sender, |(_, address)| address)
}

/// The message, with the line ends that SMTP requires.
pub(super) fn compose(mail: &Mail, from: &str, domain: &str) -> String {
    let date = httpdate::fmt_http_date(mail.date).replace(" GMT", " +0000");
    let sender = match from.strip_suffix('>').and_then(|rest| rest.rsplit_once('<')) {
        Some((name, address)) => format!("{} <{address}>", word(name.trim())),
        None => from.to_owned(),
    };
    let mut text = format!(
        "From: {sender}\r\nTo: <{}>\r\nSubject: {}\r\nDate: {date}\r\nMessage-ID: <{}@{domain}>\r\n\
         MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\
         Auto-Submitted: auto-generated\r\n\r\n",
        mail.to,
        word(&mail.subject),
        mail.id,
    );
    let encoded = STANDARD.encode(mail.text.replace('\n', "\r\n"));
    for line in encoded.as_bytes().chunks(76) {
        let _ = write!(text, "{}\r\n", String::from_utf8_lossy(line));
    }
    text
}

/// A text in a header: unchanged, or as encoded words (RFC 2047).
fn word(text: &str) -> String {
    if text.len() <= 200 && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
        return text.to_owned();
    }
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let mut words: Vec<String> = Vec::new();
    for letter in text.chars() {
        // An encoded word has 75 characters at most.
        if words
            .last()
            .is_none_or(|word| word.len() + letter.len_utf8() > 42)
        {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut() {
            last.push(letter);
        }
    }
    let encoded = words
        .iter()
        .map(|word| format!("=?utf-8?B?{}?=", STANDARD.encode(word)));
    encoded.collect::<Vec<_>>().join("\r\n ")
}
