use super::*;
use crate::rows::action;

fn fault(kind: Kind) -> String {
    action::<Action, _>(Some(kind)).unwrap_err().field
}

#[test]
fn what_means_nothing_is_malformed() {
    let priest = pb::SendPriest { cult: 1, slot: 9 };
    assert_eq!(fault(Kind::SendPriest(priest)), "action.send_priest.slot");
    let bridge = pb::BuildEngineerBridge { span: None };
    let field = "action.build_engineer_bridge.span";
    assert_eq!(fault(Kind::BuildEngineerBridge(bridge)), field);
    let transform = pb::Transform::default();
    let spades = pb::UseCultSpades {
        transforms: vec![transform.clone()],
    };
    let field = "action.use_cult_spades.transforms[0].target";
    assert_eq!(fault(Kind::UseCultSpades(spades)), field);
    let many = pb::UseCultSpades {
        transforms: vec![transform; 9],
    };
    let field = "action.use_cult_spades.transforms";
    assert_eq!(fault(Kind::UseCultSpades(many)), field);
    let dig = |target| pb::Transform {
        target,
        ..pb::Transform::default()
    };
    let power = pb::TakePowerAction {
        action: pb::PowerAction::Act6.into(),
        work: Some(pb::Work {
            transforms: vec![dig(1), dig(8)],
            build_at: None,
        }),
        ..pb::TakePowerAction::default()
    };
    let field = "action.take_power_action.work.transforms[1].target";
    assert_eq!(fault(Kind::TakePowerAction(power)), field);
    let pass = pb::PassTurn { card: Some(0) };
    assert_eq!(fault(Kind::PassTurn(pass)), "action.pass_turn.card");
    let town = pb::ChooseTownTile {
        tile: 1,
        key_cults: vec![4, 5],
    };
    let field = "action.choose_town_tile.key_cults[1]";
    assert_eq!(fault(Kind::ChooseTownTile(town)), field);
}

#[test]
fn what_an_action_does_not_use_is_malformed() {
    let power = pb::TakePowerAction {
        action: pb::PowerAction::Act2.into(),
        work: Some(pb::Work::default()),
        ..pb::TakePowerAction::default()
    };
    assert_eq!(
        fault(Kind::TakePowerAction(power)),
        "action.take_power_action.work"
    );
    let special = pb::TakeSpecialAction {
        action: pb::SpecialAction::ActW.into(),
        cult: 1,
        ..pb::TakeSpecialAction::default()
    };
    assert_eq!(
        fault(Kind::TakeSpecialAction(special)),
        "action.take_special_action.cult"
    );
}

#[test]
fn spaces_that_do_not_exist_are_left_to_the_rules() {
    let sent = Kind::PlaceDwelling(pb::PlaceDwelling { space: "Z1".into() });
    let space = Space::Unknown;
    assert_eq!(action(Some(sent)), Ok(Action::PlaceDwelling { space }));
}
