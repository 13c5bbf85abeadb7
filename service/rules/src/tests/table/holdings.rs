//! Costs and gains of actions, and the sentences that mention them.

use gamekeeper_rules::table::{Flow, Holdings, Price, Resource};

const COIN: usize = 0;
const GOLD: usize = 1;
const POWER: usize = 2;
const RESOURCES: &[Resource] = &[
    Resource::new("coin", "coin"),
    Resource::mass("gold", "gold"),
    Resource::mass("power", "power").with_weight(2),
];

fn holdings(coins: i32, gold: i32, power: i32) -> Holdings {
    let mut holdings = Holdings::EMPTY;
    holdings.add(COIN, coins);
    holdings.add(GOLD, gold);
    holdings.add(POWER, power);
    holdings
}

#[test]
fn a_price_is_what_changes() {
    let mut flow = Flow::NONE;
    flow.pay(POWER, 4);
    flow.gain(POWER, 2);
    let price = holdings(5, 0, 8).change(&holdings(4, 2, 2), &flow, RESOURCES);
    let annotated = price.annotate(String::from("build"));
    assert_eq!(
        annotated,
        "build (costs 1 coin and 4 power; brings 2 gold and 2 power)"
    );
    assert_eq!(price.net_change(&RESOURCES[POWER]), -6);
    assert_eq!(price.stands_twice(), None);
    assert_eq!(price.net_change(&RESOURCES[GOLD]), 2);
}

#[test]
fn what_is_sure_to_come_is_a_gain_once() {
    let mut promised = holdings(1, 0, 0);
    promised.add_expected(COIN, 3);
    let price = holdings(2, 0, 0).change(&promised, &Flow::NONE, RESOURCES);
    assert_eq!(price.annotate(String::new()), " (brings 2 coins)");
    let came = promised.change(&holdings(4, 0, 0), &Flow::NONE, RESOURCES);
    assert_eq!(came, Price::default());
}

#[test]
fn a_sentence_says_nothing_twice() {
    let price = holdings(21, 0, 0).change(&holdings(20, 2, 0), &Flow::NONE, RESOURCES);
    let annotate = |sentence: &str| price.annotate(String::from(sentence));
    assert_eq!(annotate("pay 1 coin for 2 gold"), "pay 1 coin for 2 gold");
    assert_eq!(annotate("pay a coin for 2 gold"), "pay a coin for 2 gold");
    assert_eq!(
        annotate("pay 21 coins for 2 goldfish").matches('(').count(),
        1
    );
    assert_eq!(annotate("pay 1 coin"), "pay 1 coin (brings 2 gold)");
}
