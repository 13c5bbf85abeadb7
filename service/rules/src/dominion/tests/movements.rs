//! Movements of events, as their viewers may know them.

use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::dominion::components::{card, draw_pile, hand};
use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::event::Event;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Movement, Seat, Viewer};

/// Others see that cards go to a hand, and how many, but not which (DOM-13.7).
#[test]
fn hidden_cards_move_without_their_names() {
    let seat = Seat::at(0);
    let cards = Some(vec![Card::Copper, Card::Estate, Card::Copper]);
    let drawn = Event::CardsDrawn {
        seat,
        count: 3,
        cards,
    };
    let seen = |viewer| Dominion::event_movements(&Dominion::event_view(&drawn, viewer).unwrap());
    let moved = |movement: Movement| movement.leaving(draw_pile(seat)).reaching(hand(seat));
    let [copper, estate] = [(Card::Copper, 2_u8), (Card::Estate, 1)]
        .map(|(kind, count)| moved(Movement::of(card(kind), count)));
    assert_eq!(seen(Viewer::Seat(seat)), [copper, estate]);
    for other in [Viewer::Seat(Seat::at(1)), Viewer::Spectator] {
        assert_eq!(seen(other), [moved(Movement::unnamed(3_u8))]);
    }
}
