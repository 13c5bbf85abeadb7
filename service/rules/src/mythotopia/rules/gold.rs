//! Purchases with gold: pieces, cards, patronage (MYT-6.5.7, 6.5.8, 6.5.14) and Alchemist (MYT-7.1).

use super::actor::ActorContext;
use super::cards::{Cards, CheckResult, Pays, Role};
use super::payment::{Cost, at_most, pay};
use super::purse::Purse;
use super::{awards, gate};
use crate::mythotopia::action::{Action, SymbolPlay};
use crate::mythotopia::data::{
    ARMY_GOLD, Card, DRAFT_GOLD, Improvement, PATRONAGE_GOLD, Piece, PointCard, SHIP_GOLD, Stack,
    Symbol,
};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Purchase, Refusal, ensure, require_known};
use crate::mythotopia::stage::{TurnMark, Zone};
use crate::mythotopia::state::{ExecContext, Pieces};
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

const ALCHEMIST: Card = Card::improvement(Improvement::Alchemist);

/// A validated action of this theme.
#[derive(Debug)]
pub enum ValidAction {
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
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: &ValidAction) {
    match *valid_action {
        ValidAction::Buy(bought) => buy(ctx, seat, bought),
        ValidAction::Draft { card, from } => draft(ctx, seat, card, from),
        ValidAction::Patronage => patronize(ctx, seat),
        ValidAction::Exchange(from) => exchange(ctx, seat, from),
    }
}

fn only_gold(gold: &[SymbolPlay]) -> [Pays<'_>; 1] {
    [("gold", gold, Symbol::Gold)]
}

/// Checks that these pieces may be bought.
///
/// # Rule MYT-6.5.7
/// An army for one gold, a ship for two, out of the pool.
pub fn check_buy(
    actor: ActorContext,
    armies: u32,
    ships: u32,
    gold: &[SymbolPlay],
) -> CheckResult<ValidAction> {
    let cards = Cards {
        uses: &[],
        pays: &only_gold(gold),
    };
    cards.require_known()?;
    ensure(
        armies > 0 || ships > 0,
        Refusal::NoPieces.citing("MYT-6.5.7"),
    )?;
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
        at_most(needed, there).ok_or(empty.citing("MYT-6.5.7"))
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
    Ok((spend, ValidAction::Buy(bought)))
}

fn price(armies: u8, ships: u8) -> u32 {
    u32::from(armies) * u32::from(ARMY_GOLD) + u32::from(ships) * u32::from(SHIP_GOLD)
}

/// Moves the pieces from the pool to the stock.
fn buy(ctx: &mut ExecContext<'_>, seat: Seat, bought: Pieces) {
    let player = &mut ctx.state.players[seat];
    player.pool.armies -= bought.armies;
    player.pool.ships -= bought.ships;
    player.stock.armies += bought.armies;
    player.stock.ships += bought.ships;
    ctx.emit(Event::UnitsBought {
        seat,
        armies: bought.armies,
        ships: bought.ships,
    });
}

/// Lists purchases, by armies and then ships.
pub fn candidates_buy(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
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
            list.alternatives(|list| {
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
    VisitFlow::Continue(())
}

/// The zone that a card can be drafted from.
///
/// # Rule MYT-6.5.8
/// Improvements from the display; starting and province cards from the player's removed cards.
fn drafted_from(actor: ActorContext, card: Card) -> Option<Zone> {
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
pub fn check_draft(
    actor: ActorContext,
    card: MaybeKnown<Card>,
    gold: &[SymbolPlay],
) -> CheckResult<ValidAction> {
    let card = require_known(card, "card")?;
    let cards = Cards {
        uses: &[],
        pays: &only_gold(gold),
    };
    cards.require_known()?;
    let used = cards.distinct()?;
    gate::action(actor)?;
    let drafted = actor.state.turn.marks.contains(TurnMark::Drafted);
    ensure(!drafted, Refusal::AlreadyDrafted.citing("MYT-6.5.8"))?;
    let spend = cards.usable(actor, used)?;
    let from =
        drafted_from(actor, card).ok_or(Refusal::CardNotDisplayed { card }.citing("MYT-6.5.8"))?;
    pay(&[Cost::new(Purchase::Draft, gold, Symbol::Gold, DRAFT_GOLD)])?;
    Ok((spend, ValidAction::Draft { card, from }))
}

/// Moves the card to the discard pile. The display is not refilled.
fn draft(ctx: &mut ExecContext<'_>, seat: Seat, card: Card, from: Zone) {
    if let Some(improvement) = card.as_improvement() {
        ctx.state.display.remove(improvement);
    }
    let player = &mut ctx.state.players[seat];
    player.removed.remove(card);
    player.discard.insert(card);
    ctx.state.turn.marks.insert(TurnMark::Drafted);
    ctx.emit(Event::CardDrafted {
        seat,
        card,
        from_zone: from,
    });
}

/// Lists cards to draft: the removed ones, then the display, both by card.
pub fn candidates_draft(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let displayed = actor.state.display.iter().map(Card::improvement);
    let purse = Purse::of(actor);
    for card in actor.player().removed.iter().chain(displayed) {
        list.alternatives(|list| {
            purse.pay(Symbol::Gold, DRAFT_GOLD, list, &mut |list, _, gold| {
                list.visit(Action::DraftCard {
                    card: Some(card),
                    gold: gold.to_vec(),
                })
            })
        })?;
    }
    VisitFlow::Continue(())
}

/// Checks that Patronage may be paid (MYT-6.5.14).
pub fn check_patronage(actor: ActorContext, gold: &[SymbolPlay]) -> CheckResult<ValidAction> {
    let cards = Cards {
        uses: &[],
        pays: &only_gold(gold),
    };
    cards.require_known()?;
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
    Ok((spend, ValidAction::Patronage))
}

/// Awards the patron a token.
fn patronize(ctx: &mut ExecContext<'_>, seat: Seat) {
    ctx.emit(Event::PatronagePaid { seat });
    awards::queue(ctx.state, seat, Stack::Patronage);
}

/// Lists Patronage, if it can be paid.
pub fn candidates_patronage(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    if !actor.state.in_play.contains(PointCard::Patronage) {
        return VisitFlow::Continue(());
    }
    list.alternatives(|list| {
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
pub fn check_alchemist(
    actor: ActorContext,
    card: MaybeKnown<Card>,
    from: u32,
) -> CheckResult<ValidAction> {
    let cards = Cards {
        uses: &[("card", &[card], Role::Ability(Improvement::Alchemist))],
        pays: &[],
    };
    cards.require_known()?;
    let value = match from {
        1 => 1,
        2 => 2,
        given => return Err(Refusal::InvalidTokenValue { max: 2, given }.citing("MYT-7.1")),
    };
    let used = cards.distinct()?;
    gate::action(actor)?;
    let spend = cards.usable(actor, used)?;
    let higher = actor.state.bank[usize::from(value)] > 0;
    let none = Refusal::NoTokenAvailable {
        card: None,
        value: value + 1,
    }
    .citing("MYT-7.1");
    ensure(higher, none)?;
    let has = actor.player().tokens[usize::from(value) - 1] > 0;
    let none = Refusal::CannotAfford {
        purchase: Purchase::Alchemist,
        symbol: None,
        price: 1,
        given: 0,
        token_value: Some(value),
    };
    ensure(has, none.citing("MYT-7.1"))?;
    Ok((spend, ValidAction::Exchange(value)))
}

/// Exchanges a token for the next higher one of the bank.
fn exchange(ctx: &mut ExecContext<'_>, seat: Seat, from: u8) {
    let (low, high) = (usize::from(from) - 1, usize::from(from));
    ctx.state.bank[low] += 1;
    ctx.state.bank[high] -= 1;
    let tokens = &mut ctx.state.players[seat].tokens;
    tokens[low] -= 1;
    tokens[high] += 1;
    ctx.emit(Event::TokenExchanged {
        seat,
        from_value: from,
    });
}

/// Lists the values that Alchemist may exchange.
pub fn candidates_alchemist(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    if !actor.player().playable().contains(ALCHEMIST) {
        return VisitFlow::Continue(());
    }
    (1..=2).try_for_each(|from| {
        list.visit(Action::UseAlchemist {
            card: Some(ALCHEMIST),
            from_value: from,
        })
    })
}
