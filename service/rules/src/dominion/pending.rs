//! What is still to be done: a stack of effect frames, the last one first (DOM-6.20).

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::data::Card;
use crate::table::Seat;

/// Players still to be handled, in order.
pub type Queue = ArrayVec<Seat, 4>;

/// Opponents who showed a Reaction against this play of an Attack.
pub type Immune = ArrayVec<Seat, 3>;

/// Where a gained card goes (DOM-6.33).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Destination {
    /// The top of the own discard pile.
    DiscardPile,
    /// The hand.
    Hand,
    /// The top of the own draw pile.
    DrawPile,
}

/// One effect that is not finished (DOM-6.20). All of it is public, but for `drawn`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Frame {
    /// Opponents may react before the Attack does anything (DOM-6.18).
    Reactions {
        /// The Attack.
        card: Card,
        /// Opponents not yet asked, the next first.
        queue: Queue,
        /// Opponents who showed a Moat.
        immune: Immune,
    },
    /// A played card takes effect (DOM-6.17).
    Resolve {
        /// The card.
        card: Card,
        /// Opponents who showed a Moat.
        immune: Immune,
    },
    /// Throne Room: a card is chosen (DOM-7.21).
    ThroneChoose,
    /// Throne Room: the chosen card is played again (DOM-7.21).
    ThroneSecond {
        /// The chosen card.
        card: Card,
    },
    /// A card of the Supply is gained (DOM-6.34).
    Gain {
        /// The most it may cost.
        max_cost: u8,
        /// It must be a Treasure.
        treasure_only: bool,
        /// Where it goes.
        destination: Destination,
    },
    /// Cellar (DOM-7.3).
    Cellar,
    /// Chapel (DOM-7.5).
    Chapel,
    /// Chancellor (DOM-7.4).
    Chancellor,
    /// Remodel (DOM-7.17).
    RemodelTrash,
    /// Mine (DOM-7.14).
    MineTrash,
    /// Library (DOM-7.11).
    Library {
        /// The card in question. In a view only its owner sees it (DOM-13.4).
        drawn: Option<Card>,
        /// Cards set aside, in order.
        set_aside: Vec<Card>,
    },
    /// Militia (DOM-7.13).
    Militia {
        /// Opponents not yet handled, the next first.
        queue: Queue,
        /// Opponents who showed a Moat.
        immune: Immune,
    },
    /// Bureaucrat (DOM-7.2).
    Bureaucrat {
        /// Opponents not yet handled, the next first.
        queue: Queue,
        /// Opponents who showed a Moat.
        immune: Immune,
    },
    /// Spy (DOM-7.19).
    Spy {
        /// Players not yet handled, the next first.
        queue: Queue,
        /// Opponents who showed a Moat.
        immune: Immune,
        /// The top card of the first player in the queue.
        revealed: Option<Card>,
    },
    /// Thief (DOM-7.20).
    Thief {
        /// Opponents not yet handled, the next first.
        queue: Queue,
        /// Opponents who showed a Moat.
        immune: Immune,
        /// Up to two cards of the first opponent in the queue, in the order of revealing.
        revealed: ArrayVec<Card, 2>,
        /// Treasures that this play has trashed. They lie in the trash (DOM-14.8).
        trashed: ArrayVec<Card, 3>,
    },
    /// Thief: trashed Treasures may be gained (DOM-7.20).
    ThiefGain {
        /// Treasures that this play has trashed. They lie in the trash.
        trashed: ArrayVec<Card, 3>,
    },
}

impl Frame {
    /// The name of this kind of frame in the rule document.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Reactions { .. } => "reactions",
            Self::Resolve { .. } => "resolve",
            Self::ThroneChoose => "throne_choose",
            Self::ThroneSecond { .. } => "throne_second",
            Self::Gain { .. } => "gain",
            Self::Cellar => "cellar",
            Self::Chapel => "chapel",
            Self::Chancellor => "chancellor",
            Self::RemodelTrash => "remodel_trash",
            Self::MineTrash => "mine_trash",
            Self::Library { .. } => "library",
            Self::Militia { .. } => "militia",
            Self::Bureaucrat { .. } => "bureaucrat",
            Self::Spy { .. } => "spy",
            Self::Thief { .. } => "thief",
            Self::ThiefGain { .. } => "thief_gain",
        }
    }
}
