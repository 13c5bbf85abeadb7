//! Tests of the rules, one file per theme.

mod conformance;
