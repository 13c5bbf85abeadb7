//! Write **coalescing** and a **cooperative budget** for connections.
//!
//! The HTTP/2 library writes every response of more than 256 bytes to its connection immediately, with a system call
//! of its own. One wake-up of a connection often finds many responses, because a batch of commits returns from the
//! store together. So writes are coalesced here while the connection is polled, and are sent when there are enough or
//! the poll ends.
//!
//! The library also polls a connection until the socket is drained, whatever work that begins, and one packet may
//! begin hundreds of calls. This wrapper bounds the work of one poll: then reads and writes return pending, and the
//! connection yields to the scheduler.

use std::future::{Future, poll_fn};
use std::io::{self, IoSlice};
use std::mem;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

/// The time from the beginning of a poll in which it may read. It may write until twice this time has passed.
const READ_TIME: Duration = Duration::from_micros(100);

/// The maximum number of bytes read at once, so that their calls begin before more is read.
const READ_CHUNK: usize = 2 * 1024;

/// The beginning of every connection with HTTP/2.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The number of buffered bytes from which on they are sent, so that the peer can begin to work on them.
const FLUSH_AT: usize = 4 * 1024;

/// The number of buffered bytes from which on further writes wait until the peer has read some (**backpressure**).
const MAX_BUFFERED: usize = 64 * 1024;

/// A stream that coalesces writes until [`CoalescingStream::serve`] sends them.
pub(crate) struct CoalescingStream<I>(Arc<Mutex<BufferedIo<I>>>);

struct BufferedIo<I> {
    stream: I,
    /// The bytes that were written, including those that are already sent.
    buffer: Vec<u8>,
    /// The number of these bytes that are already sent.
    flushed: usize,
    /// The number of bytes read.
    bytes_read: usize,
    /// The number of bytes read that are those of the preface of HTTP/2.
    preface_read: usize,
    budget: PollBudget,
}

/// The progress of a poll. Every poll may read and write at least once, so that it makes progress however slow the
/// machine is.
struct PollBudget {
    started: Instant,
    /// The time for which the poll may read.
    read_time: Duration,
    has_read: bool,
    has_written: bool,
}

impl PollBudget {
    fn new(read_time: Duration) -> Self {
        Self {
            started: Instant::now(),
            read_time,
            has_read: false,
            has_written: false,
        }
    }

    fn may_read(&mut self) -> bool {
        !mem::replace(&mut self.has_read, true) || self.started.elapsed() < self.read_time
    }

    fn may_write(&mut self) -> bool {
        let until = self.read_time.saturating_mul(2);
        !mem::replace(&mut self.has_written, true) || self.started.elapsed() < until
    }
}

/// Ends a poll whose budget is used up, and schedules the next one.
fn yield_now<A>(context: &Context<'_>) -> Poll<A> {
    context.waker().wake_by_ref();
    Poll::Pending
}

impl<I> Clone for CoalescingStream<I> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<I: AsyncWrite + Unpin> CoalescingStream<I> {
    pub(crate) fn new(stream: I) -> Self {
        Self::with_read_time(stream, READ_TIME)
    }

    fn with_read_time(stream: I, time: Duration) -> Self {
        Self(Arc::new(Mutex::new(BufferedIo {
            stream,
            buffer: Vec::new(),
            flushed: 0,
            bytes_read: 0,
            preface_read: 0,
            budget: PollBudget::new(time),
        })))
    }

    fn reset_budget(&self) {
        let mut io = self.0.lock();
        io.budget = PollBudget::new(io.budget.read_time);
    }

    /// Returns how many bytes the peer has sent.
    pub(crate) fn bytes_read(&self) -> usize {
        self.0.lock().bytes_read
    }

    /// Whether the peer has sent the preface of HTTP/2.
    pub(crate) fn is_http2(&self) -> bool {
        self.0.lock().preface_read == PREFACE.len()
    }

    /// Polls the connection that reads and writes this stream, and sends what each poll wrote.
    pub(crate) fn serve<C, E>(
        &self,
        mut connection: Pin<&mut C>,
    ) -> impl Future<Output = Result<(), E>>
    where
        C: Future<Output = Result<(), E>>,
        E: From<io::Error>,
    {
        poll_fn(move |context| {
            self.reset_budget();
            let served = connection.as_mut().poll(context);
            match (served, self.0.lock().poll_send(context)) {
                (Poll::Pending, Poll::Ready(Err(broken))) => Poll::Ready(Err(broken.into())),
                (served, _) => served,
            }
        })
    }
}

impl<I: AsyncRead + AsyncWrite + Unpin> CoalescingStream<I> {
    /// Reads and drops what the peer sends, until it stops.
    pub(crate) async fn discard(&self) -> io::Result<()> {
        let mut stream = self.clone();
        let mut rest = pin!(async move {
            let mut dropped = vec![0; READ_CHUNK];
            while stream.read(&mut dropped).await? > 0 {}
            Ok(())
        });
        self.serve(rest.as_mut()).await
    }
}

impl<I: AsyncWrite + Unpin> BufferedIo<I> {
    /// Sends the buffered bytes.
    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.flushed < self.buffer.len() {
            let stream = Pin::new(&mut self.stream);
            match ready!(stream.poll_write(context, &self.buffer[self.flushed..]))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => self.flushed += written,
            }
        }
        if self.flushed > 0 {
            // Free the buffer, since most connections are idle most of the time.
            (self.buffer, self.flushed) = (Vec::new(), 0);
        }
        Pin::new(&mut self.stream).poll_flush(context)
    }

    /// Waits until the buffer has room for more.
    fn poll_room(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.buffer.len() >= FLUSH_AT
            && self.poll_send(context)?.is_pending()
            && self.buffer.len() >= MAX_BUFFERED
        {
            return Poll::Pending;
        }
        if self.buffer.is_empty() {
            self.buffer.reserve(FLUSH_AT);
        }
        Poll::Ready(Ok(()))
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for CoalescingStream<I> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut io = self.0.lock();
        if !io.budget.may_read() {
            return yield_now(context);
        }
        let room = buffer.remaining().min(READ_CHUNK);
        let mut chunk = ReadBuf::new(buffer.initialize_unfilled_to(room));
        ready!(Pin::new(&mut io.stream).poll_read(context, &mut chunk))?;
        let read = chunk.filled().len();
        if io.preface_read == io.bytes_read {
            let rest = PREFACE[io.preface_read.min(PREFACE.len())..].iter();
            let same = rest
                .zip(chunk.filled())
                .take_while(|(one, other)| one == other);
            io.preface_read += same.count();
        }
        buffer.advance(read);
        io.bytes_read += read;
        Poll::Ready(Ok(()))
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for CoalescingStream<I> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut io = self.0.lock();
        if !io.budget.may_write() {
            return yield_now(context);
        }
        ready!(io.poll_room(context))?;
        let before = io.buffer.len();
        for slice in slices {
            io.buffer.extend_from_slice(slice);
        }
        Poll::Ready(Ok(io.buffer.len() - before))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// Does nothing: [`CoalescingStream::serve`] sends at the end of every poll.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut io = self.0.lock();
        ready!(io.poll_send(context))?;
        Pin::new(&mut io.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::poll;
    use tokio::io::AsyncWriteExt;

    use super::*;

    /// A peer that reads a number of bytes, and counts the writes.
    #[derive(Default)]
    struct Peer {
        takes: usize,
        taken: Vec<u8>,
        writes: usize,
    }

    impl AsyncWrite for Peer {
        fn poll_write(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            let count = bytes.len().min(self.takes);
            if count == 0 {
                return Poll::Pending;
            }
            self.takes -= count;
            self.writes += 1;
            self.taken.extend_from_slice(&bytes[..count]);
            Poll::Ready(Ok(count))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    /// Creates a stream whose polls have no time limit, so that the test does not depend on the speed of the machine.
    fn peer(takes: usize) -> CoalescingStream<Peer> {
        let peer = Peer {
            takes,
            ..Peer::default()
        };
        CoalescingStream::with_read_time(peer, Duration::MAX)
    }

    async fn write_and_wait(mut stream: CoalescingStream<Peer>, pieces: u8) -> io::Result<()> {
        for chunk in 0..pieces {
            stream.write_all(&[chunk; 1_000]).await?;
            stream.flush().await?;
        }
        std::future::pending().await
    }

    #[tokio::test]
    async fn what_one_poll_writes_leaves_in_one_write() {
        let stream = peer(usize::MAX);
        let mut connection = pin!(write_and_wait(stream.clone(), 4));
        assert!(poll!(pin!(stream.serve(connection.as_mut()))).is_pending());
        let io = stream.0.lock();
        let sent: Vec<u8> = (0..4).flat_map(|chunk| [chunk; 1_000]).collect();
        assert_eq!(io.stream.taken, sent);
        assert_eq!((io.stream.writes, io.buffer.capacity()), (1, 0));
    }

    #[tokio::test]
    async fn a_peer_that_takes_nothing_stops_the_writes() {
        let stream = peer(0);
        let mut connection = pin!(write_and_wait(stream.clone(), 200));
        for _ in 0..3 {
            assert!(poll!(pin!(stream.serve(connection.as_mut()))).is_pending());
            let gathered = stream.0.lock().buffer.len();
            assert!(
                (MAX_BUFFERED..MAX_BUFFERED + 1_000).contains(&gathered),
                "{gathered}"
            );
        }
        // The peer reads again, at first a little.
        for takes in [10, 70_000, usize::MAX] {
            stream.0.lock().stream.takes = takes;
            assert!(poll!(pin!(stream.serve(connection.as_mut()))).is_pending());
        }
        let sent: Vec<u8> = (0..200).flat_map(|chunk| [chunk; 1_000]).collect();
        assert!(stream.0.lock().stream.taken == sent, "all of it, in order");
    }

    /// Takes a while for each piece, as the library does to begin calls or to write responses.
    fn work() {
        let begun = Instant::now();
        while begun.elapsed() < READ_TIME / 2 {
            std::hint::spin_loop();
        }
    }

    #[tokio::test]
    async fn a_poll_ends_though_there_is_more_to_read_and_write() {
        let (near, mut far) = tokio::io::duplex(1 << 20);
        far.write_all(&[7; 100 * READ_CHUNK]).await.unwrap();
        let stream = CoalescingStream::new(near);
        let mut both = stream.clone();
        let mut connection = pin!(poll_fn(move |context| {
            loop {
                let mut room = [0; 4 * READ_CHUNK];
                let mut buffer = ReadBuf::new(&mut room);
                let read = Pin::new(&mut both).poll_read(context, &mut buffer)?;
                if read.is_pending() {
                    break;
                }
                work();
            }
            while Pin::new(&mut both)
                .poll_write(context, &[8; 100])?
                .is_ready()
            {
                work();
            }
            Poll::<io::Result<()>>::Pending
        }));
        let (mut polls, mut read, mut written) = (0, 0, 0);
        while stream.bytes_read() < 100 * READ_CHUNK {
            // The task scheduler has a budget for each task, too.
            tokio::task::yield_now().await;
            assert!(poll!(pin!(stream.serve(connection.as_mut()))).is_pending());
            polls += 1;
            let (before, mut sent) = (read, [0; 1_000]);
            read = stream.bytes_read();
            assert!(
                (READ_CHUNK..=2 * READ_CHUNK).contains(&(read - before)),
                "{read}"
            );
            let sent = far.read(&mut sent).await.unwrap();
            written += sent;
            assert!((100..=400).contains(&sent), "{sent}");
        }
        assert!(polls >= 50 && written >= 100 * polls);
    }

    #[tokio::test]
    async fn a_poll_that_ends_early_is_followed_by_another() {
        let (near, mut far) = tokio::io::duplex(1 << 20);
        far.write_all(&[7; 20 * READ_CHUNK]).await.unwrap();
        let stream = CoalescingStream::new(near);
        let mut all = stream.clone();
        let mut connection = pin!(async move {
            let mut room = [0; READ_CHUNK];
            for _ in 0..20 {
                all.read_exact(&mut room).await?;
                work();
            }
            Ok::<_, io::Error>(())
        });
        let served = stream.serve(connection.as_mut());
        let served = tokio::time::timeout(Duration::from_secs(20), served);
        served.await.expect("in time").unwrap();
    }

    #[tokio::test]
    async fn a_shutdown_sends_first() {
        let mut stream = peer(usize::MAX);
        stream.write_all(b"goodbye").await.unwrap();
        assert!(stream.0.lock().stream.taken.is_empty());
        stream.shutdown().await.unwrap();
        assert_eq!(stream.0.lock().stream.taken, b"goodbye");
    }

    #[tokio::test]
    async fn a_broken_stream_ends_the_connection() {
        let (near, far) = tokio::io::duplex(64);
        drop(far);
        let stream = CoalescingStream::new(near);
        let mut writer = stream.clone();
        let mut connection = pin!(async move {
            writer.write_all(b"hello").await?;
            std::future::pending::<io::Result<()>>().await
        });
        assert!(stream.serve(connection.as_mut()).await.is_err());
    }
}
