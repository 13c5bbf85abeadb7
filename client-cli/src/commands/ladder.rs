//! `gamekeeper ladder`

use std::time::{Duration, Instant};

use gamekeeper_rules::table::text::{BOLD, Columns, styled};
use serde_json::{Value, json};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use super::selfplay::{Duel, Plan, PlanArgs, jobs, play};
use crate::args::Start;
use crate::contract::ruleset_message;
use crate::failure::Failure;
use crate::output::Output;
use crate::policy::{Budget, Policy};

/// The version at which a game is abandoned. An unfinished game does not count.
const UNTIL_VERSION: u64 = 100_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The ruleset, such as `dominion`
    #[arg(value_name = "RULESET")]
    ruleset: String,
    /// Policies to rate [default: all that bots have in the ruleset]
    #[arg(long, value_name = "POLICY", value_delimiter = ',')]
    policies: Vec<Policy>,
    /// Rounds; in each, every policy meets every other one
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    rounds: u64,
    /// Games of each pair in a round; the two change seats from game to game
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    games: u64,
    /// Playouts of `search` for each decision [default: 64; Dominion: 4096]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
    /// Options of each game, as protobuf JSON; see `gamekeeper rulesets RULESET`
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// Seed of luck and choices: the same number gives the same games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Processors used [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

pub(crate) fn run(output: Output, args: &Args) -> Result<(), Failure> {
    // Checked here so that the error for a misspelled ruleset suggests a known one.
    ruleset_message(&args.ruleset, "Options")?;
    let mut ladder = Ladder::of(entrants(args)?);
    let begun = Instant::now();
    for round in 0..args.rounds {
        ladder.play_round(args, round)?;
    }
    let took = begun.elapsed();
    if output.is_json() {
        return output.line(ladder.json(took));
    }
    output.line(ladder.report(took))
}

fn entrants(args: &Args) -> Result<Vec<Policy>, Failure> {
    let all = || Policy::all_of(&args.ruleset);
    let policies = match args.policies.as_slice() {
        [] => all(),
        named => named.to_vec(),
    };
    let is_double = |(index, policy): (usize, &Policy)| policies[..index].contains(policy);
    if policies.len() < 2 || policies.iter().enumerate().any(is_double) {
        let text = "a ladder has at least two policies, each of them once";
        return Err(Failure::Usage(text.to_owned()));
    }
    Ok(policies)
}

/// A policy that is rated on the ladder.
#[derive(Clone, Debug)]
struct Entrant {
    policy: Policy,
    rating: Glicko2Rating,
    /// The results of the current round: the opponent's rating before the round, and the outcome.
    results: Vec<(Glicko2Rating, Outcomes)>,
    won: u64,
    drawn: u64,
    lost: u64,
}

impl Entrant {
    const fn new(policy: Policy) -> Self {
        Self {
            policy,
            rating: Glicko2Rating::new(),
            results: Vec::new(),
            won: 0,
            drawn: 0,
            lost: 0,
        }
    }

    fn count(&mut self, opponent: Glicko2Rating, [won, drawn, lost]: [u64; 3]) {
        self.won += won;
        self.drawn += drawn;
        self.lost += lost;
        let outcomes = [
            (Outcomes::WIN, won),
            (Outcomes::DRAW, drawn),
            (Outcomes::LOSS, lost),
        ];
        for (outcome, times) in outcomes {
            self.results.extend((0..times).map(|_| (opponent, outcome)));
        }
    }

    fn rate(&mut self) {
        let results = std::mem::take(&mut self.results);
        self.rating = glicko2_rating_period(&self.rating, &results, &Glicko2Config::new());
    }

    /// Returns the share of games won; a draw counts as half a win.
    fn share(&self) -> f64 {
        let halves = 2 * self.won + self.drawn;
        let games = self.won + self.drawn + self.lost;
        number(halves) / number(2 * games.max(1))
    }
}

/// Ratings by Glicko-2. Each round is one rating period, so the order of games within a round does not matter.
struct Ladder {
    entrants: Vec<Entrant>,
}

impl Ladder {
    fn of(policies: Vec<Policy>) -> Self {
        Self {
            entrants: policies.into_iter().map(Entrant::new).collect(),
        }
    }

    /// Plays the games of one round: every pair of policies meets, with the same seed.
    fn play_round(&mut self, args: &Args, round: u64) -> Result<(), Failure> {
        let seed = args.seed.wrapping_mul(args.rounds).wrapping_add(round);
        for other in 1..self.entrants.len() {
            for one in 0..other {
                let pair = [one, other].map(|index| self.entrants[index].policy);
                let Duel { won, drawn, lost } = meet(args, pair, seed)?;
                let [first, second] = [one, other].map(|index| self.entrants[index].rating);
                self.entrants[one].count(second, [won, drawn, lost]);
                self.entrants[other].count(first, [lost, drawn, won]);
            }
        }
        self.entrants.iter_mut().for_each(Entrant::rate);
        Ok(())
    }

    /// Returns the policies by rating, the best first.
    fn ranked(&self) -> Vec<&Entrant> {
        let mut ranked: Vec<&Entrant> = self.entrants.iter().collect();
        ranked.sort_by(|one, other| other.rating.rating.total_cmp(&one.rating.rating));
        ranked
    }

    fn games(&self) -> u64 {
        let counted = self.entrants.iter();
        let sides: u64 = counted.map(|one| one.won + one.drawn + one.lost).sum();
        sides / 2
    }

    /// Formats the ratings as a table for people.
    fn report(&self, took: Duration) -> String {
        let headings = [
            "PLACE", "POLICY", "RATING", "95 %", "WON", "DRAWN", "LOST", "SHARE",
        ];
        let mut columns = Columns::new(&headings);
        for (rank, one) in (1..).zip(self.ranked()) {
            let Glicko2Rating {
                rating, deviation, ..
            } = one.rating;
            let half = 1.96 * deviation;
            columns.row([
                styled(BOLD, rank),
                one.policy.id().to_owned(),
                format!("{rating:.0}"),
                format!("{:.0} to {:.0}", rating - half, rating + half),
                one.won.to_string(),
                one.drawn.to_string(),
                one.lost.to_string(),
                format!("{:.1} %", 100.0 * one.share()),
            ]);
        }
        let (games, seconds) = (self.games(), took.as_secs_f64());
        format!("{games} games of two seats in {seconds:.1} s\n\n{columns}")
    }

    /// Formats the ratings as JSON.
    fn json(&self, took: Duration) -> Value {
        let entrant = |one: &Entrant| {
            json!({
                "policy": one.policy.id(),
                "rating": one.rating.rating,
                "deviation": one.rating.deviation,
                "won": one.won,
                "drawn": one.drawn,
                "lost": one.lost,
                "share": one.share(),
            })
        };
        json!({
            "games": self.games(),
            "seconds": took.as_secs_f64(),
            "policies": self.ranked().into_iter().map(entrant).collect::<Vec<_>>(),
        })
    }
}

/// Plays the games of one pair in a round.
fn meet(args: &Args, pair: [Policy; 2], seed: u64) -> Result<Duel, Failure> {
    let plan = PlanArgs {
        start: Start::SetUp,
        ruleset: args.ruleset.clone(),
        games: args.games,
        seats: 2,
        seed,
        batch: 1,
        budget: Budget {
            playouts: args.playouts,
            think: None,
        },
        rotates: true,
        jobs: jobs(args.jobs),
        until_version: UNTIL_VERSION,
    };
    let plan = Plan::of(pair.to_vec(), args.options.as_deref(), plan)?;
    Ok(play(&plan)?.duel())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of games are far below 2^52"
)]
fn number(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::bots;

    use super::*;

    /// Given three policies of which one wins nine of ten games against each of the others, while those draw all games
    /// between them, the winner has the highest rating.
    #[test]
    fn who_wins_more_is_rated_higher() {
        let [random, greedy, kinds] = [
            bots::Policy::Random,
            bots::Policy::Greedy,
            bots::Policy::Kinds,
        ]
        .map(Policy::Rules);
        let policies = vec![random, greedy, kinds];
        let mut ladder = Ladder::of(policies);
        let before = Glicko2Rating::new();
        ladder.entrants[0].count(before, [1, 0, 9]);
        ladder.entrants[1].count(before, [9, 0, 1]);
        ladder.entrants[1].count(before, [9, 0, 1]);
        ladder.entrants[2].count(before, [1, 0, 9]);
        ladder.entrants[0].count(before, [0, 10, 0]);
        ladder.entrants[2].count(before, [0, 10, 0]);
        ladder.entrants.iter_mut().for_each(Entrant::rate);
        let ranked: Vec<Policy> = ladder.ranked().iter().map(|one| one.policy).collect();
        // The other two have equal ratings, so they keep the order of the command line.
        assert_eq!(ranked, [greedy, random, kinds]);
        assert_eq!(ladder.games(), 30);
        let json = ladder.json(Duration::from_secs(2));
        assert_eq!(json["policies"][0]["share"], 0.9);
        assert_eq!(json["policies"][1]["share"], 0.3);
        let rating = |index: usize| json["policies"][index]["rating"].as_f64().unwrap();
        assert!(rating(0) > 1_600.0 && rating(1) < 1_450.0, "{json}");
        assert!((rating(1) - rating(2)).abs() < 1e-9, "{json}");
        let report = ladder.report(Duration::from_secs(2));
        assert!(
            report.starts_with("30 games of two seats in 2.0 s"),
            "{report}"
        );
        assert!(report.contains("90.0 %"), "{report}");
    }

    /// Glickman's example: 1500 with a deviation of 200 beats 1400 and loses to 1550 and 1700.
    #[test]
    fn ratings_are_those_of_glicko_2() {
        let rated = |rating: f64, deviation: f64| Glicko2Rating {
            rating,
            deviation,
            volatility: 0.06,
        };
        let mut player = Entrant::new(Policy::Rules(bots::Policy::Random));
        player.rating = rated(1_500.0, 200.0);
        player.count(rated(1_400.0, 30.0), [1, 0, 0]);
        player.count(rated(1_550.0, 100.0), [0, 0, 1]);
        player.count(rated(1_700.0, 300.0), [0, 0, 1]);
        player.rate();
        assert!((player.rating.rating - 1_464.06).abs() < 0.1);
        assert!((player.rating.deviation - 151.52).abs() < 0.1);
        assert!(player.results.is_empty());
    }
}
