//! **Timing**: clocks that tests can set, jitter of delays, and yielding of long work.

pub(crate) mod clock;
pub mod jitter;
pub(crate) mod yielder;
