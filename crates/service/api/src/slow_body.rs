//! A limit on how slowly a request's body may arrive. A client that sends a byte a minute would hold its connection
//! forever, but a client that sends a large file over a slow line must succeed. The limit therefore applies to each
//! 16 KiB rather than to the whole body, and only the time during which the service waits for the client counts.

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

/// The number of bytes that must arrive within the timeout.
const PIECE: usize = 16 << 10;

/// How long a request's body may take for each 16 KiB, or until its end.
#[derive(Debug, Clone, Copy)]
pub struct SlowBodyTimeout(pub Duration);

/// Makes the request's body fail if it arrives too slowly.
pub async fn limit_slow_bodies(
    State(timeout): State<SlowBodyTimeout>,
    request: Request,
    next: Next,
) -> Response {
    next.run(timed(request, timeout)).await
}

/// The same request, whose body fails if it arrives too slowly.
pub(crate) fn timed(request: Request, SlowBodyTimeout(timeout): SlowBodyTimeout) -> Request {
    if request.body().is_end_stream() {
        return request;
    }
    request.map(|body| Body::from_stream(TimedBody::new(body.into_data_stream(), timeout)))
}

/// Why a body that arrived too slowly ended early.
#[derive(Debug)]
struct TooSlow(Duration);

impl fmt::Display for TooSlow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kib, seconds) = (PIECE >> 10, self.0.as_secs_f64());
        write!(
            formatter,
            "the body arrived too slowly: at least {kib} KiB are expected every {seconds} s"
        )
    }
}

impl std::error::Error for TooSlow {}

/// The message for the client if a body failed because it arrived too slowly; `None` if it failed otherwise.
pub(crate) fn too_slow(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    causes
        .find_map(|cause| cause.downcast_ref::<TooSlow>())
        .map(ToString::to_string)
}

struct TimedBody {
    body: BodyDataStream,
    timeout: Duration,
    /// Bytes received of the current piece.
    received: usize,
    /// How long the service has waited for the current piece, without the wait in `waiting`.
    waited: Duration,
    /// When the service began to wait for the next bytes, and the timer that ends the wait.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl TimedBody {
    const fn new(body: BodyDataStream, timeout: Duration) -> Self {
        Self {
            body,
            timeout,
            received: 0,
            waited: Duration::ZERO,
            waiting: None,
        }
    }
}

impl Stream for TimedBody {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if let Poll::Ready(item) = this.body.poll_next_unpin(context) {
            if let Some((since, _)) = this.waiting.take() {
                this.waited += since.elapsed();
            }
            if let Some(Ok(bytes)) = &item {
                this.received += bytes.len();
                if this.received >= PIECE {
                    (this.received, this.waited) = (0, Duration::ZERO);
                }
            }
            return Poll::Ready(item);
        }
        let left = this.timeout.saturating_sub(this.waited);
        let (_, timer) = this
            .waiting
            .get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
        ready!(timer.as_mut().poll(context));
        Poll::Ready(Some(Err(axum::Error::new(TooSlow(this.timeout)))))
    }
}

#[cfg(test)]
mod tests {
    use futures::{future, stream};

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(30);

    /// Reads a body whose chunks have these sizes and each arrive after `pause`. The reader rests between chunks.
    /// Returns the bytes received, the time taken and the error.
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
        let mut timed = TimedBody::new(body.into_data_stream(), TIMEOUT);
        let mut received = 0;
        while let Some(item) = timed.next().await {
            match item {
                Ok(bytes) => received += bytes.len(),
                Err(error) => return (received, begun.elapsed(), too_slow(&error)),
            }
            sleep(rest).await;
        }
        (received, begun.elapsed(), None)
    }

    const SECOND: Duration = Duration::from_secs(1);
    const NONE: Duration = Duration::ZERO;

    #[tokio::test(start_paused = true)]
    async fn a_byte_a_second_fails_after_the_timeout() {
        let (received, time, error) = read(vec![1; 1_000], SECOND, NONE, false).await;
        assert_eq!((received, time.as_secs()), (30, 30));
        assert_eq!(
            error.as_deref(),
            Some("the body arrived too slowly: at least 16 KiB are expected every 30 s")
        );
    }

    #[tokio::test(start_paused = true)]
    async fn silence_in_the_middle_fails_after_the_timeout() {
        let (received, time, error) = read(vec![PIECE, 5], SECOND, NONE, true).await;
        assert_eq!((received, time.as_secs()), (PIECE + 5, 31));
        assert!(error.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_body_over_a_slow_line_may_take_any_time() {
        // A kibibyte a second, for more than a quarter of an hour.
        let (received, time, error) = read(vec![1 << 10; 1_000], SECOND, NONE, false).await;
        assert_eq!((received, time.as_secs(), error), (1_000 << 10, 1_000, None));
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_during_which_the_service_does_not_read_is_not_counted() {
        let (received, _, error) = read(vec![1 << 10; 100], SECOND, TIMEOUT, false).await;
        assert_eq!((received, error), (100 << 10, None));
    }

    #[tokio::test(start_paused = true)]
    async fn a_small_complete_body_is_read_without_waiting() {
        assert_eq!(read(vec![3], SECOND, NONE, false).await, (3, SECOND, None));
    }
}
