//! Special actions (TM-6.44).

use std::ops::ControlFlow;

use super::cults::{advance_cult, check_step};
use super::dwellings::{build_dwelling, dwelling_in_stock, dwelling_price};
use super::goods::affordable;
use super::reach::{empty, has_terrain, land_of};
use super::spades::SpadeSource;
use super::transform::{self, PricedTransform};
use super::upgrades::{self, Upgrade};
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};
use crate::terra_mystica::action::{Action, SpecialUse};
use crate::terra_mystica::data::{
    BonusCard, Cult, FavorTile, Goods, Land, LandSet, Space, SpecialAction, Structure, Terrain,
};
use crate::terra_mystica::event::Event;
use crate::terra_mystica::refusal::{Expense, Refusal, RefusedAction, TakenAction};
use crate::terra_mystica::state::{ExecContext, State};

/// The paragraph of special actions.
const RULE: &str = "TM-6.44";

/// A validated action of this theme.
#[derive(Clone, Debug)]
pub struct ValidAction {
    action: SpecialAction,
    effect: Effect,
}

#[derive(Clone, Debug)]
enum Effect {
    /// BON1, ACTG.
    Work(PricedTransform),
    /// BON2, FAV6, ACTA: this many steps on a track.
    Steps(Cult, u8),
    /// ACTW.
    Ride(Land),
    /// ACTS.
    TradingHouse(Upgrade),
    /// ACTC.
    Double,
    /// ACTN: the space, and the price of a dwelling there.
    Sandstorm(Land, Option<Goods>),
}

pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    for action in SpecialAction::ALL {
        if state.has_special(seat, action) && !state.players[seat].used.contains(action) {
            uses(state, seat, action, &mut |special_use| {
                list.visit(Action::TakeSpecialAction { special_use })
            })?;
        }
    }
    ControlFlow::Continue(())
}

fn uses(
    state: &State,
    seat: Seat,
    action: SpecialAction,
    visit: &mut dyn FnMut(SpecialUse) -> VisitFlow,
) -> VisitFlow {
    let mut cults = Cult::ALL.into_iter();
    match action {
        SpecialAction::Bon1 => transform::one_space(state, seat, SpadeSource::Bon1, &mut |work| {
            visit(SpecialUse::BonusSpade(work))
        }),
        SpecialAction::Bon2 => cults.try_for_each(|cult| visit(SpecialUse::BonusCultStep(cult))),
        SpecialAction::Fav6 => cults.try_for_each(|cult| visit(SpecialUse::FavorCultStep(cult))),
        SpecialAction::ActA => cults.try_for_each(|cult| visit(SpecialUse::CultSteps(cult))),
        SpecialAction::ActW => {
            let free = LandSet::ALL.minus(state.board.occupied()).iter();
            let mut forest = free.filter(|&land| state.board.terrain(land) == Terrain::Forest);
            forest.try_for_each(|land| visit(SpecialUse::WitchesRide(land.into())))
        }
        SpecialAction::ActS => {
            let mut own = state.board.owned(seat).iter();
            own.try_for_each(|land| visit(SpecialUse::FreeTradingHouse(land.into())))
        }
        SpecialAction::ActC => visit(SpecialUse::DoubleTurn),
        SpecialAction::ActG => transform::one_space(state, seat, SpadeSource::ActG, &mut |work| {
            visit(SpecialUse::GiantSpades(work))
        }),
        SpecialAction::ActN => {
            let near = state.next_to(seat).minus(state.board.occupied()).iter();
            let storms = |land: Land| {
                let space = land.into();
                [false, true].map(|build| SpecialUse::Sandstorm { space, build })
            };
            near.flat_map(storms).try_for_each(visit)
        }
    }
}

/// # Rule TM-6.44
/// Owned, not used in this round, and able to take effect (J37).
pub fn check(
    state: &State,
    seat: Seat,
    special_use: &SpecialUse,
) -> Result<ValidAction, RefusedAction> {
    let action = special_use.action();
    if !state.has_special(seat, action) {
        return Err(Refusal::ActionNotAvailable { action }.citing(RULE));
    }
    if state.players[seat].used.contains(action) {
        let action = TakenAction::Special(action);
        return Err(Refusal::ActionTaken { action }.citing(RULE));
    }
    let effect = match special_use {
        SpecialUse::BonusSpade(work) => {
            Effect::Work(transform::check(state, seat, SpadeSource::Bon1, work)?)
        }
        SpecialUse::GiantSpades(work) => {
            Effect::Work(transform::check(state, seat, SpadeSource::ActG, work)?)
        }
        SpecialUse::BonusCultStep(cult) | SpecialUse::FavorCultStep(cult) => {
            Effect::Steps(check_step(state, seat, *cult, RULE)?, 1)
        }
        SpecialUse::CultSteps(cult) => Effect::Steps(check_step(state, seat, *cult, RULE)?, 2),
        SpecialUse::WitchesRide(space) => Effect::Ride(check_ride(state, seat, *space)?),
        SpecialUse::FreeTradingHouse(space) => {
            let land = land_of(*space, "free_trading_house", RULE)?;
            let wanted = (land, Structure::TradingHouse);
            Effect::TradingHouse(upgrades::check_step(state, seat, wanted, RULE)?.free())
        }
        SpecialUse::DoubleTurn => Effect::Double,
        SpecialUse::Sandstorm { space, build } => check_sandstorm(state, seat, *space, *build)?,
    };
    Ok(ValidAction { action, effect })
}

impl State {
    /// Returns whether this player has this special action (TM-3.11).
    pub fn has_special(&self, seat: Seat, action: SpecialAction) -> bool {
        let player = &self.players[seat];
        match action {
            SpecialAction::Bon1 => player.card == Some(BonusCard::Bon1),
            SpecialAction::Bon2 => player.card == Some(BonusCard::Bon2),
            SpecialAction::Fav6 => player.favors.contains(FavorTile::Fav6),
            SpecialAction::ActA
            | SpecialAction::ActW
            | SpecialAction::ActS
            | SpecialAction::ActC
            | SpecialAction::ActG
            | SpecialAction::ActN => {
                player.sheet().stronghold_action == Some(action) && self.has_stronghold(seat)
            }
        }
    }
}

/// Checks the Witches' ride, to any empty forest.
fn check_ride(state: &State, seat: Seat, space: Space) -> Result<Land, RefusedAction> {
    let land = land_of(space, "witches_ride", RULE)?;
    empty(state, land, RULE)?;
    has_terrain(state, land, Terrain::Forest, RULE)?;
    dwelling_in_stock(state, seat, RULE)?;
    Ok(land)
}

/// Checks a sandstorm, to a directly adjacent space, over bridges too (J15).
fn check_sandstorm(
    state: &State,
    seat: Seat,
    space: Space,
    build: bool,
) -> Result<Effect, RefusedAction> {
    let land = land_of(space, "space", RULE)?;
    empty(state, land, RULE)?;
    let terrain = state.board.terrain(land);
    if terrain == Terrain::Desert {
        let refusal = Refusal::WrongTerrain {
            space: land,
            terrain,
            needed: None,
        };
        return Err(refusal.citing(RULE));
    }
    if !state.next_to(seat).contains(land) {
        return Err(Refusal::NotReachable { space: land }.citing(RULE));
    }
    if !build {
        return Ok(Effect::Sandstorm(land, None));
    }
    dwelling_in_stock(state, seat, RULE)?;
    let price = dwelling_price(state, seat);
    let expense = Expense::Structure(Structure::Dwelling);
    affordable(state, seat, (expense, price), RULE)?;
    Ok(Effect::Sandstorm(land, Some(price)))
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: &ValidAction) {
    let ValidAction { action, effect } = valid_action;
    let action = *action;
    ctx.emit(Event::SpecialActionTaken { seat, action });
    ctx.state.players[seat].used.insert(action);
    match effect {
        Effect::Work(job) => transform::execute(ctx, seat, job),
        Effect::Steps(cult, steps) => advance_cult(ctx, seat, *cult, *steps),
        Effect::Ride(land) => build_dwelling(ctx, seat, *land, Goods::NONE),
        Effect::TradingHouse(upgrade) => upgrades::execute(ctx, seat, *upgrade),
        Effect::Double => ctx.state.turn.double(),
        Effect::Sandstorm(land, price) => perform_sandstorm(ctx, seat, *land, *price),
    }
}

fn perform_sandstorm(ctx: &mut ExecContext<'_>, seat: Seat, land: Land, price: Option<Goods>) {
    let from = ctx.state.board.terrain(land);
    ctx.state.board.set_terrain(land, Terrain::Desert);
    ctx.emit(Event::TerrainTransformed {
        seat,
        space: land,
        from_terrain: from,
        to_terrain: Terrain::Desert,
        spades: 0,
    });
    match price {
        Some(price) => build_dwelling(ctx, seat, land, price),
        None => ctx.state.turn.late_build = LandSet::of(land),
    }
}
