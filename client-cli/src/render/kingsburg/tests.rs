use gamekeeper_proto::gamekeeper::v1::{GameStatus, PendingDecision, Player};
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_wire::Wire;

use super::*;

fn info() -> GameInfo {
    let player = |seat, name: &str| Player {
        seat,
        name: name.to_owned(),
    };
    GameInfo {
        game_id: "0199aaaa-0000-7000-8000-000000000002".to_owned(),
        ruleset: "kingsburg".to_owned(),
        version: 12,
        status: GameStatus::Active.into(),
        players: vec![player(1, "Ann"), player(2, "Bob")],
        pending: vec![PendingDecision {
            seat: 2,
            decision: "INFLUENCE".to_owned(),
        }],
        ..GameInfo::default()
    }
}

fn die(number: u32, value: u32, place: pb::DiePlace) -> pb::DieView {
    let court = place == pb::DiePlace::Court;
    pb::DieView {
        die: number,
        white: number > 2,
        value,
        place: place.into(),
        advisor: court.then_some(pb::Advisor::Treasurer.into()),
    }
}

fn players() -> Vec<pb::PlayerView> {
    let ann = pb::PlayerView {
        seat: 1,
        color: pb::Color::Red.into(),
        vp: 7,
        goods: Some(pb::Goods {
            gold: 1,
            wood: 0,
            stone: 2,
        }),
        soldiers: 2,
        rows: vec![1, 0, 0, 0, 0],
        buildings: vec![pb::Building::Statue.into()],
        dice: vec![
            die(0, 3, pb::DiePlace::Court),
            die(1, 5, pb::DiePlace::Court),
            die(2, 6, pb::DiePlace::SetAside),
        ],
        influence_done: true,
        ..pb::PlayerView::default()
    };
    let bob = pb::PlayerView {
        seat: 2,
        color: pb::Color::Blue.into(),
        vp: -1,
        goods: Some(pb::Goods::default()),
        plus2: 1,
        rows: vec![1, 1, 0, 0, 0],
        buildings: vec![pb::Building::Statue.into(), pb::Building::Inn.into()],
        dice: vec![
            die(0, 4, pb::DiePlace::Pool),
            die(1, 4, pb::DiePlace::Pool),
            die(4, 2, pb::DiePlace::Pool),
        ],
        ..pb::PlayerView::default()
    };
    vec![ann, bob]
}

fn court() -> Vec<pb::GroupView> {
    let ann = pb::GroupView {
        advisor: pb::Advisor::Treasurer.into(),
        owner: Some(1),
        dice: vec![0, 1],
        values: vec![3, 5],
        sequence: 2,
        ..pb::GroupView::default()
    };
    let neutral = pb::GroupView {
        advisor: pb::Advisor::General.into(),
        values: vec![4, 4, 2],
        sequence: 1,
        ..pb::GroupView::default()
    };
    vec![ann, neutral]
}

/// Ann has influenced the Treasurer; it is Bob's turn in the spring of year 2.
fn view() -> pb::View {
    let enemy = |year, card: Option<pb::Enemy>, revealed| pb::EnemyView {
        year,
        least_strength: year + 1,
        greatest_strength: year + 3,
        card: card.map(i32::from),
        revealed,
    };
    pb::View {
        year: 2,
        phase: pb::Phase::Spring.into(),
        step: pb::Step::Influence.into(),
        turn_order: vec![2, 1],
        players: players(),
        envoy: Some(pb::EnvoyView::default()),
        court: court(),
        enemies: vec![
            enemy(1, Some(pb::Enemy::Y1Goblins3), true),
            enemy(2, Some(pb::Enemy::Y2Orcs4), false),
            enemy(3, None, false),
        ],
        peeked_by: vec![2],
        question: Some(pb::Question {
            seat: 2,
            decision: pb::Decision::Influence.into(),
            ..pb::Question::default()
        }),
        ..pb::View::default()
    }
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn said(kind: pb::action::Kind) -> Option<String> {
    let action = pb::Action { kind: Some(kind) };
    super::action(&view(), &Kingsburg::catalogue(), &action)
}

#[test]
fn a_season_shows_court_and_dice() {
    let table = table(&info(), &view(), &Kingsburg::catalogue(), 100);
    insta::assert_snapshot!(plain(&table));
}

#[test]
fn winter_shows_the_battle() {
    let mut view = view();
    view.phase = pb::Phase::Winter.into();
    view.court.clear();
    view.peeked_by.clear();
    for player in &mut view.players {
        player.dice.clear();
    }
    let fighter = |seat, strength, outcome: pb::Outcome| pb::FighterView {
        seat,
        strength,
        outcome: outcome.into(),
    };
    view.battle = Some(pb::BattleView {
        card: pb::Enemy::Y2Orcs4.into(),
        king_die: 2,
        fighters: vec![
            fighter(1, 4, pb::Outcome::Standoff),
            fighter(2, 5, pb::Outcome::Victory),
        ],
    });
    let table = table(&info(), &view, &Kingsburg::catalogue(), 100);
    insta::assert_snapshot!(plain(&table));
}

#[test]
fn no_line_is_wider_than_asked_for() {
    for width in [60, 80, 120] {
        let text = plain(&table(&info(), &view(), &Kingsburg::catalogue(), width));
        for line in text.lines() {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn without_a_catalogue_the_contract_names_everything() {
    let text = plain(&table(&info(), &view(), &pb::Catalogue::default(), 80));
    assert!(
        text.contains("Master Hunter") && text.contains("Guard Tower"),
        "{text}"
    );
}

#[test]
fn placements_name_advisor_and_faces() {
    let placement = pb::Influence {
        advisor: 8,
        dice: vec![0, 1],
        ..pb::Influence::default()
    };
    let told = said(pb::action::Kind::Influence(placement.clone()));
    assert_eq!(told.as_deref(), Some("8 Treasurer: 4(die 0)+4(die 1)"));
    let everything = pb::Influence {
        advisor: 7,
        dice: vec![0, 4],
        plus2: 1,
        market_offset: -1,
        use_envoy: true,
    };
    let told = said(pb::action::Kind::Influence(everything));
    let expected = "7 Astronomer: 4(die 0)+w2, +2 token, Market -1, with the envoy";
    assert_eq!(told.as_deref(), Some(expected));
}

#[test]
fn other_actions_are_said_in_full() {
    let build = pb::Build {
        building: pb::Building::GuardTower.into(),
    };
    assert_eq!(
        said(pb::action::Kind::Build(build)).as_deref(),
        Some("build the Guard Tower: 1 gold, 1 stone, 1 VP")
    );
    let recruit = pb::RecruitSoldier {
        gold: 1,
        wood: 1,
        stone: 0,
    };
    assert_eq!(
        said(pb::action::Kind::RecruitSoldier(recruit)).as_deref(),
        Some("recruit a soldier for 1 gold, 1 wood")
    );
    let aside = pb::SetAsideDie { die: 4 };
    assert_eq!(
        said(pb::action::Kind::SetAsideDie(aside)).as_deref(),
        Some("set the w2 aside (die 4)")
    );
    assert_eq!(said(pb::action::Kind::PassBuild(pb::PassBuild {})), None);
}
