//! What happened, already cut to what its viewer may know.

use gamekeeper_rules::dominion::{
    Counters, Destination, Event, Phase, Pile, Play, SeatResult, Source, Zone,
};

use super::pb::{self, event::Kind};
use super::{ids, options};
use crate::names::{Name, names, numbers};
use crate::seat_number;

names! { Phase => pb::Phase { Action, Buy, GameOver } }
names! { Play => pb::Play { First, Repeated } }
names! { Source => pb::Source { Supply, Trash } }
names! { Destination => pb::Destination { DiscardPile, Hand, DrawPile } }
names! { Zone => pb::Zone { Hand, DrawPile, InPlay, Revealed } }

pub(super) fn message(event: &Event, text: Option<String>) -> pb::Event {
    pb::Event {
        text: text.unwrap_or_default(),
        kind: Some(kind(event)),
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each event"
)]
fn kind(event: &Event) -> Kind {
    match event {
        Event::GameCreated {
            options,
            kingdom,
            supply,
            first_player,
        } => Kind::GameCreated(pb::GameCreated {
            options: Some(options::message(options)),
            kingdom: numbers(kingdom),
            supply: piles(supply),
            first_player: seat_number(*first_player),
        }),
        Event::TurnStarted { seat, turn_number } => Kind::TurnStarted(pb::TurnStarted {
            seat: seat_number(*seat),
            turn_number: *turn_number,
        }),
        Event::PhaseChanged {
            seat,
            turn_number,
            phase,
        } => Kind::PhaseChanged(pb::PhaseChanged {
            seat: seat_number(*seat),
            turn_number: *turn_number,
            phase: phase.number(),
        }),
        Event::CardsDrawn { seat, count, cards } => Kind::CardsDrawn(pb::CardsDrawn {
            seat: seat_number(*seat),
            count: u32::from(*count),
            cards: cards.as_deref().map(ids::list),
        }),
        Event::Shuffled { seat } => Kind::Shuffled(pb::Shuffled {
            seat: seat_number(*seat),
        }),
        Event::ActionPlayed {
            seat,
            card,
            play,
            counters,
        } => Kind::ActionPlayed(pb::ActionPlayed {
            seat: seat_number(*seat),
            card: card.number(),
            play: play.number(),
            counters: Some(counters_message(*counters)),
        }),
        Event::Bonuses {
            seat,
            card,
            counters,
        } => Kind::Bonuses(pb::Bonuses {
            seat: seat_number(*seat),
            card: card.number(),
            counters: Some(counters_message(*counters)),
        }),
        Event::TreasuresPlayed {
            seat,
            cards,
            counters,
        } => Kind::TreasuresPlayed(pb::TreasuresPlayed {
            seat: seat_number(*seat),
            cards: numbers(cards),
            counters: Some(counters_message(*counters)),
        }),
        Event::CardGained {
            seat,
            card,
            from,
            to,
            price,
        } => Kind::CardGained(pb::CardGained {
            seat: seat_number(*seat),
            card: card.number(),
            source: from.number(),
            destination: to.number(),
            price: price.map(u32::from),
        }),
        Event::HandDiscarded {
            seat,
            count,
            discard_top,
            cards,
        } => Kind::HandDiscarded(pb::HandDiscarded {
            seat: seat_number(*seat),
            count: u32::from(*count),
            discard_top: discard_top.map(Name::number),
            cards: cards.as_deref().map(ids::list),
        }),
        Event::CleanedUp {
            seat,
            count,
            discard_top,
            cards,
        } => Kind::CleanedUp(pb::CleanedUp {
            seat: seat_number(*seat),
            count: u32::from(*count),
            discard_top: discard_top.map(Name::number),
            cards: cards.as_deref().map(ids::list),
        }),
        Event::CardsDiscarded { seat, cards } => Kind::CardsDiscarded(pb::CardsDiscarded {
            seat: seat_number(*seat),
            cards: numbers(cards),
        }),
        Event::CardsTrashed { seat, from, cards } => Kind::CardsTrashed(pb::CardsTrashed {
            seat: seat_number(*seat),
            zone: from.number(),
            cards: numbers(cards),
        }),
        Event::CardsRevealed { seat, from, cards } => Kind::CardsRevealed(pb::CardsRevealed {
            seat: seat_number(*seat),
            zone: from.number(),
            cards: numbers(cards),
        }),
        Event::RevealedTaken { seat, cards } => Kind::RevealedTaken(pb::RevealedTaken {
            seat: seat_number(*seat),
            cards: numbers(cards),
        }),
        Event::CardTopdecked { seat, from, card } => Kind::CardTopdecked(pb::CardTopdecked {
            seat: seat_number(*seat),
            zone: from.number(),
            card: card.number(),
        }),
        Event::ChancellorDecided {
            seat,
            discarded,
            discard_top,
            count,
        } => Kind::ChancellorDecided(pb::ChancellorDecided {
            seat: seat_number(*seat),
            discarded: *discarded,
            discard_top: discard_top.map(Name::number),
            count: count.map(u32::from),
        }),
        Event::ReactionShown { seat, card } => Kind::ReactionShown(pb::ReactionShown {
            seat: seat_number(*seat),
            card: card.number(),
        }),
        Event::ReactionDeclined { seat } => Kind::ReactionDeclined(pb::ReactionDeclined {
            seat: seat_number(*seat),
        }),
        Event::CardSetAside { seat, card } => Kind::CardSetAside(pb::CardSetAside {
            seat: seat_number(*seat),
            card: card.number(),
        }),
        Event::NothingChosen { seat, card } => Kind::NothingChosen(pb::NothingChosen {
            seat: seat_number(*seat),
            card: card.number(),
        }),
        Event::Stalemate => Kind::Stalemate(pb::Stalemate {}),
        Event::GameOver { results } => Kind::GameOver(pb::GameOver {
            results: results_message(results),
        }),
    }
}

pub(super) fn counters_message(counters: Counters) -> pb::Counters {
    pb::Counters {
        actions: u32::from(counters.actions),
        buys: u32::from(counters.buys),
        coins: u32::from(counters.coins),
    }
}

pub(super) fn piles(piles: &[Pile]) -> Vec<pb::Pile> {
    let pile = |pile: &Pile| pb::Pile {
        card: pile.card.number(),
        count: u32::from(pile.count),
    };
    piles.iter().map(pile).collect()
}

pub(super) fn results_message(results: &[SeatResult]) -> Vec<pb::SeatResult> {
    let result = |result: &SeatResult| pb::SeatResult {
        seat: seat_number(result.seat),
        rank: u32::from(result.rank),
        points: result.points,
        turns: result.turns,
        cards: piles(&result.cards),
    };
    results.iter().map(result).collect()
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::{Card, Kingdom, KingdomSet, Options};
    use gamekeeper_rules::table::Seat;

    use super::*;
    use crate::contract::check_kinds;
    use crate::names::tests::check_names;

    const SEAT: Seat = Seat::FIRST;
    const CARD: Card = Card::Spy;
    const COUNTERS: Counters = Counters {
        actions: 1,
        buys: 2,
        coins: 3,
    };

    fn options() -> Options {
        Options {
            seats: 2,
            kingdom: Kingdom::Random,
            first_player: None,
            strict_secrecy: true,
        }
    }

    fn turns() -> Vec<Event> {
        let (seat, card, counters, cards) = (SEAT, CARD, COUNTERS, vec![CARD]);
        vec![
            Event::GameCreated {
                options: options(),
                kingdom: KingdomSet::BigMoney.cards(),
                supply: vec![Pile { card, count: 10 }],
                first_player: seat,
            },
            Event::TurnStarted {
                seat,
                turn_number: 7,
            },
            Event::PhaseChanged {
                seat,
                turn_number: 7,
                phase: Phase::Buy,
            },
            Event::CardsDrawn {
                seat,
                count: 1,
                cards: Some(cards.clone()),
            },
            Event::Shuffled { seat },
            Event::ActionPlayed {
                seat,
                card,
                play: Play::Repeated,
                counters,
            },
            Event::Bonuses {
                seat,
                card,
                counters,
            },
            Event::TreasuresPlayed {
                seat,
                cards,
                counters,
            },
        ]
    }

    fn cards() -> Vec<Event> {
        let (seat, card, discard_top) = (SEAT, CARD, Some(CARD));
        let cards = || vec![card, Card::Copper];
        let (from, to) = (Source::Trash, Destination::DrawPile);
        vec![
            Event::CardGained {
                seat,
                card,
                from,
                to,
                price: None,
            },
            Event::HandDiscarded {
                seat,
                count: 2,
                discard_top,
                cards: Some(cards()),
            },
            Event::CleanedUp {
                seat,
                count: 2,
                discard_top,
                cards: Some(cards()),
            },
            Event::CardsDiscarded {
                seat,
                cards: cards(),
            },
            Event::CardsTrashed {
                seat,
                from: Zone::InPlay,
                cards: cards(),
            },
            Event::CardsRevealed {
                seat,
                from: Zone::Hand,
                cards: cards(),
            },
            Event::RevealedTaken {
                seat,
                cards: cards(),
            },
            Event::CardTopdecked {
                seat,
                from: Zone::Revealed,
                card,
            },
            Event::ChancellorDecided {
                seat,
                discarded: true,
                discard_top,
                count: Some(9),
            },
            Event::ReactionShown { seat, card },
            Event::ReactionDeclined { seat },
            Event::CardSetAside { seat, card },
            Event::Stalemate,
            Event::GameOver { results: vec![] },
            Event::NothingChosen { seat, card },
        ]
    }

    #[test]
    fn every_kind_of_the_contract_is_sent() {
        let events = turns().into_iter().chain(cards());
        let sent: Vec<_> = events.map(|event| message(&event, None)).collect();
        check_kinds("gamekeeper.dominion.v1", "Event", &sent);
    }

    #[test]
    fn names_keep_their_order() {
        check_names(&[Phase::Action, Phase::Buy, Phase::GameOver]);
        check_names(&[Play::First, Play::Repeated]);
        check_names(&[Source::Supply, Source::Trash]);
        check_names(&[
            Destination::DiscardPile,
            Destination::Hand,
            Destination::DrawPile,
        ]);
        check_names(&[Zone::Hand, Zone::DrawPile, Zone::InPlay, Zone::Revealed]);
    }

    #[test]
    fn a_text_is_carried_when_given() {
        let event = Event::Shuffled { seat: SEAT };
        assert_eq!(message(&event, None).text, "");
        assert_eq!(
            message(&event, Some(event.to_string())).text,
            event.to_string()
        );
    }

    #[test]
    fn hidden_cards_differ_from_no_cards() {
        let drawn = |cards| {
            kind(&Event::CardsDrawn {
                seat: SEAT,
                count: 2,
                cards,
            })
        };
        let expected = |cards| {
            Kind::CardsDrawn(pb::CardsDrawn {
                seat: 1,
                count: 2,
                cards,
            })
        };
        let shown = pb::CardList {
            cards: vec![pb::Card::Gold as i32, pb::Card::Copper as i32],
        };
        assert_eq!(drawn(None), expected(None));
        assert_eq!(drawn(Some(vec![])), expected(Some(pb::CardList::default())));
        assert_eq!(
            drawn(Some(vec![Card::Gold, Card::Copper])),
            expected(Some(shown))
        );
    }

    #[test]
    fn a_gain_field_by_field() {
        let gain = |price| Event::CardGained {
            seat: Seat::at(1),
            card: Card::Silver,
            from: Source::Supply,
            to: Destination::Hand,
            price,
        };
        let expected = pb::CardGained {
            seat: 2,
            card: pb::Card::Silver as i32,
            source: pb::Source::Supply as i32,
            destination: pb::Destination::Hand as i32,
            price: None,
        };
        assert_eq!(kind(&gain(None)), Kind::CardGained(expected));
        let bought = pb::CardGained {
            price: Some(0),
            ..expected
        };
        assert_eq!(
            kind(&gain(Some(0))),
            Kind::CardGained(bought),
            "free is not unpaid"
        );
    }

    #[test]
    fn a_result_field_by_field() {
        let result = SeatResult {
            seat: Seat::at(3),
            rank: 2,
            points: -4,
            turns: 17,
            cards: vec![Pile {
                card: Card::Curse,
                count: 7,
            }],
        };
        let expected = pb::SeatResult {
            seat: 4,
            rank: 2,
            points: -4,
            turns: 17,
            cards: vec![pb::Pile {
                card: pb::Card::Curse as i32,
                count: 7,
            }],
        };
        assert_eq!(results_message(&[result]), [expected]);
    }
}
