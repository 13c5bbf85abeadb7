//! How bots evaluate a table: points, goods by their value for buildings, and the coming winter.

use super::Kingsburg;
use super::data::{Building, Choice, Help, YEARS};
use super::state::{Player, State};
use crate::bots::Mind;
use crate::table::Seat;

const POINT: i32 = 10;
const GOOD: i32 = 5;
const TOKEN: i32 = 5;
const SOLDIER: i32 = 3;
const STRENGTH: i32 = 5;

impl Mind for Kingsburg {
    const HORIZON: u32 = 60;

    fn players(state: &State) -> usize {
        state.players.count()
    }

    /// Points, goods and soldiers, and what advisors will still give.
    fn worth(state: &State, seat: Seat) -> i32 {
        let player = &state.players[seat];
        let helps = state.groups.iter().filter(|group| group.owner == seat);
        let helps: i32 = helps.map(|group| help(group.advisor.help())).sum();
        POINT * i32::from(player.vp())
            + GOOD * i32::from(player.goods.total())
            + TOKEN * i32::from(player.plus2)
            + SOLDIER * i32::from(player.soldiers)
            + helps
            + STRENGTH * strength(player)
    }

    /// The same, with the yields of buildings in the remaining years, and this year's battle.
    fn promise(state: &State, seat: Seat) -> i32 {
        let player = &state.players[seat];
        let years = i32::from(YEARS.saturating_sub(state.year));
        let standing = player.province.standing();
        let lasting: i32 = standing.map(|building| years * yearly(building)).sum();
        let soldiers = SOLDIER * i32::from(player.soldiers);
        Self::worth(state, seat) - soldiers + lasting + battle(state, player)
    }
}

/// What an advisor gives.
fn help(help: Help) -> i32 {
    let chosen = match help.choice {
        Some(Choice::OneOf { amount, .. }) => GOOD * i32::from(amount),
        Some(Choice::Exchange) => GOOD,
        None => 0,
    };
    POINT * i32::from(help.vp)
        + GOOD * i32::from(help.goods.total())
        + SOLDIER * i32::from(help.soldiers)
        + TOKEN * i32::from(help.plus2)
        + chosen
}

/// The value of a building per year, besides its points.
fn yearly(building: Building) -> i32 {
    let extra = i32::from(building.extra_against().is_some());
    extra
        + match building {
            Building::Farms => 14,
            Building::MerchantsGuild => 14,
            Building::Embassy => 27,
            Building::TownHall => 14,
            Building::Market => 6,
            Building::Inn => 4,
            Building::Crane => 3,
            Building::Barracks | Building::Stable | Building::StoneWall => 3,
            Building::Fortress => 6,
            Building::Statue | Building::Chapel => 2,
            Building::Church
            | Building::Cathedral
            | Building::GuardTower
            | Building::Blacksmith
            | Building::WizardsGuild
            | Building::Palisade
            | Building::Barricade => 1,
        }
}

/// What the buildings add to the strength against any enemy.
fn strength(player: &Player) -> i32 {
    let standing = player.province.standing();
    standing
        .map(|building| i32::from(building.strength()))
        .sum()
}

/// The value of the strength against this year's enemy: it takes the minimum strength of the year
/// plus 1 to 2, and the King sends 3 to 4 soldiers on average.
fn battle(state: &State, player: &Player) -> i32 {
    if state.battle.is_some() {
        return 0;
    }
    let strength = strength(player) + i32::from(player.soldiers);
    // Enemies of year n are about n + 2 strong; the King sends 1 to 6.
    let enemy = i32::from(state.year) + 2;
    let lack = enemy - strength;
    let stake = 12 + 5 * i32::from(state.year);
    // A sixth for each face of the die that is not enough.
    match lack {
        ..=0 => stake,
        1..=6 => stake - stake * 2 * lack / 6,
        7.. => -stake,
    }
}
