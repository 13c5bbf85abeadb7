//! The commands, one file each.

mod answer_take_back;
mod apply;
mod bot;
mod catalogue;
mod claim_timeout;
mod completions;
mod conformance;
mod context;
mod create;
mod delete;
mod doctor;
mod events;
mod export;
mod info;
mod legal;
mod list;
mod load;
mod pause;
mod play;
mod replay;
mod resign;
mod resume;
mod return_seat;
mod rotate_token;
mod rule;
mod rulesets;
mod selfplay;
mod show;
mod table;
mod take_back;
mod verify;
mod watch;

use clap::Subcommand;

use crate::args::{GameArg, Globals};
use crate::contexts::resolve;
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The rulesets that the server keeps, or the options of one
    Rulesets(rulesets::Args),
    /// The cards, buildings, tiles and other components of a ruleset
    Catalogue(catalogue::Args),
    /// The text of rules by their ids, such as the one that a refusal cites
    Rule(rule::OneArgs),
    /// The rule document of a ruleset, or a chapter of it
    Rules(rule::AllArgs),
    /// Create a game and keep the tokens of its seats
    Create(create::Args),
    /// Your games, the newest first
    List(list::Args),
    /// The public facts of a game
    Info(GameArg),
    /// The table
    Show(show::Args),
    /// What a seat may do now, ready to be sent with `apply`
    Legal(legal::Args),
    /// Play an action for a seat
    Apply(apply::Args),
    /// What happened so far
    Events(events::Args),
    /// Follow a game as it is played
    Watch(watch::Args),
    /// Play one or several seats yourself
    Play(play::Args),
    /// Let a bot play one or several seats until the game is over
    Bot(bot::Args),
    /// Write the whole record of a game as JSON Lines
    Export(export::Args),
    /// Play a record again, offline, and check every draw, state and score of it
    Verify(verify::Args),
    /// Print the table of a record, or of a game, at one version
    Replay(replay::Args),
    /// Let bots play many games against each other, and count who wins and how fast
    Selfplay(selfplay::Args),
    /// Forget a game for good
    Delete(delete::Args),
    /// Give a seat, or spectators, a new token; the old one is worthless from then on
    RotateToken(rotate_token::Args),
    /// Leave a game for good: from then on the fallback of the rules answers for the seat
    Resign(resign::Args),
    /// Let somebody play for a seat again whose player has left, with a new token
    Return(return_seat::Args),
    /// Say that a seat took longer than its clock allows
    ClaimTimeout(claim_timeout::Args),
    /// Stop the clocks of a game
    Pause(pause::Args),
    /// Let the clocks of a game go on
    Resume(resume::Args),
    /// Take back your last actions, or ask the other players to agree
    TakeBack(take_back::Args),
    /// Agree to what another player asked to take back
    AnswerTakeBack(answer_take_back::Args),
    /// Play many games at once and say how long calls take
    Load(load::Args),
    /// Check the way to the server: connection, encryption, health, access, versions
    Doctor,
    /// Check that a server answers as recorded sessions say
    Conformance(conformance::Args),
    /// Named connections: add, use, list, remove
    Context(context::Args),
    /// Print completions for a shell
    Completions(completions::Args),
}

/// Does what the command line says. `grammar` is the command line itself, for completions.
pub(crate) async fn run(
    command: &Command,
    globals: &Globals,
    grammar: clap::Command,
    output: &Output,
) -> Result<(), Failure> {
    let output = *output;
    // What works offline needs no session.
    let session = || Session::new(&resolve(globals)?);
    match command {
        Command::Rulesets(args) => rulesets::run(&session()?, output, args).await,
        Command::Catalogue(args) => catalogue::run(&session()?, output, args).await,
        Command::Rule(args) => rule::one(&session()?, output, args).await,
        Command::Rules(args) => rule::all(&session()?, output, args).await,
        Command::Create(args) => create::run(&session()?, output, args).await,
        Command::List(args) => list::run(&session()?, output, args).await,
        Command::Info(game) => info::run(&session()?, output, game).await,
        Command::Show(args) => show::run(&session()?, output, args).await,
        Command::Legal(args) => legal::run(&session()?, output, args).await,
        Command::Apply(args) => apply::run(&session()?, output, args).await,
        Command::Events(args) => events::run(&session()?, output, args).await,
        Command::Watch(args) => watch::run(&session()?, output, args).await,
        Command::Play(args) => play::run(&session()?, output, args).await,
        Command::Bot(args) => bot::run(&session()?, output, args).await,
        Command::Export(args) => export::run(&session()?, output, args).await,
        Command::Delete(args) => delete::run(&session()?, output, args).await,
        Command::RotateToken(args) => rotate_token::run(&session()?, output, args).await,
        Command::Resign(args) => resign::run(&session()?, output, args).await,
        Command::Return(args) => return_seat::run(&session()?, output, args).await,
        Command::ClaimTimeout(args) => claim_timeout::run(&session()?, output, args).await,
        Command::Pause(args) => pause::run(&session()?, output, args).await,
        Command::Resume(args) => resume::run(&session()?, output, args).await,
        Command::TakeBack(args) => take_back::run(&session()?, output, args).await,
        Command::AnswerTakeBack(args) => answer_take_back::run(&session()?, output, args).await,
        Command::Verify(args) => verify::run(output, args),
        Command::Load(args) => load::run(&session()?, &resolve(globals)?, output, args).await,
        Command::Replay(args) => replay::run(session, output, args).await,
        Command::Selfplay(args) => selfplay::run(session, output, args).await,
        Command::Conformance(args) => conformance::run(&session()?, output, args).await,
        Command::Context(args) => context::run(globals, output, args),
        Command::Doctor => doctor::run(&session()?, output).await,
        Command::Completions(args) => completions::run(args, grammar),
    }
}

/// The text of a file, or of the standard input for `-`.
fn read_text(file: &str) -> Result<String, Failure> {
    if file == "-" {
        return std::io::read_to_string(std::io::stdin())
            .map_err(|error| Failure::io("the standard input", &error));
    }
    std::fs::read_to_string(file).map_err(|error| Failure::io(file, &error))
}
