//! What is on the table, and small questions about it (chapter 4).

mod forces;
mod player;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

pub(super) use forces::Forces;
pub(super) use player::{Citadel, Pieces, Player};
pub use player::{SeasMark, SeasMarks};

use super::Switches;
use super::data::{
    BorderSet, CASTLES, Converter, FACE_DOWN, INSPECTED, Improvement, ImprovementSet, MERCENARIES,
    PointCard, PointCardSet, Province, ProvinceSet, ROADS, Sea, Stack, TOWNS, TOWNS_OF_TWO,
};
use super::event::Token;
use super::ids::{bit_set, ids};
use super::pending::Phase;
use crate::table::{PerSeat, Seat};

ids! {
    /// What can be done once in a turn (MYT-4.3).
    TurnMark {
        FreeAction "free_action_done" "a free action was done",
        Drafted "drafted" "a card was drafted",
        RoadMove "road_move_used" "armies moved by road",
        Warehouse "warehouse_used" "a card was stored",
        Farming "farming" "Farming was used",
        GoldMine "gold_mine" "Gold Mine was used",
        Quarry "quarry" "Quarry was used",
        Levies "levies" "Levies was used",
    }
}

bit_set! {
    /// What was done in this turn.
    TurnMarks of TurnMark in u8
}

impl From<Converter> for TurnMark {
    fn from(converter: Converter) -> Self {
        match converter {
            Converter::Farming => Self::Farming,
            Converter::GoldMine => Self::GoldMine,
            Converter::Quarry => Self::Quarry,
            Converter::Levies => Self::Levies,
        }
    }
}

/// The running turn (MYT-4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Turn {
    /// Actions done, 0 to 2.
    pub(super) actions_done: u8,
    /// What was done once.
    pub(super) marks: TurnMarks,
}

/// How far the game has come; together with the waiting awards this is the [`Phase`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Stage {
    /// Secret choice of provinces to give away.
    SetupDiscard,
    /// Secret choice of the citadel's province.
    SetupCitadel,
    /// Turns.
    Turns,
    /// The active player looks at the top improvements of the deck.
    Philosopher,
    /// The active player has won.
    Finished,
}

/// A token that a player may take (MYT-6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Award {
    /// Who.
    pub(super) seat: Seat,
    /// Which token.
    pub(super) stack: Stack,
}

/// The whole table, hidden things included.
///
/// Not stored, because it follows: the province pile (the cards of neutral provinces), towns and
/// cities in stock, pieces beside the board, victory points, the phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub(super) switches: Switches,
    pub(super) more_choice: bool,
    pub(super) stage: Stage,
    pub(super) first: Seat,
    pub(super) active: Seat,
    pub(super) turn: Turn,
    pub(super) castles: ProvinceSet,
    pub(super) dragons: ProvinceSet,
    pub(super) runestones: ProvinceSet,
    pub(super) roads: BorderSet,
    pub(super) display: ImprovementSet,
    /// Face-down improvements, the top one last.
    pub(super) improvement_deck: ArrayVec<Improvement, FACE_DOWN>,
    pub(super) in_play: PointCardSet,
    /// Tokens on the point cards, by stack.
    pub(super) tokens: [u8; 15],
    /// Tokens of value 1, 2 and 3 in the bank.
    pub(super) bank: [u8; 3],
    /// Tokens that wait to be taken. One action gives five at most.
    pub(super) awards: ArrayVec<Award, 8>,
    pub(super) players: PerSeat<Player>,
}

impl State {
    /// The phase (MYT-6.1).
    pub(super) fn phase(&self) -> Phase {
        match self.stage {
            Stage::SetupDiscard => Phase::SetupDiscard,
            Stage::SetupCitadel => Phase::SetupCitadel,
            Stage::Turns if !self.awards.is_empty() => Phase::ChooseTokenSource,
            Stage::Turns => Phase::Turn,
            Stage::Philosopher => Phase::ChoosePhilosopherCard,
            Stage::Finished => Phase::Finished,
        }
    }

    /// Who controls a province; nobody, if it is neutral (MYT-4.4.1).
    pub(super) fn controller(&self, province: Province) -> Option<Seat> {
        self.players
            .entries()
            .find(|(_, player)| player.controls(province))
            .map(|(seat, _)| seat)
    }

    /// The provinces that nobody controls: after the set-up their cards are the province pile.
    pub(super) fn neutral(&self) -> ProvinceSet {
        self.players
            .iter()
            .fold(ProvinceSet::ALL, |rest, player| rest - player.controlled())
    }

    /// Towns of each colour.
    pub(super) fn towns_each(&self) -> u8 {
        if self.players.count() == 2 {
            TOWNS_OF_TWO
        } else {
            TOWNS
        }
    }

    /// Towns in a player's stock.
    pub(super) fn town_stock(&self, seat: Seat) -> u8 {
        let player = &self.players[seat];
        self.towns_each()
            .saturating_sub(count(player.towns.len()))
            .saturating_sub(player.seas_towns)
    }

    /// Roads beside the board.
    pub(super) fn road_supply(&self) -> u8 {
        ROADS.saturating_sub(count(self.roads.len()))
    }

    /// Castles beside the board.
    pub(super) fn castle_supply(&self) -> u8 {
        CASTLES.saturating_sub(count(self.castles.len()))
    }

    /// Mercenaries beside the board.
    pub(super) fn mercenary_supply(&self) -> u8 {
        let hired: u8 = self.players.iter().map(|p| p.mercenaries.total()).sum();
        MERCENARIES.saturating_sub(hired)
    }

    /// The ships of a player in all seas that border a province.
    pub(super) fn ships_near(&self, seat: Seat, province: Province) -> u8 {
        let ships = &self.players[seat].ships;
        province
            .row()
            .seas
            .iter()
            .map(|sea| ships[sea.index()])
            .sum()
    }

    /// How many provinces each player gives away during the set-up (MYT-5.7, A3).
    pub(super) fn provinces_to_discard(&self) -> usize {
        usize::from(dealt(self.players.count(), self.more_choice))
            - usize::from(kept(self.players.count(), self.more_choice, self.switches))
    }

    /// The value of a token.
    pub(super) const fn value(&self, stack: Stack) -> u8 {
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

    /// A token as others speak of it.
    pub(super) const fn token(&self, stack: Stack) -> Token {
        Token {
            card: stack.card(),
            value: self.value(stack),
            slot: stack.slot(),
        }
    }

    /// Tokens of the value of a stack in the bank.
    pub(super) fn bank_of(&mut self, stack: Stack) -> &mut u8 {
        let place = usize::from(self.value(stack)) - 1;
        &mut self.bank[place]
    }

    /// Does a point card hold no token?
    pub(super) fn is_empty_card(&self, card: PointCard) -> bool {
        card.stacks()
            .iter()
            .all(|stack| self.tokens[stack.index()] == 0)
    }

    /// The improvements that Philosopher shows, from the top.
    pub(super) fn inspected(&self) -> impl Iterator<Item = Improvement> + Clone {
        let shown = match self.stage {
            Stage::Philosopher => INSPECTED,
            Stage::SetupDiscard | Stage::SetupCitadel | Stage::Turns | Stage::Finished => 0,
        };
        self.improvement_deck.iter().rev().copied().take(shown)
    }

    /// The provinces that a player's roads join to one that he controls, itself included
    /// (MYT-4.4.7).
    pub(super) fn network(&self, seat: Seat, province: Province) -> ProvinceSet {
        let own = self.players[seat].controlled();
        let mut network = ProvinceSet::only(province) & own;
        loop {
            let before = network;
            for border in self.roads.iter() {
                let row = border.row();
                let ends = ProvinceSet::only(row.a).with(row.b);
                if !(ends & network).is_empty() && (ends - own).is_empty() {
                    network = network | ends;
                }
            }
            if network == before {
                return network;
            }
        }
    }

    /// The number of sea areas with ships of a player.
    pub(super) fn seas_sailed(&self, seat: Seat) -> usize {
        let ships = &self.players[seat].ships;
        Sea::ALL.iter().filter(|sea| ships[sea.index()] > 0).count()
    }
}

/// Province cards dealt to each player (MYT-5.3).
pub(super) fn dealt(players: usize, more_choice: bool) -> u8 {
    super::data::DEALT[players - 2] + u8::from(more_choice)
}

/// Provinces that each player keeps (MYT-5.7, A3, 14.17).
fn kept(players: usize, more_choice: bool, switches: Switches) -> u8 {
    use super::ExtraProvince::{OneMore, SameAsStandard};
    let extra = match switches.extra_province_final_count {
        SameAsStandard => 0,
        OneMore => u8::from(more_choice),
    };
    super::data::KEPT[players - 2] + extra
}

/// A count of pieces or cards; there are never more than 89.
pub(super) fn count(things: usize) -> u8 {
    u8::try_from(things).unwrap_or(u8::MAX)
}
