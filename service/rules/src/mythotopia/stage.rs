//! The data types of the course of play: decisions, stages, the memory of a turn (MYT-4.3, 6.1), and parts of events,
//! states and views. `flow` runs them.

use std::fmt::{self, Display, Formatter};

use enumset::EnumSet;
use serde::{Deserialize, Serialize};

use super::data::{Converter, PointCard, Province, ProvinceSet, Slot};
use crate::table::{JoinAnd, Seat, decisions, ids};

decisions! {
    /// The decisions that a seat can owe: the phases of a game except its end (MYT-6.1).
    Decision {
        SetupDiscard "setup_discard"
            "Give provinces away" "Which of your provinces do you give away?",
        SetupCitadel "setup_citadel"
            "Place the citadel" "In which province do you place your citadel?",
        Turn "turn"
            "Take your turn" "What do you do?",
        ChooseTokenSource "choose_token_source"
            "Take a token" "Where do you take the token from?",
        ChoosePhilosopherCard "choose_philosopher_card"
            "Keep an improvement" "Which improvement do you keep?",
    }
}

/// The progress of the game; together with the waiting awards it gives the [`Decision`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Secret choice of provinces to give away, with the option of more choice alone.
    SetupDiscard,
    /// Secret choice of the citadel's province.
    SetupCitadel,
    /// Turns.
    Turns,
    /// The active player looks at the top improvements of the deck.
    Philosopher,
    /// The active player has won.
    Over,
}

ids! {
    /// A fact to remember during a turn: mostly an ability that can be used once (MYT-4.3).
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u8")]
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

/// The facts to remember during a turn.
pub type TurnMarks = EnumSet<TurnMark>;

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

ids! {
    /// A condition of Master of the Seas that was rewarded.
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u8")]
    SeasMark {
        ThreeSeas "three_seas" "three seas",
        FourSeas "four_seas" "four seas",
    }
}

/// Conditions of Master of the Seas that were rewarded.
pub type SeasMarks = EnumSet<SeasMark>;

/// The running turn (MYT-4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Actions done, 0 to 2.
    pub actions_done: u8,
    /// The facts to remember about this turn.
    pub marks: TurnMarks,
}

ids! {
    /// A building of a controlled province (MYT-7.33).
    Building {
        Town "town",
        City "city",
        Citadel "citadel",
    }
}

ids! {
    /// The place of a card.
    Zone {
        Hand "hand",
        Deck "deck",
        Discard "discard" "discard pile",
        Reserve "reserve",
        Removed "removed" "removed cards",
        ProvincePile "province_pile" "province pile",
        Display "display",
    }
}

ids! {
    /// The way in which a war ended.
    WarEnd {
        Strength "strength",
        Hero "hero" "Hero",
        Diplomat "diplomat" "Diplomat",
        EndOfGame "end_of_game" "end of the game",
    }
}

/// A side of a war.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// The people of a province that nobody controls.
    Neutral,
    Player(Seat),
}

/// The strength of a side of a war (MYT-4.4.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strength {
    pub side: Side,
    pub strength: u8,
}

/// A secret choice of the set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SetupChoice {
    /// The provinces to give away.
    Discard(ProvinceSet),
    /// The province of the citadel.
    Citadel(Province),
}

impl Display for SetupChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Discard(provinces) => write!(f, "to give away {}", JoinAnd(provinces.iter())),
            Self::Citadel(province) => write!(f, "to place the citadel in {province}"),
        }
    }
}

/// A token that is awarded (MYT-6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    pub card: PointCard,
    pub value: u8,
    /// The slot, where the card has slots.
    pub slot: Option<Slot>,
}

impl Display for Token {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "a {}-point token for {}", self.value, self.card)?;
        self.slot.map_or(Ok(()), |slot| write!(f, " ({slot})"))
    }
}

impl Token {
    /// `a 2-point token from the Road card`.
    pub fn off_its_card(self) -> String {
        let slot = self.slot.map_or(String::new(), |slot| format!(" ({slot})"));
        format!(
            "a {}-point token from the {} card{slot}",
            self.value, self.card
        )
    }
}
