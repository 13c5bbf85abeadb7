//! `gamekeeperd`: reads its configuration, starts, and waits for the signal to stop.

use std::process::ExitCode;

use gamekeeperd::grpc::Rulesets;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    gamekeeperd::start::main(Rulesets::all)
}
