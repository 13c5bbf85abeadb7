//! The secret choices of the set-up (MYT-5.7, 5.8, 6.10).

use super::actor::ActorContext;
use super::begin;
use super::sets::{named, subsets};
use crate::mythotopia::action::Action;
use crate::mythotopia::data::{Card, CardSet, Province, ProvinceSet, count};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Place, Refusal, RefusedAction, ensure, require_known};
use crate::mythotopia::stage::{Decision, SetupChoice, Stage};
use crate::mythotopia::state::{Citadel, ExecContext, State};
use crate::table::{
    ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow, invariant_violated,
};

/// Checks that these provinces may be given away.
///
/// # Rule MYT-6.10.1
/// Exactly the required number, each once, of those dealt to the player.
pub fn check_discard(
    actor: ActorContext,
    cards: &[MaybeKnown<Card>],
) -> Result<ProvinceSet, RefusedAction> {
    let cards = cards
        .iter()
        .copied()
        .map(|card| require_known(card, "cards"));
    let cards = cards.collect::<Result<Vec<Card>, RefusedAction>>()?;
    due(actor, "setup_discard_provinces", Decision::SetupDiscard)?;
    let empty = Refusal::EmptyList { field: "cards" };
    ensure(!cards.is_empty(), empty.citing("MYT-6.10.1"))?;
    let wanted = actor.state.provinces_to_discard();
    let number = Refusal::InvalidCardCount {
        min: count(wanted),
        max: count(wanted),
        given: cards.len(),
    };
    ensure(cards.len() == wanted, number.citing("MYT-6.10.1"))?;
    let mut set = CardSet::EMPTY;
    for &card in &cards {
        ensure(
            !set.contains(card),
            Refusal::DuplicateCard { card }.citing("MYT-6.10.1"),
        )?;
        set.insert(card);
    }
    let own = actor.player().controlled();
    let dealt = |card: Card| {
        let province = card.as_province();
        let place = Place::Dealt;
        province
            .filter(|&province| own.contains(province))
            .ok_or(Refusal::CardNotAvailable { card, place }.citing("MYT-6.10.1"))
    };
    cards.into_iter().map(dealt).collect()
}

/// # Rule MYT-14.23
/// Unknown ids are reported before the fact that the other choice is due.
fn due(actor: ActorContext, action: &'static str, required: Decision) -> Result<(), RefusedAction> {
    match actor.state.decision() {
        Some(decision) if decision != required => Err(Refusal::WrongDecision {
            action,
            decision: decision.id(),
        }
        .citing("MYT-6.1")),
        Some(_) | None => Ok(()),
    }
}

/// Checks that the citadel may be placed there.
///
/// # Rule MYT-6.10.2
/// In a province that the player controls.
pub fn check_citadel(
    actor: ActorContext,
    province: MaybeKnown<Province>,
) -> Result<ProvinceSet, RefusedAction> {
    let province = require_known(province, "province")?;
    due(actor, "setup_place_citadel", Decision::SetupCitadel)?;
    let own = actor.controls(province);
    let foreign = Refusal::NotControlled { province };
    ensure(own, foreign.citing("MYT-6.10.2"))?;
    Ok(ProvinceSet::only(province))
}

/// Stores the choice.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, choice: ProvinceSet) {
    ctx.state.players[seat].choice = Some(choice);
    let shown = shown(ctx.state, choice);
    ctx.emit(Event::SetupChosen {
        seat,
        choice: Some(shown),
    });
}

/// Reveals all choices after the last one.
pub fn settle(ctx: &mut ExecContext<'_>) {
    let mut players = ctx.state.players.iter();
    if players.all(|player| player.choice.is_some()) {
        reveal(ctx);
    }
}

/// A choice as its owner may see it.
pub fn shown(state: &State, choice: ProvinceSet) -> SetupChoice {
    match (state.stage, choice.iter().next()) {
        (Stage::SetupCitadel, Some(province)) => SetupChoice::Citadel(province),
        (
            Stage::SetupDiscard
            | Stage::SetupCitadel
            | Stage::Turns
            | Stage::Philosopher
            | Stage::Over,
            _,
        ) => SetupChoice::Discard(choice),
    }
}

fn reveal(ctx: &mut ExecContext<'_>) {
    let citadels = ctx.state.stage == Stage::SetupCitadel;
    for seat in ctx.state.players.seats() {
        let Some(choice) = ctx.state.players[seat].choice.take() else {
            invariant_violated("MYT-5.7", seat)
        };
        if citadels {
            raise_citadel(ctx, seat, choice);
        } else {
            give_away(ctx, seat, choice);
        }
    }
    if citadels {
        begin::first_turn(ctx);
    } else {
        begin::with_provinces(ctx);
    }
}

/// # Rule MYT-5.7
/// The towns return to stock, the cards to the province pile.
fn give_away(ctx: &mut ExecContext<'_>, seat: Seat, provinces: ProvinceSet) {
    let player = &mut ctx.state.players[seat];
    player.towns -= provinces;
    player.deck.retain(|card| {
        let province = card.as_province();
        province.is_none_or(|province| !provinces.contains(province))
    });
    ctx.emit(Event::ProvincesDiscarded { seat, provinces });
}

/// # Rule MYT-5.8
/// The town there is replaced.
fn raise_citadel(ctx: &mut ExecContext<'_>, seat: Seat, choice: ProvinceSet) {
    for province in choice.iter() {
        let player = &mut ctx.state.players[seat];
        player.towns.remove(province);
        player.citadel = Citadel::At(province);
        ctx.emit(Event::CitadelPlaced { seat, province });
    }
}

/// Lists the choices of the phase: sets of cards in ascending order, or provinces.
pub fn candidates(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let own = actor.player().controlled();
    if actor.state.stage == Stage::SetupCitadel {
        return own.iter().try_for_each(|province| {
            list.visit(Action::SetupPlaceCitadel {
                province: Some(province),
            })
        });
    }
    let cards: CardSet = own.iter().map(Card::province).collect();
    let wanted = actor.state.provinces_to_discard();
    subsets(list, cards, (wanted, wanted), &mut |list, set| {
        list.visit(Action::SetupDiscardProvinces { cards: named(set) })
    })
}
