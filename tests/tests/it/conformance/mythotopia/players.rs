//! Players who reach what random ones do not.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "players want a few actions and cards only"
)]

use gamekeeper_rules::mythotopia::data::{Card, Improvement, PointCard};
use gamekeeper_rules::mythotopia::{Action, TokenSource, View};
use gamekeeper_rules::table::Seat;

/// Prefers to build for tokens, to draft the Alchemist and to use it.
pub(super) fn alchemists(_view: &View, _seat: Seat, action: &Action) -> u32 {
    match action {
        Action::UseAlchemist { .. } => 1_000,
        Action::DraftCard { card, .. } if is(*card, Improvement::Alchemist) => 900,
        Action::ReserveCards { cards }
        | Action::RemoveCards { cards }
        | Action::DiscardCards { cards }
            if cards.iter().any(|&card| is(card, Improvement::Alchemist)) =>
        {
            1
        }
        _ => builders(action),
    }
}

/// Prefers to remove cards while that is legal, and neither drafts nor invades.
pub(super) fn removers(_view: &View, _seat: Seat, action: &Action) -> u32 {
    match action {
        Action::RemoveCards { .. } => 1_000,
        Action::DraftCard { .. } | Action::Invade { .. } => 0,
        _ => 1,
    }
}

/// One of them has the Scribe in the reserve. The others sail until Master of the Seas has no tokens
/// left; then the Scribe's owner sails, and declines what the bank would give.
pub(super) fn sailors(view: &View, seat: Seat, action: &Action) -> u32 {
    let seas = view.point_cards.iter();
    let mut seas = seas.filter(|row| row.card == PointCard::MasterOfTheSeas);
    let all_taken = seas.all(|row| row.tokens.iter().all(|stack| stack.count == 0));
    let scribe = Card::improvement(Improvement::Scribe);
    let own_cards = &view.players[seat.index()];
    let has_scribe = own_cards.reserve.contains(scribe)
        || own_cards.discard.contains(scribe)
        || own_cards.hand.is_some_and(|hand| hand.contains(scribe))
        || own_cards.deck.is_some_and(|deck| deck.contains(scribe));
    match action {
        Action::ChooseTokenSource {
            source: Some(TokenSource::None),
        } => 1_000,
        Action::DraftCard { card, .. } if is(*card, Improvement::Scribe) => 900,
        Action::ReserveCards { cards }
            if cards.iter().any(|&card| is(card, Improvement::Scribe)) =>
        {
            950
        }
        Action::DiscardCards { cards } | Action::RemoveCards { cards }
            if cards.iter().any(|&card| is(card, Improvement::Scribe)) =>
        {
            0
        }
        Action::PlaceShips { .. } if has_scribe && !all_taken => 2,
        Action::PlaceShips { .. } => 500,
        Action::BuyUnits { ships, .. } => 60 * *ships,
        Action::RemoveShips { .. } => 0,
        Action::DraftCard { card, .. } if is(*card, Improvement::Ship) => 400,
        _ => builders(action),
    }
}

/// Prefers actions that earn tokens, then those that pay for them.
fn builders(action: &Action) -> u32 {
    match action {
        Action::BuildCity { .. } | Action::BuildCastle { .. } | Action::BuildRoad { .. } => 300,
        Action::Patronage { .. } => 250,
        Action::EndWar { .. } => 200,
        Action::Invade(_) => 60,
        Action::PlaceArmies { .. } => 80,
        Action::BuyUnits { armies, .. } => 30 + 10 * *armies,
        Action::DraftCard { .. } => 40,
        Action::DiscardCards { .. } | Action::EndTurn => 30,
        Action::EndGame | Action::RemoveArmies { .. } => 0,
        Action::PassTurn | Action::RemoveCards { .. } => 1,
        _ => 10,
    }
}

fn is(card: Option<Card>, improvement: Improvement) -> bool {
    card == Some(Card::improvement(improvement))
}
