//! The command line of Gamekeeper. Commands depend on the contract alone and work for every ruleset; the texts of
//! actions and events, and tables as text, come from the server.
//!
//! The public items are shared with other programs that call servers (`tests/tools/`).

mod args;
mod bot;
mod bot_choice;
mod cli;
mod commands;
mod connection;
mod contexts;
mod contract;
mod exit;
mod failure;
mod game_client;
mod game_watch;
mod learned;
mod output;
mod phrase;
mod policy;
mod progress;
mod raw;
mod reconnecting_stream;
mod record_stream;
mod render;
mod session;
mod terms;
mod token_selection;
mod tokens;
mod trace;
mod worlds;

pub use args::Globals;
pub use connection::{Connection, bearer};
pub use contexts::resolve;
pub use contract::{COMMON_PACKAGE, json_line, method, parse};
pub use failure::{CallFailure, Failure};
pub use output::Output;
pub use progress::Progress;
pub use raw::{RawCall, RawStream};
pub use session::Session;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::{Command, CommandFactory, FromArgMatches};
use gamekeeper_rules::table::text::DIM;

use crate::cli::Cli;

/// Runs the program `gamekeeper`.
pub fn main() -> ExitCode {
    let matches = without_empty_variables(Cli::command()).get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    program(&cli.globals, async |output| {
        commands::run(&cli.command, &cli.globals, Cli::command(), &output).await
    })
}

/// Returns a command for which empty variables of the environment are unset ones.
fn without_empty_variables(command: Command) -> Command {
    let command = command.mut_args(|option| {
        let value = option.get_env().and_then(std::env::var_os);
        let is_empty = value.is_some_and(|value| value.is_empty());
        if is_empty {
            option.env(None::<&'static str>)
        } else {
            option
        }
    });
    command.mut_subcommands(without_empty_variables)
}

/// Runs a program with these options to its end. A failure is printed on the error stream and sets the exit code.
pub fn program(
    globals: &Globals,
    work: impl AsyncFnOnce(Output) -> Result<(), Failure>,
) -> ExitCode {
    globals.color.write_global();
    let Err(failure) = run(work(Output::new(globals))) else {
        return ExitCode::SUCCESS;
    };
    report(&failure, globals.verbose);
    failure.exit().into()
}

fn run(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    // A command does one thing at a time: one thread is enough.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::io("the runtime", &error))?;
    let result = runtime.block_on(work);
    // Not joined, because a thread may still be blocked in a read of the standard input.
    runtime.shutdown_background();
    result
}

/// Prints a failure as one line on the error stream. On a terminal, a refusal adds a line on how to read its rule. With
/// `-v`, the details follow.
fn report(failure: &Failure, verbose: bool) {
    if matches!(failure, Failure::PipeClosed) {
        return;
    }
    let mut stderr = anstream::stderr().lock();
    let style = anstyle::AnsiColor::Red.on_default().bold();
    // If the error stream itself fails, there is nowhere left to report it.
    let _ = writeln!(stderr, "{style}error{style:#}: {failure}");
    // Printed on a terminal only: scripts expect a single line.
    if let Some(rule) = failure.rule().filter(|_| std::io::stderr().is_terminal()) {
        let _ = writeln!(
            stderr,
            "{DIM}To read the rule: gamekeeper rule {rule}{DIM:#}"
        );
    }
    if verbose {
        for detail in failure.details() {
            let _ = writeln!(stderr, "  {detail}");
        }
    }
}
