//! `gamekeeper completions`

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gamekeeper", &mut script);
    std::io::stdout()
        .write_all(&script)
        .map_err(|error| Failure::io("the output", &error))
}
