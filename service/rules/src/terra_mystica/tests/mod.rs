//! Tests by theme. Names of acceptance cases begin with their ids.

mod board;
mod clarifications;
mod conformance;
mod edges;
mod illegal;
mod legal;
mod map;
mod printed;
mod promos;
mod rich;
mod round_end;
mod said;
mod seed_examples;
mod setting_up;
mod spades;
mod table;
mod words;
