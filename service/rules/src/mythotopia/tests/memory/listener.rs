//! The **memory** of a seat that hears the events, and nothing else.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a memory hears of cards only"
)]

use std::collections::BTreeSet;

use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::mythotopia::data::{Card, Improvement};
use gamekeeper_rules::mythotopia::event::{Event, PlayedCard, Purpose};
use gamekeeper_rules::mythotopia::stage::Zone;
use gamekeeper_rules::mythotopia::state::State;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{PerSeat, Seat, Viewer};

pub(super) type Set = BTreeSet<Card>;

/// The memory of all players' cards.
pub(super) struct Memory {
    pub(super) listener: Seat,
    pub(super) players: PerSeat<Remembered>,
    /// Improvements on top of the pile, from the top.
    pub(super) tops: Vec<Improvement>,
}

/// The memory of one player's cards.
#[derive(Clone, Debug, Default)]
pub(super) struct Remembered {
    /// Cards that are in hand.
    pub(super) known_cards: Set,
    /// Cards that are in hand or deck.
    pub(super) hidden: Set,
    /// The number of hidden cards that are in hand.
    pub(super) unknown: usize,
    /// The number of hidden cards that are in the deck.
    pub(super) deck: usize,
    /// Whether there is a card in hand that Philosopher took, and that may be any.
    pub(super) has_secret: bool,
    pub(super) discard: Set,
    pub(super) reserve: Set,
    pub(super) removed: Set,
    /// The cards played, and to be discarded after the effect.
    pub(super) aside: Set,
    pub(super) waits: bool,
}

impl Memory {
    /// Begins the memory: everybody knows the starting cards of each color.
    pub(super) fn new(listener: Seat, state: &State) -> Self {
        let players = PerSeat::new(state.seats(), |seat| {
            let hidden: Set = Card::starting(state.players[seat].color).collect();
            Remembered {
                deck: hidden.len(),
                hidden,
                ..Remembered::default()
            }
        });
        Self {
            listener,
            players,
            tops: Vec::new(),
        }
    }

    /// Applies the events of one action, as they are cut to the listener's view.
    pub(super) fn hear(&mut self, events: &[Event]) {
        let viewer = Viewer::Seat(self.listener);
        let visible_events = events
            .iter()
            .filter_map(|event| Mythotopia::event_view(event, viewer));
        for event in visible_events {
            self.hear_one(&event);
        }
        self.players.iter_mut().for_each(Remembered::put_down);
    }

    fn hear_one(&mut self, event: &Event) {
        let players = &mut self.players;
        match event {
            Event::ProvincesDealt { seat, provinces } => {
                let player = &mut players[*seat];
                player.hidden.extend(provinces.iter().map(Card::province));
                player.deck = player.hidden.len();
            }
            Event::ProvincesDiscarded { seat, provinces } => {
                let player = &mut players[*seat];
                let gone: Set = provinces.iter().map(Card::province).collect();
                player.hidden.retain(|card| !gone.contains(card));
                player.deck = player.hidden.len();
            }
            Event::CardsDrawn {
                seat, count, cards, ..
            } => {
                players[*seat].draw(usize::from(*count), cards.as_deref());
                players[*seat].put_down();
            }
            Event::CardsPlayed { seat, cards } => players[*seat].play(cards),
            Event::CardDrafted { seat, card, .. } => {
                players[*seat].removed.remove(card);
                players[*seat].discard.insert(*card);
            }
            Event::CardTakenBack { seat, card } => {
                players[*seat].discard.remove(card);
                players[*seat].known_cards.insert(*card);
                players[*seat].put_down();
            }
            Event::ImprovementsInspected { improvements, .. } => {
                self.tops = improvements.clone().unwrap_or_default();
            }
            Event::ImprovementTaken { seat, improvement } => match improvement {
                Some(improvement) => {
                    self.tops.retain(|other| other != improvement);
                    players[*seat]
                        .known_cards
                        .insert(Card::improvement(*improvement));
                }
                None => players[*seat].has_secret = true,
            },
            _ => self.hear_of_open_cards(event),
        }
    }

    /// Applies events about cards that go where everybody sees them.
    fn hear_of_open_cards(&mut self, event: &Event) {
        let players = &mut self.players;
        match event {
            Event::CardsReserved { seat, cards } => {
                for card in cards.iter() {
                    players[*seat].leave_hand(card);
                    players[*seat].reserve.insert(card);
                }
            }
            Event::CardsDiscarded {
                seat,
                hand,
                reserve,
            } => {
                let player = &mut players[*seat];
                let cards: Vec<Card> = hand.iter().chain(reserve.iter()).collect();
                hand.iter().for_each(|card| player.leave_hand(card));
                player.reserve.retain(|card| !reserve.contains(*card));
                player.aside.extend(cards);
                if !player.waits {
                    player.put_down();
                }
            }
            Event::CardsRemoved {
                seat,
                hand,
                reserve,
            } => {
                let player = &mut players[*seat];
                hand.iter().for_each(|card| player.leave_hand(card));
                player.reserve.retain(|card| !reserve.contains(*card));
                let gone = hand.iter().chain(reserve.iter());
                let own = gone.filter(|card| card.as_improvement().is_none());
                player.removed.extend(own);
            }
            Event::ProvinceCaptured {
                seat,
                province,
                loser,
                card_from,
                ..
            } => {
                let card = Card::province(*province);
                if let Some(loser) = loser {
                    players[*loser].lose(card, *card_from);
                }
                players[*seat].discard.insert(card);
            }
            Event::ProvinceNotTaken {
                province,
                loser: Some(loser),
                card_from,
                ..
            } => players[*loser].lose(Card::province(*province), *card_from),
            _ => {}
        }
    }
}

impl Remembered {
    fn draw(&mut self, count: usize, cards: Option<&[Card]>) {
        for at in 0..count {
            if self.deck == 0 {
                // The hand has all hidden cards now.
                self.known_cards.append(&mut self.hidden);
                self.unknown = 0;
                self.hidden = std::mem::take(&mut self.discard);
                self.deck = self.hidden.len();
            }
            self.deck -= 1;
            match cards {
                Some(cards) => {
                    assert!(self.hidden.remove(&cards[at]));
                    self.known_cards.insert(cards[at]);
                }
                None => self.unknown += 1,
            }
        }
    }

    /// Removes a card that everybody sees from the hand.
    fn leave_hand(&mut self, card: Card) {
        if self.known_cards.remove(&card) {
            return;
        }
        if self.hidden.remove(&card) {
            self.unknown -= 1;
        } else {
            assert!(std::mem::take(&mut self.has_secret), "{card:?}: {self:?}");
        }
    }

    /// Removes played cards. Philosopher leaves the game; Counsellor, Mystic and Providence wait for their effect.
    fn play(&mut self, cards: &[PlayedCard]) {
        let has = |improvement| {
            cards.iter().any(|played| {
                played.purpose == Purpose::Ability && played.card == Card::improvement(improvement)
            })
        };
        for played in cards {
            match played.zone {
                Zone::Hand => self.leave_hand(played.card),
                _ => assert!(self.reserve.remove(&played.card)),
            }
            self.aside.insert(played.card);
        }
        if has(Improvement::Philosopher) {
            self.aside.clear();
        }
        let waiting = [
            Improvement::Counsellor,
            Improvement::Mystic,
            Improvement::Providence,
        ];
        self.waits = waiting.into_iter().any(has);
        if !self.waits {
            self.put_down();
        }
    }

    fn put_down(&mut self) {
        self.discard.append(&mut self.aside);
        self.waits = false;
    }

    fn lose(&mut self, card: Card, from: Zone) {
        match from {
            Zone::Hand => self.leave_hand(card),
            Zone::Deck => {
                assert!(self.hidden.remove(&card));
                self.deck -= 1;
            }
            _ => {
                let zones = [&mut self.discard, &mut self.reserve, &mut self.removed];
                assert!(zones.into_iter().any(|zone| zone.remove(&card)));
            }
        }
    }
}
