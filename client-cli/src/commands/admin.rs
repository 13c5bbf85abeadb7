//! `gamekeeper admin`: the view and the controls of operators, through the admin ports of servers.

mod cut;
mod port;
mod top;

use clap::Subcommand;

use crate::args::Globals;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show who uses what: tenants, and callers within them
    Top(top::Args),
    /// End the streams and connections of a tenant, a game or a caller, and keep it out for a while
    Cut(cut::Args),
}

/// The servers.
#[derive(Clone, Debug, clap::Args)]
struct Servers {
    /// Admin port of a server, host:port. Several, with commas or repeated, for all replicas
    #[arg(
        long = "admin",
        value_name = "ADDRESS",
        value_delimiter = ',',
        default_value = "127.0.0.1:50052",
        env = "GAMEKEEPER_ADMIN",
        hide_env_values = true
    )]
    addresses: Vec<String>,
}

pub(crate) async fn run(globals: &Globals, output: Output, args: &Args) -> Result<(), Failure> {
    match &args.command {
        Command::Top(args) => top::run(globals.timeout, output, args).await,
        Command::Cut(args) => cut::run(globals.timeout, output, args).await,
    }
}
