//! `gamekeeper play`

pub(super) mod action_list;
mod bots;
mod changed;
pub(super) mod combine;
mod grid;
mod hot_seat;
mod input;
mod menu;
mod opening;
mod screen;
pub(super) mod steps;
mod terminal;

use tokio::task::LocalSet;

use super::create::SeedArgs;
use super::option_args::OptionArgs;
use crate::args::seat_number;
use crate::failure::Failure;
use crate::output::Output;
use crate::policy::Policy;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The game: its id, or `last` for the last one you created on this machine; or a ruleset, such as
    /// `dominion`, for a new game
    #[arg(value_name = "GAME|RULESET")]
    game: String,
    /// Names of the people who play a new game, in seat order
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,
    /// Seats to play, such as 1,2; several seats share the screen [default: against bots, the first;
    /// otherwise all whose tokens are stored here, otherwise all]
    #[arg(long = "seat", value_name = "N", value_delimiter = ',', value_parser = seat_number())]
    seats: Vec<u32>,
    /// Let bots play the other seats as long as you play: one policy for all of them, or one for each;
    /// `policy:FILE` is a learned one
    #[arg(long, value_name = "POLICY", value_delimiter = ',')]
    against: Vec<Policy>,
    /// Number of seats of a new game [default: those of the players and the policies that are named]
    #[arg(long = "seats", value_name = "N")]
    count: Option<usize>,
    #[command(flatten)]
    fields: OptionArgs,
    #[command(flatten)]
    seed: SeedArgs,
    /// Do not hide one seat's table from the next
    #[arg(long)]
    open: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    // The bots run as tasks of the same thread, beside the person who plays.
    let here = LocalSet::new();
    here.run_until(hot_seat::play(session, output, args)).await
}
