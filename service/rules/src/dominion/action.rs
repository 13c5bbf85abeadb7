//! Everything a player can send (DOM-6.1).

use serde::{Deserialize, Serialize};

use super::data::Card;
use crate::table::Named;

/// An action of a player. The order of the variants is the order of legal lists; cards of a list
/// move in its order.
#[derive(
    Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantNames,
)]
#[strum(serialize_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Action {
    /// Plays an Action card from the hand (DOM-6.5).
    PlayAction { card: Named<Card> },
    /// Moves on to the Buy phase (DOM-6.6).
    EndActionPhase,
    /// Plays Treasures from the hand (DOM-6.8).
    PlayTreasures { cards: Vec<Named<Card>> },
    /// Plays all Treasures of the hand, in canonical order (DOM-6.9).
    PlayAllTreasures,
    /// Buys a card of the Supply (DOM-6.10).
    BuyCard { card: Named<Card> },
    /// Ends the turn (DOM-6.13).
    EndTurn {
        /// The card from hand or play that ends on top of the discard pile; outer `None`: the
        /// default of DOM-6.16.
        discard_top: Option<Named<Card>>,
    },
    /// Shows a Reaction card against an Attack (DOM-6.18).
    RevealReaction { card: Named<Card> },
    /// Shows no Reaction card (DOM-6.18).
    DeclineReaction,
    /// Cellar: discards cards to draw as many (DOM-7.3).
    CellarDiscard { cards: Vec<Named<Card>> },
    /// Chancellor: discards the draw pile or keeps it (DOM-7.4).
    ChancellorDecide { discard_deck: bool },
    /// Chapel: trashes up to four cards (DOM-7.5).
    ChapelTrash { cards: Vec<Named<Card>> },
    /// Workshop, Feast, Remodel, Mine: gains a card of the Supply (DOM-6.34).
    GainCard { card: Named<Card> },
    /// Remodel: trashes a card of the hand (DOM-7.17).
    RemodelTrash { card: Named<Card> },
    /// Mine: trashes a Treasure of the hand (DOM-7.14).
    MineTrash {
        /// The Treasure. Outer `None`: no card, legal only under strict secrecy for a hand without
        /// Treasures (DOM-14.2).
        card: Option<Named<Card>>,
    },
    /// Library: sets the drawn card aside or keeps it (DOM-7.11).
    LibraryDecide { set_aside: bool },
    /// Militia: discards down to three cards (DOM-7.13).
    MilitiaDiscard { cards: Vec<Named<Card>> },
    /// Bureaucrat: puts a Victory card of the hand on the draw pile (DOM-7.2).
    BureaucratTopdeck { card: Named<Card> },
    /// Spy: discards the revealed card or puts it back (DOM-7.19).
    SpyDecide { discard: bool },
    /// Thief: trashes one of the revealed Treasures (DOM-7.20).
    ThiefTrash { card: Named<Card> },
    /// Thief: gains Treasures that this play trashed (DOM-7.20).
    ThiefGain { cards: Vec<Named<Card>> },
    /// Throne Room: chooses the Action card to play twice (DOM-7.21).
    ThroneRoomChoose {
        /// The card. Outer `None`: no card, legal only under strict secrecy for a hand without
        /// Action cards (DOM-14.2).
        card: Option<Named<Card>>,
    },
}
