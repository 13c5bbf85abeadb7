//! `gamekeeperd` with one more ruleset, the null game, and without the others.

use std::process::ExitCode;

use gamekeeper_bench::null::Null;
use gamekeeperd::grpc::Rulesets;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    gamekeeperd::start::main(|house| Rulesets::none(house).with::<Null>())
}
