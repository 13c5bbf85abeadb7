//! **Golden tests** of random games: drawings, touched components, refusals and the estimates of bots. A change of the
//! rules shows as a changed line.

use gamekeeper_rules::conformance::{
    assert_looks_as_recorded, assert_refuses_as_recorded, assert_touches_as_recorded,
    assert_weighed_as_recorded,
};
use gamekeeper_rules::kingsburg::Kingsburg;

#[test]
fn tables_look_as_recorded() {
    assert_looks_as_recorded::<Kingsburg>(1, 50);
}

#[test]
fn actions_and_events_touch_what_they_touched() {
    assert_touches_as_recorded::<Kingsburg>(1);
}

#[test]
fn refusals_say_what_they_said() {
    assert_refuses_as_recorded::<Kingsburg>(1, 90);
}

#[test]
fn bots_weigh_tables_and_actions_as_recorded() {
    assert_weighed_as_recorded::<Kingsburg>(1, 12);
}
