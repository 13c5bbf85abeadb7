//! The course of play as a **state machine**: carries out a validated action, then hands out the tokens that are due,
//! up to the next decision.

use super::data::CardSet;
use super::event::Event;
use super::legal::{Deed, Permit};
use super::rules::cards::Spend;
use super::rules::{
    abilities, armies, awards, build, decks, end_game, gold, invade, philosopher, roads,
    setup_choice, ships, turn, war,
};
use super::stage::TurnMark;
use super::state::{Play, State};
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

const fn effort(deed: &Deed) -> Effort {
    match deed {
        Deed::Decks(decks::Deed::Store(_)) => Effort::Free(Some(TurnMark::Warehouse)),
        Deed::Invade(_)
        | Deed::Armies(_)
        | Deed::Ships(_)
        | Deed::War(_)
        | Deed::Gold(_)
        | Deed::Decks(_)
        | Deed::Build(_)
        | Deed::Pass
        | Deed::EndGame => Effort::Action,
        Deed::March(_) => Effort::Free(Some(TurnMark::RoadMove)),
        Deed::Ability(_) => Effort::Free(None),
        Deed::SetupChoice(_) | Deed::EndTurn | Deed::TokenSource(_) | Deed::TakeImprovement(_) => {
            Effort::None
        }
    }
}

/// Carries out a validated action, and everything automatic after it.
///
/// # Rule MYT-6.2.3, 6.5, 6.6
/// The turn is charged, the cards are played, then comes the effect, then the tokens that are due.
pub fn perform(play: &mut Play<'_>, permit: Permit) {
    let (seat, ends) = (permit.seat, matches!(permit.deed, Deed::EndTurn));
    answer(play, permit);
    setup_choice::settle(play);
    if ends {
        turn::end(play, seat);
    }
    awards::settle(play, awards::Asking::Receiver);
}

/// Carries out the answer to the decision. The tokens that are due, the end of the turn and that of the set-up come
/// later.
pub fn answer(play: &mut Play<'_>, Permit { seat, spend, deed }: Permit) {
    charge(play.state, &deed, &spend);
    let used = spend.used;
    let waits = matches!(&deed, Deed::Ability(ability) if ability.keeps_cards());
    if !waits {
        play.state.players[seat].discard(used);
    }
    if !spend.played.is_empty() {
        play.tell(Event::CardsPlayed {
            seat,
            cards: spend.played,
        });
    }
    carry_out(play, seat, deed, used);
}

fn charge(state: &mut State, deed: &Deed, spend: &Spend) {
    match effort(deed) {
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
fn carry_out(play: &mut Play<'_>, seat: Seat, deed: Deed, used: CardSet) {
    match deed {
        Deed::SetupChoice(choice) => setup_choice::perform(play, seat, choice),
        Deed::Invade(deed) => invade::perform(play, seat, &deed),
        Deed::Armies(deed) => armies::perform(play, seat, &deed),
        Deed::Ships(deed) => ships::perform(play, seat, &deed),
        Deed::War(deed) => war::perform(play, seat, &deed),
        Deed::Gold(deed) => gold::perform(play, seat, &deed),
        Deed::Decks(deed) => decks::perform(play, seat, &deed),
        Deed::Build(deed) => build::perform(play, seat, &deed),
        Deed::Pass => play.tell(Event::Passed { seat }),
        Deed::EndGame => end_game::perform(play, seat),
        Deed::March(moves) => roads::perform(play, seat, moves),
        Deed::Ability(deed) => abilities::perform(play, seat, used, &deed),
        Deed::EndTurn => {} // The next turn follows.
        Deed::TokenSource(source) => awards::take(play, source),
        Deed::TakeImprovement(improvement) => philosopher::perform(play, seat, improvement),
    }
}
