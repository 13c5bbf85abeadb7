//! Edge cases of KIN-10 and clarifications of KIN-16 that fit nowhere else.

use super::table::*;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::action::{Action, EnvoyUse, Influence, NamedDice};
use gamekeeper_rules::kingsburg::data::{Advisor, Building, DieId, Enemy, Phase, Step};
use gamekeeper_rules::kingsburg::event::Event;
use gamekeeper_rules::kingsburg::view::{DiePlace, EnvoyMode, Question, View};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::Viewer;

fn public(table: &Table) -> View {
    Kingsburg::view(&table.state, Viewer::Spectator)
}

/// KIN-10.1, KIN-16.16: total 19 with Market -1 on the King.
#[test]
fn nineteen_reaches_nobody_but_the_king_by_the_market() {
    let table = Table::of(2)
        .dice(EVA, &[6, 6, 6])
        .white(EVA, DieId::Farms, 1);
    let mut with = table
        .built(EVA, &[Building::Inn, Building::Market])
        .influence();
    with.refuses(EVA, place(19, &[0, 1, 2, 4]), "ADVISOR_OUT_OF_RANGE");
    let king = with_market(18, &[0, 1, 2, 4], -1);
    assert!(with.legal().contains(&king));
    with.play(EVA, king);
    let without = Table::of(2)
        .dice(EVA, &[6, 6, 6])
        .white(EVA, DieId::Farms, 1)
        .influence();
    without.refuses(EVA, king, "MARKET_NOT_OWNED");
}

/// KIN-10.2: 1 minus 1 and 18 plus 1 have no target.
#[test]
fn below_the_jester_and_above_the_king_is_nobody() {
    let table = Table::of(2)
        .dice(EVA, &[6, 6, 6])
        .rows(EVA, [0, 2, 0, 0, 0])
        .influence();
    let more = with_market(19, &[0, 1, 2], 1);
    table.refuses(EVA, more, "ADVISOR_OUT_OF_RANGE");
    assert!(table.legal().contains(&with_market(17, &[0, 1, 2], -1)));
}

/// KIN-10.3: several dice, tokens, Market and envoy at once.
#[test]
fn everything_at_once() {
    let mut table = Table::of(2)
        .envoy(EVA, EnvoyUse::Advisor)
        .rows(EVA, [0, 2, 0, 0, 0])
        .dice(EVA, &[1, 2])
        .plus2(EVA, 2)
        .group(ANNA, Advisor::Alchemist)
        .influence();
    let all = Action::Influence(Influence {
        plus2: 2,
        market_offset: -1,
        use_envoy: true,
        ..influence(6, &[0, 1])
    });
    table.play(EVA, all);
    let expected = Event::AdvisorInfluenced {
        seat: EVA,
        advisor: Advisor::Alchemist,
        dice: [DieId::Own0, DieId::Own1].into_iter().collect(),
        plus2: 2,
        market_offset: -1,
        use_envoy: true,
    };
    assert!(table.happened(&expected));
}

/// KIN-10.4, KIN-16.15: several groups of one player, numbered as placed.
#[test]
fn groups_are_numbered_as_placed_neutral_ones_first() {
    let mut table = Table::of(2)
        .neutral(Advisor::King)
        .dice(EVA, &[5, 1, 2])
        .influence();
    table.play(EVA, place(5, &[0]));
    table.play(EVA, place(1, &[1]));
    let view = public(&table);
    let court: Vec<_> = view
        .court
        .iter()
        .map(|group| (group.advisor.number(), group.owner, group.sequence))
        .collect();
    assert_eq!(court, [(1, Some(EVA), 3), (5, Some(EVA), 2), (18, None, 1)]);
    let places: Vec<_> = view.players[0].dice.iter().map(|die| die.place).collect();
    assert_eq!(
        places,
        [
            DiePlace::Court(Advisor::Sergeant),
            DiePlace::Court(Advisor::Jester),
            DiePlace::Pool
        ]
    );
}

/// KIN-10.8: a pass is legal with placements left.
#[test]
fn passing_is_always_allowed() {
    let mut table = Table::of(2)
        .dice(EVA, &[1, 2, 3])
        .dice(ANNA, &[4])
        .influence();
    table.play(EVA, Action::PassInfluence);
    assert!(table.happened(&Event::InfluencePassed { seat: EVA }));
    assert!(!table.forced(EVA, Action::PassInfluence));
    assert_eq!(table.asked(), Some((ANNA, "influence")));
}

/// KIN-10.11: Farms built in spring roll from summer on.
#[test]
fn new_farms_roll_in_the_next_season() {
    let mut table = Table::of(3)
        .rows(EVA, [0, 2, 0, 0, 0])
        .goods(EVA, (2, 3, 1))
        .luck(&[
            ("roll", Some(EVA), &[1, 2, 3, 6]),
            ("roll", Some(ANNA), &[1, 2, 3]),
            ("roll", Some(DAVID), &[1, 2, 4]),
        ])
        .build();
    table.play(EVA, build(Building::Farms));
    assert_eq!(table.state.phase, Phase::Summer);
    assert_eq!(table.faces_of(EVA), [1, 2, 3, 6]);
    let white: Vec<bool> = public(&table).players[0]
        .dice
        .iter()
        .map(|die| die.die.is_white())
        .collect();
    assert_eq!(white, [false, false, false, true]);
}

/// KIN-10.13: a destroyed building costs again and gives its points again.
#[test]
fn a_lost_building_may_be_built_again() {
    let table = Table::of(2)
        .enemy(Enemy::Y1Goblins3)
        .rows(EVA, [1, 0, 0, 0, 0])
        .luck(&[("king_die", None, &[1])])
        .begin(Phase::Winter);
    assert!(!table.has(EVA, Building::Statue));
    let mut again = table.goods(EVA, (2, 0, 0)).vp(EVA, 0).build();
    again.play(EVA, build(Building::Statue));
    assert!(again.has(EVA, Building::Statue));
    let reward = i16::from(again.happened(&Event::KingsRewardGiven { seat: EVA }));
    assert_eq!(again.vp_of(EVA) - reward, 3);
}

/// KIN-10.16: peeking twice is harmless.
#[test]
fn peeking_twice_changes_nothing() {
    let mut table = Table::of(2)
        .group(EVA, Advisor::General)
        .group(EVA, Advisor::Queen)
        .help();
    assert_eq!(public(&table).peeked_by, [EVA]);
    table.play(EVA, choose(gamekeeper_rules::kingsburg::data::Good::Wood));
    assert_eq!(table.state.deck.len(), 5);
}

/// KIN-10.18: the minimum strength is 0.
#[test]
fn farms_take_the_only_soldier_away() {
    let table = Table::of(2)
        .enemy(Enemy::Y1Orcs3)
        .rows(EVA, [0, 3, 0, 0, 0])
        .luck(&[("king_die", None, &[1])])
        .begin(Phase::Winter);
    let counted = table.log.events.iter().any(|event| {
        matches!(
            event,
            Event::StrengthCounted {
                seat: EVA,
                strength: 0,
                ..
            }
        )
    });
    assert!(counted);
}

/// KIN-16.3: dice are named in any order.
#[test]
fn the_order_of_named_dice_does_not_matter() {
    let named = |numbers: &[u32]| NamedDice::from_numbers(numbers.iter().copied());
    assert_eq!(named(&[2, 0, 1]), named(&[0, 1, 2]));
    assert_eq!(named(&[9, 0, 7]).numbers().collect::<Vec<_>>(), [0, 7]);
    assert_eq!(named(&[1, 1, 0]).numbers().collect::<Vec<_>>(), [0, 1, 1]);
    assert_eq!(format!("{:?}", named(&[4, 0])), "[0, 4]");
}

/// KIN-16.1: the public facts of the envoy from phase 5 to the end of autumn.
#[test]
fn the_envoy_is_public() {
    let mut table = Table::of(2).goods(ANNA, (1, 0, 0)).begin(Phase::KingsEnvoy);
    let view = |table: &Table| public(table).envoy;
    let given = view(&table);
    assert_eq!(
        (given.holder, given.mode),
        (Some(EVA), EnvoyMode::Undeclared)
    );
    assert_eq!(given.declarer, None);
    let purpose = Some(EnvoyUse::SecondBuilding);
    table.play(EVA, Action::DeclareEnvoy { purpose });
    let declared = view(&table);
    assert_eq!(
        (declared.holder, declared.mode),
        (None, EnvoyMode::SecondBuilding)
    );
    assert_eq!((declared.declarer, declared.spent), (Some(EVA), false));
    let over = view(&table.season_end(Phase::Autumn));
    assert_eq!(
        (over.holder, over.mode, over.declarer),
        (None, EnvoyMode::None, None)
    );
}

/// KIN-16.8: build actions are shown per player, during BUILD only.
#[test]
fn build_actions_are_counted_down() {
    let actions = |table: &Table| {
        let players = public(table).players;
        players
            .iter()
            .map(|player| player.build_actions_left)
            .collect::<Vec<_>>()
    };
    let mut table = Table::of(3)
        .envoy(ANNA, EnvoyUse::SecondBuilding)
        .goods(EVA, (0, 1, 0))
        .goods(ANNA, (0, 2, 1))
        .goods(DAVID, (0, 1, 0))
        .build();
    assert_eq!(actions(&table), [1, 2, 1]);
    table.play(EVA, build(Building::Barricade));
    assert_eq!(actions(&table), [0, 2, 1]);
    table.play(ANNA, build(Building::Barricade));
    assert_eq!(actions(&table), [0, 1, 1]);
    table.play(ANNA, Action::PassBuild);
    assert_eq!(actions(&table), [0, 0, 1]);
    table.play(DAVID, Action::PassBuild);
    assert_eq!(actions(&table), [0, 0, 0]);
}

/// KIN-16.2, KIN-16.15: step and context of a decision.
#[test]
fn decisions_carry_their_context() {
    let decision_and_question =
        |table: &Table| (public(table).pending[0].decision, public(table).question);
    let about_goods = |goods| {
        Some(Question {
            goods: Some(goods),
            ..Question::default()
        })
    };
    let table = Table::of(2).goods(EVA, (2, 0, 0)).begin(Phase::Recruit);
    assert_eq!(decision_and_question(&table), ("recruit", about_goods(2)));
    assert_eq!(public(&table).step, None);
    let table = Table::of(2)
        .enemy(Enemy::Y4Demons6)
        .goods(EVA, (2, 2, 2))
        .begin(Phase::Winter);
    assert_eq!(
        decision_and_question(&table),
        ("loss_goods", about_goods(4))
    );
    assert_eq!(public(&table).step, Some(Step::Resolve));
    let battle = public(&table).battle.unwrap();
    assert_eq!((battle.card, battle.king_die), (Enemy::Y4Demons6, 1));
    let table = Table::of(2).group(EVA, Advisor::Merchant).help();
    let about_the_merchant = Question {
        advisor: Some(Advisor::Merchant),
        ..Question::default()
    };
    assert_eq!(
        decision_and_question(&table),
        ("help_choice", Some(about_the_merchant))
    );
    assert_eq!(public(&table).step, Some(Step::Help));
}
