//! The bodies of streams: scheduled fairly, and counted as activity of their connection.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use gamekeeper_games::scheduling::{FairTask, record_written};
use http_body_util::BodyExt;
use hyper::body::Frame;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::Body as HttpBody;

use crate::connection_limiter::ActiveStreamGuard;

/// Wraps a body so that its frames are produced in fair slots, in turn with other work.
pub(super) fn scheduled_body(body: Body, task: FairTask) -> Body {
    if body.is_end_stream() {
        return body;
    }
    Body::new(ScheduledBody { body, task })
}

/// Wraps a body so that its connection counts as busy until the body ends.
pub(super) fn keep_connection_active(body: Body, active_stream: Option<ActiveStreamGuard>) -> Body {
    Body::new(body.map_frame(move |frame| {
        let _carried = &active_stream;
        frame
    }))
}

struct ScheduledBody {
    body: Body,
    task: FairTask,
}

impl HttpBody for ScheduledBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Self { body, task } = self.get_mut();
        task.poll(context, |context| {
            let polled = Pin::new(body).poll_frame(context);
            if let Poll::Ready(Some(Ok(frame))) = &polled {
                record_written(frame.data_ref().map_or(0, Bytes::len));
            }
            polled
        })
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}
