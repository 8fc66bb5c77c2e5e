//! A receiver of webhooks on the loopback interface, which reports when each delivery arrived.

use std::{collections::HashSet, time::Instant};

use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::JoinHandle,
};

use crate::{
    error::{Error, Result},
    http::{Connection, local},
};

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

#[derive(Debug)]
pub(crate) struct Receiver {
    port: u16,
    arrivals: mpsc::UnboundedReceiver<Arrival>,
    /// The received deliveries, because one may arrive twice.
    seen: HashSet<String>,
    accepting: JoinHandle<()>,
}

#[derive(Debug)]
struct Arrival {
    at: Instant,
    delivery: String,
}

impl Receiver {
    pub(crate) async fn start() -> Result<Self> {
        let listener = TcpListener::bind(local(0)).await?;
        let port = listener.local_addr()?.port();
        let (sender, arrivals) = mpsc::unbounded_channel();
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(receive(stream, sender.clone()));
            }
        });
        Ok(Self {
            port,
            arrivals,
            seen: HashSet::new(),
            accepting,
        })
    }

    /// The value for `webhook_url`.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    /// When the next new delivery arrived.
    pub(crate) async fn next(&mut self) -> Result<Instant> {
        loop {
            let arrival = self.arrivals.recv().await;
            let arrival = arrival.ok_or_else(|| Error::Unexpected("the receiver has ended".to_owned()))?;
            if self.seen.insert(arrival.delivery) {
                return Ok(arrival.at);
            }
        }
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Answers all requests of one connection.
async fn receive(stream: TcpStream, arrivals: mpsc::UnboundedSender<Arrival>) -> Result<()> {
    let mut connection = Connection::over(stream)?;
    while let Some(message) = connection.receive().await? {
        let delivery = message
            .header("x-service-delivery")
            .unwrap_or_default()
            .to_owned();
        let arrival = Arrival {
            at: Instant::now(),
            delivery,
        };
        if arrivals.send(arrival).is_err() {
            break;
        }
        connection.send(ANSWER).await?;
    }
    Ok(())
}
