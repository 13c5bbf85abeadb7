//! `gamekeeper selfplay`

mod calls;
mod local;
mod stream;
mod tally;

use std::time::Instant;

use clap::ValueEnum;
use gamekeeper_proto::gamekeeper::v1::{Player, SelfPlayStart};
use gamekeeper_rules::starts;
use prost_reflect::ServiceDescriptor;
use rand::SeedableRng;
use rand::rngs::StdRng;
use sha2::{Digest, Sha256};

use crate::args::seat_number;
use crate::contract::{Contract, field_message, method, parse};
use crate::failure::Failure;
use crate::opaque::Opaque;
use crate::output::Output;
use crate::policy::{Policy, Worths};
use crate::session::Session;

/// Maximum number of legal actions to choose from.
const MOST_ACTIONS: usize = 1_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The ruleset, such as `dominion`
    #[arg(value_name = "RULESET")]
    ruleset: String,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seats of each table
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = seat_number())]
    seats: u32,
    /// Policies in seat order; the last one applies to all further seats
    #[arg(
        long,
        value_name = "POLICY",
        default_value = "random",
        value_delimiter = ','
    )]
    policy: Vec<Policy>,
    /// Options of each game, as protobuf JSON; see `gamekeeper rulesets RULESET`
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// Table at which each game begins
    #[arg(long, value_name = "START", default_value = "set-up")]
    start: Start,
    /// Seed of luck and choices: the same number gives the same games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Way in which games are played
    #[arg(long, value_name = "WAY", default_value = "rules")]
    through: Way,
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
enum Way {
    /// With the rules in this program, without a server
    Rules,
    /// Through the self-play stream of the server, in memory; needs a server that allows seeds
    Stream,
    /// Through single calls, as players do: two calls for each action, and games are stored
    Calls,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Start {
    /// The set-up
    SetUp,
    /// The set-up, with much more for every player than the rules give them
    Rich,
    /// A table late in the game, after random actions
    Late,
}

impl From<Start> for starts::Start {
    fn from(start: Start) -> Self {
        match start {
            Start::SetUp => Self::SetUp,
            Start::Rich => Self::Rich,
            Start::Late => Self::Late,
        }
    }
}

impl From<Start> for SelfPlayStart {
    fn from(start: Start) -> Self {
        match start {
            Start::SetUp => Self::Unspecified,
            Start::Rich => Self::Rich,
            Start::Late => Self::Late,
        }
    }
}

/// What to play.
struct Plan {
    service: ServiceDescriptor,
    args: PlanArgs,
    options: Option<Opaque>,
    /// The policy of every seat.
    policies: Vec<Policy>,
    worths: Worths,
}

/// The part of the command line that says what is played.
struct PlanArgs {
    start: Start,
    games: u64,
    seats: u32,
    seed: u64,
    batch: u32,
    jobs: usize,
    until_version: u64,
}

impl Plan {
    fn new(args: &Args) -> Result<Self, Failure> {
        let contract = Contract::load()?;
        let service = contract.ruleset(&args.ruleset)?;
        let message = field_message(&method(&service, "SelfPlay")?.input(), "plan")?;
        let options = field_message(&message, "options")?;
        let options = args.options.as_ref().map(|text| parse(&options, text));
        let seats = usize::try_from(args.seats).unwrap_or(usize::MAX);
        let policy = |seat: usize| {
            let last = args.policy.last().copied().unwrap_or(Policy::Random);
            args.policy.get(seat).copied().unwrap_or(last)
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            policies: (0..seats).map(policy).collect(),
            worths: Worths::of_catalogue(&local::catalogue(&args.ruleset, &service)?),
            options: options.transpose()?.as_ref().map(Opaque::of),
            args: PlanArgs {
                start: args.start,
                games: args.games,
                seats: args.seats,
                seed: args.seed,
                batch: args.batch,
                jobs: args.jobs.map_or(cores, usize::from),
                until_version: args.until_version,
            },
            service,
        })
    }

    /// The seed from which the seeds of all games follow.
    fn master(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.args.seed.to_le_bytes());
        bytes
    }

    /// The seed of one game, as the server makes it too.
    fn seed(&self, game: u64) -> [u8; 32] {
        let hash = Sha256::new()
            .chain_update(self.master())
            .chain_update(game.to_le_bytes());
        hash.finalize().into()
    }

    /// What the bots of one game draw their choices from.
    fn choices(&self, game: u64) -> StdRng {
        let mut seed = self.seed(game);
        seed.reverse();
        StdRng::from_seed(seed)
    }

    fn policy(&self, seat: u32) -> Policy {
        let place = usize::try_from(seat).unwrap_or(0).saturating_sub(1);
        self.policies.get(place).copied().unwrap_or(Policy::Random)
    }

    /// Does any seat look at its actions?
    fn looks(&self) -> bool {
        self.policies.iter().any(|policy| policy.looks())
    }
}

/// The names of the players, as the server gives them too.
fn names(seats: u32) -> Vec<String> {
    (1..=seats).map(|seat| format!("Player {seat}")).collect()
}

pub(crate) async fn run(
    session: impl FnOnce() -> Result<Session, Failure>,
    output: Output,
    args: &Args,
) -> Result<(), Failure> {
    if args.through == Way::Calls && args.start != Start::SetUp {
        let text = "games that are stored begin at the set-up; use --through rules or stream";
        return Err(Failure::Usage(text.to_owned()));
    }
    let plan = Plan::new(args)?;
    let begun = Instant::now();
    let tally = match args.through {
        Way::Rules => local::play(&args.ruleset, &plan)?,
        Way::Stream => stream::play(&session()?, &plan).await?,
        Way::Calls => calls::play(&session()?, &plan).await?,
    };
    let took = begun.elapsed();
    if output.is_json() {
        return output.line(tally.json(took));
    }
    output.line(tally.report(&plan.policies, took))
}

/// The players of a request.
fn players(seats: u32) -> Vec<Player> {
    let player = |name| Player {
        name,
        ..Player::default()
    };
    names(seats).into_iter().map(player).collect()
}
