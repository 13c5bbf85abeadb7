//! Each event as one English sentence.

use std::fmt::{self, Display, Formatter};

use super::{Event, Play, SeatResult, Source, Zone};
use crate::dominion::data::Card;
use crate::dominion::pending::Destination;
use crate::dominion::state::{Counters, Phase};
use crate::table::{Count, Who};

impl Display for Event {
    #[expect(
        clippy::too_many_lines,
        reason = "one plain table: a sentence for each event"
    )]
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameCreated {
                options,
                kingdom,
                first_player,
                ..
            } => write!(
                f,
                "The table is set for {} players; the kingdom is {}; {first_player} begins.",
                options.seats,
                List(kingdom)
            ),
            Self::TurnStarted { seat, turn_number } => {
                write!(f, "{} begins turn {turn_number}.", Who(*seat))
            }
            Self::PhaseChanged { seat, phase, .. } => {
                write!(f, "{} goes on to {}.", Who(*seat), phase_name(*phase))
            }
            Self::CardsDrawn { seat, count, cards } => {
                write!(
                    f,
                    "{} draws {}.",
                    Who(*seat),
                    Hidden(*count, cards.as_deref())
                )
            }
            Self::Shuffled { seat } => {
                write!(f, "{} shuffles a new draw pile.", Who(*seat))
            }
            Self::ActionPlayed {
                seat,
                card,
                play: Play::First,
                ..
            } => {
                write!(f, "{} plays {}.", Who(*seat), A(*card))
            }
            Self::ActionPlayed {
                seat,
                card,
                play: Play::Repeated,
                ..
            } => {
                write!(f, "{} plays the {card} again.", Who(*seat))
            }
            Self::Bonuses { seat, counters, .. } => {
                write!(f, "{} now has {}.", Who(*seat), Left(*counters))
            }
            Self::TreasuresPlayed {
                seat,
                cards,
                counters,
            } => {
                write!(
                    f,
                    "{} plays {} and has {}.",
                    Who(*seat),
                    List(cards),
                    Left(*counters)
                )
            }
            Self::CardGained {
                seat,
                card,
                price: Some(price),
                ..
            } => {
                write!(
                    f,
                    "{} buys {} for {}.",
                    Who(*seat),
                    A(*card),
                    Count(*price, "coin")
                )
            }
            Self::CardGained {
                seat,
                card,
                from,
                to,
                price: None,
            } => write!(
                f,
                "{} gains {} from the {} {}.",
                Who(*seat),
                A(*card),
                source_name(*from),
                destination_name(*to)
            ),
            Self::HandDiscarded {
                seat, count, cards, ..
            } => {
                write!(
                    f,
                    "{} discards {}.",
                    Who(*seat),
                    Hidden(*count, cards.as_deref())
                )
            }
            Self::CleanedUp {
                seat, count, cards, ..
            } => write!(
                f,
                "{} cleans up and discards {} from the hand.",
                Who(*seat),
                Hidden(*count, cards.as_deref())
            ),
            Self::CardsDiscarded { seat, cards } => {
                write!(f, "{} discards {}.", Who(*seat), List(cards))
            }
            Self::CardsTrashed { seat, cards, .. } => {
                write!(f, "{} loses {} to the trash.", Who(*seat), List(cards))
            }
            Self::CardsRevealed { seat, from, cards } => write!(
                f,
                "{} reveals {} from {}.",
                Who(*seat),
                List(cards),
                zone_name(*from)
            ),
            Self::RevealedTaken { seat, cards } => {
                write!(f, "{} takes {} into the hand.", Who(*seat), List(cards))
            }
            Self::CardTopdecked { seat, card, .. } => {
                write!(f, "{} puts {} on the draw pile.", Who(*seat), A(*card))
            }
            Self::ChancellorDecided {
                seat,
                discarded: true,
                ..
            } => {
                write!(
                    f,
                    "{} turns the draw pile over onto the discard pile.",
                    Who(*seat)
                )
            }
            Self::ChancellorDecided {
                seat,
                discarded: false,
                ..
            } => {
                write!(f, "{} keeps the draw pile.", Who(*seat))
            }
            Self::ReactionShown { seat, card } => {
                write!(f, "{} shows {} and is not touched.", Who(*seat), A(*card))
            }
            Self::ReactionDeclined { seat } => write!(f, "{} shows no Reaction.", Who(*seat)),
            Self::CardSetAside { seat, card } => {
                write!(f, "{} sets {} aside.", Who(*seat), A(*card))
            }
            Self::NothingChosen { seat, card } => {
                write!(f, "{} chooses nothing for the {card}.", Who(*seat))
            }
            Self::Stalemate => f.write_str("Nothing can change any more: the game ends."),
            Self::GameOver { results } => write!(f, "The game is over: {}.", Results(results)),
        }
    }
}

/// One card with its article.
struct A(Card);

impl Display for A {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let vowel = self.0.name().starts_with(['A', 'E', 'I', 'O', 'U']);
        let article = if vowel { "an" } else { "a" };
        write!(f, "{article} {}", self.0)
    }
}

/// Cards in order; equal neighbours are counted.
struct List<'a>(&'a [Card]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing");
        }
        for (place, run) in self.0.chunk_by(PartialEq::eq).enumerate() {
            if place > 0 {
                f.write_str(", ")?;
            }
            match run {
                [card] => write!(f, "{card}")?,
                [card, ..] => write!(f, "{} {card}", run.len())?,
                [] => {}
            }
        }
        Ok(())
    }
}

/// Cards that this viewer may see, or only how many there are.
struct Hidden<'a>(u16, Option<&'a [Card]>);

impl Display for Hidden<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(cards) => List(cards).fmt(f),
            None => Count(self.0, "card").fmt(f),
        }
    }
}

/// What is left of a turn.
struct Left(Counters);

impl Display for Left {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, {} and {}",
            Count(self.0.actions, "action"),
            Count(self.0.buys, "buy"),
            Count(self.0.coins, "coin")
        )
    }
}

struct Results<'a>(&'a [SeatResult]);

impl Display for Results<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (place, result) in self.0.iter().enumerate() {
            let comma = if place > 0 { ", " } else { "" };
            let points = Count(result.points, "point");
            let turns = Count(result.turns, "turn");
            write!(
                f,
                "{comma}rank {} for {} with {points} in {turns}",
                result.rank, result.seat
            )?;
        }
        Ok(())
    }
}

const fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Action => "the Action phase",
        Phase::Buy => "the Buy phase",
        Phase::GameOver => "the end of the game",
    }
}

const fn zone_name(zone: Zone) -> &'static str {
    match zone {
        Zone::Hand => "the hand",
        Zone::DrawPile => "the draw pile",
        Zone::InPlay => "play",
        Zone::Revealed => "the revealed cards",
    }
}

const fn source_name(source: Source) -> &'static str {
    match source {
        Source::Supply => "Supply",
        Source::Trash => "trash",
    }
}

const fn destination_name(destination: Destination) -> &'static str {
    match destination {
        Destination::DiscardPile => "onto the discard pile",
        Destination::Hand => "into the hand",
        Destination::DrawPile => "onto the draw pile",
    }
}

impl crate::table::Sentence for Event {
    fn say(&self, _names: crate::table::Names<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
