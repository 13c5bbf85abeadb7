//! The table, with simple queries (MYT-4).

pub mod forces;
pub mod player;
pub mod points;
pub mod wars;

pub use forces::Forces;
pub use player::{Citadel, Pieces, Player};
pub use wars::strongest;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::action::Action;
use super::data::{
    BorderSet, CASTLES, DEALT, DEALT_MORE_CHOICE, FACE_DOWN, GIVEN_AWAY, INSPECTED, Improvement,
    ImprovementSet, MERCENARIES, PointCard, PointCardSet, Province, ProvinceSet, ROADS, Sea, Stack,
    TOWNS, TOWNS_OF_TWO, count,
};
use super::event::Event;
use super::options::Switches;
use super::stage::{Decision, Stage, Token, Turn};
use crate::table::{self, PerSeat, Seat};

/// The whole table, hidden things included.
///
/// Derived values are not stored: the province pile (the cards of neutral provinces), towns and
/// cities in stock, pieces beside the board, victory points, the phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub switches: Switches,
    pub more_choice: bool,
    pub stage: Stage,
    pub first: Seat,
    pub active: Seat,
    pub turn: Turn,
    pub castles: ProvinceSet,
    pub dragons: ProvinceSet,
    pub runestones: ProvinceSet,
    pub roads: BorderSet,
    pub display: ImprovementSet,
    /// Face-down improvements, the top one last.
    pub improvement_deck: ArrayVec<Improvement, FACE_DOWN>,
    pub in_play: PointCardSet,
    /// Tokens on the point cards, by stack.
    pub tokens: [u8; 15],
    /// Tokens of value 1, 2 and 3 in the bank.
    pub bank: [u8; 3],
    /// Tokens waiting to be taken. One action gives at most five.
    pub awards: ArrayVec<Award, 8>,
    pub players: PerSeat<Player>,
}

/// A token that a player may take (MYT-6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Award {
    /// The receiver.
    pub seat: Seat,
    /// The token's stack.
    pub stack: Stack,
}

impl State {
    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.players.count()
    }

    /// Returns whether the game is over (MYT-8.2).
    pub fn is_over(&self) -> bool {
        self.winner().is_some()
    }

    /// The pending decision. Returns `None` if the game is over (MYT-6.1).
    pub fn decision(&self) -> Option<Decision> {
        match self.stage {
            Stage::SetupDiscard => Some(Decision::SetupDiscard),
            Stage::SetupCitadel => Some(Decision::SetupCitadel),
            Stage::Turns if !self.awards.is_empty() => Some(Decision::ChooseTokenSource),
            Stage::Turns => Some(Decision::Turn),
            Stage::Philosopher => Some(Decision::ChoosePhilosopherCard),
            Stage::Over => None,
        }
    }

    /// The seats that have to decide, and their decision; in the set-up all seats that have not chosen yet.
    /// Empty when the game is over.
    ///
    /// # Rule MYT-6.1
    pub fn pending(&self) -> impl Iterator<Item = (Seat, Decision)> {
        let decision = self.decision().into_iter();
        decision.flat_map(|decision| self.owing(decision).map(move |seat| (seat, decision)))
    }

    /// The seats that owe the open decision.
    pub fn owing(&self, decision: Decision) -> impl Iterator<Item = Seat> {
        self.players
            .seats()
            .filter(move |&seat| self.owes(seat, decision))
    }

    /// Returns whether this seat of the table owes the open decision.
    pub fn owes(&self, seat: Seat, decision: Decision) -> bool {
        match (decision, self.awards.first()) {
            (Decision::SetupDiscard | Decision::SetupCitadel, _) => {
                self.players[seat].choice.is_none()
            }
            (Decision::ChooseTokenSource, Some(award)) => award.seat == seat,
            (Decision::Turn | Decision::ChooseTokenSource | Decision::ChoosePhilosopherCard, _) => {
                self.active == seat
            }
        }
    }

    /// The seat that controls a province. Returns `None` if it is neutral (MYT-4.4.1).
    pub fn controller(&self, province: Province) -> Option<Seat> {
        self.players
            .entries()
            .find(|(_, player)| player.controls(province))
            .map(|(seat, _)| seat)
    }

    /// The provinces that nobody controls: after the set-up their cards are the province pile.
    pub fn neutral(&self) -> ProvinceSet {
        self.players
            .iter()
            .fold(ProvinceSet::all(), |rest, player| {
                rest - player.controlled()
            })
    }

    /// Towns of each color.
    pub fn towns_each(&self) -> u8 {
        if self.seats() == 2 {
            TOWNS_OF_TWO
        } else {
            TOWNS
        }
    }

    /// Towns in a player's stock.
    pub fn town_stock(&self, seat: Seat) -> u8 {
        let player = &self.players[seat];
        self.towns_each()
            .saturating_sub(count(player.towns.len()))
            .saturating_sub(player.seas_towns)
    }

    /// Roads beside the board.
    pub fn road_supply(&self) -> u8 {
        ROADS.saturating_sub(count(self.roads.len()))
    }

    /// Castles beside the board.
    pub fn castle_supply(&self) -> u8 {
        CASTLES.saturating_sub(count(self.castles.len()))
    }

    /// Mercenaries beside the board.
    pub fn mercenary_supply(&self) -> u8 {
        let hired: u8 = self.players.iter().map(|p| p.mercenaries.total()).sum();
        MERCENARIES.saturating_sub(hired)
    }

    /// The ships of a player in all seas that border a province.
    pub fn ships_near(&self, seat: Seat, province: Province) -> u8 {
        let ships = &self.players[seat].ships;
        province
            .row()
            .seas
            .iter()
            .map(|sea| ships[sea.index()])
            .sum()
    }

    /// The number of provinces that each player gives away during the set-up: none without the option of more choice
    /// (MYT-5.7, A3).
    pub const fn provinces_to_discard(&self) -> usize {
        if self.more_choice { GIVEN_AWAY } else { 0 }
    }

    /// The value of a token.
    pub const fn value(&self, stack: Stack) -> u8 {
        match stack {
            Stack::Castle => self.switches.castle_token_value,
            Stack::City
            | Stack::Road
            | Stack::Citadel
            | Stack::DefenderOfTheRealm
            | Stack::GuildCity
            | Stack::HereBeDragons
            | Stack::LargeIsland
            | Stack::SmallIsland
            | Stack::ThreeSeas
            | Stack::FourSeas
            | Stack::Patronage
            | Stack::RoadsideInns
            | Stack::Runestones
            | Stack::SpoilsOfWar => stack.printed_value(),
        }
    }

    /// A token as events describe it.
    pub const fn token(&self, stack: Stack) -> Token {
        Token {
            card: stack.card(),
            value: self.value(stack),
            slot: stack.slot(),
        }
    }

    /// Tokens of the value of a stack in the bank.
    pub fn bank_of(&mut self, stack: Stack) -> &mut u8 {
        let place = usize::from(self.value(stack)) - 1;
        &mut self.bank[place]
    }

    /// Returns whether a point card holds no token.
    pub fn is_empty_card(&self, card: PointCard) -> bool {
        card.stacks()
            .iter()
            .all(|stack| self.tokens[stack.index()] == 0)
    }

    /// The improvements that Philosopher shows, from the top.
    pub fn inspected(&self) -> impl Iterator<Item = Improvement> + Clone {
        let shown = match self.stage {
            Stage::Philosopher => INSPECTED,
            Stage::SetupDiscard | Stage::SetupCitadel | Stage::Turns | Stage::Over => 0,
        };
        self.improvement_deck.iter().rev().copied().take(shown)
    }

    /// The number of face-down improvements, from the top, that a seat knows: those that Philosopher shows it, or left
    /// there.
    pub fn known_improvements(&self, seat: Seat) -> usize {
        if self.stage == Stage::Philosopher && self.active == seat {
            INSPECTED
        } else if self.players[seat].has_looked {
            INSPECTED - 1
        } else {
            0
        }
    }

    /// The provinces that a player's roads join to a province under their control, itself included
    /// (MYT-4.4.7).
    pub fn network(&self, seat: Seat, province: Province) -> ProvinceSet {
        let own = self.players[seat].controlled();
        let mut network = ProvinceSet::only(province) & own;
        loop {
            let before = network;
            for border in self.roads.iter() {
                let row = border.row();
                let ends = row.a | row.b;
                if !(ends & network).is_empty() && (ends - own).is_empty() {
                    network |= ends;
                }
            }
            if network == before {
                return network;
            }
        }
    }

    /// The number of sea areas with ships of a player.
    pub fn seas_sailed(&self, seat: Seat) -> usize {
        let ships = &self.players[seat].ships;
        Sea::ALL.iter().filter(|sea| ships[sea.index()] > 0).count()
    }
}

/// Province cards dealt to each player (MYT-5.3).
pub fn dealt(players: usize, more_choice: bool) -> u8 {
    let more = if more_choice { DEALT_MORE_CHOICE } else { 0 };
    DEALT[players - 2] + more
}

/// The table while an action is carried out.
pub type ExecContext<'a> = table::ExecContext<'a, State, Action, Event>;
