//! Choices of the set-up (TM-5.5 to TM-5.8).

use super::reach::{empty, has_terrain, land_of};
use crate::table::{
    ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow, invariant_violated,
};
use crate::terra_mystica::action::Action;
use crate::terra_mystica::data::{BonusCard, Faction, Land, Space, Structure};
use crate::terra_mystica::event::Event;
use crate::terra_mystica::refusal::{Refusal, RefusedAction, require_known};
use crate::terra_mystica::stage::Stage;
use crate::terra_mystica::state::{ExecContext, State};

pub fn candidates_faction(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let factions = Faction::ALL.map(|faction| Action::ChooseFaction {
        faction: Some(faction),
    });
    factions
        .into_iter()
        .try_for_each(|action| list.visit(action))
}

pub fn candidates_dwelling(
    state: &State,
    seat: Seat,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let home = state.faction(seat).home();
    Land::all()
        .filter(|&land| state.board.terrain(land) == home)
        .map(|land| Action::PlaceDwelling { space: land.into() })
        .try_for_each(|action| list.visit(action))
}

pub fn candidates_card(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let cards = BonusCard::ALL.map(|card| Action::ChooseBonusCard { card });
    cards.into_iter().try_for_each(|action| list.visit(action))
}

/// # Rule TM-5.5, TM-14.3
/// A faction that nobody has, of a color that nobody has; of the drawn color, if one was drawn.
pub fn check_faction(
    state: &State,
    seat: Seat,
    faction: MaybeKnown<Faction>,
) -> Result<Faction, RefusedAction> {
    let rule = "TM-5.5";
    let faction = require_known(faction, "faction", rule)?;
    let choosing = state.choosing();
    let chosen = || {
        choosing
            .iter()
            .flat_map(|choosing| choosing.chosen.iter())
            .flatten()
    };
    if chosen().any(|&other| other == faction) {
        return Err(Refusal::FactionTaken { faction }.citing(rule));
    }
    let color = faction.home();
    let drawn = choosing.and_then(|choosing| choosing.colors.get(seat.index()));
    if chosen().any(|other| other.home() == color) || drawn.is_some_and(|&drawn| drawn != color) {
        return Err(Refusal::ColorTaken { color }.citing(rule));
    }
    Ok(faction)
}

/// # Rule TM-5.7
/// Any empty space of the home terrain.
pub fn check_dwelling(state: &State, seat: Seat, space: Space) -> Result<Land, RefusedAction> {
    let rule = "TM-5.7";
    let land = land_of(space, "space", rule)?;
    empty(state, land, rule)?;
    has_terrain(state, land, state.faction(seat).home(), rule)?;
    Ok(land)
}

pub fn perform_faction(ctx: &mut ExecContext<'_>, seat: Seat, faction: Faction) {
    ctx.emit(Event::FactionChosen { seat, faction });
    match &mut ctx.state.stage {
        Stage::ChooseFaction(choosing) => choosing.chosen[seat] = Some(faction),
        other @ (Stage::PlaceDwelling
        | Stage::ChooseBonusCard
        | Stage::Action
        | Stage::Cult
        | Stage::Over) => invariant_violated("TM-5.5", other),
    }
}

pub fn perform_dwelling(ctx: &mut ExecContext<'_>, seat: Seat, land: Land) {
    ctx.state.board.put(land, seat, Structure::Dwelling);
    ctx.emit(Event::DwellingPlaced { seat, space: land });
}
