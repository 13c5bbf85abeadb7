//! Which events tell somebody what they could not know: cards of hands and draw piles (DOM-13).

use super::event::{Event, Zone};
use super::stage::Playing;

impl Event {
    /// Does it show a card that was hidden from somebody, or that a hand has nothing to choose from?
    pub(crate) const fn reveals(&self) -> bool {
        match self {
            Self::CardsDrawn { .. }
            | Self::TreasuresPlayed { .. }
            | Self::HandDiscarded { .. }
            | Self::CleanedUp { .. }
            | Self::CardsRevealed { .. }
            | Self::ReactionShown { .. }
            | Self::CardSetAside { .. }
            | Self::NothingChosen { .. }
            | Self::GameOver { .. } => true,
            Self::ActionPlayed { play, .. } => matches!(play, Playing::First),
            Self::CardsTrashed { zone, .. } | Self::CardTopdecked { zone, .. } => {
                matches!(zone, Zone::Hand | Zone::DrawPile)
            }
            Self::ChancellorDecided { discarded, .. } => *discarded,
            Self::GameCreated { .. }
            | Self::TurnStarted { .. }
            | Self::PhaseChanged { .. }
            | Self::Shuffled { .. }
            | Self::Bonuses { .. }
            | Self::CardGained { .. }
            | Self::CardsDiscarded { .. }
            | Self::RevealedTaken { .. }
            | Self::ReactionDeclined { .. }
            | Self::Stalemate
            | Self::SpyDecided { .. } => false,
        }
    }
}
