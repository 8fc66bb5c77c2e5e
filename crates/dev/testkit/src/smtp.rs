//! A mail server on loopback that keeps what it gets. It speaks as much SMTP as a client needs, without TLS.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// A mail that was taken.
#[derive(Debug, Clone)]
pub struct Taken {
    pub to: String,
    /// The headers, one a line.
    pub headers: String,
    /// The text, decoded.
    pub text: String,
}

/// The behaviour of the server towards clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    Takes,
    /// Accepts the connection and says nothing.
    Silent,
    /// Answers 451 to the first so many recipients.
    Busy(u32),
}

#[derive(Debug)]
pub struct MailServer {
    port: u16,
    taken: Arc<Mutex<Vec<Taken>>>,
    task: JoinHandle<()>,
}

impl Drop for MailServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl MailServer {
    pub async fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let taken = Arc::new(Mutex::new(Vec::new()));
        let busy = Arc::new(Mutex::new(match manner {
            Manner::Busy(times) => times,
            Manner::Takes | Manner::Silent => 0,
        }));
        let kept = Arc::clone(&taken);
        let task = tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                if manner == Manner::Silent {
                    held.push(stream);
                } else {
                    tokio::spawn(serve(stream, Arc::clone(&kept), Arc::clone(&busy)));
                }
            }
        });
        Self { port, taken, task }
    }

    /// The address of the server, with a user and a password.
    pub fn url(&self) -> String {
        format!("smtp://atelier:secret@127.0.0.1:{}", self.port)
    }

    /// Returns the mails that it has taken, once there are so many. Fails after ten seconds.
    pub async fn mails(&self, count: usize) -> Vec<Taken> {
        for _ in 0..200 {
            let taken = self.taken.lock().unwrap().clone();
            if taken.len() >= count {
                return taken;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{count} mails were not sent: {:?}", self.taken.lock().unwrap());
    }

    /// How many mails it has taken until now.
    pub fn count(&self) -> usize {
        self.taken.lock().unwrap().len()
    }
}

async fn serve(stream: TcpStream, taken: Arc<Mutex<Vec<Taken>>>, busy: Arc<Mutex<u32>>) {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 ready\r\n").await.unwrap();
    let (mut to, mut line) = (String::new(), String::new());
    let mut proved = false;
    loop {
        line.clear();
        if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
            return;
        }
        let said = line.trim_end();
        let answer = if said.starts_with("EHLO ") {
            "250-here\r\n250 AUTH PLAIN"
        } else if let Some(both) = said.strip_prefix("AUTH PLAIN ") {
            proved = STANDARD.decode(both).unwrap() == b"\0atelier\0secret";
            if proved { "235 welcome" } else { "535 wrong" }
        } else if !proved {
            "530 who are you?"
        } else if let Some(address) = said.strip_prefix("RCPT TO:") {
            to = address.trim_matches(['<', '>']).to_owned();
            let mut left = busy.lock().unwrap();
            let refuses = *left > 0;
            *left = left.saturating_sub(1);
            if refuses { "451 later" } else { "250 yes" }
        } else if said == "DATA" {
            stream.write_all(b"354 go on\r\n").await.unwrap();
            let message = read_message(&mut stream).await;
            let (headers, text) = message.split_once("\r\n\r\n").unwrap();
            let text = STANDARD.decode(text.replace("\r\n", "")).unwrap();
            taken.lock().unwrap().push(Taken {
                to: to.clone(),
                headers: headers.to_owned(),
                text: String::from_utf8(text).unwrap(),
            });
            "250 taken"
        } else {
            "250 yes"
        };
        stream
            .write_all(format!("{answer}\r\n").as_bytes())
            .await
            .unwrap();
    }
}

/// The message until the line with a dot.
async fn read_message(stream: &mut BufReader<TcpStream>) -> String {
    let (mut message, mut line) = (String::new(), String::new());
    while line != ".\r\n" {
        message.push_str(&line);
        line.clear();
        assert!(
            stream.read_line(&mut line).await.unwrap() > 0,
            "the message has no end"
        );
    }
    message
}
