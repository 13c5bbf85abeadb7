//! Events, each with its sentence and with what only one seat knows of it (DOM-13.7).
//!
//! Cards of hands and draw piles are revealed (DOM-13). The end of an effect also reveals information: the Action
//! phase goes on only while the hand holds Action cards. So of Dominion's actions, only ending the Action phase and
//! buying reveal nothing.

use std::fmt;

use super::data::{Card, CardType, KINGDOM_SIZE, List, Pile, grouped};
use super::options::Options;
use super::stage::{Counters, Destination, Phase, Playing};
use crate::table::{Count, JoinAnd, Seat, events, ids};

ids! {
    /// The source of a gained card (DOM-13.7).
    Source {
        Supply "supply" "Supply",
        Trash "trash",
    }
}

ids! {
    /// The zone of cards before they moved.
    Zone {
        Hand "hand",
        DrawPile "draw_pile" "the draw pile",
        InPlay "in_play" "play",
        /// Shown from the draw pile and held by the effect (Spy, Thief).
        Revealed "revealed" "the revealed cards",
    }
}

events! {
    /// One event. A field that some viewers may not know is an `Option`, and is `None` for viewers from whom it is
    /// hidden. Cards are in the order in which they move, those of a whole hand in canonical order. Most sentences
    /// count equal cards; those about revealed cards keep their order.
    Event, names {
        /// The table is set.
        GameCreated {
            options: Options, kingdom: [Card; KINGDOM_SIZE], supply: Vec<Pile>, first_player: Seat,
        } =>
            "The table is set for {}. The kingdom cards are {}. {} begins.",
            JoinAnd(Seat::all(usize::from(options.seats)).map(|seat| names.of(seat))), JoinAnd(kingdom),
            names.who(*first_player);
        /// A turn begins, in its Action phase. Turns of the game are numbered from 1.
        TurnStarted { seat: Seat, turn_number: u32 } =>
            "{} begins turn {turn_number}.", names.who(*seat);
        PhaseChanged { seat: Seat, turn_number: u32, phase: Phase } =>
            "{} moves on to the {phase}.", names.who(*seat);
        /// Cards were drawn, for any reason. Only their owner knows them.
        CardsDrawn { seat: Seat, count: u16, cards: Option<Vec<Card>> } secret(cards of seat) reveals(true) =>
            "{} draws {}.", names.who(*seat), Hidden(*count, cards);
        /// A discard pile, or at the start a starting deck, was shuffled and is now the draw pile.
        Shuffled { seat: Seat } => "{} shuffles a new draw pile.", names.who(*seat);
        /// An Action card is played; the counters are those before its bonuses (DOM-14.9). Library asks about a card of the
        /// draw pile before an event shows it.
        ActionPlayed {
            seat: Seat, card: Card, play: Playing, counters: Counters,
        } reveals(true, except seat if !card.is(CardType::Attack) && *card != Card::Library) =>
            "{} plays {}.", names.who(*seat), match play {
                Playing::First => card.a().to_string(),
                Playing::Repeated => format!("the {card} again"),
            };
        /// The bonuses of a card changed the remaining actions, buys and coins of the turn (DOM-14.9).
        Bonuses { seat: Seat, card: Card, counters: Counters } =>
            "{} now has {}.", names.who(*seat), Left(*counters);
        TreasuresPlayed { seat: Seat, cards: Vec<Card>, counters: Counters } reveals(true, except seat) =>
            "{} plays {}, and now has {}.", names.who(*seat), grouped(cards), Left(*counters);
        /// A card was bought or gained; only purchases have a price (DOM-14.9).
        CardGained {
            seat: Seat, card: Card, source: Source, destination: Destination, price: Option<u8>,
        } reveals(price.is_none(), except seat) =>
            "{} {}.", names.who(*seat), match price {
                Some(price) => format!("buys {} for {}", card.a(), Count(*price, "coin")),
                None => format!("gains {}{}{}", card.a(), from(*source), to(*destination)),
            };
        /// Cards were discarded from the hand by Cellar or Militia. Only their owner knows them all.
        HandDiscarded {
            seat: Seat, count: u16, discard_top: Option<Card>, cards: Option<Vec<Card>>,
        } secret(cards of seat) reveals(true) =>
            "{} discards {}.", names.who(*seat), Hidden(*count, cards);
        /// Hand and played cards went to the discard pile at the end of a turn. The event has the cards
        /// of the hand; only their owner knows all of them.
        CleanedUp {
            seat: Seat, count: u16, discard_top: Option<Card>, cards: Option<Vec<Card>>,
        } secret(cards of seat) reveals(true, except seat) =>
            "{} cleans up{}.", names.who(*seat), match count {
                0 => String::new(),
                _ => format!(" and discards {}", Hidden(*count, cards)),
            };
        /// Revealed or set-aside cards were discarded.
        CardsDiscarded { seat: Seat, cards: Vec<Card> } reveals(true) =>
            "{} discards {}.", names.who(*seat), grouped(cards);
        /// Cards were trashed. The seat is that of the former owner (DOM-14.9).
        CardsTrashed {
            seat: Seat, zone: Zone, cards: Vec<Card>,
        } reveals(true, except seat if *zone != Zone::Revealed) =>
            "{} {}.", names.who(*seat), match zone {
                Zone::Hand | Zone::InPlay => format!("trashes {}", grouped(cards)),
                Zone::DrawPile | Zone::Revealed => format!("loses {} to the trash", grouped(cards)),
            };
        /// Cards were shown to everybody. Cards of the hand stay there.
        CardsRevealed { seat: Seat, zone: Zone, cards: Vec<Card> } reveals(true) =>
            "{} reveals {}.", names.who(*seat), match cards[..] {
                [] => String::from("an empty hand"),
                _ => format!("{} from {zone}", List(cards)),
            };
        /// Revealed Treasures went to the hand (Adventurer).
        RevealedTaken { seat: Seat, cards: Vec<Card> } reveals(true) =>
            "{} puts {} into their hand.", names.who(*seat), grouped(cards);
        /// A revealed card was put on its owner's draw pile (Bureaucrat, Spy).
        CardTopdecked { seat: Seat, zone: Zone, card: Card } reveals(true) =>
            "{} puts {} {}on the draw pile.", names.who(*seat), card.a(), match zone {
                Zone::DrawPile | Zone::Revealed => "back ",
                Zone::Hand | Zone::InPlay => "",
            };
        /// Only their owner knows how many cards were discarded.
        ChancellorDecided {
            seat: Seat, discarded: bool, discard_top: Option<Card>, count: Option<u16>,
        } secret(count of seat) reveals(true) =>
            "{} {}.", names.who(*seat), if *discarded {
                "turns the draw pile over onto the discard pile"
            } else {
                "keeps the draw pile"
            };
        /// A Reaction card was shown: this play of the Attack does not touch its owner.
        ReactionShown { seat: Seat, card: Card } reveals(true) =>
            "{} shows {} and is not affected.", names.who(*seat), card.a();
        ReactionDeclined { seat: Seat } known_to(seat) reveals(true) =>
            "{} shows no Reaction.", names.who(*seat);
        /// Library: a card was set aside, face up.
        CardSetAside { seat: Seat, card: Card } reveals(true) =>
            "{} sets {} aside.", names.who(*seat), card.a();
        /// DOM-14.1.
        Stalemate => "Nothing can change anymore, so the game ends.";
        /// A card asked its player to choose, and the player chose nothing: either no card could be chosen (DOM-13.8),
        /// or none was wanted.
        NothingChosen { seat: Seat, card: Card } reveals(true, except seat) =>
            "{} chooses no card for the {card}.", names.who(*seat);
        /// Spy: a player decided about a revealed card (DOM-7.19). A further event moves the card.
        SpyDecided { seat: Seat, owner: Seat, card: Card, discarded: bool } reveals(true) =>
            "{} decides that {} {card} {}.", names.who(*seat), match seat == owner {
                true => String::from("their own"),
                false => format!("{}'s", names.of(*owner)),
            }, if *discarded { "is discarded" } else { "goes back" };
    }
}

/// A card comes from the supply unless the sentence says otherwise.
const fn from(source: Source) -> &'static str {
    match source {
        Source::Supply => "",
        Source::Trash => " from the trash",
    }
}

/// A gained card goes onto the discard pile unless the sentence says otherwise.
const fn to(destination: Destination) -> &'static str {
    match destination {
        Destination::DiscardPile => "",
        Destination::Hand => " into their hand",
        Destination::DrawPile => " onto their draw pile",
    }
}

/// Displays cards that this viewer may see, or only their number.
struct Hidden<'a>(u16, &'a Option<Vec<Card>>);

impl fmt::Display for Hidden<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(cards) => grouped(cards).fmt(f),
            None if self.0 == 0 => f.write_str("nothing"),
            None => Count(self.0, "card").fmt(f),
        }
    }
}

/// Displays the remaining actions, buys and coins of a turn.
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
