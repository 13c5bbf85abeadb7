//! Tests of whole processes.
