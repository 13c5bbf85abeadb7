//! Upgrading structures (TM-6.30 to TM-6.34).

use super::super::data::{
    Faction, FavorTile, Goods, Land, STRONGHOLD_SPADES, ScoringTrigger, Space, Structure,
};
use super::super::event::{Event, GoodsSource, Purpose, VpSource};
use super::super::refusal::{Piece, Refusal};
use super::super::state::State;
use super::{Play, affordable, land_of};
use crate::table::Seat;

/// VP of the Cultists' stronghold.
const CULTIST_STRONGHOLD_VP: u16 = 7;
/// Power of the Alchemists' stronghold.
const ALCHEMIST_STRONGHOLD_POWER: u16 = 12;

/// An upgrade, checked and priced.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Upgrade {
    land: Land,
    from: Structure,
    to: Structure,
    price: Goods,
}

impl Upgrade {
    /// The same upgrade as a gift (ACTS).
    pub(super) const fn free(self) -> Self {
        Self {
            price: Goods::NONE,
            ..self
        }
    }
}

/// May this structure become that one, price apart?
///
/// # Rule TM-6.30
/// An own structure, one of the allowed steps, and the new piece must be in stock.
pub(super) fn check_step(
    state: &State,
    seat: Seat,
    space: Space,
    to: Structure,
) -> Result<Upgrade, Refusal> {
    let land = land_of(space)?;
    let from = match state.board.piece(land) {
        Some(piece) if piece.seat == seat => piece.structure,
        Some(_) | None => return Err(Refusal::NotYourStructure { space: land.id() }),
    };
    if !from.upgrades_to(to) {
        return Err(Refusal::InvalidUpgrade { from, to });
    }
    if state.board.left(seat, to) == 0 {
        let piece = Piece::Structure(to);
        return Err(Refusal::NoPieceLeft { piece });
    }
    let price = price(state, seat, land, to);
    Ok(Upgrade {
        land,
        from,
        to,
        price,
    })
}

/// May this player pay for this upgrade?
pub(in super::super) fn check_upgrade(
    state: &State,
    seat: Seat,
    space: Space,
    to: Structure,
) -> Result<Upgrade, Refusal> {
    let upgrade = check_step(state, seat, space, to)?;
    affordable(state, seat, upgrade.price)?;
    Ok(upgrade)
}

/// # Rule TM-6.31
/// A trading house is cheaper next to a structure of another player.
fn price(state: &State, seat: Seat, land: Land, to: Structure) -> Goods {
    let sheet = state.players[seat].sheet();
    let others = state.board.occupied().minus(state.board.owned(seat));
    if to == Structure::TradingHouse && state.board.direct(land).meets(others) {
        sheet.trading_house_near_others
    } else {
        sheet.cost(to)
    }
}

impl Play<'_> {
    /// Pays and replaces the piece; VP, effects, town, offers, in this order (TM-6.34).
    pub(in super::super) fn perform_upgrade(&mut self, seat: Seat, upgrade: Upgrade) {
        let Upgrade {
            land,
            from,
            to,
            price,
        } = upgrade;
        self.pay(seat, price, Purpose::Structure(to));
        self.state.board.put(land, seat, to);
        self.tell(Event::StructureUpgraded {
            seat,
            land,
            from,
            to,
        });
        self.score_upgrade(seat, to);
        self.upgrade_effects(seat, to);
        self.check_town(seat, land);
        self.offer_power(seat, land);
    }

    /// # Rule TM-6.32, TM-P.31
    fn score_upgrade(&mut self, seat: Seat, to: Structure) {
        match to {
            Structure::Dwelling => {}
            Structure::TradingHouse => {
                self.score_tile(seat, ScoringTrigger::TradingHouse, 1);
                if self.state.players[seat].favors.has(FavorTile::Fav10) {
                    let source = VpSource::FavorTile(FavorTile::Fav10);
                    self.score(seat, FavorTile::TRADING_HOUSE_VP, source);
                }
            }
            Structure::Temple => self.score_tile(seat, ScoringTrigger::Temple, 1),
            Structure::Stronghold | Structure::Sanctuary => {
                self.score_tile(seat, ScoringTrigger::GreatStructure, 1);
            }
        }
    }

    /// # Rule TM-6.33
    /// What comes at once, and what is still to be chosen.
    fn upgrade_effects(&mut self, seat: Seat, to: Structure) {
        match to {
            Structure::Dwelling | Structure::TradingHouse => {}
            Structure::Temple | Structure::Sanctuary => {
                let chaos = self.state.faction(seat) == Faction::ChaosMagicians;
                self.state.turn.follow_ups.favor_tiles += if chaos { 2 } else { 1 };
            }
            Structure::Stronghold => self.stronghold_effects(seat),
        }
    }

    fn stronghold_effects(&mut self, seat: Seat) {
        let follow_ups = &mut self.state.turn.follow_ups;
        match self.state.players[seat].faction {
            Faction::Auren => follow_ups.favor_tiles += 1,
            Faction::Darklings => follow_ups.ordination = true,
            Faction::Halflings => {
                follow_ups.stronghold_spades = true;
                self.halfling_spades(seat, STRONGHOLD_SPADES);
            }
            Faction::Alchemists => {
                let power = Goods::power(ALCHEMIST_STRONGHOLD_POWER);
                self.receive(seat, power, GoodsSource::Stronghold);
            }
            Faction::Cultists => self.score(seat, CULTIST_STRONGHOLD_VP, VpSource::Stronghold),
            Faction::Mermaids => self.raise_shipping(seat),
            Faction::Witches
            | Faction::Engineers
            | Faction::Dwarves
            | Faction::Swarmlings
            | Faction::ChaosMagicians
            | Faction::Giants
            | Faction::Fakirs
            | Faction::Nomads => {}
        }
    }
}
