//! What happened, with all facts; who may know what is in `secrecy.rs` (DOM-13.7).

mod sentence;

use serde::{Deserialize, Serialize};

use super::data::{Card, KINGDOM_SIZE};
use super::options::Options;
use super::pending::Destination;
use super::state::{Counters, Phase, Pile};
use crate::table::Seat;

/// Where a gained card comes from (DOM-13.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// A Supply pile.
    Supply,
    /// The trash.
    Trash,
}

/// Where cards lay before they moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Zone {
    /// The hand.
    Hand,
    /// The top of the draw pile.
    DrawPile,
    /// In play.
    InPlay,
    /// Shown from the draw pile and held by the effect (Spy, Thief).
    Revealed,
}

/// Whether an Action card is played for the first time or again by Throne Room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Play {
    /// From the hand.
    First,
    /// Again, by Throne Room.
    Repeated,
}

/// The result of one seat at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatResult {
    /// Whose result.
    pub seat: Seat,
    /// The rank, from 1; equal results share a rank.
    pub rank: u8,
    /// Victory points.
    pub points: i32,
    /// Turns taken.
    pub turns: u32,
    /// All cards owned, as kinds and numbers in canonical order.
    pub cards: Vec<Pile>,
}

/// Something that happened. A field that some viewers may not know is an `Option`: `None` when it
/// is hidden from this viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// The table is set.
    GameCreated {
        /// The options.
        options: Options,
        /// The kingdom of this game, in canonical order.
        kingdom: [Card; KINGDOM_SIZE],
        /// The Supply, in canonical order.
        supply: Vec<Pile>,
        /// Who begins.
        first_player: Seat,
    },
    /// A turn begins, in its Action phase.
    TurnStarted {
        /// Whose turn.
        seat: Seat,
        /// The number of the turn in the game, from 1.
        turn_number: u32,
    },
    /// A phase begins.
    PhaseChanged {
        /// Whose turn.
        seat: Seat,
        /// The number of the turn in the game.
        turn_number: u32,
        /// The new phase.
        phase: Phase,
    },
    /// Cards were drawn, for any reason.
    CardsDrawn {
        /// Who drew.
        seat: Seat,
        /// How many.
        count: u16,
        /// The cards, in the order of drawing; for their owner only.
        cards: Option<Vec<Card>>,
    },
    /// A discard pile, or at the beginning a starting deck, was shuffled and is the draw pile now.
    Shuffled {
        /// Whose piles.
        seat: Seat,
    },
    /// An Action card is played; the counters are those before its bonuses (DOM-14.9).
    ActionPlayed {
        /// Who plays it.
        seat: Seat,
        /// The card.
        card: Card,
        /// For the first time, or again.
        play: Play,
        /// What is left of the turn.
        counters: Counters,
    },
    /// The bonuses of a card changed what is left of the turn (DOM-14.9).
    Bonuses {
        /// Whose turn.
        seat: Seat,
        /// The card.
        card: Card,
        /// What is left of the turn.
        counters: Counters,
    },
    /// Treasures were played.
    TreasuresPlayed {
        /// Who played them.
        seat: Seat,
        /// The Treasures, in the order of playing.
        cards: Vec<Card>,
        /// What is left of the turn.
        counters: Counters,
    },
    /// A card was bought or gained.
    CardGained {
        /// Who has it now.
        seat: Seat,
        /// The card.
        card: Card,
        /// Where it comes from.
        from: Source,
        /// Where it goes.
        to: Destination,
        /// What was paid, for purchases only (DOM-14.9).
        price: Option<u8>,
    },
    /// Cards were discarded from the hand by Cellar or Militia.
    HandDiscarded {
        /// Whose hand.
        seat: Seat,
        /// How many.
        count: u16,
        /// The new top of the discard pile.
        discard_top: Option<Card>,
        /// The cards, in the order of discarding; for their owner only.
        cards: Option<Vec<Card>>,
    },
    /// Hand and played cards went to the discard pile at the end of a turn.
    CleanedUp {
        /// Whose turn ended.
        seat: Seat,
        /// How many cards of the hand.
        count: u16,
        /// The new top of the discard pile.
        discard_top: Option<Card>,
        /// The cards of the hand, in canonical order; for their owner only.
        cards: Option<Vec<Card>>,
    },
    /// Revealed or set-aside cards were discarded.
    CardsDiscarded {
        /// Whose cards.
        seat: Seat,
        /// The cards, in the order of discarding.
        cards: Vec<Card>,
    },
    /// Cards went to the trash.
    CardsTrashed {
        /// Who owned them.
        seat: Seat,
        /// Where they lay.
        from: Zone,
        /// The cards.
        cards: Vec<Card>,
    },
    /// Cards were shown to everybody.
    CardsRevealed {
        /// Whose cards.
        seat: Seat,
        /// Hand or draw pile. Cards of the hand stay there.
        from: Zone,
        /// The cards, in the order of revealing; of a hand, in canonical order.
        cards: Vec<Card>,
    },
    /// Revealed Treasures went to the hand (Adventurer).
    RevealedTaken {
        /// Whose cards.
        seat: Seat,
        /// The cards, in the order of revealing.
        cards: Vec<Card>,
    },
    /// A revealed card was put on its owner's draw pile (Bureaucrat, Spy).
    CardTopdecked {
        /// Whose draw pile.
        seat: Seat,
        /// Where it lay.
        from: Zone,
        /// The card.
        card: Card,
    },
    /// Chancellor: the draw pile was turned over, or not.
    ChancellorDecided {
        /// Who decided.
        seat: Seat,
        /// The draw pile went to the discard pile.
        discarded: bool,
        /// The top of the discard pile.
        discard_top: Option<Card>,
        /// How many cards were turned over; for their owner only.
        count: Option<u16>,
    },
    /// A Reaction card was shown: this play of the Attack does not touch its owner.
    ReactionShown {
        /// Who showed it.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// No Reaction card was shown; known to the player alone.
    ReactionDeclined {
        /// Who showed none.
        seat: Seat,
    },
    /// Library: a card was set aside, face up.
    CardSetAside {
        /// Whose card.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// Nothing can ever change again (DOM-14.1).
    Stalemate,
    /// The game has ended.
    GameOver {
        /// The results, best rank first.
        results: Vec<SeatResult>,
    },
    /// A card asked its player to choose, and nothing was chosen: there was nothing to choose from
    /// (DOM-13.8), or nothing was wanted. The last variant, since logs know variants by their place.
    NothingChosen {
        /// Who was asked.
        seat: Seat,
        /// The card that asked.
        card: Card,
    },
}
