//! The tests of the rule document.

mod conformance;
