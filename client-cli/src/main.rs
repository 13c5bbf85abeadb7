//! The program `gamekeeper`.

use std::process::ExitCode;

fn main() -> ExitCode {
    gamekeeper::main()
}
