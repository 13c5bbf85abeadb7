//! What one player has (MYT-4.2).

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::{Forces, count};
use crate::mythotopia::HandStacking;
use crate::mythotopia::data::{
    CITIES, Card, CardSet, Colour, HAND, Improvement, Province, ProvinceSet, QUEEN_HAND, RESERVE,
    WAREHOUSE_HAND,
};
use crate::mythotopia::event::{Building, Zone};
use crate::mythotopia::ids::{bit_set, ids};

/// Armies and ships of a player in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::mythotopia) struct Pieces {
    /// Armies.
    pub(in crate::mythotopia) armies: u8,
    /// Ships.
    pub(in crate::mythotopia) ships: u8,
}

/// Where a citadel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::mythotopia) enum Citadel {
    /// Never placed.
    Unused,
    /// On the board.
    At(Province),
    /// Given back.
    Returned,
}

ids! {
    /// A condition of Master of the Seas that was rewarded.
    SeasMark {
        ThreeSeas "three_seas" "three seas",
        FourSeas "four_seas" "four seas",
    }
}

bit_set! {
    /// Conditions of Master of the Seas that were rewarded.
    SeasMarks of SeasMark in u8
}

/// One player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::mythotopia) struct Player {
    pub(in crate::mythotopia) colour: Colour,
    pub(in crate::mythotopia) towns: ProvinceSet,
    pub(in crate::mythotopia) cities: ProvinceSet,
    pub(in crate::mythotopia) citadel: Citadel,
    pub(in crate::mythotopia) armies: Forces<14>,
    pub(in crate::mythotopia) mercenaries: Forces<2>,
    /// Ships by sea.
    pub(in crate::mythotopia) ships: [u8; 4],
    pub(in crate::mythotopia) stock: Pieces,
    pub(in crate::mythotopia) pool: Pieces,
    pub(in crate::mythotopia) hand: CardSet,
    /// The draw pile, its top card last. During the set-up unordered (MYT-14.1).
    pub(in crate::mythotopia) deck: ArrayVec<Card, { Card::COUNT }>,
    pub(in crate::mythotopia) discard: CardSet,
    pub(in crate::mythotopia) reserve: CardSet,
    pub(in crate::mythotopia) removed: CardSet,
    /// Tokens of value 1, 2 and 3.
    pub(in crate::mythotopia) tokens: [u8; 3],
    pub(in crate::mythotopia) seas_claimed: SeasMarks,
    /// Towns on Master of the Seas.
    pub(in crate::mythotopia) seas_towns: u8,
    /// The secret set-up choice until all have chosen.
    pub(in crate::mythotopia) choice: Option<ProvinceSet>,
}

impl Player {
    /// The provinces with a building of his (MYT-4.4.1).
    pub(in crate::mythotopia) fn controlled(&self) -> ProvinceSet {
        let controlled = self.towns | self.cities;
        match self.citadel {
            Citadel::At(province) => controlled.with(province),
            Citadel::Unused | Citadel::Returned => controlled,
        }
    }

    /// Does he control it?
    pub(in crate::mythotopia) fn controls(&self, province: Province) -> bool {
        self.controlled().contains(province)
    }

    /// His building there.
    pub(in crate::mythotopia) fn building(&self, province: Province) -> Option<Building> {
        if self.citadel == Citadel::At(province) {
            Some(Building::Citadel)
        } else if self.cities.contains(province) {
            Some(Building::City)
        } else {
            self.towns.contains(province).then_some(Building::Town)
        }
    }

    /// Takes his building away: towns and cities to the stock, the citadel for good.
    pub(in crate::mythotopia) fn raze(&mut self, province: Province) -> Option<Building> {
        let building = self.building(province)?;
        match building {
            Building::Town => self.towns.remove(province),
            Building::City => self.cities.remove(province),
            Building::Citadel => self.citadel = Citadel::Returned,
        }
        Some(building)
    }

    /// Has he an army or a mercenary there?
    pub(in crate::mythotopia) fn fights_at(&self, province: Province) -> bool {
        self.armies.at(province) + self.mercenaries.at(province) > 0
    }

    /// Where he has armies or mercenaries.
    pub(in crate::mythotopia) fn garrisons(&self) -> ProvinceSet {
        self.armies.provinces() | self.mercenaries.provinces()
    }

    /// Cities in stock.
    pub(in crate::mythotopia) fn city_stock(&self) -> u8 {
        CITIES.saturating_sub(count(self.cities.len()))
    }

    /// Does this improvement lie in his reserve?
    pub(in crate::mythotopia) fn reserves(&self, improvement: Improvement) -> bool {
        self.reserve.contains(Card::improvement(improvement))
    }

    /// How many cards the reserve may hold (MYT-4.4.3).
    pub(in crate::mythotopia) fn reserve_limit(&self) -> u8 {
        let citadel = matches!(self.citadel, Citadel::At(_));
        RESERVE + count(self.cities.len()) + u8::from(citadel)
    }

    /// Up to how many cards he draws at the end of his turn (MYT-6.1.2, A15).
    pub(in crate::mythotopia) fn hand_limit(&self, stacking: HandStacking) -> u8 {
        let bonus = |improvement, bonus| if self.reserves(improvement) { bonus } else { 0 };
        let queen = bonus(Improvement::Queen, QUEEN_HAND);
        let warehouse = bonus(Improvement::Warehouse, WAREHOUSE_HAND);
        HAND + match stacking {
            HandStacking::Additive => queen + warehouse,
            HandStacking::Max => queen.max(warehouse),
        }
    }

    /// The cards that he can play: hand and reserve (MYT-6.2.1).
    pub(in crate::mythotopia) fn playable(&self) -> CardSet {
        self.hand | self.reserve
    }

    /// The cards of the deck, without their order.
    pub(in crate::mythotopia) fn deck_cards(&self) -> CardSet {
        self.deck.iter().copied().collect()
    }

    /// The number of cards that he owns (MYT-4.4.2).
    pub(in crate::mythotopia) fn total(&self) -> usize {
        self.hand.len() + self.deck.len() + self.discard.len() + self.reserve.len()
    }

    /// Where one of his cards lies.
    pub(in crate::mythotopia) fn zone_of(&self, card: Card) -> Option<Zone> {
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
    pub(in crate::mythotopia) fn discard(&mut self, cards: CardSet) {
        let played = cards & self.playable();
        self.set_aside(cards);
        self.discard = self.discard | played;
    }

    /// Takes cards out of hand and reserve.
    pub(in crate::mythotopia) fn set_aside(&mut self, cards: CardSet) {
        self.hand = self.hand - cards;
        self.reserve = self.reserve - cards;
    }
}
