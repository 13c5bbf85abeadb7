//! **Double-entry bookkeeping**: the events alone determine the zone of every card.

use crate::dominion::data::Card;
use crate::dominion::event::{Event, Zone};
use crate::dominion::stage::{Destination, EffectFrame, Playing};
use crate::dominion::state::Cards;
use crate::dominion::state::State;
use crate::table::{Fault, PerSeat, Seat};

/// The zones of one player. The order of the draw pile is not tracked.
#[derive(Clone, Debug, Default, PartialEq)]
struct Zones {
    hand: Cards,
    draw_pile: Cards,
    discard_pile: Cards,
    in_play: Cards,
    /// Cards that are revealed or set aside.
    in_effect: Cards,
}

/// Checks that the books of `before` and the events together give the table `after` them.
pub fn balance(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
    let mut books = zones(before);
    for event in events {
        book(&mut books, event)?;
    }
    let actual = zones(after);
    Fault::unless(books == actual, "ledger", || {
        format!("the events give {books:?}, on the table lies {actual:?}")
    })
}

fn zones(state: &State) -> PerSeat<Zones> {
    PerSeat::new(state.seats(), |seat| {
        let player = &state.players[seat];
        let active = seat == state.turn.active;
        let mut zones = Zones {
            hand: player.hand,
            draw_pile: player.draw_pile.top_down().collect(),
            discard_pile: *player.discard_pile.cards(),
            in_play: state
                .turn
                .in_play
                .iter()
                .copied()
                .filter(|_| active)
                .collect(),
            in_effect: state.in_effect(seat),
        };
        // A card that Library asks about has not been reported: in the books it is on the pile.
        if let (
            true,
            Some(EffectFrame::Library {
                drawn: Some(card), ..
            }),
        ) = (active, state.stack.last())
        {
            zones.in_effect.remove(*card);
            zones.draw_pile.add(*card);
        }
        zones
    })
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: what each event moves"
)]
fn book(books: &mut PerSeat<Zones>, event: &Event) -> Result<(), Fault> {
    match event {
        Event::CardsDrawn {
            seat,
            cards: Some(cards),
            ..
        } => {
            let zones = &mut books[*seat];
            move_all(cards, &mut zones.draw_pile, &mut zones.hand)
        }
        Event::Shuffled { seat } => {
            let cards = books[*seat].discard_pile.take();
            books[*seat].draw_pile.add_all(&cards);
            Ok(())
        }
        Event::ActionPlayed {
            seat,
            card,
            play: Playing::First,
            ..
        } => {
            let zones = &mut books[*seat];
            move_all(&[*card], &mut zones.hand, &mut zones.in_play)
        }
        Event::TreasuresPlayed { seat, cards, .. } => {
            let zones = &mut books[*seat];
            move_all(cards, &mut zones.hand, &mut zones.in_play)
        }
        Event::CardGained {
            seat,
            card,
            destination: to,
            ..
        } => {
            destination(&mut books[*seat], *to).add(*card);
            Ok(())
        }
        Event::HandDiscarded {
            seat,
            cards: Some(cards),
            ..
        } => {
            let zones = &mut books[*seat];
            move_all(cards, &mut zones.hand, &mut zones.discard_pile)
        }
        Event::CleanedUp {
            seat,
            cards: Some(cards),
            ..
        } => clean_up(books, *seat, cards),
        Event::CardsDiscarded { seat, cards } => {
            let zones = &mut books[*seat];
            move_all(cards, &mut zones.in_effect, &mut zones.discard_pile)
        }
        Event::CardsTrashed { seat, zone, cards } => {
            move_all(cards, source(&mut books[*seat], *zone), &mut Cards::none())
        }
        Event::CardsRevealed {
            seat,
            zone: Zone::DrawPile,
            cards,
        } => {
            let zones = &mut books[*seat];
            move_all(cards, &mut zones.draw_pile, &mut zones.in_effect)
        }
        Event::RevealedTaken { seat, cards } => {
            let zones = &mut books[*seat];
            move_all(cards, &mut zones.in_effect, &mut zones.hand)
        }
        Event::CardTopdecked { seat, zone, card } => {
            let mut cards = Cards::none();
            move_all(&[*card], source(&mut books[*seat], *zone), &mut cards)?;
            books[*seat].draw_pile.add_all(&cards);
            Ok(())
        }
        Event::ChancellorDecided {
            seat,
            discarded: true,
            ..
        } => {
            let cards = books[*seat].draw_pile.take();
            books[*seat].discard_pile.add_all(&cards);
            Ok(())
        }
        Event::CardSetAside { seat, card } => {
            let zones = &mut books[*seat];
            move_all(&[*card], &mut zones.draw_pile, &mut zones.in_effect)
        }
        _ => Ok(()),
    }
}

fn clean_up(books: &mut PerSeat<Zones>, seat: Seat, hand: &[Card]) -> Result<(), Fault> {
    let zones = &mut books[seat];
    let in_play = zones.in_play.take();
    zones.discard_pile.add_all(&in_play);
    move_all(hand, &mut zones.hand, &mut zones.discard_pile)
}

fn destination(zones: &mut Zones, to: Destination) -> &mut Cards {
    match to {
        Destination::DiscardPile => &mut zones.discard_pile,
        Destination::Hand => &mut zones.hand,
        Destination::DrawPile => &mut zones.draw_pile,
    }
}

fn source(zones: &mut Zones, from: Zone) -> &mut Cards {
    match from {
        Zone::Hand => &mut zones.hand,
        Zone::DrawPile => &mut zones.draw_pile,
        Zone::InPlay => &mut zones.in_play,
        Zone::Revealed => &mut zones.in_effect,
    }
}

fn move_all(cards: &[Card], from: &mut Cards, to: &mut Cards) -> Result<(), Fault> {
    for &card in cards {
        let was_present = from.remove(card);
        Fault::unless(was_present, "ledger", || {
            format!("{card} is not where the event takes it from")
        })?;
        to.add(card);
    }
    Ok(())
}
