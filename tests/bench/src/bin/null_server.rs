//! `gamekeeperd` with the null game as its only ruleset.

use std::process::ExitCode;

use gamekeeper_bench::null::Null;
use gamekeeper_games::Registry;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    gamekeeperd::start::main(|shared| Registry::empty(shared).with_ruleset::<Null>())
}
