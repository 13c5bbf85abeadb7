//! The commands, one file each.

mod add_time;
mod admin;
mod answer;
mod apply;
mod bot;
mod catalogue;
mod claim_timeout;
mod clocks;
mod completions;
mod context;
mod create;
mod delete;
mod doctor;
mod draw;
mod end;
mod erase_user;
mod events;
mod export;
mod fill_seat;
mod fork;
mod forward;
mod import;
mod info;
mod label;
mod ladder;
mod legal;
mod list;
#[cfg(feature = "mcp")]
mod mcp;
mod new_game;
mod option_args;
#[cfg(feature = "png")]
mod picture;
mod play;
mod position;
mod replay;
mod resign;
mod rule;
mod rulesets;
mod sample;
mod selfplay;
mod show;
mod table;
mod take_back;
mod token;
mod tournament;
mod verify;
mod watch;
mod watch_feed;
mod watch_many;

use clap::Subcommand;

use crate::args::Globals;
use crate::contexts::resolve;
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;

/// A command of the program, with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the rulesets of the server, or show the options of one
    Rulesets(rulesets::Args),
    /// Show the cards, buildings, tiles and other components of a ruleset
    Catalogue(catalogue::Args),
    /// Show rules by their ids, such as the one that a refusal cites, by names or by words
    Rule(rule::OneArgs),
    /// Show the rules of a ruleset for players, or a chapter of them; with --all the whole document
    Rules(rule::AllArgs),
    /// Create a game and store the tokens of its seats
    Create(create::Args),
    /// List your games, newest first
    List(list::Args),
    /// Show the public facts of games
    Info(info::Args),
    /// Set names and users of a game's seats, and its labels
    Label(label::Args),
    /// Show the table
    Show(show::Args),
    /// Draw the table as a picture (SVG)
    Draw(draw::Args),
    /// Print the table as operators see it, for `create --from`
    Position(position::Args),
    /// List the legal actions of a seat, ready for `apply`
    Legal(legal::Args),
    /// Play an action for a seat
    Apply(apply::Args),
    /// Show what has happened so far
    Events(events::Args),
    /// Follow a game as it is played, or many games
    Watch(watch::Args),
    /// Send signed webhooks of what happens in your games: turns, reminders, proposals, ends
    Forward(forward::Args),
    /// Play one or several seats yourself
    Play(play::Args),
    /// Let a bot play one or several seats until the game is over
    Bot(bot::Args),
    /// Serve tables to agents that read and write, as tools of the Model Context Protocol
    #[cfg(feature = "mcp")]
    Mcp(mcp::Args),
    /// Write the full record of a game as JSON Lines
    Export(export::Args),
    /// Replay a record offline and check every draw, state and score
    Verify(verify::Args),
    /// Show the table of a record, or of a game, at one version
    Replay(replay::Args),
    /// Show sampled worlds: tables that the seat cannot tell from the real one
    Sample(sample::Args),
    /// Let bots play many games against each other; report results and speed
    Selfplay(selfplay::Args),
    /// Let policies play against each other with the rules in this program; report who wins how often
    Tournament(tournament::Args),
    /// Let every policy meet every other one in games of two seats; report their ratings
    Ladder(ladder::Args),
    /// Delete a game permanently
    Delete(delete::Args),
    /// Erase a user's id, names and labels from all games
    EraseUser(erase_user::Args),
    /// Issue and revoke the tokens of seats and spectators
    Token(token::Args),
    /// Replace the token of a seat or of spectators; the old ones stop working
    RotateToken(token::RotateArgs),
    /// Leave a game permanently: the fallback of the rules then plays for the seat
    Resign(resign::Args),
    /// Give a seat whose player has left to a new player, with a new token
    FillSeat(fill_seat::Args),
    /// Claim that a seat has run out of time
    ClaimTimeout(claim_timeout::Args),
    /// Give players more time
    AddTime(add_time::Args),
    /// Stop the clocks of a game
    Pause(clocks::Args),
    /// Restart the clocks of a game
    Resume(clocks::Args),
    /// Take back your last actions, or ask the other players to agree
    TakeBack(take_back::Args),
    /// End a game at once, or propose it to the other players
    End(end::Args),
    /// Agree to another player's proposal, such as to take something back, or decline it
    Answer(answer::Args),
    /// Begin a new game with the past of another, and with new luck
    Fork(fork::Args),
    /// Make a game of a record: finished, or going on from one of its versions with new luck
    Import(import::Args),
    /// Check the connection to the server: network, TLS, health, access, versions
    Doctor,
    /// See who uses a server, and stop a flood: for operators, on its admin port
    Admin(admin::Args),
    /// Manage named connections
    Context(context::Args),
    /// Print completions for a shell
    Completions(completions::Args),
}

/// Runs the command of the command line. `grammar` is the definition of the command line itself, for completions.
pub(crate) async fn run(
    command: &Command,
    globals: &Globals,
    grammar: clap::Command,
    output: &Output,
) -> Result<(), Failure> {
    let output = *output;
    // Opened only by commands that call a server: the others work offline.
    let session = || Session::new(&resolve(globals)?);
    match command {
        Command::Rulesets(args) => rulesets::run(&session()?, output, args).await,
        Command::Catalogue(args) => catalogue::run(&session()?, output, args).await,
        Command::Rule(args) => rule::one(&session()?, output, args).await,
        Command::Rules(args) => rule::all(&session()?, output, args).await,
        Command::Create(args) => create::run(&session()?, output, args).await,
        Command::List(args) => list::run(&session()?, output, args).await,
        Command::Info(args) => info::run(&session()?, output, args).await,
        Command::Label(args) => label::run(&session()?, output, args).await,
        Command::Show(args) => show::run(&session()?, output, args).await,
        Command::Draw(args) => draw::run(&session()?, output, args).await,
        Command::Position(args) => position::run(&session()?, output, args).await,
        Command::Legal(args) => legal::run(&session()?, output, args).await,
        Command::Apply(args) => apply::run(&session()?, output, args).await,
        Command::Events(args) => events::run(&session()?, output, args).await,
        Command::Watch(args) => watch::run(&session()?, output, args).await,
        Command::Forward(args) => forward::run(session()?, args).await,
        Command::Play(args) => play::run(&session()?, output, args).await,
        Command::Bot(args) => bot::run(&session()?, output, args).await,
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(session()?, args).await,
        Command::Export(args) => export::run(&session()?, output, args).await,
        Command::Delete(args) => delete::run(&session()?, output, args).await,
        Command::EraseUser(args) => erase_user::run(&session()?, output, args).await,
        Command::Token(args) => token::run(&session()?, output, args).await,
        Command::RotateToken(args) => token::rotate(&session()?, output, args).await,
        Command::Resign(args) => resign::run(&session()?, output, args).await,
        Command::FillSeat(args) => fill_seat::run(&session()?, output, args).await,
        Command::ClaimTimeout(args) => claim_timeout::run(&session()?, output, args).await,
        Command::AddTime(args) => add_time::run(&session()?, output, args).await,
        Command::Pause(args) => clocks::pause(&session()?, output, args).await,
        Command::Resume(args) => clocks::resume(&session()?, output, args).await,
        Command::TakeBack(args) => take_back::run(&session()?, output, args).await,
        Command::End(args) => end::run(&session()?, output, args).await,
        Command::Answer(args) => answer::run(&session()?, output, args).await,
        Command::Fork(args) => fork::run(&session()?, output, args).await,
        Command::Import(args) => import::run(&session()?, output, args).await,
        Command::Verify(args) => verify::run(output, args),
        Command::Replay(args) => replay::run(session, output, args).await,
        Command::Sample(args) => sample::run(&session()?, output, args).await,
        Command::Selfplay(args) => selfplay::run(session, output, args).await,
        Command::Tournament(args) => tournament::run(output, args),
        Command::Ladder(args) => ladder::run(output, args),
        Command::Admin(args) => admin::run(globals, output, args).await,
        Command::Context(args) => context::run(globals, output, args),
        Command::Doctor => doctor::run(&session()?, output).await,
        Command::Completions(args) => completions::run(args, grammar),
    }
}

/// Reads a file as text, or the standard input for `-`.
fn read_text(file: &str) -> Result<String, Failure> {
    if file == "-" {
        return std::io::read_to_string(std::io::stdin())
            .map_err(|error| Failure::io("the standard input", &error));
    }
    std::fs::read_to_string(file).map_err(|error| Failure::io(file, &error))
}
