//! The trace that a command is part of. A script that is traced names it in its environment, as other
//! tools of W3C trace context do, and every call passes it on.

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
    /// The trace of `TRACEPARENT` and `TRACESTATE`. Values that cannot be sent are ignored, as if
    /// unset: a trace must not make a command fail.
    pub(crate) fn of_environment() -> Self {
        let read = |name| env::var(name).ok()?.parse().ok();
        let parent: Option<AsciiMetadataValue> = read("TRACEPARENT");
        // Without a parent it has no meaning.
        let state = parent.as_ref().and_then(|_| read("TRACESTATE"));
        Self { parent, state }
    }

    /// Marks a request as part of the trace.
    pub(crate) fn mark<T>(&self, request: &mut Request<T>) {
        let headers: &mut MetadataMap = request.metadata_mut();
        if let Some(parent) = &self.parent {
            headers.insert("traceparent", parent.clone());
        }
        if let Some(state) = &self.state {
            headers.insert("tracestate", state.clone());
        }
    }
}
