//! The players of a described table, without their cards.

use super::{Judged, course, is_set_up, needs};
use crate::mythotopia::data::{
    ARMIES, CardSet, PointCard, PointCardSet, ProvinceSet, SHIPS, TOWNS, TOWNS_OF_TWO, count,
};
use crate::mythotopia::options::Options;
use crate::mythotopia::stage::{SeasMark, SeasMarks, SetupChoice, Stage};
use crate::mythotopia::state::{Citadel, Forces, Pieces, Player};
use crate::mythotopia::view::{Bookkeeping, PlayerView, View};
use crate::table::{PerSeat, PositionError, Seat};

/// Creates the players, without anything on the board.
pub(super) fn players(options: &Options, view: &View) -> Judged<PerSeat<Player>> {
    let seats = options.seats();
    let listed = view.players.iter().map(|player| player.seat);
    in_order("players", listed, seats)?;
    if let Some(Bookkeeping { players, .. }) = &view.bookkeeping
        && !players.is_empty()
    {
        let listed = players.iter().map(|player| player.seat);
        in_order("bookkeeping.players", listed, seats)?;
    }
    Ok(PerSeat::new(seats, |seat| Player {
        color: options.colors[seat],
        towns: ProvinceSet::empty(),
        cities: ProvinceSet::empty(),
        citadel: Citadel::Unused,
        armies: Forces::default(),
        mercenaries: Forces::default(),
        ships: [0; 4],
        stock: Pieces {
            armies: 0,
            ships: 0,
        },
        pool: Pieces {
            armies: 0,
            ships: 0,
        },
        hand: CardSet::EMPTY,
        shown: CardSet::EMPTY,
        secret: None,
        has_looked: false,
        deck: Default::default(),
        discard: CardSet::EMPTY,
        reserve: CardSet::EMPTY,
        removed: CardSet::EMPTY,
        tokens: [0; 3],
        seas_claimed: SeasMarks::empty(),
        seas_towns: 0,
        choice: None,
    }))
}

/// Checks that a list has a row for each seat.
fn in_order(path: &str, listed: impl Iterator<Item = Seat> + Clone, seats: usize) -> Judged {
    PositionError::unless(listed.clone().eq(Seat::all(seats)), || {
        let found: Vec<String> = listed.map(|seat| seat.to_string()).collect();
        let allowed = format!("the seats 1 to {seats} in order");
        PositionError::new("MYT-5.1", path, found.join(", "), allowed)
    })
}

/// Reads the pieces beside the board, the tokens, and the choices of the set-up.
///
/// # Rule MYT-11.1, MYT-11.2, MYT-5.14
pub(super) fn pieces(
    view: &View,
    options: &Options,
    in_play: PointCardSet,
    stage: Stage,
    players: &mut PerSeat<Player>,
) -> Judged {
    for (index, (player, shown)) in players.iter_mut().zip(&view.players).enumerate() {
        let path = format!("players[{index}]");
        stocks(&path, options.seats(), shown, player)?;
        seas(&path, in_play, shown, player)?;
        citadel(&path, in_play, stage, shown, player)?;
        player.tokens = shown.tokens;
        if is_set_up(stage) {
            player.choice = choice(&path, course::chosen(stage, options), shown, player)?;
        }
    }
    Ok(())
}

/// Reads armies and ships in stock; the pool has the others. Towns that are neither on the board nor on a card are in
/// stock.
fn stocks(path: &str, seats: usize, shown: &PlayerView, player: &mut Player) -> Judged {
    let left = Pieces {
        armies: ARMIES.saturating_sub(player.armies.total()),
        ships: SHIPS.saturating_sub(player.ships.iter().sum()),
    };
    let (armies, ships) = (shown.stock.armies, shown.stock.ships);
    PositionError::within(
        "MYT-11.1",
        format!("{path}.stock.armies"),
        armies,
        0..=left.armies,
    )?;
    PositionError::within(
        "MYT-11.1",
        format!("{path}.stock.ships"),
        ships,
        0..=left.ships,
    )?;
    player.stock = Pieces { armies, ships };
    player.pool = Pieces {
        armies: left.armies - armies,
        ships: left.ships - ships,
    };
    let towns = if seats == 2 { TOWNS_OF_TWO } else { TOWNS };
    let built = player.towns.len();
    PositionError::within(
        "MYT-11.2",
        format!("{path}.stock.towns"),
        built,
        0..=usize::from(towns),
    )?;
    let left = towns.saturating_sub(count(built));
    PositionError::within(
        "MYT-11.2",
        format!("{path}.seas_towns"),
        shown.seas_towns,
        0..=left,
    )?;
    player.seas_towns = shown.seas_towns;
    Ok(())
}

/// Reads what Master of the Seas has rewarded. A town lies there for a reward at most.
fn seas(path: &str, in_play: PointCardSet, shown: &PlayerView, player: &mut Player) -> Judged {
    let claimed = [
        (
            "three_seas_claimed",
            shown.three_seas_claimed,
            SeasMark::ThreeSeas,
        ),
        (
            "four_seas_claimed",
            shown.four_seas_claimed,
            SeasMark::FourSeas,
        ),
    ];
    for (field, is_claimed, mark) in claimed {
        if is_claimed {
            needs(
                in_play,
                PointCard::MasterOfTheSeas,
                format!("{path}.{field}"),
                true,
            )?;
            player.seas_claimed.insert(mark);
        }
    }
    let most = count(player.seas_claimed.len());
    PositionError::within(
        "MYT-5.14",
        format!("{path}.seas_towns"),
        player.seas_towns,
        0..=most,
    )
}

/// Reads whether the citadel was given back. With its card in play every player has placed one after the set-up.
fn citadel(
    path: &str,
    in_play: PointCardSet,
    stage: Stage,
    shown: &PlayerView,
    player: &mut Player,
) -> Judged {
    let found = format!("{:?}", player.citadel);
    let has_card = in_play.contains(PointCard::Citadel);
    if shown.citadel_returned && player.citadel == Citadel::Unused {
        player.citadel = Citadel::Returned;
    }
    let is_placed = player.citadel != Citadel::Unused;
    PositionError::unless(is_placed == (has_card && !is_set_up(stage)), || {
        let allowed = "placed or returned once the set-up with its card is over, otherwise unused";
        PositionError::new("MYT-5.8", format!("{path}.citadel"), found, allowed)
    })
}

/// Reads the secret choice of the set-up.
///
/// # Rule MYT-6.10
fn choice(
    path: &str,
    due: usize,
    shown: &PlayerView,
    player: &Player,
) -> Judged<Option<ProvinceSet>> {
    let Some(choice) = shown.setup_choice else {
        return Ok(None);
    };
    let provinces = match choice {
        SetupChoice::Discard(provinces) => provinces,
        SetupChoice::Citadel(province) => ProvinceSet::only(province),
    };
    let fits = provinces.len() == due && provinces.is_subset(player.controlled());
    PositionError::unless(fits, || {
        let allowed = format!("{due} of the player's provinces");
        PositionError::new("MYT-6.10", format!("{path}.setup_choice"), choice, allowed)
    })?;
    Ok(Some(provinces))
}
