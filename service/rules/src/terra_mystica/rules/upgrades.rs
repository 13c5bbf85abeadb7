//! Upgrading structures (TM-6.30 to TM-6.34).

use super::goods::{affordable, pay, receive, score, score_tile};
use super::offers::offer_power;
use super::reach::land_of;
use super::spades::halfling_spades;
use super::towns::check_town;
use super::tracks::raise_shipping;
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};
use crate::terra_mystica::action::Action;
use crate::terra_mystica::data::{
    Faction, FavorTile, Goods, Land, STRONGHOLD_SPADES, ScoringTrigger, Space, Structure,
};
use crate::terra_mystica::event::{Event, GoodsSource, Purpose, VpSource};
use crate::terra_mystica::refusal::{Expense, Piece, Refusal, RefusedAction};
use crate::terra_mystica::state::{ExecContext, State};

/// VP of the Cultists' stronghold.
const CULTIST_STRONGHOLD_VP: u16 = 7;
/// Power of the Alchemists' stronghold.
const ALCHEMIST_STRONGHOLD_POWER: u16 = 12;

/// A validated upgrade with its price.
#[derive(Clone, Copy, Debug)]
pub struct Upgrade {
    land: Land,
    from: Structure,
    to: Structure,
    price: Goods,
}

impl Upgrade {
    /// Makes the upgrade free of charge (ACTS).
    pub const fn free(self) -> Self {
        Self {
            price: Goods::NONE,
            ..self
        }
    }
}

pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let upgrades = |land: Land| {
        let space = land.into();
        Structure::ALL.map(|to| Action::UpgradeStructure {
            space,
            to_structure: to,
        })
    };
    let own = state.board.owned(seat).iter();
    own.flat_map(upgrades)
        .try_for_each(|action| list.visit(action))
}

/// Checks that this structure may become that one, disregarding the price.
///
/// # Rule TM-6.30
/// An own structure, one of the allowed steps, and the new piece must be in stock.
pub fn check_step(
    state: &State,
    seat: Seat,
    (land, to): (Land, Structure),
    rule: &'static str,
) -> Result<Upgrade, RefusedAction> {
    let from = match state.board.piece(land) {
        Some(piece) if piece.seat == seat => piece.structure,
        Some(_) | None => return Err(Refusal::NotYourStructure { space: land }.citing(rule)),
    };
    if !from.upgrades_to(to) {
        return Err(Refusal::InvalidUpgrade {
            from_structure: from,
            to_structure: to,
        }
        .citing(rule));
    }
    if state.board.left(seat, to) == 0 {
        let (piece, left) = (Piece::Structure(to), 0);
        return Err(Refusal::NoPieceLeft { piece, left }.citing(rule));
    }
    let price = price(state, seat, land, to);
    Ok(Upgrade {
        land,
        from,
        to,
        price,
    })
}

/// Checks that this player can pay for this upgrade.
pub fn check(
    state: &State,
    seat: Seat,
    space: Space,
    to: Structure,
) -> Result<Upgrade, RefusedAction> {
    let rule = "TM-6.30";
    let land = land_of(space, "space", rule)?;
    let upgrade = check_step(state, seat, (land, to), rule)?;
    affordable(
        state,
        seat,
        (Expense::Structure(to), upgrade.price),
        "TM-6.30",
    )?;
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

/// Pays and replaces the piece; VP, effects, town, offers, in this order (TM-6.34).
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, upgrade: Upgrade) {
    let Upgrade {
        land,
        from,
        to,
        price,
    } = upgrade;
    pay(ctx, seat, price, Purpose::Structure(to));
    ctx.state.board.put(land, seat, to);
    ctx.emit(Event::StructureUpgraded {
        seat,
        space: land,
        from_structure: from,
        to_structure: to,
    });
    score_upgrade(ctx, seat, to);
    upgrade_effects(ctx, seat, to);
    check_town(ctx, seat, land);
    offer_power(ctx, seat, land);
}

/// # Rule TM-6.32, TM-P.31
fn score_upgrade(ctx: &mut ExecContext<'_>, seat: Seat, to: Structure) {
    match to {
        Structure::Dwelling => {}
        Structure::TradingHouse => {
            score_tile(ctx, seat, ScoringTrigger::TradingHouse, 1);
            if ctx.state.players[seat].favors.contains(FavorTile::Fav10) {
                let source = VpSource::FavorTile(FavorTile::Fav10);
                score(ctx, seat, FavorTile::TRADING_HOUSE_VP, source);
            }
        }
        Structure::Temple => score_tile(ctx, seat, ScoringTrigger::Temple, 1),
        Structure::Stronghold | Structure::Sanctuary => {
            score_tile(ctx, seat, ScoringTrigger::GreatStructure, 1);
        }
    }
}

/// # Rule TM-6.33
/// Immediate effects, and choices still to be made.
fn upgrade_effects(ctx: &mut ExecContext<'_>, seat: Seat, to: Structure) {
    match to {
        Structure::Dwelling | Structure::TradingHouse => {}
        Structure::Temple | Structure::Sanctuary => {
            let chaos = ctx.state.faction(seat) == Faction::ChaosMagicians;
            ctx.state.turn.follow_ups.favor_tiles += if chaos { 2 } else { 1 };
        }
        Structure::Stronghold => stronghold_effects(ctx, seat),
    }
}

fn stronghold_effects(ctx: &mut ExecContext<'_>, seat: Seat) {
    let follow_ups = &mut ctx.state.turn.follow_ups;
    match ctx.state.players[seat].faction {
        Faction::Auren => follow_ups.favor_tiles += 1,
        Faction::Darklings => follow_ups.ordination = true,
        Faction::Halflings => {
            follow_ups.stronghold_spades = true;
            halfling_spades(ctx, seat, STRONGHOLD_SPADES);
        }
        Faction::Alchemists => {
            let power = Goods::power(ALCHEMIST_STRONGHOLD_POWER);
            receive(ctx, seat, power, GoodsSource::Stronghold);
        }
        Faction::Cultists => score(ctx, seat, CULTIST_STRONGHOLD_VP, VpSource::Stronghold),
        Faction::Mermaids => raise_shipping(ctx, seat),
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
