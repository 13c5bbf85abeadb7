//! What happened, with all facts, and each event as one English sentence. Who may know what of an
//! event is in `view.rs`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::data::{Card, KINGDOM_SIZE, Pile};
use super::options::Options;
use super::stage::{Counters, Destination, Phase, Playing};
use crate::table::{Commas, Count, Names, Seat, Sentence, ids};

ids! {
    /// Where a gained card comes from (DOM-13.7).
    Source {
        Supply "supply" "Supply",
        Trash "trash",
    }
}

ids! {
    /// Where cards lay before they moved.
    Zone {
        Hand "hand" "the hand",
        DrawPile "draw_pile" "the draw pile",
        InPlay "in_play" "play",
        /// Shown from the draw pile and held by the effect (Spy, Thief).
        Revealed "revealed" "the revealed cards",
    }
}

/// The result of one seat at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SeatResult {
    pub seat: Seat,
    /// From 1; equal results share a rank.
    pub rank: u8,
    pub points: i32,
    pub turns: u32,
    /// All cards owned, in canonical order.
    pub cards: Vec<Pile>,
}

/// Something that happened. A field that some viewers may not know is an `Option`: `None` when it
/// is hidden from this viewer. Cards are in the order of moving, those of a whole hand in canonical
/// order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Event {
    /// The table is set.
    GameCreated {
        options: Options,
        kingdom: [Card; KINGDOM_SIZE],
        supply: Vec<Pile>,
        first_player: Seat,
    },
    /// A turn begins, in its Action phase.
    TurnStarted {
        seat: Seat,
        /// In the game, from 1.
        turn_number: u32,
    },
    PhaseChanged {
        seat: Seat,
        turn_number: u32,
        phase: Phase,
    },
    /// Cards were drawn, for any reason.
    CardsDrawn {
        seat: Seat,
        count: u16,
        /// For their owner only.
        cards: Option<Vec<Card>>,
    },
    /// A discard pile, or at the beginning a starting deck, was shuffled and is the draw pile now.
    Shuffled { seat: Seat },
    /// An Action card is played; the counters are those before its bonuses (DOM-14.9).
    ActionPlayed {
        seat: Seat,
        card: Card,
        play: Playing,
        counters: Counters,
    },
    /// The bonuses of a card changed what is left of the turn (DOM-14.9).
    Bonuses {
        seat: Seat,
        card: Card,
        counters: Counters,
    },
    TreasuresPlayed {
        seat: Seat,
        cards: Vec<Card>,
        counters: Counters,
    },
    /// A card was bought or gained.
    CardGained {
        seat: Seat,
        card: Card,
        source: Source,
        destination: Destination,
        /// For purchases only (DOM-14.9).
        price: Option<u8>,
    },
    /// Cards were discarded from the hand by Cellar or Militia.
    HandDiscarded {
        seat: Seat,
        count: u16,
        discard_top: Option<Card>,
        /// For their owner only.
        cards: Option<Vec<Card>>,
    },
    /// Hand and played cards went to the discard pile at the end of a turn.
    CleanedUp {
        seat: Seat,
        /// Cards of the hand.
        count: u16,
        discard_top: Option<Card>,
        /// Cards of the hand, for their owner only.
        cards: Option<Vec<Card>>,
    },
    /// Revealed or set-aside cards were discarded.
    CardsDiscarded { seat: Seat, cards: Vec<Card> },
    CardsTrashed {
        /// The former owner (DOM-14.9).
        seat: Seat,
        zone: Zone,
        cards: Vec<Card>,
    },
    /// Cards were shown to everybody. Cards of the hand stay there.
    CardsRevealed {
        seat: Seat,
        zone: Zone,
        cards: Vec<Card>,
    },
    /// Revealed Treasures went to the hand (Adventurer).
    RevealedTaken { seat: Seat, cards: Vec<Card> },
    /// A revealed card was put on its owner's draw pile (Bureaucrat, Spy).
    CardTopdecked { seat: Seat, zone: Zone, card: Card },
    ChancellorDecided {
        seat: Seat,
        /// The draw pile went to the discard pile.
        discarded: bool,
        discard_top: Option<Card>,
        /// Cards turned over; for their owner only.
        count: Option<u16>,
    },
    /// A Reaction card was shown: this play of the Attack does not touch its owner.
    ReactionShown { seat: Seat, card: Card },
    /// No Reaction card was shown; known to the player alone.
    ReactionDeclined { seat: Seat },
    /// Library: a card was set aside, face up.
    CardSetAside { seat: Seat, card: Card },
    /// Nothing can ever change again (DOM-14.1).
    Stalemate,
    GameOver {
        /// Best rank first.
        results: Vec<SeatResult>,
    },
    /// A card asked its player to choose, and nothing was chosen: there was nothing to choose from
    /// (DOM-13.8), or nothing was wanted. The last variant, since logs know variants by their place.
    NothingChosen { seat: Seat, card: Card },
}

impl Sentence for Event {
    #[expect(
        clippy::too_many_lines,
        reason = "one plain table: a sentence for each event"
    )]
    fn say(&self, names: Names<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = |seat: &Seat| names.who(*seat);
        match self {
            Self::GameCreated {
                options,
                kingdom,
                first_player,
                ..
            } => write!(
                f,
                "The table is set for {} players; the kingdom is {}; {} begins.",
                options.seats,
                List(kingdom),
                names.of(*first_player)
            ),
            Self::TurnStarted { seat, turn_number } => {
                write!(f, "{} begins turn {turn_number}.", who(seat))
            }
            Self::PhaseChanged { seat, phase, .. } => {
                write!(f, "{} goes on to the {phase}.", who(seat))
            }
            Self::CardsDrawn { seat, count, cards } => {
                write!(f, "{} draws {}.", who(seat), Hidden(*count, cards))
            }
            Self::Shuffled { seat } => write!(f, "{} shuffles a new draw pile.", who(seat)),
            Self::ActionPlayed {
                seat, card, play, ..
            } => match play {
                Playing::First => write!(f, "{} plays {}.", who(seat), card.a()),
                Playing::Repeated => write!(f, "{} plays the {card} again.", who(seat)),
            },
            Self::Bonuses { seat, counters, .. } => {
                write!(f, "{} now has {}.", who(seat), Left(*counters))
            }
            Self::TreasuresPlayed {
                seat,
                cards,
                counters,
            } => write!(
                f,
                "{} plays {} and has {}.",
                who(seat),
                List(cards),
                Left(*counters)
            ),
            Self::CardGained {
                seat,
                card,
                price: Some(price),
                ..
            } => {
                let price = Count(*price, "coin");
                write!(f, "{} buys {} for {price}.", who(seat), card.a())
            }
            Self::CardGained {
                seat,
                card,
                source,
                destination,
                price: None,
            } => write!(
                f,
                "{} gains {} from the {source} {destination}.",
                who(seat),
                card.a()
            ),
            Self::HandDiscarded {
                seat, count, cards, ..
            } => write!(f, "{} discards {}.", who(seat), Hidden(*count, cards)),
            Self::CleanedUp {
                seat, count, cards, ..
            } => write!(
                f,
                "{} cleans up and discards {} from the hand.",
                who(seat),
                Hidden(*count, cards)
            ),
            Self::CardsDiscarded { seat, cards } => {
                write!(f, "{} discards {}.", who(seat), List(cards))
            }
            Self::CardsTrashed { seat, cards, .. } => {
                write!(f, "{} loses {} to the trash.", who(seat), List(cards))
            }
            Self::CardsRevealed { seat, zone, cards } => {
                write!(f, "{} reveals {} from {zone}.", who(seat), List(cards))
            }
            Self::RevealedTaken { seat, cards } => {
                write!(f, "{} takes {} into the hand.", who(seat), List(cards))
            }
            Self::CardTopdecked { seat, card, .. } => {
                write!(f, "{} puts {} on the draw pile.", who(seat), card.a())
            }
            Self::ChancellorDecided {
                seat, discarded, ..
            } => {
                let deed = if *discarded {
                    "turns the draw pile over onto the discard pile"
                } else {
                    "keeps the draw pile"
                };
                write!(f, "{} {deed}.", who(seat))
            }
            Self::ReactionShown { seat, card } => {
                write!(f, "{} shows {} and is not touched.", who(seat), card.a())
            }
            Self::ReactionDeclined { seat } => write!(f, "{} shows no Reaction.", who(seat)),
            Self::CardSetAside { seat, card } => {
                write!(f, "{} sets {} aside.", who(seat), card.a())
            }
            Self::Stalemate => f.write_str("Nothing can change any more: the game ends."),
            Self::GameOver { results } => {
                let result = |result| fmt::from_fn(move |f| say_result(result, names, f));
                write!(
                    f,
                    "The game is over: {}.",
                    Commas(results.iter().map(result))
                )
            }
            Self::NothingChosen { seat, card } => {
                write!(f, "{} chooses nothing for the {card}.", who(seat))
            }
        }
    }
}

fn say_result(result: &SeatResult, names: Names<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let points = Count(result.points, "point");
    let turns = Count(result.turns, "turn");
    write!(
        f,
        "rank {} for {} with {points} in {turns}",
        result.rank,
        names.of(result.seat)
    )
}

/// Cards in order; equal neighbors are counted: `2 Copper, Estate`.
struct List<'a>(&'a [Card]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = |run: &'_ [Card]| {
            let (card, count) = (run[0], run.len());
            fmt::from_fn(move |f| match count {
                1 => write!(f, "{card}"),
                _ => write!(f, "{count} {card}"),
            })
        };
        if self.0.is_empty() {
            return f.write_str("nothing");
        }
        Commas(self.0.chunk_by(PartialEq::eq).map(run)).fmt(f)
    }
}

/// Cards that this viewer may see, or only how many there are.
struct Hidden<'a>(u16, &'a Option<Vec<Card>>);

impl fmt::Display for Hidden<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(cards) => List(cards).fmt(f),
            None => Count(self.0, "card").fmt(f),
        }
    }
}

/// What is left of a turn.
struct Left(Counters);

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counters {
            actions,
            buys,
            coins,
        } = self.0;
        write!(
            f,
            "{}, {} and {}",
            Count(actions, "action"),
            Count(buys, "buy"),
            Count(coins, "coin")
        )
    }
}
