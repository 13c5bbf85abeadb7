//! Impossible records, each of which the checker must detect.

use std::time::Duration;

use super::*;
use crate::history::{Logs, Outcome, Records, check};

const GAME: &str = "game";

/// Builds a version at this time, after which a seat has a decision pending until `due`.
fn recorded(table_change: TableChange, at_ms: u64, owes: u32, due: u64) -> RecordedVersion {
    RecordedVersion {
        table_change,
        automatic: false,
        pending: vec![(owes, Some(due))],
        at_ms,
        state: format!("after {at_ms}"),
    }
}

/// Builds a proposal to go back.
const fn back_to(seat: u32, to_version: u64) -> TableChange {
    let wish = Proposed::TakeBack(to_version);
    TableChange::Proposed { seat, wish }
}

/// Builds a valid record: two seats act, the third one leaves and returns, the clocks pause and resume, a seat times
/// out, and all agree to a take-back.
fn good() -> Record {
    let proposed = back_to(1, 2);
    let agrees = TableChange::Answered {
        seat: 2,
        agrees: true,
    };
    let back = TableChange::TakenBack {
        seat: 1,
        to_version: 2,
        agreed_by: 3,
    };
    let mut versions = vec![
        recorded(TableChange::Created, 0, 1, 100),
        recorded(TableChange::Acted(1), 10, 2, 110),
        recorded(TableChange::Resigned(3), 20, 2, 110),
        recorded(TableChange::SeatFilled(3), 30, 2, 110),
        recorded(TableChange::Paused { agreed_by: 0 }, 40, 2, 0),
        recorded(TableChange::Resumed(0), 50, 2, 120),
        recorded(TableChange::TimedOut(2), 120, 3, 220),
        recorded(TableChange::Acted(3), 130, 1, 230),
        recorded(proposed, 140, 1, 230),
        recorded(agrees, 150, 1, 230),
        recorded(back, 160, 2, 260),
    ];
    versions[4].pending[0].1 = None;
    versions[10].state = versions[1].state.clone();
    Record {
        seats: 3,
        versions,
        bots: BTreeSet::new(),
    }
}

fn breaches(record: &Record) -> Vec<(u64, Breach)> {
    let mut flaws = Vec::new();
    check_table(record, (&[], &[]), &mut flaws);
    let breach = |flaw| {
        let Flaw::AtTheTable(version, breach) = flaw else {
            panic!("{flaw:?}");
        };
        (version, breach)
    };
    flaws.into_iter().map(breach).collect()
}

fn with(change: impl FnOnce(&mut Vec<RecordedVersion>)) -> Vec<(u64, Breach)> {
    let mut record = good();
    change(&mut record.versions);
    breaches(&record)
}

#[test]
fn a_record_that_can_be_true_has_no_flaw() {
    assert_eq!(breaches(&good()), []);
}

#[test]
fn a_seat_leaves_once_and_comes_back_once() {
    let twice = with(|versions| versions[3].table_change = TableChange::Resigned(3));
    assert_eq!(twice[0], (4, Breach::LeftTwice(3)));
    let twice = with(|versions| versions[2].table_change = TableChange::SeatFilled(3));
    assert_eq!(twice[0], (3, Breach::NeverLeft(3)));
}

#[test]
fn a_seat_that_left_does_and_owes_nothing() {
    let acts = with(|versions| versions[3].table_change = TableChange::Acted(3));
    assert_eq!(acts[0], (4, Breach::ActedAfterLeaving(3)));
    let asks = with(|versions| {
        versions[3].table_change = back_to(3, 1);
    });
    assert_eq!(asks[0], (4, Breach::ActedAfterLeaving(3)));
    let owes = with(|versions| versions[2].pending[0].0 = 3);
    assert_eq!(owes, [(3, Breach::OwesAfterLeaving(3))]);
}

#[test]
fn clocks_stop_once_and_nobody_is_late_then() {
    let twice = with(|versions| versions[5].table_change = TableChange::Paused { agreed_by: 0 });
    assert_eq!(twice[0], (6, Breach::ClocksTwice));
    let due = with(|versions| versions[4].pending[0].1 = Some(110));
    assert_eq!(due, [(5, Breach::DueInAPause(2))]);
    let late = with(|versions| versions[5].table_change = TableChange::TimedOut(2));
    assert_eq!(late[0], (6, Breach::NotLate(2)));
}

/// A seat is not late one millisecond before the deadline.
#[test]
fn a_seat_is_late_to_the_millisecond() {
    let early = with(|versions| versions[6].at_ms = 119);
    assert_eq!(early, [(7, Breach::NotLate(2))]);
    let other = with(|versions| versions[6].table_change = TableChange::TimedOut(1));
    assert_eq!(other, [(7, Breach::NotLate(1))]);
    let back = with(|versions| versions[7].at_ms = 119);
    assert_eq!(back, [(8, Breach::TimeRanBack)]);
}

/// A take-back in the record that did not restore the table is detected.
#[test]
fn a_take_back_that_is_lost_is_found_out() {
    let lost = with(|versions| versions[10].state = versions[9].state.clone());
    assert_eq!(lost, [(11, Breach::OtherTable(2))]);
    let owes = with(|versions| versions[10].pending[0].0 = 1);
    assert_eq!(owes, [(11, Breach::OtherTable(2))]);
    let fallbacks = with(|versions| {
        versions[10].automatic = true;
        versions[10].pending[0].0 = 1;
    });
    assert_eq!(fallbacks, [], "those who left were answered for");
    let nowhere = with(|versions| {
        versions[8].table_change = back_to(1, 9);
    });
    assert_eq!(nowhere[0], (9, Breach::NoSuchVersion(9)));
}

#[test]
fn all_agree_or_nobody_else_acted() {
    let unheard = with(|versions| versions[9].table_change = TableChange::Resumed(0));
    assert_eq!(unheard.last(), Some(&(11, Breach::NotAgreed)));
    let void = with(|versions| versions[9].table_change = TableChange::Acted(2));
    assert_eq!(void, [(11, Breach::NotProposed(3))]);
    let nobody = with(|versions| versions[8].table_change = TableChange::Acted(1));
    assert_eq!(nobody[0], (10, Breach::NotProposed(2)));
    let unseen = with(|versions| {
        versions[10].table_change = TableChange::TakenBack {
            seat: 1,
            to_version: 2,
            agreed_by: 0,
        };
    });
    assert_eq!(unseen, [(11, Breach::OthersActed(1))]);
}

/// Replaces the agreed take-back of the valid record by an agreed end of the game, and returns the contradictions.
fn ended(agreed_by: u32, scored: bool) -> Vec<(u64, Breach)> {
    with(|versions| {
        let wish = Proposed::End(true);
        versions[8].table_change = TableChange::Proposed { seat: 1, wish };
        versions[10].table_change = TableChange::Ended { agreed_by, scored };
        versions[10].pending.clear();
    })
}

#[test]
fn a_game_ends_as_all_agreed_or_by_its_owner() {
    assert_eq!(ended(3, true), []);
    assert_eq!(ended(0, false), [], "its owner needs no consent");
    assert_eq!(ended(2, true), [(11, Breach::NotAgreed)]);
    assert_eq!(
        ended(3, false),
        [(11, Breach::NotAgreed)],
        "not as proposed"
    );
    let owes = with(|versions| {
        versions[10].table_change = TableChange::Ended {
            agreed_by: 0,
            scored: false,
        };
    });
    assert_eq!(owes, [(11, Breach::OwesAfterTheEnd)]);
    let after = with(|versions| {
        versions[9].table_change = TableChange::Ended {
            agreed_by: 0,
            scored: false,
        };
        versions[9].pending.clear();
        versions[10].pending.clear();
        versions[10].table_change = TableChange::Acted(3);
    });
    assert_eq!(after, [(11, Breach::AfterTheEnd)]);
}

#[test]
fn an_outage_moves_the_time_of_everybody() {
    let passed = |due| {
        with(|versions| {
            versions[7].table_change = TableChange::OutagePassed { ms: 50 };
            versions[7].pending = vec![(3, Some(due))];
            versions[8].table_change = TableChange::Acted(3);
            versions.truncate(9);
        })
    };
    assert_eq!(passed(270), []);
    assert_eq!(passed(220), [(8, Breach::OtherTime)]);
}

#[test]
fn time_that_is_added_is_there() {
    let add = |due| {
        with(|versions| {
            versions[7].table_change = TableChange::TimeAdded { seats: 3, ms: 50 };
            versions[7].pending = vec![(3, Some(due))];
            versions[8].table_change = TableChange::Acted(3);
            versions.truncate(9);
        })
    };
    assert_eq!(add(270), []);
    assert_eq!(add(220), [], "other seats got it");
    assert_eq!(add(260), [(8, Breach::OtherTime)]);
}

#[test]
fn clocks_stop_when_all_agree() {
    let pause = |agreed_by| {
        with(|versions| {
            let wish = Proposed::Pause;
            versions[8].table_change = TableChange::Proposed { seat: 1, wish };
            versions[10].table_change = TableChange::Paused { agreed_by };
            versions[10].pending[0].1 = None;
        })
    };
    assert_eq!(pause(3), []);
    assert_eq!(pause(0), []);
    assert_eq!(pause(2), [(11, Breach::NotAgreed)]);
    let left = with(|versions| versions[3].table_change = TableChange::Resumed(3));
    assert_eq!(left[0], (4, Breach::ActedAfterLeaving(3)));
}

fn call(what: What) -> Call {
    Call {
        game: GAME.to_owned(),
        begun: Duration::ZERO,
        ended: Duration::from_millis(1),
        what,
    }
}

fn answered_request(request: &str, table_change: TableChange, version: u64) -> [Call; 2] {
    let request = request.to_owned();
    let wished = What::Wished {
        request: request.clone(),
        table_change,
    };
    let outcome = Outcome::Done { version, answer: 7 };
    let change = What::Change { request, outcome };
    [call(wished), call(change)]
}

/// Returns the flaws of a history in which a seat left with the request `leave`.
fn of_leaving(calls: &[Call], table_change: TableChange) -> Vec<Flaw> {
    let versions = vec![
        recorded(TableChange::Created, 0, 1, 9),
        recorded(table_change, 1, 1, 9),
    ];
    let records = Records::from([(
        GAME.to_owned(),
        Record {
            seats: 3,
            versions,
            bots: BTreeSet::new(),
        },
    )]);
    let log = ["create", "leave"].map(|request| Some(request.to_owned()));
    let logs = Logs::from([(GAME.to_owned(), log.to_vec())]);
    check(calls, &logs, &records, &[])
}

#[test]
fn a_request_becomes_what_it_asked_for() {
    let calls = answered_request("leave", TableChange::Resigned(2), 2);
    assert_eq!(of_leaving(&calls, TableChange::Resigned(2)), []);
    for other in [TableChange::Resigned(3), TableChange::Acted(2)] {
        let reported = of_leaving(&calls, other);
        assert_eq!(reported, [Flaw::AtTheTable(2, Breach::NotWished)]);
    }
}

/// A request to leave that is answered a second time with another version has happened twice.
#[test]
fn leaving_that_is_answered_twice_is_found_out() {
    let mut calls = answered_request("leave", TableChange::Resigned(2), 2).to_vec();
    let [_, again] = answered_request("leave", TableChange::Resigned(2), 3);
    calls.push(again);
    let reported = of_leaving(&calls, TableChange::Resigned(2));
    assert!(
        reported.contains(&Flaw::TwoAnswers(String::from("leave"))),
        "{reported:?}"
    );
    assert!(
        reported.contains(&Flaw::Lost(String::from("leave"), 3)),
        "{reported:?}"
    );
}

#[test]
fn what_a_request_may_become() {
    let ask = |to_version| back_to(1, to_version);
    let back = |agreed_by| TableChange::TakenBack {
        seat: 1,
        to_version: 5,
        agreed_by,
    };
    let says = |seat, agrees| TableChange::Answered { seat, agrees };
    assert!(ask(5).answers(ask(0)) && ask(5).answers(ask(5)));
    assert!(back(0).answers(ask(0)) && back(0).answers(ask(5)));
    assert!(!ask(5).answers(ask(4)) && !back(0).answers(ask(4)));
    assert!(!back(2).answers(ask(5)), "another's answer made it so");
    assert!(back(2).answers(says(2, true)) && says(2, true).answers(says(2, true)));
    assert!(!back(2).answers(says(3, true)) && !back(2).answers(says(2, false)));
    let end = |agreed_by| TableChange::Ended {
        agreed_by,
        scored: true,
    };
    assert!(end(2).answers(says(2, true)) && !end(2).answers(says(3, true)));
    assert!(TableChange::Paused { agreed_by: 2 }.answers(says(2, true)));
}
