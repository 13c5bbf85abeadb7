//! The enemies and the battles of a described table.

use arrayvec::ArrayVec;

use super::{Judged, bounds, numbers, players};
use crate::kingsburg::data::{Building, DIE_FACES, Enemy, YEARS};
use crate::kingsburg::event::Outcome;
use crate::kingsburg::setup;
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::player::Province;
use crate::kingsburg::state::{Battle, Player, State};
use crate::kingsburg::view::{BattleView, View};
use crate::table::{Chance, PerSeat, PositionError, Seat, SeatSet};

type History = ArrayVec<Battle, { YEARS as usize }>;

/// Reads the battles of the years before, one of each.
///
/// # Rule KIN-16.15
pub(super) fn history(view: &View, seats: usize) -> Judged<History> {
    let before = view.year.saturating_sub(1);
    PositionError::unless(view.history.len() == usize::from(before), || {
        let allowed = format!("{before}, one for each year before");
        PositionError::new("KIN-16.15", "history", view.history.len(), allowed)
    })?;
    let mut history = History::new();
    for (index, (year, shown)) in (1..YEARS).zip(&view.history).enumerate() {
        let path = format!("history[{index}]");
        let strength = strengths(&path, shown, seats)?;
        history.push(battle(
            &path,
            view,
            (year, shown),
            strength,
            SeatSet::EMPTY,
        )?);
    }
    Ok(history)
}

/// Reads the battle of this winter. Strengths and Stone Walls that are left out are those of the table.
pub(super) fn current(view: &View, players: &PerSeat<Player>) -> Judged<Option<Battle>> {
    let Some(shown) = &view.battle else {
        return Ok(None);
    };
    let kind = shown.card.card().kind;
    let strength = if shown.fighters.is_empty() {
        PerSeat::new(players.count(), |seat| players[seat].strength_against(kind))
    } else {
        strengths("battle", shown, players.count())?
    };
    let walls = players
        .seats()
        .filter(|&seat| players[seat].has(Building::StoneWall));
    battle(
        "battle",
        view,
        (view.year, shown),
        strength,
        walls.collect(),
    )
    .map(Some)
}

/// Reads the strengths of a battle, in seat order.
fn strengths(path: &str, shown: &BattleView, seats: usize) -> Judged<PerSeat<i16>> {
    let listed: Vec<Seat> = shown.fighters.iter().map(|fighter| fighter.seat).collect();
    PositionError::unless(listed.iter().copied().eq(Seat::all(seats)), || {
        let allowed = format!("the seats 1 to {seats} in order");
        PositionError::new(
            "KIN-6.102",
            format!("{path}.fighters"),
            numbers(&listed),
            allowed,
        )
    })?;
    let mut strength = PerSeat::new(seats, |_| 0);
    for (index, fighter) in shown.fighters.iter().enumerate() {
        let path = format!("{path}.fighters[{index}].strength");
        PositionError::within("KIN-5.10", path, fighter.strength, bounds::STRENGTH)?;
        strength[fighter.seat] = fighter.strength;
    }
    Ok(strength)
}

/// Reads a battle. If the bookkeeping does not list its Stone Walls, these walls stood, and those without which nobody
/// would have won.
fn battle(
    path: &str,
    view: &View,
    (year, shown): (u8, &BattleView),
    strength: PerSeat<i16>,
    walls: SeatSet,
) -> Judged<Battle> {
    of_year(&format!("{path}.card"), shown.card, year)?;
    let die = format!("{path}.king_die");
    PositionError::within("KIN-6.101", die, shown.king_die, 1..=DIE_FACES)?;
    let listed = view.bookkeeping.iter().flat_map(|kept| &kept.stone_walls);
    let mut listed = listed.enumerate().filter(|(_, walls)| walls.year == year);
    let stone_walls = if let Some((index, walls)) = listed.next() {
        let path = format!("bookkeeping.stone_walls[{index}].seats");
        players::seat_set(&path, &walls.seats, strength.count())?
    } else {
        let enemy = i16::from(shown.card.card().strength);
        let saved = shown
            .fighters
            .iter()
            .filter(|fighter| fighter.strength == enemy && fighter.outcome == Outcome::Victory);
        walls
            .iter()
            .chain(saved.map(|fighter| fighter.seat))
            .collect()
    };
    Ok(Battle {
        enemy: shown.card,
        king_die: shown.king_die,
        strength,
        stone_walls,
    })
}

/// Reads the enemy of each year: the one of its battle, the one of the view, or one that is drawn.
///
/// # Rule KIN-INV-14, KIN-5.9
pub(super) fn deck(
    view: &View,
    history: &History,
    battle: Option<&Battle>,
    chance: &mut Chance,
) -> Judged<[Enemy; YEARS as usize]> {
    let count = view.enemies.len();
    PositionError::unless(count == 0 || count == usize::from(YEARS), || {
        PositionError::new("KIN-INV-14", "enemies", count, format!("{YEARS}, or none"))
    })?;
    let revealed: Vec<Enemy> = history
        .iter()
        .chain(battle)
        .map(|battle| battle.enemy)
        .collect();
    for (index, (year, enemy)) in (1..=YEARS).zip(&view.enemies).enumerate() {
        if let Some(card) = enemy.card {
            of_year(&format!("enemies[{index}].card"), card, year)?;
        }
    }
    let given = |year: u8| {
        let index = usize::from(year) - 1;
        let shown = view.enemies.get(index).and_then(|enemy| enemy.card);
        revealed.get(index).copied().or(shown)
    };
    Ok(setup::enemy_deck(chance, given))
}

fn of_year(path: &str, card: Enemy, year: u8) -> Judged {
    PositionError::unless(card.card().year == year, || {
        PositionError::new(
            "KIN-INV-14",
            path,
            card.id(),
            format!("a card of year {year}"),
        )
    })
}

/// Checks that there is a battle while it is resolved, that everybody has the King's soldiers, and that strengths are
/// those of the table before anybody lost a building.
///
/// # Rule KIN-5.13
pub(super) fn fit(state: &State) -> Judged {
    let Some(battle) = &state.battle else {
        return Ok(());
    };
    let Stage::Resolve { turn_index, .. } = state.stage else {
        let allowed = "a battle only while its outcome is resolved";
        return Err(PositionError::new(
            "KIN-16.15",
            "battle",
            "a battle",
            allowed,
        ));
    };
    for (seat, player) in state.players.entries() {
        let path = format!("players[{}].soldiers", seat.index());
        let least = u16::from(battle.king_die);
        PositionError::within("KIN-6.101", path, player.soldiers, least..=u16::MAX)?;
        let is_resolved = state.turn_index_of(seat) < turn_index;
        let counted = provinces_before(battle, seat, player, is_resolved);
        PositionError::unless(
            counted
                .iter()
                .any(|before| was_so(battle, seat, player, *before)),
            || {
                let path = format!("battle.fighters[{}].strength", seat.index());
                let allowed = "the strength of soldiers and buildings when it was counted";
                PositionError::new("KIN-6.102", path, battle.strength[seat], allowed)
            },
        )?;
    }
    Ok(())
}

/// Lists the provinces that a player may have had when strengths were counted: the present one, or one with the building
/// that this winter took.
fn provinces_before(
    battle: &Battle,
    seat: Seat,
    player: &Player,
    is_resolved: bool,
) -> Vec<Province> {
    let province = player.province;
    let has_lost = is_resolved
        && battle.outcome(seat) == Outcome::Defeat
        && battle.enemy.card().loss.buildings > 0;
    if !has_lost {
        return vec![province];
    }
    let rows = 0..province.rows.len();
    let with = rows
        .filter_map(|row| province.next_in_row(row))
        .map(|building| {
            let mut before = province;
            before.add(building);
            (building, before)
        });
    let with = with.filter(|(building, before)| before.rightmost().any(|last| last == *building));
    let none = (province.count() == 0).then_some(province);
    with.map(|(_, before)| before).chain(none).collect()
}

/// Returns whether a player with this province had this strength and Stone Wall in the battle.
fn was_so(battle: &Battle, seat: Seat, player: &Player, province: Province) -> bool {
    let mut before = player.clone();
    before.province = province;
    before.strength_against(battle.enemy.card().kind) == battle.strength[seat]
        && before.has(Building::StoneWall) == battle.stone_walls.contains(seat)
}
