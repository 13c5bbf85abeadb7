use gamekeeper_proto::gamekeeper::{caylus, kingsburg, mythotopia, terra_mystica};
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::terra_mystica::TerraMystica;

use super::*;

fn unknown_of<W: Wire>(action: &impl Message, field: &str) -> (String, String) {
    let encoded = EncodedMessage::from_message(action);
    let UnknownEnumPath { path, value, .. } =
        locate_unknown::<W>(&encoded, field, "action").unwrap();
    (path, value)
}

fn path_and_value(path: &str, value: &str) -> (String, String) {
    (path.to_owned(), value.to_owned())
}

#[test]
fn a_number_without_a_name_is_found_and_so_is_a_missing_one() {
    use kingsburg::v1::{Action, Build, action::Kind};
    for (building, value) in [(99, "99"), (0, "")] {
        let kind = Some(Kind::Build(Build { building }));
        let path = "action.kingsburg.build.building";
        assert_eq!(
            unknown_of::<Kingsburg>(&Action { kind }, "building"),
            path_and_value(path, value)
        );
    }
}

#[test]
fn numbers_of_spaces_are_names_and_a_choice_is_the_field_that_is_set() {
    use caylus::v1::{Action, PlaceWorker, Target, action::Kind, target::Place};
    let path = "action.caylus.place_worker.target";
    for (place, field, value) in [
        (None, "", ""),
        (Some(Place::Space(29)), ".space", "29"),
        (Some(Place::Space(0)), ".space", "0"),
        (Some(Place::Special(7)), ".special", "7"),
    ] {
        let target = Some(Target { place });
        let kind = Some(Kind::PlaceWorker(PlaceWorker { target }));
        assert_eq!(
            unknown_of::<Caylus>(&Action { kind }, "target"),
            path_and_value(&format!("{path}{field}"), value)
        );
    }
    let kind = Some(Kind::PlaceWorker(PlaceWorker { target: None }));
    let missing = unknown_of::<Caylus>(&Action { kind }, "target");
    assert_eq!(missing, path_and_value(path, ""));
}

#[test]
fn items_of_lists_have_their_places() {
    use mythotopia::v1::{Action, MoveArmiesByRoad, RoadMove, action::Kind};
    let step = |from_province, to_province| RoadMove {
        from_province,
        to_province,
        count: 1,
    };
    let moves = vec![step(1, 2), step(2, 77)];
    let kind = Some(Kind::MoveArmiesByRoad(MoveArmiesByRoad { moves }));
    let path = "action.mythotopia.move_armies_by_road.moves[1].to_province";
    assert_eq!(
        unknown_of::<Mythotopia>(&Action { kind }, "moves"),
        path_and_value(path, "77")
    );
}

#[test]
fn a_field_of_the_action_comes_before_one_of_a_payment() {
    use mythotopia::v1::{Action, DraftCard, SymbolPlay, action::Kind};
    let play = |merchant| SymbolPlay {
        card: 0,
        symbol: 1,
        merchant,
        ..SymbolPlay::default()
    };
    let gold = vec![play(None), play(Some(500))];
    let draft = |card, field| {
        let gold = gold.clone();
        let kind = Some(Kind::DraftCard(DraftCard { card, gold }));
        unknown_of::<Mythotopia>(&Action { kind }, field)
    };
    let path = |field: &str| format!("action.mythotopia.draft_card.{field}");
    assert_eq!(draft(600, "card"), path_and_value(&path("card"), "600"));
    assert_eq!(draft(1, "gold"), path_and_value(&path("gold[0].card"), ""));
}

#[test]
fn a_name_that_may_be_left_out_is_not_missing() {
    use mythotopia::v1::{Action, DraftCard, SymbolPlay, action::Kind};
    let play = |merchant| SymbolPlay {
        card: 1,
        symbol: 1,
        merchant,
        ..SymbolPlay::default()
    };
    let gold = vec![play(None), play(Some(500))];
    let kind = Some(Kind::DraftCard(DraftCard { card: 1, gold }));
    let path = "action.mythotopia.draft_card.gold[1].merchant";
    assert_eq!(
        unknown_of::<Mythotopia>(&Action { kind }, "gold"),
        path_and_value(path, "500")
    );
}

#[test]
fn spaces_are_texts_and_only_those_that_do_not_exist_are_blamed() {
    use terra_mystica::v1::{Action, Transform, TransformAndBuild, Work, action::Kind};
    let transform = |space: &str| Transform {
        space: space.to_owned(),
        target: 1,
        direction: 0,
    };
    let work = Some(Work {
        transforms: vec![transform("F4"), transform("Z9")],
        build_at: None,
    });
    let kind = Some(Kind::TransformAndBuild(TransformAndBuild { work }));
    let path = "action.terra_mystica.transform_and_build.work.transforms[1].space";
    assert_eq!(
        unknown_of::<TerraMystica>(&Action { kind }, "space"),
        path_and_value(path, "Z9")
    );
}
