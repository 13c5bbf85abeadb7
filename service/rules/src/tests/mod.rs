//! Tests of what all rulesets share: the types of the table, table events, bots and the conformance suite. One file per
//! module, at the same place as the module.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not get")]

mod bots;
mod conformance;
mod layout_hash;
mod table;
mod table_life;
