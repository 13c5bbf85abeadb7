//! The trace that a command is part of. A script that is traced names it in its environment, as other
//! tools of W3C trace context do, and every call passes it on.

use std::env;

use tonic::Request;
use tonic::metadata::{AsciiMetadataValue, MetadataMap};

/// What calls carry: the headers `traceparent` and `tracestate`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    parent: Option<AsciiMetadataValue>,
    state: Option<AsciiMetadataValue>,
}

impl Trace {
    /// The trace of `TRACEPARENT` and `TRACESTATE`. What cannot be sent is left out, as if it were not
    /// set: a trace must not be the reason why a command fails.
    pub(crate) fn of_environment() -> Self {
        let read = |name| env::var(name).ok()?.parse().ok();
        let parent: Option<AsciiMetadataValue> = read("TRACEPARENT");
        // Without a parent it means nothing.
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
