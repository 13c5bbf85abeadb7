//! Invading, placing and removing armies.

use super::table::*;
use Symbol::{Army, Food, Gold};
use gamekeeper_rules::mythotopia::action::{Action, Invasion, Origin, Route};
use gamekeeper_rules::mythotopia::data::{Card, Province, Symbol};
use gamekeeper_rules::mythotopia::event::{PlayedCard, Purpose};
use gamekeeper_rules::mythotopia::stage::Zone;
use gamekeeper_rules::mythotopia::{Event, Mythotopia};
use gamekeeper_rules::ruleset::{Ruleset as _, legal_actions};
use gamekeeper_rules::table::{Detail, GameEvent as _};

fn palmain_and_scombroid() -> Table {
    let mut table = Table::of(4);
    table.control(R, &["palmain", "scombroid"]);
    table.hand(R, &["prov:palmain", "start:red:army#1", "prov:scombroid"]);
    table
}

/// The targets that can be invaded from Palmain on such routes.
fn targets(table: &Table, on: impl Fn(&Route) -> bool) -> Vec<Province> {
    let from = site("prov:palmain", "palmain");
    let target = |action: &Action| {
        let Action::Invade(invasion) = action else {
            return None;
        };
        let fits = invasion.origin == from && invasion.route.as_ref().is_some_and(&on);
        invasion.target.filter(|_| fits)
    };
    let list = legal_actions::<Mythotopia>(&table.state, R, Detail::AllPayments);
    let mut targets: Vec<Province> = list.iter().filter_map(target).collect();
    targets.dedup();
    targets
}

#[test]
fn myt_t1_invasion_targets_by_land() {
    let mut table = palmain_and_scombroid();
    table.hand(R, &["start:red:market#1"]);
    let expected = ["blore", "diclesium", "iracund", "nivus"].map(prov);
    assert_eq!(targets(&table, |route| *route == Route::Land), expected);
}

#[test]
fn myt_t2_invasion_targets_with_a_ship() {
    let mut table = palmain_and_scombroid();
    table.hand(R, &["start:red:market#1", "start:red:ship#1"]);
    let expected = [
        "aporia", "camarine", "eagre", "ictus", "kinabra", "nesh", "nivus", "oxter",
    ]
    .map(prov);
    assert_eq!(targets(&table, |route| *route != Route::Land), expected);
}

fn invade_blore() -> Action {
    Action::Invade(invade(
        "palmain",
        "blore",
        &[play("start:red:army#1", Army), play("prov:scombroid", Army)],
        &[play("start:red:ship#1", Food)],
    ))
}

#[test]
fn myt_t3_invade_blore() {
    let mut table = palmain_and_scombroid();
    table.hand(R, &["start:red:ship#1"]);
    table.play(R, invade_blore());
    let player = &table.state.players[R];
    assert_eq!(player.armies.at(prov("blore")), 3);
    assert_eq!(player.stock.armies, 3);
    let played = [
        "prov:palmain",
        "start:red:army#1",
        "prov:scombroid",
        "start:red:ship#1",
    ];
    assert_eq!(player.discard, played.map(card).into_iter().collect());
    assert_eq!(table.state.turn.actions_done, 1);
    assert_eq!(table.state.controller(prov("blore")), None);
}

#[test]
fn myt_t4_place_armies() {
    let mut table = palmain_and_scombroid();
    table.hand(R, &["start:red:ship#1"]);
    table.play(R, invade_blore());
    table.hand(R, &["prov:scombroid", "imp:hero", "start:red:ship#1"]);
    let armies = [play("prov:scombroid", Army), play("imp:hero", Army)];
    table.refuses(R, place("blore", &armies, &[]), "CANNOT_AFFORD");
    table.play(
        R,
        place("blore", &armies, &[play("start:red:ship#1", Food)]),
    );
    assert_eq!(table.state.players[R].armies.at(prov("blore")), 5);
    assert_eq!(table.state.players[R].stock.armies, 1);
}

#[test]
fn myt_t19_hills_cost_two_food_and_rangers_pay_one() {
    let mut table = Table::of(4);
    table.control(R, &["blore", "palmain", "nivus", "scombroid"]);
    table.hand(
        R,
        &["prov:blore", "prov:palmain", "prov:nivus", "prov:scombroid"],
    );
    let armies = [play("prov:scombroid", Army)];
    let food = [play("prov:palmain", Food), play("prov:nivus", Food)];
    let over_hills = |food: &[_]| Action::Invade(invade("blore", "quean", &armies, food));
    table.refuses(R, over_hills(&food[..1]), "CANNOT_AFFORD");
    assert!(table.allows(R, over_hills(&food)));
    table.reserve(R, &["imp:ranger"]);
    table.refuses(R, over_hills(&food), "SUPERFLUOUS_CARD");
    table.play(R, over_hills(&food[..1]));
}

#[test]
fn myt_t20_mountains_need_rangers_and_two_food() {
    let mut table = Table::of(4);
    table.control(R, &["diclesium", "palmain", "nivus", "scombroid"]);
    table.hand(
        R,
        &ids("prov:diclesium prov:palmain prov:nivus prov:scombroid"),
    );
    let food = [play("prov:palmain", Food), play("prov:nivus", Food)];
    let armies = [play("prov:scombroid", Army)];
    let over_mountains = Action::Invade(invade("diclesium", "iracund", &armies, &food));
    table.refuses(R, &over_mountains, "MOUNTAIN_BORDER");
    table.reserve(R, &["imp:ranger"]);
    table.play(R, &over_mountains);
}

/// An invasion over the sea from Palmain with both Ship cards.
fn sail(target: &str, areas: &[&str], ships: &[&str]) -> Invasion {
    Invasion {
        route: Some(by_sea(areas)),
        transport: cards(ships),
        ..invade(
            "palmain",
            target,
            &[play("start:red:army#1", Army)],
            &[play("start:red:market#1", Food)],
        )
    }
}

const SHIPS: [&str; 2] = ["start:red:ship#1", "imp:ship"];

fn seafarer() -> Table {
    let mut table = Table::of(4);
    table.control(R, &["palmain", "mome"]);
    table.hand(
        R,
        &ids("prov:palmain prov:mome start:red:army#1 start:red:market#1"),
    );
    table.hand(R, &SHIPS);
    table
}

#[test]
fn myt_t21_two_seas_need_two_ships() {
    let mut table = seafarer();
    let areas = ["serpent_sea", "beast_sea"];
    table.refuses(
        R,
        Action::Invade(sail("ambsace", &areas, &SHIPS[..1])),
        "NO_SEA_ROUTE",
    );
    let from_mome = Invasion {
        origin: site("prov:mome", "mome"),
        ..sail("ambsace", &areas, &SHIPS)
    };
    table.refuses(R, Action::Invade(from_mome), "NO_SEA_ROUTE");
    table.play(R, Action::Invade(sail("ambsace", &areas, &SHIPS)));
}

#[test]
fn myt_t22_a_second_ship_where_one_suffices() {
    let table = seafarer();
    let areas = ["serpent_sea", "beast_sea"];
    table.refuses(
        R,
        Action::Invade(sail("nesh", &areas, &SHIPS)),
        "SUPERFLUOUS_CARD",
    );
    table.refuses(
        R,
        Action::Invade(sail("nesh", &areas[..1], &SHIPS)),
        "SUPERFLUOUS_CARD",
    );
    assert!(table.allows(R, Action::Invade(sail("nesh", &areas[..1], &SHIPS[..1]))));
}

#[test]
fn myt_14_25_a_route_without_areas_is_an_empty_list() {
    let table = seafarer();
    let nowhere = Action::Invade(sail("nesh", &[], &[]));
    table.refuses(R, &nowhere, "EMPTY_LIST");
    let three = ["serpent_sea", "beast_sea", "inland_sea_east"];
    table.refuses(
        R,
        Action::Invade(sail("nesh", &three, &[])),
        "INVALID_AREA_COUNT",
    );
}

/// A number that is too large is refused as it was sent.
#[test]
fn myt_6_5_7_a_refusal_quotes_the_number_that_was_sent() {
    let table = seafarer();
    for armies in [70_000, u32::MAX] {
        let buy = Action::BuyUnits {
            armies,
            ships: 0,
            gold: Vec::new(),
        };
        let refused = Mythotopia::check(&table.state, R, &buy).unwrap_err();
        let sentence = format!("Your pool holds only 8 armies, not {armies}.");
        assert_eq!(refused.to_string(), sentence);
    }
}

/// Cards that others know already are not revealed: the province was neutral, or its card lay open.
#[test]
fn captures_and_drafts_reveal_cards_of_hands_and_decks_alone() {
    let captured = |loser, card_from| Event::ProvinceCaptured {
        seat: R,
        province: prov("nesh"),
        loser,
        building: None,
        card_from,
    };
    assert!(!captured(None, Zone::ProvincePile).reveals());
    for (zone, hidden) in [
        (Zone::Hand, true),
        (Zone::Deck, true),
        (Zone::Discard, false),
        (Zone::Reserve, false),
    ] {
        assert_eq!(captured(Some(B), zone).reveals(), hidden, "{zone}");
    }
    let drafted = Event::CardDrafted {
        seat: R,
        card: card("imp:hero"),
        from_zone: Zone::Display,
    };
    assert!(!drafted.reveals());
}

#[test]
fn plays_reveal_cards_of_the_hand_alone() {
    for (zone, hidden) in [(Zone::Hand, true), (Zone::Reserve, false)] {
        let played = PlayedCard {
            card: card("imp:hero"),
            zone,
            purpose: Purpose::Symbol(Army),
        };
        let event = Event::CardsPlayed {
            seat: R,
            cards: vec![played],
        };
        assert_eq!(event.reveals(), hidden, "{zone}");
    }
}

#[test]
fn myt_14_7_surplus_ships_on_land_and_seas_that_do_not_touch() {
    let table = seafarer();
    let over_land = Invasion {
        route: Some(Route::Land),
        ..sail("nivus", &[], &SHIPS[..1])
    };
    table.refuses(R, Action::Invade(over_land), "SUPERFLUOUS_CARD");
    let apart = sail("mome", &["serpent_sea", "inland_sea_east"], &SHIPS);
    table.refuses(R, Action::Invade(apart), "TARGET_IS_OWN");
    let apart = sail("darb", &["serpent_sea", "inland_sea_east"], &SHIPS);
    table.refuses(R, Action::Invade(apart), "NO_SEA_ROUTE");
    let twice = sail("nesh", &["serpent_sea", "serpent_sea"], &SHIPS);
    table.refuses(R, Action::Invade(twice), "NO_SEA_ROUTE");
    let three = sail("nesh", &["serpent_sea", "beast_sea", "serpent_sea"], &SHIPS);
    table.refuses(R, Action::Invade(three), "INVALID_AREA_COUNT");
}

#[test]
fn myt_t23_portal() {
    let mut table = Table::of(4);
    table.hand(R, &["imp:portal", "start:red:army#1", "start:red:market#1"]);
    let by_portal = Invasion {
        target: Some(prov("welkin")),
        origin: Origin::Portal {
            card: Some(card("imp:portal")),
        },
        route: None,
        armies: vec![play("start:red:army#1", Army)],
        food: vec![play("start:red:market#1", Food)],
        transport: Vec::new(),
    };
    let with_route = Invasion {
        route: Some(Route::Land),
        ..by_portal.clone()
    };
    table.refuses(R, Action::Invade(with_route), "ROUTE_NOT_ALLOWED");
    table.control(B, &["darb"]);
    table.state.players[R].towns.insert(prov("welkin"));
    table.refuses(R, Action::Invade(by_portal.clone()), "TARGET_IS_OWN");
    table.state.players[R].towns.remove(prov("welkin"));
    table.play(R, Action::Invade(by_portal));
    assert_eq!(table.state.players[R].armies.at(prov("welkin")), 2);
}

#[test]
fn myt_t24_the_stock_limits_armies() {
    let mut table = palmain_and_scombroid();
    table.hand(R, &["start:red:ship#1"]);
    let one_card = Action::Invade(invade(
        "palmain",
        "blore",
        &[play("start:red:army#1", Army)],
        &[play("start:red:ship#1", Food)],
    ));
    table.army_stock(R, 2);
    table.refuses(R, invade_blore(), "STOCK_EMPTY");
    table.army_stock(R, 0);
    table.refuses(R, &one_card, "STOCK_EMPTY");
    table.army_stock(R, 1);
    table.refuses(R, invade_blore(), "STOCK_EMPTY");
    table.play(R, &one_card);
    assert_eq!(table.state.players[R].armies.at(prov("blore")), 1);
}

#[test]
fn myt_t45_nobody_leaves_a_war() {
    let mut table = Table::of(4);
    table.control(R, &["mome", "darb"]);
    table.armies(R, "mome", 2);
    table.armies(R, "darb", 1);
    table.armies(R, "blore", 1);
    table.armies(B, "mome", 1);
    let back = |province| Action::RemoveArmies {
        province: Some(prov(province)),
        armies: 1,
        mercenaries: 0,
    };
    table.refuses(R, back("mome"), "WAR_IN_PROGRESS");
    table.refuses(R, back("blore"), "WAR_IN_PROGRESS");
    table.refuses(R, back("grimp"), "NO_ARMY_PRESENT");
    let none = Action::RemoveArmies {
        province: Some(prov("darb")),
        armies: 0,
        mercenaries: 0,
    };
    table.refuses(R, &none, "NO_PIECES");
    table.play(R, back("darb"));
    assert_eq!(table.state.players[R].stock.armies, 7);
}

#[test]
fn myt_t64_armies_march_by_road() {
    let mut table = Table::of(4);
    table.control(R, &["mome", "coryphee", "ogdoad", "darb"]);
    table.road("mome", "coryphee");
    table.road("coryphee", "ogdoad");
    table.armies(R, "mome", 3);
    table.armies(R, "ogdoad", 1);
    table.refuses(R, march(&[("mome", "darb", 1)]), "NOT_CONNECTED_BY_ROAD");
    table.refuses(R, march(&[("mome", "ogdoad", 4)]), "NO_ARMY_PRESENT");
    table.refuses(
        R,
        march(&[("mome", "ogdoad", 1), ("mome", "ogdoad", 1)]),
        "DUPLICATE_MOVE",
    );
    table.play(R, march(&[("mome", "ogdoad", 3), ("ogdoad", "mome", 1)]));
    assert_eq!(table.state.players[R].armies.at(prov("ogdoad")), 3);
    assert_eq!(table.state.players[R].armies.at(prov("mome")), 1);
    table.refuses(R, march(&[("mome", "ogdoad", 1)]), "ALREADY_DONE_THIS_TURN");
}

#[test]
fn myt_10_21_roads_are_for_those_who_control_both_ends() {
    let mut table = Table::of(4);
    table.control(R, &["mome"]);
    table.road("mome", "coryphee");
    table.armies(R, "mome", 1);
    table.refuses(
        R,
        march(&[("mome", "coryphee", 1)]),
        "NOT_CONNECTED_BY_ROAD",
    );
    table.control(B, &["coryphee"]);
    table.refuses(
        R,
        march(&[("mome", "coryphee", 1)]),
        "NOT_CONNECTED_BY_ROAD",
    );
}

#[test]
fn myt_14_6_site_cards_of_the_wrong_kind_and_of_foreign_provinces() {
    let mut table = palmain_and_scombroid();
    table.hand(R, &["start:red:ship#1", "start:red:market#1"]);
    let with = |origin| {
        Action::Invade(Invasion {
            origin,
            ..invade(
                "palmain",
                "blore",
                &[play("start:red:army#1", Army)],
                &[play("start:red:ship#1", Food)],
            )
        })
    };
    table.refuses(
        R,
        with(site("start:red:market#1", "palmain")),
        "CARD_HAS_NO_SUCH_USE",
    );
    table.refuses(
        R,
        with(site("prov:scombroid", "palmain")),
        "CARD_HAS_NO_SUCH_USE",
    );
    table.refuses(R, with(site("prov:scombroid", "iracund")), "NOT_CONTROLLED");
    assert!(table.allows(R, with(site("prov:scombroid", "scombroid"))));
}

#[test]
fn myt_10_10_a_site_card_does_not_feed_its_invasion() {
    let table = palmain_and_scombroid();
    let food = [play("prov:palmain", Food)];
    let armies = [play("start:red:army#1", Army)];
    let greedy = Action::Invade(invade("palmain", "blore", &armies, &food));
    table.refuses(R, &greedy, "DUPLICATE_CARD");
    let none = Action::Invade(invade("palmain", "blore", &[], &food));
    table.refuses(R, &none, "EMPTY_LIST");
    let strange = Action::Invade(invade(
        "palmain",
        "blore",
        &[play("start:red:army#1", Gold)],
        &[],
    ));
    table.refuses(R, &strange, "WRONG_SYMBOL");
    let unknown = Action::Invade(Invasion {
        target: None,
        ..invade("palmain", "blore", &[], &[])
    });
    table.refuses(R, &unknown, "UNKNOWN_ID");
    assert!(
        table.state.players[R]
            .hand
            .contains(Card::province(prov("palmain")))
    );
}
