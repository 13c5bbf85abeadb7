//! The printed figures against the data file (CAY-3).

use serde_json::{Map, Value, json};

use gamekeeper_rules::caylus::data::{
    BAILIFF_START, BASE_INCOME, CASTLE_PENALTY, Column, Cubes, Effect, FAVOR_TRANSFORM_PRICE,
    FIRST_PASS_DENIERS, FIXED_BUILDINGS, FavorLine, Goods, JOUST_PRICE, Kind, LAWYER_PRICE,
    MAX_MARKER, NEUTRAL_TILES, OWNER_VP, PROVOST_MOST_SPACES, Resource, SIMPLIFIED_FAVOR_VP,
    SPACES, Section, Space, Special, TRADING_POST_DENIERS, Tile, TileSheet, Trade, WORKERS,
    columns_available, placement_price, start_deniers,
};
use gamekeeper_rules::table::ClosedSet;

fn figures() -> Value {
    serde_json::from_str(include_str!("../data.json")).unwrap()
}

/// The deniers, cubes and prestige points that are not 0.
fn goods(goods: Goods) -> Value {
    let deniers = ("deniers", goods.deniers);
    let cubes = Resource::ALL.map(|kind| (kind.id(), goods.cubes.count(kind)));
    let all = [deniers].into_iter().chain(cubes).chain([("vp", goods.vp)]);
    let some = all.filter(|(_, count)| *count > 0);
    let some: Map<_, _> = some
        .map(|(name, count)| (name.into(), count.into()))
        .collect();
    some.into()
}

fn cubes(of: Cubes) -> Value {
    goods(Goods::cubes(of))
}

fn ids<T: ClosedSet>(names: &[T]) -> Value {
    names.iter().map(|name| name.id()).collect()
}

/// Checks that every field of `figures` equals that of the data file.
#[track_caller]
fn check(entry: &Value, figures: &Value) {
    for (name, figure) in figures.as_object().unwrap() {
        assert_eq!(&entry[name], figure, "{name} of {entry}");
    }
}

#[track_caller]
fn check_all<T>(entries: &Value, all: &[T], figures: impl Fn(&T) -> Value) {
    let entries = entries.as_array().unwrap();
    assert_eq!(entries.len(), all.len());
    for (entry, one) in entries.iter().zip(all) {
        check(entry, &figures(one));
    }
}

fn sheet(sheet: &TileSheet) -> Value {
    let bonus = Some(sheet.owner_bonus).filter(|kinds| !kinds.is_empty());
    let cost = Some(sheet.cost).filter(|cost| !cost.is_empty());
    json!({
        "id": sheet.tile.id(),
        "kind": sheet.kind.id(),
        "copies": sheet.copies,
        "cost": cost.map(cubes),
        "cost_any_cubes": u8::from(sheet.any_cube),
        "vp_on_build": sheet.vp,
        "favors_on_build": sheet.favors,
        "income_per_turn": sheet.income,
        "accepts_worker": sheet.tile.takes_workers(),
        "owner_bonus_choice": bonus.map(ids),
    })
}

fn effect(effect: Effect) -> Value {
    let trade = |&Trade { pay, gain }: &Trade| json!({ "pay": goods(pay), "gain": goods(gain) });
    match effect {
        Effect::None => json!({ "type": "none" }),
        Effect::Produce(options) => {
            let options: Value = options.iter().copied().map(cubes).collect();
            json!({ "type": "produce", "options": options })
        }
        Effect::SellCube(deniers) => json!({ "type": "sell_cube", "deniers": deniers }),
        Effect::BuyCubes { price, most } => {
            json!({ "type": "buy_cubes", "deniers_per_cube": price, "max_cubes": most })
        }
        Effect::BuildCraft(kind) => json!({ "type": "build_craft", "builds": kind.id() }),
        Effect::BuildPrestige => json!({ "type": "build_prestige" }),
        Effect::Transform => json!({ "type": "transform_building", "price": goods(LAWYER_PRICE) }),
        Effect::Trade(options) => {
            json!({ "type": "trade", "options": options.iter().map(trade).collect::<Value>() })
        }
        Effect::Alchemy => json!({ "type": "alchemy" }),
    }
}

#[test]
fn tiles_are_those_of_the_data_file() {
    let tiles = &figures()["tiles"];
    check_all(tiles, &Tile::ALL, |tile| sheet(tile.sheet()));
    for (tile, entry) in Tile::ALL.into_iter().zip(tiles.as_array().unwrap()) {
        check(&entry["effect"], &effect(tile.sheet().effect));
    }
    let neutral: Vec<_> = Tile::of_kind(Kind::Neutral).collect();
    assert_eq!(neutral, NEUTRAL_TILES);
}

/// CAY-7.1: the bonus is one of the kinds that the building gives.
#[test]
fn three_buildings_give_their_owner_a_bonus() {
    let with_bonus = Tile::ALL
        .into_iter()
        .filter(|tile| !tile.sheet().owner_bonus.is_empty());
    for tile in with_bonus.clone() {
        let Effect::Produce([given]) = tile.sheet().effect else {
            panic!("{tile}");
        };
        let kinds = tile.sheet().owner_bonus;
        assert_eq!(kinds.len(), 2);
        assert!(kinds.iter().all(|&kind| given.count(kind) > 0), "{tile}");
    }
    let ids: Vec<&str> = with_bonus.map(Tile::id).collect();
    assert_eq!(ids, ["stone_farm", "park", "workshop"]);
}

#[test]
fn the_board_is_that_of_the_data_file() {
    let figures = figures();
    check_all(
        &figures["special_buildings"],
        &Special::ALL,
        |special| json!({ "id": special.id(), "name_en": special.name() }),
    );
    let spaces: Vec<_> = Space::all().collect();
    assert_eq!(spaces.len(), SPACES);
    check_all(&figures["road"]["layout"], &spaces, |space| {
        let fixed = FIXED_BUILDINGS.into_iter().find(|(at, _)| at == space);
        let initial = match fixed {
            Some((_, tile)) => tile.id(),
            None if space.index() < NEUTRAL_TILES.len() => "neutral_random",
            None => "empty",
        };
        let mut sections = Section::ALL.into_iter();
        let marker = sections.find(|section| section.sheet().trigger == *space);
        json!({ "space": space.number(), "initial": initial, "marker": marker.map(Section::id) })
    });
}

#[test]
fn the_castle_is_that_of_the_data_file() {
    let castle = &figures()["castle"];
    check_all(&castle["sections"], &Section::ALL, |section| {
        let sheet = section.sheet();
        let open = columns_available(u8::try_from(section.index()).unwrap());
        json!({
            "id": section.id(),
            "parts": sheet.parts,
            "vp_per_part": sheet.vp,
            "trigger_space": sheet.trigger.number(),
            "penalty_zero_parts": sheet.penalty,
            "favor_columns_available_while_not_scored": open,
        })
    });
    let favors = Section::ALL.map(|section| {
        let favors = (0..=8).map(|parts| section.sheet().favors(parts));
        favors.collect::<Vec<_>>()
    });
    assert_eq!(favors[0], [0, 0, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(favors[1], [0, 0, 1, 2, 2, 3, 3, 3, 3]);
    assert_eq!(favors[2], [0, 0, 1, 1, 2, 2, 3, 3, 3]);
    check(castle, &json!({ "penalty_no_batch_vp": CASTLE_PENALTY }));
}

fn column(column: Column) -> Value {
    match column {
        Column::Nothing => json!({ "nothing": true }),
        Column::Vp(vp) => json!({ "vp": vp }),
        Column::Deniers(deniers) => json!({ "deniers": deniers }),
        Column::OneOf(kinds) => json!({ "gain_one_of": ids(kinds) }),
        Column::Exchange => {
            let (all, taken) = (ids(&Resource::ALL), ids(&Resource::NOT_GOLD));
            json!({ "exchange": { "give": 1, "give_from": all, "take": 2, "take_from": taken } })
        }
        Column::Craft(kind, saved) => {
            json!({ "build_craft": kind.id(), "discount": cubes(Cubes::of(1, saved)) })
        }
        Column::Transform => {
            let price = FAVOR_TRANSFORM_PRICE;
            let cloth = price.cubes.count(Resource::Cloth);
            json!({ "transform_building": { "cloth": cloth, "deniers": price.deniers } })
        }
        Column::Prestige => json!({ "build_prestige": true }),
    }
}

#[test]
fn the_favor_table_is_that_of_the_data_file() {
    let favors = &figures()["favors"];
    check_all(
        &favors["lines"],
        &FavorLine::ALL,
        |line| json!({ "id": line.id() }),
    );
    for (line, entry) in FavorLine::ALL
        .into_iter()
        .zip(favors["lines"].as_array().unwrap())
    {
        let columns: Vec<_> = (1..=MAX_MARKER).collect();
        check_all(&entry["columns"], &columns, |&at| column(line.column(at)));
        let beyond = [0, 6, 255].map(|at| line.column(at));
        assert_eq!(beyond, [Column::Nothing; 3]);
    }
    let vp = SIMPLIFIED_FAVOR_VP;
    check(
        favors,
        &json!({ "max_marker": MAX_MARKER, "simplified_variant_vp_per_favor": vp }),
    );
    assert_eq!([0, 1, 2, 3].map(columns_available), [2, 4, 5, 5]);
}

#[test]
fn prices_and_deniers_are_those_of_the_data_file() {
    let figures = figures();
    let prices = |seats: usize| (0..seats).map(move |passed| placement_price(seats, passed));
    let passing = json!({
        "first_passer_bonus_deniers": FIRST_PASS_DENIERS,
        "placement_cost_by_players_already_passed": prices(5).collect::<Value>(),
        "two_player_cost_by_players_already_passed": prices(2).collect::<Value>(),
        "owner_vp_when_other_player_places": OWNER_VP,
    });
    check(&figures["passing"], &passing);
    let deniers = |seats: usize| (0..seats).map(move |place| start_deniers(seats, place));
    let setup = &figures["setup"];
    let by_position = json!({
        "3_to_5_players": deniers(5).collect::<Value>(),
        "2_players": deniers(2).collect::<Value>(),
    });
    check(&setup["start_deniers_by_turn_position"], &by_position);
    let start = BAILIFF_START.number();
    let officials = json!({ "bailiff_space": start, "provost_space": start });
    check(setup, &officials);
    check(setup, &json!({ "workers_per_player": WORKERS }));
    check(&figures["income"], &json!({ "base": BASE_INCOME }));
    let most = PROVOST_MOST_SPACES;
    check(
        &figures["provost"],
        &json!({ "bribe_max_spaces": most, "guild_max_spaces": most }),
    );
    assert_eq!(
        figures["special_buildings"][1]["deniers"],
        TRADING_POST_DENIERS
    );
    assert_eq!(goods(JOUST_PRICE), json!({ "deniers": 1, "cloth": 1 }));
}

#[test]
fn goods_read_as_a_sum() {
    let goods = Goods {
        deniers: 1,
        cubes: Cubes::of(2, Resource::Cloth).and(1, Resource::Food),
        vp: 3,
    };
    assert_eq!(goods.to_string(), "1 denier, 1 food, 2 cloth and 3 VP");
    assert_eq!(Cubes::NONE.to_string(), "nothing");
}

#[test]
fn effects_read_as_printed() {
    let text = |tile: Tile| tile.sheet().effect.to_string();
    assert_eq!(text(Tile::NeutralFarm), "gain 1 food, or gain 1 cloth");
    assert_eq!(text(Tile::StoneFarm), "gain 2 food and 1 cloth");
    assert_eq!(
        text(Tile::FixedPeddler),
        "buy 1 cube, not gold, for 2 deniers"
    );
    assert_eq!(
        text(Tile::WoodPeddler),
        "buy up to 2 cubes, not gold, for 1 denier each"
    );
    assert_eq!(
        text(Tile::Church),
        "pay 2 deniers and gain 3 VP, or pay 4 deniers and gain 5 VP"
    );
    assert_eq!(text(Tile::Residence), "");
    let sentence = |tile: Tile| tile.sheet().effect.printed();
    assert_eq!(sentence(Tile::StoneFarm), "Gain 2 food and 1 cloth.");
    assert_eq!(sentence(Tile::Residence), "");
    let column = |line: FavorLine, column| line.column(column).to_string();
    assert_eq!(
        column(FavorLine::Resources, 2),
        "gain 1 wood, or gain 1 stone"
    );
    assert_eq!(
        column(FavorLine::Buildings, 3),
        "build 1 stone tile for 1 stone less"
    );
}
