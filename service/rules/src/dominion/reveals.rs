//! Which events reveal hidden information: cards of hands and draw piles (DOM-13).
//!
//! The end of an effect reveals something too: the Action phase continues only while the hand holds Action
//! cards. So of Dominion's actions, only ending the Action phase and buying reveal nothing.

use super::event::Event;

impl Event {
    /// Does it reveal a card that was hidden from somebody, or what a hand does not hold?
    pub(crate) const fn reveals(&self) -> bool {
        match self {
            Self::CardsDrawn { .. }
            | Self::ActionPlayed { .. }
            | Self::TreasuresPlayed { .. }
            | Self::HandDiscarded { .. }
            | Self::CleanedUp { .. }
            | Self::CardsDiscarded { .. }
            | Self::CardsTrashed { .. }
            | Self::CardsRevealed { .. }
            | Self::RevealedTaken { .. }
            | Self::CardTopdecked { .. }
            | Self::ChancellorDecided { .. }
            | Self::ReactionShown { .. }
            | Self::ReactionDeclined { .. }
            | Self::CardSetAside { .. }
            | Self::NothingChosen { .. }
            | Self::SpyDecided { .. }
            | Self::GameOver { .. } => true,
            // Only purchases have a price; other gains end an effect.
            Self::CardGained { price, .. } => price.is_none(),
            Self::GameCreated { .. }
            | Self::TurnStarted { .. }
            | Self::PhaseChanged { .. }
            | Self::Shuffled { .. }
            | Self::Bonuses { .. }
            | Self::Stalemate => false,
        }
    }
}
