//! The table and its actions as text.

use super::table::space;
use gamekeeper_rules::caylus::action::{Action, FavorEffect};
use gamekeeper_rules::caylus::data::{FavorLine, NEUTRAL_TILES, Tile};
use gamekeeper_rules::caylus::stage::Decision;
use gamekeeper_rules::caylus::state::PendingFavors;
use gamekeeper_rules::caylus::view::Question;
use gamekeeper_rules::caylus::view::{SpaceView, View};
use gamekeeper_rules::caylus::{Caylus, Options};
use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create, legal_actions};
use gamekeeper_rules::table::{
    Chance, Detail, Names, OptionalParam, Pending, Seat, Seed, Viewer, text,
};

/// A game of three after this many actions, always taking one from the middle of the list.
fn played(actions: usize) -> Applied<Caylus> {
    let options = Options {
        neutral_order: Some(NEUTRAL_TILES),
        turn_order: Some(Seat::all(3).collect()),
        ..Options::plain(3)
    };
    let mut now = create::<Caylus>(&options, Chance::from_seed(&Seed::from_number(1)));
    for _ in 0..actions {
        let Some(pending) = Caylus::pending(&now.state).first().copied() else {
            break;
        };
        let legal = legal_actions::<Caylus>(&now.state, pending.seat, Detail::Moves);
        let action = &legal[legal.len() / 2];
        now = apply::<Caylus>(&now.state, &now.chance, pending.seat, action).unwrap();
    }
    now
}

fn view(actions: usize) -> View {
    Caylus::view(&played(actions).state, Viewer::Spectator)
}

fn shown(view: &View, columns: usize) -> String {
    let names = ["Ann", "Bob", "Cid"].map(String::from);
    text::plain(&Caylus::board(view, Names::new(&names), columns))
}

fn recorded(name: &str, view: &View) {
    recorded_at(name, view, 80);
}

fn recorded_at(name: &str, view: &View, columns: usize) {
    insta::with_settings!({ snapshot_path => "boards", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, shown(view, columns));
    });
}

#[test]
fn the_first_placement() {
    recorded("the_first_placement", &view(0));
}

#[test]
fn the_middle_of_a_game() {
    recorded("the_middle_of_a_game", &view(90));
}

#[test]
fn marks_workers_and_waiting_transformations_are_shown() {
    let mut view = view(0);
    view.provost = space(7);
    view.road[6].worker = Some(Seat::at(1));
    view.road[8] = SpaceView {
        space: space(9),
        tile: Some(Tile::Mason),
        owner: Some(Seat::at(0)),
        worker: Some(Seat::at(2)),
        pending_transform: Some(Seat::at(0)),
    };
    let seat = Seat::at(1);
    let decision = Decision::UseBuilding { space: space(7) };
    view.pending = Pending::all([(seat, decision)], Decision::id);
    view.question = Some(Question {
        space: decision.space(),
    });
    view.pending_favors = Some(PendingFavors { seat, count: 2 });
    view.players[1].favor_lines_used = vec![FavorLine::Deniers];
    recorded("marks_workers_and_waiting_transformations", &view);
}

#[test]
fn in_a_terminal_of_120_columns_castle_and_tiles_are_beside_the_road() {
    recorded_at("the_middle_of_a_game_in_120_columns", &view(90), 120);
}

#[test]
fn no_line_is_wider_than_asked_for() {
    for actions in [0, 40, 90, 150, 1000] {
        for columns in [80, 120, 160] {
            for line in shown(&view(actions), columns).lines() {
                assert!(text::width(line) <= columns, "{columns}: {line}");
            }
        }
    }
}

fn say(view: &View, action: &Action) -> String {
    Caylus::action_text(view, action, Names::NONE)
}

/// The texts of the legal actions after this many actions.
fn said(actions: usize) -> Vec<String> {
    let table = played(actions);
    let Some(pending) = Caylus::pending(&table.state).first().copied() else {
        return Vec::new();
    };
    let view = Caylus::view(&table.state, Viewer::Spectator);
    let legal = legal_actions::<Caylus>(&table.state, pending.seat, Detail::Moves);
    legal.iter().map(|action| say(&view, action)).collect()
}

#[test]
fn actions_name_buildings_and_what_they_bring() {
    let first = said(0);
    for words in [
        "place a worker in the castle",
        "place a worker at the Joust field",
        "place a worker on the Farm (space 1)",
    ] {
        assert!(first.iter().any(|said| said == words), "{words}: {first:?}");
    }
    let mut view = view(0);
    view.question = Some(Question {
        space: Some(space(1)),
    });
    let produce = Action::Produce { option: Some(1) };
    assert_eq!(say(&view, &produce), "take 1 cloth");
    assert_eq!(
        say(&view, &Action::Decline),
        "do not use the Farm (space 1)"
    );
    let lawyer = Action::BuildCraft {
        tile: Some(Tile::Lawyer),
        any_payment: OptionalParam::Absent,
    };
    let words = "build the Lawyer for 1 wood and 1 cloth (4 VP)";
    assert_eq!(say(&view, &lawyer), words);
    let favor = Action::TakeFavor {
        line: Some(FavorLine::Buildings),
        column: 4,
        effect: FavorEffect {
            space: OptionalParam::Known(space(3)),
            ..FavorEffect::NONE
        },
    };
    let words = "use column 4 of the Buildings line: turn the Sawmill (space 3) into a residence";
    assert_eq!(say(&view, &favor), words);
    let provost = Action::MoveProvost { delta: 1 };
    let words = "move the provost 1 space forward to the Peddler (space 7)";
    assert_eq!(say(&view, &provost), words);
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
