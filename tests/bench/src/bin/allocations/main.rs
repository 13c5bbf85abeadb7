//! Counts the allocations of the engines, and of the service around them. This is a program of its own because counting
//! slows the code down.

#![expect(clippy::expect_used, reason = "a measurement stops at surprises")]

mod client;
mod engines;
mod service;

use clap::{Parser, Subcommand};

/// Counts allocations. Figures go to the terminal and to target/bench/.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Each action of the engines alone; what is counted if nothing is named
    Engines,
    /// Each call of the service, on its own side of the connection
    Service(service::Plan),
}

fn main() {
    match Cli::parse().what {
        None | Some(What::Engines) => engines::run(),
        Some(What::Service(plan)) => service::run(&plan),
    }
}
