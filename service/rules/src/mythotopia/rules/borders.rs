//! Borders, site cards and ways by sea (MYT-6.4).

use arrayvec::ArrayVec;

use crate::mythotopia::data::{
    Border, BorderKind, Card, CardSet, Improvement, Province, ProvinceSet, Sea,
};
use crate::mythotopia::options::RoadScope;
use crate::mythotopia::rules::actor::Actor;
use crate::mythotopia::rules::purse::Purse;

const GENERAL: Card = Card::improvement(Improvement::General);
const RANGER: Card = Card::improvement(Improvement::Ranger);

/// The kind of a border for a player with these cards in reserve.
///
/// # Rule MYT-6.4.1
/// Rangers walk through hills as over open land, and through mountains as through hills.
pub(crate) fn effective(border: Border, kept: CardSet) -> BorderKind {
    let ranger = kept.contains(Card::improvement(Improvement::Ranger));
    match (border.row().kind, ranger) {
        (BorderKind::Normal, _) | (BorderKind::Hills, true) => BorderKind::Normal,
        (BorderKind::Hills, false) | (BorderKind::Mountains, true) => BorderKind::Hills,
        (BorderKind::Mountains, false) => BorderKind::Mountains,
    }
}

/// The provinces whose site card this card is, of those that the player controls.
///
/// # Rule MYT-6.4.2
/// The card of a province stands for it and for those that a road joins to it; General stands for
/// every province. With the switch `network` the whole road network is joined.
pub(crate) fn sites(actor: Actor, card: Card) -> ProvinceSet {
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

/// Site cards, each with the provinces that it stands for.
pub(crate) type SiteCards = ArrayVec<(Card, ProvinceSet), { Card::COUNT }>;

/// The cards of a purse that stand for any province.
pub(crate) fn site_cards(actor: Actor, purse: Purse) -> SiteCards {
    purse
        .free()
        .iter()
        .map(|card| (card, sites(actor, card)))
        .filter(|(_, sites)| !sites.is_empty())
        .collect()
}

/// A province and those at the other ends of its roads.
fn joined(actor: Actor, province: Province) -> ProvinceSet {
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

/// Can a card be a site card for one of these provinces?
///
/// # Rule MYT-14.6
/// The wrong card for controlled provinces has no such use. Whether they are controlled is asked
/// later.
pub(crate) fn is_site(actor: Actor, card: Card, provinces: ProvinceSet) -> bool {
    let shape = card == GENERAL || card.as_province().is_some();
    let own = (provinces - actor.player().controlled()).is_empty();
    let fits = !own || !(sites(actor, card) & provinces).is_empty();
    shape && fits
}

/// Does a way over these sea areas lead from one province to another?
///
/// # Rule MYT-6.4.3
/// Over one area both lie on its coast; over two, these are adjacent, and each province lies on
/// the coast of its own.
pub(crate) fn is_sea_route(origin: Province, target: Province, areas: &[Sea]) -> bool {
    let [first, last] = match *areas {
        [only] => [only, only],
        [first, last] => [first, last],
        _ => return false,
    };
    let touches = first == last && areas.len() == 1 || first.adjacent().contains(last);
    touches && origin.row().seas.contains(first) && target.row().seas.contains(last)
}

/// How a border can be passed: what may be played, and how many hills that means.
///
/// With Ranger in the reserve the border is easier as long as Ranger stays there (MYT-A9).
pub(crate) fn passes(actor: Actor, purse: Purse, border: Border) -> ArrayVec<(Purse, u8), 2> {
    let mut passes = ArrayVec::new();
    let mut pass = |purse, kept| match effective(border, kept) {
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
