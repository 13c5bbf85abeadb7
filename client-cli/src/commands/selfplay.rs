//! `gamekeeper selfplay`

mod calls;
mod local;
mod local_replica;
mod stream;
mod tally;

use std::time::Instant;

use clap::ValueEnum;
use gamekeeper_proto::gamekeeper::v1::Player;
use gamekeeper_proto::raw::{Options, View};
use gamekeeper_rules::bots;
use sha2::{Digest, Sha256};

use super::position::Described;
use crate::args::{Start, seat_number};
use crate::contract::{read_wrapped, ruleset_message};
use crate::failure::Failure;
use crate::output::Output;
use crate::policy::{Budget, Policy};
use crate::session::Session;
use crate::terms;

pub(super) use self::tally::Duel;
use self::tally::Tally;

/// The policy of seats for which none is named.
const RANDOM: Policy = Policy::Rules(bots::Policy::Random);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The ruleset, such as `dominion`
    #[arg(value_name = "RULESET")]
    ruleset: String,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seats of each table [default: the fewest of the ruleset]
    #[arg(long, value_name = "N", value_parser = seat_number())]
    seats: Option<u32>,
    /// Policies in seat order; the last one applies to all further seats
    #[arg(
        long,
        value_name = "POLICY",
        default_value = "random",
        value_delimiter = ','
    )]
    policy: Vec<Policy>,
    /// Playouts of `search` for each decision [default: 64; Dominion: 4096]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
    /// Options of each game, as protobuf JSON; see `gamekeeper rulesets RULESET`
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// Table at which each game begins
    #[arg(long, value_name = "START", default_value = "set-up")]
    start: Start,
    /// File with a described table, as `gamekeeper position` prints it, on which games begin; may be repeated: game number n
    /// begins on table (n - 1) mod their number
    #[arg(long, value_name = "FILE", conflicts_with = "start")]
    from: Vec<String>,
    /// Seed of luck and choices: the same number gives the same games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Way in which games are played
    #[arg(long, value_name = "WAY", default_value = "rules")]
    through: Transport,
    /// Number of games side by side through a server
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Processors used by the rules in this program [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Maximum version of a game; it is then left unfinished
    #[arg(long, value_name = "VERSION", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(2..))]
    until_version: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Transport {
    /// With the rules in this program, without a server
    Rules,
    /// Through the self-play stream of the server, in memory; needs a server that allows seeds
    Stream,
    /// Through single calls, as players do: two calls for each action, and games are stored
    Calls,
}

/// The games to play.
pub(super) struct Plan {
    args: PlanArgs,
    options: Option<Options>,
    /// The described tables on which the games begin, in turn.
    from: Vec<View>,
    /// The policies in seat order.
    policies: Vec<Policy>,
}

/// The options that define which games are played.
pub(super) struct PlanArgs {
    pub(super) start: Start,
    pub(super) ruleset: String,
    pub(super) games: u64,
    pub(super) seats: u32,
    pub(super) seed: u64,
    /// Number of games that are played at the same time through a server.
    pub(super) batch: u32,
    pub(super) budget: Budget,
    /// Whether the policies change seats from game to game. Results are then counted by policy.
    pub(super) rotates: bool,
    pub(super) jobs: usize,
    pub(super) until_version: u64,
}

impl Plan {
    fn new(args: &Args) -> Result<Self, Failure> {
        let fewest = terms::fewest_seats(&args.ruleset);
        let described = described(&args.from, &args.ruleset)?;
        let players = described.first().map(|table| table.players);
        let players = players.and_then(|players| u32::try_from(players).ok());
        let seats = args.seats.or(players).unwrap_or(fewest.into());
        let policy = |seat: usize| {
            let last = args.policy.last().copied().unwrap_or(RANDOM);
            args.policy.get(seat).copied().unwrap_or(last)
        };
        let places = usize::try_from(seats).unwrap_or(usize::MAX);
        let policies = (0..places).map(policy).collect();
        let plan = PlanArgs {
            start: args.start,
            ruleset: args.ruleset.clone(),
            games: args.games,
            seats,
            seed: args.seed,
            batch: args.batch,
            budget: Budget {
                playouts: args.playouts,
                think: None,
            },
            rotates: false,
            jobs: jobs(args.jobs),
            until_version: args.until_version,
        };
        let plan = Self::of(policies, args.options.as_deref(), plan)?;
        Ok(plan.beginning_on(described))
    }

    /// Lets the games begin on described tables, if there are any. Unless the plan has options, they are those that the
    /// first table repeats.
    pub(super) fn beginning_on(mut self, tables: Vec<Described>) -> Self {
        if let Some(first) = tables.first() {
            self.options = self.options.or_else(|| first.options.clone());
        }
        self.from = tables.into_iter().map(|table| table.view).collect();
        self
    }

    /// Creates a plan of games with these options, as protobuf JSON, between these policies.
    pub(super) fn of(
        policies: Vec<Policy>,
        options: Option<&str>,
        args: PlanArgs,
    ) -> Result<Self, Failure> {
        // Checked here so that the error for a misspelled ruleset suggests a known one.
        ruleset_message(&args.ruleset, "Options")?;
        let options = options.map(|text| read_wrapped(&args.ruleset, "Options", text));
        Ok(Self {
            policies,
            options: options.transpose()?,
            from: Vec::new(),
            args,
        })
    }

    /// Returns the master seed, from which the seeds of all games are derived.
    fn master(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.args.seed.to_le_bytes());
        bytes
    }

    /// Derives the seed of one game, and of the choices of its bots, in the same way as the server.
    fn seed(&self, game: u64) -> [u8; 32] {
        let hash = Sha256::new()
            .chain_update(self.master())
            .chain_update(game.to_le_bytes());
        hash.finalize().into()
    }

    /// Returns the described table on which a game begins. Games are numbered from 1.
    fn described(&self, game: u64) -> Option<&View> {
        let index = game.saturating_sub(1).checked_rem(self.from.len() as u64)?;
        self.from.get(usize::try_from(index).ok()?)
    }

    /// Returns the policy that plays a seat in a game.
    fn policy(&self, game: u64, seat: usize) -> Policy {
        let entry = self.policy_index(game, seat);
        self.policies.get(entry).copied().unwrap_or(RANDOM)
    }

    /// Returns the number, from 1, under which the result of a seat is counted.
    fn tally_seat(&self, game: u64, seat: u32) -> u32 {
        let index = usize::try_from(seat).unwrap_or(1).saturating_sub(1);
        u32::try_from(self.policy_index(game, index) + 1).unwrap_or(seat)
    }

    /// Returns the index of the policy that plays a seat in a game.
    fn policy_index(&self, game: u64, seat: usize) -> usize {
        let entries = self.policies.len().max(1);
        let turned = usize::try_from(game % u64::try_from(entries).unwrap_or(1)).unwrap_or(0);
        if self.args.rotates {
            (seat + turned) % entries
        } else {
            seat
        }
    }
}

/// Reads the described tables of these files.
pub(super) fn described(files: &[String], ruleset: &str) -> Result<Vec<Described>, Failure> {
    let tables = files.iter();
    tables
        .map(|file| Described::read(file, Some(ruleset)))
        .collect()
}

/// Returns the names of the players, which are the server's default names.
fn names(seats: u32) -> Vec<String> {
    (1..=seats).map(|seat| format!("Player {seat}")).collect()
}

pub(crate) async fn run(
    session: impl FnOnce() -> Result<Session, Failure>,
    output: Output,
    args: &Args,
) -> Result<(), Failure> {
    if args.through == Transport::Calls && args.start != Start::SetUp {
        let text = "games through calls begin at the set-up; use --through rules or stream";
        return Err(Failure::Usage(text.to_owned()));
    }
    let plan = Plan::new(args)?;
    let begun = Instant::now();
    let tally = match args.through {
        Transport::Rules => local::play(&plan)?,
        Transport::Stream => stream::play(&session()?, &plan).await?,
        Transport::Calls => calls::play(&session()?, &plan).await?,
    };
    let took = begun.elapsed();
    if output.is_json() {
        return output.line(tally.json(took));
    }
    output.line(tally.report("SEAT", &plan.policies, took))
}

/// Returns the number of threads: the given one, or the number of processors.
pub(super) fn jobs(given: Option<u16>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    given.map_or(cores, usize::from)
}

/// Plays all games of a plan with the rules in this program.
pub(super) fn play(plan: &Plan) -> Result<Tally, Failure> {
    local::play(plan)
}

/// Builds the players of a request.
fn players(seats: u32) -> Vec<Player> {
    let player = |name| Player {
        name,
        ..Player::default()
    };
    names(seats).into_iter().map(player).collect()
}
