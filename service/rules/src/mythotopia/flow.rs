//! The course of play as a **state machine**: carries out a validated action, then hands out the tokens that are due,
//! up to the next decision.

use super::data::CardSet;
use super::event::Event;
use super::legal::{Permit, ValidAction};
use super::rules::cards::Spend;
use super::rules::{
    abilities, armies, awards, build, decks, end_game, gold, invade, philosopher, roads,
    setup_choice, ships, turn, war,
};
use super::stage::TurnMark;
use super::state::{ExecContext, State};
use crate::table::Seat;

/// The part of a turn that an action uses up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effort {
    /// One of the two actions.
    Action,
    /// A free action; some of them once in a turn.
    Free(Option<TurnMark>),
    None,
}

const fn effort(valid_action: &ValidAction) -> Effort {
    match valid_action {
        ValidAction::Decks(decks::ValidAction::Store(_)) => Effort::Free(Some(TurnMark::Warehouse)),
        ValidAction::Invade(_)
        | ValidAction::Armies(_)
        | ValidAction::Ships(_)
        | ValidAction::War(_)
        | ValidAction::Gold(_)
        | ValidAction::Decks(_)
        | ValidAction::Build(_)
        | ValidAction::Pass
        | ValidAction::EndGame => Effort::Action,
        ValidAction::March(_) => Effort::Free(Some(TurnMark::RoadMove)),
        ValidAction::Ability(_) => Effort::Free(None),
        ValidAction::SetupChoice(_)
        | ValidAction::EndTurn
        | ValidAction::TokenSource(_)
        | ValidAction::TakeImprovement(_) => Effort::None,
    }
}

/// Carries out everything that needs no choice: the tokens that are due, the end of the set-up.
pub fn run_to_decision(ctx: &mut ExecContext<'_>) {
    setup_choice::settle(ctx);
    awards::settle(ctx, awards::SourceChooser::Receiver);
}

/// Carries out the answer to the decision. The tokens that are due, the end of the turn and that of the set-up come
/// later.
///
/// # Rule MYT-6.2.3, 6.5, 6.6
/// The turn is charged, the cards are played, then comes the effect.
pub fn execute_immediate(
    ctx: &mut ExecContext<'_>,
    Permit {
        seat,
        spend,
        valid_action,
    }: Permit,
) {
    charge(ctx.state, &valid_action, &spend);
    let used = spend.used;
    let waits = matches!(&valid_action, ValidAction::Ability(ability) if ability.keeps_cards());
    if !waits {
        ctx.state.players[seat].discard(used);
    }
    if !spend.played.is_empty() {
        ctx.emit(Event::CardsPlayed {
            seat,
            cards: spend.played,
        });
    }
    carry_out(ctx, seat, valid_action, used);
}

fn charge(state: &mut State, valid_action: &ValidAction, spend: &Spend) {
    match effort(valid_action) {
        Effort::Action => state.turn.actions_done += 1,
        Effort::Free(mark) => {
            state.turn.marks.insert(TurnMark::FreeAction);
            state.turn.marks.extend(mark);
        }
        Effort::None => {}
    }
    let converters = spend.converters.iter();
    state.turn.marks.extend(converters.map(TurnMark::from));
}

/// Carries out the validated action itself.
fn carry_out(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction, used: CardSet) {
    match valid_action {
        ValidAction::SetupChoice(choice) => setup_choice::execute(ctx, seat, choice),
        ValidAction::Invade(valid_action) => invade::execute(ctx, seat, &valid_action),
        ValidAction::Armies(valid_action) => armies::execute(ctx, seat, &valid_action),
        ValidAction::Ships(valid_action) => ships::execute(ctx, seat, &valid_action),
        ValidAction::War(valid_action) => war::execute(ctx, seat, &valid_action),
        ValidAction::Gold(valid_action) => gold::execute(ctx, seat, &valid_action),
        ValidAction::Decks(valid_action) => decks::execute(ctx, seat, &valid_action),
        ValidAction::Build(valid_action) => build::execute(ctx, seat, &valid_action),
        ValidAction::Pass => ctx.emit(Event::Passed { seat }),
        ValidAction::EndGame => end_game::execute(ctx, seat),
        ValidAction::March(moves) => roads::execute(ctx, seat, moves),
        ValidAction::Ability(valid_action) => abilities::execute(ctx, seat, used, &valid_action),
        ValidAction::EndTurn => turn::end(ctx, seat),
        ValidAction::TokenSource(source) => awards::take(ctx, source),
        ValidAction::TakeImprovement(improvement) => philosopher::execute(ctx, seat, improvement),
    }
}
