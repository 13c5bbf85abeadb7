//! The Buy phase: Treasures, then purchases (DOM-6.8 to DOM-6.13).

use super::common::{all_known, in_hand};
use super::play_card::lay_out;
use super::procedures::gain_bought;
use super::subsets::subsets;
use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType, Pile};
use crate::dominion::event::Event;
use crate::dominion::refusal::{Refusal, RefusedAction, require_known};
use crate::dominion::state::{Cards, ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Debug)]
pub enum ValidAction {
    Treasures(Vec<Card>),
    Buy(Card),
    EndTurn(Option<Card>),
}

pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    if !state.turn.bought {
        let treasures = state.players[seat].hand.of_type(CardType::Treasure);
        list.kind("play_treasures", |list| {
            subsets(list, &treasures, 1, treasures.len(), |cards| {
                Action::PlayTreasures { cards }
            })
        })?;
        list.visit(Action::PlayAllTreasures)?;
    }
    for &Pile { card, count } in state.supply.piles() {
        if for_sale(state, card, Some(count)).is_ok() {
            list.visit(Action::BuyCard { card: Some(card) })?;
        }
    }
    list.visit(Action::EndTurn { discard_top: None })?;
    leaving(state, seat).iter().try_for_each(|(card, _)| {
        list.visit(Action::EndTurn {
            discard_top: Some(Some(card)),
        })
    })
}

/// Checks that nothing was bought yet and that the cards are at least one, all in hand and all Treasures.
///
/// # Rule DOM-6.8
pub fn check_treasures(
    state: &State,
    seat: Seat,
    cards: &[MaybeKnown<Card>],
) -> Result<ValidAction, RefusedAction> {
    let rule = "DOM-6.8";
    let cards = all_known(cards)?;
    treasures_open(state, rule)?;
    if cards.is_empty() {
        let treasure_count = state.players[seat].hand.of_type(CardType::Treasure).len();
        return Err(Refusal::EmptySelection {
            held: treasure_count,
        }
        .citing(rule));
    }
    in_hand(state, seat, &cards, rule)?;
    match cards.iter().find(|card| !card.is(CardType::Treasure)) {
        None => Ok(ValidAction::Treasures(cards)),
        Some(&card) => Err(Refusal::NotATreasure { card }.citing(rule)),
    }
}

/// Checks that nothing was bought yet and that there is a Treasure in hand: all Coppers, then Silvers, then Golds.
///
/// # Rule DOM-6.9
pub fn check_all_treasures(state: &State, seat: Seat) -> Result<ValidAction, RefusedAction> {
    let rule = "DOM-6.9";
    treasures_open(state, rule)?;
    let treasures = state.players[seat].hand.of_type(CardType::Treasure);
    if treasures.is_empty() {
        return Err(Refusal::EmptySelection { held: 0 }.citing(rule));
    }
    Ok(ValidAction::Treasures(treasures.each().collect()))
}

/// Checks that Treasures may still be played: they come before purchases (DOM-1.A28).
fn treasures_open(state: &State, rule: &'static str) -> Result<(), RefusedAction> {
    if state.turn.bought {
        Err(Refusal::TreasuresClosed.citing(rule))
    } else {
        Ok(())
    }
}

/// Checks that the card is known and for sale.
///
/// # Rule DOM-6.10
pub fn check_purchase(state: &State, card: MaybeKnown<Card>) -> Result<ValidAction, RefusedAction> {
    let card = require_known(card, "card")?;
    let left = state.supply.count(card);
    for_sale(state, card, left).map_err(|refusal| refusal.citing("DOM-6.10"))?;
    Ok(ValidAction::Buy(card))
}

/// Checks that the card has a pile, a buy is left, the pile is not empty and the coins suffice. `left` is the number of
/// cards in the pile.
///
/// # Rule DOM-6.10
fn for_sale(state: &State, card: Card, left: Option<u8>) -> Result<(), Refusal> {
    let counters = &state.turn.counters;
    let (cost, coins) = (card.cost(), counters.coins);
    match left {
        None => Err(Refusal::NotInSupply { card }),
        Some(_) if counters.buys == 0 => Err(Refusal::NoBuysLeft),
        Some(0) => Err(Refusal::PileEmpty { card }),
        Some(_) if u16::from(cost) > coins => Err(Refusal::CannotAfford { card, cost, coins }),
        Some(_) => Ok(()),
    }
}

/// Checks that the card to end on top of the discard pile is in hand or in play.
///
/// # Rule DOM-6.13
pub fn check_end(
    state: &State,
    seat: Seat,
    discard_top: Option<MaybeKnown<Card>>,
) -> Result<ValidAction, RefusedAction> {
    let named = discard_top.map(|card| require_known(card, "discard_top"));
    match named.transpose()? {
        Some(card) if !leaving(state, seat).has(card) => {
            Err(Refusal::CardNotAvailable { card }.citing("DOM-6.13"))
        }
        discard_top => Ok(ValidAction::EndTurn(discard_top)),
    }
}

/// The cards that clean-up discards.
fn leaving(state: &State, seat: Seat) -> Cards {
    let mut cards = state.players[seat].hand;
    state.turn.in_play.iter().for_each(|&card| cards.add(card));
    cards
}

pub fn execute(ctx: &mut ExecContext<'_>, valid_action: ValidAction) {
    match valid_action {
        ValidAction::Treasures(cards) => play_treasures(ctx, cards),
        ValidAction::Buy(card) => buy(ctx, card),
        ValidAction::EndTurn(_) => {} // Clean-up is carried out in `flow`.
    }
}

/// Plays Treasures in this order; each gives its coins.
fn play_treasures(ctx: &mut ExecContext<'_>, cards: Vec<Card>) {
    for &card in &cards {
        lay_out(ctx, card);
        ctx.state.turn.counters.coins += u16::from(card.sheet().coins);
    }
    ctx.emit(Event::TreasuresPlayed {
        seat: ctx.state.turn.active,
        cards,
        counters: ctx.state.turn.counters,
    });
}

fn buy(ctx: &mut ExecContext<'_>, card: Card) {
    let turn = &mut ctx.state.turn;
    turn.counters.buys -= 1;
    turn.counters.coins -= u16::from(card.cost());
    turn.bought = true;
    let seat = turn.active;
    gain_bought(ctx, seat, card);
}
