//! What an allowed action does, up to the next decision.

use crate::mythotopia::data::CardSet;
use crate::mythotopia::event::Event;
use crate::mythotopia::legal::{Deed, Effort, Permit};
use crate::mythotopia::rules::cards::Spend;
use crate::mythotopia::rules::{
    abilities, armies, awards, build, decks, end_game, gold, invade, philosopher, roads,
    setup_choice, ships, turn, war,
};
use crate::mythotopia::stage::TurnMark;
use crate::mythotopia::state::{Play, State};
use crate::table::Seat;

/// Carries out what was allowed.
///
/// # Rule MYT-6.2.3, 6.5, 6.6
/// The turn is charged, the cards are played, then comes the effect, then the tokens that are due.
pub(crate) fn perform(play: &mut Play<'_>, permit: Permit) {
    let Permit { seat, spend, deed } = permit;
    charge(play.state, &deed, &spend);
    let used = spend.used;
    spend_cards(play, seat, spend, fate(&deed));
    effect(play, seat, deed, used);
    awards::settle(play, awards::Asking::Receiver);
}

fn charge(state: &mut State, deed: &Deed, spend: &Spend) {
    match deed.effort() {
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

/// Do the cards wait beside the discard pile until the effect is over (MYT-6.2.3)?
const fn fate(deed: &Deed) -> Fate {
    match deed {
        Deed::Redraw(_) | Deed::Mystic(_) | Deed::Philosopher => Fate::Waits,
        Deed::SetupChoice(_)
        | Deed::Invade(_)
        | Deed::PlaceArmies(..)
        | Deed::RemoveArmies(_)
        | Deed::PlaceShips(..)
        | Deed::RemoveShips(..)
        | Deed::EndWar(_)
        | Deed::Buy(_)
        | Deed::Draft(..)
        | Deed::Reserve(_)
        | Deed::Discard(_)
        | Deed::Remove(_)
        | Deed::Build(..)
        | Deed::Alchemist(_)
        | Deed::Diplomat(_)
        | Deed::Patronage
        | Deed::Pass
        | Deed::EndGame
        | Deed::March(_)
        | Deed::Store(_)
        | Deed::Marauders(..)
        | Deed::Mercenaries(..)
        | Deed::Militia
        | Deed::EndTurn
        | Deed::TokenSource(_)
        | Deed::TakeImprovement(_) => Fate::Discarded,
    }
}

/// Where played cards go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// To the discard pile, before the effect.
    Discarded,
    /// Wherever the effect puts them.
    Waits,
}

fn spend_cards(play: &mut Play<'_>, seat: Seat, spend: Spend, fate: Fate) {
    if fate == Fate::Discarded {
        play.state.players[seat].discard(spend.used);
    }
    if !spend.played.is_empty() {
        play.tell(Event::CardsPlayed {
            seat,
            cards: spend.played,
        });
    }
}

fn effect(play: &mut Play<'_>, seat: Seat, deed: Deed, used: CardSet) {
    match deed {
        Deed::SetupChoice(choice) => setup_choice::perform(play, seat, choice),
        Deed::Invade(landing) => invade::perform(play, seat, &landing),
        Deed::PlaceArmies(province, armies) => armies::place(play, seat, province, armies),
        Deed::RemoveArmies(retreat) => armies::remove(play, seat, retreat),
        Deed::PlaceShips(sea, ships) => ships::place(play, seat, sea, ships),
        Deed::RemoveShips(sea, ships) => ships::remove(play, seat, sea, ships),
        Deed::EndWar(verdict) => war::conclude(play, seat, &verdict),
        Deed::Buy(bought) => gold::buy(play, seat, bought),
        Deed::Draft(card, from) => gold::draft(play, seat, card, from),
        Deed::Reserve(cards) | Deed::Store(cards) => decks::reserve(play, seat, cards),
        Deed::Discard(cards) => decks::discard(play, seat, cards),
        Deed::Remove(cards) => decks::remove(play, seat, cards),
        Deed::Build(work, bonus) => build::perform(play, seat, work, bonus),
        Deed::Alchemist(from) => gold::exchange(play, seat, from),
        Deed::Diplomat(province) => war::dissolve(play, seat, province),
        Deed::Patronage => gold::patronize(play, seat),
        Deed::Pass => play.tell(Event::Passed { seat }),
        Deed::EndGame => end_game::perform(play, seat),
        Deed::March(moves) => roads::perform(play, seat, moves),
        Deed::Redraw(cards) => abilities::redraw(play, seat, used, cards),
        Deed::Marauders(province, owner) => abilities::rout(play, seat, province, owner),
        Deed::Mercenaries(province, count) => abilities::hire(play, seat, province, count),
        Deed::Militia => abilities::raise(play, seat),
        Deed::Mystic(card) => abilities::take_back(play, seat, used, card),
        Deed::Philosopher => abilities::inspect(play, seat, used),
        Deed::EndTurn => turn::end(play, seat),
        Deed::TokenSource(source) => awards::take(play, source),
        Deed::TakeImprovement(improvement) => philosopher::perform(play, seat, improvement),
    }
}
