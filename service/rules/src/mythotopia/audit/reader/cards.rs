//! Cards: hands, decks, discard piles, reserves, improvements.

use super::Reader;
use crate::mythotopia::data::{Card, CardKind, CardSet, Improvement, count};
use crate::mythotopia::event::{Event, PlayedCard, Purpose};
use crate::mythotopia::stage::Zone;
use crate::mythotopia::view::PlayerView;
use crate::table::Seat;

/// The abilities whose card is put aside until the cards that it gives are drawn.
const ASIDE: [Improvement; 2] = [Improvement::Counsellor, Improvement::Providence];

impl Reader {
    pub(super) fn read_cards(&mut self, event: &Event) {
        match event {
            Event::CardsDrawn {
                seat,
                count,
                reshuffles,
                cards,
            } => self.draw(*seat, *count, *reshuffles, cards.as_deref()),
            Event::CardsPlayed { seat, cards } => self.play(*seat, cards),
            Event::CardDrafted {
                seat,
                card,
                from_zone,
            } => {
                if let (Zone::Display, Some(improvement)) = (*from_zone, card.as_improvement()) {
                    self.view.improvement_display.remove(improvement);
                }
                let player = self.player(*seat);
                player.removed.remove(*card);
                player.discard.insert(*card);
            }
            Event::CardsReserved { seat, cards } => {
                let player = self.player(*seat);
                leave_hand(player, *cards);
                player.reserve |= *cards;
            }
            Event::CardsDiscarded {
                seat,
                hand,
                reserve,
            } => {
                let player = self.player(*seat);
                leave_hand(player, *hand);
                player.reserve -= *reserve;
                player.discard |= *hand | *reserve;
            }
            Event::CardsRemoved {
                seat,
                hand,
                reserve,
            } => self.remove(*seat, *hand, *reserve),
            Event::CardTakenBack { seat, card } => {
                let player = self.player(*seat);
                player.discard.remove(*card);
                take_up(player, 1, Some(&[*card]));
            }
            _ => {}
        }
    }

    /// The cards drawn were in the deck, or in the discard pile that became the deck.
    fn draw(&mut self, seat: Seat, drawn: u8, reshuffles: u8, cards: Option<&[Card]>) {
        let player = self.player(seat);
        if reshuffles > 0 {
            let discard = std::mem::take(&mut player.discard);
            player.deck_count += count(discard.len());
            if let Some(deck) = &mut player.deck {
                *deck |= discard;
            }
        }
        player.deck_count -= drawn;
        if let (Some(deck), Some(cards)) = (&mut player.deck, cards) {
            cards.iter().for_each(|&card| deck.remove(card));
        }
        take_up(player, drawn, cards);
    }

    fn play(&mut self, seat: Seat, cards: &[PlayedCard]) {
        for &PlayedCard {
            card,
            zone,
            purpose,
        } in cards
        {
            let ability = card
                .as_improvement()
                .filter(|_| purpose == Purpose::Ability);
            let waits = ability.is_some_and(|ability| ASIDE.contains(&ability));
            if waits {
                self.aside[seat.index()].insert(card);
            }
            let leaves = ability == Some(Improvement::Philosopher);
            self.view.out_of_game.philosopher |= leaves;
            let player = self.player(seat);
            match zone {
                Zone::Reserve => player.reserve.remove(card),
                _ => leave_hand(player, CardSet::only(card)),
            }
            if !waits && !leaves {
                player.discard.insert(card);
            }
        }
    }

    /// Improvements go to the display, all other cards to the removed ones of their owner.
    fn remove(&mut self, seat: Seat, hand: CardSet, reserve: CardSet) {
        let player = self.player(seat);
        leave_hand(player, hand);
        player.reserve -= reserve;
        for card in (hand | reserve).iter() {
            match card.kind() {
                CardKind::Improvement(improvement) => {
                    self.view.improvement_display.insert(improvement);
                }
                CardKind::Start(..) | CardKind::Province(_) => {
                    self.player(seat).removed.insert(card);
                }
            }
        }
    }

    pub(super) fn read_improvements(&mut self, event: &Event) {
        let view = &mut self.view;
        match event {
            Event::ImprovementsDisplayed { improvements } => {
                view.improvement_display = improvements.iter().copied().collect();
            }
            Event::ImprovementsInspected {
                count,
                improvements,
                ..
            } => {
                view.improvement_deck_count -= count;
                view.inspected_count = *count;
                view.inspected.clone_from(improvements);
            }
            Event::ImprovementTaken { seat, improvement } => {
                view.improvement_deck_count += view.inspected_count - 1;
                view.inspected_count = 0;
                view.inspected = None;
                let card = improvement.map(Card::improvement);
                take_up(
                    self.player(*seat),
                    1,
                    card.as_ref().map(std::slice::from_ref),
                );
            }
            _ => {}
        }
    }

    /// The card of a lost province leaves the cards of its owner.
    pub(super) fn give_up(&mut self, loser: Seat, card: Card, zone: Zone) {
        let player = self.player(loser);
        match zone {
            Zone::Hand => leave_hand(player, CardSet::only(card)),
            Zone::Deck => {
                player.deck_count -= 1;
                if let Some(deck) = &mut player.deck {
                    deck.remove(card);
                }
            }
            Zone::Discard => player.discard.remove(card),
            Zone::Reserve => player.reserve.remove(card),
            Zone::Removed => player.removed.remove(card),
            Zone::ProvincePile | Zone::Display => {}
        }
    }
}

fn take_up(player: &mut PlayerView, drawn: u8, cards: Option<&[Card]>) {
    player.hand_count += drawn;
    if let (Some(hand), Some(cards)) = (&mut player.hand, cards) {
        cards.iter().for_each(|&card| hand.insert(card));
    }
}

fn leave_hand(player: &mut PlayerView, cards: CardSet) {
    player.hand_count -= count(cards.len());
    if let Some(hand) = &mut player.hand {
        *hand -= cards;
    }
}
