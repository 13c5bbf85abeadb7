//! What a player does. Ids that do not exist stay unnamed: the rules refuse them (MYT-6.11).

use gamekeeper_rules::mythotopia::data::{Card, Converter, Province, Sea, Symbol};
use gamekeeper_rules::mythotopia::{
    Action, Invasion, Named, Origin, RoadMove, Route, SymbolPlay, TokenSource,
};
use gamekeeper_rules::table::Seat;

use super::pb::{self, action::Kind, invade};
use crate::names::{Name, all_named};
use crate::{Malformed, seat_number};

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each action"
)]
pub(super) fn action(message: pb::Action) -> Result<Action, Malformed> {
    let kind = message
        .kind
        .ok_or_else(|| Malformed::missing("action.kind"))?;
    Ok(match kind {
        Kind::SetupDiscardProvinces(it) => Action::SetupDiscardProvinces {
            cards: all_named(&it.cards),
        },
        Kind::SetupPlaceCitadel(it) => Action::SetupPlaceCitadel {
            province: Province::named(it.province),
        },
        Kind::Invade(it) => Action::Invade(invasion(&it)?),
        Kind::PlaceArmies(it) => Action::PlaceArmies {
            province: Province::named(it.province),
            armies: plays(&it.armies),
            food: plays(&it.food),
        },
        Kind::RemoveArmies(it) => Action::RemoveArmies {
            province: Province::named(it.province),
            armies: number(it.armies),
            mercenaries: number(it.mercenaries),
        },
        Kind::PlaceShips(it) => Action::PlaceShips {
            sea: Sea::named(it.sea),
            ships: plays(&it.ships),
        },
        Kind::RemoveShips(it) => Action::RemoveShips {
            sea: Sea::named(it.sea),
            count: number(it.count),
        },
        Kind::EndWar(it) => Action::EndWar {
            province: Province::named(it.province),
            hero: it.hero.map(Card::named),
        },
        Kind::BuyUnits(it) => Action::BuyUnits {
            armies: number(it.armies),
            ships: number(it.ships),
            gold: plays(&it.gold),
        },
        Kind::DraftCard(it) => Action::DraftCard {
            card: Card::named(it.card),
            gold: plays(&it.gold),
        },
        Kind::ReserveCards(it) => Action::ReserveCards {
            cards: all_named(&it.cards),
        },
        Kind::DiscardCards(it) => Action::DiscardCards {
            cards: all_named(&it.cards),
        },
        Kind::RemoveCards(it) => Action::RemoveCards {
            cards: all_named(&it.cards),
        },
        Kind::BuildCity(it) => Action::BuildCity {
            build_card: Card::named(it.build_card),
            site_card: Card::named(it.site_card),
            province: Province::named(it.province),
            stone: plays(&it.stone),
            guild_gold: plays(&it.guild_gold),
        },
        Kind::BuildCastle(it) => Action::BuildCastle {
            build_card: Card::named(it.build_card),
            site_card: Card::named(it.site_card),
            province: Province::named(it.province),
            stone: plays(&it.stone),
        },
        Kind::BuildRoad(it) => Action::BuildRoad {
            build_card: Card::named(it.build_card),
            site_card: Card::named(it.site_card),
            a: Province::named(it.a),
            b: Province::named(it.b),
            stone: plays(&it.stone),
            inn_gold: plays(&it.inn_gold),
        },
        Kind::UseAlchemist(it) => Action::UseAlchemist {
            card: Card::named(it.card),
            from: number(it.from),
        },
        Kind::UseDiplomat(it) => Action::UseDiplomat {
            card: Card::named(it.card),
            province: Province::named(it.province),
            gold: plays(&it.gold),
        },
        Kind::Patronage(it) => Action::Patronage {
            gold: plays(&it.gold),
        },
        Kind::Pass(pb::Pass {}) => Action::Pass,
        Kind::EndGame(pb::EndGame {}) => Action::EndGame,
        Kind::MoveArmiesByRoad(it) => Action::MoveArmiesByRoad {
            moves: it.moves.iter().map(road_move).collect(),
        },
        Kind::WarehouseStore(it) => Action::WarehouseStore {
            card: Card::named(it.card),
        },
        Kind::UseCounsellor(it) => Action::UseCounsellor {
            card: Card::named(it.card),
            hand: all_named(&it.hand),
            reserve: all_named(&it.reserve),
        },
        Kind::UseMarauders(it) => Action::UseMarauders {
            card: Card::named(it.card),
            province: Province::named(it.province),
            owner: named_seat(it.owner),
        },
        Kind::UseMercenary(it) => Action::UseMercenary {
            card: Card::named(it.card),
            gold: plays(&it.gold),
            province: Province::named(it.province),
            count: number(it.count),
        },
        Kind::UseMilitia(it) => Action::UseMilitia {
            card: Card::named(it.card),
        },
        Kind::UseMystic(it) => Action::UseMystic {
            card: Card::named(it.card),
            gold: plays(&it.gold),
            take: Card::named(it.take),
        },
        Kind::UsePhilosopher(it) => Action::UsePhilosopher {
            card: Card::named(it.card),
        },
        Kind::UseProvidence(it) => Action::UseProvidence {
            card: Card::named(it.card),
        },
        Kind::EndTurn(pb::EndTurn {}) => Action::EndTurn,
        Kind::ChooseTokenSource(it) => Action::ChooseTokenSource {
            source: TokenSource::named(it.source),
        },
        Kind::ChoosePhilosopherCard(it) => Action::ChoosePhilosopherCard {
            card: Card::named(it.card),
        },
    })
}

pub(super) fn message(action: &Action) -> pb::Action {
    pb::Action {
        kind: Some(kind(action)),
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each action"
)]
fn kind(action: &Action) -> Kind {
    match action {
        Action::SetupDiscardProvinces { cards } => {
            Kind::SetupDiscardProvinces(pb::SetupDiscardProvinces {
                cards: named_numbers(cards),
            })
        }
        Action::SetupPlaceCitadel { province } => Kind::SetupPlaceCitadel(pb::SetupPlaceCitadel {
            province: named_number(*province),
        }),
        Action::Invade(it) => Kind::Invade(invasion_message(it)),
        Action::PlaceArmies {
            province,
            armies,
            food,
        } => Kind::PlaceArmies(pb::PlaceArmies {
            province: named_number(*province),
            armies: play_messages(armies),
            food: play_messages(food),
        }),
        Action::RemoveArmies {
            province,
            armies,
            mercenaries,
        } => Kind::RemoveArmies(pb::RemoveArmies {
            province: named_number(*province),
            armies: u32::from(*armies),
            mercenaries: u32::from(*mercenaries),
        }),
        Action::PlaceShips { sea, ships } => Kind::PlaceShips(pb::PlaceShips {
            sea: named_number(*sea),
            ships: play_messages(ships),
        }),
        Action::RemoveShips { sea, count } => Kind::RemoveShips(pb::RemoveShips {
            sea: named_number(*sea),
            count: u32::from(*count),
        }),
        Action::EndWar { province, hero } => Kind::EndWar(pb::EndWar {
            province: named_number(*province),
            hero: hero.map(named_number),
        }),
        Action::BuyUnits {
            armies,
            ships,
            gold,
        } => Kind::BuyUnits(pb::BuyUnits {
            armies: u32::from(*armies),
            ships: u32::from(*ships),
            gold: play_messages(gold),
        }),
        Action::DraftCard { card, gold } => Kind::DraftCard(pb::DraftCard {
            card: named_number(*card),
            gold: play_messages(gold),
        }),
        Action::ReserveCards { cards } => Kind::ReserveCards(pb::ReserveCards {
            cards: named_numbers(cards),
        }),
        Action::DiscardCards { cards } => Kind::DiscardCards(pb::DiscardCards {
            cards: named_numbers(cards),
        }),
        Action::RemoveCards { cards } => Kind::RemoveCards(pb::RemoveCards {
            cards: named_numbers(cards),
        }),
        Action::BuildCity {
            build_card,
            site_card,
            province,
            stone,
            guild_gold,
        } => Kind::BuildCity(pb::BuildCity {
            build_card: named_number(*build_card),
            site_card: named_number(*site_card),
            province: named_number(*province),
            stone: play_messages(stone),
            guild_gold: play_messages(guild_gold),
        }),
        Action::BuildCastle {
            build_card,
            site_card,
            province,
            stone,
        } => Kind::BuildCastle(pb::BuildCastle {
            build_card: named_number(*build_card),
            site_card: named_number(*site_card),
            province: named_number(*province),
            stone: play_messages(stone),
        }),
        Action::BuildRoad {
            build_card,
            site_card,
            a,
            b,
            stone,
            inn_gold,
        } => Kind::BuildRoad(pb::BuildRoad {
            build_card: named_number(*build_card),
            site_card: named_number(*site_card),
            a: named_number(*a),
            b: named_number(*b),
            stone: play_messages(stone),
            inn_gold: play_messages(inn_gold),
        }),
        Action::UseAlchemist { card, from } => Kind::UseAlchemist(pb::UseAlchemist {
            card: named_number(*card),
            from: u32::from(*from),
        }),
        Action::UseDiplomat {
            card,
            province,
            gold,
        } => Kind::UseDiplomat(pb::UseDiplomat {
            card: named_number(*card),
            province: named_number(*province),
            gold: play_messages(gold),
        }),
        Action::Patronage { gold } => Kind::Patronage(pb::Patronage {
            gold: play_messages(gold),
        }),
        Action::Pass => Kind::Pass(pb::Pass {}),
        Action::EndGame => Kind::EndGame(pb::EndGame {}),
        Action::MoveArmiesByRoad { moves } => Kind::MoveArmiesByRoad(pb::MoveArmiesByRoad {
            moves: moves.iter().map(road_move_message).collect(),
        }),
        Action::WarehouseStore { card } => Kind::WarehouseStore(pb::WarehouseStore {
            card: named_number(*card),
        }),
        Action::UseCounsellor {
            card,
            hand,
            reserve,
        } => Kind::UseCounsellor(pb::UseCounsellor {
            card: named_number(*card),
            hand: named_numbers(hand),
            reserve: named_numbers(reserve),
        }),
        Action::UseMarauders {
            card,
            province,
            owner,
        } => Kind::UseMarauders(pb::UseMarauders {
            card: named_number(*card),
            province: named_number(*province),
            owner: owner.map_or(0, seat_number),
        }),
        Action::UseMercenary {
            card,
            gold,
            province,
            count,
        } => Kind::UseMercenary(pb::UseMercenary {
            card: named_number(*card),
            gold: play_messages(gold),
            province: named_number(*province),
            count: u32::from(*count),
        }),
        Action::UseMilitia { card } => Kind::UseMilitia(pb::UseMilitia {
            card: named_number(*card),
        }),
        Action::UseMystic { card, gold, take } => Kind::UseMystic(pb::UseMystic {
            card: named_number(*card),
            gold: play_messages(gold),
            take: named_number(*take),
        }),
        Action::UsePhilosopher { card } => Kind::UsePhilosopher(pb::UsePhilosopher {
            card: named_number(*card),
        }),
        Action::UseProvidence { card } => Kind::UseProvidence(pb::UseProvidence {
            card: named_number(*card),
        }),
        Action::EndTurn => Kind::EndTurn(pb::EndTurn {}),
        Action::ChooseTokenSource { source } => Kind::ChooseTokenSource(pb::ChooseTokenSource {
            source: named_number(*source),
        }),
        Action::ChoosePhilosopherCard { card } => {
            Kind::ChoosePhilosopherCard(pb::ChoosePhilosopherCard {
                card: named_number(*card),
            })
        }
    }
}

/// A count. Nobody has more pieces than fit; a larger number is refused like the largest.
fn number(count: u32) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// The number of an id; 0 where it names nothing.
fn named_number<N: Name>(named: Named<N>) -> i32 {
    named.map_or(0, Name::number)
}

fn named_numbers<N: Name>(named: &[Named<N>]) -> Vec<i32> {
    named.iter().copied().map(named_number).collect()
}

fn named_seat(number: u32) -> Named<Seat> {
    u8::try_from(number).ok().and_then(Seat::new)
}

fn plays(messages: &[pb::SymbolPlay]) -> Vec<SymbolPlay> {
    let play = |it: &pb::SymbolPlay| SymbolPlay {
        card: Card::named(it.card),
        symbol: Symbol::named(it.symbol),
        via: it.via.map(Converter::named),
        merchant: it.merchant.map(Card::named),
        water_mill: it.water_mill.map(Card::named),
    };
    messages.iter().map(play).collect()
}

fn play_messages(plays: &[SymbolPlay]) -> Vec<pb::SymbolPlay> {
    let message = |play: &SymbolPlay| pb::SymbolPlay {
        card: named_number(play.card),
        symbol: named_number(play.symbol),
        via: play.via.map(named_number),
        merchant: play.merchant.map(named_number),
        water_mill: play.water_mill.map(named_number),
    };
    plays.iter().map(message).collect()
}

fn road_move(it: &pb::RoadMove) -> RoadMove {
    RoadMove {
        from: Province::named(it.from),
        to: Province::named(it.to),
        count: number(it.count),
    }
}

fn road_move_message(step: &RoadMove) -> pb::RoadMove {
    pb::RoadMove {
        from: named_number(step.from),
        to: named_number(step.to),
        count: u32::from(step.count),
    }
}

fn invasion(it: &pb::Invade) -> Result<Invasion, Malformed> {
    let origin = match &it.origin {
        None => return Err(Malformed::missing("action.invade.origin")),
        Some(invade::Origin::Site(site)) => Origin::Site {
            card: Card::named(site.card),
            province: Province::named(site.province),
        },
        Some(invade::Origin::Portal(portal)) => Origin::Portal {
            card: Card::named(portal.card),
        },
    };
    let route = it.route.as_ref().map(|route| match route {
        invade::Route::Land(pb::LandRoute {}) => Route::Land,
        invade::Route::Sea(sea) => Route::Sea {
            areas: all_named(&sea.areas),
        },
    });
    Ok(Invasion {
        target: Province::named(it.target),
        origin,
        route,
        armies: plays(&it.armies),
        food: plays(&it.food),
        transport: all_named(&it.transport),
    })
}

fn invasion_message(invasion: &Invasion) -> pb::Invade {
    let origin = match invasion.origin {
        Origin::Site { card, province } => invade::Origin::Site(pb::SiteOrigin {
            card: named_number(card),
            province: named_number(province),
        }),
        Origin::Portal { card } => invade::Origin::Portal(pb::PortalOrigin {
            card: named_number(card),
        }),
    };
    let route = invasion.route.as_ref().map(|route| match route {
        Route::Land => invade::Route::Land(pb::LandRoute {}),
        Route::Sea { areas } => invade::Route::Sea(pb::SeaRoute {
            areas: named_numbers(areas),
        }),
    });
    pb::Invade {
        target: named_number(invasion.target),
        origin: Some(origin),
        route,
        armies: play_messages(&invasion.armies),
        food: play_messages(&invasion.food),
        transport: named_numbers(&invasion.transport),
    }
}

#[cfg(test)]
mod tests;
