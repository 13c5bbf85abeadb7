//! Caylus from rich starts, played by players who like to build, so that rare rules apply often.

use crate::caylus::Caylus;
use crate::caylus::action::{Action, Target};
use crate::caylus::data::FavorLine;
use crate::caylus::starts::give;
use crate::caylus::state::State;
use crate::conformance::{PatchedRuleset, RulesetPatch};
use crate::table::{Chance, Seat};

/// Caylus in which everybody starts with `CUBES` more cubes of each kind and twice as many more
/// deniers. For tests only: nobody can create such a game.
pub type RichCaylus<const CUBES: u16> = PatchedRuleset<Rich<CUBES>>;

/// More cubes and deniers.
pub enum Rich<const CUBES: u16> {}

impl<const CUBES: u16> RulesetPatch for Rich<CUBES> {
    type Base = Caylus;

    fn enrich(state: &mut State) {
        give(state, CUBES);
    }

    /// Usually builds on the road, if it can; otherwise usually takes an active choice: the road fills.
    fn choose(_state: &State, _seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
        let best = legal.iter().map(eagerness).max().unwrap_or(0);
        let eager = (1..=best).rev().find(|_| mostly(chance)).unwrap_or(0);
        let places: Vec<u16> = (0..)
            .zip(legal)
            .filter(|(_, action)| eagerness(action) >= eager)
            .map(|(place, _)| place)
            .collect();
        let place = chance.pick("play", None, &places).unwrap_or(0);
        drop(chance.take_record());
        usize::from(place)
    }
}

/// Returns true seven times in eight.
fn mostly(chance: &mut Chance) -> bool {
    let face = chance.roll("mostly", None, 8, 1);
    drop(chance.take_record());
    face != [8]
}

/// Rates an action: 3 builds on the road, or comes nearer to building by favor; 2 is anything else; 1 is passive, or
/// builds the castle, which brings the end nearer.
fn eagerness(action: &Action) -> u8 {
    match action {
        Action::BuildCraft { .. }
        | Action::BuildPrestige { .. }
        | Action::TransformBuilding { .. } => 3,
        Action::TakeFavor {
            line: Some(FavorLine::Buildings),
            ..
        } => 3,
        Action::PlaceWorker {
            target: Some(Target::Castle),
        }
        | Action::MoveGateWorker {
            target: Some(Target::Castle),
        } => 1,
        Action::PlaceWorker { .. }
        | Action::MoveGateWorker { .. }
        | Action::MoveProvost { .. }
        | Action::Joust { accept: true }
        | Action::InnChoice { .. }
        | Action::Produce { .. }
        | Action::SellCube { .. }
        | Action::BuyCubes { .. }
        | Action::Trade { .. }
        | Action::Alchemy { .. }
        | Action::TakeFavor { .. }
        | Action::ChooseOwnerBonus { .. } => 2,
        Action::PassTurn
        | Action::RecallGateWorker
        | Action::Joust { accept: false }
        | Action::Decline
        | Action::BuildCastleBatch { .. }
        | Action::FinishCastle => 1,
    }
}
