//! The movements of events: cards, units, roads and tokens. The reserve of a player lies in the area of the player.

use super::action::TokenSource;
use super::components::{
    DECK, DISCARD, HAND, REMOVED, STOCK, TOKENS, bank, card, display, force, of, point_card,
    province, road, sea, ships,
};
use super::data::{Card, CardSet, Improvement, Province};
use super::event::{Event, March};
use super::stage::Zone;
use crate::table::{Component, Movement, Seat};

/// Lists what an event moves, in the order of its sentence.
#[allow(clippy::too_many_lines, reason = "one row for each event")]
pub fn event(event: &Event) -> Vec<Movement> {
    let player = Component::seat;
    match event {
        Event::ProvincesDealt { seat, provinces } => {
            let cards = provinces.iter().map(Card::province).map(one);
            cards.map(|dealt| dealt.reaching(player(*seat))).collect()
        }
        Event::ProvincesDiscarded { seat, provinces } => {
            let cards = provinces.iter().map(Card::province).map(one);
            cards.map(|given| given.leaving(player(*seat))).collect()
        }
        Event::ImprovementsDisplayed { improvements } => {
            let cards = improvements.iter().copied().map(improvement);
            cards.map(|shown| shown.reaching(display())).collect()
        }
        Event::DragonsPlaced { provinces } | Event::RunestonesPlaced { provinces } => {
            let placed = |at| Movement::unnamed(1_u8).reaching(province(at));
            provinces.iter().map(placed).collect()
        }
        Event::CitadelPlaced { seat, province: at } => {
            vec![
                Movement::unnamed(1_u8)
                    .leaving(player(*seat))
                    .reaching(province(*at)),
            ]
        }
        Event::CardsDrawn {
            seat, count, cards, ..
        } => {
            let drawn = match cards {
                Some(cards) => cards.iter().copied().map(one).collect(),
                None if *count == 0 => Vec::new(),
                None => vec![Movement::unnamed(*count)],
            };
            from_to(drawn, of(*seat, DECK), of(*seat, HAND))
        }
        Event::CardsPlayed { seat, cards } => {
            let played = cards.iter().map(|played| {
                let from = zone(*seat, played.zone);
                Movement {
                    from,
                    ..one(played.card).reaching(of(*seat, DISCARD))
                }
            });
            played.collect()
        }
        Event::Invaded {
            seat,
            target: at,
            armies,
            ..
        }
        | Event::ArmiesPlaced {
            seat,
            province: at,
            armies,
        } => {
            let armies = Movement::of(force(*seat, *at), *armies);
            vec![armies.leaving(of(*seat, STOCK)).reaching(province(*at))]
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
        } => units_back(*seat, *province, *armies, *mercenaries),
        Event::ShipsPlaced {
            seat,
            sea: at,
            ships: some,
        } => {
            let placed = Movement::of(ships(*seat, *at), *some);
            vec![placed.leaving(of(*seat, STOCK)).reaching(sea(*at))]
        }
        Event::ShipsRemoved {
            seat,
            sea: at,
            ships: some,
        } => {
            let removed = Movement::of(ships(*seat, *at), *some);
            vec![removed.leaving(sea(*at)).reaching(of(*seat, STOCK))]
        }
        Event::ProvinceCaptured {
            seat,
            province,
            loser,
            card_from,
            ..
        } => {
            let taken = lost(*province, *loser, *card_from);
            vec![taken.reaching(of(*seat, DISCARD))]
        }
        Event::ProvinceNotTaken {
            province,
            loser,
            card_from,
            ..
        } => {
            let lost = lost(*province, *loser, *card_from);
            lost.from.map(|_| lost).into_iter().collect()
        }
        Event::UnitsBought {
            seat,
            armies,
            ships,
        } => {
            let units = u32::from(*armies) + u32::from(*ships);
            vec![Movement::unnamed(units).reaching(of(*seat, STOCK))]
        }
        Event::ArmyRaised { seat } => vec![Movement::unnamed(1_u8).reaching(of(*seat, STOCK))],
        Event::CardDrafted {
            seat,
            card,
            from_zone,
        } => {
            let from = zone(*seat, *from_zone);
            vec![Movement {
                from,
                ..one(*card).reaching(of(*seat, DISCARD))
            }]
        }
        Event::CardsReserved { seat, cards } => {
            from_to(all(*cards), of(*seat, HAND), player(*seat))
        }
        Event::CardsDiscarded {
            seat,
            hand,
            reserve,
        } => given_up(*seat, (*hand, *reserve), DISCARD),
        Event::CardsRemoved {
            seat,
            hand,
            reserve,
        } => given_up(*seat, (*hand, *reserve), REMOVED),
        Event::CityBuilt { seat, province: at } => {
            vec![
                Movement::unnamed(1_u8)
                    .leaving(of(*seat, STOCK))
                    .reaching(province(*at)),
            ]
        }
        Event::CastleBuilt { province: at, .. } => {
            vec![Movement::unnamed(1_u8).reaching(province(*at))]
        }
        Event::RoadBuilt { border, .. } => {
            let road = road(*border);
            vec![Movement::of(road, 1_u8).reaching(road)]
        }
        Event::TokenExchanged { seat, .. } => vec![
            Movement::unnamed(1_u8)
                .leaving(of(*seat, TOKENS))
                .reaching(bank()),
            Movement::unnamed(1_u8)
                .leaving(bank())
                .reaching(of(*seat, TOKENS)),
        ],
        Event::ArmiesMoved { moves, .. } => moves.iter().copied().map(marched).collect(),
        Event::ArmyRouted {
            province: at,
            owner,
            ..
        } => {
            let routed = Movement::of(force(*owner, *at), 1_u8);
            vec![routed.leaving(province(*at)).reaching(of(*owner, STOCK))]
        }
        Event::MercenariesHired {
            seat,
            province: at,
            count,
        } => {
            vec![Movement::of(force(*seat, *at), *count).reaching(province(*at))]
        }
        Event::CardTakenBack { seat, card } => {
            from_to(vec![one(*card)], of(*seat, DISCARD), of(*seat, HAND))
        }
        Event::ImprovementTaken {
            seat,
            improvement: taken,
        } => {
            let taken = taken.map_or_else(|| Movement::unnamed(1_u8), improvement);
            from_to(vec![taken], display(), of(*seat, HAND))
        }
        Event::TokenTaken {
            seat,
            token,
            source,
        } => {
            let from = match source {
                TokenSource::Card => Some(point_card(token.card)),
                TokenSource::Bank => Some(bank()),
                TokenSource::None => None,
            };
            let token = Movement::unnamed(1_u8).reaching(of(*seat, TOKENS));
            vec![Movement { from, ..token }]
        }
        Event::PointCardsLaidOut { .. }
        | Event::SetupChosen { .. }
        | Event::FirstPlayer { .. }
        | Event::TurnBegan { .. }
        | Event::WarEnded { .. }
        | Event::PatronagePaid { .. }
        | Event::Passed { .. }
        | Event::ImprovementsInspected { .. }
        | Event::TokenDeclined { .. } => Vec::new(),
    }
}

fn one(card: Card) -> Movement {
    Movement::of(self::card(card), 1_u8)
}

fn improvement(improvement: Improvement) -> Movement {
    one(Card::improvement(improvement))
}

fn all(cards: CardSet) -> Vec<Movement> {
    cards.iter().map(one).collect()
}

fn from_to(moved: Vec<Movement>, from: Component, to: Component) -> Vec<Movement> {
    let moved = moved.into_iter();
    moved.map(|one| one.leaving(from).reaching(to)).collect()
}

/// The component in which cards of a zone lie. Returns `None` for the pile of provinces, which has none.
fn zone(seat: Seat, zone: Zone) -> Option<Component> {
    match zone {
        Zone::Hand => Some(of(seat, HAND)),
        Zone::Deck => Some(of(seat, DECK)),
        Zone::Discard => Some(of(seat, DISCARD)),
        Zone::Removed => Some(of(seat, REMOVED)),
        Zone::Reserve => Some(Component::seat(seat)),
        Zone::Display => Some(display()),
        Zone::ProvincePile => None,
    }
}

fn given_up(seat: Seat, (hand, reserve): (CardSet, CardSet), to: &'static str) -> Vec<Movement> {
    let hand = from_to(all(hand), of(seat, HAND), of(seat, to));
    let reserve = from_to(all(reserve), Component::seat(seat), of(seat, to));
    [hand, reserve].concat()
}

/// The card of a province leaves its owner, if there was one, or the piles.
fn lost(province: Province, loser: Option<Seat>, from: Zone) -> Movement {
    let from = match from {
        Zone::Display | Zone::ProvincePile => None,
        Zone::Hand | Zone::Deck | Zone::Discard | Zone::Removed | Zone::Reserve => {
            loser.and_then(|loser| zone(loser, from))
        }
    };
    Movement {
        from,
        ..one(Card::province(province))
    }
}

/// Armies return to the stock, mercenaries leave the game.
fn units_back(seat: Seat, at: Province, armies: u8, mercenaries: u8) -> Vec<Movement> {
    let of_force = |count| Movement::of(force(seat, at), count).leaving(province(at));
    let armies = (armies > 0).then(|| of_force(armies).reaching(of(seat, STOCK)));
    let mercenaries = (mercenaries > 0).then(|| of_force(mercenaries));
    armies.into_iter().chain(mercenaries).collect()
}

fn marched(march: March) -> Movement {
    let armies = Movement::unnamed(march.count).leaving(province(march.from_province));
    armies.reaching(province(march.to_province))
}
