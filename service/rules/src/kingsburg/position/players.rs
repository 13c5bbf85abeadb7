//! The players of a described table.

use super::{Judged, bounds, numbers, seated};
use crate::kingsburg::data::{COLUMNS, DIE_FACES};
use crate::kingsburg::options::Options;
use crate::kingsburg::state::player::Province;
use crate::kingsburg::state::{Dice, Player, PointSource};
use crate::kingsburg::view::{DiePlace, PlayerView, PointsView, View};
use crate::table::{PerSeat, PositionError, Seat, SeatSet};

/// Reads the players, in seat order. Their dice are before them, or set aside.
pub(super) fn players(options: &Options, view: &View) -> Judged<PerSeat<Player>> {
    let seats = options.seats();
    let by_seat = |path: &str, listed: Vec<Seat>| {
        PositionError::unless(listed.iter().copied().eq(Seat::all(seats)), || {
            let allowed = format!("the seats 1 to {seats} in order");
            PositionError::new("KIN-5.1", path, numbers(&listed), allowed)
        })
    };
    by_seat(
        "players",
        view.players.iter().map(|player| player.seat).collect(),
    )?;
    let points = view.bookkeeping.iter().flat_map(|kept| &kept.points);
    let points: Vec<&PointsView> = points.collect();
    if !points.is_empty() {
        by_seat(
            "bookkeeping.points",
            points.iter().map(|points| points.seat).collect(),
        )?;
    }
    let mut players = PerSeat::new(seats, |_| Player::at_start());
    for (index, (player, shown)) in players.iter_mut().zip(&view.players).enumerate() {
        let path = format!("players[{index}]");
        *player = possessions(&path, view, shown)?;
        match points.get(index) {
            Some(given) => book(player, given, &format!("bookkeeping.points[{index}]"))?,
            None => book_rest(player, shown.vp, &path)?,
        }
    }
    Ok(players)
}

/// Reads what a player has, without points.
///
/// # Rule KIN-5.10
fn possessions(path: &str, view: &View, shown: &PlayerView) -> Judged<Player> {
    let (year, phase, goods) = (view.year, view.phase, shown.goods);
    let within = bounds::goods(year, phase);
    PositionError::within("KIN-5.10", format!("{path}.goods"), goods.total(), within)?;
    let within = bounds::plus2(year, phase);
    PositionError::within("KIN-5.10", format!("{path}.plus2"), shown.plus2, within)?;
    let soldiers = format!("{path}.soldiers");
    PositionError::within("KIN-5.10", soldiers, shown.soldiers, bounds::SOLDIERS)?;
    for (row, &built) in shown.rows.iter().enumerate() {
        let row = format!("{path}.rows[{row}]");
        PositionError::within("KIN-INV-2", row, usize::from(built), 0..=COLUMNS)?;
    }
    let mut player = Player::at_start();
    player.goods = goods;
    player.plus2 = shown.plus2;
    player.soldiers = shown.soldiers;
    player.province = Province { rows: shown.rows };
    player.dice = dice(path, shown)?;
    player.reroll_used = shown.reroll_used;
    player.market_used = shown.market_used;
    player.influence_done = shown.influence_done;
    Ok(player)
}

/// Reads the faces of the dice, and which are set aside. Groups on the court tell which are placed.
fn dice(path: &str, shown: &PlayerView) -> Judged<Dice> {
    let mut dice = Dice::default();
    for (index, view) in shown.dice.iter().enumerate() {
        let path = format!("{path}.dice[{index}]");
        PositionError::within(
            "KIN-5.7",
            format!("{path}.value"),
            view.value,
            1..=DIE_FACES,
        )?;
        PositionError::unless(dice.face(view.die) == 0, || {
            let found = view.die.number();
            PositionError::new("KIN-INV-4", format!("{path}.die"), found, "each die once")
        })?;
        dice.show(view.die, view.value);
        if view.place == DiePlace::SetAside {
            dice.set_aside.insert(view.die);
        }
    }
    Ok(dice)
}

/// Books the points of each source.
fn book(player: &mut Player, given: &PointsView, path: &str) -> Judged {
    for source in PointSource::ALL {
        let (path, vp) = (format!("{path}.{}", source.id()), given.of(source));
        PositionError::within("KIN-5.10", path, vp, bounds::points(source))?;
        player.score(source, vp);
    }
    Ok(())
}

/// Books what the buildings do not give as points from advisors, or as points lost to enemies. Without points, nothing.
///
/// # Rule KIN-5.9
fn book_rest(player: &mut Player, vp: i16, path: &str) -> Judged {
    if vp == 0 {
        return Ok(());
    }
    let buildings = player.province.vp();
    let (lost, helped) = (PointSource::Enemies, PointSource::Advisors);
    let least = buildings + bounds::points(lost).start();
    let most = buildings + bounds::points(helped).end();
    PositionError::within("KIN-5.10", format!("{path}.vp"), vp, least..=most)?;
    let rest = vp - buildings;
    player.score(if rest < 0 { lost } else { helped }, rest);
    Ok(())
}

/// Reads the holder of the white die of the Aid from the King.
///
/// # Rule KIN-INV-8
pub(super) fn aid_die(view: &View) -> Judged<Option<Seat>> {
    let mut holders = view
        .players
        .iter()
        .enumerate()
        .filter(|(_, player)| player.aid_die);
    let first = holders.next().map(|(_, player)| player.seat);
    match holders.next() {
        None => Ok(first),
        Some((index, _)) => {
            let path = format!("players[{index}].aid_die");
            Err(PositionError::new(
                "KIN-INV-8",
                path,
                true,
                "one holder at most",
            ))
        }
    }
}

/// Reads a list of seats of the table, each once.
pub(super) fn seat_set(path: &str, listed: &[Seat], seats: usize) -> Judged<SeatSet> {
    let mut set = SeatSet::EMPTY;
    for (index, &seat) in listed.iter().enumerate() {
        let path = format!("{path}[{index}]");
        seated(path.as_str(), seat, seats)?;
        PositionError::unless(!set.contains(seat), || {
            PositionError::new("KIN-5.8", path, seat.number(), "each seat once")
        })?;
        set.insert(seat);
    }
    Ok(set)
}
