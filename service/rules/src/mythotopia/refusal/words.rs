//! What refusals speak of, in words.

use std::fmt::{self, Display, Formatter};

use crate::mythotopia::action::TokenSource;
use crate::mythotopia::data::{
    Card, Colour, Improvement, MAX_PLAYERS, MIN_PLAYERS, POINTS_TRACK, Piece, Province,
    ProvinceSet, Sea, Symbol,
};
use crate::mythotopia::pending::Phase;
use crate::mythotopia::state::Player;
use crate::table::Seat;

/// Why an action, or a set of options, is not well formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The wrong number of cards.
    #[error("{} must be named, not {given}", cards(*least, *most))]
    Cards {
        /// The fewest.
        least: usize,
        /// The most.
        most: usize,
        /// How many were named.
        given: usize,
    },
    /// No card for armies or ships.
    #[error("at least one card must be played for {symbol}")]
    NoPlay {
        /// What is to be placed.
        symbol: Symbol,
    },
    /// A card played for another kind of symbol.
    #[error("{card} is played for {given}, where {wanted} is needed")]
    OtherSymbol {
        /// The card.
        card: Card,
        /// The symbol it is played for.
        given: Symbol,
        /// The symbol of this payment.
        wanted: Symbol,
    },
    /// No piece at all.
    #[error("at least one piece must be named")]
    NoPiece,
    /// Not one or two mercenaries.
    #[error("1 or 2 mercenaries can be hired, not {given}")]
    Mercenaries {
        /// How many were asked for.
        given: u16,
    },
    /// Not a token that can be exchanged.
    #[error("Alchemist exchanges a token of value 1 or 2, not {given}")]
    TokenValue {
        /// The value asked for.
        given: u16,
    },
    /// From a province, but no way.
    #[error("an invasion from a province needs a route")]
    NoRoute,
    /// Through the Portal, and a way.
    #[error("an invasion through the Portal has no route")]
    PortalRoute,
    /// Not one or two sea areas.
    #[error("a route has 1 or 2 sea areas, not {given}")]
    SeaAreas {
        /// How many were named.
        given: usize,
    },
    /// Nobody marches.
    #[error("at least one move must be named")]
    NoMove,
    /// Nobody marches there.
    #[error("the move from {from} to {to} needs at least one army")]
    EmptyMove {
        /// Where they would leave.
        from: Province,
        /// Where they would arrive.
        to: Province,
    },
    /// A march on the spot.
    #[error("the move begins and ends in {province}")]
    MoveOnTheSpot {
        /// Where.
        province: Province,
    },
    /// The same march twice.
    #[error("the move from {from} to {to} is named twice")]
    MoveTwice {
        /// Where they leave.
        from: Province,
        /// Where they arrive.
        to: Province,
    },
    /// The other set-up choice is due.
    #[error("what is due is the {due}")]
    OtherChoice {
        /// The choice that is due.
        due: Phase,
    },
    /// The token does not come from there.
    #[error("{} is not offered as the source of this token", asked.id())]
    NotOffered {
        /// The source asked for.
        asked: TokenSource,
    },
    /// Not two to four players.
    #[error("Mythotopia is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {given}")]
    Players {
        /// How many were named.
        given: usize,
    },
    /// More colours than seats.
    #[error("there are {given} colours for {players} players")]
    TooManyColours {
        /// How many colours were named.
        given: usize,
        /// How many players.
        players: usize,
    },
    /// One colour for two seats.
    #[error("{colour} is asked for twice")]
    ColourTwice {
        /// The colour.
        colour: Colour,
    },
    /// Two players are red and blue.
    #[error("two players have red and blue, not {colour}")]
    ColourOfMore {
        /// The colour.
        colour: Colour,
    },
    /// Two players have no more choice.
    #[error("more choice is for three or four players")]
    MoreChoiceOfTwo,
    /// A token of another value.
    #[error("the tokens of the Castle card have value 1 or 2, not {given}")]
    CastleValue {
        /// The value asked for.
        given: u32,
    },
    /// A floor beyond the track.
    #[error("the floor of victory points is 0 to {POINTS_TRACK}, not {given}")]
    Floor {
        /// The floor asked for.
        given: u32,
    },
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
pub enum Place {
    /// In the hand of the player.
    Hand,
    /// In his reserve.
    Reserve,
    /// In either.
    HandOrReserve,
    /// In his discard pile.
    Discard,
    /// Among the provinces that were dealt to him.
    Dealt,
    /// Among the improvements that Philosopher shows.
    Shown,
}

impl Place {
    pub(super) const fn rule(self) -> &'static str {
        match self {
            Self::Hand | Self::Reserve | Self::HandOrReserve => "MYT-6.2.1",
            Self::Discard => "MYT-7.18",
            Self::Dealt => "MYT-6.10.1",
            Self::Shown => "MYT-14.9",
        }
    }
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
pub enum Use {
    /// Site card for one of these provinces.
    Site(ProvinceSet),
    /// Ship card.
    Ship,
    /// Build card.
    Build,
    /// The ability of this improvement.
    Ability(Improvement),
}

impl Use {
    pub(super) const fn rule(self) -> &'static str {
        match self {
            Self::Site(_) => "MYT-6.4.2",
            Self::Ship => "MYT-6.4.3",
            Self::Build => "MYT-6.5.12",
            Self::Ability(_) => "MYT-6.2.2",
        }
    }
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
pub enum Holder {
    /// The stock of the player.
    Stock,
    /// His pool.
    Pool,
    /// What lies beside the board for all.
    Supply,
    /// A sea area; his own ships.
    Sea(Sea),
    /// A province; his own pieces.
    Province(Province),
    /// A province; pieces of any player.
    Of(Seat, Province),
}

/// Too few pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// Where.
    pub holder: Holder,
    /// Of which kind.
    pub piece: Piece,
    /// How many there are.
    pub there: u8,
    /// How many are needed.
    pub needed: u16,
}

impl Shortage {
    /// Armies of a player in a province.
    pub(in crate::mythotopia) fn of_armies(
        player: &Player,
        province: Province,
        needed: u16,
    ) -> Self {
        Self {
            holder: Holder::Province(province),
            piece: Piece::Army,
            there: player.armies.at(province),
            needed,
        }
    }

    /// The number needed, if there are so many.
    pub(in crate::mythotopia) fn met(self) -> Option<u8> {
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
pub enum SeaProblem {
    /// It does not lead there.
    #[error("these sea areas do not lead from {from} to {to}")]
    NoWay {
        /// Where it would begin.
        from: Province,
        /// Where it would end.
        to: Province,
    },
    /// A Ship card for each area.
    #[error("Ship cards needed: {needed}, given: {given}")]
    Ships {
        /// How many the way needs.
        needed: usize,
        /// How many were given.
        given: usize,
    },
}

/// What does not reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Price {
    /// Symbols of one kind.
    #[error("the price is {needed} {symbol}, {given} given")]
    Symbols {
        /// The kind.
        symbol: Symbol,
        /// The price.
        needed: u16,
        /// What the cards give.
        given: u16,
    },
    /// A token for Alchemist.
    #[error("you have no token of value {value}")]
    Token {
        /// Its value.
        value: u8,
    },
}

/// What is too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Surplus {
    /// Symbols beyond the price.
    #[error("the price is {needed} {symbol}, {given} given")]
    Symbols {
        /// The kind.
        symbol: Symbol,
        /// The price.
        needed: u16,
        /// What the cards give.
        given: u16,
    },
    /// A Merchant who changes nothing.
    #[error("{card} gives {symbol} without Merchant")]
    Merchant {
        /// The card.
        card: Card,
        /// What it gives anyway.
        symbol: Symbol,
    },
    /// Ship cards beyond the way.
    #[error("Ship cards needed: {needed}, given: {given}")]
    Ships {
        /// How many the way needs.
        needed: usize,
        /// How many were given.
        given: usize,
    },
    /// Two sea areas where one joins both provinces.
    #[error("{from} and {to} lie on one sea; the route needs 1 Ship card")]
    Area {
        /// Where the way begins.
        from: Province,
        /// Where it ends.
        to: Province,
    },
}
