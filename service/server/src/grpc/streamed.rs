//! The bodies of streams: scheduled fairly, and counted as activity of their connection.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use gamekeeper_games::fair::{Turn, written};
use http_body_util::BodyExt;
use hyper::body::Frame;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::Body as HttpBody;

use crate::doorway::Busy;

/// Wraps a body so that its frames are produced in fair slots, in turn with other work.
pub(super) fn in_turns(body: Body, turn: Turn) -> Body {
    if body.is_end_stream() {
        return body;
    }
    Body::new(InTurns { body, turn })
}

/// Wraps a body so that its connection counts as busy until the body ends.
pub(super) fn carrying(body: Body, busy: Option<Busy>) -> Body {
    Body::new(body.map_frame(move |frame| {
        let _carried = &busy;
        frame
    }))
}

struct InTurns {
    body: Body,
    turn: Turn,
}

impl HttpBody for InTurns {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Self { body, turn } = self.get_mut();
        turn.poll(context, |context| {
            let polled = Pin::new(body).poll_frame(context);
            if let Poll::Ready(Some(Ok(frame))) = &polled {
                written(frame.data_ref().map_or(0, Bytes::len));
            }
            polled
        })
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}
