//! What is on the table, and small questions about it (TM-4.1).

mod board;
mod player;
mod turn;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

pub(super) use board::Board;
pub(super) use player::{Player, SpecialSet};
pub(super) use turn::{Choosing, CultSpades, Offer, Takers, Turn};

use super::data::{
    BonusCard, Cult, Faction, FavorTile, LandSet, PRIEST_SPACES_PER_CULT, PowerAction, ROUNDS,
    River, ScoringTile, Structure, TownTile,
};
use super::options::{HouseRules, MAX_CARDS};
use super::pending::Decision;
use crate::table::{MAX_SEATS, PerSeat, Seat};

/// The most towns: as many as there are tiles with the optional ones (TM-P.10).
pub(super) const MAX_TOWNS: usize = 14;

/// A list of seats.
pub(super) type Seats = ArrayVec<Seat, MAX_SEATS>;

/// What the table waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Stage {
    /// Factions are chosen; nobody has a board yet.
    ChooseFaction(Choosing),
    /// First dwellings are placed.
    PlaceDwelling,
    /// First bonus cards are taken.
    ChooseBonusCard,
    /// Phase II: somebody has a turn.
    Action,
    /// Phase III: spades of the cult rewards are used.
    Cult,
    /// The game is over.
    Finished,
}

/// A town (TM-6.50).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Town {
    pub(super) seat: Seat,
    /// None until it is chosen.
    pub(super) tile: Option<TownTile>,
    pub(super) lands: LandSet,
    pub(super) river: Option<River>,
}

/// A bonus card in the pool with the coins on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PoolCard {
    pub(super) card: BonusCard,
    pub(super) coins: u8,
}

/// The whole table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub(super) rules: HouseRules,
    pub(super) stage: Stage,
    /// 0 in set-up, then 1 to 6.
    pub(super) round: u8,
    /// The turn order of this round; of the set-up and of round 1: clockwise.
    pub(super) turn_order: Seats,
    /// Who has passed in this round, in this order.
    pub(super) passed: Seats,
    /// The turn that runs, in phase II.
    pub(super) turn: Turn,
    /// Spades of the cult rewards still to be used, in phase III.
    pub(super) cult_spades: ArrayVec<CultSpades, MAX_SEATS>,
    pub(super) board: Board,
    /// Oldest first.
    pub(super) towns: ArrayVec<Town, MAX_TOWNS>,
    /// Who has a priest on which space of which cult.
    pub(super) priest_spaces: [[Option<Seat>; PRIEST_SPACES_PER_CULT]; 4],
    /// The power actions used in this round, as bits.
    pub(super) used_power_actions: u8,
    pub(super) scoring_tiles: [ScoringTile; ROUNDS as usize],
    pub(super) pool: ArrayVec<PoolCard, MAX_CARDS>,
    /// Empty until all factions are chosen.
    pub(super) players: PerSeat<Player>,
}

impl State {
    pub(super) fn seats(&self) -> usize {
        self.turn_order.len()
    }

    /// The open decision and who must take it; none at the end.
    pub(super) fn decision(&self) -> Option<(Seat, Decision)> {
        match &self.stage {
            Stage::ChooseFaction(choosing) => self
                .turn_order
                .iter()
                .find(|&&seat| choosing.chosen[seat].is_none())
                .map(|&seat| (seat, Decision::ChooseFaction)),
            Stage::PlaceDwelling => self
                .next_to_place()
                .map(|seat| (seat, Decision::PlaceDwelling)),
            Stage::ChooseBonusCard => self
                .next_to_take_card()
                .map(|seat| (seat, Decision::ChooseBonusCard)),
            Stage::Action => Some(self.turn_decision()),
            Stage::Cult => self
                .cult_spades
                .first()
                .map(|spades| (spades.seat, Decision::CultSpades)),
            Stage::Finished => None,
        }
    }

    fn turn_decision(&self) -> (Seat, Decision) {
        if let Some(offer) = self.turn.offers.first() {
            (offer.seat, Decision::PowerDecision)
        } else if self.turn.follow_ups.any() || self.open_towns() > 0 {
            (self.turn.seat, Decision::FollowUp)
        } else {
            (self.turn.seat, Decision::Turn)
        }
    }

    /// The factions chosen so far, as long as they are chosen.
    pub(super) const fn choosing(&self) -> Option<&Choosing> {
        match &self.stage {
            Stage::ChooseFaction(choosing) => Some(choosing),
            Stage::PlaceDwelling
            | Stage::ChooseBonusCard
            | Stage::Action
            | Stage::Cult
            | Stage::Finished => None,
        }
    }

    /// Who places the next first dwelling (TM-5.7).
    pub(super) fn next_to_place(&self) -> Option<Seat> {
        let usual = |&seat: &Seat| self.faction(seat) != Faction::ChaosMagicians;
        let playing = |faction| {
            self.players
                .seats()
                .find(|&seat| self.faction(seat) == faction)
        };
        let clockwise = self.turn_order.iter().copied().filter(usual);
        let back = self.turn_order.iter().rev().copied().filter(usual);
        clockwise
            .chain(back)
            .chain(playing(Faction::Nomads))
            .chain(playing(Faction::ChaosMagicians))
            .nth(self.board.dwellings())
    }

    /// Who takes the next first bonus card (TM-5.8).
    pub(super) fn next_to_take_card(&self) -> Option<Seat> {
        let mut back = self.turn_order.iter().rev();
        back.find(|&&seat| self.players[seat].card.is_none())
            .copied()
    }

    /// The faction of a seat that has a board.
    pub(super) fn faction(&self, seat: Seat) -> Faction {
        self.players[seat].faction
    }

    pub(super) fn has_passed(&self, seat: Seat) -> bool {
        self.passed.contains(&seat)
    }

    /// The scoring tile of the round.
    pub(super) fn scoring_tile(&self) -> ScoringTile {
        self.scoring_tiles[usize::from(self.round.clamp(1, ROUNDS)) - 1]
    }

    pub(super) fn has_stronghold(&self, seat: Seat) -> bool {
        self.board.count(seat, Structure::Stronghold) > 0
    }

    /// Priests on the cult board.
    pub(super) fn priests_on_cults(&self, seat: Seat) -> u8 {
        let spaces = self.priest_spaces.iter().flatten();
        spaces.map(|&holder| u8::from(holder == Some(seat))).sum()
    }

    /// Priests left in the player's supply (J38).
    pub(super) fn priest_supply(&self, seat: Seat) -> u8 {
        super::data::PRIESTS - self.players[seat].priests - self.priests_on_cults(seat)
    }

    /// Copies of a favor tile that nobody has.
    pub(super) fn favor_left(&self, tile: FavorTile) -> u8 {
        let owned: u8 = self
            .players
            .iter()
            .map(|player| u8::from(player.favors.has(tile)))
            .sum();
        tile.copies() - owned
    }

    /// Copies of a town tile that nobody has.
    pub(super) fn town_tiles_left(&self, tile: TownTile) -> u8 {
        if !self.rules.has_town_tile(tile) {
            return 0;
        }
        let used = self.towns.iter().filter(|town| town.tile == Some(tile));
        used.fold(tile.copies(), |left, _| left - 1)
    }

    /// Towns that can still be founded (J25, TM-14.4): a town without tile has one reserved.
    pub(super) fn towns_left(&self) -> usize {
        let optional = if self.rules.promo_tiles.town_tiles {
            4
        } else {
            0
        };
        MAX_TOWNS - 4 + optional - self.towns.len()
    }

    /// Founded towns whose tile is still to be chosen. They are the active player's.
    pub(super) fn open_towns(&self) -> usize {
        self.towns.iter().filter(|town| town.tile.is_none()).count()
    }

    /// The spaces of a player that belong to a town.
    pub(super) fn town_lands(&self, seat: Seat) -> LandSet {
        let own = self.towns.iter().filter(|town| town.seat == seat);
        own.fold(LandSet::EMPTY, |lands, town| lands.or(town.lands))
    }

    /// Does somebody's marker stand on the last space of a track?
    pub(super) fn top_taken(&self, cult: Cult) -> bool {
        self.players
            .iter()
            .any(|player| player.cults[cult.index()] == super::data::CULT_TOP)
    }

    pub(super) fn power_action_used(&self, action: PowerAction) -> bool {
        self.used_power_actions & (1 << action.index()) != 0
    }

    pub(super) fn in_pool(&self, card: BonusCard) -> bool {
        self.pool.iter().any(|pooled| pooled.card == card)
    }
}
