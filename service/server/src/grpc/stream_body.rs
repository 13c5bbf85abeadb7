//! The bodies of streams: scheduled fairly, and holders of what their stream has taken.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use gamekeeper_games::scheduling::{FairTask, record_written};
use http_body_util::BodyExt;
use hyper::body::Frame;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::Body as HttpBody;

/// Wraps a body so that its frames are produced in fair slots, in turn with other work, and count as bytes of
/// responses.
pub(super) fn scheduled_body(body: Body, task: FairTask) -> Body {
    scheduled(body, task, true)
}

/// Wraps a body like [`scheduled_body`], if its bytes are those of a body that counts them.
pub(super) fn scheduled_conversion(body: Body, task: FairTask) -> Body {
    scheduled(body, task, false)
}

fn scheduled(body: Body, task: FairTask, is_counted: bool) -> Body {
    if body.is_end_stream() {
        return body;
    }
    Body::new(ScheduledBody {
        body,
        task,
        is_counted,
    })
}

/// Wraps a body so that it keeps `guard` until it ends.
pub(super) fn carrying(body: Body, guard: impl Send + 'static) -> Body {
    Body::new(body.map_frame(move |frame| {
        let _carried = &guard;
        frame
    }))
}

struct ScheduledBody {
    body: Body,
    task: FairTask,
    is_counted: bool,
}

impl HttpBody for ScheduledBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Self {
            body,
            task,
            is_counted,
        } = self.get_mut();
        task.poll(context, |context| {
            let polled = Pin::new(body).poll_frame(context);
            if *is_counted && let Poll::Ready(Some(Ok(frame))) = &polled {
                record_written(frame.data_ref().map_or(0, Bytes::len));
            }
            polled
        })
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}
