//! `gamekeeperd`: reads its configuration, starts, and waits for the signal to stop.

use std::process::ExitCode;

use gamekeeper_games::Registry;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    gamekeeperd::start::main(Registry::all)
}
