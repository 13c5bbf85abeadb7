//! What is still to be done: a stack of effect frames, the last one first (DOM-6.20).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::data::Card;
use super::decision::Decision;
use super::event::Play;
use super::rules::procedures::Table;
use super::rules::{action_phase, attack, cards, gain};
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

/// What may be gained, and where it goes (DOM-6.34).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gain {
    /// The most the card may cost.
    pub max_cost: u8,
    /// It must be a Treasure.
    pub treasure_only: bool,
    /// Where it goes.
    pub destination: Destination,
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
    Gain(Gain),
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
    /// Who has to decide what before this effect can go on. Nobody, for effects that run by
    /// themselves.
    pub(super) fn pending(&self, active: Seat) -> Option<(Seat, Decision)> {
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

    /// The name of this kind of frame in the rule document.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Reactions { .. } => "reactions",
            Self::Resolve { .. } => "resolve",
            Self::ThroneChoose => "throne_choose",
            Self::ThroneSecond { .. } => "throne_second",
            Self::Gain(_) => "gain",
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

/// Runs everything automatic up to the next decision, or to the end of the game (DOM-6.4).
pub(super) fn settle(table: &mut Table<'_>) {
    crate::table::settle(table, |table| match table.state.stack.pop() {
        None => action_phase::advance(table),
        Some(frame) => match advance(table, frame) {
            None => ControlFlow::Continue(()),
            Some(waiting) => {
                table.push(waiting);
                ControlFlow::Break(())
            }
        },
    });
}

/// Lets one effect go on. Gives it back if it waits for an answer; `None`: it is finished.
fn advance(table: &mut Table<'_>, frame: Frame) -> Option<Frame> {
    match frame {
        Frame::Reactions {
            card,
            queue,
            immune,
        } => attack::advance(table, card, queue, immune),
        Frame::Resolve { card, immune } => {
            action_phase::resolve(table, card, &immune);
            None
        }
        Frame::ThroneChoose => cards::throne_room::advance(table),
        Frame::ThroneSecond { card } => {
            action_phase::play(table, card, Play::Repeated);
            None
        }
        Frame::Gain(wanted) => gain::advance(table, wanted),
        Frame::Cellar | Frame::Chapel | Frame::RemodelTrash => {
            let asks = !table.state.active().hand.is_empty();
            asks.then_some(frame)
        }
        Frame::Chancellor => cards::chancellor::advance(table),
        Frame::MineTrash => cards::mine::advance(table),
        Frame::Library { set_aside, .. } => cards::library::advance(table, set_aside),
        Frame::Militia { queue, immune } => cards::militia::advance(table, queue, immune),
        Frame::Bureaucrat { queue, immune } => cards::bureaucrat::advance(table, queue, immune),
        Frame::Spy { queue, immune, .. } => cards::spy::advance(table, queue, immune),
        Frame::Thief {
            queue,
            immune,
            trashed,
            ..
        } => cards::thief::advance(table, queue, immune, trashed),
        Frame::ThiefGain { ref trashed } => (!trashed.is_empty()).then_some(frame),
    }
}
