//! Events as plain English sentences.

use std::fmt::{self, Display, Formatter};

use super::{
    Building, Event, March, PlayedCard, Purpose, SetupChoice, Side, Strength, Token, Zone,
};
use crate::mythotopia::data::{Card, CardSet, Province, Sea};
use crate::table::{Commas, Count, Names, Seat, Sentence};

impl Sentence for Event {
    #[rustfmt::skip]
    fn say(&self, names: Names<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        let who = |seat: &Seat| names.who(*seat);
        let of = |seat: &Seat| names.of(*seat);
        match self {
            Self::ProvincesDealt { seat, provinces } => write!(f, "{} is dealt {}.", who(seat), Commas(provinces.iter())),
            Self::ImprovementsDisplayed { improvements } => write!(f, "On display are {}.", Commas(improvements)),
            Self::PointCardsLaidOut { cards } => write!(f, "In play are {}.", Commas(cards)),
            Self::DragonsPlaced { provinces } => write!(f, "Dragons live in {}.", Commas(provinces.iter())),
            Self::RunestonesPlaced { provinces } => write!(f, "Runestones stand in {}.", Commas(provinces.iter())),
            Self::SetupChosen { seat, choice: Some(choice) } => write!(f, "{} chooses {choice}.", who(seat)),
            Self::SetupChosen { seat, choice: None } => write!(f, "{} has chosen.", who(seat)),
            Self::ProvincesDiscarded { seat, provinces } => write!(f, "{} gives away {}.", who(seat), Commas(provinces.iter())),
            Self::CitadelPlaced { seat, province } => write!(f, "{} has the citadel in {province}.", who(seat)),
            Self::FirstPlayer { seat } => write!(f, "{} is the first player.", who(seat)),
            Self::TurnBegan { seat } => write!(f, "{} begins a turn.", who(seat)),
            Self::CardsDrawn { seat, count, reshuffles, cards } => drawn(f, who(seat), *count, *reshuffles, cards.as_deref()),
            Self::CardsPlayed { seat, cards } => write!(f, "{} plays {}.", who(seat), Commas(cards)),
            Self::Invaded { seat, target, origin, areas, armies } => invaded(f, who(seat), *target, *origin, areas, *armies),
            Self::ArmiesPlaced { seat, province, armies } => write!(f, "{} places {} in {province}.", who(seat), Count(*armies, "army")),
            Self::ArmiesRemoved { seat, province, armies, mercenaries } => write!(f, "{} takes {} back from {province}.", who(seat), units(*armies, *mercenaries)),
            Self::ShipsPlaced { seat, sea, ships } => write!(f, "{} places {} on {sea}.", who(seat), Count(*ships, "ship")),
            Self::ShipsRemoved { seat, sea, ships } => write!(f, "{} takes {} back from {sea}.", who(seat), Count(*ships, "ship")),
            Self::WarEnded { seat, province, end, strengths, winner } => {
                let sides = strengths.iter().map(|strength| strong(names, *strength));
                write!(f, "{} ends the war in {province} by {end} ({})", who(seat), Commas(sides))?;
                match winner {
                    Some(winner) => write!(f, ": {} wins.", side(names, *winner)),
                    None => f.write_str("."),
                }
            }
            Self::UnitsReturned { seat, province, armies, mercenaries } => write!(f, "{} gets {} back from {province}.", who(seat), units(*armies, *mercenaries)),
            Self::ProvinceCaptured { seat, province, loser: Some(loser), building, card_from } => write!(f, "{} captures {province} from {}{}; the card was {}.", who(seat), of(loser), Lost(*building), Lay(*card_from)),
            Self::ProvinceCaptured { seat, province, loser: None, .. } => write!(f, "{} captures {province}.", who(seat)),
            Self::ProvinceNotTaken { seat, province, loser: Some(loser), building, card_from } => write!(f, "{} has no town for {province}, which {} loses{}; the card was {}.", who(seat), of(loser), Lost(*building), Lay(*card_from)),
            Self::ProvinceNotTaken { seat, province, loser: None, .. } => write!(f, "{} has no town for {province}.", who(seat)),
            Self::UnitsBought { seat, armies, ships } => write!(f, "{} buys {}.", who(seat), fleet(*armies, *ships)),
            Self::CardDrafted { seat, card, from } => write!(f, "{} drafts {card} from the {from}.", who(seat)),
            Self::CardsReserved { seat, cards } => write!(f, "{} puts {} into the reserve.", who(seat), Commas(cards.iter())),
            Self::CardsDiscarded { seat, hand, reserve } => write!(f, "{} discards {}.", who(seat), Held(*hand, *reserve)),
            Self::CardsRemoved { seat, hand, reserve } => write!(f, "{} removes {}.", who(seat), Held(*hand, *reserve)),
            Self::CityBuilt { seat, province } => write!(f, "{} builds a city in {province}.", who(seat)),
            Self::CastleBuilt { seat, province } => write!(f, "{} builds a castle in {province}.", who(seat)),
            Self::RoadBuilt { seat, border } => write!(f, "{} builds the road {border}.", who(seat)),
            Self::TokenExchanged { seat, from } => write!(f, "{} exchanges a token of value {from} for one of value {}.", who(seat), from + 1),
            Self::PatronagePaid { seat } => write!(f, "{} is a patron of the arts.", who(seat)),
            Self::Passed { seat } => write!(f, "{} passes.", who(seat)),
            Self::ArmiesMoved { seat, moves } => write!(f, "{} moves {} by road.", who(seat), Commas(moves)),
            Self::ArmyRouted { seat, province, owner } => write!(f, "{} sends an army of {} home from {province}.", who(seat), of(owner)),
            Self::MercenariesHired { seat, province, count } => write!(f, "{} hires {} for {province}.", who(seat), Count(*count, "mercenary")),
            Self::ArmyRaised { seat } => write!(f, "{} raises an army from the pool.", who(seat)),
            Self::CardTakenBack { seat, card } => write!(f, "{} takes {card} back into the hand.", who(seat)),
            Self::ImprovementsInspected { seat, improvements: Some(improvements), .. } => write!(f, "{} looks at {}.", who(seat), Commas(improvements)),
            Self::ImprovementsInspected { seat, count, improvements: None } => write!(f, "{} looks at {}.", who(seat), Count(*count, "improvement")),
            Self::ImprovementTaken { seat, improvement: Some(improvement) } => write!(f, "{} takes {improvement} into the hand.", who(seat)),
            Self::ImprovementTaken { seat, improvement: None } => write!(f, "{} takes an improvement into the hand.", who(seat)),
            Self::TokenTaken { seat, token, source } => write!(f, "{} takes {token}, from the {source}.", who(seat)),
            Self::TokenDeclined { seat, token } => write!(f, "{} declines {token}.", who(seat)),
            Self::GameEnded { seat } => write!(f, "{} ends the game and wins.", who(seat)),
        }
    }
}

fn side(names: Names<'_>, side: Side) -> impl Display {
    fmt::from_fn(move |f| match side {
        Side::Neutral => f.write_str("the neutral side"),
        Side::Player(seat) => names.of(seat).fmt(f),
    })
}

fn strong(names: Names<'_>, strength: Strength) -> impl Display {
    fmt::from_fn(move |f| write!(f, "{} {}", side(names, strength.side), strength.strength))
}

impl Display for Purpose {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbol(symbol) => write!(f, "as {symbol}"),
            Self::Converted(converter, symbol) => write!(f, "as {symbol} by {converter}"),
            Self::Merchant => f.write_str("to trade"),
            Self::WaterMill => f.write_str("to double"),
            Self::Site => f.write_str("for its province"),
            Self::Portal => f.write_str("as gate"),
            Self::Transport => f.write_str("to sail"),
            Self::Ability => f.write_str("for its ability"),
        }
    }
}

impl Display for PlayedCard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { card, purpose, .. } = self;
        let from = if self.zone == Zone::Reserve {
            " from the reserve"
        } else {
            ""
        };
        write!(f, "{card}{from} {purpose}")
    }
}

impl Display for March {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let armies = Count(self.count, "army");
        write!(f, "{armies} from {} to {}", self.from, self.to)
    }
}

impl Display for SetupChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Discard(provinces) => write!(f, "to give away {}", Commas(provinces.iter())),
            Self::Citadel(province) => write!(f, "to place the citadel in {province}"),
        }
    }
}

impl Display for Token {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "a token of value {} for {}", self.value, self.card)?;
        match self.slot {
            Some(slot) => write!(f, ", {slot}"),
            None => Ok(()),
        }
    }
}

/// Cards of hand and reserve.
struct Held(CardSet, CardSet);

impl Display for Held {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(hand, reserve) = *self;
        write!(f, "{}", Commas(hand.iter()))?;
        if !hand.is_empty() && !reserve.is_empty() {
            f.write_str(" and ")?;
        }
        if !reserve.is_empty() {
            write!(f, "{} from the reserve", Commas(reserve.iter()))?;
        }
        Ok(())
    }
}

fn units(armies: u8, mercenaries: u8) -> impl Display {
    both(Count(armies, "army"), Count(mercenaries, "mercenary"))
}

fn fleet(armies: u8, ships: u8) -> impl Display {
    both(Count(armies, "army"), Count(ships, "ship"))
}

/// Two kinds of pieces; those there are.
fn both(one: Count<u8>, other: Count<u8>) -> impl Display {
    fmt::from_fn(move |f| match (one.0, other.0) {
        (_, 0) => write!(f, "{one}"),
        (0, _) => write!(f, "{other}"),
        (_, _) => write!(f, "{one} and {other}"),
    })
}

/// Where the card of a province lay.
struct Lay(Zone);

impl Display for Lay {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let preposition = match self.0 {
            Zone::Removed => "among",
            Zone::Display => "on",
            Zone::Hand | Zone::Deck | Zone::Discard | Zone::Reserve | Zone::ProvincePile => "in",
        };
        write!(f, "{preposition} the {}", self.0)
    }
}

/// A building that was lost.
struct Lost(Option<Building>);

impl Display for Lost {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0
            .map_or(Ok(()), |building| write!(f, " with its {building}"))
    }
}

fn drawn(
    f: &mut Formatter<'_>,
    who: impl Display,
    count: u8,
    reshuffles: u8,
    cards: Option<&[Card]>,
) -> fmt::Result {
    match cards {
        Some([]) => write!(f, "{who} draws nothing")?,
        Some(cards) => write!(f, "{who} draws {}", Commas(cards))?,
        None => write!(f, "{who} draws {}", Count(count, "card"))?,
    }
    f.write_str(if reshuffles > 0 {
        ", with the discard pile shuffled."
    } else {
        "."
    })
}

fn invaded(
    f: &mut Formatter<'_>,
    who: impl Display,
    target: Province,
    origin: Option<Province>,
    areas: &[Sea],
    armies: u8,
) -> fmt::Result {
    write!(f, "{who} invades {target}")?;
    match origin {
        Some(origin) => write!(f, " from {origin}")?,
        None => f.write_str(" by Portal")?,
    }
    if !areas.is_empty() {
        write!(f, " over {}", Commas(areas))?;
    }
    write!(f, " with {}.", Count(armies, "army"))
}
