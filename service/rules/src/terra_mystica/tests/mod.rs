//! Tests by theme. Names of acceptance cases begin with their ids.

mod conformance;
