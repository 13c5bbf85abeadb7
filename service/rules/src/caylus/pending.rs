//! The decisions that players owe, and the loop that runs everything between them (CAY-6.12).

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::data::Space;
use super::legal;
use super::rules::{activation, castle, favors, placement, provost, scoring, special, turn};
use super::state::{Log, State, Step};
use crate::table::{Pending, PendingList, Seat, settle};

/// A decision that one seat owes (CAY-6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// Place a worker or pass.
    PlaceWorker,
    /// Where the gate's worker goes.
    GateRelocate,
    /// How far the merchants' guild moves the provost.
    GuildMove,
    /// Buy a favor at the joust field?
    Joust,
    /// Does the worker on the inn's right circle stay?
    InnStay,
    /// How far to move the provost, for a denier a space.
    BribeProvost,
    /// What the worker in a building does.
    UseBuilding {
        /// Where the building is.
        space: Space,
    },
    /// Which cube the owner of a stone production building takes.
    OwnerBonus {
        /// Where the building is.
        space: Space,
    },
    /// How to use a favor.
    TakeFavor,
    /// Deliver a batch to the castle, or finish.
    CastleBuild,
}

impl Decision {
    /// The name in the rule document.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::PlaceWorker => "PLACE_WORKER",
            Self::GateRelocate => "GATE_RELOCATE",
            Self::GuildMove => "GUILD_MOVE",
            Self::Joust => "JOUST",
            Self::InnStay => "INN_STAY",
            Self::BribeProvost => "BRIBE_PROVOST",
            Self::UseBuilding { .. } => "USE_BUILDING",
            Self::OwnerBonus { .. } => "OWNER_BONUS",
            Self::TakeFavor => "TAKE_FAVOR",
            Self::CastleBuild => "CASTLE_BUILD",
        }
    }
}

/// The open decision and the only seat that may act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Who must act.
    pub seat: Seat,
    /// What he must decide.
    pub decision: Decision,
}

impl State {
    /// Opens a decision.
    pub(super) const fn ask(&mut self, seat: Seat, decision: Decision) {
        self.asked = Some(Asked { seat, decision });
    }
}

/// Who owes which decision. At most one is open (CAY-6.1.1).
pub(super) fn pending(state: &State) -> PendingList {
    state
        .asked
        .map(|asked| Pending {
            seat: asked.seat,
            decision: asked.decision.id(),
        })
        .into_iter()
        .collect()
}

/// Runs everything automatic, up to the next decision that leaves a choice.
pub(super) fn run(state: &mut State, journal: &mut Log) {
    settle(state, |state| {
        if let Some(asked) = state.asked {
            decide_if_forced(state, asked, journal)
        } else if let Some(favors) = state.pending_favors {
            favors::ask(state, favors, journal);
            ControlFlow::Continue(())
        } else {
            step(state, journal)
        }
    });
}

/// Takes the only legal action, if there is no choice; breaks if there is one.
///
/// # Rule CAY-6.1.2, CAY-14.11
/// A decision with exactly one legal action is taken at once and logged as that action.
fn decide_if_forced(state: &mut State, asked: Asked, journal: &mut Log) -> ControlFlow<()> {
    let Some((action, permit)) = legal::only_action(state, asked) else {
        return ControlFlow::Break(());
    };
    journal.automatic(asked.seat, action);
    legal::carry_out(state, permit, journal);
    ControlFlow::Continue(())
}

fn step(state: &mut State, journal: &mut Log) -> ControlFlow<()> {
    match state.step {
        Step::StartTurn => turn::start(state, journal),
        Step::Place => placement::ask(state),
        Step::Special => special::activate(state, journal),
        Step::AfterSpecial => special::next(state),
        Step::Bribe => provost::ask(state),
        Step::AfterBribe => provost::next(state),
        Step::Road => activation::walk(state, journal),
        Step::OwnerBonus => activation::ask_owner(state),
        Step::LeaveBuilding => activation::leave(state, journal),
        Step::Castle => castle::ask(state),
        Step::MostBatches => castle::reward_most_batches(state, journal),
        Step::LeaveCastle => castle::leave(state, journal),
        Step::Bailiff => scoring::move_bailiff(state, journal),
        Step::SectionDue => scoring::begin_section(state, journal),
        Step::ScoreSeat => scoring::score_seat(state, journal),
        Step::AfterSeat => scoring::next_seat(state, journal),
        Step::Over => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}
