//! Wars: participants and strengths (MYT-4.4).

use arrayvec::ArrayVec;

use super::State;
use crate::mythotopia::data::{
    CASTLE_STRENGTH, DRAGON_STRENGTH, Improvement, Province, ProvinceSet, RESERVE_STRENGTH,
    RUGGED_STRENGTH,
};
use crate::mythotopia::stage::{Building, Side, Strength};
use crate::table::{MAX_SEATS, Seat};

/// The strengths of a war: the defender first, then the attackers in seat order.
pub type Strengths = ArrayVec<Strength, MAX_SEATS>;

impl State {
    /// # Rule MYT-4.4.4, 4.4.5
    /// There is a war where a player has armies or mercenaries in a province that others control.
    pub fn wars(&self) -> ProvinceSet {
        self.players
            .iter()
            .fold(ProvinceSet::empty(), |wars, player| {
                wars | (player.garrisons() - player.controlled())
            })
    }

    /// Returns whether a seat attacks there.
    pub fn attacks(&self, seat: Seat, province: Province) -> bool {
        let player = &self.players[seat];
        player.fights_at(province) && !player.controls(province)
    }

    /// Returns whether there is a war.
    pub fn at_war(&self, province: Province) -> bool {
        let mut seats = self.players.seats();
        seats.any(|seat| self.attacks(seat, province))
    }

    /// # Rule MYT-4.4.5
    /// The participants are the attackers and the defender.
    pub fn takes_part(&self, seat: Seat, province: Province) -> bool {
        self.attacks(seat, province)
            || self.players[seat].controls(province) && self.at_war(province)
    }

    /// The provinces where a seat is at war with another player: as attacker in the other's province, or attacked in
    /// its own.
    ///
    /// # Rule MYT-4.4.6, A38
    /// Attackers of a neutral province are not at war with each other.
    pub fn wars_with_players(&self, seat: Seat) -> ProvinceSet {
        let wars = self.wars() - self.neutral();
        let wars = wars.iter();
        wars.filter(|&province| self.takes_part(seat, province))
            .collect()
    }

    /// The defender of a province.
    pub fn defender(&self, province: Province) -> Side {
        self.controller(province)
            .map_or(Side::Neutral, Side::Player)
    }

    /// # Rule MYT-4.4.8
    /// The strengths of all participants.
    pub fn strengths(&self, province: Province) -> Strengths {
        let defender = self.defender(province);
        let defence = match defender {
            Side::Neutral => neutral_strength(self, province),
            Side::Player(seat) => defence(self, seat, province),
        };
        let attackers = self
            .players
            .seats()
            .filter(|&seat| self.attacks(seat, province))
            .map(|seat| Strength {
                side: Side::Player(seat),
                strength: attack(self, seat, province),
            });
        std::iter::once(Strength {
            side: defender,
            strength: defence,
        })
        .chain(attackers)
        .collect()
    }
}

fn neutral_strength(state: &State, province: Province) -> u8 {
    let dragon = state.dragons.contains(province);
    province.row().strength + if dragon { DRAGON_STRENGTH } else { 0 }
}

/// Armies, mercenaries and ships.
fn units(state: &State, seat: Seat, province: Province) -> u8 {
    let player = &state.players[seat];
    let present = player.armies.at(province) + player.mercenaries.at(province);
    present + state.ships_near(seat, province)
}

fn bonus(holds: bool, strength: u8) -> u8 {
    if holds { strength } else { 0 }
}

fn attack(state: &State, seat: Seat, province: Province) -> u8 {
    let player = &state.players[seat];
    let ranger = province.row().rugged && player.reserves(Improvement::Ranger);
    units(state, seat, province)
        + bonus(player.reserves(Improvement::Cavalry), RESERVE_STRENGTH)
        + bonus(ranger, RESERVE_STRENGTH)
}

fn defence(state: &State, seat: Seat, province: Province) -> u8 {
    let player = &state.players[seat];
    let citadel = player.building(province) == Some(Building::Citadel);
    let walls = state.castles.contains(province) || citadel;
    units(state, seat, province)
        + bonus(walls, CASTLE_STRENGTH)
        + bonus(province.row().rugged, RUGGED_STRENGTH)
        + bonus(player.reserves(Improvement::Limes), RESERVE_STRENGTH)
}

/// The sides with the highest strength.
pub fn strongest(strengths: &Strengths) -> ArrayVec<Side, MAX_SEATS> {
    let most = strengths.iter().map(|s| s.strength).max().unwrap_or(0);
    let strongest = strengths.iter().filter(|s| s.strength == most);
    strongest.map(|s| s.side).collect()
}
