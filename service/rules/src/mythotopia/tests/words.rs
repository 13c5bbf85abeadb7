//! Actions and the table in words.

use super::table::*;
use Symbol::{Army, Food, Gold, Ship, Stone};
use gamekeeper_rules::mythotopia::action::{Action, Invasion, Origin, RoadMove, TokenSource};
use gamekeeper_rules::mythotopia::board::board;
use gamekeeper_rules::mythotopia::data::{Converter, Stack, Symbol};
use gamekeeper_rules::mythotopia::stage::Stage;
use gamekeeper_rules::mythotopia::state::Award;
use gamekeeper_rules::mythotopia::{Mythotopia, words};
use gamekeeper_rules::ruleset::{Ruleset, apply, create, legal_actions};
use gamekeeper_rules::table::text::{plain, width};
use gamekeeper_rules::table::{Chance, Detail, Names, Seat, Seed, Viewer};

fn names() -> [String; 2] {
    ["Ann", "Bob"].map(String::from)
}

/// A table at which Ann is to move; she attacks Blore and Bob's Mome.
fn table() -> Table {
    let mut table = Table::of(2);
    table.in_play(&["here_be_dragons", "defender_of_the_realm"]);
    table.control(R, &["palmain", "scombroid", "talion"]);
    table.control(B, &["mome", "nivus"]);
    table.city(B, "mome");
    table.state.castles.insert(prov("mome"));
    table.state.dragons.insert(prov("blore"));
    table.road("palmain", "scombroid");
    table.armies(R, "blore", 3);
    table.armies(R, "mome", 2);
    table.state.players[R].mercenaries.add(prov("blore"), 1);
    table.ships(R, "serpent_sea", 1);
    let hand = [
        "start:red:build#1",
        "start:red:build#2",
        "prov:palmain",
        "start:red:ship#1",
    ];
    table.hand(R, &hand);
    table.reserve(R, &["imp:water_mill", "imp:ship"]);
    table.state.turn.actions_done = 1;
    table
}

#[track_caller]
fn says(table: &Table, action: &Action, said: &str) {
    let names = names();
    let view = table.view(Viewer::Seat(R));
    assert_eq!(words::action(&view, action, Names::new(&names)), said);
}

#[test]
fn a_seat_sees_the_board_and_its_own_hand() {
    let text = board(&table().view(Viewer::Seat(R)), Names::new(&names()), 80);
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("board", plain(&text));
    });
}

#[test]
fn a_token_that_is_due_names_its_sources() {
    let mut table = table();
    let stack = Stack::DefenderOfTheRealm;
    table.state.awards.push(Award { seat: B, stack });
    table.reserve(B, &["imp:scribe"]);
    let text = plain(&board(
        &table.view(Viewer::Spectator),
        Names::new(&names()),
        80,
    ));
    let due = "Tokens due  Bob: Defender of the Realm 1 from card or bank";
    assert!(text.contains(due), "{text}");
    let source = |source| Action::ChooseTokenSource {
        source: Some(source),
    };
    let token = "a 1-point token for Defender of the Realm";
    let bank = format!("take {token} from the bank");
    says(&table, &source(TokenSource::Bank), &bank);
    says(
        &table,
        &source(TokenSource::None),
        &format!("decline {token}"),
    );
}

#[test]
fn the_set_up_has_no_turn() {
    let mut table = Table::of(2);
    table.state.stage = Stage::SetupDiscard;
    table.state.more_choice = true;
    table.state.players[B].choice = Some(prov("mome").into());
    let text = plain(&board(
        &table.view(Viewer::Seat(R)),
        Names::new(&names()),
        80,
    ));
    assert!(text.contains("everybody gives away 2 provinces"), "{text}");
    assert!(text.contains("2 Bob (blue, has chosen)"), "{text}");
}

#[test]
fn in_a_terminal_of_120_columns_the_players_are_beside_the_map() {
    let view = table().view(Viewer::Seat(R));
    insta::assert_snapshot!(plain(&board(&view, Names::new(&names()), 120)));
}

#[test]
fn no_line_is_wider_than_asked_for() {
    for columns in [80, 120] {
        let text = board(&table().view(Viewer::Operator), Names::NONE, columns);
        for line in text.lines() {
            assert!(width(line) <= columns, "{columns}: {line}");
        }
    }
}

#[test]
fn invasions_say_their_armies_and_cards() {
    let table = table();
    let armies = [
        play("start:red:army#1", Army),
        play("prov:scombroid", Army),
        play("imp:army", Army),
    ];
    let food = doubled(via(play("start:red:ship#1", Food), Converter::Farming));
    let by_land = invade("palmain", "blore", &armies, &[food]);
    says(
        &table,
        &Action::Invade(by_land.clone()),
        "invade Blore from Palmain with 5 armies: site card Palmain; armies from Army, \
         Scombroid and Army (improvement); 2 food from Ship through Farming with reserved \
         Water Mill",
    );
    let by_sea = Invasion {
        target: Some(prov("ambsace")),
        route: Some(by_sea(&["serpent_sea", "beast_sea"])),
        armies: vec![play("prov:scombroid", Army)],
        food: Vec::new(),
        transport: cards(&["start:red:ship#1", "imp:ship"]),
        ..by_land.clone()
    };
    says(
        &table,
        &Action::Invade(by_sea),
        "invade Ambsace from Palmain across the Serpent Sea and the Beast Sea with 1 army: site card \
         Palmain; transport with Ship and reserved Ship (improvement); armies from Scombroid",
    );
    let gate = Invasion {
        origin: Origin::Portal {
            card: Some(card("imp:portal")),
        },
        route: None,
        armies: vec![play("start:red:army#1", Army)],
        food: Vec::new(),
        ..by_land
    };
    let mut last = table;
    last.army_stock(R, 1);
    let said = "invade Blore through Portal with 1 army: armies from Army";
    says(&last, &Action::Invade(gate), said);
}

#[test]
fn other_actions_are_said_as_sentences() {
    let table = table();
    let step = |from, to, count| RoadMove {
        from_province: Some(prov(from)),
        to_province: Some(prov(to)),
        count,
    };
    let march = Action::MoveArmiesByRoad {
        moves: vec![step("palmain", "talion", 3), step("talion", "palmain", 1)],
    };
    let said = "move 3 armies from Palmain to Talion and 1 army from Talion to Palmain by road";
    says(&table, &march, said);
    let road = Action::BuildRoad {
        build_card: Some(card("imp:build")),
        site_card: Some(card("prov:palmain")),
        a: Some(prov("palmain")),
        b: Some(prov("scombroid")),
        stone: vec![
            play("start:red:build#1", Stone),
            play("start:red:build#2", Stone),
        ],
        inn_gold: vec![play("prov:mome", Gold)],
    };
    let said = "build a road from Palmain to Scombroid with Build (improvement): site card Palmain; \
                2 stone from 2 Builds; 1 gold from Mome for Roadside Inns";
    says(&table, &road, said);
    let marauders = Action::UseMarauders {
        card: Some(card("imp:marauders")),
        province: Some(prov("mome")),
        owner: Some(B),
    };
    let said = "send an army of Bob home from Mome with Marauders";
    says(&table, &marauders, said);
    let buy = Action::BuyUnits {
        armies: 1,
        ships: 2,
        gold: vec![play("start:red:army#1", Gold)],
    };
    let said = "buy 1 army and 2 ships: 1 gold from Army";
    says(&table, &buy, said);
    let counsellor = Action::UseCounsellor {
        card: Some(card("imp:counsellor")),
        hand: cards(&["start:red:build#1", "start:red:build#2", "prov:palmain"]),
        reserve: cards(&["imp:ship"]),
    };
    let said = "discard 2 Builds, Palmain and reserved Ship (improvement) and draw 4 cards \
                with Counsellor";
    says(&table, &counsellor, said);
    let ships = Action::PlaceShips {
        sea: None,
        ships: vec![play("imp:ship", Ship)],
    };
    let said = "place 1 ship in an unknown sea: ships from reserved Ship (improvement)";
    says(&table, &ships, said);
}

/// No two moves of a list have the same text, and none has only its kind.
#[test]
fn every_move_has_words_of_its_own() {
    let chance = Chance::from_seed(&Seed::from_number(4));
    let mut now = create::<Mythotopia>(&options(3, &Default::default()), chance);
    for step in 0..250 {
        let seat: Seat = Mythotopia::pending(&now.state)[0].seat;
        let view = Mythotopia::view(&now.state, Viewer::Seat(seat));
        let (mut moves, mut said) = (Vec::new(), Vec::new());
        for action in legal_actions::<Mythotopia>(&now.state, seat, Detail::Moves) {
            said.push(Mythotopia::action_text(&view, &action, Names::NONE));
            moves.push(action);
        }
        assert!(said.iter().all(|said| !said.contains("unknown")));
        said.sort();
        said.dedup();
        assert_eq!(said.len(), moves.len(), "{said:#?}");
        let action = &moves[step * 7 % moves.len()];
        now = apply::<Mythotopia>(&now.state, &now.chance, seat, action).unwrap();
    }
}
