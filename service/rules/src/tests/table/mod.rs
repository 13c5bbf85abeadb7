//! Tests of the types that all tables share.

mod chance;
mod codec;
mod component;
mod holdings;
mod ids;
mod journal;
mod names;
mod number_in;
mod option;
mod options;
mod outcome;
mod picture;
mod ranking;
mod refusal;
mod seat;
mod settle;
mod term;
mod text;
mod words;
