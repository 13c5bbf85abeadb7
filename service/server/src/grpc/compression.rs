//! Compression of single messages, where the client accepts it and it pays off. The library would compress every
//! message of a response, or none; small messages hardly shrink, and compressing one costs as much as judging an
//! action.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Write};

use bytes::{Buf, BufMut, Bytes, BytesMut};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::{FutureExt, StreamExt, stream};
use http_body_util::{BodyExt, BodyStream, StreamBody};
use hyper::body::Frame;
use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, HeaderValue, Response};

use super::unary::HEADER_SIZE;

/// The minimum size of a message to compress, in bytes. Events and catalogues of this size shrink by half, in 11
/// microseconds with zstd and 40 with gzip; views of a few hundred bytes hardly shrink.
const LARGE: usize = 4 << 10;

/// The maximum size of a message to compress, in bytes: the thread serves no other call while it compresses, and gzip
/// takes about 3 ms for this many bytes.
const HUGE: usize = 256 << 10;

/// The fastest level of both encodings: the next levels take twice as long to save another tenth.
const LEVEL: i32 = 1;

/// The number of compressed messages that each thread caches, so that a message to many watchers, or a rule document
/// for many readers, is compressed once.
const CACHED_FRAMES: usize = 8;

thread_local! {
    static CACHE: RefCell<VecDeque<CachedFrame>> = const { RefCell::new(VecDeque::new()) };
}

struct CachedFrame {
    encoding: Encoding,
    message: Vec<u8>,
    compressed: Bytes,
}

/// The encoding of a compressed response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Zstd,
    Gzip,
}

impl Encoding {
    /// Returns the best encoding that a client accepts.
    pub(super) fn accepted(headers: &HeaderMap) -> Option<Self> {
        let accepted = headers.get("grpc-accept-encoding")?.to_str().ok()?;
        let is_read = |name: &str| accepted.split(',').any(|read| read.trim() == name);
        [Self::Zstd, Self::Gzip]
            .into_iter()
            .find(|encoding| is_read(encoding.name()))
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    /// Compresses a message, or returns the cached result.
    fn compress_once(self, message: &[u8]) -> io::Result<Bytes> {
        CACHE.with_borrow_mut(|cache| {
            let is_same =
                |cached: &&CachedFrame| cached.encoding == self && cached.message == message;
            if let Some(cached) = cache.iter().find(is_same) {
                return Ok(cached.compressed.clone());
            }
            let compressed = Bytes::from(self.compress(message)?);
            cache.truncate(CACHED_FRAMES - 1);
            cache.push_front(CachedFrame {
                encoding: self,
                message: message.to_vec(),
                compressed: compressed.clone(),
            });
            Ok(compressed)
        })
    }

    fn compress(self, message: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Zstd => zstd::bulk::compress(message, LEVEL),
            Self::Gzip => {
                let room = Vec::with_capacity(message.len() / 2);
                let mut encoder = GzEncoder::new(room, Compression::fast());
                encoder.write_all(message)?;
                encoder.finish()
            }
        }
    }
}

/// Compresses the large messages of a response. That of a unary response is compressed at once, in the turn of its call;
/// those of a stream are compressed when they are sent, in the turns of the stream.
pub(super) fn compressed(
    mut response: Response<Body>,
    encoding: Encoding,
    is_unary: bool,
) -> Response<Body> {
    // A response that is only a status has nothing to compress.
    if response.headers().contains_key("grpc-status") {
        return response;
    }
    let name = HeaderValue::from_static(encoding.name());
    response.headers_mut().insert("grpc-encoding", name);
    response.map(|mut body| {
        let mut passthrough = 0;
        let mut compress = move |frame: Frame<Bytes>| {
            frame.map_data(|data| compress_messages(data, encoding, &mut passthrough))
        };
        let ready = is_unary.then(|| body.frame().now_or_never().flatten());
        let first = ready.flatten().map(|frame| frame.map(&mut compress));
        let rest = body.map_frame(compress);
        match first {
            Some(first) => {
                let frames = stream::iter([first]).chain(BodyStream::new(rest));
                Body::new(StreamBody::new(frames))
            }
            None => Body::new(rest),
        }
    })
}

/// Compresses the large messages in one part of a response. The library sends whole messages; if one continues
/// in the next part, its remaining `passthrough` bytes are passed on as they are.
fn compress_messages(mut data: Bytes, encoding: Encoding, passthrough: &mut usize) -> Bytes {
    let mut written = BytesMut::with_capacity(data.len() / 2);
    while !data.is_empty() {
        if *passthrough == 0 && data.len() < HEADER_SIZE {
            // Not even a whole header: pass on everything that follows.
            *passthrough = usize::MAX;
        }
        if *passthrough > 0 {
            let part = data.len().min(*passthrough);
            *passthrough -= part;
            written.put(data.split_to(part));
            continue;
        }
        let header = data.split_to(HEADER_SIZE);
        let (flag, length) = (header[0], (&header[1..]).get_u32());
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let message = data.get(..length);
        let large = message.filter(|_| flag == 0 && (LARGE..=HUGE).contains(&length));
        let smaller = large.and_then(|message| encoding.compress_once(message).ok());
        match smaller.map(|smaller| (u32::try_from(smaller.len()), smaller)) {
            Some((Ok(smaller_length), smaller)) if smaller.len() < length => {
                written.put_u8(1);
                written.put_u32(smaller_length);
                written.put_slice(&smaller);
                data.advance(length);
            }
            Some(_) | None => {
                written.put(header);
                *passthrough = length;
            }
        }
    }
    written.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(names: &'static str) -> Option<Encoding> {
        let value = HeaderValue::from_static(names);
        let name = "grpc-accept-encoding".parse().unwrap();
        Encoding::accepted(&HeaderMap::from_iter([(name, value)]))
    }

    #[test]
    fn the_client_says_what_it_reads() {
        assert_eq!(accepted("identity, deflate, gzip"), Some(Encoding::Gzip));
        assert_eq!(accepted("gzip,zstd"), Some(Encoding::Zstd));
        assert_eq!(accepted("identity,gzipped"), None);
        assert_eq!(Encoding::accepted(&HeaderMap::new()), None);
    }

    fn framed(message: &[u8]) -> Vec<u8> {
        let mut frame = vec![0];
        frame.put_u32(message.len().try_into().unwrap());
        frame.put_slice(message);
        frame
    }

    /// Returns the original messages, and whether each was compressed.
    fn read(mut data: Bytes, encoding: Encoding) -> (Vec<Vec<u8>>, Vec<bool>) {
        let (mut messages, mut flags) = (Vec::new(), Vec::new());
        while !data.is_empty() {
            let flag = data.get_u8() == 1;
            let length = data.get_u32().try_into().unwrap();
            let message = data.split_to(length);
            messages.push(match (flag, encoding) {
                (false, _) => message.to_vec(),
                (true, Encoding::Zstd) => zstd::decode_all(&message[..]).unwrap(),
                (true, Encoding::Gzip) => {
                    let mut decoder = flate2::read::GzDecoder::new(&message[..]);
                    let mut plain = Vec::new();
                    io::Read::read_to_end(&mut decoder, &mut plain).unwrap();
                    plain
                }
            });
            flags.push(flag);
        }
        (messages, flags)
    }

    #[test]
    fn the_last_messages_are_compressed_once() {
        let message = |number: usize| format!("message {number} ").repeat(1_000).into_bytes();
        let address_of = |number| {
            let compressed = Encoding::Zstd.compress_once(&message(number)).unwrap();
            assert_eq!(zstd::decode_all(&*compressed).unwrap(), message(number));
            compressed
        };
        let first: Vec<Bytes> = (0..CACHED_FRAMES).map(address_of).collect();
        let again: Vec<Bytes> = (0..CACHED_FRAMES).map(address_of).collect();
        let same = |(one, other): (&Bytes, &Bytes)| one.as_ptr() == other.as_ptr();
        assert!(first.iter().zip(&again).all(same));
        let gzip = Encoding::Gzip.compress_once(&message(0)).unwrap();
        assert_ne!(gzip, first[0]);
        CACHE.with_borrow(|last| assert_eq!(last.len(), CACHED_FRAMES));
    }

    /// A call has its last turn before its response is sent.
    #[tokio::test]
    async fn a_unary_response_is_compressed_before_it_is_sent() {
        let trailers =
            HeaderMap::from_iter([("grpc-status".parse().unwrap(), "0".parse().unwrap())]);
        let message = framed(&b"a board game ".repeat(1_000));
        let frames = [
            Frame::data(Bytes::from(message.clone())),
            Frame::trailers(trailers.clone()),
        ];
        let body = StreamBody::new(stream::iter(frames.map(Ok::<_, tonic::Status>)));
        let response = compressed(Response::new(Body::new(body)), Encoding::Gzip, true);
        CACHE.with_borrow(|cache| assert_eq!(cache.len(), 1));
        let body = response.into_body().collect().await.unwrap();
        assert_eq!(body.trailers(), Some(&trailers));
        let (messages, flags) = read(body.to_bytes(), Encoding::Gzip);
        assert_eq!(
            (messages, flags),
            (vec![message[HEADER_SIZE..].to_vec()], vec![true])
        );
    }

    #[test]
    fn huge_messages_are_sent_as_they_are() {
        let messages = [vec![7; HUGE], vec![7; HUGE + 1]];
        let sent: Vec<u8> = messages
            .iter()
            .flat_map(|message| framed(message))
            .collect();
        for encoding in [Encoding::Zstd, Encoding::Gzip] {
            let compressed = compress_messages(Bytes::from(sent.clone()), encoding, &mut 0);
            let (decoded, flags) = read(compressed, encoding);
            assert_eq!(flags, [true, false]);
            assert!(decoded == messages);
        }
    }

    /// The parts in which the messages arrive make no difference.
    #[test]
    fn large_messages_are_compressed_and_none_is_lost() {
        let long = b"a board game ".repeat(1_000);
        let random: Vec<u8> = (0..9_000).map(|_| rand::random()).collect();
        let messages = [b"short".to_vec(), long, vec![], random, vec![7; LARGE]];
        let sent: Vec<u8> = messages
            .iter()
            .flat_map(|message| framed(message))
            .collect();
        for encoding in [Encoding::Zstd, Encoding::Gzip] {
            let mut passthrough = 0;
            let compressed =
                compress_messages(Bytes::from(sent.clone()), encoding, &mut passthrough);
            assert!(compressed.len() < sent.len() / 2 && passthrough == 0);
            let (decoded, flags) = read(compressed, encoding);
            assert_eq!(decoded, messages);
            assert_eq!(flags, [false, true, false, false, true]);
            for cut in [10 + 5, 1_000, sent.len() - 1] {
                let (one, other) = sent.split_at(cut);
                let parts = [one, other].map(Bytes::copy_from_slice);
                let parts = parts.map(|part| compress_messages(part, encoding, &mut passthrough));
                let (decoded, _) = read(Bytes::from(parts.concat()), encoding);
                assert!(decoded == messages && passthrough == 0, "cut at {cut}");
            }
        }
    }
}
