//! A stream whose writes leave together.
//!
//! The HTTP/2 library writes every response of more than 256 bytes to its connection at once, with a
//! system call of its own. One wake-up of a connection often finds many responses, for a batch of
//! commits returns from the store together. So writes are gathered here while the connection is polled,
//! and are sent once there are enough or the poll ends.

use std::future::{Future, poll_fn};
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// With this many bytes gathered, they are sent, so that the peer can begin to work on them.
const ENOUGH: usize = 4 * 1024;

/// With this many bytes gathered, further writes wait until the peer has taken them.
const MAX: usize = 64 * 1024;

/// A stream that gathers what is written to it until [`Gathered::serve`] sends it.
pub(crate) struct Gathered<I>(Arc<Mutex<Ends<I>>>);

struct Ends<I> {
    stream: I,
    /// Written, but not sent.
    unsent: Vec<u8>,
    /// How many of these bytes are already sent.
    sent: usize,
    /// How many bytes were read.
    read: usize,
}

impl<I> Clone for Gathered<I> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<I> Gathered<I> {
    fn ends(&self) -> MutexGuard<'_, Ends<I>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<I: AsyncWrite + Unpin> Gathered<I> {
    pub(crate) fn new(stream: I) -> Self {
        Self(Arc::new(Mutex::new(Ends {
            stream,
            unsent: Vec::new(),
            sent: 0,
            read: 0,
        })))
    }

    /// How many bytes the peer has sent.
    pub(crate) fn bytes_read(&self) -> usize {
        self.ends().read
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
            let served = connection.as_mut().poll(context);
            match (served, self.ends().poll_send(context)) {
                (Poll::Pending, Poll::Ready(Err(broken))) => Poll::Ready(Err(broken.into())),
                (served, _) => served,
            }
        })
    }
}

impl<I: AsyncWrite + Unpin> Ends<I> {
    /// Sends what was gathered.
    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.sent < self.unsent.len() {
            let stream = Pin::new(&mut self.stream);
            match ready!(stream.poll_write(context, &self.unsent[self.sent..]))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => self.sent += written,
            }
        }
        if self.sent > 0 {
            // Given back, since most connections are idle most of the time.
            (self.unsent, self.sent) = (Vec::new(), 0);
        }
        Pin::new(&mut self.stream).poll_flush(context)
    }

    /// Room for more.
    fn poll_room(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.unsent.len() >= ENOUGH
            && self.poll_send(context)?.is_pending()
            && self.unsent.len() >= MAX
        {
            return Poll::Pending;
        }
        if self.unsent.is_empty() {
            self.unsent.reserve(2 * ENOUGH);
        }
        Poll::Ready(Ok(()))
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Gathered<I> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut ends = self.ends();
        let before = buffer.filled().len();
        let polled = Pin::new(&mut ends.stream).poll_read(context, buffer);
        ends.read += buffer.filled().len() - before;
        polled
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Gathered<I> {
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
        let mut ends = self.ends();
        ready!(ends.poll_room(context))?;
        let before = ends.unsent.len();
        for slice in slices {
            ends.unsent.extend_from_slice(slice);
        }
        Poll::Ready(Ok(ends.unsent.len() - before))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// Does nothing: [`Gathered::serve`] sends at the end of every poll.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut ends = self.ends();
        ready!(ends.poll_send(context))?;
        Pin::new(&mut ends.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::poll;
    use tokio::io::AsyncWriteExt;

    use super::*;

    /// A peer that takes a number of bytes, and counts the writes.
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

    fn peer(takes: usize) -> Gathered<Peer> {
        Gathered::new(Peer {
            takes,
            ..Peer::default()
        })
    }

    async fn write_and_wait(mut stream: Gathered<Peer>, pieces: u8) -> io::Result<()> {
        for piece in 0..pieces {
            stream.write_all(&[piece; 1_000]).await?;
            stream.flush().await?;
        }
        std::future::pending().await
    }

    #[tokio::test]
    async fn what_one_poll_writes_leaves_in_one_write() {
        let stream = peer(usize::MAX);
        let mut connection = pin!(write_and_wait(stream.clone(), 4));
        assert!(poll!(pin!(stream.serve(connection.as_mut()))).is_pending());
        let ends = stream.ends();
        let sent: Vec<u8> = (0..4).flat_map(|piece| [piece; 1_000]).collect();
        assert_eq!(ends.stream.taken, sent);
        assert_eq!((ends.stream.writes, ends.unsent.capacity()), (1, 0));
    }

    #[tokio::test]
    async fn a_peer_that_takes_nothing_stops_the_writes() {
        let stream = peer(0);
        let mut connection = pin!(write_and_wait(stream.clone(), 200));
        for _ in 0..3 {
            assert!(poll!(pin!(stream.serve(connection.as_mut()))).is_pending());
            let gathered = stream.ends().unsent.len();
            assert!((MAX..MAX + 1_000).contains(&gathered), "{gathered}");
        }
        // It reads again, at first a little.
        for takes in [10, 70_000, usize::MAX] {
            stream.ends().stream.takes = takes;
            assert!(poll!(pin!(stream.serve(connection.as_mut()))).is_pending());
        }
        let sent: Vec<u8> = (0..200).flat_map(|piece| [piece; 1_000]).collect();
        assert!(stream.ends().stream.taken == sent, "all of it, in order");
    }

    #[tokio::test]
    async fn a_shutdown_sends_first() {
        let mut stream = peer(usize::MAX);
        stream.write_all(b"goodbye").await.unwrap();
        assert!(stream.ends().stream.taken.is_empty());
        stream.shutdown().await.unwrap();
        assert_eq!(stream.ends().stream.taken, b"goodbye");
    }

    #[tokio::test]
    async fn a_broken_stream_ends_the_connection() {
        let (near, far) = tokio::io::duplex(64);
        drop(far);
        let stream = Gathered::new(near);
        let mut writer = stream.clone();
        let mut connection = pin!(async move {
            writer.write_all(b"hello").await?;
            std::future::pending::<io::Result<()>>().await
        });
        assert!(stream.serve(connection.as_mut()).await.is_err());
    }
}
