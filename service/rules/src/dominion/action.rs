//! The actions that a player can send (DOM-6.1).

use super::data::Card;
use crate::table::{MaybeKnown, actions};

actions! {
    /// An action of a player. The order of the variants is the order of legal lists; cards of a list
    /// move in its order.
    Action {
        /// Plays an Action card from the hand (DOM-6.5).
        PlayAction { card: MaybeKnown<Card> } "Play an Action card",
        /// Moves on to the Buy phase (DOM-6.6).
        EndActionPhase "End the Action phase",
        /// Plays Treasures from the hand (DOM-6.8).
        PlayTreasures { cards: Vec<MaybeKnown<Card>> } "Play Treasures",
        /// Plays all Treasures of the hand, in canonical order (DOM-6.9).
        PlayAllTreasures "Play all Treasures",
        /// Buys a card of the Supply (DOM-6.10).
        BuyCard { card: MaybeKnown<Card> } "Buy a card",
        /// Ends the turn (DOM-6.13).
        EndTurn {
            /// The card from hand or play that ends on top of the discard pile. The outer option is `None` for the
            /// default of DOM-6.16.
            discard_top: Option<MaybeKnown<Card>>,
        } "End the turn",
        /// Shows a Reaction card against an Attack (DOM-6.18).
        RevealReaction { card: MaybeKnown<Card> } "Show a Reaction card",
        /// Shows no Reaction card (DOM-6.18).
        DeclineReaction "Show no Reaction card",
        /// Cellar: discards cards and draws the same number (DOM-7.3).
        CellarDiscard { cards: Vec<MaybeKnown<Card>> } "Discard for the Cellar",
        /// Chancellor: discards the draw pile or keeps it (DOM-7.4).
        ChancellorDecide { discard_deck: bool } "Discard or keep the draw pile",
        /// Chapel: trashes up to four cards (DOM-7.5).
        ChapelTrash { cards: Vec<MaybeKnown<Card>> } "Trash cards for the Chapel",
        /// Workshop, Feast, Remodel, Mine: gains a card of the Supply (DOM-6.34).
        GainCard { card: MaybeKnown<Card> } "Gain a card",
        /// Remodel: trashes a card of the hand (DOM-7.17).
        RemodelTrash { card: MaybeKnown<Card> } "Trash a card for the Remodel",
        /// Mine: trashes a Treasure of the hand (DOM-7.14).
        MineTrash {
            /// The Treasure. The outer option is `None` for no card, legal only under strict secrecy for a hand without
            /// Treasures (DOM-14.2).
            card: Option<MaybeKnown<Card>>,
        } "Trash a Treasure for the Mine",
        /// Library: sets the drawn card aside or keeps it (DOM-7.11).
        LibraryDecide { set_aside: bool } "Keep the card or set it aside",
        /// Militia: discards down to three cards (DOM-7.13).
        MilitiaDiscard { cards: Vec<MaybeKnown<Card>> } "Discard for the Militia",
        /// Bureaucrat: puts a Victory card of the hand on the draw pile (DOM-7.2).
        BureaucratTopdeck { card: MaybeKnown<Card> } "Put a Victory card back",
        /// Spy: discards the revealed card or puts it back (DOM-7.19).
        SpyDecide { discard: bool } "Discard the card or put it back",
        /// Thief: trashes one of the revealed Treasures (DOM-7.20).
        ThiefTrash { card: MaybeKnown<Card> } "Trash a revealed Treasure",
        /// Thief: gains Treasures that this play trashed (DOM-7.20).
        ThiefGain { cards: Vec<MaybeKnown<Card>> } "Gain trashed Treasures",
        /// Throne Room: chooses the Action card to play twice (DOM-7.21).
        ThroneRoomChoose {
            /// The card. The outer option is `None` for no card, legal only under strict secrecy for a hand without
            /// Action cards (DOM-14.2).
            card: Option<MaybeKnown<Card>>,
        } "Play an Action card twice",
    }
}
