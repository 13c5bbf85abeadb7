//! Purchases with gold: pieces, cards, patronage (MYT-6.5.7, 6.5.8, 6.5.14) and Alchemist (MYT-7.1).

use super::actor::Actor;
use super::cards::{Cards, Pays, Role, Ruling};
use super::payment::{Cost, at_most, pay};
use super::purse::Purse;
use super::{awards, gate};
use crate::mythotopia::action::{Action, SymbolPlay};
use crate::mythotopia::data::{
    ARMY_GOLD, Card, DRAFT_GOLD, Improvement, PATRONAGE_GOLD, Piece, PointCard, SHIP_GOLD, Stack,
    Symbol,
};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Purchase, Refusal, ensure, known};
use crate::mythotopia::stage::{TurnMark, Zone};
use crate::mythotopia::state::{Pieces, Play};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit};

const ALCHEMIST: Card = Card::improvement(Improvement::Alchemist);

/// A validated action of this theme.
#[derive(Debug)]
pub enum Deed {
    Buy(Pieces),
    Draft {
        card: Card,
        from: Zone,
    },
    Patronage,
    /// Exchanges a token of this value for the next higher one.
    Exchange(u8),
}

/// Carries out the purchase.
pub fn perform(play: &mut Play<'_>, seat: Seat, deed: &Deed) {
    match *deed {
        Deed::Buy(bought) => buy(play, seat, bought),
        Deed::Draft { card, from } => draft(play, seat, card, from),
        Deed::Patronage => patronize(play, seat),
        Deed::Exchange(from) => exchange(play, seat, from),
    }
}

fn only_gold(gold: &[SymbolPlay]) -> [Pays<'_>; 1] {
    [("gold", gold, Symbol::Gold)]
}

/// Checks that these pieces may be bought.
///
/// # Rule MYT-6.5.7
/// An army for one gold, a ship for two, out of the pool.
pub fn check_buy(actor: Actor, armies: u32, ships: u32, gold: &[SymbolPlay]) -> Ruling<Deed> {
    let cards = Cards {
        uses: &[],
        pays: &only_gold(gold),
    };
    cards.known()?;
    ensure(armies > 0 || ships > 0, Refusal::NoPieces.at("MYT-6.5.7"))?;
    let used = cards.distinct()?;
    gate::action(actor)?;
    let spend = cards.usable(actor, used)?;
    let pool = actor.player().pool;
    let in_pool = |piece, there, needed| {
        let empty = Refusal::PoolEmpty {
            piece,
            there,
            needed,
        };
        at_most(needed, there).ok_or(empty.at("MYT-6.5.7"))
    };
    let bought = Pieces {
        armies: in_pool(Piece::Army, pool.armies, armies)?,
        ships: in_pool(Piece::Ship, pool.ships, ships)?,
    };
    pay(&[Cost::new(
        Purchase::Units,
        gold,
        Symbol::Gold,
        price(bought.armies, bought.ships),
    )])?;
    Ok((spend, Deed::Buy(bought)))
}

fn price(armies: u8, ships: u8) -> u32 {
    u32::from(armies) * u32::from(ARMY_GOLD) + u32::from(ships) * u32::from(SHIP_GOLD)
}

/// Moves the pieces from the pool to the stock.
fn buy(play: &mut Play<'_>, seat: Seat, bought: Pieces) {
    let player = &mut play.state.players[seat];
    player.pool.armies -= bought.armies;
    player.pool.ships -= bought.ships;
    player.stock.armies += bought.armies;
    player.stock.ships += bought.ships;
    play.tell(Event::UnitsBought {
        seat,
        armies: bought.armies,
        ships: bought.ships,
    });
}

/// Lists purchases, by armies and then ships.
pub fn candidates_buy(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    let (purse, pool) = (Purse::of(actor), actor.player().pool);
    let most = purse.most(Symbol::Gold);
    for armies in 0..=pool.armies {
        for ships in 0..=pool.ships {
            // The most costly purchase is 14 gold.
            let Ok(cost @ 1..) = u8::try_from(price(armies, ships)) else {
                continue;
            };
            if usize::from(cost) > most {
                break;
            }
            list.one_of(|list| {
                purse.pay(Symbol::Gold, cost, list, &mut |list, _, gold| {
                    list.visit(Action::BuyUnits {
                        armies: u32::from(armies),
                        ships: u32::from(ships),
                        gold: gold.to_vec(),
                    })
                })
            })?;
        }
    }
    Visit::Continue(())
}

/// The zone that a card can be drafted from.
///
/// # Rule MYT-6.5.8
/// Improvements from the display; starting and province cards from the player's removed cards.
fn drafted_from(actor: Actor, card: Card) -> Option<Zone> {
    let displayed = card
        .as_improvement()
        .is_some_and(|improvement| actor.state.display.contains(improvement));
    if displayed {
        Some(Zone::Display)
    } else {
        let removed = actor.player().removed.contains(card);
        removed.then_some(Zone::Removed)
    }
}

/// Checks that this card may be drafted.
///
/// # Rule MYT-6.5.8, 14.5
/// Once a turn, for one gold. The card drafted is outside the duplicate check.
pub fn check_draft(actor: Actor, card: Named<Card>, gold: &[SymbolPlay]) -> Ruling<Deed> {
    let card = known(card, "card")?;
    let cards = Cards {
        uses: &[],
        pays: &only_gold(gold),
    };
    cards.known()?;
    let used = cards.distinct()?;
    gate::action(actor)?;
    let drafted = actor.state.turn.marks.contains(TurnMark::Drafted);
    ensure(!drafted, Refusal::AlreadyDrafted.at("MYT-6.5.8"))?;
    let spend = cards.usable(actor, used)?;
    let from =
        drafted_from(actor, card).ok_or(Refusal::CardNotDisplayed { card }.at("MYT-6.5.8"))?;
    pay(&[Cost::new(Purchase::Draft, gold, Symbol::Gold, DRAFT_GOLD)])?;
    Ok((spend, Deed::Draft { card, from }))
}

/// Moves the card to the discard pile. The display is not refilled.
fn draft(play: &mut Play<'_>, seat: Seat, card: Card, from: Zone) {
    if let Some(improvement) = card.as_improvement() {
        play.state.display.remove(improvement);
    }
    let player = &mut play.state.players[seat];
    player.removed.remove(card);
    player.discard.insert(card);
    play.state.turn.marks.insert(TurnMark::Drafted);
    play.tell(Event::CardDrafted {
        seat,
        card,
        from_zone: from,
    });
}

/// Lists cards to draft: the removed ones, then the display, both by card.
pub fn candidates_draft(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    let displayed = actor.state.display.iter().map(Card::improvement);
    let purse = Purse::of(actor);
    for card in actor.player().removed.iter().chain(displayed) {
        list.one_of(|list| {
            purse.pay(Symbol::Gold, DRAFT_GOLD, list, &mut |list, _, gold| {
                list.visit(Action::DraftCard {
                    card: Some(card),
                    gold: gold.to_vec(),
                })
            })
        })?;
    }
    Visit::Continue(())
}

/// Checks that Patronage may be paid (MYT-6.5.14).
pub fn check_patronage(actor: Actor, gold: &[SymbolPlay]) -> Ruling<Deed> {
    let cards = Cards {
        uses: &[],
        pays: &only_gold(gold),
    };
    cards.known()?;
    let used = cards.distinct()?;
    gate::action(actor)?;
    let spend = cards.usable(actor, used)?;
    awards::check_token(actor, Stack::Patronage, &spend, "MYT-6.5.14")?;
    pay(&[Cost::new(
        Purchase::Patronage,
        gold,
        Symbol::Gold,
        PATRONAGE_GOLD,
    )])?;
    Ok((spend, Deed::Patronage))
}

/// Awards the patron a token.
fn patronize(play: &mut Play<'_>, seat: Seat) {
    play.tell(Event::PatronagePaid { seat });
    awards::queue(play.state, seat, Stack::Patronage);
}

/// Lists Patronage, if it can be paid.
pub fn candidates_patronage(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    if !actor.state.in_play.contains(PointCard::Patronage) {
        return Visit::Continue(());
    }
    list.one_of(|list| {
        Purse::of(actor).pay(Symbol::Gold, PATRONAGE_GOLD, list, &mut |list, _, gold| {
            list.visit(Action::Patronage {
                gold: gold.to_vec(),
            })
        })
    })
}

/// Checks that a token of this value may be exchanged.
///
/// # Rule MYT-7.1, 14.8
/// The bank must have one of the next value; tokens on cards do not count.
pub fn check_alchemist(actor: Actor, card: Named<Card>, from: u32) -> Ruling<Deed> {
    let cards = Cards {
        uses: &[("card", &[card], Role::Ability(Improvement::Alchemist))],
        pays: &[],
    };
    cards.known()?;
    let value = match from {
        1 => 1,
        2 => 2,
        given => return Err(Refusal::InvalidTokenValue { max: 2, given }.at("MYT-7.1")),
    };
    let used = cards.distinct()?;
    gate::action(actor)?;
    let spend = cards.usable(actor, used)?;
    let higher = actor.state.bank[usize::from(value)] > 0;
    let none = Refusal::NoTokenAvailable {
        card: None,
        value: value + 1,
    }
    .at("MYT-7.1");
    ensure(higher, none)?;
    let has = actor.player().tokens[usize::from(value) - 1] > 0;
    let none = Refusal::CannotAfford {
        purchase: Purchase::Alchemist,
        symbol: None,
        price: 1,
        given: 0,
        token_value: Some(value),
    };
    ensure(has, none.at("MYT-7.1"))?;
    Ok((spend, Deed::Exchange(value)))
}

/// Exchanges a token for the next higher one of the bank.
fn exchange(play: &mut Play<'_>, seat: Seat, from: u8) {
    let (low, high) = (usize::from(from) - 1, usize::from(from));
    play.state.bank[low] += 1;
    play.state.bank[high] -= 1;
    let tokens = &mut play.state.players[seat].tokens;
    tokens[low] -= 1;
    tokens[high] += 1;
    play.tell(Event::TokenExchanged {
        seat,
        from_value: from,
    });
}

/// Lists the values that Alchemist may exchange.
pub fn candidates_alchemist(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    if !actor.player().playable().contains(ALCHEMIST) {
        return Visit::Continue(());
    }
    (1..=2).try_for_each(|from| {
        list.visit(Action::UseAlchemist {
            card: Some(ALCHEMIST),
            from_value: from,
        })
    })
}
