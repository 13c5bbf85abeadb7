//! Burdens, a ruleset that no server offers: it differs from the others wherever suites, bots and drawings could take
//! for granted what is only usual. Three to five play, the fewest points win, points may be negative, there are no
//! options, no refusal has values, cards are numbers, and chips are hidden although everybody can count them.
//!
//! * BUR-1: three to five players; 24 cards, 3 to 26. Each player begins with 5 chips behind a screen.
//! * BUR-2: 4 cards are left out unseen. The others form a face-down deck; its top card is turned up.
//! * BUR-3: whoever must act takes the card that is turned up, with the chips on it, or lays one or two chips on it. After
//!   one chip the next player acts, after two chips the one after that; after a card the next card is turned up for the
//!   same player.
//! * BUR-4: whoever has no chip takes the card.
//! * BUR-5: the game ends when all cards are taken. Each card counts its number, each chip one point less; the fewest
//!   points win.

mod audit;
mod drawn;
mod rules;
mod seen;

use serde::{Deserialize, Serialize};

use gamekeeper_rules::ruleset::{Ruleset, RulesetInfo, by_modules};
use gamekeeper_rules::table::{
    self, Count, MaybeKnown, NumberIn, PerSeat, Seat, actions, decisions, events, refusals, sources,
};

use drawn::{components, movements, picture};
use options::{Draft, Options};
use rules::legal::Permit;
use rules::{flow, legal, setup};
use seen::view::View;
use seen::{board, holdings, score, tally, view, words, worlds};

/// The fewest players.
const MIN_PLAYERS: u8 = 3;

/// The most players.
const MAX_PLAYERS: u8 = 5;

/// The chips with which each player begins.
const CHIPS: u8 = 5;

/// The number of cards that are left out.
const LEFT_OUT: usize = 4;

/// A card (BUR-1).
pub(crate) type Card = NumberIn<3, 26>;

/// The chips that a player lays on a card (BUR-3).
pub(crate) type Chips = NumberIn<1, 2>;

decisions! {
    Decision {
        /// BUR-3.
        Answer "answer" "Take or refuse the card" "Do you take the card?",
    }
}

actions! {
    #[derive(Copy)]
    Action {
        /// Takes the card with the chips on it (BUR-3).
        Take "Take the card",
        /// Lays chips on the card (BUR-3).
        Refuse { chips: MaybeKnown<Chips> } "Lay chips",
    }
}

events! {
    Event, names {
        /// BUR-2.
        TurnedUp { card: Card } reveals(true) => "The next card is the {card}.";
        /// BUR-3.
        CardRefused { seat: Seat, chips: Chips } =>
            "{} lays {}.", names.who(*seat), Count(chips.get(), "chip");
        /// BUR-3, BUR-4.
        CardTaken { seat: Seat, card: Card, chips: u8 } =>
            "{} takes the {card} with {}.", names.who(*seat), Count(*chips, "chip");
    }
}

refusals! {
    Refusal of "Burdens" {
        #[error("You do not have that many chips.")]
        TooFewChips,
    }
}

mod options {
    use super::{MAX_PLAYERS, MIN_PLAYERS, Refusal};
    use gamekeeper_rules::table::options;

    options! { players: MIN_PLAYERS..=MAX_PLAYERS, "BUR-1"; }
}

/// The whole table, hidden things included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The cards that are not turned up, from the top; the last ones are those left out. Hidden.
    deck: Vec<Card>,
    /// The card that is turned up. Is `None` after the end of the game.
    offered: Option<Card>,
    /// The chips on it.
    chips: u8,
    /// The seat that must act.
    turn: Seat,
    players: PerSeat<Player>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The chips. The view of the others does not show them, but the events tell them all.
    chips: u8,
    /// The cards taken, in the order of taking.
    cards: Vec<Card>,
}

impl Player {
    /// The sum of the cards.
    fn burden(&self) -> i32 {
        self.cards.iter().map(|card| i32::from(card.get())).sum()
    }
}

impl State {
    fn seats(&self) -> usize {
        self.players.count()
    }

    fn is_over(&self) -> bool {
        self.offered.is_none()
    }

    fn pending(&self) -> impl Iterator<Item = (Seat, Decision)> {
        self.offered
            .map(|_| (self.turn, Decision::Answer))
            .into_iter()
    }
}

type ExecContext<'a> = table::ExecContext<'a, State, Action, Event>;

sources! {
    Source {
        /// BUR-5.
        Cards "cards" "Cards",
        /// BUR-5.
        Chips "chips" "Chips",
    }
}

pub(crate) enum Burdens {}

impl Ruleset for Burdens {
    const INFO: RulesetInfo = RulesetInfo {
        fewest_win: true,
        ..RulesetInfo::new("burdens", "Burdens", MIN_PLAYERS, MAX_PLAYERS)
    };

    by_modules!(with tally);
}
