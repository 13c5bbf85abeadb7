//! Plain JSON: the unary calls of the **Connect protocol**, and one line of JSON for each message of a stream, of requests
//! or of responses.

mod error;
mod request;
mod response;
mod transcoding;
mod writing;

use std::convert::Infallible;

use prost_reflect::MethodDescriptor;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tower::Service;

use super::{Payer, media};
use crate::grpc::reasons::Reason;
use crate::grpc::unary::ResponseFuture;

/// A gRPC service for calls in JSON.
pub(super) struct JsonService<S> {
    inner: S,
    max_bytes: usize,
}

impl<S> JsonService<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    /// Creates the service around `inner`, for requests of at most this many bytes.
    pub(super) fn new(inner: S, max_bytes: usize) -> Self {
        Self { inner, max_bytes }
    }

    /// Answers a call, whose conversion this payer pays for.
    pub(super) fn call(&mut self, request: Request<Body>, payer: Payer) -> ResponseFuture {
        let method = transcoding::method(request.uri().path());
        let reads_stream = method
            .as_ref()
            .is_some_and(MethodDescriptor::is_client_streaming);
        let writes_stream = method
            .as_ref()
            .is_some_and(MethodDescriptor::is_server_streaming);
        if reads_stream && writes_stream {
            let message =
                "this method answers while it reads a stream of requests: call it with gRPC";
            let status = Reason::UNKNOWN_METHOD.status(message, []);
            return Box::pin(std::future::ready(Ok(error::response(&status))));
        }
        let input = method.as_ref().map(MethodDescriptor::input);
        let limits = (self.max_bytes, reads_stream);
        let request = request::of(request, input, limits, payer.clone());
        let response = self.inner.call(request);
        Box::pin(async move {
            let response = response.await?;
            Ok(response::of(response, method.as_ref(), &payer).await)
        })
    }
}
