//! The goods, tracks, keys, marks and tiles of players (TM-11.1 to TM-11.3, TM-11.5, TM-11.7, TM-11.11, TM-15.3).

use super::common::{distinct, is_setup, path};
use crate::table::{PositionError, Seat};
use crate::terra_mystica::data::{
    CULT_TOP, Cult, FavorTile, POWER_TOKENS, PRIESTS, Spades, SpecialAction, Terrain, TownTile,
};
use crate::terra_mystica::state::{Player, State};

/// The most VP, coins and workers of a player on a described table (TM-15.3).
const MOST: u16 = 5_000;

pub(super) fn judge(state: &State) -> Result<(), PositionError> {
    factions(state)?;
    for (seat, player) in state.players.entries() {
        goods(state, seat, player)?;
        tracks(seat, player)?;
        keys(state, seat, player)?;
        marks(state, seat, player)?;
    }
    power_actions(state)?;
    cults(state)?;
    favors(state)
}

/// # Rule TM-5.5
/// Colors differ; drawn colors do too, and are those of the factions.
fn factions(state: &State) -> Result<(), PositionError> {
    let drawn = state.choosing().map(|choosing| choosing.colors.as_slice());
    PositionError::unless(drawn.is_none_or(distinct), || {
        PositionError::new(
            "TM-5.5",
            "players",
            "equal colors",
            "a different color for each seat",
        )
    })?;
    let mut colors: Vec<Terrain> = Vec::new();
    for seat in Seat::all(state.seats()) {
        let faction = match state.choosing() {
            Some(choosing) => choosing.chosen[seat],
            None => Some(state.faction(seat)),
        };
        let Some(faction) = faction else { continue };
        let own = drawn.and_then(|colors| colors.get(seat.index()).copied());
        let home = faction.home();
        let fits = !colors.contains(&home) && own.is_none_or(|color| color == home);
        PositionError::unless(fits, || {
            let allowed = "a faction of the seat's color, which no other seat has";
            PositionError::new("TM-5.5", path(seat, "faction"), faction.id(), allowed)
        })?;
        colors.push(home);
    }
    Ok(())
}

/// # Rule TM-11.1, TM-11.2, TM-15.3
fn goods(state: &State, seat: Seat, player: &Player) -> Result<(), PositionError> {
    for (field, found) in [
        ("vp", player.vp),
        ("coins", player.coins),
        ("workers", player.workers),
    ] {
        PositionError::within("TM-15.3", path(seat, field), found, 0..=MOST)?;
    }
    let on_cults = state.priests_on_cults(seat);
    PositionError::within("TM-11.1", "priests", on_cults, 0..=PRIESTS)?;
    let most = PRIESTS.saturating_sub(on_cults);
    PositionError::within("TM-11.1", path(seat, "priests"), player.priests, 0..=most)?;
    let tokens: u16 = player.bowls.iter().map(|&tokens| u16::from(tokens)).sum();
    PositionError::unless(tokens <= u16::from(POWER_TOKENS), || {
        let allowed = format!("at most {POWER_TOKENS} tokens in all");
        PositionError::new("TM-11.2", path(seat, "power_bowls"), tokens, allowed)
    })
}

/// # Rule TM-3.8, TM-3.9
/// The tracks are as long as they are printed.
fn tracks(seat: Seat, player: &Player) -> Result<(), PositionError> {
    let ships = player.sheet().shipping;
    let ships = ships.map_or(0..=0, |track| track.start..=track.max);
    PositionError::within("TM-3.8", path(seat, "shipping"), player.shipping, ships)?;
    let levels = match player.sheet().spades {
        Spades::Workers { max_level, .. } => 0..=max_level,
        Spades::Priests => 0..=0,
    };
    let field = path(seat, "terraforming_level");
    PositionError::within("TM-3.9", field, player.terraforming, levels)?;
    let start = player.sheet().cults;
    for (cult, (&from, &steps)) in Cult::ALL.into_iter().zip(start.iter().zip(&player.cults)) {
        let field = path(seat, &format!("cults.{}", cult.id()));
        PositionError::within("TM-11.7", field, steps, from..=CULT_TOP)?;
    }
    Ok(())
}

/// # Rule TM-11.7, TM-P.50
/// Every town has brought a key, and every marker on a last space has used one.
fn keys(state: &State, seat: Seat, player: &Player) -> Result<(), PositionError> {
    let own = state.towns.iter().filter(|town| town.seat == seat);
    let brought = own.map(|town| {
        if town.tile == Some(TownTile::Tw6) {
            2
        } else {
            1
        }
    });
    let brought: usize = brought.sum();
    let used = player
        .cults
        .iter()
        .filter(|&&steps| steps == CULT_TOP)
        .count();
    PositionError::unless(usize::from(player.keys) + used == brought, || {
        let allowed = format!("{brought} keys of towns, {used} of them used");
        PositionError::new("TM-11.7", path(seat, "keys"), player.keys, allowed)
    })
}

/// # Rule TM-11.11
/// Only actions that a player has, or had before passing, are marked; none in the set-up.
fn marks(state: &State, seat: Seat, player: &Player) -> Result<(), PositionError> {
    let can_be_marked = |action: SpecialAction| match action {
        // Whoever passes gives the card away, but not the mark.
        SpecialAction::Bon1 | SpecialAction::Bon2 => true,
        SpecialAction::Fav6
        | SpecialAction::ActA
        | SpecialAction::ActW
        | SpecialAction::ActS
        | SpecialAction::ActC
        | SpecialAction::ActG
        | SpecialAction::ActN => state.has_special(seat, action),
    };
    let stray = player
        .used
        .iter()
        .find(|&action| is_setup(state) || !can_be_marked(action));
    stray.map_or(Ok(()), |action| {
        let (field, allowed) = (path(seat, "used_special"), "special actions of the player");
        Err(PositionError::new("TM-11.11", field, action.id(), allowed))
    })
}

/// # Rule TM-11.11
fn power_actions(state: &State) -> Result<(), PositionError> {
    let used = state.used_power_actions.len();
    PositionError::unless(!is_setup(state) || used == 0, || {
        PositionError::new("TM-11.11", "used_power_actions", used, "none in the set-up")
    })
}

/// # Rule TM-11.7
/// One marker at most on the last space of a track. Priests fill the spaces of two steps from the first one on.
fn cults(state: &State) -> Result<(), PositionError> {
    for cult in Cult::ALL {
        let mut on_top = state
            .players
            .entries()
            .filter(|(_, player)| player.cults[cult.index()] == CULT_TOP);
        if let Some((seat, _)) = on_top.nth(1) {
            let field = path(seat, &format!("cults.{}", cult.id()));
            let allowed = "9 where another marker is on the last space";
            return Err(PositionError::new("TM-11.7", field, CULT_TOP, allowed));
        }
        let twos = &state.priest_spaces[cult.index()][1..];
        let gap = twos
            .windows(2)
            .any(|two| two[0].is_none() && two[1].is_some());
        PositionError::unless(!gap, || {
            let allowed = "spaces of two steps filled in order";
            PositionError::new("TM-6.35", "priests", cult.id(), allowed)
        })?;
    }
    let on_cults = state.priest_spaces.iter().flatten().any(Option::is_some);
    PositionError::unless(!is_setup(state) || !on_cults, || {
        PositionError::new("TM-5.6", "priests", "a priest", "none in the set-up")
    })
}

/// # Rule TM-11.5
fn favors(state: &State) -> Result<(), PositionError> {
    for tile in FavorTile::ALL {
        let mut owners = state
            .players
            .entries()
            .filter(|(_, player)| player.favors.contains(tile));
        if let Some((seat, _)) = owners.nth(usize::from(tile.copies())) {
            let allowed = format!("{} of at most {} seats", tile.id(), tile.copies());
            let field = path(seat, "favor_tiles");
            return Err(PositionError::new("TM-11.5", field, tile.id(), allowed));
        }
    }
    let mut owners = state.players.entries();
    let early = owners.find(|(_, player)| is_setup(state) && !player.favors.is_empty());
    early.map_or(Ok(()), |(seat, player)| {
        let (field, found) = (path(seat, "favor_tiles"), player.favors.len());
        Err(PositionError::new(
            "TM-5.6",
            field,
            found,
            "none in the set-up",
        ))
    })
}
