//! Special actions (TM-6.44).

use super::super::action::SpecialUse;
use super::super::data::{
    BonusCard, Cult, FavorTile, Goods, Land, LandSet, Space, SpecialAction, Structure, Terrain,
};
use super::super::event::Event;
use super::super::refusal::{Refusal, TakenAction};
use super::super::state::State;
use super::transform::{Job, SpadeSource, check_work, dwelling_in_stock};
use super::upgrades::{Upgrade, check_step};
use super::{Play, affordable, land_of};
use crate::table::Seat;

/// A special action, checked.
#[derive(Clone, Debug)]
pub(in super::super) enum Special {
    /// BON1, ACTG.
    Work(Job),
    /// BON2, FAV6, ACTA: so many steps on a track.
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

/// # Rule TM-6.44
/// Owned, not used in this round, and able to take effect (J37).
pub(in super::super) fn check_special_action(
    state: &State,
    seat: Seat,
    special_use: &SpecialUse,
) -> Result<(SpecialAction, Special), Refusal> {
    let action = special_use.action();
    if !state.has_special(seat, action) {
        return Err(Refusal::ActionNotAvailable { action });
    }
    if state.players[seat].used.has(action) {
        let action = TakenAction::Special(action);
        return Err(Refusal::ActionTaken { action });
    }
    let special = match special_use {
        SpecialUse::BonusSpade(work) => {
            Special::Work(check_work(state, seat, SpadeSource::Bon1, work)?)
        }
        SpecialUse::GiantSpades(work) => {
            Special::Work(check_work(state, seat, SpadeSource::ActG, work)?)
        }
        SpecialUse::BonusCultStep(cult) | SpecialUse::FavorCultStep(cult) => {
            Special::Steps(check_steps(state, seat, *cult)?, 1)
        }
        SpecialUse::CultSteps(cult) => Special::Steps(check_steps(state, seat, *cult)?, 2),
        SpecialUse::WitchesRide(space) => Special::Ride(check_ride(state, seat, *space)?),
        SpecialUse::FreeTradingHouse(space) => {
            let upgrade = check_step(state, seat, *space, Structure::TradingHouse)?;
            Special::TradingHouse(upgrade.free())
        }
        SpecialUse::DoubleTurn => Special::Double,
        SpecialUse::Sandstorm { space, build } => check_sandstorm(state, seat, *space, *build)?,
    };
    Ok((action, special))
}

impl State {
    /// Does this player have this special action? (TM-3.11)
    pub(super) fn has_special(&self, seat: Seat, action: SpecialAction) -> bool {
        let player = &self.players[seat];
        match action {
            SpecialAction::Bon1 => player.card == Some(BonusCard::Bon1),
            SpecialAction::Bon2 => player.card == Some(BonusCard::Bon2),
            SpecialAction::Fav6 => player.favors.has(FavorTile::Fav6),
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

fn check_steps(state: &State, seat: Seat, cult: Cult) -> Result<Cult, Refusal> {
    if state.can_advance(seat, cult) {
        Ok(cult)
    } else {
        Err(Refusal::NoEffect { cult })
    }
}

/// The witches ride to any empty forest.
fn check_ride(state: &State, seat: Seat, space: Space) -> Result<Land, Refusal> {
    let land = land_of(space)?;
    let terrain = state.board.terrain(land);
    let space = land.id();
    if state.board.piece(land).is_some() {
        return Err(Refusal::SpaceOccupied { space });
    }
    if terrain != Terrain::Forest {
        return Err(Refusal::WrongTerrain { space, terrain });
    }
    dwelling_in_stock(state, seat)?;
    Ok(land)
}

/// The sandstorm blows to a directly adjacent space, over bridges too (J15).
fn check_sandstorm(
    state: &State,
    seat: Seat,
    space: Space,
    build: bool,
) -> Result<Special, Refusal> {
    let land = land_of(space)?;
    let terrain = state.board.terrain(land);
    let space = land.id();
    if state.board.piece(land).is_some() {
        return Err(Refusal::SpaceOccupied { space });
    }
    if terrain == Terrain::Desert {
        return Err(Refusal::WrongTerrain { space, terrain });
    }
    if !state.next_to(seat).contains(land) {
        return Err(Refusal::NotReachable { space });
    }
    if !build {
        return Ok(Special::Sandstorm(land, None));
    }
    dwelling_in_stock(state, seat)?;
    let price = state.players[seat].sheet().cost(Structure::Dwelling);
    affordable(state, seat, price)?;
    Ok(Special::Sandstorm(land, Some(price)))
}

impl Play<'_> {
    pub(in super::super) fn perform_special_action(
        &mut self,
        seat: Seat,
        action: SpecialAction,
        special: &Special,
    ) {
        self.tell(Event::SpecialActionTaken { seat, action });
        self.state.players[seat].used.add(action);
        match special {
            Special::Work(job) => self.perform_work(seat, job),
            Special::Steps(cult, steps) => self.advance_cult(seat, *cult, *steps),
            Special::Ride(land) => self.build_dwelling(seat, *land, Goods::NONE),
            Special::TradingHouse(upgrade) => self.perform_upgrade(seat, *upgrade),
            Special::Double => self.state.turn.double(),
            Special::Sandstorm(land, price) => self.perform_sandstorm(seat, *land, *price),
        }
    }

    fn perform_sandstorm(&mut self, seat: Seat, land: Land, price: Option<Goods>) {
        let from = self.state.board.terrain(land);
        self.state.board.set_terrain(land, Terrain::Desert);
        self.tell(Event::TerrainTransformed {
            seat,
            land,
            from,
            to: Terrain::Desert,
            spades: 0,
        });
        match price {
            Some(price) => self.build_dwelling(seat, land, price),
            None => self.state.turn.late_build = LandSet::of(land),
        }
    }
}
