//! The **trace context** of a command (W3C). A traced script passes it in its environment, and every call forwards it.

use std::env;

use tonic::Request;
use tonic::metadata::{AsciiMetadataValue, MetadataMap};

/// The headers `traceparent` and `tracestate` of calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    parent: Option<AsciiMetadataValue>,
    state: Option<AsciiMetadataValue>,
}

impl Trace {
    /// Reads the trace from `TRACEPARENT` and `TRACESTATE`. Invalid values are ignored, because a trace must not make a
    /// command fail.
    pub(crate) fn of_environment() -> Self {
        let read = |name| env::var(name).ok()?.parse().ok();
        let parent: Option<AsciiMetadataValue> = read("TRACEPARENT");
        // Without a parent, the state has no meaning.
        let state = parent.as_ref().and_then(|_| read("TRACESTATE"));
        Self { parent, state }
    }

    /// Adds the headers of the trace to a request.
    pub(crate) fn add_trace_id<T>(&self, request: &mut Request<T>) {
        let headers: &mut MetadataMap = request.metadata_mut();
        if let Some(parent) = &self.parent {
            headers.insert("traceparent", parent.clone());
        }
        if let Some(state) = &self.state {
            headers.insert("tracestate", state.clone());
        }
    }
}
