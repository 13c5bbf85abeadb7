//! The seat to act, and what its turn still allows (MYT-6.1, 6.11).

use super::actor::ActorContext;
use crate::mythotopia::action::Action;
use crate::mythotopia::data::ACTIONS;
use crate::mythotopia::refusal::{Refusal, RefusedAction, ensure};
use crate::mythotopia::stage::{Decision, TurnMark};
use crate::table::{Kind as _, Refusal as _};

/// The part of the game that an action belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Discard,
    Citadel,
    Turn,
    Source,
    Philosopher,
}

const fn part(action: &Action) -> Part {
    match action {
        Action::SetupDiscardProvinces { .. } => Part::Discard,
        Action::SetupPlaceCitadel { .. } => Part::Citadel,
        Action::ChooseTokenSource { .. } => Part::Source,
        Action::ChoosePhilosopherCard { .. } => Part::Philosopher,
        Action::Invade(_)
        | Action::PlaceArmies { .. }
        | Action::RemoveArmies { .. }
        | Action::PlaceShips { .. }
        | Action::RemoveShips { .. }
        | Action::EndWar { .. }
        | Action::BuyUnits { .. }
        | Action::DraftCard { .. }
        | Action::ReserveCards { .. }
        | Action::DiscardCards { .. }
        | Action::RemoveCards { .. }
        | Action::BuildCity { .. }
        | Action::BuildCastle { .. }
        | Action::BuildRoad { .. }
        | Action::UseAlchemist { .. }
        | Action::UseDiplomat { .. }
        | Action::Patronage { .. }
        | Action::PassTurn
        | Action::EndGame
        | Action::MoveArmiesByRoad { .. }
        | Action::WarehouseStore { .. }
        | Action::UseCounsellor { .. }
        | Action::UseMarauders { .. }
        | Action::UseMercenary { .. }
        | Action::UseMilitia { .. }
        | Action::UseMystic { .. }
        | Action::UsePhilosopher { .. }
        | Action::UseProvidence { .. }
        | Action::EndTurn => Part::Turn,
    }
}

/// Checks that this seat may take this kind of action at all now.
///
/// # Rule MYT-6.11, 14.3
/// `GAME_OVER`, `WRONG_DECISION` (set-up or turns), `NOT_YOUR_TURN`, `WRONG_DECISION` (of a turn),
/// `ALREADY_SUBMITTED`.
pub fn check(actor: ActorContext, action: &Action) -> Result<(), RefusedAction> {
    let ActorContext { state, seat, .. } = actor;
    let decision = state
        .decision()
        .ok_or(Refusal::GameOver.citing("MYT-6.1"))?;
    let not_yours = || {
        let to_act = state.owing(decision).next().unwrap_or(state.active);
        Refusal::NotYourTurn {
            to_act,
            decision: decision.id(),
        }
        .citing("MYT-6.1.5")
    };
    if !state.players.has(seat) {
        return Err(not_yours());
    }
    let owes = state.owes(seat, decision);
    let part = part(action);
    let action = action.kind();
    let another = Refusal::WrongDecision {
        action,
        decision: decision.id(),
    }
    .citing("MYT-6.1");
    let setup = matches!(part, Part::Discard | Part::Citadel);
    match decision {
        Decision::SetupDiscard | Decision::SetupCitadel => {
            ensure(setup, another)?;
            submission(actor, part, decision)
        }
        Decision::Turn | Decision::ChooseTokenSource | Decision::ChoosePhilosopherCard => {
            ensure(!setup, another)?;
            if !owes && seat != state.active {
                return Err(not_yours());
            }
            let answers = match part {
                Part::Turn => decision == Decision::Turn,
                Part::Source => decision == Decision::ChooseTokenSource,
                Part::Philosopher => decision == Decision::ChoosePhilosopherCard,
                Part::Discard | Part::Citadel => false,
            };
            ensure(owes && answers, another)
        }
    }
}

/// # Rule MYT-6.10.1, 14.23
/// A choice is final. Unknown ids are reported before a submission of the wrong kind.
fn submission(actor: ActorContext, part: Part, decision: Decision) -> Result<(), RefusedAction> {
    let (wanted, rule) = if decision == Decision::SetupCitadel {
        (Part::Citadel, "MYT-6.10.2")
    } else {
        (Part::Discard, "MYT-6.10.1")
    };
    let again = part == wanted && actor.player().choice.is_some();
    ensure(!again, Refusal::AlreadySubmitted { decision }.citing(rule))
}

/// # Rule MYT-6.5
/// A turn has two actions.
pub fn action(actor: ActorContext) -> Result<(), RefusedAction> {
    ensure(
        actor.state.turn.actions_done < ACTIONS,
        Refusal::NoActionsLeft.citing("MYT-6.5"),
    )
}

/// # Rule MYT-6.1.4
/// Some actions are possible only as the first of a turn, before any free action.
pub fn first_action(actor: ActorContext) -> Result<(), RefusedAction> {
    action(actor)?;
    ensure(
        actor.state.turn.actions_done == 0,
        Refusal::FirstActionOnly.citing("MYT-6.1.4"),
    )?;
    let free = actor.state.turn.marks.contains(TurnMark::FreeAction);
    ensure(!free, Refusal::AfterFreeAction.citing("MYT-6.1.4"))
}

/// # Rule MYT-6.6.1, 6.6.2
/// Some free actions are possible only once in a turn.
pub fn once(actor: ActorContext, mark: TurnMark, rule: &'static str) -> Result<(), RefusedAction> {
    let done = actor.state.turn.marks.contains(mark);
    ensure(!done, Refusal::AlreadyDoneThisTurn.citing(rule))
}
