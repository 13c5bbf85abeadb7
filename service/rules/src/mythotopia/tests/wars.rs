//! Wars, strengths and captures.

use super::table::*;
use Symbol::{Army, Food, Gold};
use gamekeeper_rules::mythotopia::Decision;
use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::data::{Improvement, Stack, Symbol};
use gamekeeper_rules::mythotopia::event::Event;
use gamekeeper_rules::mythotopia::stage::{Side, Zone};
use gamekeeper_rules::table::{Seat, Viewer};

fn with_hero(province: &str) -> Action {
    Action::EndWar {
        province: Some(prov(province)),
        hero: Some(Some(card("imp:hero"))),
    }
}

fn strength(table: &Table, province: &str, side: Side) -> u8 {
    let strengths = table.state.strengths(prov(province));
    strengths.iter().find(|s| s.side == side).unwrap().strength
}

#[test]
fn myt_t5_end_a_war() {
    let mut table = Table::of(4);
    let own = ["palmain", "scombroid", "nivus", "mome", "darb", "shog"];
    table.control(R, &own);
    table.armies(R, "blore", 5);
    assert_eq!(table.points(R), 18);
    let stock = table.state.players[R].stock.armies;
    table.play(R, end_war("blore"));
    assert_eq!(table.state.players[R].stock.armies, stock + 5);
    assert_eq!(table.state.controller(prov("blore")), Some(R));
    assert!(table.discard_of(R).contains(card("prov:blore")));
    assert_eq!(table.points(R), 21);
}

#[test]
fn myt_t7_tokens_are_kept() {
    let mut table = Table::of(4);
    let own = ["mome", "darb", "shog", "palmain"];
    table.control(R, &own);
    table.city(R, "mome");
    table.state.players[R].tokens = [0, 1, 0];
    table.armies(B, "mome", 1);
    table.control(B, &["lea", "quean", "trogle", "sorner"]);
    table.turn(B);
    assert_eq!((table.points(R), table.points(B)), (14, 12));
    assert_eq!(table.state.players[R].reserve_limit(), 3);
    table.play(B, end_war("mome"));
    assert_eq!((table.points(R), table.points(B)), (12, 15));
    assert_eq!(table.state.players[R].tokens, [0, 1, 0]);
    assert_eq!(table.state.players[R].reserve_limit(), 2);
    assert_eq!(table.state.players[R].city_stock(), 4);
    assert!(table.state.players[B].towns.contains(prov("mome")));
}

#[test]
fn myt_t14_a_tie_needs_hero() {
    let mut table = Table::of(4);
    table.armies(R, "blore", 4);
    table.refuses(R, end_war("blore"), "NO_CLEAR_WINNER");
    table.hand(R, &["imp:hero"]);
    table.play(R, with_hero("blore"));
    assert_eq!(table.state.controller(prov("blore")), Some(R));
    assert!(table.discard_of(R).contains(card("imp:hero")));
}

#[test]
fn myt_t15_hero_is_for_ties_for_the_lead() {
    let mut table = Table::of(4);
    table.armies(R, "blore", 5);
    table.armies(B, "blore", 6);
    table.hand(R, &["imp:hero"]);
    table.refuses(R, with_hero("blore"), "HERO_NOT_APPLICABLE");
    let (red, blue) = (
        table.state.players[R].stock.armies,
        table.state.players[B].stock.armies,
    );
    table.play(R, end_war("blore"));
    assert_eq!(table.state.controller(prov("blore")), Some(B));
    assert!(table.discard_of(B).contains(card("prov:blore")));
    assert_eq!(table.state.players[R].stock.armies, red + 5);
    assert_eq!(table.state.players[B].stock.armies, blue + 6);
    assert_eq!(table.state.turn.actions_done, 1);
}

#[test]
fn myt_10_3_hero_not_for_a_tie_for_second_place_nor_without_a_tie() {
    let mut table = Table::of(4);
    table.armies(R, "blore", 4);
    table.armies(B, "blore", 6);
    table.hand(R, &["imp:hero"]);
    table.refuses(R, with_hero("blore"), "HERO_NOT_APPLICABLE");
    table.armies(R, "blore", 3);
    table.refuses(R, with_hero("blore"), "HERO_NOT_APPLICABLE");
    assert!(table.allows(R, end_war("blore")));
}

#[test]
fn myt_t16_the_defender_wins_with_castle_and_ship() {
    let mut table = Table::of(4);
    table.in_play(&["defender_of_the_realm"]);
    table.control(B, &["palmain"]);
    table.state.castles.insert(prov("palmain"));
    table.armies(B, "palmain", 1);
    table.ships(B, "serpent_sea", 1);
    table.armies(R, "palmain", 3);
    assert_eq!(strength(&table, "palmain", Side::Player(B)), 4);
    let (red, blue) = (
        table.state.players[R].stock.armies,
        table.state.players[B].stock.armies,
    );
    table.play(R, end_war("palmain"));
    assert_eq!(table.state.controller(prov("palmain")), Some(B));
    assert_eq!(table.state.players[R].stock.armies, red + 3);
    assert_eq!(table.state.players[B].stock.armies, blue + 1);
    assert_eq!(table.state.players[B].ships[0], 1);
    assert_eq!(table.state.players[B].tokens, [1, 0, 0]);
    assert_eq!(table.state.tokens[Stack::DefenderOfTheRealm.index()], 5);
}

#[test]
fn myt_t17_limes_cavalry_and_ranger() {
    let mut table = Table::of(4);
    table.control(B, &["quean"]);
    table.armies(R, "quean", 2);
    let (red, blue) = (Side::Player(R), Side::Player(B));
    assert_eq!(strength(&table, "quean", blue), 1);
    table.reserve(B, &["imp:limes"]);
    assert_eq!(strength(&table, "quean", blue), 2);
    assert_eq!(strength(&table, "quean", red), 2);
    table.refuses(R, end_war("quean"), "NO_CLEAR_WINNER");
    table.reserve(R, &["imp:cavalry"]);
    assert_eq!(strength(&table, "quean", red), 3);
    table.reserve(R, &["imp:ranger"]);
    assert_eq!(strength(&table, "quean", red), 4);
}

#[test]
fn myt_t18_a_dragon_adds_four_and_rugged_terrain_nothing() {
    let mut table = Table::of(4);
    table.armies(R, "quean", 1);
    table.state.dragons.insert(prov("quean"));
    assert_eq!(strength(&table, "quean", Side::Neutral), 7);
}

#[test]
fn myt_t46_marauders_end_a_war_without_result() {
    let mut table = Table::of(4);
    table.in_play(&["defender_of_the_realm"]);
    table.control(R, &["mome"]);
    table.armies(R, "mome", 1);
    table.armies(B, "mome", 1);
    table.hand(R, &["imp:marauders"]);
    let strike = |province, owner| Action::UseMarauders {
        card: Some(card("imp:marauders")),
        province: Some(prov(province)),
        owner: Some(owner),
    };
    table.refuses(R, strike("darb", B), "NO_ARMY_PRESENT");
    table.play(R, strike("mome", B));
    assert!(!table.state.at_war(prov("mome")));
    assert_eq!(table.state.players[R].tokens, [0; 3]);
    let back = Action::RemoveArmies {
        province: Some(prov("mome")),
        armies: 1,
        mercenaries: 0,
    };
    table.play(R, &back);
}

fn mercenaries(province: &str, count: u32) -> Action {
    Action::UseMercenary {
        card: Some(card("imp:mercenary")),
        gold: vec![play("start:red:army#1", Gold)],
        province: Some(prov(province)),
        count,
    }
}

#[test]
fn myt_t47_mercenaries_join_an_army() {
    let mut table = Table::of(4);
    table.control(R, &["darb"]);
    table.armies(R, "blore", 1);
    table.hand(R, &["imp:mercenary", "start:red:army#1"]);
    table.refuses(R, mercenaries("darb", 2), "NO_ARMY_PRESENT");
    table.refuses(R, mercenaries("blore", 3), "INVALID_MERCENARY_COUNT");
    table.play(R, mercenaries("blore", 2));
    assert_eq!(strength(&table, "blore", Side::Player(R)), 3);
    table.hand(R, &["imp:mercenary", "start:red:army#1"]);
    table.refuses(R, mercenaries("blore", 1), "SUPPLY_EMPTY");
}

#[test]
fn myt_t48_diplomat_ends_a_lost_war_without_award() {
    let mut table = Table::of(4);
    table.in_play(&["defender_of_the_realm"]);
    table.control(B, &["mome"]);
    table.armies(B, "mome", 3);
    table.armies(R, "mome", 1);
    table.hand(R, &["imp:militia", "imp:diplomat", "start:red:army#1"]);
    table.play(R, &Action::PassTurn);
    table.play(
        R,
        &Action::UseMilitia {
            card: Some(card("imp:militia")),
        },
    );
    let negotiate = |province| Action::UseDiplomat {
        card: Some(card("imp:diplomat")),
        province: Some(prov(province)),
        gold: vec![play("start:red:army#1", Gold)],
    };
    table.refuses(R, negotiate("darb"), "NOT_AT_WAR");
    table.play(R, negotiate("mome"));
    assert!(!table.state.at_war(prov("mome")));
    assert_eq!(table.state.controller(prov("mome")), Some(B));
    assert_eq!(table.state.players[B].tokens, [0; 3]);
    assert_eq!(table.state.players[B].armies.total(), 0);
}

#[test]
fn myt_t49_capture_without_a_town() {
    let mut table = Table::of(4);
    table.in_play(&["spoils_of_war"]);
    let own = [
        "aporia", "blore", "camarine", "coryphee", "custus", "darb", "eagre", "eoan", "fadge",
        "grimp", "lea", "nesh", "nivus", "shog",
    ];
    table.control(R, &own);
    table.control(B, &["mome", "quean", "trogle", "sorner", "remise"]);
    table.city(B, "mome");
    table.state.castles.insert(prov("mome"));
    table.armies(R, "mome", 3);
    assert_eq!(table.state.town_stock(R), 0);
    assert_eq!(table.points(B), 15);
    let red = table.points(R);
    table.play(R, end_war("mome"));
    assert_eq!(table.state.controller(prov("mome")), None);
    assert_eq!(table.state.players[B].city_stock(), 4);
    assert_eq!((table.points(R), table.points(B)), (red, 12));
    assert_eq!(table.state.players[B].zone_of(card("prov:mome")), None);
    assert!(!table.discard_of(R).contains(card("prov:mome")));
    assert!(table.state.castles.contains(prov("mome")));
    assert_eq!(table.state.players[R].tokens, [0; 3]);
}

/// Captures Mome from blue with red. Returns the zone in which the card was.
fn capture_mome(table: &mut Table) -> Zone {
    table.control(B, &["shog"]);
    table.armies(R, "mome", 1);
    let events = table.play(R, end_war("mome")).log.events.clone();
    assert!(table.discard_of(R).contains(card("prov:mome")));
    let from = |event: &Event| {
        if let Event::ProvinceCaptured { card_from, .. } = event {
            return Some(*card_from);
        }
        None
    };
    events.iter().find_map(from).unwrap()
}

#[test]
fn myt_t50_the_card_comes_from_wherever_it_is() {
    let mut table = Table::of(4);
    table.control(B, &["mome", "darb"]);
    table.hand(B, &["prov:mome"]);
    table.deck(B, &["prov:darb"]);
    assert_eq!(capture_mome(&mut table), Zone::Hand);
    assert_eq!(table.hand_of(B), 1);

    let mut table = Table::of(4);
    table.control(B, &["mome", "darb", "lea"]);
    table.deck(B, &["prov:mome", "prov:darb", "prov:lea"]);
    table.draws(&[("deck_shuffle:blue", B, &["prov:darb", "prov:lea"])]);
    assert_eq!(capture_mome(&mut table), Zone::Deck);
    let deck = &table.state.players[B].deck;
    assert_eq!(deck.as_slice(), ["prov:lea", "prov:darb"].map(card));
    table.script_is_used();

    let mut table = Table::of(4);
    table.control(B, &["mome", "darb"]);
    table.reserve(B, &["prov:mome"]);
    table.deck(B, &["prov:darb"]);
    assert_eq!(capture_mome(&mut table), Zone::Reserve);
    assert_eq!(
        (table.hand_of(B), table.state.players[B].deck.len()),
        (0, 1)
    );
}

#[test]
fn myt_14_1_an_empty_deck_draws_nothing_after_a_capture() {
    let mut table = Table::of(4);
    table.control(B, &["mome"]);
    table.deck(B, &["prov:mome"]);
    table.draws(&[]);
    assert_eq!(capture_mome(&mut table), Zone::Deck);
    table.script_is_used();
}

#[test]
fn myt_t51_dragons_go_to_the_box() {
    let mut table = Table::of(4);
    table.in_play(&["here_be_dragons", "runestones"]);
    for province in ["mome", "sorner"] {
        table.state.dragons.insert(prov(province));
        table.armies(R, province, 7);
    }
    table.play(R, end_war("mome"));
    assert_eq!(table.state.players[R].tokens, [0, 1, 0]);
    assert!(!table.state.dragons.contains(prov("mome")));
    table.tokens(Stack::HereBeDragons, 0);
    table.turn(R);
    table.play(R, end_war("sorner"));
    assert_eq!(table.state.players[R].tokens, [0, 1, 0]);
    assert!(table.state.dragons.is_empty());
    assert_eq!(table.view(Viewer::Spectator).out_of_game.dragons, 5);
}

#[test]
fn myt_t52_a_defender_with_scribe_is_asked() {
    let mut table = Table::of(4);
    table.in_play(&["defender_of_the_realm"]);
    table.control(B, &["mome"]);
    table.reserve(B, &["imp:scribe"]);
    table.armies(B, "mome", 2);
    table.armies(R, "mome", 1);
    table.play(R, end_war("mome"));
    assert_eq!(table.state.decision(), Some(Decision::ChooseTokenSource));
    table.refuses(R, &Action::PassTurn, "WRONG_DECISION");
    table.refuses(B, &Action::PassTurn, "WRONG_DECISION");
    table.refuses(Y, &Action::PassTurn, "NOT_YOUR_TURN");
    let choose = |source| Action::ChooseTokenSource {
        source: Some(source),
    };
    table.refuses(
        R,
        choose(gamekeeper_rules::mythotopia::TokenSource::Card),
        "WRONG_DECISION",
    );
    table.refuses(
        B,
        choose(gamekeeper_rules::mythotopia::TokenSource::None),
        "SOURCE_NOT_OFFERED",
    );
    let bank = table.state.bank[0];
    table.play(B, choose(gamekeeper_rules::mythotopia::TokenSource::Bank));
    assert_eq!(table.state.bank[0], bank - 1);
    assert_eq!(table.state.players[B].tokens, [1, 0, 0]);
    assert_eq!(table.state.tokens[Stack::DefenderOfTheRealm.index()], 6);
    table.play(R, &Action::PassTurn);
}

/// A table at which Blue has a Reserve Army and is attacked by red in Mome.
fn besieged() -> Table {
    let mut table = Table::of(4);
    table.control(R, &["palmain", "scombroid"]);
    table.control(B, &["mome", "nivus", "talion"]);
    table.control(Y, &["oxter", "darb"]);
    table.reserve(B, &["imp:reserve_army"]);
    table.armies(R, "mome", 1);
    for (seat, color, province) in [
        (R, "red", "palmain"),
        (B, "blue", "talion"),
        (Y, "yellow", "oxter"),
    ] {
        let own = |kind: &str| format!("start:{color}:{kind}#1");
        table.hand(
            seat,
            &[&own("army"), &own("market"), &format!("prov:{province}")],
        );
    }
    table
}

fn attack(table: &Table, seat: Seat, origin: &str, target: &str) -> Action {
    let color = table.state.players[seat].color.id();
    let own = |kind: &str| format!("start:{color}:{kind}#1");
    Action::Invade(invade(
        origin,
        target,
        &[play(&own("army"), Army)],
        &[play(&own("market"), Food)],
    ))
}

#[test]
fn myt_t55_reserve_army() {
    let mut table = besieged();
    table.refuses(R, attack(&table, R, "palmain", "nivus"), "TARGET_PROTECTED");
    let armies = [play("start:red:army#1", Army)];
    let food = [play("start:red:market#1", Food)];
    assert!(table.allows(R, place("mome", &armies, &food)));
    table.turn(Y);
    table.refuses(Y, attack(&table, Y, "oxter", "nivus"), "TARGET_PROTECTED");
    table.hand(Y, &["prov:darb", "imp:portal"]);
    let mome = Action::Invade(gamekeeper_rules::mythotopia::Invasion {
        target: Some(prov("mome")),
        origin: gamekeeper_rules::mythotopia::Origin::Portal {
            card: Some(card("imp:portal")),
        },
        route: None,
        armies: vec![play("start:yellow:army#1", Army)],
        food: vec![play("start:yellow:market#1", Food)],
        transport: Vec::new(),
    });
    table.refuses(Y, &mome, "TARGET_PROTECTED");
    table.turn(B);
    table.refuses(B, attack(&table, B, "talion", "remise"), "OWN_RESERVE_ARMY");
    // Only at war with the neutral side: Blue can be attacked and may attack, regardless of the others who fight there.
    table.state.players[R].armies.clear(prov("mome"));
    table.armies(B, "blore", 1);
    for rivals in 0..2 {
        table.turn(B);
        assert!(table.allows(B, attack(&table, B, "talion", "remise")));
        table.turn(Y);
        assert!(table.allows(Y, attack(&table, Y, "oxter", "nivus")));
        assert_eq!(table.state.wars().len(), 1);
        table.armies(R, "blore", rivals + 1);
    }
}

#[test]
fn myt_a9_a_reserve_army_that_is_played_restrains_nobody() {
    let mut table = besieged();
    table.turn(B);
    let mut invasion = invade(
        "talion",
        "remise",
        &[play("imp:reserve_army", Army)],
        &[play("start:blue:market#1", Food)],
    );
    assert!(table.allows(B, Action::Invade(invasion.clone())));
    invasion.armies = vec![play("start:blue:army#1", Army)];
    table.refuses(B, Action::Invade(invasion), "OWN_RESERVE_ARMY");
}

#[test]
fn myt_10_1_a_losing_attacker_may_end_the_war_and_a_stranger_may_not() {
    let mut table = Table::of(4);
    table.control(B, &["mome"]);
    table.armies(B, "mome", 2);
    table.armies(R, "mome", 1);
    table.turn(Y);
    table.refuses(Y, end_war("mome"), "NOT_A_PARTICIPANT");
    table.refuses(Y, end_war("darb"), "NOT_AT_WAR");
    table.turn(R);
    table.play(R, end_war("mome"));
    assert_eq!(table.state.controller(prov("mome")), Some(B));
}

#[test]
fn myt_10_5_two_coasts_count_ships_of_both_seas() {
    let mut table = Table::of(4);
    table.armies(R, "nesh", 1);
    table.ships(R, "serpent_sea", 2);
    table.ships(R, "beast_sea", 1);
    assert_eq!(strength(&table, "nesh", Side::Player(R)), 4);
    assert!(table.state.players[R].reserve.is_empty());
    assert!(!table.state.players[R].reserves(Improvement::Cavalry));
}
