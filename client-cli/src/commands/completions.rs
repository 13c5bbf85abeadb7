//! `gamekeeper completions`

use std::io::Write;

use clap_complete::Shell;

use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Shell to print completions for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(args: &Args, mut grammar: clap::Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut grammar, "gamekeeper", &mut script);
    std::io::stdout()
        .write_all(&script)
        .map_err(|error| Failure::io("the output", &error))
}
