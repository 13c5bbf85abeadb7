use gamekeeper_rules::kingsburg::{
    Advisor, Color, DieId, Enemy, FighterView, Goods, Kingsburg, Outcome, Phase, Step,
};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::Seat;

use super::*;
use crate::names::tests::check_names;

const ANN: Seat = Seat::at(0);
const BOB: Seat = Seat::at(1);

fn ann() -> PlayerView {
    let die = |die, value, place| DieView { die, value, place };
    PlayerView {
        seat: ANN,
        color: Color::Red,
        vp: -3,
        goods: Goods::new(1, 2, 3),
        plus2: 4,
        soldiers: 300,
        rows: [2, 0, 0, 1, 0],
        aid_die: true,
        dice: vec![
            die(DieId::Own0, 6, DiePlace::Court(Advisor::Duchess)),
            die(DieId::Own1, 2, DiePlace::SetAside),
            die(DieId::KingsAid, 5, DiePlace::Pool),
        ],
        reroll_used: true,
        market_used: false,
        influence_done: true,
        build_actions_left: 2,
    }
}

fn view() -> View {
    let players = ["Ann", "Bob"].map(String::from);
    let options = Kingsburg::options(&players, &<Kingsburg as Ruleset>::Draft::default());
    View {
        options: options.unwrap(),
        year: 2,
        phase: Phase::Autumn,
        step: Some(Step::Influence),
        pending: Some(PendingView {
            seat: BOB,
            decision: Decision::Influence,
        }),
        turn_order: vec![BOB, ANN],
        players: vec![ann()],
        envoy: EnvoyView {
            holder: Some(ANN),
            mode: EnvoyMode::Advisor,
            declarer: Some(ANN),
            spent: false,
        },
        court: vec![],
        enemies: vec![],
        peeked_by: vec![BOB],
        battle: None,
        history: vec![],
        results: vec![],
    }
}

#[test]
fn modes_keep_their_order() {
    check_names(&EnvoyMode::ALL);
}

#[test]
fn the_table_field_by_field() {
    let view = view();
    let message = message(&view);
    assert_eq!(message.options, Some(options::message(&view.options)));
    assert_eq!((message.year, message.phase()), (2, pb::Phase::Autumn));
    assert_eq!(message.step(), pb::Step::Influence);
    assert_eq!(message.turn_order, [2, 1]);
    assert_eq!(message.peeked_by, [2]);
    let envoy = pb::EnvoyView {
        holder: Some(1),
        mode: pb::EnvoyMode::Advisor as i32,
        declarer: Some(1),
        spent: false,
    };
    assert_eq!(message.envoy, Some(envoy));
    assert_eq!((message.battle, message.results.len()), (None, 0));
}

#[test]
fn a_phase_without_steps_has_none() {
    let view = View {
        phase: Phase::Recruit,
        step: None,
        ..view()
    };
    assert_eq!(message(&view).step(), pb::Step::Unspecified);
}

#[test]
fn a_player_field_by_field() {
    let die = |die, white, value, place: pb::DiePlace, advisor| pb::DieView {
        die,
        white,
        value,
        place: place as i32,
        advisor,
    };
    let duchess = Some(pb::Advisor::Duchess as i32);
    let expected = pb::PlayerView {
        seat: 1,
        color: pb::Color::Red as i32,
        vp: -3,
        goods: Some(pb::Goods {
            gold: 1,
            wood: 2,
            stone: 3,
        }),
        plus2: 4,
        soldiers: 300,
        rows: vec![2, 0, 0, 1, 0],
        buildings: vec![
            pb::Building::Statue as i32,
            pb::Building::Chapel as i32,
            pb::Building::Palisade as i32,
        ],
        aid_die: true,
        dice: vec![
            die(0, false, 6, pb::DiePlace::Court, duchess),
            die(1, false, 2, pb::DiePlace::SetAside, None),
            die(3, true, 5, pb::DiePlace::Pool, None),
        ],
        reroll_used: true,
        market_used: false,
        influence_done: true,
        build_actions_left: 2,
    };
    assert_eq!(message(&view()).players, [expected]);
}

#[test]
fn groups_field_by_field() {
    let view = GroupView {
        advisor: Advisor::General,
        owner: Some(BOB),
        dice: vec![DieId::Own2, DieId::Farms],
        values: vec![5, 4],
        plus2: 1,
        market_offset: -1,
        via_envoy: true,
        sequence: 7,
    };
    let expected = pb::GroupView {
        advisor: pb::Advisor::General as i32,
        owner: Some(2),
        dice: vec![2, 4],
        values: vec![5, 4],
        plus2: 1,
        market_offset: -1,
        via_envoy: true,
        sequence: 7,
    };
    assert_eq!(group(&view), expected);
    let neutral = GroupView {
        owner: None,
        ..view
    };
    assert_eq!(group(&neutral).owner, None);
}

#[test]
fn enemies_and_battles_field_by_field() {
    let hidden = EnemyView {
        year: 4,
        least: 5,
        greatest: 7,
        card: None,
        revealed: false,
    };
    let expected = pb::EnemyView {
        year: 4,
        least_strength: 5,
        greatest_strength: 7,
        card: None,
        revealed: false,
    };
    assert_eq!(enemy(&hidden), expected);
    let fought = BattleView {
        card: Enemy::Y1Orcs3,
        king_die: 6,
        fighters: vec![FighterView {
            seat: BOB,
            strength: 3,
            outcome: Outcome::Standoff,
        }],
    };
    let expected = pb::BattleView {
        card: pb::Enemy::Y1Orcs3 as i32,
        king_die: 6,
        fighters: vec![pb::FighterView {
            seat: 2,
            strength: 3,
            outcome: pb::Outcome::Standoff as i32,
        }],
    };
    assert_eq!(battle(&fought), expected);
}

/// Every decision, in the order of the contract.
const DECISIONS: [Decision; 12] = [
    Decision::AidGood,
    Decision::EnvoyDeclaration,
    Decision::Reroll,
    Decision::SetAside,
    Decision::Influence,
    Decision::HelpChoice {
        advisor: Advisor::Alchemist,
    },
    Decision::Build { actions_left: 2 },
    Decision::TownHall,
    Decision::Recruit { goods: 1 },
    Decision::RewardGood,
    Decision::LossGoods { goods: 4 },
    Decision::LossBuilding,
];

#[test]
fn decisions_keep_their_order_and_their_names() {
    for (number, decision) in (1..).zip(DECISIONS) {
        let asked = question(PendingView {
            seat: ANN,
            decision,
        });
        assert_eq!((asked.seat, asked.decision), (1, number));
        let name = asked.decision().as_str_name();
        assert_eq!(name, format!("DECISION_{}", decision.name()));
    }
    assert!(pb::Decision::try_from(13).is_err());
}

#[test]
fn decisions_carry_their_context() {
    let asked = |decision| {
        question(PendingView {
            seat: BOB,
            decision,
        })
    };
    let alchemist = asked(DECISIONS[5]);
    assert_eq!(alchemist.advisor, Some(pb::Advisor::Alchemist as i32));
    assert_eq!(asked(DECISIONS[6]).build_actions_left, Some(2));
    assert_eq!(asked(DECISIONS[8]).goods, Some(1));
    assert_eq!(asked(DECISIONS[10]).goods, Some(4));
    assert_eq!(asked(DECISIONS[0]).goods, None);
}

#[test]
fn results_are_shown_at_the_end() {
    let view = View {
        pending: None,
        results: vec![SeatResult {
            seat: BOB,
            rank: 1,
            vp: -2,
            goods: 3,
            buildings: 9,
        }],
        ..view()
    };
    let expected = pb::SeatResult {
        seat: 2,
        rank: 1,
        vp: -2,
        goods: 3,
        buildings: 9,
    };
    assert_eq!(message(&view).results, [expected]);
    assert_eq!(message(&view).question, None);
}
