//! Tests of what happens beside the rules.

mod fork;
mod table_event;
