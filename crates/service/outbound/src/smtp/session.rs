//! Commands and replies on one connection.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};

use super::{SmtpError, lost};

/// The longest reply, in bytes.
const MAX_REPLY: usize = 32 << 10;
/// The most characters of a refusal that messages quote.
const SHOWN: usize = 200;

pub(super) struct Session<S> {
    stream: BufReader<S>,
    /// The extensions of the server: the lines of its answer to `EHLO`, in capitals.
    offers: Vec<String>,
}

struct Reply {
    code: u16,
    lines: Vec<String>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Session<S> {
    pub(super) fn new(stream: S) -> Self {
        Self {
            stream: BufReader::new(stream),
            offers: Vec::new(),
        }
    }

    /// Reads the greeting.
    pub(super) async fn greet(&mut self) -> Result<(), SmtpError> {
        self.reply().await?.expect(&[220])
    }

    pub(super) async fn hello(&mut self, domain: &str) -> Result<(), SmtpError> {
        let reply = self.command(&format!("EHLO {domain}")).await?;
        self.offers = reply.lines.iter().map(|line| line.to_uppercase()).collect();
        reply.expect(&[250])
    }

    /// Whether the server offers an extension.
    pub(super) fn offers(&self, extension: &str) -> bool {
        self.parameters(extension).is_some()
    }

    fn parameters(&self, extension: &str) -> Option<Vec<&str>> {
        self.offers.iter().find_map(|line| {
            let mut words = line.split_ascii_whitespace();
            (words.next() == Some(extension)).then(|| words.collect())
        })
    }

    /// Ends the plain session; TLS begins with the next byte.
    pub(super) async fn start_tls(mut self) -> Result<S, SmtpError> {
        self.command("STARTTLS").await?.expect(&[220])?;
        if !self.stream.buffer().is_empty() {
            return Err(SmtpError::Refused("it spoke between STARTTLS and TLS".to_owned()));
        }
        Ok(self.stream.into_inner())
    }

    /// Sends user and password (RFC 4954).
    pub(super) async fn authenticate(&mut self, user: &str, password: &str) -> Result<(), SmtpError> {
        let offered = self.parameters("AUTH").unwrap_or_default();
        if offered.contains(&"PLAIN") {
            let both = STANDARD.encode(format!("\0{user}\0{password}"));
            return self.command(&format!("AUTH PLAIN {both}")).await?.expect(&[235]);
        }
        if !offered.contains(&"LOGIN") {
            return Err(SmtpError::NoAuth);
        }
        self.command("AUTH LOGIN").await?.expect(&[334])?;
        self.command(&STANDARD.encode(user)).await?.expect(&[334])?;
        self.command(&STANDARD.encode(password)).await?.expect(&[235])
    }

    pub(super) async fn hand_over(&mut self, from: &str, to: &str, text: &str) -> Result<(), SmtpError> {
        self.command(&format!("MAIL FROM:<{from}>"))
            .await?
            .expect(&[250])?;
        self.command(&format!("RCPT TO:<{to}>"))
            .await?
            .expect(&[250, 251])?;
        self.command("DATA").await?.expect(&[354])?;
        // A line with only a dot ends the message; headers and base64 have none that begins with a dot.
        self.write(text).await?;
        self.command(".").await?.expect(&[250])?;
        // The message is accepted, even if the connection breaks now.
        let _ = self.write("QUIT\r\n").await;
        Ok(())
    }

    async fn command(&mut self, line: &str) -> Result<Reply, SmtpError> {
        self.write(&format!("{line}\r\n")).await?;
        self.reply().await
    }

    async fn write(&mut self, text: &str) -> Result<(), SmtpError> {
        self.stream
            .write_all(text.as_bytes())
            .await
            .map_err(|error| lost(&error))?;
        self.stream.flush().await.map_err(|error| lost(&error))
    }

    /// Reads a reply of one or several lines.
    async fn reply(&mut self) -> Result<Reply, SmtpError> {
        let mut lines = Vec::new();
        let mut left = MAX_REPLY;
        loop {
            let mut line = Vec::new();
            let mut limited = (&mut self.stream).take(left as u64);
            let read = limited
                .read_until(b'\n', &mut line)
                .await
                .map_err(|error| lost(&error))?;
            left = left.saturating_sub(read);
            if line.last() != Some(&b'\n') {
                return Err(lost(&"its answer ended early, or was too long"));
            }
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            let code = line.get(..3).and_then(|code| code.parse().ok());
            let code: u16 = code.ok_or_else(|| lost(&"it does not speak SMTP"))?;
            lines.push(line.get(4..).unwrap_or_default().to_owned());
            if line.as_bytes().get(3) != Some(&b'-') {
                return Ok(Reply { code, lines });
            }
        }
    }
}

impl Reply {
    fn expect(self, codes: &[u16]) -> Result<(), SmtpError> {
        if codes.contains(&self.code) {
            return Ok(());
        }
        let said = self.lines.join(" ");
        let said: String = said.chars().filter(|c| !c.is_control()).take(SHOWN).collect();
        let said = format!("{} {said}", self.code);
        Err(match self.code {
            400..=499 => SmtpError::Later(said),
            _ => SmtpError::Refused(said),
        })
    }
}
