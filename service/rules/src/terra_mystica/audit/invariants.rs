//! The invariants of TM-11, for every state and for each step.

use crate::table::{Fault, Seat};
use crate::terra_mystica::data::{
    BRIDGES, BonusCard, CULT_TOP, Cult, FavorTile, LandSet, POWER_TOKENS, PRIESTS, ROUNDS,
    SPARE_CARDS, Structure, TownTile,
};
use crate::terra_mystica::stage::Stage;
use crate::terra_mystica::state::{MAX_TOWNS, State};

/// The invariants of one table.
pub fn of_state(state: &State) -> Result<(), Fault> {
    for seat in state.players.seats() {
        pieces(state, seat)?;
        terrain(state, seat)?;
        keys(state, seat)?;
        towns(state, seat)?;
    }
    tiles(state)?;
    cards(state)?;
    cults(state)?;
    marks(state)
}

fn pieces(state: &State, seat: Seat) -> Result<(), Fault> {
    for structure in Structure::ALL {
        let count = state.board.count(seat, structure);
        let standing = state.board.owned(seat).iter();
        let pieces = standing.filter_map(|land| state.board.piece(land));
        let on_map = pieces.filter(|piece| piece.structure == structure).count();
        Fault::unless(
            count <= structure.stock() && on_map == usize::from(count),
            "TM-11.1",
            || format!("{seat} has {count} of {structure}, {on_map} on the map"),
        )?;
    }
    let player = &state.players[seat];
    let priests = player.priests + state.priests_on_cults(seat);
    Fault::unless(priests <= PRIESTS, "TM-11.1", || {
        format!("{seat} has {priests} priests")
    })?;
    let bridges = state.board.bridges().filter(|bridge| bridge.1 == seat);
    Fault::unless(bridges.count() <= usize::from(BRIDGES), "TM-11.1", || {
        format!("{seat} has too many bridges")
    })?;
    let tokens: u8 = player.bowls.iter().sum();
    Fault::unless(tokens <= POWER_TOKENS, "TM-11.2", || {
        format!("{seat} has {tokens} power tokens")
    })
}

fn terrain(state: &State, seat: Seat) -> Result<(), Fault> {
    let home = state.faction(seat).home();
    let mut own = state.board.owned(seat).iter();
    let stray = own.find(|&land| state.board.terrain(land) != home);
    Fault::unless(stray.is_none(), "TM-11.4", || {
        format!("{seat} has a structure on {stray:?}, which is not home terrain")
    })
}

/// TM-11.7, TM-P.50.
fn keys(state: &State, seat: Seat) -> Result<(), Fault> {
    let player = &state.players[seat];
    let on_top = player.cults.iter().filter(|&&place| place == CULT_TOP);
    let own = || state.towns.iter().filter(|town| town.seat == seat);
    let double = own().filter(|town| town.tile == Some(TownTile::Tw6));
    let (used, founded) = (on_top.count(), own().count() + double.count());
    Fault::unless(
        usize::from(player.keys) + used == founded,
        "TM-11.7",
        || {
            format!(
                "{seat}: {} keys, {used} used, {founded} received",
                player.keys
            )
        },
    )
}

fn towns(state: &State, seat: Seat) -> Result<(), Fault> {
    let own: Vec<LandSet> = state
        .towns
        .iter()
        .filter(|town| town.seat == seat)
        .map(|town| town.lands)
        .collect();
    let apart = (1..own.len()).all(|at| own[..at].iter().all(|other| !other.meets(own[at])));
    let built = own
        .iter()
        .all(|lands| lands.minus(state.board.owned(seat)).is_empty());
    Fault::unless(apart && built, "TM-11.9", || {
        format!("the towns of {seat} overlap or are not built: {own:?}")
    })?;
    if state.towns_left() == 0 {
        return Ok(());
    }
    let in_towns = state.town_lands(seat);
    let mut free = state
        .components(seat)
        .filter(|component| !component.meets(in_towns));
    let late = free.find(|&component| state.is_enough_for_town(seat, component));
    Fault::unless(late.is_none(), "TM-11.10", || {
        format!("{seat} should have founded a town: {late:?}")
    })
}

/// TM-11.5, TM-P.53: the remaining tiles follow from those owned, and nobody owns too many.
fn tiles(state: &State) -> Result<(), Fault> {
    for tile in FavorTile::ALL {
        let owned = state
            .players
            .iter()
            .filter(|player| player.favors.contains(tile));
        let owned = owned.count();
        Fault::unless(owned <= usize::from(tile.copies()), "TM-11.5", || {
            format!("{owned} of {}", tile.id())
        })?;
    }
    for tile in TownTile::ALL {
        let used = state.towns.iter().filter(|town| town.tile == Some(tile));
        let used = used.count();
        let copies = if state.rules.has_town_tile(tile) {
            usize::from(tile.copies())
        } else {
            0
        };
        Fault::unless(used <= copies, "TM-11.5", || {
            format!("{used} of {}", tile.id())
        })?;
    }
    let most = if state.rules.promo_tiles.town_tiles {
        MAX_TOWNS
    } else {
        10
    };
    Fault::unless(state.towns.len() <= most, "TM-11.5", || {
        format!("{} towns", state.towns.len())
    })
}

/// TM-11.6: every card in play is in one place.
fn cards(state: &State) -> Result<(), Fault> {
    let owned_cards = state.players.iter().filter_map(|player| player.card);
    let pooled = state.pool.iter().map(|pooled| pooled.card);
    let mut all: Vec<BonusCard> = owned_cards.clone().chain(pooled).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    Fault::unless(
        all.len() == count && count == state.seats() + SPARE_CARDS,
        "TM-11.6",
        || format!("{count} bonus cards, {} different ones", all.len()),
    )?;
    let playing = matches!(state.stage, Stage::Action | Stage::Cult) && state.round < ROUNDS;
    Fault::unless(
        !playing || state.pool.len() == SPARE_CARDS && owned_cards.count() == state.seats(),
        "TM-11.6",
        || format!("{} cards in the pool", state.pool.len()),
    )
}

fn cults(state: &State) -> Result<(), Fault> {
    for cult in Cult::ALL {
        let places = state
            .players
            .iter()
            .map(|player| player.cults[cult.index()]);
        let on_top = places.clone().filter(|&place| place == CULT_TOP).count();
        Fault::unless(
            places.clone().all(|place| place <= CULT_TOP) && on_top <= 1,
            "TM-11.7",
            || format!("{cult}: {:?}", places.clone().collect::<Vec<_>>()),
        )?;
    }
    Ok(())
}

/// TM-11.11, TM-11.15, and marks that only their owners can have.
fn marks(state: &State) -> Result<(), Fault> {
    let outside = matches!(
        state.stage,
        Stage::ChooseFaction(_) | Stage::PlaceDwelling | Stage::ChooseBonusCard
    );
    let used = state
        .players
        .iter()
        .any(|player| player.used.iter().count() > 0);
    Fault::unless(
        !outside || !used && state.used_power_actions.is_empty(),
        "TM-11.11",
        || String::from("used marks before round 1"),
    )?;
    Fault::unless(state.round <= ROUNDS, "TM-11.15", || {
        format!("round {}", state.round)
    })
}

/// The invariants of two successive tables.
pub fn of_step(before: &State, after: &State) -> Result<(), Fault> {
    let seated = before
        .players
        .seats()
        .filter(|&seat| after.players.has(seat));
    for seat in seated {
        let (old, new) = (&before.players[seat], &after.players[seat]);
        let tokens = |bowls: [u8; 3]| bowls.iter().sum::<u8>();
        Fault::unless(tokens(new.bowls) <= tokens(old.bowls), "TM-11.2", || {
            format!("{seat} has more power tokens than before")
        })?;
        let falls = old.cults.iter().zip(&new.cults).any(|(old, new)| new < old);
        Fault::unless(!falls, "TM-11.7", || {
            format!("a marker of {seat} went back")
        })?;
        let lost_lands = before.town_lands(seat).minus(after.town_lands(seat));
        Fault::unless(lost_lands.is_empty(), "TM-11.9", || {
            format!("structures of {seat} left a town: {lost_lands:?}")
        })?;
        Fault::unless(old.faction == new.faction, "TM-5.5", || {
            format!("{seat} changed the faction")
        })?;
    }
    let new_round = after.round > before.round;
    let clean = after.used_power_actions.is_empty()
        && after.players.iter().all(|player| player.used.is_empty());
    Fault::unless(!new_round || clean, "TM-11.11", || {
        String::from("used marks at the start of a round")
    })
}
