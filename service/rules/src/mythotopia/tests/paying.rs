//! Playing cards and paying with them.

use super::table::*;
use Symbol::{Army, Food, Gold, Ship, Stone};
use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::data::{Converter, Improvement, Symbol};

fn patronage(table: &mut Table) {
    table.in_play(&["patronage"]);
}

#[test]
fn myt_t25_nothing_is_overpaid() {
    let mut table = Table::of(4);
    table.control(R, &["palmain", "mome"]);
    table.hand(R, &["start:red:market#1", "prov:mome", "prov:palmain"]);
    table.display(Improvement::Scribe);
    let market = play("start:red:market#1", Gold);
    let gold = |plays: &[_]| draft("imp:scribe", plays);
    table.refuses(
        R,
        gold(&[market, play("prov:mome", Gold)]),
        "SUPERFLUOUS_CARD",
    );
    table.refuses(R, gold(&[play("start:red:market#1", Food)]), "WRONG_SYMBOL");
    table.refuses(R, gold(&[play("prov:palmain", Gold)]), "SYMBOL_NOT_ON_CARD");
    table.refuses(R, gold(&[]), "CANNOT_AFFORD");
    table.play(R, gold(&[market]));
}

#[test]
fn myt_t26_one_draft_a_turn() {
    let mut table = Table::of(4);
    table.control(R, &["mome", "darb"]);
    table.hand(R, &["start:red:market#1", "prov:mome"]);
    table.display(Improvement::Scribe);
    table.display(Improvement::Hero);
    table.play(R, draft("imp:scribe", &[play("start:red:market#1", Gold)]));
    table.refuses(
        R,
        draft("imp:hero", &[play("prov:mome", Gold)]),
        "ALREADY_DRAFTED",
    );
}

#[test]
fn myt_t27_a_drafted_card_is_not_replaced() {
    let mut table = Table::of(4);
    table.hand(R, &["start:red:market#1"]);
    table.display(Improvement::Scribe);
    let displayed = table.state.display.len();
    table.play(R, draft("imp:scribe", &[play("start:red:market#1", Gold)]));
    assert!(table.discard_of(R).contains(card("imp:scribe")));
    assert_eq!(table.state.display.len(), displayed - 1);
}

#[test]
fn myt_t28_removed_cards_can_be_drafted_back() {
    let mut table = Table::of(4);
    table.control(R, &["mome", "remise"]);
    table.removed(R, &["prov:mome", "start:red:army#1"]);
    table.hand(R, &["prov:remise", "start:red:market#1"]);
    let gold = [play("prov:remise", Gold)];
    assert!(table.allows(R, draft("start:red:army#1", &gold)));
    table.refuses(R, draft("start:blue:army#1", &gold), "CARD_NOT_DISPLAYED");
    assert!(table.allows(R, draft("prov:mome", &gold)));
    table.armies(B, "mome", 1);
    table.control(B, &["shog"]);
    table.turn(B);
    table.play(B, end_war("mome"));
    table.turn(R);
    table.refuses(R, draft("prov:mome", &gold), "CARD_NOT_DISPLAYED");
}

/// Red can pay two stone only for a city in Darb.
fn city(stone: &[gamekeeper_rules::mythotopia::SymbolPlay]) -> Action {
    Action::BuildCity {
        build_card: Some(card("start:red:build#1")),
        site_card: Some(card("prov:darb")),
        province: Some(prov("darb")),
        stone: stone.to_vec(),
        guild_gold: Vec::new(),
    }
}

#[test]
fn myt_t6_one_reason() {
    let mut table = Table::of(4);
    table.control(R, &["darb", "shog"]);
    table.hand(R, &["start:red:build#1", "prov:darb", "prov:shog"]);
    let stone = [play("prov:shog", Stone), play("start:red:build#1", Stone)];
    table.refuses(R, city(&stone), "DUPLICATE_CARD");
    table.refuses(R, city(&stone[..1]), "CANNOT_AFFORD");
}

#[test]
fn myt_t40_merchant_and_water_mill() {
    let mut table = Table::of(4);
    table.control(R, &["darb", "shog", "mome", "fadge", "blore"]);
    table.hand(
        R,
        &ids("start:red:build#1 prov:darb prov:shog prov:mome prov:fadge"),
    );
    table.hand(R, &["imp:merchant", "imp:water_mill", "prov:blore"]);
    let (gold, stone) = (play("prov:mome", Stone), play("prov:shog", Stone));
    table.refuses(R, city(&[traded(gold)]), "CANNOT_AFFORD");
    assert!(table.allows(R, city(&[traded(gold), stone])));
    assert!(table.allows(R, city(&[doubled(stone)])));
    assert!(table.allows(R, city(&[doubled(traded(gold))])));
    table.refuses(
        R,
        city(&[traded(stone), play("prov:fadge", Stone)]),
        "SUPERFLUOUS_CARD",
    );
    table.refuses(
        R,
        city(&[traded(play("prov:blore", Stone))]),
        "CANNOT_CONVERT_SYMBOL",
    );
    let strange = gamekeeper_rules::mythotopia::SymbolPlay {
        merchant: Some(Some(card("prov:fadge"))),
        ..gold
    };
    table.refuses(R, city(&[strange]), "CARD_HAS_NO_SUCH_USE");
    let armies = |plays: &[_]| place("darb", plays, &[]);
    table.refuses(
        R,
        armies(&[traded(play("prov:blore", Army))]),
        "CANNOT_CONVERT_SYMBOL",
    );
    table.refuses(
        R,
        armies(&[doubled(play("prov:blore", Army))]),
        "CANNOT_CONVERT_SYMBOL",
    );
    table.refuses(
        R,
        city(&[doubled(play("prov:mome", Stone))]),
        "SYMBOL_NOT_ON_CARD",
    );
    table.play(R, city(&[doubled(traded(gold))]));
}

fn farming() -> Table {
    let mut table = Table::of(4);
    table.control(R, &["palmain", "darb", "blore"]);
    table.armies(R, "lea", 1);
    table.armies(R, "quean", 1);
    table.hand(
        R,
        &ids("prov:palmain prov:darb prov:blore imp:alchemist imp:scribe"),
    );
    table.reserve(R, &["imp:farming"]);
    table
}

#[test]
fn myt_t41_a_converter_works_once_a_turn() {
    let mut table = farming();
    let feed = |id| [via(play(id, Food), Converter::Farming)];
    let army = [play("prov:darb", Army)];
    table.refuses(
        R,
        place("lea", &army, &feed("imp:farming")),
        "ABILITY_NOT_IN_RESERVE",
    );
    table.play(R, place("lea", &army, &feed("imp:alchemist")));
    let army = [play("prov:blore", Army)];
    table.refuses(
        R,
        place("lea", &army, &feed("imp:scribe")),
        "ABILITY_ALREADY_USED",
    );
    table.play(R, place("lea", &army, &[play("prov:palmain", Food)]));
    table.turn(B);
    assert!(table.state.turn.marks.is_empty());
}

#[test]
fn myt_t41_a_converter_works_once_in_one_action_too() {
    let mut table = farming();
    table.control(R, &["mome", "grimp"]);
    table.hand(R, &["prov:grimp"]);
    let food = ["imp:alchemist", "imp:scribe"].map(|id| via(play(id, Food), Converter::Farming));
    let over_hills = invade("blore", "quean", &[play("prov:darb", Army)], &food);
    table.refuses(R, Action::Invade(over_hills), "ABILITY_ALREADY_USED");
}

#[test]
fn myt_14_10_merchant_with_a_converter_and_levies_on_the_army_card() {
    let mut table = Table::of(4);
    table.control(R, &["darb", "mome"]);
    table.hand(
        R,
        &ids("imp:merchant imp:alchemist prov:mome imp:army start:red:build#1"),
    );
    table.reserve(R, &["imp:farming", "imp:levies", "imp:gold_mine"]);
    patronage(&mut table);
    table.display(Improvement::Scribe);
    let gold = |plays: &[_]| draft("imp:scribe", plays);
    let food = via(play("imp:alchemist", Gold), Converter::Farming);
    table.refuses(R, gold(&[food]), "SYMBOL_NOT_ON_CARD");
    assert!(table.allows(R, gold(&[traded(food)])));
    let mine = via(play("imp:alchemist", Gold), Converter::GoldMine);
    table.refuses(R, gold(&[traded(mine)]), "SUPERFLUOUS_CARD");
    let shown = via(play("prov:mome", Gold), Converter::Farming);
    table.refuses(R, gold(&[traded(shown)]), "SUPERFLUOUS_CARD");
    let levied = via(play("imp:alchemist", Gold), Converter::Levies);
    table.refuses(R, gold(&[traded(levied)]), "CANNOT_CONVERT_SYMBOL");
    let armies = [via(play("imp:army", Army), Converter::Levies)];
    table.play(R, place("darb", &armies, &[]));
    assert_eq!(table.state.players[R].armies.at(prov("darb")), 1);
}

#[test]
fn myt_10_14_a_converter_that_is_played_converts_nothing() {
    let mut table = Table::of(4);
    table.control(R, &["darb"]);
    table.armies(R, "lea", 1);
    table.hand(R, &["imp:alchemist"]);
    table.reserve(R, &["imp:farming", "imp:levies"]);
    let armies = [via(play("imp:farming", Army), Converter::Levies)];
    let food = [via(play("imp:alchemist", Food), Converter::Farming)];
    table.refuses(R, place("lea", &armies, &food), "ABILITY_NOT_IN_RESERVE");
    let armies = [via(play("imp:alchemist", Army), Converter::Levies)];
    table.play(R, place("darb", &armies, &[]));
}

#[test]
fn myt_t54_ships_need_a_port() {
    let mut table = Table::of(4);
    table.control(R, &["palmain"]);
    table.hand(R, &["start:red:ship#1", "imp:ship"]);
    let ships = |id, plays: &[_]| Action::PlaceShips {
        sea: Some(sea(id)),
        ships: plays.to_vec(),
    };
    let one = [play("start:red:ship#1", Ship)];
    table.refuses(R, ships("inland_sea_west", &one), "NO_PORT");
    table.refuses(R, ships("serpent_sea", &[]), "EMPTY_LIST");
    table.state.players[R].stock.ships = 1;
    let two = [one[0], play("imp:ship", Ship)];
    table.refuses(R, ships("serpent_sea", &two), "STOCK_EMPTY");
    table.play(R, ships("serpent_sea", &one));
    let back = |count| Action::RemoveShips {
        sea: Some(sea("serpent_sea")),
        count,
    };
    table.refuses(R, back(2), "NO_SHIPS_PRESENT");
    table.refuses(R, back(0), "NO_PIECES");
    table.play(R, back(1));
}

#[test]
fn myt_t62_patronage_twice_in_a_turn() {
    let mut table = Table::of(4);
    table.control(R, &["mome", "remise", "trogle"]);
    table.hand(
        R,
        &ids("prov:mome prov:remise prov:trogle start:red:market#1"),
    );
    let pay = |ids: [&str; 2]| Action::Patronage {
        gold: ids.map(|id| play(id, Gold)).to_vec(),
    };
    table.refuses(R, pay(["prov:mome", "prov:remise"]), "CARD_NOT_IN_PLAY");
    patronage(&mut table);
    table.play(R, pay(["prov:mome", "prov:remise"]));
    table.play(R, pay(["prov:trogle", "start:red:market#1"]));
    assert_eq!(table.state.players[R].tokens, [2, 0, 0]);
}

#[test]
fn myt_14_12_scribe_as_payment_opens_no_bank() {
    let mut table = Table::of(4);
    patronage(&mut table);
    table.tokens(gamekeeper_rules::mythotopia::data::Stack::Patronage, 0);
    table.control(R, &["mome", "remise"]);
    table.hand(R, &["prov:mome", "prov:remise"]);
    table.reserve(R, &["imp:scribe", "imp:gold_mine"]);
    let scribe = via(play("imp:scribe", Gold), Converter::GoldMine);
    let with_scribe = Action::Patronage {
        gold: vec![play("prov:mome", Gold), scribe],
    };
    table.refuses(R, &with_scribe, "NO_TOKEN_AVAILABLE");
    let gold = vec![play("prov:mome", Gold), play("prov:remise", Gold)];
    table.play(R, &Action::Patronage { gold });
    assert_eq!(table.state.players[R].tokens, [1, 0, 0]);
}

#[test]
fn myt_14_12_the_bank_needs_a_token_of_the_same_value() {
    let mut table = Table::of(4);
    patronage(&mut table);
    table.tokens(gamekeeper_rules::mythotopia::data::Stack::Patronage, 0);
    table.control(R, &["mome", "remise"]);
    table.hand(R, &["prov:mome", "prov:remise"]);
    table.reserve(R, &["imp:scribe"]);
    let gold = ["prov:mome", "prov:remise"].map(|id| play(id, Gold));
    let action = Action::Patronage {
        gold: gold.to_vec(),
    };
    table.state.bank = [0, 5, 5];
    table.refuses(R, &action, "NO_TOKEN_AVAILABLE");
    table.state.bank = [1, 0, 0];
    table.play(R, &action);
    assert_eq!(table.state.players[R].tokens, [1, 0, 0]);
}

#[test]
fn myt_t63_alchemist() {
    let mut table = Table::of(4);
    table.hand(R, &["imp:alchemist"]);
    let exchange = |from| Action::UseAlchemist {
        card: Some(card("imp:alchemist")),
        from_value: from,
    };
    table.refuses(R, exchange(1), "CANNOT_AFFORD");
    table.state.players[R].tokens = [1, 0, 0];
    let bank = table.state.bank;
    table.state.bank[1] = 0;
    table.refuses(R, exchange(1), "NO_TOKEN_AVAILABLE");
    table.refuses(R, exchange(3), "INVALID_TOKEN_VALUE");
    table.state.bank = bank;
    table.play(R, exchange(1));
    assert_eq!(table.state.players[R].tokens, [0, 1, 0]);
    assert_eq!(table.state.bank, [bank[0] + 1, bank[1] - 1, bank[2]]);
}

#[test]
fn myt_t66_buying_from_the_pool() {
    let mut table = Table::of(4);
    table.control(R, &["mome", "remise", "trogle"]);
    table.hand(
        R,
        &ids("prov:mome prov:remise prov:trogle start:red:market#1"),
    );
    let gold = [
        "prov:mome",
        "prov:remise",
        "prov:trogle",
        "start:red:market#1",
    ]
    .map(|id| play(id, Gold));
    let buy = |armies, ships| Action::BuyUnits {
        armies,
        ships,
        gold: gold.to_vec(),
    };
    assert_eq!(
        (
            table.state.players[R].pool.armies,
            table.state.players[R].pool.ships
        ),
        (8, 3)
    );
    table.refuses(R, buy(0, 0), "NO_PIECES");
    table.refuses(R, buy(9, 0), "POOL_EMPTY");
    table.refuses(R, buy(3, 1), "CANNOT_AFFORD");
    table.refuses(R, buy(1, 1), "SUPERFLUOUS_CARD");
    table.state.players[R].pool.armies = 1;
    table.refuses(R, buy(2, 1), "POOL_EMPTY");
    table.state.players[R].pool.armies = 8;
    table.play(R, buy(2, 1));
    let player = &table.state.players[R];
    assert_eq!((player.stock.armies, player.stock.ships), (8, 3));
    assert_eq!((player.pool.armies, player.pool.ships), (6, 2));
}
