//! The actions that the suite tries at each table (TM-11).

use std::collections::BTreeSet;

use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::create;
use gamekeeper_rules::table::{Chance, Seat, Seed};
use gamekeeper_rules::terra_mystica::TerraMystica;
use gamekeeper_rules::terra_mystica::action::{Action, SpecialUse};
use gamekeeper_rules::terra_mystica::data::{PowerAction, SpecialAction};

/// The suite tries every power action and special action, even those that no seat of the table has.
#[test]
fn every_use_is_tried() {
    let options = TerraMystica::table(2, 7);
    let applied = create::<TerraMystica>(&options, Chance::from_seed(&Seed::from_number(7)));
    let (mut powers, mut specials, mut storms) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for action in TerraMystica::universe(&applied.state, Seat::FIRST) {
        if let Action::TakePowerAction { power_use, .. } = &action {
            powers.insert(power_use.action());
        }
        if let Action::TakeSpecialAction { special_use } = &action {
            specials.insert(special_use.action());
        }
        if let Action::TakeSpecialAction {
            special_use: SpecialUse::Sandstorm { build, .. },
        } = action
        {
            storms.insert(build);
        }
    }
    assert!(
        PowerAction::ALL
            .iter()
            .all(|action| powers.contains(action)),
        "{powers:?}"
    );
    assert!(
        SpecialAction::ALL
            .iter()
            .all(|action| specials.contains(action)),
        "{specials:?}"
    );
    assert_eq!(storms, [false, true].into());
}
