//! `gamekeeperd`: reads its configuration, starts, and waits for the signal to stop.

use std::process::ExitCode;

use gamekeeperd::games::Registry;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    gamekeeperd::start::main(Registry::all)
}
