//! A limit on how slowly a request's body may come. A client that sends a byte a minute would hold its connection for ever;
//! one that sends a large file over a thin line is to live. So it is not the whole that has a limit: each 16 KiB have, and
//! only the time counts in which the service waits for the client.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::{Body, BodyDataStream, Bytes, HttpBody as _},
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use futures::{Stream, StreamExt as _};
use tokio::time::{Instant, Sleep, sleep};

/// What has to come within the patience that is left, again and again, until the end.
const PIECE: usize = 16 << 10;

/// Bodies of requests bring 16 KiB, or their end, within this time.
#[derive(Debug, Clone, Copy)]
pub struct Patience(pub Duration);

/// Lets the request's body fail where it comes too slowly.
pub async fn pace(State(Patience(patience)): State<Patience>, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let paced = |body: Body| Body::from_stream(Paced::new(body.into_data_stream(), patience));
    next.run(request.map(paced)).await
}

/// Why a body that came too slowly ends early.
#[derive(Debug)]
struct TooSlow(Duration);

impl fmt::Display for TooSlow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kib, seconds) = (PIECE >> 10, self.0.as_secs_f64());
        write!(
            formatter,
            "the body came too slowly: at least {kib} KiB are expected every {seconds} s"
        )
    }
}

impl std::error::Error for TooSlow {}

/// What to tell the client where a body failed because it came too slowly; `None` where it failed otherwise.
pub(crate) fn too_slow(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    causes
        .find_map(|cause| cause.downcast_ref::<TooSlow>())
        .map(ToString::to_string)
}

struct Paced {
    body: BodyDataStream,
    patience: Duration,
    /// Bytes of the piece that is coming.
    come: usize,
    /// How long this piece was waited for, up to `since`.
    waited: Duration,
    /// Since when nothing has come while the service wanted something, and the end of its patience.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Paced {
    const fn new(body: BodyDataStream, patience: Duration) -> Self {
        Self {
            body,
            patience,
            come: 0,
            waited: Duration::ZERO,
            waiting: None,
        }
    }
}

impl Stream for Paced {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if let Poll::Ready(item) = this.body.poll_next_unpin(context) {
            if let Some((since, _)) = this.waiting.take() {
                this.waited += since.elapsed();
            }
            if let Some(Ok(bytes)) = &item {
                this.come += bytes.len();
                if this.come >= PIECE {
                    (this.come, this.waited) = (0, Duration::ZERO);
                }
            }
            return Poll::Ready(item);
        }
        let left = this.patience.saturating_sub(this.waited);
        let (_, patience) = this
            .waiting
            .get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
        ready!(patience.as_mut().poll(context));
        Poll::Ready(Some(Err(axum::Error::new(TooSlow(this.patience)))))
    }
}

#[cfg(test)]
mod tests {
    use futures::{future, stream};

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(30);

    /// Reads a body that comes in pieces of this size, each after this pause, by a service that rests before it asks for
    /// the next. Says how much came, after how long, and what went wrong.
    async fn read(
        sizes: Vec<usize>,
        pause: Duration,
        rest: Duration,
        then_nothing: bool,
    ) -> (usize, Duration, Option<String>) {
        let begun = Instant::now();
        let pieces = stream::iter(sizes).then(move |size| async move {
            sleep(pause).await;
            Ok::<_, std::io::Error>(Bytes::from(vec![0; size]))
        });
        let silence = stream::once(future::pending()).take(usize::from(then_nothing));
        let body = Body::from_stream(pieces.chain(silence));
        let mut paced = Paced::new(body.into_data_stream(), PATIENCE);
        let mut come = 0;
        while let Some(item) = paced.next().await {
            match item {
                Ok(bytes) => come += bytes.len(),
                Err(error) => return (come, begun.elapsed(), too_slow(&error)),
            }
            sleep(rest).await;
        }
        (come, begun.elapsed(), None)
    }

    const SECOND: Duration = Duration::from_secs(1);
    const NONE: Duration = Duration::ZERO;

    #[tokio::test(start_paused = true)]
    async fn a_byte_a_second_ends_when_patience_does() {
        let (come, time, error) = read(vec![1; 1_000], SECOND, NONE, false).await;
        assert_eq!((come, time.as_secs()), (30, 30));
        assert_eq!(
            error.as_deref(),
            Some("the body came too slowly: at least 16 KiB are expected every 30 s")
        );
    }

    #[tokio::test(start_paused = true)]
    async fn silence_in_the_midst_ends_when_patience_does() {
        let (come, time, error) = read(vec![PIECE, 5], SECOND, NONE, true).await;
        assert_eq!((come, time.as_secs()), (PIECE + 5, 31));
        assert!(error.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_body_over_a_thin_line_takes_as_long_as_it_takes() {
        // A kibibyte a second, for more than a quarter of an hour.
        let (come, time, error) = read(vec![1 << 10; 1_000], SECOND, NONE, false).await;
        assert_eq!((come, time.as_secs(), error), (1_000 << 10, 1_000, None));
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_in_which_the_service_does_not_listen_does_not_count() {
        let (come, _, error) = read(vec![1 << 10; 100], SECOND, PATIENCE, false).await;
        assert_eq!((come, error), (100 << 10, None));
    }

    #[tokio::test(start_paused = true)]
    async fn a_small_body_that_comes_whole_is_not_waited_for() {
        assert_eq!(read(vec![3], SECOND, NONE, false).await, (3, SECOND, None));
    }
}
