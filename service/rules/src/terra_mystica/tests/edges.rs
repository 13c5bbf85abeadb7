//! The rulings J of TM-1.3, and the edge cases of TM-10.

use super::table::*;
use gamekeeper_rules::terra_mystica::data::Conversion;
use gamekeeper_rules::terra_mystica::data::Cult::{Air, Fire};
use gamekeeper_rules::terra_mystica::data::Faction::*;
use gamekeeper_rules::terra_mystica::data::Terrain::{Desert, Mountains, Plains, Wasteland};
use gamekeeper_rules::terra_mystica::data::{BonusCard, PriestSlot, ScoringTile, Space, TownTile};
use gamekeeper_rules::terra_mystica::{Action, Decision, Direction, PowerUse, SpecialUse};

fn nomads_on_f3() -> Table {
    Table::of(&[Nomads, Witches])
        .at(S1, D, &["F3"])
        .goods(S1, 9, 9, 1)
}

fn long(action: Action) -> Action {
    let Action::TransformAndBuild { mut work } = action else {
        panic!("main action 1");
    };
    for transform in &mut work.transforms {
        transform.direction = Direction::Long;
    }
    Action::TransformAndBuild { work }
}

#[test]
fn priests_of_a_player_are_not_in_the_supply() {
    let view = nomads_on_f3().view(Spectator);
    assert_eq!(view.board(S1).unwrap().priest_supply, 6);
}

#[test]
fn j7_the_long_way_round() {
    let table = nomads_on_f3().goods(S1, 18, 0, 0).tile(ScoringTile::Score1);
    let action = long(transform(&[("E6", Desert)], ""));
    assert!(table.lists(S1, &action));
    let table = table.play(S1, &action);
    assert_eq!((table.p(S1).workers, table.vp_of(S1)), (0, 32));
}

#[test]
fn j14_the_direction_means_nothing_to_giants() {
    let table = Table::of(&[Giants, Nomads])
        .at(S1, D, &["D4"])
        .goods(S1, 6, 0, 0);
    let action = long(transform(&[("E7", Wasteland)], ""));
    assert!(table.allows(S1, &action) && !table.lists(S1, &action));
}

#[test]
fn j15_j16_bridges_of_all_owners_join_spaces() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, SH, &["E8"])
        .at(S2, D, &["A3"])
        .bridge(S2, "E8", "G3");
    let storm = special(SpecialUse::Sandstorm {
        space: space("G3"),
        build: true,
    });
    let table = table.goods(S1, 1, 2, 0).play(S1, &storm);
    assert_eq!(
        (table.piece("G3"), table.terrain_of("G3")),
        (Some((S1, D)), Desert)
    );
}

#[test]
fn a_sandstorm_may_be_followed_by_a_late_dwelling() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, SH, &["E8"])
        .goods(S1, 2, 2, 0)
        .bowls(S1, [12, 0, 0]);
    let storm = special(SpecialUse::Sandstorm {
        space: space("E7"),
        build: false,
    });
    let table = table.play(S1, &storm).play(S1, &late("E7"));
    assert_eq!(
        (table.piece("E7"), table.goods_of(S1)),
        (Some((S1, D)), (1, 0, 0))
    );
}

#[test]
fn j33_tm_10_8_priests_and_blocked_markers() {
    let table = Table::of(&[Auren, Nomads])
        .at(S1, SH, &["F4"])
        .cults(S1, [9, 0, 0, 9])
        .goods(S1, 0, 0, 1);
    table.refuses(S1, special(SpecialUse::CultSteps(Air)), "NO_EFFECT");
    let table = table.play(S1, &priest(Fire, PriestSlot::Three));
    assert_eq!(
        (table.p(S1).cults[0], table.state.priest_spaces[0][0]),
        (9, Some(S1))
    );
}

#[test]
fn tm_10_6_tm_10_7_rewards_given_up() {
    let table = nomads_on_f3()
        .bowls(S1, [0, 0, 3])
        .play(S1, &power(PowerUse::Bridge { span: None }));
    assert_eq!(table.p(S1).bowls, [3, 0, 0]);
    table.turn(S1).refuses(S1, act1("F3", "G1"), "ACTION_TAKEN");
}

#[test]
fn tm_10_14_a_bridge_adds_to_a_town() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["E8", "G3", "H4"])
        .bowls(S1, [0, 0, 12]);
    let table = table
        .town(S1, Some(TownTile::Tw1), &["E8"])
        .play(S1, &act1("E8", "G3"));
    assert_eq!(table.state.towns[0].lands.len(), 3);
}

#[test]
fn tm_10_22_a_leap_is_paid_each_time() {
    let table = Table::of(&[Dwarves, Nomads])
        .at(S1, D, &["E7"])
        .goods(S1, 12, 9, 0);
    let table = table
        .play(S1, &transform(&[("G2", Mountains)], ""))
        .turn(S1);
    assert_eq!((table.p(S1).workers, table.vp_of(S1)), (7, 24));
    let table = table.play(S1, &build("G2"));
    assert_eq!((table.p(S1).workers, table.vp_of(S1)), (4, 28));
}

#[test]
fn tm_10_9_the_new_card_ships_in_the_next_round() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["E8"])
        .at(S2, D, &["A3"])
        .goods(S1, 9, 9, 0);
    let action = transform(&[("D6", Desert)], "");
    let table = table
        .play(S1, &pass(BonusCard::Bon4))
        .play(S2, &pass(BonusCard::Bon9));
    assert!(table.allows(S1, &action));
}

#[test]
fn tm_10_12_the_halflings_stronghold_and_its_dwelling_are_two_events() {
    let table = Table::of(&[Halflings, Witches])
        .at(S1, TP, &["E6"])
        .at(S2, D, &["F4"])
        .goods(S1, 9, 20, 0);
    let table = table.play(S1, &upgrade("E6", SH));
    assert_eq!(table.decision(), Some((S2, Decision::PowerDecision)));
    let table = table.play(S2, &REFUSE);
    let spades = Action::UseStrongholdSpades {
        work: work(&[("F3", Plains)], "F3"),
    };
    let table = table.play(S1, &spades);
    assert_eq!(table.decision(), Some((S2, Decision::PowerDecision)));
    assert_eq!(table.view(Spectator).power_offers[0].space, land("F3"));
}

#[test]
fn turns_end_by_themselves_if_the_table_wants_it() {
    let mut table = nomads_on_f3();
    table.state.rules.auto_end_turn = true;
    let table = table.play(S1, &priest(Fire, PriestSlot::Two));
    assert_eq!(table.decision(), Some((S2, Decision::Turn)));
}

#[test]
fn conversions_at_one_glance() {
    let table = nomads_on_f3().goods(S1, 2, 0, 1).bowls(S1, [0, 2, 9]);
    let table = table.play(S1, &convert(Conversion::PowerToPriest, 1));
    assert_eq!(
        (table.goods_of(S1), table.p(S1).bowls),
        ((2, 0, 2), [5, 2, 4])
    );
    let table = table.play(S1, &convert(Conversion::PowerToWorker, 1));
    let table = table.play(S1, &convert(Conversion::PriestToWorker, 2));
    assert_eq!(table.goods_of(S1), (5, 0, 0));
    let table = table.play(S1, &convert(Conversion::WorkerToCoin, 5));
    assert_eq!(
        (table.goods_of(S1), table.p(S1).bowls),
        ((0, 5, 0), [8, 2, 1])
    );
    table.refuses(S1, convert(Conversion::WorkerToCoin, 1), "CANNOT_AFFORD");
    table.refuses(S1, convert(Conversion::WorkerToCoin, 0), "INVALID_AMOUNT");
    table.refuses(
        S1,
        convert(Conversion::WorkerToCoin, 10_000),
        "CANNOT_AFFORD",
    );
    for times in [10_001, u32::MAX] {
        for kind in [
            Conversion::WorkerToCoin,
            Conversion::PowerToCoin,
            Conversion::PowerToPriest,
        ] {
            for sacrifice in [0, times] {
                let convert = Action::Convert {
                    kind,
                    times,
                    sacrifice,
                };
                let refused = table.refusal(S1, &convert).to_string();
                assert_eq!(refused, format!("Choose at most 10000, not {times}."));
            }
        }
    }
    let refused = table
        .refusal(S1, convert(Conversion::PowerToPriest, 10_000))
        .to_string();
    assert!(refused.starts_with("This takes 50000 power;"), "{refused}");
    let stone = Table::of(&[Alchemists, Nomads]).goods(S1, 0, 5, 0);
    let table = stone.play(S1, &convert(Conversion::AlchemyCoinToVp, 2));
    assert_eq!((table.p(S1).coins, table.vp_of(S1)), (1, 22));
    let table = table.play(S1, &convert(Conversion::AlchemyVpToCoin, 22));
    assert_eq!((table.p(S1).coins, table.vp_of(S1)), (23, 0));
    table.refuses(S1, convert(Conversion::AlchemyVpToCoin, 1), "CANNOT_AFFORD");
}

#[test]
fn names_of_spaces_survive() {
    assert_eq!(Space::by_id("A1"), Space::Land(land("A1")));
    assert_eq!(space("r35").id(), "r35");
}
