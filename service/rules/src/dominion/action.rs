//! Everything a player can send (DOM-6.1).

use serde::{Deserialize, Serialize};

use super::data::Card;
use super::decision::Decision;

/// A card as a client names it. `None`: the name is missing or belongs to none of the 32 cards;
/// the rules answer that with `UNKNOWN_CARD` (DOM-14.5).
pub type Named = Option<Card>;

/// What a player can send. The order of the variants is the order of legal lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Plays an Action card from the hand (DOM-6.5).
    PlayAction {
        /// The card.
        card: Named,
    },
    /// Goes on to the Buy phase (DOM-6.6).
    EndActionPhase,
    /// Plays Treasures from the hand (DOM-6.8).
    PlayTreasures {
        /// The Treasures, in the order of playing.
        cards: Vec<Named>,
    },
    /// Plays all Treasures of the hand, in canonical order (DOM-6.9).
    PlayAllTreasures,
    /// Buys a card of the Supply (DOM-6.10).
    BuyCard {
        /// The card.
        card: Named,
    },
    /// Ends the turn (DOM-6.13).
    EndTurn {
        /// The card of hand or play that ends on top of the discard pile; outer `None`: the
        /// default of DOM-6.16.
        discard_top: Option<Named>,
    },
    /// Shows a Reaction card against an Attack (DOM-6.18).
    RevealReaction {
        /// The Reaction card.
        card: Named,
    },
    /// Shows no Reaction card (DOM-6.18).
    DeclineReaction,
    /// Cellar: discards cards to draw as many (DOM-7.3).
    CellarDiscard {
        /// Cards of the hand, in the order of discarding; may be none.
        cards: Vec<Named>,
    },
    /// Chancellor: turns the draw pile over or not (DOM-7.4).
    ChancellorDecide {
        /// The draw pile goes to the discard pile.
        discard_deck: bool,
    },
    /// Chapel: trashes up to four cards (DOM-7.5).
    ChapelTrash {
        /// Cards of the hand; may be none.
        cards: Vec<Named>,
    },
    /// Workshop, Feast, Remodel, Mine: gains a card of the Supply (DOM-6.34).
    GainCard {
        /// The card.
        card: Named,
    },
    /// Remodel: trashes a card of the hand (DOM-7.17).
    RemodelTrash {
        /// The card.
        card: Named,
    },
    /// Mine: trashes a Treasure of the hand (DOM-7.14).
    MineTrash {
        /// The Treasure. Outer `None`: no card, legal only under strict secrecy for a hand without
        /// Treasures (DOM-14.2).
        card: Option<Named>,
    },
    /// Library: sets the drawn card aside or keeps it (DOM-7.11).
    LibraryDecide {
        /// The drawn Action card is set aside.
        set_aside: bool,
    },
    /// Militia: discards down to three cards (DOM-7.13).
    MilitiaDiscard {
        /// Cards of the hand, in the order of discarding.
        cards: Vec<Named>,
    },
    /// Bureaucrat: puts a Victory card of the hand on the draw pile (DOM-7.2).
    BureaucratTopdeck {
        /// The Victory card.
        card: Named,
    },
    /// Spy: discards the revealed card or puts it back (DOM-7.19).
    SpyDecide {
        /// The revealed card is discarded.
        discard: bool,
    },
    /// Thief: trashes one of the revealed Treasures (DOM-7.20).
    ThiefTrash {
        /// The Treasure.
        card: Named,
    },
    /// Thief: gains Treasures that this play trashed (DOM-7.20).
    ThiefGain {
        /// The Treasures, in the order in which they reach the discard pile; may be none.
        cards: Vec<Named>,
    },
    /// Throne Room: chooses the Action card to play twice (DOM-7.21).
    ThroneRoomChoose {
        /// The card. Outer `None`: no card, legal only under strict secrecy for a hand without
        /// Action cards (DOM-14.2).
        card: Option<Named>,
    },
}

impl Action {
    /// The decision that this kind of action answers.
    #[must_use]
    pub const fn answers(&self) -> Decision {
        match self {
            Self::PlayAction { .. } | Self::EndActionPhase => Decision::ActionPhase,
            Self::PlayTreasures { .. }
            | Self::PlayAllTreasures
            | Self::BuyCard { .. }
            | Self::EndTurn { .. } => Decision::BuyPhase,
            Self::RevealReaction { .. } | Self::DeclineReaction => Decision::ReactToAttack,
            Self::CellarDiscard { .. } => Decision::CellarDiscard,
            Self::ChancellorDecide { .. } => Decision::ChancellorDecide,
            Self::ChapelTrash { .. } => Decision::ChapelTrash,
            Self::GainCard { .. } => Decision::GainCard,
            Self::RemodelTrash { .. } => Decision::RemodelTrash,
            Self::MineTrash { .. } => Decision::MineTrash,
            Self::LibraryDecide { .. } => Decision::LibraryDecide,
            Self::MilitiaDiscard { .. } => Decision::MilitiaDiscard,
            Self::BureaucratTopdeck { .. } => Decision::BureaucratTopdeck,
            Self::SpyDecide { .. } => Decision::SpyDecide,
            Self::ThiefTrash { .. } => Decision::ThiefTrash,
            Self::ThiefGain { .. } => Decision::ThiefGain,
            Self::ThroneRoomChoose { .. } => Decision::ThroneRoomChoose,
        }
    }

    /// The name of this kind of action in the rule document.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::PlayAction { .. } => "play_action",
            Self::EndActionPhase => "end_action_phase",
            Self::PlayTreasures { .. } => "play_treasures",
            Self::PlayAllTreasures => "play_all_treasures",
            Self::BuyCard { .. } => "buy_card",
            Self::EndTurn { .. } => "end_turn",
            Self::RevealReaction { .. } => "reveal_reaction",
            Self::DeclineReaction => "decline_reaction",
            Self::CellarDiscard { .. } => "cellar_discard",
            Self::ChancellorDecide { .. } => "chancellor_decide",
            Self::ChapelTrash { .. } => "chapel_trash",
            Self::GainCard { .. } => "gain_card",
            Self::RemodelTrash { .. } => "remodel_trash",
            Self::MineTrash { .. } => "mine_trash",
            Self::LibraryDecide { .. } => "library_decide",
            Self::MilitiaDiscard { .. } => "militia_discard",
            Self::BureaucratTopdeck { .. } => "bureaucrat_topdeck",
            Self::SpyDecide { .. } => "spy_decide",
            Self::ThiefTrash { .. } => "thief_trash",
            Self::ThiefGain { .. } => "thief_gain",
            Self::ThroneRoomChoose { .. } => "throne_room_choose",
        }
    }
}
