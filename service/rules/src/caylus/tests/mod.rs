//! The rule document's acceptance cases, one file per theme.

mod conformance;
