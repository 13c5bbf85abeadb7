//! The printed figures against the data file.

use serde_json::{Value, json};

use super::table::{S1, Table, space, transform};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{ClosedSet, Refusal as _, Seat};
use gamekeeper_rules::terra_mystica::Refusal;
use gamekeeper_rules::terra_mystica::data::{
    BRIDGE_SITES, BonusCard, Cult, Faction, FavorTile, Goods, Introduction, Land, PowerAction,
    River, ScoringReward, ScoringTile, Spades, SpecialAction, Structure, Terrain, TownTile,
    cult_power_between, direct,
};
use gamekeeper_rules::terra_mystica::{Action, TerraMystica};

fn figures() -> Value {
    serde_json::from_str(include_str!("../data.json")).unwrap()
}

/// Goods of the data file, which leaves out kinds with 0.
fn goods(entry: &Value) -> Goods {
    let count = |name| u16::try_from(entry[name].as_u64().unwrap_or(0)).unwrap();
    Goods {
        coins: count("coins"),
        workers: count("workers"),
        priests: count("priests"),
        power: count("power"),
    }
}

/// The entries of a list with their names; optional tiles are not in the file (TM-P.3).
fn entries<T: ClosedSet>(list: &str) -> Vec<(T, Value)> {
    let figures = figures();
    let entries = figures[list].as_array().unwrap().iter();
    let named = entries.map(|entry| {
        let id = entry["id"].as_str().unwrap();
        (T::by_id(id).expect(id), entry.clone())
    });
    let named: Vec<_> = named.collect();
    let in_order = named.iter().zip(T::ALL).all(|((one, _), of)| one == of);
    assert!(in_order && !named.is_empty(), "{list}");
    named
}

#[test]
fn boards_are_those_of_the_data_file() {
    assert_eq!(entries::<Faction>("factions").len(), Faction::COUNT);
    for (faction, entry) in entries::<Faction>("factions") {
        let (sheet, start) = (faction.sheet(), &entry["start"]);
        assert_eq!(entry["home_terrain"], json!(sheet.home.id()), "{faction}");
        assert_eq!(goods(start), sheet.start, "{faction}");
        assert_eq!(start["power_bowls"], json!(sheet.bowls), "{faction}");
        assert_eq!(start["starting_dwellings"], json!(sheet.dwellings));
        for cult in Cult::ALL {
            assert_eq!(start["cults"][cult.id()], json!(sheet.cults[cult.index()]));
        }
        for structure in Structure::ALL {
            let printed = &entry["structures"][structure.id()];
            let cost = if structure == Structure::TradingHouse {
                let near = goods(&printed["cost_with_neighbor"]);
                assert_eq!(near, sheet.trading_house_near_others, "{faction}");
                &printed["cost_no_neighbor"]
            } else {
                &printed["cost"]
            };
            assert_eq!(goods(cost), sheet.cost(structure), "{faction} {structure}");
            assert_eq!(printed["count"], json!(structure.stock()), "{structure}");
            assert_eq!(printed["power_value"], json!(structure.power()));
            for (count, income) in
                (0..=structure.stock()).zip(printed["income"].as_array().unwrap())
            {
                let found = sheet.income.of(structure, count);
                assert_eq!(goods(income), found, "{faction} {structure} {count}");
            }
        }
    }
}

#[test]
fn tracks_are_those_of_the_data_file() {
    for (faction, entry) in entries::<Faction>("factions") {
        let (sheet, printed) = (faction.sheet(), &entry["shipping"]);
        assert_eq!(sheet.shipping.is_none(), printed.is_null(), "{faction}");
        if let Some(track) = sheet.shipping {
            assert_eq!(
                (&printed["start"], &printed["max"]),
                (&json!(track.start), &json!(track.max))
            );
            for level in track.start + 1..=track.max {
                let vp = &printed["vp"][level.to_string()];
                assert_eq!(vp, &json!(track.vp(level)), "{faction} {level}");
            }
        }
        let printed = &entry["terraforming"];
        match sheet.spades {
            Spades::Priests => assert_eq!(printed["unit"], "priests"),
            Spades::Workers { max_level, step } => {
                assert_eq!(printed["max"], json!(max_level), "{faction}");
                assert_eq!(goods(&printed["advance_cost"]), step, "{faction}");
            }
        }
    }
}

#[test]
fn tiles_and_cards_are_those_of_the_data_file() {
    for (tile, entry) in entries::<FavorTile>("favor_tiles") {
        let found = json!([tile.copies(), tile.cult().id(), tile.steps()]);
        assert_eq!(
            json!([entry["count"], entry["cult"], entry["steps"]]),
            found
        );
        assert_eq!(goods(&entry["income"]), tile.income(), "{tile}");
    }
    for (tile, entry) in entries::<TownTile>("town_tiles") {
        let steps = entry["gain"]["cult_steps_each"].as_u64().unwrap_or(0);
        let found = json!([tile.copies(), tile.vp(), tile.cult_steps()]);
        assert_eq!(json!([entry["count"], entry["vp"], steps]), found);
        assert_eq!(goods(&entry["gain"]), tile.gain(), "{tile}");
    }
    for (card, entry) in entries::<BonusCard>("bonus_cards") {
        assert_eq!(goods(&entry["income"]), card.income(), "{card}");
    }
    for (tile, entry) in entries::<ScoringTile>("scoring_tiles") {
        let mut vp = entry["vp_on"].as_object().unwrap().values();
        assert!(vp.all(|vp| *vp == json!(tile.vp())), "{tile}");
        let (cult, per, reward, spades) = match tile.reward() {
            ScoringReward::Goods(cult, per, goods) => (cult, per, goods, Value::Null),
            ScoringReward::Spade(cult, per) => (cult, per, Goods::NONE, json!(1)),
            ScoringReward::PerPriest(_) => unreachable!("an optional tile"),
        };
        let found = json!([cult.id(), per, spades]);
        let printed = json!([entry["cult"], entry["per_steps"], entry["reward"]["spades"]]);
        assert_eq!(printed, found);
        assert_eq!(goods(&entry["reward"]), reward, "{tile}");
    }
    for (action, entry) in entries::<PowerAction>("power_actions") {
        assert_eq!(entry["power"], json!(action.power()), "{action}");
    }
    let special = entries::<SpecialAction>("special_actions");
    assert_eq!(special.len(), SpecialAction::COUNT);
    let optional = TownTile::ALL.iter().filter(|tile| tile.is_optional());
    assert_eq!(
        optional
            .map(|tile| (tile.copies(), tile.vp()))
            .collect::<Vec<_>>(),
        [(1, 2), (2, 4), (1, 11)]
    );
}

#[test]
fn the_map_is_that_of_the_data_file() {
    let map = &figures()["map"];
    let hexes = map["hexes"].as_array().unwrap();
    assert_eq!(hexes.len(), 113);
    for hex in hexes {
        let id = hex["id"].as_str().unwrap();
        let place = match (Land::by_id(id), River::by_id(id)) {
            (Some(land), None) => {
                assert_eq!(hex["terrain"], json!(land.printed().id()), "{id}");
                let lands = hex["adjacent"].as_array().unwrap().iter();
                let mut lands: Vec<_> = lands.filter_map(|id| Land::by_id(id.as_str()?)).collect();
                lands.sort_unstable();
                assert_eq!(lands, direct(land).iter().collect::<Vec<_>>(), "{id}");
                land.place()
            }
            (None, Some(river)) => river.place(),
            found => panic!("{id}: {found:?}"),
        };
        assert_eq!(json!([hex["row"], hex["x"]]), json!(place), "{id}");
    }
    let sites = map["bridge_sites"].as_array().unwrap().iter();
    let sites: Vec<_> = sites
        .map(|site| (site["a"].clone(), site["b"].clone()))
        .collect();
    let found = BRIDGE_SITES.map(|site| (json!(site.a.id()), json!(site.b.id())));
    assert_eq!(sites, found);
}

#[test]
fn power_of_the_cult_tracks() {
    let each: Vec<u8> = (0..10)
        .map(|from| cult_power_between(from, from + 1))
        .collect();
    assert_eq!(each, [0, 0, 1, 0, 2, 0, 2, 0, 0, 3]);
    assert_eq!(cult_power_between(0, 10), 8);
}

#[test]
fn distances_on_the_cycle() {
    let from = |terrain: Terrain| Terrain::ALL.iter().map(move |&to| terrain.spades_to(to));
    assert_eq!(
        from(Terrain::Desert).collect::<Vec<_>>(),
        [0, 1, 2, 3, 3, 2, 1]
    );
    assert!(
        Terrain::ALL
            .iter()
            .all(|&terrain| from(terrain).sum::<u8>() == 12)
    );
}

#[test]
fn the_first_game_fits_the_map() {
    for players in 2..=5 {
        let first = Introduction::of(players);
        assert_eq!(
            (first.factions.len(), first.cards.len()),
            (players, players + 3)
        );
        for (faction, lands) in first.factions {
            assert_eq!(lands.len(), usize::from(faction.sheet().dwellings));
            assert!(lands.iter().all(|land| land.printed() == faction.home()));
        }
    }
}

/// TM-14.11: a refusal cites the paragraph of the action that was sent.
#[test]
fn refusals_cite_the_paragraph_of_the_action() {
    let table =
        Table::of(&[Faction::Nomads, Faction::Witches]).at(S1, Structure::Dwelling, &["F3"]);
    let cites = |seat: Seat, action: &Action| {
        let refused = TerraMystica::check(&table.state, seat, action).unwrap_err();
        assert!(
            gamekeeper_rules::rulebook::Rulebook::read(TerraMystica::RULES)
                .rule(refused.rule)
                .is_some()
        );
        (refused.code(), refused.rule)
    };
    let late = Action::BuildDwelling { space: space("F3") };
    let upgrade = Action::UpgradeStructure {
        space: space("A1"),
        to_structure: Structure::Temple,
    };
    let found = [
        cites(S1, &transform(&[("A1", Terrain::Desert)], "")),
        cites(S1, &late),
        cites(S1, &upgrade),
        cites(S1, &Action::PassTurn { card: None }),
        cites(S1, &Action::EndTurn),
        cites(S1, &Action::DecidePower { accept: true }),
    ];
    let expected = [
        ("NOT_REACHABLE", "TM-6.20"),
        ("BUILD_SPACE_NOT_TRANSFORMED", "TM-6.27"),
        ("NOT_YOUR_STRUCTURE", "TM-6.30"),
        ("CARD_REQUIRED", "TM-6.45"),
        ("MAIN_ACTION_REQUIRED", "TM-6.60"),
        ("WRONG_DECISION", "TM-6.1"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn refusals_have_the_codes_of_tm_6_70() {
    let codes = "INVALID_PLAYER_COUNT INVALID_OPTION NOT_YOUR_TURN WRONG_DECISION GAME_OVER \
        MAIN_ACTION_DONE MAIN_ACTION_REQUIRED FOLLOW_UP_PENDING FACTION_TAKEN COLOR_TAKEN \
        UNKNOWN_ID NOT_A_LAND_SPACE NOT_A_RIVER_SPACE SPACE_OCCUPIED WRONG_TERRAIN \
        SAME_TERRAIN NOT_REACHABLE LEAP_LIMIT TOO_MANY_SPACES SPACE_REPEATED \
        MUST_REACH_HOME_FIRST NOT_ENOUGH_SPADES TARGET_NOT_HOME BUILD_SPACE_NOT_TRANSFORMED \
        NOTHING_TO_DO CANNOT_AFFORD INSUFFICIENT_POWER INVALID_SACRIFICE NO_PIECE_LEFT \
        TRACK_MAXED NO_SUCH_TRACK NOT_YOUR_STRUCTURE INVALID_UPGRADE PRIEST_SPACE_TAKEN \
        ACTION_TAKEN ACTION_NOT_AVAILABLE NO_EFFECT INVALID_BRIDGE_SITE BRIDGE_SITE_TAKEN \
        BRIDGE_NEEDS_STRUCTURE CARD_NOT_AVAILABLE CARD_REQUIRED CARD_NOT_ALLOWED \
        TILE_NOT_AVAILABLE TILE_ALREADY_OWNED KEY_CHOICE_REQUIRED INVALID_KEY_CHOICE \
        NOT_A_TOWN INVALID_AMOUNT CONVERSION_NOT_ALLOWED WRONG_FACTION";
    assert_eq!(Refusal::CODES, codes.split_whitespace().collect::<Vec<_>>());
}
