//! The **memory** of a seat that hears the events, and nothing else.
//!
//! Slow and plain: each zone is a list of places. A place is `None` if the listener does not know its card.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a memory hears of cards only"
)]

use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::event::Zone;
use gamekeeper_rules::dominion::stage::{Destination, Playing};
use gamekeeper_rules::dominion::{Dominion, Event};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{PerSeat, Seat, Viewer};

/// A card, if the listener knows it.
pub(super) type Place = Option<Card>;

/// The memory of all players' cards.
pub(super) struct Memory {
    pub(super) listener: Seat,
    pub(super) players: PerSeat<Remembered>,
}

/// The memory of one player's cards.
#[derive(Clone, Debug, Default)]
pub(super) struct Remembered {
    pub(super) owned: Vec<Card>,
    pub(super) hand: Vec<Place>,
    /// The draw pile, from the top.
    pub(super) draw_pile: Vec<Place>,
    /// The discard pile, from the bottom.
    pub(super) discard_pile: Vec<Place>,
    in_play: Vec<Card>,
    face_up: Vec<Card>,
}

impl Memory {
    pub(super) fn new(listener: Seat, seats: usize) -> Self {
        let deck = [vec![Card::Copper; 7], vec![Card::Estate; 3]].concat();
        let players = PerSeat::new(seats, |_| Remembered {
            discard_pile: deck.iter().copied().map(Some).collect(),
            owned: deck.clone(),
            ..Remembered::default()
        });
        Self { listener, players }
    }

    /// Applies the events of one action, as they are cut to the listener's view.
    pub(super) fn hear(&mut self, events: &[Event]) {
        let viewer = Viewer::Seat(self.listener);
        let visible_events = events.iter();
        visible_events
            .filter_map(|event| Dominion::event_view(event, viewer))
            .for_each(|event| self.hear_one(&event));
    }

    fn hear_one(&mut self, event: &Event) {
        let players = &mut self.players;
        match event {
            Event::Shuffled { seat } => players[*seat].shuffle(),
            Event::CardsDrawn { seat, count, cards } => {
                players[*seat].draw(usize::from(*count), cards.as_deref());
            }
            Event::ActionPlayed {
                seat,
                card,
                play: Playing::First,
                ..
            } => players[*seat].lay_out(*card),
            Event::TreasuresPlayed { seat, cards, .. } => {
                cards.iter().for_each(|&card| players[*seat].lay_out(card));
            }
            Event::CardGained {
                seat,
                card,
                destination,
                ..
            } => players[*seat].gain(*card, *destination),
            Event::HandDiscarded {
                seat,
                discard_top,
                cards,
                count,
            } => players[*seat].discard(usize::from(*count), *discard_top, cards.as_deref()),
            Event::CleanedUp {
                seat, discard_top, ..
            } => players[*seat].clean_up(*discard_top),
            Event::ChancellorDecided {
                seat,
                discarded: true,
                discard_top,
                ..
            } => players[*seat].turn_over(*discard_top, *seat == self.listener),
            Event::ReactionShown { seat, card } => players[*seat].show(*card),
            Event::CardSetAside { seat, card } => {
                players[*seat].draw_pile.remove(0);
                players[*seat].face_up.push(*card);
            }
            _ => self.hear_of_open_cards(event),
        }
    }

    /// Applies events about cards that everybody sees.
    fn hear_of_open_cards(&mut self, event: &Event) {
        let players = &mut self.players;
        match event {
            Event::CardsDiscarded { seat, cards } => {
                for card in cards {
                    remove(&mut players[*seat].face_up, *card);
                    players[*seat].discard_pile.push(Some(*card));
                }
            }
            Event::CardsTrashed { seat, zone, cards } => {
                cards
                    .iter()
                    .for_each(|&card| players[*seat].trash(card, *zone));
            }
            Event::CardsRevealed { seat, zone, cards } => players[*seat].reveal(*zone, cards),
            Event::RevealedTaken { seat, cards } => {
                for card in cards {
                    remove(&mut players[*seat].face_up, *card);
                    players[*seat].hand.push(Some(*card));
                }
            }
            Event::CardTopdecked { seat, zone, card } => {
                match zone {
                    Zone::Hand => players[*seat].leave_hand(*card),
                    _ => remove(&mut players[*seat].face_up, *card),
                }
                players[*seat].draw_pile.insert(0, Some(*card));
            }
            _ => {}
        }
    }
}

impl Remembered {
    /// Shuffles. A listener who knows the whole discard pile knows the hand too: nothing else is hidden.
    fn shuffle(&mut self) {
        if self.discard_pile.iter().all(Option::is_some) {
            let cards: Vec<Place> = self.left_over().into_iter().map(Some).collect();
            self.hand.retain(Option::is_some);
            self.hand.extend(cards);
        }
        self.draw_pile = vec![None; self.discard_pile.len()];
        self.discard_pile.clear();
    }

    /// The cards of this player that are in none of the known places.
    fn left_over(&self) -> Vec<Card> {
        let mut left = self.owned.clone();
        let known_places = [&self.hand, &self.discard_pile, &self.draw_pile];
        let known_cards = known_places
            .into_iter()
            .flatten()
            .filter_map(|place| *place);
        for card in known_cards
            .chain(self.in_play.clone())
            .chain(self.face_up.clone())
        {
            remove(&mut left, card);
        }
        left
    }

    fn draw(&mut self, count: usize, cards: Option<&[Card]>) {
        for at in 0..count {
            let place = self.draw_pile.remove(0);
            self.hand.push(cards.map(|cards| cards[at]).or(place));
        }
    }

    /// Removes a card that everybody sees from the hand: a known one, if there is one like it.
    fn leave_hand(&mut self, card: Card) {
        let mut places = self.hand.iter();
        let known_place = places.position(|place| *place == Some(card));
        let place = known_place.or_else(|| self.hand.iter().position(Option::is_none));
        self.hand.remove(place.unwrap());
    }

    fn lay_out(&mut self, card: Card) {
        self.leave_hand(card);
        self.in_play.push(card);
    }

    fn gain(&mut self, card: Card, destination: Destination) {
        self.owned.push(card);
        match destination {
            Destination::DiscardPile => self.discard_pile.push(Some(card)),
            Destination::Hand => self.hand.push(Some(card)),
            Destination::DrawPile => self.draw_pile.insert(0, Some(card)),
        }
    }

    fn trash(&mut self, card: Card, zone: Zone) {
        remove(&mut self.owned, card);
        match zone {
            Zone::Hand => self.leave_hand(card),
            Zone::InPlay => remove(&mut self.in_play, card),
            Zone::DrawPile | Zone::Revealed => remove(&mut self.face_up, card),
        }
    }

    fn reveal(&mut self, zone: Zone, cards: &[Card]) {
        if zone == Zone::DrawPile {
            for card in cards {
                self.draw_pile.remove(0);
                self.face_up.push(*card);
            }
        } else if cards.len() == self.hand.len() {
            // Otherwise the one card goes onto the draw pile next.
            self.hand = cards.iter().copied().map(Some).collect();
        }
    }

    fn show(&mut self, card: Card) {
        if !self.hand.contains(&Some(card)) {
            let place = self.hand.iter().position(Option::is_none);
            self.hand[place.unwrap()] = Some(card);
        }
    }

    fn discard(&mut self, count: usize, top: Option<Card>, cards: Option<&[Card]>) {
        if let Some(cards) = cards {
            for card in cards {
                self.leave_hand(*card);
                self.discard_pile.push(Some(*card));
            }
        } else if let (Some(top), 1..) = (top, count) {
            self.leave_hand(top);
            let (stay, leave) = sure(&self.hand, count - 1);
            self.hand = stay;
            self.discard_pile.extend(leave);
            self.discard_pile.push(Some(top));
        }
    }

    fn clean_up(&mut self, top: Option<Card>) {
        let mut cards = std::mem::take(&mut self.hand);
        let in_play = std::mem::take(&mut self.in_play);
        cards.extend(in_play.into_iter().map(Some));
        if !cards.is_empty() && !cards.contains(&top) {
            let place = cards.iter().position(Option::is_none);
            cards[place.unwrap()] = top;
        }
        self.discard_pile.extend(cards);
    }

    /// Turns the draw pile over; its owner knows which cards these are.
    fn turn_over(&mut self, bottom: Option<Card>, is_own: bool) {
        if let Some(place) = self.draw_pile.last_mut() {
            *place = bottom;
        }
        if is_own {
            let cards = self.left_over();
            self.draw_pile.retain(Option::is_some);
            self.draw_pile.extend(cards.into_iter().map(Some));
        }
        self.discard_pile.append(&mut self.draw_pile);
    }

    /// The cards on top of the draw pile that are known.
    pub(super) fn tops(&self) -> Vec<Card> {
        self.draw_pile.iter().map_while(|place| *place).collect()
    }
}

/// Returns the cards that are certain to stay and to leave when a number of these places leave and nobody sees which.
/// Every way is tried: of each kind, those are certain that stay, or leave, in every way.
fn sure(places: &[Place], leaving: usize) -> (Vec<Place>, Vec<Place>) {
    let ways = (0_u32..1 << places.len()).filter(|way| way.count_ones() as usize == leaving);
    let among = |card: Card, way: u32| {
        let chosen = places
            .iter()
            .enumerate()
            .filter(|(at, _)| (way >> at) & 1 == 1);
        chosen.filter(|(_, place)| **place == Some(card)).count()
    };
    let (mut stay, mut leave) = (Vec::new(), Vec::new());
    for card in Card::ALL {
        let stays = ways.clone().map(|way| among(card, !way)).min();
        let leaves = ways.clone().map(|way| among(card, way)).min();
        stay.extend(vec![Some(card); stays.unwrap()]);
        leave.extend(vec![Some(card); leaves.unwrap()]);
    }
    stay.resize(places.len() - leaving, None);
    leave.resize(leaving, None);
    (stay, leave)
}

fn remove(cards: &mut Vec<Card>, card: Card) {
    let place = cards.iter().position(|&other| other == card);
    cards.remove(place.unwrap());
}
