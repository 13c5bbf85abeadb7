//! Automatic steps up to the next decision.

use gamekeeper_rules::table::run_to_decision;
use std::ops::ControlFlow;

#[test]
fn stops_at_the_first_decision() {
    let mut steps = 0;
    run_to_decision(&mut steps, |steps| {
        *steps += 1;
        if *steps == 7 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(steps, 7);
}

#[test]
#[should_panic(expected = "do not come to a decision")]
fn never_runs_forever() {
    run_to_decision(&mut (), |()| ControlFlow::Continue(()));
}
