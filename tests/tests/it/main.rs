//! Tests of whole processes.

mod stores;
