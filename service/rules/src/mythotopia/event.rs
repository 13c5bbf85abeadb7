//! Events, each with its sentence and with what only one seat knows of it (MYT-13.3).
//!
//! Cards of hands and decks are revealed, and the secret choices of the set-up.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use super::action::TokenSource;
use super::data::{
    Border, Called, Card, CardSet, Converter, Improvement, PointCard, Province, ProvinceSet, Sea,
    Symbol, card_names, grouped,
};
use super::stage::{Building, SetupChoice, Side, Strength, Token, WarEnd, Zone};
use crate::table::{Count, JoinAnd, Names, Seat, events};

/// The purpose for which a card was played (MYT-6.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// Played for symbols of one kind, as printed.
    Symbol(Symbol),
    /// Played for one symbol that a converter gives; the symbol paid differs with Merchant.
    Converted(Converter, Symbol),
    /// Played to change the resource of the card before it.
    Merchant,
    /// Played to double the resource of the card before it.
    WaterMill,
    Site,
    Portal,
    /// Played to carry the invasion over a sea.
    Transport,
    Ability,
}

impl Display for Purpose {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let pieces = |symbol: &Symbol| match symbol {
            Symbol::Army => "armies",
            Symbol::Ship => "ships",
            Symbol::Food | Symbol::Stone | Symbol::Gold => symbol.name(),
        };
        match self {
            Self::Symbol(symbol) => write!(f, "for {}", pieces(symbol)),
            Self::Converted(converter, symbol) => {
                write!(f, "for {} through {converter}", pieces(symbol))
            }
            Self::Merchant => f.write_str("to change a resource"),
            Self::WaterMill => f.write_str("to double a resource"),
            Self::Site => f.write_str("as the site card"),
            Self::Portal => f.write_str("to invade from anywhere"),
            Self::Transport => f.write_str("for transport"),
            Self::Ability => f.write_str("for its ability"),
        }
    }
}

/// Returns whether the cards in this zone are hidden from others.
const fn is_hidden(zone: Zone) -> bool {
    matches!(zone, Zone::Hand | Zone::Deck)
}

/// A card that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedCard {
    pub card: Card,
    /// The zone that the card came from: hand or reserve.
    pub zone: Zone,
    pub purpose: Purpose,
}

impl PlayedCard {
    /// Returns whether only the owner knew that the card lay there.
    fn was_hidden(&self) -> bool {
        is_hidden(self.zone)
    }
}

/// Displays the zone and the purpose, which follow the name of the card.
impl Display for PlayedCard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.zone == Zone::Reserve {
            f.write_str(" from the reserve")?;
        }
        write!(f, " {}", self.purpose)
    }
}

/// Armies that moved by road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct March {
    pub from_province: Province,
    pub to_province: Province,
    pub count: u8,
}

impl Display for March {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let armies = Count(self.count, "army");
        write!(
            f,
            "{armies} from {} to {}",
            self.from_province, self.to_province
        )
    }
}

events! {
    /// One event.
    Event, names {
        ProvincesDealt { seat: Seat, provinces: ProvinceSet } reveals(true) =>
            "{} is dealt {}.", names.who(*seat), JoinAnd(provinces.iter());
        /// The improvements on display, in the order of the draw.
        ImprovementsDisplayed { improvements: Vec<Improvement> } reveals(true) =>
            "The display shows {}.", JoinAnd(improvements);
        /// The point cards in play, in the order of the draw.
        PointCardsLaidOut { cards: Vec<PointCard> } reveals(true) =>
            "The point cards in play are {}.", JoinAnd(cards);
        DragonsPlaced { provinces: ProvinceSet } =>
            "Dragons live in {}.", JoinAnd(provinces.iter());
        RunestonesPlaced { provinces: ProvinceSet } =>
            "Runestones stand in {}.", JoinAnd(provinces.iter());
        /// A seat makes a choice of the set-up. Only the seat itself sees the choice.
        SetupChosen { seat: Seat, choice: Option<SetupChoice> } secret(choice of seat) =>
            "{} {}.", names.who(*seat),
            choice.map_or(String::from("has made a choice"), |choice| format!("chooses {choice}"));
        ProvincesDiscarded { seat: Seat, provinces: ProvinceSet } reveals(true) =>
            "{} gives away {}.", names.who(*seat), JoinAnd(provinces.iter());
        CitadelPlaced { seat: Seat, province: Province } reveals(true) =>
            "{} places the citadel in {province}.", names.who(*seat);
        FirstPlayer { seat: Seat } => "{} is the first player.", names.who(*seat);
        TurnBegan { seat: Seat } => "{} begins a turn.", names.who(*seat);
        /// Cards are drawn. `reshuffles` is the number of times that the discard pile became the deck meanwhile. The
        /// cards are in the order of drawing, and only the seat itself sees them.
        CardsDrawn { seat: Seat, count: u8, reshuffles: u8, cards: Option<Vec<Card>> } secret(cards of seat) reveals(true) =>
            "{} draws {}{}.", names.who(*seat), drawn(*count, cards.as_deref()),
            if *reshuffles > 0 { " after shuffling the discard pile into a new deck" } else { "" };
        CardsPlayed { seat: Seat, cards: Vec<PlayedCard> } reveals(cards.iter().any(PlayedCard::was_hidden), except seat) =>
            "{} plays {}.", names.who(*seat),
            JoinAnd(grouped(cards.iter().map(|played| (Called::printed(played.card), played.to_string()))));
        /// An invasion. The origin is `None` for an invasion through Portal.
        Invaded { seat: Seat, target: Province, origin: Option<Province>, areas: Vec<Sea>, armies: u8 } =>
            "{} invades {target} {}{} with {}.", names.who(*seat),
            origin.map_or(String::from("through Portal"), |origin| format!("from {origin}")),
            over(areas), Count(*armies, "army");
        ArmiesPlaced { seat: Seat, province: Province, armies: u8 } =>
            "{} places {} in {province}.", names.who(*seat), Count(*armies, "army");
        ArmiesRemoved { seat: Seat, province: Province, armies: u8, mercenaries: u8 } =>
            "{} takes {} back from {province}.", names.who(*seat), units(*armies, *mercenaries);
        ShipsPlaced { seat: Seat, sea: Sea, ships: u8 } =>
            "{} places {} in the {sea}.", names.who(*seat), Count(*ships, "ship");
        ShipsRemoved { seat: Seat, sea: Sea, ships: u8 } =>
            "{} takes {} back from the {sea}.", names.who(*seat), Count(*ships, "ship");
        /// A war ends. The strengths are those of the defender, then of the attackers in seat order. Diplomat leaves no
        /// winner.
        WarEnded { seat: Seat, province: Province, end: WarEnd, strengths: Vec<Strength>, winner: Option<Side> } =>
            "{} ends the war in {province}{}: {}.", names.who(*seat), by(*end), fought(strengths, *winner, *end, names);
        UnitsReturned { seat: Seat, province: Province, armies: u8, mercenaries: u8 } =>
            "{} gets {} back from {province}.", names.who(*seat), units(*armies, *mercenaries);
        ProvinceCaptured { seat: Seat, province: Province, loser: Option<Seat>, building: Option<Building>, card_from: Zone } reveals(is_hidden(*card_from)) =>
            "{} captures {province}{}.", names.who(*seat), loser.map_or(String::new(), |loser| {
                let loser = names.of(loser);
                format!(" from {loser}, who loses {}", lost(loser.clone(), *building, *card_from))
            });
        /// An attacker wins without capturing the province. `loser` is `None` if it was neutral before.
        ProvinceNotTaken { seat: Seat, province: Province, loser: Option<Seat>, building: Option<Building>, card_from: Zone } reveals(is_hidden(*card_from)) =>
            "{} has no town left and does not capture {province}{}.", names.who(*seat), loser.map_or(String::new(), |loser| {
                let loser = names.of(loser);
                format!(", but {loser} loses {}", lost(loser.clone(), *building, *card_from))
            });
        UnitsBought { seat: Seat, armies: u8, ships: u8 } =>
            "{} buys {}.", names.who(*seat), both(Count(*armies, "army"), Count(*ships, "ship"));
        CardDrafted { seat: Seat, card: Card, from_zone: Zone } =>
            "{} drafts {card} from the {from_zone}.", names.who(*seat);
        CardsReserved { seat: Seat, cards: CardSet } reveals(true, except seat) =>
            "{} puts {} into their reserve.", names.who(*seat), JoinAnd(card_names(cards.iter()));
        CardsDiscarded { seat: Seat, hand: CardSet, reserve: CardSet } reveals(!hand.is_empty(), except seat) =>
            "{} discards {}.", names.who(*seat), cards_text(*hand, *reserve);
        CardsRemoved { seat: Seat, hand: CardSet, reserve: CardSet } reveals(!hand.is_empty(), except seat) =>
            "{} removes {} from their deck.", names.who(*seat), cards_text(*hand, *reserve);
        CityBuilt { seat: Seat, province: Province } =>
            "{} builds a city in {province}.", names.who(*seat);
        CastleBuilt { seat: Seat, province: Province } =>
            "{} builds a castle in {province}.", names.who(*seat);
        RoadBuilt { seat: Seat, border: Border } =>
            "{} builds a road between {} and {}.", names.who(*seat), border.row().a, border.row().b;
        TokenExchanged { seat: Seat, from_value: u8 } =>
            "{} exchanges a {from_value}-point token for a {}-point token.", names.who(*seat), from_value + 1;
        PatronagePaid { seat: Seat } => "{} pays for a Patronage token.", names.who(*seat);
        Passed { seat: Seat } => "{} passes.", names.who(*seat);
        ArmiesMoved { seat: Seat, moves: Vec<March> } =>
            "{} moves {} by road.", names.who(*seat), JoinAnd(moves);
        ArmyRouted { seat: Seat, province: Province, owner: Seat } =>
            "{} sends {} home from {province}.", names.who(*seat), army_of(*seat, *owner, names);
        MercenariesHired { seat: Seat, province: Province, count: u8 } =>
            "{} hires {} for {province}.", names.who(*seat), Count(*count, "mercenary");
        ArmyRaised { seat: Seat } => "{} takes an army from the pool into their stock.", names.who(*seat);
        CardTakenBack { seat: Seat, card: Card } =>
            "{} takes {card} from their discard pile into their hand.", names.who(*seat);
        /// A seat looks at improvements. Only the seat itself sees which.
        ImprovementsInspected {
            seat: Seat, count: u8, improvements: Option<Vec<Improvement>>,
        } secret(improvements of seat) reveals(true) =>
            "{} looks at {}.", names.who(*seat), match improvements {
                Some(improvements) => JoinAnd(improvements).to_string(),
                None => Count(*count, "face-down improvement").to_string(),
            };
        /// A seat takes an improvement. Only the seat itself sees which.
        ImprovementTaken { seat: Seat, improvement: Option<Improvement> } secret(improvement of seat) reveals(true) =>
            "{} takes {} into their hand.", names.who(*seat),
            improvement.map_or("an improvement", Improvement::name);
        TokenTaken { seat: Seat, token: Token, source: TokenSource } =>
            "{} takes {}.", names.who(*seat), match source {
                TokenSource::Card => token.off_its_card(),
                TokenSource::Bank => format!("{token} from the bank"),
                TokenSource::None => format!("{token} from nowhere"),
            };
        TokenDeclined { seat: Seat, token: Token } => "{} declines {token}.", names.who(*seat);
    }
}

fn side(names: Names<'_>, side: Side) -> String {
    match side {
        Side::Neutral => String::from("the neutral side"),
        Side::Player(seat) => names.of(seat).to_string(),
    }
}

fn drawn(count: u8, cards: Option<&[Card]>) -> String {
    match cards {
        Some([]) => String::from("nothing"),
        Some(cards) => JoinAnd(card_names(cards.iter().copied())).to_string(),
        None => Count(count, "card").to_string(),
    }
}

fn over(areas: &[Sea]) -> String {
    match areas {
        [] => String::new(),
        areas => format!(
            " across {}",
            JoinAnd(areas.iter().map(|sea| format!("the {sea}")))
        ),
    }
}

/// Names cards of hand and reserve.
fn cards_text(hand: CardSet, reserve: CardSet) -> String {
    let reserved = || format!("{} from the reserve", JoinAnd(card_names(reserve.iter())));
    match (hand.is_empty(), reserve.is_empty()) {
        (_, true) => JoinAnd(card_names(hand.iter())).to_string(),
        (true, false) => reserved(),
        (false, false) => format!("{}, and {}", JoinAnd(card_names(hand.iter())), reserved()),
    }
}

fn units(armies: u8, mercenaries: u8) -> String {
    both(Count(armies, "army"), Count(mercenaries, "mercenary"))
}

/// Names two kinds of pieces; only those present.
fn both(one: Count<u8>, other: Count<u8>) -> String {
    match (one.0, other.0) {
        (_, 0) => one.to_string(),
        (0, _) => other.to_string(),
        (_, _) => format!("{one} and {other}"),
    }
}

/// The way in which the war was won, unless by strength alone.
fn by(end: WarEnd) -> String {
    match end {
        WarEnd::Strength => String::new(),
        WarEnd::Hero | WarEnd::Diplomat => format!(" with {end}"),
        WarEnd::EndOfGame => String::from(" by ending the game"),
    }
}

/// The building lost with a province, and the previous place of the province card.
fn lost(loser: impl Display, building: Option<Building>, card_from: Zone) -> String {
    let building = building.map_or("province", Building::name);
    let place = match card_from {
        Zone::Removed => format!("among {loser}'s removed cards"),
        Zone::Display => String::from("on display"),
        Zone::ProvincePile => String::from("in the province pile"),
        Zone::Hand | Zone::Deck | Zone::Discard | Zone::Reserve => {
            format!("in {loser}'s {card_from}")
        }
    };
    format!("the {building}; its card was {place}")
}

/// `Ann has strength 3 and Ben has strength 2, so Ann wins`.
fn fought(strengths: &[Strength], winner: Option<Side>, end: WarEnd, names: Names<'_>) -> String {
    let strength = |side: &Strength| {
        format!(
            "{} has strength {}",
            self::side(names, side.side),
            side.strength
        )
    };
    let strengths_text = JoinAnd(strengths.iter().map(strength).collect::<Vec<_>>()).to_string();
    let as_defender = if end == WarEnd::EndOfGame && holds(strengths, winner) {
        " as the defender"
    } else {
        ""
    };
    match winner {
        Some(winner) => format!(
            "{strengths_text}, so {} wins{as_defender}",
            side(names, winner)
        ),
        None => format!("{strengths_text}, and nobody wins"),
    }
}

/// Returns whether the defender, who comes first, wins although another side is as strong.
fn holds(strengths: &[Strength], winner: Option<Side>) -> bool {
    strengths.split_first().is_some_and(|(defender, others)| {
        let is_matched = others
            .iter()
            .any(|other| other.strength >= defender.strength);
        winner == Some(defender.side) && is_matched
    })
}

/// Names an army of a player from the point of view of the player who sends it home.
fn army_of(seat: Seat, owner: Seat, names: Names<'_>) -> String {
    if seat == owner {
        String::from("one of their own armies")
    } else {
        format!("an army of {}", names.of(owner))
    }
}
