//! Cities, castles and roads.

use super::table::*;
use Symbol::{Gold, Stone};
use gamekeeper_rules::mythotopia::SymbolPlay;
use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::data::{Stack, Symbol};
use gamekeeper_rules::mythotopia::{Event, RoadScope};

const STONE: [&str; 3] = ["start:red:build#2", "start:red:market#1", "imp:ranger"];

fn stone(number: usize) -> Vec<SymbolPlay> {
    STONE[..number].iter().map(|id| play(id, Stone)).collect()
}

fn city(site_card: &str, province: &str, stone: usize) -> Action {
    Action::BuildCity {
        build_card: Some(card("start:red:build#1")),
        site_card: Some(card(site_card)),
        province: Some(prov(province)),
        stone: self::stone(stone),
        guild_gold: Vec::new(),
    }
}

fn castle(province: &str) -> Action {
    Action::BuildCastle {
        build_card: Some(card("start:red:build#1")),
        site_card: Some(card(&format!("prov:{province}"))),
        province: Some(prov(province)),
        stone: stone(1),
    }
}

fn road(a: &str, b: &str, stone: usize) -> Action {
    Action::BuildRoad {
        build_card: Some(card("start:red:build#1")),
        site_card: Some(card(&format!("prov:{a}"))),
        a: Some(prov(a)),
        b: Some(prov(b)),
        stone: self::stone(stone),
        inn_gold: Vec::new(),
    }
}

/// A table at which Red holds Build, three stone cards and the cards of these provinces of Red.
fn builder(provinces: &[&str]) -> Table {
    let mut table = Table::of(4);
    table.control(R, provinces);
    table.hand(R, &["start:red:build#1"]);
    table.hand(R, &STONE);
    let cards: Vec<String> = provinces.iter().map(|id| format!("prov:{id}")).collect();
    table.hand(R, &cards.iter().map(String::as_str).collect::<Vec<_>>());
    table
}

#[test]
fn myt_t9_road_substitution() {
    let mut table = builder(&["mome", "coryphee"]);
    table.refuses(R, city("prov:coryphee", "mome", 2), "CARD_HAS_NO_SUCH_USE");
    table.road("mome", "coryphee");
    assert!(table.allows(R, city("prov:coryphee", "mome", 2)));
    table.armies(B, "coryphee", 1);
    table.control(B, &["shog"]);
    table.turn(B);
    table.play(B, end_war("coryphee"));
    table.turn(R);
    table.refuses(R, city("prov:coryphee", "mome", 2), "CARD_NOT_AVAILABLE");
    assert!(table.allows(R, city("prov:mome", "mome", 2)));
}

#[test]
fn myt_a13_road_substitution_along_a_chain_is_a_switch() {
    let mut table = builder(&["mome", "coryphee", "ogdoad"]);
    table.road("mome", "coryphee");
    table.road("coryphee", "ogdoad");
    table.refuses(R, city("prov:ogdoad", "mome", 2), "CARD_HAS_NO_SUCH_USE");
    table.state.switches.road_substitution_scope = RoadScope::Network;
    table.play(R, city("prov:ogdoad", "mome", 2));
}

#[test]
fn myt_t10_scribe_at_an_empty_card() {
    for scribe in [true, false] {
        let mut table = builder(&["mome"]);
        table.tokens(Stack::City, 0);
        if scribe {
            table.reserve(R, &["imp:scribe"]);
        }
        let bank = table.state.bank[1];
        table.play(R, city("prov:mome", "mome", 2));
        let token = u8::from(scribe);
        assert_eq!(table.state.players[R].tokens, [0, token, 0]);
        assert_eq!(table.state.bank[1], bank - token);
        assert!(table.state.players[R].cities.contains(prov("mome")));
    }
}

#[test]
fn myt_t42_one_building_of_a_kind() {
    let mut table = builder(&["mome", "darb", "shog"]);
    table.play(R, castle("mome"));
    let mut table = builder(&["mome", "darb", "shog"]);
    table.state.castles.insert(prov("mome"));
    table.refuses(R, castle("mome"), "CASTLE_PRESENT");
    table.citadel(R, "darb");
    table.refuses(R, castle("darb"), "CITADEL_PRESENT");
    table.refuses(R, city("prov:darb", "darb", 2), "CITADEL_PRESENT");
    table.city(R, "shog");
    table.refuses(R, city("prov:shog", "shog", 2), "NO_TOWN_THERE");
    assert!(table.allows(R, castle("shog")));
    table.refuses(R, city("prov:shog", "lea", 2), "NOT_CONTROLLED");
    table.refuses(
        R,
        city("start:red:build#2", "lea", 0),
        "CARD_HAS_NO_SUCH_USE",
    );
}

#[test]
fn myt_t43_roads() {
    let mut table = builder(&["coryphee", "fadge", "mome", "remise", "aporia", "scombroid"]);
    table.refuses(R, road("coryphee", "fadge", 3), "MOUNTAIN_BORDER");
    table.refuses(R, road("mome", "remise", 2), "CANNOT_AFFORD");
    assert!(table.allows(R, road("mome", "remise", 3)));
    table.refuses(R, road("aporia", "scombroid", 2), "NOT_ADJACENT");
    table.refuses(R, road("mome", "talion", 2), "NOT_CONTROLLED");
    table.road("mome", "coryphee");
    table.refuses(R, road("mome", "coryphee", 2), "ROAD_PRESENT");
    // With rangers the third stone comes from elsewhere.
    table.reserve(R, &["imp:ranger"]);
    table.hand(R, &["imp:build"]);
    let mut mountains = road("coryphee", "fadge", 2);
    if let Action::BuildRoad { stone, .. } = &mut mountains {
        stone.push(play("imp:build", Stone));
    }
    assert!(table.allows(R, &mountains));
    assert!(table.allows(R, road("mome", "remise", 2)));
    let mut costly = road("mome", "remise", 2);
    if let Action::BuildRoad { stone, .. } = &mut costly {
        stone.push(play("imp:build", Stone));
    }
    table.refuses(R, &costly, "SUPERFLUOUS_CARD");
    // Rangers that are played for their stone do not walk through hills (MYT-A9).
    assert!(table.allows(R, road("mome", "remise", 3)));
    table.refuses(R, road("coryphee", "fadge", 3), "MOUNTAIN_BORDER");
}

#[test]
fn myt_t44_guild_city() {
    let mut table = builder(&["mome", "remise"]);
    let mut with_guild = city("prov:mome", "mome", 2);
    if let Action::BuildCity { guild_gold, .. } = &mut with_guild {
        guild_gold.push(play("prov:remise", Gold));
    }
    table.refuses(R, &with_guild, "CARD_NOT_IN_PLAY");
    table.in_play(&["guild_city"]);
    table.tokens(Stack::GuildCity, 0);
    table.refuses(R, &with_guild, "NO_TOKEN_AVAILABLE");
    table.tokens(Stack::GuildCity, 4);
    let events = table.play(R, &with_guild).log.events.clone();
    let taken = events
        .iter()
        .filter(|event| matches!(event, Event::TokenTaken { .. }));
    assert_eq!(taken.count(), 2);
    assert_eq!(table.state.players[R].tokens, [1, 1, 0]);
}

#[test]
fn myt_7_8_general_builds_anywhere_and_roadside_inns_pay() {
    let mut table = builder(&["mome", "talion", "remise"]);
    table.in_play(&["roadside_inns"]);
    table.hand(R, &["imp:general"]);
    let mut with_inns = road("mome", "talion", 2);
    if let Action::BuildRoad {
        site_card,
        inn_gold,
        ..
    } = &mut with_inns
    {
        *site_card = Some(card("imp:general"));
        inn_gold.push(play("prov:remise", Gold));
    }
    table.play(R, &with_inns);
    assert_eq!(table.state.players[R].tokens, [1, 1, 0]);
    assert!(table.state.roads.contains(border("mome", "talion")));
}

#[test]
fn myt_6_5_12_building_goes_on_when_the_card_is_empty_until_the_supply_is() {
    let mut table = builder(&["mome", "darb"]);
    table.tokens(Stack::Castle, 0);
    let nine = [
        "lea", "quean", "eoan", "grimp", "shog", "oxter", "nivus", "talion",
    ];
    for id in nine {
        table.state.castles.insert(prov(id));
    }
    table.play(R, castle("darb"));
    assert_eq!(table.state.players[R].tokens, [0; 3]);
    let mut table = builder(&["mome", "darb"]);
    for id in nine.into_iter().chain(["blore"]) {
        table.state.castles.insert(prov(id));
    }
    table.refuses(R, castle("darb"), "SUPPLY_EMPTY");
}
