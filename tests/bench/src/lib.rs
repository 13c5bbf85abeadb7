//! **Benchmarks**: the speed of the engines, the overhead of the service, and the cost of the service if the rules were
//! free.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measurement shows its figures, and stops at surprises"
)]

pub mod clock;
pub mod compare;
pub mod disk;
pub mod drawings;
pub mod echo;
pub mod engine;
pub mod fairness;
pub mod floor;
pub mod growth;
pub mod instructions;
pub mod lists;
pub mod null;
pub mod peers;
pub mod play;
pub mod report;
pub mod scale;
pub mod service;
pub mod sizes;
pub mod storage;
pub mod watchers;
pub mod worlds;
