//! The rule document's acceptance cases and the random-play suite.

mod conformance;
