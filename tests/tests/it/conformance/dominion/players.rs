//! Players who seek situations that random players do not reach.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "players want a few actions and cards only"
)]

use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::{Action, View};
use gamekeeper_rules::table::Seat;

/// The number of Chapels that each player buys.
const CHAPELS: u8 = 2;

/// Preferences of players who buy all Coppers and Curses and trash them with Chapels, then trash all Chapels but one:
/// from then on nothing can change any more.
pub(super) fn trashers(view: &View, seat: Seat, action: &Action) -> u32 {
    let left = |card: Card| {
        let pile = view.supply.iter().find(|pile| pile.card == card);
        pile.map_or(0, |pile| pile.count)
    };
    let players = u8::try_from(view.players.len()).unwrap_or(u8::MAX);
    let more_chapels = left(Card::Chapel) > 10 - CHAPELS * players;
    match action {
        Action::PlayAction {
            card: Some(Card::Chapel),
        } => 60,
        Action::ChapelTrash { cards } if cards.contains(&Some(Card::Chapel)) => {
            2 * u32::from(has_only_chapels(view, seat))
        }
        Action::ChapelTrash { cards } => 1 + u32::try_from(cards.len()).unwrap_or(0),
        Action::PlayAllTreasures if more_chapels && view.counters.coins < 2 => 50,
        Action::BuyCard { card: Some(card) } => match card {
            Card::Chapel if more_chapels => 40,
            Card::Copper => 30,
            Card::Curse => 29,
            _ => 0,
        },
        Action::EndTurn { discard_top: None } => 10,
        Action::EndActionPhase => 10,
        _ => 0,
    }
}

/// Returns whether this player's hand consists of Chapels alone.
fn has_only_chapels(view: &View, seat: Seat) -> bool {
    let player = view.players.iter().find(|player| player.seat == seat);
    let hand = player.and_then(|player| player.hand);
    hand.is_some_and(|hand| hand.has(Card::Chapel) && hand.kinds() == 1)
}
