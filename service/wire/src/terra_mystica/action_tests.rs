use gamekeeper_rules::terra_mystica::Action;
use gamekeeper_rules::terra_mystica::data::Space;

use super::pb::action::Kind;
use super::*;
use crate::mapping::action;

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
    let spades = take_power_action::PowerUse::TwoSpades(pb::Work {
        transforms: vec![dig(1), dig(8)],
        build_at: None,
    });
    let power = pb::TakePowerAction {
        sacrifice: 0,
        power_use: Some(spades),
    };
    let field = "action.take_power_action.power_use.two_spades.transforms[1].target";
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
fn an_action_says_what_it_is() {
    let power = Kind::TakePowerAction(pb::TakePowerAction::default());
    assert_eq!(fault(power), "action.take_power_action.power_use");
    let special = Kind::TakeSpecialAction(pb::TakeSpecialAction::default());
    assert_eq!(fault(special), "action.take_special_action.special_use");
    let special = Kind::TakeSpecialAction(pb::TakeSpecialAction {
        special_use: Some(take_special_action::SpecialUse::CultSteps(5)),
    });
    let field = "action.take_special_action.special_use.cult_steps";
    assert_eq!(fault(special), field);
}

#[test]
fn spaces_that_do_not_exist_are_left_to_the_rules() {
    let sent = Kind::PlaceDwelling(pb::PlaceDwelling { space: "Z1".into() });
    let space = Space::Unknown;
    assert_eq!(action(Some(sent)), Ok(Action::PlaceDwelling { space }));
}
