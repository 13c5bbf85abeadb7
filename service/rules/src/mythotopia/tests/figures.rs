//! The tables of `data` are those of the data file.

use serde_json::{Value, json};

use gamekeeper_rules::mythotopia::data::{
    ABILITY_GOLD, ACTIONS, ARMIES, ARMY_GOLD, BONUS_GOLD, Border, BorderSet, CASTLE_STONE,
    CASTLE_STRENGTH, CASTLES, CITIES, CITY_STONE, Card, Color, DEALT, DEALT_MORE_CHOICE, DISPLAYED,
    DRAFT_GOLD, DRAGON_STRENGTH, DRAGONS, EMPTY_CARDS_TO_END, FACE_DOWN, FEWEST_CARDS,
    FOURTH_PLAYER_EXTRA, GIVEN_AWAY, HAND, HILLS_FOOD, HILLS_STONE, INVADE_FOOD, Improvement,
    Island, MAX_MERCENARIES, MAX_REMOVED, MERCENARIES, Numbered, PATRONAGE_GOLD, PLACE_FOOD,
    POINTS_TRACK, PROVINCE_POINTS, PointCard, Province, RESERVE, RESERVE_STRENGTH, ROAD_STONE,
    ROADS, RUGGED_STRENGTH, RUNESTONES, SHIP_GOLD, SHIPS, STARTING_ARMIES, STARTING_SHIPS, Sea,
    Stack, Start, Symbol, Symbols, TOKENS, TOWNS, TOWNS_OF_TWO, VARIABLE_IN_PLAY,
};
use gamekeeper_rules::table::ClosedSet as _;

fn file() -> Value {
    serde_json::from_str(include_str!("../data.json")).unwrap()
}

fn rows(name: &str) -> Vec<Value> {
    file()[name].as_array().unwrap().clone()
}

#[track_caller]
fn holds(name: &str, expected: &Value) {
    let found = file()[name].clone();
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(found[key], *value, "{name}: {key}");
    }
}

/// The symbols in sorted order: the file has them in any order.
fn sorted(symbols: &Value) -> Vec<Symbol> {
    let symbols = symbols.as_array().unwrap().iter();
    let mut symbols: Vec<Symbol> = symbols
        .map(|id| Symbol::by_id(id.as_str().unwrap()).unwrap())
        .collect();
    symbols.sort();
    symbols
}

fn listed(symbols: Symbols) -> Vec<Symbol> {
    let times = |symbol: Symbol| std::iter::repeat_n(symbol, symbols.count(symbol).into());
    Symbol::ALL.into_iter().flat_map(times).collect()
}

#[test]
fn provinces_and_seas() {
    let provinces = rows("provinces");
    assert_eq!(provinces.len(), Province::COUNT);
    for (province, found) in Province::ALL.into_iter().zip(provinces) {
        let row = province.row();
        let seas: Vec<&str> = row.seas.iter().map(Sea::id).collect();
        let expected = json!({
            "no": province.printed_number(), "id": province.id(), "name": province.name(),
            "symbol": row.symbol.id(), "neutral_strength": row.strength, "rugged": row.rugged,
            "island": row.island.map(Island::id), "seas": seas,
        });
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(found[key], *value, "{province}: {key}");
        }
    }
    for (sea, found) in Sea::ALL.into_iter().zip(rows("seas")) {
        let adjacent: Vec<&str> = sea.adjacent().iter().map(Sea::id).collect();
        let expected = json!({ "id": sea.id(), "name": sea.name(), "adjacent_seas": adjacent });
        assert_eq!(found, expected);
    }
    let border = |border: Border| {
        let row = border.row();
        json!({ "a": row.a.id(), "b": row.b.id(), "type": row.kind.id() })
    };
    assert_eq!(
        Border::all().map(border).collect::<Vec<_>>(),
        rows("land_borders")
    );
}

#[test]
fn cards() {
    for (improvement, found) in Improvement::ALL.into_iter().zip(rows("improvements")) {
        assert_eq!(found["no"], improvement.printed_number());
        assert_eq!(found["id"], improvement.id());
        assert_eq!(found["name"], improvement.name());
        assert_eq!(sorted(&found["symbols"]), listed(improvement.symbols()));
        let ability = Card::improvement(improvement).ability();
        let abilities: Vec<&str> = ability.iter().map(|ability| ability.id()).collect();
        assert_eq!(found["ability"], json!(abilities), "{improvement}");
    }
    for (start, found) in Start::ALL.into_iter().zip(rows("starting_cards")) {
        let copies = Start::DEAL.iter().filter(|&&other| other == start).count();
        assert_eq!(found["kind"], start.id());
        assert_eq!(found["name"], start.name());
        assert_eq!(found["count_per_player"], copies);
        assert_eq!(sorted(&found["symbols"]), listed(start.symbols()));
    }
}

#[test]
fn point_cards() {
    for (card, found) in PointCard::ALL.into_iter().zip(rows("point_cards")) {
        assert_eq!(
            (&found["id"], &found["name"]),
            (&json!(card.id()), &json!(card.name()))
        );
        let fixed = found["class"] == "fixed";
        assert_eq!(fixed, PointCard::FIXED.contains(&card));
        let tokens = |stack: Stack| {
            let (value, count) = (stack.printed_value(), stack.tokens(4));
            match stack.slot() {
                Some(slot) => json!({ "value": value, "count": count, "slot": slot.id() }),
                None => json!({ "value": value, "count": count }),
            }
        };
        if fixed {
            let [stack] = *card.stacks() else {
                panic!("{card}")
            };
            let counts = [2, 3, 4].map(|players| stack.tokens(players));
            let [two, three, four] = counts;
            let counts = json!({ "2": two, "3": three, "4": four });
            assert_eq!(found["tokens"]["by_players"], counts);
            assert_eq!(found["tokens"]["value"], stack.printed_value());
        } else {
            let stacks: Vec<Value> = card.stacks().iter().copied().map(tokens).collect();
            assert_eq!(found["tokens"], json!(stacks));
        }
    }
}

#[test]
fn counts_and_costs() {
    let all: Vec<&str> = Color::ALL.map(Color::id).to_vec();
    holds(
        "setup",
        &json!({
            "colors": { "2": all[..2], "3": all, "4": all },
            "dealt": { "2": DEALT[0], "3": DEALT[1], "4": DEALT[2] },
            "dealt_more_choice": { "3": DEALT[1] + DEALT_MORE_CHOICE, "4": DEALT[2] + DEALT_MORE_CHOICE },
            "discarded_more_choice": GIVEN_AWAY,
            "opening_hand": HAND, "fourth_player_extra": FOURTH_PLAYER_EXTRA,
            "dragons": DRAGONS, "runestones": RUNESTONES,
        }),
    );
    holds(
        "costs",
        &json!({
            "city": { "stone": CITY_STONE }, "castle": { "stone": CASTLE_STONE },
            "road": { "stone": ROAD_STONE }, "road_hill_extra": { "stone": HILLS_STONE },
            "invade": { "food": INVADE_FOOD }, "invade_hill_extra": { "food": HILLS_FOOD },
            "place_armies_not_own": { "food": PLACE_FOOD },
            "army": { "gold": ARMY_GOLD }, "ship": { "gold": SHIP_GOLD },
            "draft": { "gold": DRAFT_GOLD }, "patronage": { "gold": PATRONAGE_GOLD },
            "guild_city": { "gold": BONUS_GOLD }, "roadside_inns": { "gold": BONUS_GOLD },
            "diplomat": { "gold": ABILITY_GOLD }, "mercenary": { "gold": ABILITY_GOLD },
            "mystic": { "gold": ABILITY_GOLD },
        }),
    );
    holds(
        "constants",
        &json!({
            "actions_per_turn": ACTIONS, "hand_limit": HAND, "reserve_base": RESERVE,
            "min_cards_after_remove": FEWEST_CARDS, "max_cards_removed_per_action": MAX_REMOVED,
            "vp_per_province": PROVINCE_POINTS, "vp_track_max": POINTS_TRACK,
            "empty_cards_to_end": EMPTY_CARDS_TO_END, "defence_bonus_castle": CASTLE_STRENGTH,
            "defence_bonus_citadel": CASTLE_STRENGTH, "defence_bonus_rugged": RUGGED_STRENGTH,
            "dragon_strength": DRAGON_STRENGTH, "cavalry_bonus": RESERVE_STRENGTH,
            "limes_bonus": RESERVE_STRENGTH, "ranger_attack_bonus": RESERVE_STRENGTH,
            "mercenaries_per_play_max": MAX_MERCENARIES,
        }),
    );
}

/// MYT-3.4: 79 borders, numbered from 0; no other number names one.
#[test]
fn borders_have_the_numbers_up_to_their_count() {
    let all: Vec<Border> = Border::all().collect();
    assert_eq!(all.len(), 79);
    for number in 0..=u8::MAX {
        let expected = all.get(usize::from(number)).copied();
        assert_eq!(Border::nth(number.into()), expected);
        assert_eq!(Border::try_from(number).ok(), expected);
        assert!(expected.is_none_or(|border| u8::from(border) == number));
    }
    let mut left = all.iter().copied().collect::<BorderSet>().iter();
    for count in (0..=all.len()).rev() {
        assert_eq!(left.size_hint(), (count, Some(count)));
        left.next();
    }
}

#[test]
fn supplies() {
    let found = file()["supplies"].clone();
    let color = &found["per_color"];
    let towns = json!({ "2": TOWNS_OF_TWO, "3": TOWNS, "4": TOWNS });
    assert_eq!(color["towns_used"], towns);
    let pieces = json!([CITIES, ARMIES, SHIPS]);
    assert_eq!(
        json!([color["cities"], color["armies"], color["ships"]]),
        pieces
    );
    let stock = json!({ "armies": STARTING_ARMIES, "ships": STARTING_SHIPS });
    assert_eq!(color["initial_stock"], stock);
    let [ones, twos, threes] = TOKENS;
    let common = json!({
        "roads": ROADS, "castles": CASTLES, "dragons": DRAGONS, "runestones": RUNESTONES,
        "mercenaries": MERCENARIES, "vp_tokens": { "1": ones, "2": twos, "3": threes },
    });
    assert_eq!(found["common"], common);
    let cards = &found["cards"];
    let shown = json!([DISPLAYED, FACE_DOWN, VARIABLE_IN_PLAY, Start::DEAL.len()]);
    let keys = [
        "improvements_displayed",
        "improvements_deck",
        "variable_in_play",
        "starting_per_player",
    ];
    assert_eq!(json!(keys.map(|key| cards[key].clone())), shown);
}
