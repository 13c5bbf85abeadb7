//! The free actions of improvements (MYT-6.6.3, chapter 7).

use super::actor::ActorContext;
use super::cards::{Cards, CheckResult, Role, Spend};
use super::drawing;
use super::payment::{Cost, armed, at_most, pay};
use super::purse::Purse;
use super::sets::{named, subsets};
use crate::mythotopia::action::{Action, SymbolPlay};
use crate::mythotopia::data::{
    ABILITY_GOLD, Card, CardSet, INSPECTED, Improvement, MAX_MERCENARIES, PROVIDENCE_DRAW, Piece,
    Province, Symbol, count,
};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Place, Purchase, Refusal, RefusedAction, ensure, require_known};
use crate::mythotopia::stage::Stage;
use crate::mythotopia::state::ExecContext;
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Debug)]
pub enum ValidAction {
    /// Draws this many cards while those played are set aside (Counsellor, Providence).
    Redraw(u8),
    Rout {
        province: Province,
        owner: Seat,
    },
    Hire {
        province: Province,
        count: u8,
    },
    Raise,
    TakeBack(Card),
    Inspect,
}

impl ValidAction {
    /// Returns whether the cards played are kept off the discard pile until the effect is over (MYT-6.2.3).
    pub const fn keeps_cards(&self) -> bool {
        match self {
            Self::Redraw(_) | Self::TakeBack(_) | Self::Inspect => true,
            Self::Rout { .. } | Self::Hire { .. } | Self::Raise => false,
        }
    }
}

/// Carries out an ability; `played` are the cards that were played for it.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, played: CardSet, valid_action: &ValidAction) {
    match *valid_action {
        ValidAction::Redraw(cards) => redraw(ctx, seat, played, cards),
        ValidAction::Rout { province, owner } => rout(ctx, seat, province, owner),
        ValidAction::Hire { province, count } => hire(ctx, seat, province, count),
        ValidAction::Raise => raise(ctx, seat),
        ValidAction::TakeBack(card) => take_back(ctx, seat, played, card),
        ValidAction::Inspect => inspect(ctx, seat, played),
    }
}

/// Checks a card that is played only for its ability.
fn check_alone(
    actor: ActorContext,
    card: MaybeKnown<Card>,
    improvement: Improvement,
) -> Result<Spend, RefusedAction> {
    let cards = Cards {
        uses: &[("card", &[card], Role::Ability(improvement))],
        pays: &[],
    };
    cards.require_known()?;
    let used = cards.distinct()?;
    cards.usable(actor, used)
}

/// The card of an improvement, if the player can play it.
fn playable(actor: ActorContext, improvement: Improvement) -> Option<Card> {
    let card = Card::improvement(improvement);
    actor.player().playable().contains(card).then_some(card)
}

/// Checks an exchange with Counsellor, and counts the cards to draw.
///
/// # Rule MYT-7.5, A12, 14.4
/// At least one card of the hand besides Counsellor. Draws as many as were given from the hand,
/// plus one.
pub fn check_counsellor(
    actor: ActorContext,
    card: MaybeKnown<Card>,
    hand: &[MaybeKnown<Card>],
    reserve: &[MaybeKnown<Card>],
) -> CheckResult<ValidAction> {
    let cards = Cards {
        uses: &[
            ("card", &[card], Role::Ability(Improvement::Counsellor)),
            ("hand", hand, Role::FromHand),
            ("reserve", reserve, Role::FromReserve),
        ],
        pays: &[],
    };
    cards.require_known()?;
    ensure(
        !hand.is_empty(),
        Refusal::EmptyList { field: "hand" }.citing("MYT-7.5"),
    )?;
    let used = cards.distinct()?;
    let spend = cards.usable(actor, used)?;
    Ok((spend, ValidAction::Redraw(count(hand.len()) + 1)))
}

/// Draws while the cards given are set aside; then discards those.
///
/// # Rule MYT-7.5, 7.21
fn redraw(ctx: &mut ExecContext<'_>, seat: Seat, aside: CardSet, cards: u8) {
    let counsellor = Card::improvement(Improvement::Counsellor);
    let player = &mut ctx.state.players[seat];
    let (hand, reserve) = (player.hand & aside, player.reserve & aside);
    player.set_aside(aside);
    drawing::draw(ctx, seat, cards);
    if aside.contains(counsellor) {
        let given = CardSet::only(counsellor);
        ctx.emit(Event::CardsDiscarded {
            seat,
            hand: hand - given,
            reserve: reserve - given,
        });
    }
    let player = &mut ctx.state.players[seat];
    player.discard |= aside;
}

/// Lists exchanges: one card of the hand at a time, or every choice.
pub fn candidates_counsellor(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let Some(card) = playable(actor, Improvement::Counsellor) else {
        return VisitFlow::Continue(());
    };
    let rest = actor.player().hand - CardSet::only(card);
    let reserve = actor.player().reserve - CardSet::only(card);
    let action = |hand: &[Card], reserve: &[Card]| Action::UseCounsellor {
        card: Some(card),
        hand: named(hand),
        reserve: named(reserve),
    };
    subsets(list, rest, (1, usize::MAX), &mut |list, hand| {
        list.visit(action(hand, &[]))?;
        list.only_in_full(|list| {
            subsets(list, reserve, (1, usize::MAX), &mut |list, reserve| {
                list.visit(action(hand, reserve))
            })
        })
    })
}

/// Checks that Marauders may strike this army.
///
/// # Rule MYT-7.13, A42
/// Any army of anybody, anywhere.
pub fn check_marauders(
    actor: ActorContext,
    card: MaybeKnown<Card>,
    province: MaybeKnown<Province>,
    owner: MaybeKnown<Seat>,
) -> CheckResult<ValidAction> {
    let province = require_known(province, "province")?;
    let owner = require_known(
        owner.filter(|&owner| actor.state.players.has(owner)),
        "owner",
    )?;
    let spend = check_alone(actor, card, Improvement::Marauders)?;
    let there = actor.state.players[owner].armies.at(province);
    let none = Refusal::NoArmyPresent {
        province,
        owner: Some(owner).filter(|&owner| owner != actor.seat),
        piece: Piece::Army,
        there,
        needed: 1,
    };
    ensure(there > 0, none.citing("MYT-7.13"))?;
    Ok((spend, ValidAction::Rout { province, owner }))
}

/// Sends one army home. A war without attackers ends by itself.
fn rout(ctx: &mut ExecContext<'_>, seat: Seat, province: Province, owner: Seat) {
    let player = &mut ctx.state.players[owner];
    player.armies.take(province, 1);
    player.stock.armies += 1;
    ctx.emit(Event::ArmyRouted {
        seat,
        province,
        owner,
    });
}

/// Lists the armies that Marauders may send home, by province and then by seat.
pub fn candidates_marauders(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let Some(card) = playable(actor, Improvement::Marauders) else {
        return VisitFlow::Continue(());
    };
    for province in Province::ALL {
        for (owner, player) in actor.state.players.entries() {
            if player.armies.at(province) > 0 {
                list.visit(Action::UseMarauders {
                    card: Some(card),
                    province: Some(province),
                    owner: Some(owner),
                })?;
            }
        }
    }
    VisitFlow::Continue(())
}

/// Checks that mercenaries may be hired.
///
/// # Rule MYT-7.15
/// One or two for one gold, where the player has an army.
pub fn check_mercenary(
    actor: ActorContext,
    card: MaybeKnown<Card>,
    gold: &[SymbolPlay],
    province: MaybeKnown<Province>,
    mercenaries: u32,
) -> CheckResult<ValidAction> {
    let province = require_known(province, "province")?;
    let cards = Cards {
        uses: &[("card", &[card], Role::Ability(Improvement::Mercenary))],
        pays: &[("gold", gold, Symbol::Gold)],
    };
    cards.require_known()?;
    let fits = (1..=MAX_MERCENARIES).contains(&mercenaries);
    let number = Refusal::InvalidMercenaryCount {
        max: MAX_MERCENARIES,
        given: mercenaries,
    };
    ensure(fits, number.citing("MYT-7.15"))?;
    let used = cards.distinct()?;
    let spend = cards.usable(actor, used)?;
    let there = actor.state.mercenary_supply();
    let empty = Refusal::SupplyEmpty {
        piece: Piece::Mercenary,
        there,
        needed: mercenaries,
    };
    let count = at_most(mercenaries, there).ok_or(empty.citing("MYT-7.15"))?;
    armed(actor, province, "MYT-7.15")?;
    pay(&[Cost::new(
        Purchase::Mercenary,
        gold,
        Symbol::Gold,
        ABILITY_GOLD,
    )])?;
    Ok((spend, ValidAction::Hire { province, count }))
}

/// Adds mercenaries to the army.
fn hire(ctx: &mut ExecContext<'_>, seat: Seat, province: Province, count: u8) {
    ctx.state.players[seat].mercenaries.add(province, count);
    ctx.emit(Event::MercenariesHired {
        seat,
        province,
        count,
    });
}

/// Lists provinces for mercenaries: with the maximum number, or with every number.
pub fn candidates_mercenary(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let supply = u32::from(actor.state.mercenary_supply());
    let Some(card) = playable(actor, Improvement::Mercenary).filter(|_| supply > 0) else {
        return VisitFlow::Continue(());
    };
    let purse = Purse::of(actor).without(card);
    for province in actor.player().armies.provinces().iter() {
        list.alternatives(|list| {
            purse.pay(Symbol::Gold, ABILITY_GOLD, list, &mut |list, _, gold| {
                let hire = |count| Action::UseMercenary {
                    card: Some(card),
                    gold: gold.to_vec(),
                    province: Some(province),
                    count,
                };
                (1..supply)
                    .try_for_each(|count| list.only_in_full(|list| list.visit(hire(count))))?;
                list.visit(hire(supply))
            })
        })?;
    }
    VisitFlow::Continue(())
}

/// Checks that Militia may raise an army (MYT-7.17).
pub fn check_militia(actor: ActorContext, card: MaybeKnown<Card>) -> CheckResult<ValidAction> {
    let spend = check_alone(actor, card, Improvement::Militia)?;
    let there = actor.player().pool.armies;
    let empty = Refusal::PoolEmpty {
        piece: Piece::Army,
        there,
        needed: 1,
    };
    ensure(there > 0, empty.citing("MYT-7.17"))?;
    Ok((spend, ValidAction::Raise))
}

/// Moves an army from the pool to the stock.
fn raise(ctx: &mut ExecContext<'_>, seat: Seat) {
    let player = &mut ctx.state.players[seat];
    player.pool.armies -= 1;
    player.stock.armies += 1;
    ctx.emit(Event::ArmyRaised { seat });
}

/// Checks that this card may come back from the discard pile.
///
/// # Rule MYT-7.18, A11, 14.5
/// The card must be there before Mystic and the gold are; `take` is outside the duplicate check.
pub fn check_mystic(
    actor: ActorContext,
    card: MaybeKnown<Card>,
    gold: &[SymbolPlay],
    take: MaybeKnown<Card>,
) -> CheckResult<ValidAction> {
    let take = require_known(take, "take")?;
    let cards = Cards {
        uses: &[("card", &[card], Role::Ability(Improvement::Mystic))],
        pays: &[("gold", gold, Symbol::Gold)],
    };
    cards.require_known()?;
    let used = cards.distinct()?;
    let lies_there = actor.player().discard.contains(take);
    let missing = Refusal::CardNotAvailable {
        card: take,
        place: Place::Discard,
    }
    .citing("MYT-7.18");
    ensure(lies_there, missing)?;
    let spend = cards.usable(actor, used)?;
    pay(&[Cost::new(
        Purchase::Mystic,
        gold,
        Symbol::Gold,
        ABILITY_GOLD,
    )])?;
    Ok((spend, ValidAction::TakeBack(take)))
}

/// Moves the card to the hand, then Mystic and the gold to the discard pile.
fn take_back(ctx: &mut ExecContext<'_>, seat: Seat, aside: CardSet, card: Card) {
    let player = &mut ctx.state.players[seat];
    player.discard.remove(card);
    player.discard(aside);
    player.hand.insert(card);
    player.shown.insert(card);
    ctx.emit(Event::CardTakenBack { seat, card });
}

/// Lists the cards that Mystic may take back.
pub fn candidates_mystic(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let Some(card) = playable(actor, Improvement::Mystic) else {
        return VisitFlow::Continue(());
    };
    let purse = Purse::of(actor).without(card);
    for take in actor.player().discard.iter() {
        list.alternatives(|list| {
            purse.pay(Symbol::Gold, ABILITY_GOLD, list, &mut |list, _, gold| {
                list.visit(Action::UseMystic {
                    card: Some(card),
                    gold: gold.to_vec(),
                    take: Some(take),
                })
            })
        })?;
    }
    VisitFlow::Continue(())
}

/// Checks that Philosopher may look at improvements (MYT-7.19).
pub fn check_philosopher(actor: ActorContext, card: MaybeKnown<Card>) -> CheckResult<ValidAction> {
    let spend = check_alone(actor, card, Improvement::Philosopher)?;
    Ok((spend, ValidAction::Inspect))
}

/// Moves Philosopher to the box, and shows three improvements to the player.
fn inspect(ctx: &mut ExecContext<'_>, seat: Seat, philosopher: CardSet) {
    ctx.state.players[seat].set_aside(philosopher);
    ctx.state.stage = Stage::Philosopher;
    ctx.emit(Event::ImprovementsInspected {
        seat,
        count: count(INSPECTED),
        improvements: Some(ctx.state.inspected().collect()),
    });
}

/// Checks that Providence may be played (MYT-7.21).
pub fn check_providence(actor: ActorContext, card: MaybeKnown<Card>) -> CheckResult<ValidAction> {
    let spend = check_alone(actor, card, Improvement::Providence)?;
    Ok((spend, ValidAction::Redraw(PROVIDENCE_DRAW)))
}

/// Lists an ability that needs no further choice.
pub fn candidates_alone(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
    improvement: Improvement,
    action: impl Fn(MaybeKnown<Card>) -> Action,
) -> VisitFlow {
    match playable(actor, improvement) {
        Some(card) => list.visit(action(Some(card))),
        None => VisitFlow::Continue(()),
    }
}
