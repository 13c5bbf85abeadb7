//! Events as plain English sentences.

use std::fmt::{self, Display, Formatter, Write};

use super::{
    Building, Event, March, PlayedCard, Purpose, SetupChoice, Side, Strength, Token, Zone,
};
use crate::mythotopia::data::{Card, CardSet, Province, Sea};
use crate::table::{Commas, Count, Seat};

impl Display for Side {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Neutral => f.write_str("the neutral side"),
            Self::Player(seat) => write!(f, "{seat}"),
        }
    }
}

impl Display for Strength {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.side, self.strength)
    }
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
            Self::Discard(provinces) => write!(f, "to give away {provinces}"),
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
        write!(f, "{hand}")?;
        if !hand.is_empty() && !reserve.is_empty() {
            f.write_str(" and ")?;
        }
        if !reserve.is_empty() {
            write!(f, "{reserve} from the reserve")?;
        }
        Ok(())
    }
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut sentence = String::new();
        write_sentence(self, &mut sentence)?;
        let mut letters = sentence.chars();
        match letters.next() {
            Some(first) => write!(f, "{}{}", first.to_uppercase(), letters.as_str()),
            None => Ok(()),
        }
    }
}

#[rustfmt::skip]
fn write_sentence(event: &Event, f: &mut String) -> fmt::Result {
    use Event as E;
    match event {
        E::ProvincesDealt { seat, provinces } => write!(f, "{seat} is dealt {provinces}."),
        E::ImprovementsDisplayed { improvements } => write!(f, "on display are {}.", Commas(improvements.iter())),
        E::PointCardsLaidOut { cards } => write!(f, "in play are {}.", Commas(cards.iter())),
        E::DragonsPlaced { provinces } => write!(f, "dragons live in {provinces}."),
        E::RunestonesPlaced { provinces } => write!(f, "runestones stand in {provinces}."),
        E::SetupChosen { seat, choice: Some(choice) } => write!(f, "{seat} chooses {choice}."),
        E::SetupChosen { seat, choice: None } => write!(f, "{seat} has chosen."),
        E::ProvincesDiscarded { seat, provinces } => write!(f, "{seat} gives away {provinces}."),
        E::CitadelPlaced { seat, province } => write!(f, "{seat} has the citadel in {province}."),
        E::FirstPlayer { seat } => write!(f, "{seat} is the first player."),
        E::TurnBegan { seat } => write!(f, "{seat} begins a turn."),
        E::CardsDrawn { seat, count, reshuffles, cards } => drawn(f, *seat, *count, *reshuffles, cards.as_deref()),
        E::CardsPlayed { seat, cards } => write!(f, "{seat} plays {}.", Commas(cards.iter())),
        E::Invaded { seat, target, origin, areas, armies } => invaded(f, *seat, *target, *origin, areas, *armies),
        E::ArmiesPlaced { seat, province, armies } => write!(f, "{seat} places {} in {province}.", Count(*armies, "army")),
        E::ArmiesRemoved { seat, province, armies, mercenaries } => write!(f, "{seat} takes {} back from {province}.", Units(*armies, *mercenaries)),
        E::ShipsPlaced { seat, sea, ships } => write!(f, "{seat} places {} on {sea}.", Count(*ships, "ship")),
        E::ShipsRemoved { seat, sea, ships } => write!(f, "{seat} takes {} back from {sea}.", Count(*ships, "ship")),
        E::WarEnded { seat, province, end, strengths, winner: Some(winner) } => write!(f, "{seat} ends the war in {province} by {end} ({}): {winner} wins.", Commas(strengths.iter())),
        E::WarEnded { seat, province, end, strengths, winner: None } => write!(f, "{seat} ends the war in {province} by {end} ({}).", Commas(strengths.iter())),
        E::UnitsReturned { seat, province, armies, mercenaries } => write!(f, "{seat} gets {} back from {province}.", Units(*armies, *mercenaries)),
        E::ProvinceCaptured { seat, province, loser: Some(loser), building, card_from } => write!(f, "{seat} captures {province} from {loser}{}; the card was {}.", Lost(*building), Lay(*card_from)),
        E::ProvinceCaptured { seat, province, loser: None, .. } => write!(f, "{seat} captures {province}."),
        E::ProvinceNotTaken { seat, province, loser: Some(loser), building, card_from } => write!(f, "{seat} has no town for {province}, which {loser} loses{}; the card was {}.", Lost(*building), Lay(*card_from)),
        E::ProvinceNotTaken { seat, province, loser: None, .. } => write!(f, "{seat} has no town for {province}."),
        E::UnitsBought { seat, armies, ships } => write!(f, "{seat} buys {}.", Bought(*armies, *ships)),
        E::CardDrafted { seat, card, from } => write!(f, "{seat} drafts {card} from the {from}."),
        E::CardsReserved { seat, cards } => write!(f, "{seat} puts {cards} into the reserve."),
        E::CardsDiscarded { seat, hand, reserve } => write!(f, "{seat} discards {}.", Held(*hand, *reserve)),
        E::CardsRemoved { seat, hand, reserve } => write!(f, "{seat} removes {}.", Held(*hand, *reserve)),
        E::CityBuilt { seat, province } => write!(f, "{seat} builds a city in {province}."),
        E::CastleBuilt { seat, province } => write!(f, "{seat} builds a castle in {province}."),
        E::RoadBuilt { seat, border } => write!(f, "{seat} builds the road {border}."),
        E::TokenExchanged { seat, from } => write!(f, "{seat} exchanges a token of value {from} for one of value {}.", from + 1),
        E::PatronagePaid { seat } => write!(f, "{seat} is a patron of the arts."),
        E::Passed { seat } => write!(f, "{seat} passes."),
        E::ArmiesMoved { seat, moves } => write!(f, "{seat} moves {} by road.", Commas(moves.iter())),
        E::ArmyRouted { seat, province, owner } => write!(f, "{seat} sends an army of {owner} home from {province}."),
        E::MercenariesHired { seat, province, count } => write!(f, "{seat} hires {} for {province}.", Count(*count, "mercenary")),
        E::ArmyRaised { seat } => write!(f, "{seat} raises an army from the pool."),
        E::CardTakenBack { seat, card } => write!(f, "{seat} takes {card} back into the hand."),
        E::ImprovementsInspected { seat, improvements: Some(improvements), .. } => write!(f, "{seat} looks at {}.", Commas(improvements.iter())),
        E::ImprovementsInspected { seat, count, improvements: None } => write!(f, "{seat} looks at {}.", Count(*count, "improvement")),
        E::ImprovementTaken { seat, improvement: Some(improvement) } => write!(f, "{seat} takes {improvement} into the hand."),
        E::ImprovementTaken { seat, improvement: None } => write!(f, "{seat} takes an improvement into the hand."),
        E::TokenTaken { seat, token, source } => write!(f, "{seat} takes {token}, from the {}.", source.id()),
        E::TokenDeclined { seat, token } => write!(f, "{seat} declines {token}."),
        E::GameEnded { seat } => write!(f, "{seat} ends the game and wins."),
    }
}

/// Armies and mercenaries; those there are.
struct Units(u8, u8);

impl Display for Units {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        both(f, Count(self.0, "army"), Count(self.1, "mercenary"))
    }
}

/// Armies and ships; those there are.
struct Bought(u8, u8);

impl Display for Bought {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        both(f, Count(self.0, "army"), Count(self.1, "ship"))
    }
}

fn both(f: &mut Formatter<'_>, one: Count<u8>, other: Count<u8>) -> fmt::Result {
    match (one.0, other.0) {
        (_, 0) => write!(f, "{one}"),
        (0, _) => write!(f, "{other}"),
        (_, _) => write!(f, "{one} and {other}"),
    }
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
    f: &mut String,
    seat: Seat,
    count: u8,
    reshuffles: u8,
    cards: Option<&[Card]>,
) -> fmt::Result {
    match cards {
        Some([]) => write!(f, "{seat} draws nothing")?,
        Some(cards) => write!(f, "{seat} draws {}", Commas(cards.iter()))?,
        None => write!(f, "{seat} draws {}", Count(count, "card"))?,
    }
    f.write_str(if reshuffles > 0 {
        ", with the discard pile shuffled."
    } else {
        "."
    })
}

fn invaded(
    f: &mut String,
    seat: Seat,
    target: Province,
    origin: Option<Province>,
    areas: &[Sea],
    armies: u8,
) -> fmt::Result {
    write!(f, "{seat} invades {target}")?;
    match origin {
        Some(origin) => write!(f, " from {origin}")?,
        None => f.write_str(" by Portal")?,
    }
    if !areas.is_empty() {
        write!(f, " over {}", Commas(areas.iter()))?;
    }
    write!(f, " with {}.", Count(armies, "army"))
}

impl crate::table::Sentence for Event {
    fn say(&self, _names: crate::table::Names<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
