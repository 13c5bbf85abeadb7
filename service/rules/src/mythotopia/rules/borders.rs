//! Borders, site cards and sea routes (MYT-6.4).

use arrayvec::ArrayVec;

use super::actor::ActorContext;
use super::purse::Purse;
use crate::mythotopia::data::{
    Border, BorderKind, Card, CardSet, Improvement, Province, ProvinceSet, Sea,
};
use crate::mythotopia::options::RoadScope;

const GENERAL: Card = Card::improvement(Improvement::General);
const RANGER: Card = Card::improvement(Improvement::Ranger);

/// The kind of a border for a player with these cards in reserve.
///
/// # Rule MYT-6.4.1
/// Rangers treat hills as open land, and mountains as hills.
pub fn effective(border: Border, reserve_left: CardSet) -> BorderKind {
    let ranger = reserve_left.contains(Card::improvement(Improvement::Ranger));
    match (border.row().kind, ranger) {
        (BorderKind::Normal, _) | (BorderKind::Hills, true) => BorderKind::Normal,
        (BorderKind::Hills, false) | (BorderKind::Mountains, true) => BorderKind::Hills,
        (BorderKind::Mountains, false) => BorderKind::Mountains,
    }
}

/// The controlled provinces for which this card is a site card.
///
/// # Rule MYT-6.4.2
/// The card of a province is valid for it and for those joined to it by a road; General is valid
/// for every province. With the switch `network` the whole road network is joined.
pub fn sites(actor: ActorContext, card: Card) -> ProvinceSet {
    let own = actor.player().controlled();
    if card == GENERAL {
        return own;
    }
    let Some(province) = card.as_province().filter(|&it| own.contains(it)) else {
        return ProvinceSet::empty();
    };
    match actor.state.switches.road_substitution_scope {
        RoadScope::Network => actor.state.network(actor.seat, province),
        RoadScope::Direct => joined(actor, province) & own,
    }
}

/// Site cards, each with the provinces that it is valid for.
pub type SiteCards = ArrayVec<(Card, ProvinceSet), { Card::COUNT }>;

/// The cards of a purse that are valid for any province.
pub fn site_cards(actor: ActorContext, purse: Purse) -> SiteCards {
    purse
        .free()
        .iter()
        .map(|card| (card, sites(actor, card)))
        .filter(|(_, sites)| !sites.is_empty())
        .collect()
}

/// A province and those at the other ends of its roads.
fn joined(actor: ActorContext, province: Province) -> ProvinceSet {
    let mut joined = ProvinceSet::only(province);
    if actor.state.roads.is_empty() {
        return joined;
    }
    for neighbor in province.neighbors().iter() {
        let road = Border::between(province, neighbor)
            .is_some_and(|border| actor.state.roads.contains(border));
        if road {
            joined.insert(neighbor);
        }
    }
    joined
}

/// Returns whether a card can be a site card for one of these provinces.
///
/// # Rule MYT-14.6
/// A card of the wrong controlled province has no such use. Control is checked later.
pub fn is_site(actor: ActorContext, card: Card, provinces: ProvinceSet) -> bool {
    let shape = card == GENERAL || card.as_province().is_some();
    let own = (provinces - actor.player().controlled()).is_empty();
    let fits = !own || !(sites(actor, card) & provinces).is_empty();
    shape && fits
}

/// Returns whether a route over these sea areas leads from one province to another.
///
/// # Rule MYT-6.4.3
/// Over one area, both provinces are on its coast; over two, these are adjacent, and each province
/// is on the coast of its own.
pub fn is_sea_route(origin: Province, target: Province, areas: &[Sea]) -> bool {
    let [first, last] = match *areas {
        [only] => [only, only],
        [first, last] => [first, last],
        _ => return false,
    };
    let touches = first == last && areas.len() == 1 || first.adjacent().contains(last);
    touches && origin.row().seas.contains(first) && target.row().seas.contains(last)
}

/// The ways to cross a border: the cards that may be played, and the number of hills then.
///
/// With Ranger in the reserve, the border is easier only while Ranger stays there (MYT-A9).
pub fn passes(actor: ActorContext, purse: Purse, border: Border) -> ArrayVec<(Purse, u8), 2> {
    let mut passes = ArrayVec::new();
    let mut pass = |purse, reserve_left| match effective(border, reserve_left) {
        BorderKind::Normal => passes.push((purse, 0)),
        BorderKind::Hills => passes.push((purse, 1)),
        BorderKind::Mountains => {}
    };
    let reserve = actor.player().reserve;
    if reserve.contains(RANGER) && border.row().kind != BorderKind::Normal {
        pass(purse.without(RANGER), reserve);
        pass(purse, reserve - CardSet::only(RANGER));
    } else {
        pass(purse, reserve);
    }
    passes
}
