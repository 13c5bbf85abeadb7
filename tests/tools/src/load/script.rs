//! Games that are recorded in advance, so that choosing actions costs nothing during the measurement.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use bytes::Bytes;
use gamekeeper::Failure;
use gamekeeper_proto::gamekeeper::v1::Player;
use gamekeeper_rules::ruleset::{apply, create, visit_legal};
use gamekeeper_rules::table::{Chance, Detail, PendingList, Seat, Seed};
use gamekeeper_wire::{Wire, seat_number, wrap_action};
use prost::Message;
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use serde::Deserialize;

use crate::messages::Create;

/// Maximum number of legal actions to choose from.
const MAX_LISTED: usize = 500;

/// The name of the game service.
const GAME_SERVICE: &str = "gamekeeper.v1.GameService";

/// The script of one game: its creation and every action.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Line")]
pub(crate) struct Script {
    /// The full name of the service that is called.
    pub(crate) service: String,
    pub(crate) ruleset: String,
    seats: u32,
    options: Bytes,
    seed: u64,
    /// The seat and the encoded `gamekeeper.v1.Action` of each action, in order.
    pub(crate) moves: Vec<(u32, Bytes)>,
}

/// A line of a file of scripts.
#[derive(Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
struct Line {
    #[serde(default = "game_service")]
    service: String,
    ruleset: String,
    seats: u32,
    /// The encoded `gamekeeper.v1.Options`.
    #[serde(default)]
    options: Vec<u8>,
    /// The first bytes of the seed; the others are 0.
    seed: u64,
    moves: Vec<(u32, Vec<u8>)>,
}

impl From<Line> for Script {
    fn from(line: Line) -> Self {
        let moves = line.moves.into_iter();
        Self {
            service: line.service,
            ruleset: line.ruleset,
            seats: line.seats,
            options: line.options.into(),
            seed: line.seed,
            moves: moves.map(|(seat, action)| (seat, action.into())).collect(),
        }
    }
}

impl Script {
    /// Builds the request that creates the game.
    pub(crate) fn create(&self) -> Create {
        let player = |seat: u32| Player {
            seat: 0,
            name: name(seat),
            ..Player::default()
        };
        Create {
            ruleset: self.ruleset.clone(),
            players: (1..=self.seats).map(player).collect(),
            options: self.options.clone(),
            seed: Bytes::copy_from_slice(Seed::from_number(self.seed).as_bytes()),
        }
    }
}

fn game_service() -> String {
    GAME_SERVICE.to_owned()
}

fn name(seat: u32) -> String {
    format!("Player {seat}")
}

/// Parses the games of a file, one JSON object per line.
pub(crate) fn read(text: &str) -> Result<Vec<Script>, Failure> {
    let script = |line: &str| {
        serde_json::from_str(line).map_err(|error| Failure::Invalid(format!("a script: {error}")))
    };
    let scripts = text.lines().filter(|line| !line.is_empty()).map(script);
    let scripts: Vec<Script> = scripts.collect::<Result<_, _>>()?;
    if scripts.iter().any(|script| script.moves.is_empty()) || scripts.is_empty() {
        return Err(Failure::Invalid(String::from("a script without a move")));
    }
    Ok(scripts)
}

/// The parameters of a recording.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) games: u64,
    pub(crate) seats: Option<u8>,
    pub(crate) max_moves: usize,
}

/// Plays random games of a ruleset in this process and records them.
pub(crate) fn record(ruleset: &str, plan: Plan) -> Result<Vec<Script>, Failure> {
    gamekeeper_rules::with_ruleset!(ruleset,
        R => (1..=plan.games).map(|seed| play::<R>(seed, plan)).collect(),
        _ => Err(Failure::Usage(format!("there is no ruleset {ruleset:?}"))))
}

fn play<W: Wire>(seed: u64, plan: Plan) -> Result<Script, Failure> {
    let seats = plan.seats.unwrap_or(W::INFO.max_seats.min(4));
    let names: Vec<String> = (1..=u32::from(seats)).map(name).collect();
    let draft = W::draft(W::PbOptions::default())
        .map_err(|error| Failure::Usage(format!("options: {error}")))?;
    let options = W::options(&names, &draft)
        .map_err(|refusal| Failure::Usage(format!("options: {refusal}")))?;
    let mut game = create::<W>(&options, Chance::from_seed(&Seed::from_number(seed)));
    let mut rng = StdRng::seed_from_u64(seed);
    let mut moves = Vec::new();
    while moves.len() < plan.max_moves
        && let Some(seat) = somebody(&W::pending(&game.state), &mut rng)
    {
        let Some(action) = choose::<W>(&game.state, seat, &mut rng) else {
            break;
        };
        game = apply::<W>(&game.state, &game.chance, seat, &action)
            .map_err(|refusal| Failure::Difference(format!("a legal action: {refusal}")))?;
        let message = wrap_action::<W>(&action).encode_to_vec();
        moves.push((seat_number(seat), Bytes::from(message)));
    }
    Ok(Script {
        service: game_service(),
        ruleset: W::INFO.id.to_owned(),
        seats: u32::from(seats),
        options: Bytes::new(),
        seed,
        moves,
    })
}

fn somebody(pending: &PendingList, rng: &mut impl Rng) -> Option<Seat> {
    let count = pending.len();
    let index = rng.random_range(0..count.max(1));
    pending.get(index).map(|pending| pending.seat)
}

/// Chooses a random kind of legal action, then a random action of this kind. A uniform choice of actions would rarely
/// buy anything and shuffle resources endlessly.
fn choose<W: Wire>(state: &W::State, seat: Seat, rng: &mut impl Rng) -> Option<W::Action> {
    let mut kinds: BTreeMap<&'static str, (u32, W::Action)> = BTreeMap::new();
    let mut listed = 0;
    let _end = visit_legal::<W>(state, seat, Detail::Moves, &mut |action| {
        let kind = W::kind(&action);
        let (count, chosen) = kinds.entry(kind).or_insert_with(|| (0, action.clone()));
        *count += 1;
        if rng.random_range(0..*count) == 0 {
            *chosen = action;
        }
        listed += 1;
        if listed < MAX_LISTED {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let index = rng.random_range(0..kinds.len().max(1));
    kinds.into_values().nth(index).map(|(_, action)| action)
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::ruleset::Ruleset;

    use super::*;

    const PLAN: Plan = Plan {
        games: 2,
        seats: Some(2),
        max_moves: 40,
    };

    #[test]
    fn every_ruleset_can_be_recorded() {
        for id in gamekeeper_rules::of_each_ruleset!(R => R::INFO.id) {
            let scripts = record(id, PLAN).unwrap();
            assert_eq!(scripts.len(), 2, "{id}");
            for script in &scripts {
                // A short game may end earlier.
                assert!((10..=40).contains(&script.moves.len()), "{id}");
            }
            assert_ne!(scripts[0].moves, scripts[1].moves, "{id}");
        }
        assert!(record("go", PLAN).is_err());
    }

    #[test]
    fn scripts_can_be_kept_in_a_file() {
        let line = Line {
            service: game_service(),
            ruleset: String::from("dominion"),
            seats: 2,
            options: vec![1],
            seed: 7,
            moves: vec![(1, vec![2, 3]), (2, Vec::new())],
        };
        let scripts = read(&serde_json::to_string(&line).unwrap()).unwrap();
        assert_eq!(scripts[0].moves[0], (1, Bytes::from_static(&[2, 3])));
        assert_eq!(scripts[0].create().players.len(), 2);
        assert_eq!(scripts[0].create().seed[0], 7);
        assert!(read("{}").is_err());
        assert!(read("").is_err());
    }
}
