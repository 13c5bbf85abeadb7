//! Ways over land and sea, wars, sites (MYT-4.4, 6.4, 7.25).

use super::Second;
use gamekeeper_rules::mythotopia::data::{
    Border, BorderKind, Card, CardSet, Improvement, Province, Sea, Stack,
};
use gamekeeper_rules::mythotopia::{EndGameWars, RoadScope};
use gamekeeper_rules::table::Seat;

impl Second<'_> {
    pub(crate) fn owns(self, seat: Seat, province: Province) -> bool {
        use gamekeeper_rules::mythotopia::state::Citadel;
        let player = &self.state.players[seat];
        player.towns.contains(province)
            || player.cities.contains(province)
            || player.citadel == Citadel::At(province)
    }

    pub(crate) fn mine(self, province: Province) -> bool {
        self.owns(self.seat, province)
    }

    pub(crate) fn tokens_at(self, seat: Seat, province: Province) -> u8 {
        let player = &self.state.players[seat];
        player.armies.at(province) + player.mercenaries.at(province)
    }

    pub(crate) fn seats(self) -> Vec<Seat> {
        self.state.players.seats().collect()
    }

    pub(crate) fn attackers(self, province: Province) -> Vec<Seat> {
        let mut seats = self.seats();
        seats.retain(|&seat| !self.owns(seat, province) && self.tokens_at(seat, province) > 0);
        seats
    }

    /// Attackers and the defending player; empty without a war.
    pub(crate) fn participants(self, province: Province) -> Vec<Seat> {
        let mut all = self.attackers(province);
        if !all.is_empty() {
            all.extend(
                self.seats()
                    .into_iter()
                    .find(|&seat| self.owns(seat, province)),
            );
        }
        all
    }

    /// The provinces where a seat is at war with another player: it is attacked there, or attacks another player's
    /// province. Attackers of a neutral province are not at war with each other.
    fn wars_with_players(self, seat: Seat) -> Vec<Province> {
        let mut all = Province::ALL.to_vec();
        all.retain(|&province| {
            let mut others = self.seats();
            others.retain(|&other| other != seat);
            let attackers = self.attackers(province);
            if attackers.contains(&seat) {
                others.iter().any(|&other| self.owns(other, province))
            } else {
                self.owns(seat, province) && !attackers.is_empty()
            }
        });
        all
    }

    /// MYT-7.25: returns whether a Reserve Army forbids this invasion.
    pub(crate) fn forbidden(self, target: Province, used: CardSet) -> bool {
        let reserve_army = Card::improvement(Improvement::ReserveArmy);
        let holder = self
            .seats()
            .into_iter()
            .find(|&seat| self.owns(seat, target));
        let protected = holder.is_some_and(|holder| {
            self.state.players[holder].reserve.contains(reserve_army)
                && !self.wars_with_players(holder).is_empty()
                && !self.participants(target).contains(&self.seat)
        });
        let restrained = self.helps(Improvement::ReserveArmy, used)
            && self
                .wars_with_players(self.seat)
                .iter()
                .any(|&war| war != target);
        protected || restrained
    }

    /// The hills on a land border for this player: 0 or 1. Returns `None` if it cannot be crossed.
    pub(crate) fn hills(self, a: Province, b: Province, used: CardSet) -> Option<u8> {
        let border = Border::all().find(|border| {
            let row = border.row();
            (row.a, row.b) == (a, b) || (row.a, row.b) == (b, a)
        })?;
        match (border.row().kind, self.helps(Improvement::Ranger, used)) {
            (BorderKind::Normal, _) | (BorderKind::Hills, true) => Some(0),
            (BorderKind::Hills, false) | (BorderKind::Mountains, true) => Some(1),
            (BorderKind::Mountains, false) => None,
        }
    }

    /// Routes over one or two seas: two only where no sea is shared.
    pub(crate) fn routes(from: Province, to: Province) -> Vec<Vec<Sea>> {
        let (from, to) = (from.row().seas, to.row().seas);
        let one: Vec<Vec<Sea>> = Sea::ALL
            .iter()
            .filter(|&&sea| from.contains(sea) && to.contains(sea))
            .map(|&sea| vec![sea])
            .collect();
        if !one.is_empty() {
            return one;
        }
        let mut two = Vec::new();
        for way in [
            [Sea::SerpentSea, Sea::BeastSea],
            [Sea::BeastSea, Sea::SerpentSea],
        ] {
            if from.contains(way[0]) && to.contains(way[1]) {
                two.push(way.to_vec());
            }
        }
        two
    }

    /// Provinces at the ends of own roads from here, this one included.
    pub(crate) fn network(self, province: Province) -> Vec<Province> {
        let mut reached = vec![province];
        let mut next = 0;
        while let Some(&here) = reached.get(next) {
            next += 1;
            for end in self.joined(here) {
                if !reached.contains(&end) {
                    reached.push(end);
                }
            }
        }
        reached
    }

    fn joined(self, here: Province) -> Vec<Province> {
        let other = |border: Border| {
            let row = border.row();
            match () {
                () if row.a == here => Some(row.b),
                () if row.b == here => Some(row.a),
                () => None,
            }
        };
        let ends = self.state.roads.iter().filter_map(other);
        ends.filter(|&end| self.mine(end)).collect()
    }

    /// Returns whether the card is a site card for a province of this player.
    pub(crate) fn is_site(self, card: Card, province: Province) -> bool {
        if !self.mine(province) {
            return false;
        }
        if card == Card::improvement(Improvement::General) {
            return true;
        }
        let scope = self.state.switches.road_substitution_scope;
        card.as_province().is_some_and(|own| {
            own == province
                || self.mine(own)
                    && match scope {
                        RoadScope::Direct => self.joined(own).contains(&province),
                        RoadScope::Network => self.network(own).contains(&province),
                    }
        })
    }

    /// Returns whether a token of value 1 is available if these cards are used (MYT-14.12).
    pub(crate) fn token(self, stack: Stack, used: CardSet) -> bool {
        let scribe = self.helps(Improvement::Scribe, used) && self.state.bank[0] > 0;
        let there = self.state.tokens[stack.index()] > 0;
        self.state.in_play.contains(stack.card()) && (there || scribe)
    }

    /// MYT-4.4.8, with the neutral side as `None`.
    pub(crate) fn strengths(self, province: Province) -> Vec<(Option<Seat>, u8)> {
        let row = province.row();
        let of = |seat: Seat| {
            let player = &self.state.players[seat];
            let has =
                |improvement| u8::from(player.reserve.contains(Card::improvement(improvement)));
            let ships = Sea::ALL.iter().filter(|&&sea| row.seas.contains(sea));
            let ships: u8 = ships.map(|sea| player.ships[sea.index()]).sum();
            let units = self.tokens_at(seat, province) + ships;
            let rugged = u8::from(row.rugged);
            if self.owns(seat, province) {
                use gamekeeper_rules::mythotopia::state::Citadel;
                let castle = self.state.castles.contains(province);
                let walls = castle || player.citadel == Citadel::At(province);
                units + 2 * u8::from(walls) + rugged + has(Improvement::Limes)
            } else {
                units + has(Improvement::Cavalry) + rugged * has(Improvement::Ranger)
            }
        };
        let fight = self.participants(province);
        let mut all: Vec<_> = fight.iter().map(|&seat| (Some(seat), of(seat))).collect();
        if !self
            .seats()
            .into_iter()
            .any(|seat| self.owns(seat, province))
        {
            let dragon = u8::from(self.state.dragons.contains(province));
            all.push((None, row.strength + 4 * dragon));
        }
        all
    }

    /// The winner at the end of the game. Returns `None` for the neutral side (MYT-6.5.16).
    pub(crate) fn last_winner(self, province: Province) -> Option<Seat> {
        let defender = self
            .seats()
            .into_iter()
            .find(|&seat| self.owns(seat, province));
        let all = self.strengths(province);
        let most = all.iter().map(|side| side.1).max();
        let best: Vec<_> = all.iter().filter(|side| Some(side.1) == most).collect();
        match (self.state.switches.end_game_wars, &best[..]) {
            (EndGameWars::ByStrength, [only]) => only.0,
            (EndGameWars::ByStrength | EndGameWars::DefenderWins, _) => defender,
        }
    }
}
