//! What refusals speak of, in words.

use std::fmt::{self, Display, Formatter};

use crate::mythotopia::action::TokenSource;
use crate::mythotopia::data::{
    Card, Colour, Improvement, MAX_PLAYERS, MIN_PLAYERS, POINTS_TRACK, Piece, Province,
    ProvinceSet, Sea, Symbol,
};
use crate::mythotopia::stage::Phase;
use crate::table::Seat;

/// Why an action, or a set of options, is not well formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Problem {
    #[error("{} must be named, not {given}", cards(*least, *most))]
    Cards {
        least: usize,
        most: usize,
        given: usize,
    },
    #[error("at least one card must be played for {symbol}")]
    NoPlay { symbol: Symbol },
    #[error("{card} is played for {given}, where {wanted} is needed")]
    OtherSymbol {
        card: Card,
        given: Symbol,
        wanted: Symbol,
    },
    #[error("at least one piece must be named")]
    NoPiece,
    #[error("1 or 2 mercenaries can be hired, not {given}")]
    Mercenaries { given: u16 },
    #[error("Alchemist exchanges a token of value 1 or 2, not {given}")]
    TokenValue { given: u16 },
    #[error("an invasion from a province needs a route")]
    NoRoute,
    #[error("an invasion through the Portal has no route")]
    PortalRoute,
    #[error("a route has 1 or 2 sea areas, not {given}")]
    SeaAreas { given: usize },
    #[error("at least one move must be named")]
    NoMove,
    #[error("the move from {from} to {to} needs at least one army")]
    EmptyMove { from: Province, to: Province },
    #[error("the move begins and ends in {province}")]
    MoveOnTheSpot { province: Province },
    #[error("the move from {from} to {to} is named twice")]
    MoveTwice { from: Province, to: Province },
    #[error("what is due is the {due}")]
    OtherChoice { due: Phase },
    #[error("{} is not offered as the source of this token", asked.id())]
    NotOffered { asked: TokenSource },
    #[error("Mythotopia is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {given}")]
    Players { given: usize },
    #[error("there are {given} colours for {players} players")]
    TooManyColours { given: usize, players: usize },
    #[error("{colour} is asked for twice")]
    ColourTwice { colour: Colour },
    #[error("two players have red and blue, not {colour}")]
    ColourOfMore { colour: Colour },
    #[error("more choice is for three or four players")]
    MoreChoiceOfTwo,
    #[error("the tokens of the Castle card have value 1 or 2, not {given}")]
    CastleValue { given: u32 },
    #[error("the floor of victory points is 0 to {POINTS_TRACK}, not {given}")]
    Floor { given: u32 },
}

fn cards(least: usize, most: usize) -> String {
    match (least, most) {
        (1, usize::MAX) => String::from("at least one card"),
        (1, 1) => String::from("1 card"),
        _ if least == most => format!("{most} cards"),
        _ => format!("{least} to {most} cards"),
    }
}

/// Where a card would have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Place {
    Hand,
    Reserve,
    HandOrReserve,
    Discard,
    Dealt,
    Shown,
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hand => "in your hand",
            Self::Reserve => "in your reserve",
            Self::HandOrReserve => "in your hand or reserve",
            Self::Discard => "in your discard pile",
            Self::Dealt => "among the provinces dealt to you",
            Self::Shown => "among the improvements shown",
        })
    }
}

/// What a card would have to be good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Use {
    Site(ProvinceSet),
    Ship,
    Build,
    Ability(Improvement),
}

impl Display for Use {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Site(provinces) => {
                for (place, province) in provinces.iter().enumerate() {
                    let start = if place == 0 { "site card for" } else { " or" };
                    write!(f, "{start} {province}")?;
                }
                Ok(())
            }
            Self::Ship => f.write_str("Ship card"),
            Self::Build => f.write_str("Build card"),
            Self::Ability(improvement) => write!(f, "{improvement}"),
        }
    }
}

/// Where pieces are too few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Holder {
    Stock,
    Pool,
    Supply,
    Sea(Sea),
    Province(Province),
    Of(Seat, Province),
}

/// Too few pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Shortage {
    pub holder: Holder,
    pub piece: Piece,
    pub there: u8,
    pub needed: u16,
}

impl Shortage {
    /// Armies of a player in a province.
    pub(crate) fn of_armies(there: u8, province: Province, needed: u16) -> Self {
        Self {
            holder: Holder::Province(province),
            piece: Piece::Army,
            there,
            needed,
        }
    }

    /// The number needed, if there are so many.
    pub(crate) fn met(self) -> Option<u8> {
        u8::try_from(self.needed)
            .ok()
            .filter(|&needed| needed <= self.there)
    }
}

impl Display for Shortage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let there = self.piece.counted(self.there.into());
        match self.holder {
            Holder::Stock => write!(f, "your stock holds {there}"),
            Holder::Pool => write!(f, "your pool holds {there}"),
            Holder::Supply => write!(f, "the supply holds {there}"),
            Holder::Sea(sea) => write!(f, "you have {there} in {sea}"),
            Holder::Province(province) => write!(f, "you have {there} in {province}"),
            Holder::Of(seat, province) => write!(f, "{seat} has {there} in {province}"),
        }?;
        write!(f, "; the action needs {}", self.piece.counted(self.needed))
    }
}

/// What is missing of a way by sea.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the names say it")]
pub enum SeaProblem {
    #[error("these sea areas do not lead from {from} to {to}")]
    NoWay { from: Province, to: Province },
    #[error("Ship cards needed: {needed}, given: {given}")]
    Ships { needed: usize, given: usize },
}

/// What does not reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Price {
    #[error("the price is {needed} {symbol}, {given} given")]
    Symbols {
        symbol: Symbol,
        needed: u16,
        given: u16,
    },
    #[error("you have no token of value {value}")]
    Token { value: u8 },
}

/// What is too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Surplus {
    #[error("the price is {needed} {symbol}, {given} given")]
    Symbols {
        symbol: Symbol,
        needed: u16,
        given: u16,
    },
    #[error("{card} gives {symbol} without Merchant")]
    Merchant { card: Card, symbol: Symbol },
    #[error("Ship cards needed: {needed}, given: {given}")]
    Ships { needed: usize, given: usize },
    #[error("{from} and {to} lie on one sea; the route needs 1 Ship card")]
    Area { from: Province, to: Province },
}
