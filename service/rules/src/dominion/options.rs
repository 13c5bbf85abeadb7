//! Options of a new game: requested, and validated (DOM-5.1 to DOM-5.4).

use serde::{Deserialize, Serialize};

use super::data::{Card, Group, KINGDOM_SIZE, KingdomSet, MAX_PLAYERS, MIN_PLAYERS};
use super::refusal::{OptionFlaw, Refusal};
use crate::table::{
    Field, MaybeKnown, OptionRule, OptionType as _, Refusal as _, RefusedOption, Seat, Values,
    first_repeated, player_count,
};

/// The requested options, not yet validated. The default is the plain game: First Game with a random first player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The ten kinds of kingdom cards.
    pub kingdom: KingdomDraft,
    /// The number of the first player's seat. Is `None` if it is drawn (DOM-5.3).
    pub first_player: Option<u32>,
    /// Ask players even where the lack of a question would reveal something about a hand (DOM-13.8,
    /// DOM-14.2).
    pub strict_secrecy: bool,
}

/// The requested kingdom, not yet validated (DOM-5.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KingdomDraft {
    /// A recommended kingdom. Is `None` if the set is unknown.
    Set(MaybeKnown<KingdomSet>),
    /// A list of cards. An element is `None` if there is no card of that name.
    Cards(Vec<MaybeKnown<Card>>),
    /// Ten of the 25 kinds, all sets of ten equally likely.
    Random,
}

impl Default for KingdomDraft {
    fn default() -> Self {
        Self::Set(Some(KingdomSet::default()))
    }
}

/// Validated options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The number of seats, 2 to 4.
    pub seats: u8,
    pub kingdom: Kingdom,
    /// The first player. Is `None` if drawn at random (draw R1).
    pub first_player: Option<Seat>,
    /// Questions are asked even where the lack of one would reveal something about a hand.
    pub strict_secrecy: bool,
}

impl Options {
    /// The number of seats.
    #[must_use]
    pub fn seats(&self) -> usize {
        usize::from(self.seats)
    }
}

/// The source of the kingdom of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kingdom {
    /// A recommended kingdom.
    Set(KingdomSet),
    /// Ten different kinds, in canonical order.
    Cards([Card; KINGDOM_SIZE]),
    /// Drawn at random (draw R2).
    Random,
}

const CARDS: &str = "cards.cards";
const FIRST_PLAYER: &str = "first_player";

/// The fields, and the values of kingdom cards (DOM-5.2) and first player (DOM-5.3).
pub const OPTIONS: &[OptionRule] = &[
    OptionRule::of::<KingdomSet>("set", "Recommended set"),
    OptionRule::of::<Card>(CARDS, "Kingdom cards")
        .taking(|_| Values::names(Card::ALL.into_iter().filter(|&card| is_kingdom(card))))
        .listing(|_| KINGDOM_SIZE..=KINGDOM_SIZE),
    OptionRule::new("random", "Random kingdom"),
    OptionRule::new(FIRST_PLAYER, "First player").taking(Values::seats),
    OptionRule::new("strict_secrecy", "Strict secrecy"),
];

/// Validates the requested options: number of players, kingdom and first player, in this order.
///
/// # Rule DOM-5.1, DOM-14.6
pub fn check(players: &[String], draft: &Draft) -> Result<Options, RefusedOption<Refusal>> {
    let seats = player_count(players, MIN_PLAYERS..=MAX_PLAYERS, "DOM-5.1")?;
    Ok(Options {
        seats,
        kingdom: kingdom(&draft.kingdom)?,
        first_player: first_player(draft.first_player, seats)?,
        strict_secrecy: draft.strict_secrecy,
    })
}

const fn invalid(field: &'static str, flaw: OptionFlaw) -> Refusal {
    Refusal::InvalidOption { field, flaw }
}

/// Converts a number for a refusal, cut off at the maximum. The length of lists is limited elsewhere.
fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Validates the kingdom: a recommended set, exactly ten different kingdom kinds, or a random kingdom.
///
/// # Rule DOM-5.2
fn kingdom(draft: &KingdomDraft) -> Result<Kingdom, RefusedOption<Refusal>> {
    match draft {
        KingdomDraft::Set(Some(set)) => Ok(Kingdom::Set(*set)),
        KingdomDraft::Set(None) => Err(flaw(OptionFlaw::UnknownSet, "set")),
        KingdomDraft::Random => Ok(Kingdom::Random),
        KingdomDraft::Cards(cards) => kingdom_of(cards).map(Kingdom::Cards),
    }
}

fn flaw(flaw: OptionFlaw, field: impl Into<Field>) -> RefusedOption<Refusal> {
    let option = match flaw {
        OptionFlaw::UnknownSet => "set",
        OptionFlaw::UnknownCard { .. }
        | OptionFlaw::NotAKingdomCard { .. }
        | OptionFlaw::Twice { .. }
        | OptionFlaw::WrongNumber { .. } => "cards",
        OptionFlaw::NoSuchSeat { .. } => FIRST_PLAYER,
    };
    invalid(option, flaw).citing("DOM-5.2").for_field(field)
}

fn kingdom_of(named: &[MaybeKnown<Card>]) -> Result<[Card; KINGDOM_SIZE], RefusedOption<Refusal>> {
    let parse_card = |(place, card): (usize, &MaybeKnown<Card>)| {
        card.ok_or(flaw(
            OptionFlaw::UnknownCard {
                place: count(place + 1),
            },
            (CARDS, place),
        ))
    };
    let mut cards: Vec<Card> = named
        .iter()
        .enumerate()
        .map(parse_card)
        .collect::<Result<_, _>>()?;
    if let Some(place) = cards.iter().position(|card| !is_kingdom(*card)) {
        let card = cards[place];
        return Err(flaw(OptionFlaw::NotAKingdomCard { card }, (CARDS, place)));
    }
    if let Some(place) = first_repeated(&cards) {
        let card = cards[place];
        return Err(flaw(OptionFlaw::Twice { card }, (CARDS, place)));
    }
    cards.sort_unstable();
    let wrong_number = OptionFlaw::WrongNumber {
        count: count(cards.len()),
        wanted: count(KINGDOM_SIZE),
    };
    cards.try_into().map_err(|_| flaw(wrong_number, CARDS))
}

fn is_kingdom(card: Card) -> bool {
    card.sheet().group != Group::Basic
}

/// Validates the first player: a seat of this table, or drawn at random.
///
/// # Rule DOM-5.3
fn first_player(number: Option<u32>, seats: u8) -> Result<Option<Seat>, RefusedOption<Refusal>> {
    let seat = <Option<Seat>>::accept(&number, seats);
    let number = number.unwrap_or_default();
    let no = invalid(FIRST_PLAYER, OptionFlaw::NoSuchSeat { number, seats });
    seat.ok_or(no.citing("DOM-5.3").for_field(FIRST_PLAYER))
}
