//! The possessions of one player (MYT-4.2).

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::forces::Forces;
use crate::mythotopia::data::count;
use crate::mythotopia::data::{
    CITIES, Card, CardSet, Color, HAND, Improvement, Province, ProvinceSet, QUEEN_HAND, RESERVE,
    WAREHOUSE_HAND,
};
use crate::mythotopia::options::HandStacking;
use crate::mythotopia::stage::{Building, SeasMarks, Zone};

/// Armies and ships of a player in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pieces {
    pub armies: u8,
    pub ships: u8,
}

/// The place of a citadel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Citadel {
    /// Never placed.
    Unused,
    /// On the board.
    At(Province),
    /// Given back.
    Returned,
}

/// One player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    pub color: Color,
    pub towns: ProvinceSet,
    pub cities: ProvinceSet,
    pub citadel: Citadel,
    pub armies: Forces<14>,
    pub mercenaries: Forces<2>,
    /// Ships by sea.
    pub ships: [u8; 4],
    pub stock: Pieces,
    pub pool: Pieces,
    pub hand: CardSet,
    /// Cards of the hand that everybody knows to be there (MYT-13.6).
    pub shown: CardSet,
    /// The improvement of the hand that only this player has seen: Philosopher took it (MYT-13.5).
    pub secret: Option<Improvement>,
    /// Whether this player has looked at improvements with Philosopher. Then they know those on top (MYT-13.6).
    pub has_looked: bool,
    /// The draw pile, its top card last. During the set-up unordered (MYT-14.1).
    pub deck: ArrayVec<Card, { Card::COUNT }>,
    pub discard: CardSet,
    pub reserve: CardSet,
    pub removed: CardSet,
    /// Tokens of value 1, 2 and 3.
    pub tokens: [u8; 3],
    pub seas_claimed: SeasMarks,
    /// Towns on Master of the Seas.
    pub seas_towns: u8,
    /// The secret set-up choice until all have chosen.
    pub choice: Option<ProvinceSet>,
}

impl Player {
    /// The provinces with a building of this player (MYT-4.4.1).
    pub fn controlled(&self) -> ProvinceSet {
        let controlled = self.towns | self.cities;
        match self.citadel {
            Citadel::At(province) => controlled | province,
            Citadel::Unused | Citadel::Returned => controlled,
        }
    }

    /// Returns whether this player has a building there.
    pub fn controls(&self, province: Province) -> bool {
        self.controlled().contains(province)
    }

    /// The building there.
    pub fn building(&self, province: Province) -> Option<Building> {
        if self.citadel == Citadel::At(province) {
            Some(Building::Citadel)
        } else if self.cities.contains(province) {
            Some(Building::City)
        } else {
            self.towns.contains(province).then_some(Building::Town)
        }
    }

    /// Takes the building away: towns and cities to the stock, the citadel for good.
    pub fn raze(&mut self, province: Province) -> Option<Building> {
        let building = self.building(province)?;
        self.towns.remove(province);
        self.cities.remove(province);
        if building == Building::Citadel {
            self.citadel = Citadel::Returned;
        }
        Some(building)
    }

    /// Returns whether there is an army or a mercenary of this player.
    pub fn fights_at(&self, province: Province) -> bool {
        self.armies.at(province) + self.mercenaries.at(province) > 0
    }

    /// The provinces with armies or mercenaries of this player.
    pub fn garrisons(&self) -> ProvinceSet {
        self.armies.provinces() | self.mercenaries.provinces()
    }

    /// Cities in stock.
    pub fn city_stock(&self) -> u8 {
        CITIES.saturating_sub(count(self.cities.len()))
    }

    /// Returns whether this improvement is in the reserve.
    pub fn reserves(&self, improvement: Improvement) -> bool {
        self.reserve.contains(Card::improvement(improvement))
    }

    /// The maximum number of cards in the reserve (MYT-4.4.3).
    pub fn reserve_limit(&self) -> u8 {
        let citadel = matches!(self.citadel, Citadel::At(_));
        RESERVE + count(self.cities.len()) + u8::from(citadel)
    }

    /// The number of cards up to which the player draws at the end of a turn (MYT-6.1.2, A15).
    pub fn hand_limit(&self, stacking: HandStacking) -> u8 {
        let bonus = |improvement, bonus| if self.reserves(improvement) { bonus } else { 0 };
        let queen = bonus(Improvement::Queen, QUEEN_HAND);
        let warehouse = bonus(Improvement::Warehouse, WAREHOUSE_HAND);
        HAND + match stacking {
            HandStacking::Additive => queen + warehouse,
            HandStacking::Max => queen.max(warehouse),
        }
    }

    /// The cards that can be played: hand and reserve (MYT-6.2.1).
    pub fn playable(&self) -> CardSet {
        self.hand | self.reserve
    }

    /// The cards of the deck, without their order.
    pub fn deck_cards(&self) -> CardSet {
        self.deck.iter().copied().collect()
    }

    /// The number of cards owned (MYT-4.4.2).
    pub fn total(&self) -> usize {
        (self.hand | self.discard | self.reserve).len() + self.deck.len()
    }

    /// The zone of a card.
    pub fn zone_of(&self, card: Card) -> Option<Zone> {
        let zones = [
            (self.hand, Zone::Hand),
            (self.discard, Zone::Discard),
            (self.reserve, Zone::Reserve),
            (self.removed, Zone::Removed),
            (self.deck_cards(), Zone::Deck),
        ];
        zones
            .iter()
            .find(|(cards, _)| cards.contains(card))
            .map(|&(_, zone)| zone)
    }

    /// Puts cards of hand and reserve on the discard pile.
    pub fn discard(&mut self, cards: CardSet) {
        let played = cards & self.playable();
        self.set_aside(cards);
        self.discard |= played;
    }

    /// Takes cards out of hand and reserve.
    pub fn set_aside(&mut self, cards: CardSet) {
        self.leave_hand(cards);
        self.reserve -= cards;
    }

    /// Takes cards out of the hand, as far as they are there. Everybody sees these cards.
    pub fn leave_hand(&mut self, cards: CardSet) {
        self.hand -= cards;
        self.shown -= cards;
        self.secret = self
            .secret_card()
            .filter(|&card| !cards.contains(card))
            .and(self.secret);
    }

    /// Marks the hand as known to everybody, except for the card that Philosopher took: the player has no other hidden
    /// cards.
    pub fn show_hand(&mut self) {
        self.shown = self.hand;
        if let Some(card) = self.secret_card() {
            self.shown.remove(card);
        }
    }

    /// The card of the hand that nobody else has seen.
    pub fn secret_card(&self) -> Option<Card> {
        self.secret.map(Card::improvement)
    }

    /// The cards of hand and deck whose zone others cannot know.
    pub fn hidden(&self) -> CardSet {
        let mut cards = (self.hand - self.shown) | self.deck_cards();
        if let Some(card) = self.secret_card() {
            cards.remove(card);
        }
        cards
    }

    /// Deals the hidden cards anew, in this order: as many as before to the hand, the others to the deck. `secret`
    /// becomes the improvement that nobody else has seen.
    pub fn deal_hidden(&mut self, cards: &[Card], secret: Option<Improvement>) {
        let visible_count = self.shown.len() + usize::from(self.secret.is_some());
        let (hand, deck) = cards.split_at(self.hand.len() - visible_count);
        self.secret = secret;
        self.hand = hand.iter().copied().chain(self.secret_card()).collect();
        self.hand |= self.shown;
        self.deck = deck.iter().copied().collect();
    }
}
