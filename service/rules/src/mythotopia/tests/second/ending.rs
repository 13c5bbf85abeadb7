//! The end of the game, counted by hand (MYT-6.5.16, 6.7, 8.1).

use super::Second;
use gamekeeper_rules::mythotopia::data::{Card, Improvement, Island, Province, Stack};
use gamekeeper_rules::mythotopia::stage::TurnMark;
use gamekeeper_rules::mythotopia::state::Citadel;
use gamekeeper_rules::table::Seat;

/// The changes by the last wars.
struct Count<'a> {
    of: Second<'a>,
    owner: Vec<Option<Seat>>,
    /// Points of tokens, by seat.
    points: Vec<u8>,
    /// Towns in stock, by seat.
    towns: Vec<usize>,
    tokens: [u8; 15],
    bank: [u8; 3],
}

impl<'a> Second<'a> {
    /// Returns whether the game may be ended.
    pub(crate) fn may_end(self) -> bool {
        let state = self.state;
        let first = state.turn.actions_done == 0;
        let empty = state.in_play.iter().filter(|card| {
            let stacks = card.stacks().iter();
            stacks.map(|stack| state.tokens[stack.index()]).sum::<u8>() == 0
        });
        if !first || state.turn.marks.contains(TurnMark::FreeAction) || empty.count() < 4 {
            return false;
        }
        let mut count = Count::of(self);
        for province in Province::ALL {
            if !self.participants(province).is_empty() {
                // No war changes the strengths of another one.
                count.end(province, self.last_winner(province));
            }
        }
        let own = count.total(self.seat);
        let mut others = self.seats().into_iter().filter(|&seat| seat != self.seat);
        others.all(|other| count.total(other) < own)
    }
}

impl<'a> Count<'a> {
    fn of(of: Second<'a>) -> Self {
        let state = of.state;
        let seats = of.seats();
        let owner = |&province: &Province| seats.iter().copied().find(|&it| of.owns(it, province));
        let all = if seats.len() == 2 { 18 } else { 14 };
        let players = || state.players.iter();
        Self {
            of,
            owner: Province::ALL.iter().map(owner).collect(),
            points: players()
                .map(|it| it.tokens[0] + 2 * it.tokens[1] + 3 * it.tokens[2])
                .collect(),
            towns: players()
                .map(|it| all - it.towns.len() - usize::from(it.seas_towns))
                .collect(),
            tokens: state.tokens,
            bank: state.bank,
        }
    }

    fn total(&self, seat: Seat) -> u8 {
        let own = self.owner.iter().filter(|&&owner| owner == Some(seat));
        let provinces = u8::try_from(own.count()).unwrap();
        let floor = self.of.state.switches.vp_floor;
        floor.max(3 * provinces + self.points[seat.index()])
    }

    /// Awards a token of the card, otherwise of the bank thanks to Scribe.
    fn award(&mut self, seat: Seat, stack: Stack, value: u8) {
        let state = self.of.state;
        let scribe = Card::improvement(Improvement::Scribe);
        let scribe = state.players[seat].reserve.contains(scribe);
        let card = &mut self.tokens[stack.index()];
        let bank = &mut self.bank[usize::from(value) - 1];
        let source = match (*card > 0, scribe && *bank > 0) {
            (true, _) => card,
            (false, true) => bank,
            (false, false) => return,
        };
        if state.in_play.contains(stack.card()) {
            *source -= 1;
            self.points[seat.index()] += value;
        }
    }

    fn end(&mut self, province: Province, winner: Option<Seat>) {
        let Some(winner) = winner else { return };
        let loser = self.owner[province.index()];
        if loser == Some(winner) {
            return self.award(winner, Stack::DefenderOfTheRealm, 1);
        }
        let state = self.of.state;
        if let Some(loser) = loser {
            let town = state.players[loser].towns.contains(province);
            self.towns[loser.index()] += usize::from(town);
            self.owner[province.index()] = None;
        }
        if self.towns[winner.index()] == 0 {
            return;
        }
        self.towns[winner.index()] -= 1;
        self.owner[province.index()] = Some(winner);
        let citadel = loser.map(|loser| state.players[loser].citadel);
        if citadel == Some(Citadel::At(province)) {
            self.award(winner, Stack::Citadel, 3);
        }
        if loser.is_some() {
            self.award(winner, Stack::SpoilsOfWar, 1);
        }
        if state.dragons.contains(province) {
            self.award(winner, Stack::HereBeDragons, 2);
        }
        if state.runestones.contains(province) {
            self.award(winner, Stack::Runestones, 2);
        }
        for (island, stack, value) in [
            (Island::Large, Stack::LargeIsland, 3),
            (Island::Small, Stack::SmallIsland, 2),
        ] {
            let on = |place: &&Province| place.row().island == Some(island);
            let mut all = Province::ALL.iter().filter(on);
            let whole = all.all(|place| self.owner[place.index()] == Some(winner));
            if province.row().island == Some(island) && whole {
                self.award(winner, stack, value);
            }
        }
    }
}
