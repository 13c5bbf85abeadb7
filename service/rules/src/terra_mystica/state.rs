//! The table, with simple queries (TM-4).

pub mod board;
pub mod player;
pub mod turn;

use arrayvec::ArrayVec;
use enumset::EnumSet;
use serde::{Deserialize, Serialize};

pub use board::Board;
pub use player::Player;
pub use turn::{CultSpades, Offer, Takers, Turn};

use super::action::Action;
use super::data::{
    BonusCard, CULT_TOP, Cult, Faction, FavorTile, LandSet, PRIEST_SPACES_PER_CULT, PRIESTS,
    PowerAction, ROUNDS, River, ScoringTile, Structure, TownTile,
};
use super::event::Event;
use super::options::{HouseRules, MAX_CARDS};
use super::stage::{Choosing, Decision, Stage};
use crate::table::{self, MAX_SEATS, PerSeat, Seat, TextContext};

/// The maximum number of towns: the number of town tiles, optional ones included (TM-P.10).
pub const MAX_TOWNS: usize = 14;

/// A list of seats.
pub type Seats = ArrayVec<Seat, MAX_SEATS>;

/// The whole table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub rules: HouseRules,
    pub stage: Stage,
    /// The round: 0 in set-up, then 1 to 6.
    pub round: u8,
    /// The turn order of this round; clockwise in the set-up and in round 1.
    pub turn_order: Seats,
    /// The seats that have passed in this round, in order.
    pub passed: Seats,
    /// The current turn, in phase II.
    pub turn: Turn,
    /// Spades of the cult rewards still to be used, in phase III.
    pub cult_spades: ArrayVec<CultSpades, MAX_SEATS>,
    pub board: Board,
    /// The towns, oldest first.
    pub towns: ArrayVec<Town, MAX_TOWNS>,
    /// The seats with priests, by cult and space.
    pub priest_spaces: [[Option<Seat>; PRIEST_SPACES_PER_CULT]; 4],
    /// The power actions used in this round.
    pub used_power_actions: EnumSet<PowerAction>,
    pub scoring_tiles: [ScoringTile; ROUNDS as usize],
    pub pool: ArrayVec<PoolCard, MAX_CARDS>,
    /// The players. Empty until all factions are chosen.
    pub players: PerSeat<Player>,
}

/// A town (TM-6.50).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Town {
    pub seat: Seat,
    /// The tile of the town. Is `None` until it is chosen.
    pub tile: Option<TownTile>,
    pub lands: LandSet,
    pub river: Option<River>,
}

/// A bonus card in the pool with the coins on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolCard {
    pub card: BonusCard,
    pub coins: u8,
}

impl State {
    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.turn_order.len()
    }

    /// Returns whether the game is over (TM-8.1).
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// The seat that has to decide, and its decision. Returns `None` when the game is over.
    pub fn pending(&self) -> Option<(Seat, Decision)> {
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
            Stage::Action => Some(self.pending_in_turn()),
            Stage::Cult => self
                .cult_spades
                .first()
                .map(|spades| (spades.seat, Decision::CultSpades)),
            Stage::Over => None,
        }
    }

    fn pending_in_turn(&self) -> (Seat, Decision) {
        if let Some(offer) = self.turn.offers.first() {
            (offer.seat, Decision::PowerDecision)
        } else if self.owes_choice() {
            (self.turn.seat, Decision::FollowUp)
        } else {
            (self.turn.seat, Decision::Turn)
        }
    }

    /// Returns whether the active player owes a choice.
    pub fn owes_choice(&self) -> bool {
        self.turn.follow_ups.any() || self.open_towns() > 0
    }

    /// The factions chosen so far, while they are being chosen.
    pub const fn choosing(&self) -> Option<&Choosing> {
        match &self.stage {
            Stage::ChooseFaction(choosing) => Some(choosing),
            Stage::PlaceDwelling
            | Stage::ChooseBonusCard
            | Stage::Action
            | Stage::Cult
            | Stage::Over => None,
        }
    }

    /// The seats in the order in which they place their first dwellings (TM-5.7).
    pub fn placing_order(&self) -> impl Iterator<Item = Seat> {
        let usual = move |&seat: &Seat| self.faction(seat) != Faction::ChaosMagicians;
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
    }

    /// The seat that places the next first dwelling (TM-5.7).
    pub fn next_to_place(&self) -> Option<Seat> {
        self.placing_order().nth(self.board.dwellings())
    }

    /// The seat that takes the next first bonus card (TM-5.8).
    pub fn next_to_take_card(&self) -> Option<Seat> {
        let mut back = self.turn_order.iter().rev();
        back.find(|&&seat| self.players[seat].card.is_none())
            .copied()
    }

    /// The factions chosen so far, for sentences.
    pub fn text_context(&self) -> TextContext {
        let mut scene = TextContext::default();
        for seat in Seat::all(self.seats()) {
            let faction = match self.choosing() {
                Some(choosing) => choosing.chosen[seat],
                None => Some(self.faction(seat)),
            };
            if let Some(faction) = faction {
                scene.set_role(seat, faction.name());
            }
        }
        scene
    }

    /// The faction of a seat that has a board.
    pub fn faction(&self, seat: Seat) -> Faction {
        self.players[seat].faction
    }

    pub fn has_passed(&self, seat: Seat) -> bool {
        self.passed.contains(&seat)
    }

    /// The scoring tile of the current round.
    pub fn scoring_tile(&self) -> ScoringTile {
        self.scoring_tiles[usize::from(self.round) - 1]
    }

    pub fn has_stronghold(&self, seat: Seat) -> bool {
        self.board.count(seat, Structure::Stronghold) > 0
    }

    /// Priests on the cult board.
    pub fn priests_on_cults(&self, seat: Seat) -> u16 {
        let spaces = self.priest_spaces.iter().flatten();
        spaces.map(|&holder| u16::from(holder == Some(seat))).sum()
    }

    /// Priests left in the player's supply (J38).
    pub fn priest_supply(&self, seat: Seat) -> u16 {
        PRIESTS - self.players[seat].priests - self.priests_on_cults(seat)
    }

    /// Copies of a favor tile that nobody has.
    pub fn favor_left(&self, tile: FavorTile) -> u8 {
        let owned: u8 = self
            .players
            .iter()
            .map(|player| u8::from(player.favors.contains(tile)))
            .sum();
        tile.copies() - owned
    }

    /// Copies of a town tile that nobody has.
    pub fn town_tiles_left(&self, tile: TownTile) -> u8 {
        if !self.rules.has_town_tile(tile) {
            return 0;
        }
        let used = self.towns.iter().filter(|town| town.tile == Some(tile));
        used.fold(tile.copies(), |left, _| left - 1)
    }

    /// Towns that can still be founded (J25, TM-14.4): a town without a tile has one reserved.
    pub fn towns_left(&self) -> usize {
        let optional = if self.rules.promo_tiles.town_tiles {
            4
        } else {
            0
        };
        MAX_TOWNS - 4 + optional - self.towns.len()
    }

    /// Founded towns whose tile is still to be chosen. They are the active player's.
    pub fn open_towns(&self) -> u8 {
        let open = self.towns.iter().filter(|town| town.tile.is_none());
        open.fold(0, |count, _| count + 1)
    }

    /// The spaces of a player that belong to a town.
    pub fn town_lands(&self, seat: Seat) -> LandSet {
        let own = self.towns.iter().filter(|town| town.seat == seat);
        own.fold(LandSet::EMPTY, |lands, town| lands.or(town.lands))
    }

    /// Returns whether the last space of a track is occupied by a marker.
    pub fn top_taken(&self, cult: Cult) -> bool {
        self.players
            .iter()
            .any(|player| player.cults[cult.index()] == CULT_TOP)
    }

    /// The index of a card in the pool.
    pub fn place_in_pool(&self, card: BonusCard) -> Option<usize> {
        self.pool.iter().position(|pooled| pooled.card == card)
    }
}

/// The table while an action is carried out.
pub type ExecContext<'a> = table::ExecContext<'a, State, Action, Event>;
