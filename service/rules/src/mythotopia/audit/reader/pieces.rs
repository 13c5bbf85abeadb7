//! Pieces on the map: buildings, armies, mercenaries, ships, and tokens.

use super::Reader;
use crate::mythotopia::action::TokenSource;
use crate::mythotopia::data::{Card, Improvement, Province, ProvinceSet, Sea, Slot};
use crate::mythotopia::event::Event;
use crate::mythotopia::stage::{Building, Token, Zone};
use crate::mythotopia::view::Force;
use crate::table::Seat;

impl Reader {
    pub(super) fn read_units(&mut self, event: &Event) {
        match event {
            Event::Invaded {
                seat,
                target: province,
                armies,
                ..
            }
            | Event::ArmiesPlaced {
                seat,
                province,
                armies,
            } => {
                self.player(*seat).stock.armies -= armies;
                self.march(*seat, *province, i16::from(*armies), 0);
            }
            Event::ArmiesRemoved {
                seat,
                province,
                armies,
                mercenaries,
            }
            | Event::UnitsReturned {
                seat,
                province,
                armies,
                mercenaries,
            } => {
                self.player(*seat).stock.armies += armies;
                self.view.supply.mercenaries += mercenaries;
                let (armies, mercenaries) = (i16::from(*armies), i16::from(*mercenaries));
                self.march(*seat, *province, -armies, -mercenaries);
            }
            Event::ArmiesMoved { seat, moves } => {
                for step in moves {
                    self.march(*seat, step.from_province, -i16::from(step.count), 0);
                    self.march(*seat, step.to_province, i16::from(step.count), 0);
                }
            }
            Event::ArmyRouted {
                province, owner, ..
            } => {
                self.player(*owner).stock.armies += 1;
                self.march(*owner, *province, -1, 0);
            }
            Event::MercenariesHired {
                seat,
                province,
                count,
            } => {
                self.view.supply.mercenaries -= count;
                self.march(*seat, *province, 0, i16::from(*count));
            }
            _ => self.read_ships(event),
        }
    }

    fn read_ships(&mut self, event: &Event) {
        match event {
            Event::ShipsPlaced { seat, sea, ships } => {
                self.player(*seat).stock.ships -= ships;
                *self.ships(*seat, *sea) += ships;
            }
            Event::ShipsRemoved { seat, sea, ships } => {
                self.player(*seat).stock.ships += ships;
                *self.ships(*seat, *sea) -= ships;
            }
            _ => self.read_stock(event),
        }
    }

    fn read_stock(&mut self, event: &Event) {
        let (seat, armies, ships) = match event {
            Event::UnitsBought {
                seat,
                armies,
                ships,
            } => (*seat, *armies, *ships),
            Event::ArmyRaised { seat } => (*seat, 1, 0),
            _ => return,
        };
        let player = self.player(seat);
        player.pool.armies -= armies;
        player.pool.ships -= ships;
        player.stock.armies += armies;
        player.stock.ships += ships;
    }

    fn ships(&mut self, seat: Seat, sea: Sea) -> &mut u8 {
        &mut self.view.seas[sea.index()].ships[seat.index()]
    }

    /// Changes the forces of a seat in a province.
    fn march(&mut self, seat: Seat, province: Province, armies: i16, mercenaries: i16) {
        let forces = &mut self.province(province).forces;
        let here = forces.iter().position(|force| force.seat == seat);
        let there = here.map(|here| forces.remove(here));
        let changed = |before: Option<u8>, change: i16| {
            u8::try_from(i16::from(before.unwrap_or_default()) + change).unwrap_or(u8::MAX)
        };
        let force = Force {
            seat,
            armies: changed(there.map(|force| force.armies), armies),
            mercenaries: changed(there.map(|force| force.mercenaries), mercenaries),
        };
        if force.armies + force.mercenaries > 0 {
            forces.push(force);
            forces.sort_by_key(|force| force.seat);
        }
    }

    pub(super) fn read_buildings(&mut self, event: &Event) {
        match event {
            Event::ProvincesDealt { seat, provinces } => {
                let dealt = provinces.iter().map(Card::province);
                let player = self.player(*seat);
                player.deck_count += u8::try_from(dealt.clone().count()).unwrap_or_default();
                if let Some(deck) = &mut player.deck {
                    dealt.for_each(|card| deck.insert(card));
                }
                self.settle(*seat, *provinces);
            }
            Event::ProvincesDiscarded { seat, provinces } => {
                for province in provinces.iter() {
                    self.raze(*seat, province);
                    self.give_up(*seat, Card::province(province), Zone::Deck);
                }
            }
            Event::CitadelPlaced { seat, province } => {
                self.player(*seat).stock.towns += 1;
                self.player(*seat).citadel = Some(*province);
                self.province(*province).building = Some(Building::Citadel);
            }
            Event::CityBuilt { seat, province } => {
                self.player(*seat).stock.towns += 1;
                self.player(*seat).stock.cities -= 1;
                self.province(*province).building = Some(Building::City);
            }
            Event::CastleBuilt { province, .. } => {
                self.view.supply.castles -= 1;
                self.province(*province).castle = true;
            }
            Event::RoadBuilt { border, .. } => {
                self.view.supply.roads -= 1;
                self.roads.insert(*border);
            }
            _ => self.read_captures(event),
        }
    }

    fn read_captures(&mut self, event: &Event) {
        match event {
            Event::ProvinceCaptured {
                seat,
                province,
                loser,
                card_from,
                ..
            } => {
                self.lose(*province, *loser, *card_from);
                self.settle(*seat, ProvinceSet::only(*province));
                let card = Card::province(*province);
                self.player(*seat).discard.insert(card);
                let taken = self.province(*province);
                let dragon = std::mem::take(&mut taken.dragon);
                let runestone = std::mem::take(&mut taken.runestone);
                self.view.out_of_game.dragons += u8::from(dragon);
                self.view.out_of_game.runestones += u8::from(runestone);
            }
            Event::ProvinceNotTaken {
                province,
                loser,
                card_from,
                ..
            } => self.lose(*province, *loser, *card_from),
            _ => {}
        }
    }

    fn settle(&mut self, seat: Seat, provinces: ProvinceSet) {
        for province in provinces.iter() {
            self.player(seat).stock.towns -= 1;
            let settled = self.province(province);
            settled.controller = Some(seat);
            settled.building = Some(Building::Town);
        }
    }

    fn lose(&mut self, province: Province, loser: Option<Seat>, card_from: Zone) {
        if let Some(loser) = loser {
            self.raze(loser, province);
            self.give_up(loser, Card::province(province), card_from);
        }
    }

    /// A building goes back to its owner, the citadel for good.
    fn raze(&mut self, owner: Seat, province: Province) {
        let razed = self.province(province);
        razed.controller = None;
        let building = razed.building.take();
        let player = self.player(owner);
        match building {
            Some(Building::Town) => player.stock.towns += 1,
            Some(Building::City) => player.stock.cities += 1,
            Some(Building::Citadel) => {
                player.citadel = None;
                player.citadel_returned = true;
            }
            None => {}
        }
    }

    pub(super) fn take_token(&mut self, token: Token, source: TokenSource) {
        match source {
            TokenSource::Card => {
                let cards = self.view.point_cards.iter_mut();
                let stacks = cards.flat_map(|card| card.tokens.iter_mut());
                for stack in stacks.filter(|stack| stack.token == token) {
                    stack.count -= 1;
                }
            }
            TokenSource::Bank => self.view.bank[usize::from(token.value) - 1] -= 1,
            TokenSource::None => {}
        }
    }

    /// Scribe in the reserve also puts a town on Master of the Seas, if one is in stock.
    pub(super) fn receive_token(&mut self, seat: Seat, token: Token) {
        let player = self.player(seat);
        player.tokens[usize::from(token.value) - 1] += 1;
        player.three_seas_claimed |= token.slot == Some(Slot::ThreeSeas);
        player.four_seas_claimed |= token.slot == Some(Slot::FourSeas);
        let seas = matches!(token.slot, Some(Slot::ThreeSeas | Slot::FourSeas));
        let scribe = Card::improvement(Improvement::Scribe);
        if seas && player.stock.towns > 0 && player.reserve.contains(scribe) {
            player.stock.towns -= 1;
            player.seas_towns += 1;
        }
    }
}
