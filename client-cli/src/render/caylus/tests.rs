use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, PendingDecision, Player};
use gamekeeper_rules::caylus::{Caylus, NEUTRAL_TILES, Options};
use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seat, Seed, Viewer};
use gamekeeper_wire::Wire;

use super::*;

fn info(players: &[&str]) -> GameInfo {
    let player = |(seat, name): (u32, &&str)| Player {
        seat,
        name: (*name).to_owned(),
    };
    GameInfo {
        game_id: "0199aaaa-0000-7000-8000-000000000002".to_owned(),
        ruleset: "caylus".to_owned(),
        version: 37,
        status: GameStatus::Active.into(),
        players: (1..).zip(players).map(player).collect(),
        pending: vec![PendingDecision {
            seat: 1,
            decision: "PLACE_WORKER".to_owned(),
        }],
        ..GameInfo::default()
    }
}

/// A game of three after so many actions, always one out of the middle of the list.
fn played(actions: usize) -> Applied<Caylus> {
    let options = Options {
        neutral_order: Some(NEUTRAL_TILES),
        turn_order: Some(Seat::all(3).collect()),
        ..Options::plain(3)
    };
    let mut now = create::<Caylus>(&options, Chance::from_seed(&Seed::from_number(1)));
    for _ in 0..actions {
        let Some(owed) = Caylus::pending(&now.state).first().copied() else {
            break;
        };
        let legal = legal_actions::<Caylus>(&now.state, owed.seat, Detail::Moves);
        let action = &legal[legal.len() / 2];
        now = apply::<Caylus>(&now.state, &now.chance, owed.seat, action).unwrap();
    }
    now
}

fn view(actions: usize) -> pb::View {
    let table = played(actions);
    Caylus::view_message(&Caylus::view(&table.state, Viewer::Spectator))
}

fn shown(view: &pb::View, catalogue: &pb::Catalogue, width: usize) -> String {
    let text = table(&info(&["Ann", "Bob", "Cid"]), view, catalogue, width);
    anstream::adapter::strip_str(&text).to_string()
}

#[test]
fn the_first_placement() {
    insta::assert_snapshot!(shown(&view(0), &Caylus::catalogue(), 80));
}

#[test]
fn the_middle_of_a_game() {
    insta::assert_snapshot!(shown(&view(90), &Caylus::catalogue(), 80));
}

#[test]
fn marks_workers_and_waiting_transformations_are_shown() {
    let mut view = view(0);
    view.provost = 7;
    view.road[6].worker = Some(2);
    view.road[8] = pb::SpaceView {
        space: 9,
        tile: Some(pb::Tile::Mason.into()),
        owner: Some(1),
        worker: Some(3),
        pending_transform: Some(1),
    };
    view.question = Some(pb::Question {
        seat: 2,
        decision: pb::Decision::UseBuilding.into(),
        space: Some(7),
    });
    view.pending_favors = Some(pb::PendingFavors { seat: 2, count: 2 });
    view.players[1].favor_lines_used = vec![pb::FavorLine::Deniers.into()];
    insta::assert_snapshot!(shown(&view, &Caylus::catalogue(), 80));
}

#[test]
fn no_line_is_wider_than_asked_for() {
    for actions in [0, 40, 90, 150, 1000] {
        let text = shown(&view(actions), &Caylus::catalogue(), 80);
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn without_a_catalogue_the_contract_names_the_buildings() {
    let text = shown(&view(0), &pb::Catalogue::default(), 80);
    assert!(text.contains("Gold Mine"), "{text}");
}

/// What the actions of every state of a game are called.
fn said(actions: usize) -> Vec<String> {
    let table = played(actions);
    let Some(owed) = Caylus::pending(&table.state).first().copied() else {
        return Vec::new();
    };
    let view = Caylus::view_message(&Caylus::view(&table.state, Viewer::Spectator));
    let (info, catalogue) = (info(&["Ann", "Bob", "Cid"]), Caylus::catalogue());
    let legal = legal_actions::<Caylus>(&table.state, owed.seat, Detail::Moves);
    let say = |told: &_| {
        let told = Caylus::action_message(told);
        action(&info, &view, &catalogue, &told).unwrap_or_default()
    };
    legal.iter().map(say).collect()
}

#[test]
fn actions_name_buildings_and_what_they_bring() {
    let first = said(0);
    for words in [
        "place a worker: castle",
        "place a worker: joust field",
        "place a worker: 1 Farm",
    ] {
        assert!(first.iter().any(|said| said == words), "{words}: {first:?}");
    }
    let names = Names::new;
    let (info, catalogue) = (info(&["Ann", "Bob", "Cid"]), Caylus::catalogue());
    let mut view = view(0);
    view.question = Some(pb::Question {
        seat: 1,
        decision: pb::Decision::UseBuilding.into(),
        space: Some(1),
    });
    let say = |kind| {
        let action = pb::Action { kind: Some(kind) };
        words::action(&view, &names(&info, &catalogue), &action).unwrap()
    };
    use pb::action::Kind;
    assert_eq!(
        say(Kind::Produce(pb::Produce { option: Some(1) })),
        "take 1 cloth"
    );
    let lawyer = pb::BuildCraft {
        tile: pb::Tile::Lawyer.into(),
        any_payment: None,
    };
    assert_eq!(
        say(Kind::BuildCraft(lawyer)),
        "build the Lawyer: 1 wood, 1 cloth, 4 VP"
    );
    let favor = pb::TakeFavor {
        line: pb::FavorLine::Buildings.into(),
        column: 4,
        effect: Some(pb::FavorEffect {
            space: Some(3),
            ..pb::FavorEffect::default()
        }),
    };
    assert_eq!(
        say(Kind::TakeFavor(favor)),
        "favor of Buildings 4: turn 3 Sawmill into a residence"
    );
    let provost = pb::MoveProvost { delta: 1 };
    assert_eq!(
        say(Kind::MoveProvost(provost)),
        "move the provost +1, to 7 Peddler"
    );
}

#[test]
fn different_actions_are_called_differently() {
    for actions in (0..160).step_by(3) {
        let mut said = said(actions);
        said.sort();
        let twice = said.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None);
    }
}
