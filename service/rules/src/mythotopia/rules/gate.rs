//! Whose turn it is, and what a turn still allows (MYT-6.1, 6.11).

use crate::mythotopia::action::Action;
use crate::mythotopia::data::ACTIONS;
use crate::mythotopia::refusal::{No, Refusal, ensure};
use crate::mythotopia::rules::actor::Actor;
use crate::mythotopia::stage::{Stage, TurnMark};
use crate::table::Refusal as _;

/// To which part of the game an action belongs.
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
        | Action::Pass
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

/// May this seat do this kind of thing now at all?
///
/// # Rule MYT-6.11, 14.3
/// `GAME_FINISHED`, `WRONG_PHASE`, `NOT_YOUR_TURN`, `DECISION_PENDING` / `NO_PENDING_DECISION`,
/// `ALREADY_SUBMITTED`.
pub(crate) fn check(actor: Actor, action: &Action) -> Result<(), No> {
    let part = part(action);
    let setup = matches!(part, Part::Discard | Part::Citadel);
    let elsewhere = || {
        Refusal::WrongPhase {
            kind: action.kind(),
            due: actor.state.phase(),
        }
        .at("MYT-14.3")
    };
    match actor.state.stage {
        Stage::Finished => Err(Refusal::GameFinished.at("MYT-6.1")),
        Stage::SetupDiscard | Stage::SetupCitadel if !setup => Err(elsewhere()),
        Stage::SetupDiscard => submission(actor, part, Part::Discard, "MYT-6.10.1"),
        Stage::SetupCitadel => submission(actor, part, Part::Citadel, "MYT-6.10.2"),
        Stage::Turns | Stage::Philosopher if setup => Err(elsewhere()),
        Stage::Turns | Stage::Philosopher => decision(actor, part, action),
    }
}

/// # Rule MYT-6.10.1, 14.9
/// A choice is final. A submission of the wrong kind is not well formed, whoever has chosen;
/// that is said after unknown ids.
fn submission(actor: Actor, part: Part, wanted: Part, rule: &'static str) -> Result<(), No> {
    let again = part == wanted && actor.player().choice.is_some();
    let choice = actor.state.phase();
    ensure(!again, Refusal::AlreadySubmitted { choice }.at(rule))
}

/// # Rule MYT-6.1.5, 14.3
/// Nobody acts in the turn of another player, except to choose the source of a token.
fn decision(actor: Actor, part: Part, action: &Action) -> Result<(), No> {
    let state = actor.state;
    let award = state.awards.first();
    if part == Part::Source && award.is_some_and(|award| award.seat == actor.seat) {
        return Ok(());
    }
    let active = state.active;
    ensure(
        actor.seat == active,
        Refusal::NotYourTurn { active }.at("MYT-6.1.5"),
    )?;
    let asks = matches!(part, Part::Source | Part::Philosopher);
    let due = |seat| {
        Refusal::DecisionPending {
            seat,
            due: state.phase(),
        }
        .at("MYT-6.1")
    };
    if let Some(award) = award {
        Err(due(award.seat))
    } else if state.stage == Stage::Philosopher {
        ensure(part == Part::Philosopher, due(active))
    } else {
        let kind = action.kind();
        ensure(!asks, Refusal::NoPendingDecision { kind }.at("MYT-14.3"))
    }
}

/// # Rule MYT-6.5
/// A turn has two actions.
pub(crate) fn action(actor: Actor) -> Result<(), No> {
    ensure(
        actor.state.turn.actions_done < ACTIONS,
        Refusal::NoActionsLeft.at("MYT-6.5"),
    )
}

/// # Rule MYT-6.1.4
/// Some actions are possible as the first of a turn, before any free action.
pub(crate) fn first_action(actor: Actor) -> Result<(), No> {
    action(actor)?;
    ensure(
        actor.state.turn.actions_done == 0,
        Refusal::FirstActionOnly.at("MYT-6.1.4"),
    )?;
    let free = actor.state.turn.marks.contains(TurnMark::FreeAction);
    ensure(!free, Refusal::AfterFreeAction.at("MYT-6.1.4"))
}

/// # Rule MYT-6.6.1, 6.6.2
/// Some free actions are possible once in a turn.
pub(crate) fn once(actor: Actor, mark: TurnMark, rule: &'static str) -> Result<(), No> {
    let done = actor.state.turn.marks.contains(mark);
    ensure(!done, Refusal::AlreadyDoneThisTurn { mark }.at(rule))
}
