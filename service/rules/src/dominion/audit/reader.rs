//! A **reader** of events: the table as the comments of the events tell it.

use crate::conformance::EventReader;
use crate::dominion::Dominion;
use crate::dominion::data::{Card, Pile, STARTING_DECK};
use crate::dominion::event::{Event, Source, Zone};
use crate::dominion::options::Options;
use crate::dominion::stage::{Counters, Destination, Phase, Playing};
use crate::dominion::state::Cards;
use crate::dominion::view::{FinalDeck, PlayerView, View};
use crate::table::{PendingList, Seat, Viewer, invariant_violated};

#[derive(Clone)]
pub struct Reader {
    view: View,
    zones: Vec<Zones>,
}

/// The cards of one player that the view does not show.
#[derive(Clone)]
struct Zones {
    draw_pile: u16,
    discard_pile: u16,
    /// All cards that the player owns: each of them came and went in public.
    owned: Cards,
}

const NOTHING_LEFT: Counters = Counters {
    actions: 0,
    buys: 0,
    coins: 0,
};

impl EventReader<Dominion> for Reader {
    fn new(options: &Options, viewer: Viewer) -> Self {
        let seats = || Seat::all(usize::from(options.seats));
        let owned: Cards = STARTING_DECK.into_iter().collect();
        let player = |seat| PlayerView {
            seat,
            hand_count: 0,
            hand: viewer.sees(seat).then(Cards::none),
            draw_pile_empty: true,
            draw_pile_count: viewer.sees(seat).then_some(0),
            draw_pile: None,
            discard_empty: true,
            discard_top: None,
            discard_pile: None,
            in_play: Vec::new(),
            turns_taken: 0,
        };
        let zones = Zones {
            draw_pile: 0,
            discard_pile: owned.len(),
            owned,
        };
        Self {
            zones: seats().map(|_| zones.clone()).collect(),
            view: View {
                options: options.clone(),
                kingdom: Vec::new(),
                phase: Phase::Action,
                active_player: Seat::FIRST,
                turn_number: 0,
                counters: NOTHING_LEFT,
                bought_this_turn: false,
                supply: Vec::new(),
                trash: Cards::none(),
                players: seats().map(player).collect(),
                stack: Vec::new(),
                pending: PendingList::default(),
                question: None,
                final_decks: Vec::new(),
                bookkeeping: None,
            },
        }
    }

    fn read(&mut self, event: &Event) {
        self.read_turn(event);
        self.read_hand(event);
        self.read_piles(event);
    }

    fn end(&mut self) {
        self.view.phase = Phase::Over;
        self.view.counters = NOTHING_LEFT;
        let pile = |(card, count)| Pile { card, count };
        let deck = |(seat, zones): (Seat, &Zones)| FinalDeck {
            seat,
            cards: zones.owned.iter().map(pile).collect(),
        };
        let seats = Seat::all(self.zones.len());
        self.view.final_decks = seats.zip(&self.zones).map(deck).collect();
    }

    fn view(&self, _actual: &View) -> View {
        let mut view = self.view.clone();
        for (player, zones) in view.players.iter_mut().zip(&self.zones) {
            player.draw_pile_empty = zones.draw_pile == 0;
            player.draw_pile_count = player.draw_pile_count.map(|_| zones.draw_pile);
            player.discard_empty = zones.discard_pile == 0;
        }
        view
    }
}

impl Reader {
    /// The course of the turn and its counters.
    fn read_turn(&mut self, event: &Event) {
        let view = &mut self.view;
        match event {
            Event::GameCreated {
                kingdom,
                supply,
                first_player,
                ..
            } => {
                view.kingdom = kingdom.to_vec();
                view.supply.clone_from(supply);
                view.active_player = *first_player;
            }
            Event::TurnStarted { seat, turn_number } => {
                view.active_player = *seat;
                view.turn_number = *turn_number;
                view.phase = Phase::Action;
                view.counters = Counters {
                    actions: 1,
                    buys: 1,
                    coins: 0,
                };
                view.bought_this_turn = false;
                view.players[seat.index()].turns_taken += 1;
            }
            Event::PhaseChanged { phase, .. } => view.phase = *phase,
            Event::ActionPlayed { counters, .. }
            | Event::Bonuses { counters, .. }
            | Event::TreasuresPlayed { counters, .. } => view.counters = *counters,
            Event::CardGained {
                price: Some(price), ..
            } => {
                view.counters.buys -= 1;
                view.counters.coins -= u16::from(*price);
                view.bought_this_turn = true;
            }
            _ => {}
        }
    }

    /// Cards that come into a hand or leave it.
    fn read_hand(&mut self, event: &Event) {
        match event {
            Event::CardsDrawn { seat, count, cards } => {
                self.zones[seat.index()].draw_pile -= count;
                self.take_up(*seat, *count, cards.as_deref());
            }
            Event::ActionPlayed {
                seat,
                card,
                play: Playing::First,
                ..
            } => self.lay_out(*seat, &[*card]),
            Event::TreasuresPlayed { seat, cards, .. } => self.lay_out(*seat, cards),
            Event::HandDiscarded {
                seat,
                count,
                discard_top,
                cards,
            } => {
                self.give_away(*seat, *count, cards.as_deref());
                self.discard(*seat, *count, *discard_top);
            }
            Event::CleanedUp {
                seat,
                count,
                discard_top,
                cards,
            } => {
                self.give_away(*seat, *count, cards.as_deref());
                let in_play = self.view.players[seat.index()].in_play.drain(..).count();
                let in_play = u16::try_from(in_play).unwrap_or_default();
                self.discard(*seat, count + in_play, *discard_top);
            }
            Event::RevealedTaken { seat, cards } => {
                self.take_up(*seat, number(cards), Some(cards));
            }
            Event::CardsTrashed {
                seat,
                zone: Zone::Hand,
                cards,
            } => self.give_away(*seat, number(cards), Some(cards)),
            Event::CardTopdecked {
                seat,
                zone: Zone::Hand,
                card,
            } => self.give_away(*seat, 1, Some(&[*card])),
            Event::CardGained {
                seat,
                card,
                destination: Destination::Hand,
                ..
            } => self.take_up(*seat, 1, Some(&[*card])),
            _ => {}
        }
    }

    /// Cards of the piles, the Supply and the trash. Revealed cards lie in none of them.
    fn read_piles(&mut self, event: &Event) {
        match event {
            Event::Shuffled { seat } => {
                let zones = &mut self.zones[seat.index()];
                zones.draw_pile = std::mem::take(&mut zones.discard_pile);
                self.view.players[seat.index()].discard_top = None;
            }
            Event::CardGained {
                seat,
                card,
                source,
                destination,
                ..
            } => self.gain(*seat, *card, *source, *destination),
            Event::CardsTrashed { seat, zone, cards } => self.trash(*seat, *zone, cards),
            Event::CardsRevealed {
                seat,
                zone: Zone::DrawPile,
                cards,
            } => self.zones[seat.index()].draw_pile -= number(cards),
            Event::CardSetAside { seat, .. } => self.zones[seat.index()].draw_pile -= 1,
            Event::CardsDiscarded { seat, cards } => {
                self.discard(*seat, number(cards), cards.last().copied());
            }
            Event::CardTopdecked { seat, .. } => self.zones[seat.index()].draw_pile += 1,
            Event::ChancellorDecided {
                seat,
                discarded: true,
                discard_top,
                ..
            } => {
                let count = std::mem::take(&mut self.zones[seat.index()].draw_pile);
                self.discard(*seat, count, *discard_top);
            }
            _ => {}
        }
    }

    fn take_up(&mut self, seat: Seat, count: u16, cards: Option<&[Card]>) {
        let player = &mut self.view.players[seat.index()];
        player.hand_count += count;
        if let (Some(hand), Some(cards)) = (&mut player.hand, cards) {
            cards.iter().for_each(|&card| hand.add(card));
        }
    }

    fn give_away(&mut self, seat: Seat, count: u16, cards: Option<&[Card]>) {
        let player = &mut self.view.players[seat.index()];
        player.hand_count -= count;
        if let (Some(hand), Some(cards)) = (&mut player.hand, cards) {
            for &card in cards {
                if !hand.remove(card) {
                    invariant_violated("DOM-13.7", (seat, card));
                }
            }
        }
    }

    fn lay_out(&mut self, seat: Seat, cards: &[Card]) {
        self.give_away(seat, number(cards), Some(cards));
        self.view.players[seat.index()].in_play.extend(cards);
    }

    fn discard(&mut self, seat: Seat, count: u16, top: Option<Card>) {
        self.zones[seat.index()].discard_pile += count;
        self.view.players[seat.index()].discard_top = top;
    }

    fn gain(&mut self, seat: Seat, card: Card, source: Source, destination: Destination) {
        match source {
            Source::Supply => {
                let piles = self.view.supply.iter_mut();
                for pile in piles.filter(|pile| pile.card == card) {
                    pile.count -= 1;
                }
            }
            Source::Trash => {
                self.view.trash.remove(card);
            }
        }
        self.zones[seat.index()].owned.add(card);
        match destination {
            Destination::DiscardPile => self.discard(seat, 1, Some(card)),
            Destination::Hand => {} // Read with the other cards of the hand.
            Destination::DrawPile => self.zones[seat.index()].draw_pile += 1,
        }
    }

    fn trash(&mut self, seat: Seat, zone: Zone, cards: &[Card]) {
        for &card in cards {
            self.view.trash.add(card);
            self.zones[seat.index()].owned.remove(card);
            if zone == Zone::InPlay {
                let in_play = &mut self.view.players[seat.index()].in_play;
                if let Some(place) = in_play.iter().rposition(|&other| other == card) {
                    in_play.remove(place);
                }
            }
        }
    }
}

fn number(cards: &[Card]) -> u16 {
    u16::try_from(cards.len()).unwrap_or_default()
}
