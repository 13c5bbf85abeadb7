//! The data types of the course of play: phases, unfinished effects, decisions (DOM-6). `flow` runs them.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::data::Card;
use crate::table::{Seat, decisions, ids};

ids! {
    /// The phase of a turn; clean-up is instantaneous.
    Phase {
        Action "action" "Action phase",
        Buy "buy" "Buy phase",
        Over "over" "end of the game",
    }
}

decisions! {
    /// A decision that a player owes (DOM-6.1, DOM-6.21).
    Decision {
        ActionPhase "action_phase"
            "Action phase" "Which Action card do you play, if any?",
        BuyPhase "buy_phase"
            "Buy phase" "Which Treasures do you play, and what do you buy?",
        ReactToAttack "react_to_attack"
            "React to an Attack" "Do you show a Reaction?",
        CellarDiscard "cellar_discard"
            "Discard for the Cellar" "Which cards do you discard?",
        ChancellorDecide "chancellor_decide"
            "Turn the draw pile over" "Do you put your draw pile onto your discard pile?",
        ChapelTrash "chapel_trash"
            "Trash cards for the Chapel" "Which cards do you trash?",
        GainCard "gain_card"
            "Gain a card" "Which card do you gain?",
        RemodelTrash "remodel_trash"
            "Trash a card for the Remodel" "Which card do you trash?",
        MineTrash "mine_trash"
            "Trash a Treasure for the Mine" "Which Treasure do you trash?",
        LibraryDecide "library_decide"
            "Keep the card or set it aside" "Do you set the drawn card aside?",
        MilitiaDiscard "militia_discard"
            "Discard for the Militia" "Which cards do you discard?",
        BureaucratTopdeck "bureaucrat_topdeck"
            "Put a Victory card back" "Which Victory card do you put on your draw pile?",
        SpyDecide "spy_decide"
            "Discard the card or put it back" "Is the revealed card discarded?",
        ThiefTrash "thief_trash"
            "Trash a revealed Treasure" "Which revealed Treasure do you trash?",
        ThiefGain "thief_gain"
            "Gain trashed Treasures" "Which of the trashed Treasures do you gain?",
        ThroneRoomChoose "throne_room_choose"
            "Play an Action card twice" "Which Action card do you play twice?",
    }
}

ids! {
    /// How an Action card is played: for the first time, from the hand, or again by Throne Room.
    Playing {
        First "first",
        Repeated "repeated",
    }
}

ids! {
    /// The destination of a gained card (DOM-6.33): the top of the own discard pile or draw pile, or the hand.
    Destination {
        DiscardPile "discard_pile" "onto the discard pile",
        Hand "hand" "into the hand",
        DrawPile "draw_pile" "onto the draw pile",
    }
}

/// The remaining actions, buys and coins of the active player's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Action cards that may still be played.
    pub actions: u16,
    /// Purchases that may still be made.
    pub buys: u16,
    /// Coins to spend.
    pub coins: u16,
}

/// Players still to be handled, the next first.
pub type Queue = ArrayVec<Seat, 4>;

/// Opponents who showed a Reaction against this play of an Attack.
pub type Immune = ArrayVec<Seat, 3>;

/// Up to two cards from the top of a draw pile, in the order of revealing.
pub type Revealed = ArrayVec<Card, 2>;

/// Treasures that one play of Thief has trashed, at most one of each opponent. They are in the
/// trash (DOM-14.8).
pub type Trashed = ArrayVec<Card, 3>;

/// A gain that a player may choose: the limits for the card, and its destination (DOM-6.34).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gain {
    /// The maximum cost of the card.
    pub max_cost: u8,
    /// Whether the card must be a Treasure.
    pub treasure_only: bool,
    /// The destination of the card.
    pub destination: Destination,
}

/// One unfinished effect (DOM-6.20). All of it is public, except `drawn`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EffectFrame {
    /// Opponents may react before the Attack does anything (DOM-6.18).
    Reactions {
        card: Card,
        queue: Queue,
        immune: Immune,
    },
    /// A played card takes effect (DOM-6.17).
    Resolve {
        card: Card,
        immune: Immune,
    },
    /// Throne Room: a card is chosen (DOM-7.21).
    ThroneChoose,
    /// Throne Room: the chosen card is played again (DOM-7.21).
    ThroneSecond {
        card: Card,
    },
    /// A card of the Supply is gained (DOM-6.34).
    Gain(Gain),
    Cellar,
    Chapel,
    Chancellor,
    RemodelTrash,
    MineTrash,
    Library {
        /// The card in question. In a view only its owner sees it (DOM-13.4).
        drawn: Option<Card>,
        /// The cards set aside, in order.
        set_aside: Vec<Card>,
    },
    Militia {
        queue: Queue,
        immune: Immune,
    },
    Bureaucrat {
        queue: Queue,
        immune: Immune,
    },
    Spy {
        queue: Queue,
        immune: Immune,
        /// The top card of the first player in the queue.
        revealed: Option<Card>,
    },
    Thief {
        queue: Queue,
        immune: Immune,
        /// Cards of the first opponent in the queue.
        revealed: Revealed,
        trashed: Trashed,
    },
    /// Thief: trashed Treasures may be gained (DOM-7.20).
    ThiefGain {
        trashed: Trashed,
    },
}

impl EffectFrame {
    /// Returns the card whose play has given nothing yet: opponents may still react, or a Throne Room plays it again.
    pub const fn play_to_come(&self) -> Option<Card> {
        match self {
            EffectFrame::Reactions { card, .. }
            | EffectFrame::Resolve { card, .. }
            | EffectFrame::ThroneSecond { card } => Some(*card),
            EffectFrame::ThroneChoose
            | EffectFrame::Gain(_)
            | EffectFrame::Cellar
            | EffectFrame::Chapel
            | EffectFrame::Chancellor
            | EffectFrame::RemodelTrash
            | EffectFrame::MineTrash
            | EffectFrame::Library { .. }
            | EffectFrame::Militia { .. }
            | EffectFrame::Bureaucrat { .. }
            | EffectFrame::Spy { .. }
            | EffectFrame::Thief { .. }
            | EffectFrame::ThiefGain { .. } => None,
        }
    }

    /// Whether a Throne Room has still to choose a card: it asks, or is played again.
    pub fn is_choice_to_come(&self) -> bool {
        *self == EffectFrame::ThroneChoose || self.play_to_come() == Some(Card::ThroneRoom)
    }

    /// The opponents whom this effect spares, because they showed a Reaction.
    pub fn immune(&self) -> &[Seat] {
        match self {
            Self::Reactions { immune, .. }
            | Self::Resolve { immune, .. }
            | Self::Militia { immune, .. }
            | Self::Bureaucrat { immune, .. }
            | Self::Spy { immune, .. }
            | Self::Thief { immune, .. } => immune,
            Self::ThroneChoose
            | Self::ThroneSecond { .. }
            | Self::Gain(_)
            | Self::Cellar
            | Self::Chapel
            | Self::Chancellor
            | Self::RemodelTrash
            | Self::MineTrash
            | Self::Library { .. }
            | Self::ThiefGain { .. } => &[],
        }
    }

    /// The seat that has to decide before this effect can continue, and its decision. Returns `None` for effects that
    /// run by themselves.
    pub fn pending(&self, active: Seat) -> Option<(Seat, Decision)> {
        let decision = match self {
            Self::Resolve { .. } | Self::ThroneSecond { .. } => return None,
            Self::Reactions { queue, .. } => {
                return Some((*queue.first()?, Decision::ReactToAttack));
            }
            Self::Militia { queue, .. } => {
                return Some((*queue.first()?, Decision::MilitiaDiscard));
            }
            Self::Bureaucrat { queue, .. } => {
                return Some((*queue.first()?, Decision::BureaucratTopdeck));
            }
            Self::ThroneChoose => Decision::ThroneRoomChoose,
            Self::Gain(_) => Decision::GainCard,
            Self::Cellar => Decision::CellarDiscard,
            Self::Chapel => Decision::ChapelTrash,
            Self::Chancellor => Decision::ChancellorDecide,
            Self::RemodelTrash => Decision::RemodelTrash,
            Self::MineTrash => Decision::MineTrash,
            Self::Library { .. } => Decision::LibraryDecide,
            Self::Spy { .. } => Decision::SpyDecide,
            Self::Thief { .. } => Decision::ThiefTrash,
            Self::ThiefGain { .. } => Decision::ThiefGain,
        };
        Some((active, decision))
    }
}
