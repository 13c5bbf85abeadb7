//! Who owes which decision, and what an allowed action does up to the next one.

use super::data::CardSet;
use super::event::Event;
use super::ids::ids;
use super::legal::{Deed, Effort, Permit};
use super::rules::cards::Spend;
use super::rules::{
    Play, abilities, armies, awards, build, decks, end_game, gold, invade, philosopher, roads,
    setup_choice, ships, turn, war,
};
use super::state::{State, TurnMark};
use crate::table::{Pending, PendingList, Seat};

ids! {
    /// The phases of a game (MYT-6.1). The name of a phase is the name of the decision it asks for.
    Phase {
        SetupDiscard "SETUP_DISCARD" "choice of provinces to give away",
        SetupCitadel "SETUP_CITADEL" "choice of the province of the citadel",
        Turn "TURN" "turn",
        ChooseTokenSource "CHOOSE_TOKEN_SOURCE" "choice of the source of a token",
        ChoosePhilosopherCard "CHOOSE_PHILOSOPHER_CARD" "choice of an improvement for Philosopher",
        Finished "FINISHED" "end of the game",
    }
}

/// Who owes which decision. In the set-up all who have not chosen yet.
///
/// # Rule MYT-6.1
pub(super) fn pending(state: &State) -> PendingList {
    let phase = state.phase();
    let decision = phase.id();
    let one = |seat| [Pending { seat, decision }].into_iter().collect();
    match phase {
        Phase::SetupDiscard | Phase::SetupCitadel => state
            .players
            .entries()
            .filter(|(_, player)| player.choice.is_none())
            .map(|(seat, _)| Pending { seat, decision })
            .collect(),
        Phase::Turn | Phase::ChoosePhilosopherCard => one(state.active),
        Phase::ChooseTokenSource => state
            .awards
            .first()
            .map(|award| one(award.seat))
            .unwrap_or_default(),
        Phase::Finished => PendingList::new(),
    }
}

/// Carries out what was allowed.
///
/// # Rule MYT-6.2.3, 6.5, 6.6
/// The turn is charged, the cards are played, then comes the effect, then the tokens that are due.
pub(super) fn perform(play: &mut Play, permit: Permit) {
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
            mark.inspect(|&mark| state.turn.marks.insert(mark));
        }
        Effort::None => {}
    }
    for converter in spend.converters.iter() {
        state.turn.marks.insert(TurnMark::from(converter));
    }
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

fn spend_cards(play: &mut Play, seat: Seat, spend: Spend, fate: Fate) {
    if fate == Fate::Discarded {
        play.player(seat).discard(spend.used);
    }
    if !spend.played.is_empty() {
        play.note(Event::CardsPlayed {
            seat,
            cards: spend.played,
        });
    }
}

fn effect(play: &mut Play, seat: Seat, deed: Deed, used: CardSet) {
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
        Deed::Patronage => gold::patronise(play, seat),
        Deed::Pass => play.note(Event::Passed { seat }),
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
