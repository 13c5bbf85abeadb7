//! Impossible histories, each of which the checker must detect.

use super::*;

const GAME: &str = "game";

fn call(begun: u64, ended: u64, what: What) -> Call {
    Call {
        game: GAME.to_owned(),
        begun: Duration::from_millis(begun),
        ended: Duration::from_millis(ended),
        what,
    }
}

fn change(times: [u64; 2], request: &str, outcome: Outcome) -> Call {
    let request = request.to_owned();
    call(times[0], times[1], What::Change { request, outcome })
}

fn accepted(times: [u64; 2], request: &str, version: u64) -> Call {
    let answer = version;
    change(times, request, Outcome::Done { version, answer })
}

fn read(times: [u64; 2], version: u64) -> Call {
    call(times[0], times[1], What::Read(version))
}

fn watched(after: u64, versions: &[u64]) -> Call {
    let versions = versions.to_vec();
    call(0, 1_000, What::Watched { after, versions })
}

/// Builds the log of these requests; `?` is an entry without a request.
fn logs(requests: &[&str]) -> Logs {
    let request = |request: &&str| (*request != "?").then(|| (*request).to_owned());
    Logs::from([(GAME.to_owned(), requests.iter().map(request).collect())])
}

fn judge(calls: &[Call], logs: &Logs, breaks: &[Break]) -> Vec<Flaw> {
    check(calls, logs, &Records::new(), breaks)
}

fn flaws(calls: &[Call], log: &[&str]) -> Vec<Flaw> {
    judge(calls, &logs(log), &[])
}

/// Builds a valid history: a game is created, two clients play, and one reads.
fn good() -> Vec<Call> {
    vec![
        accepted([0, 10], "create", 1),
        accepted([20, 30], "a", 2),
        accepted([25, 50], "b", 3),
        read([26, 28], 1),
        read([35, 45], 3),
        read([60, 70], 3),
        watched(0, &[1, 2, 3]),
    ]
}

const GOOD: [&str; 3] = ["create", "a", "b"];

#[test]
fn a_history_that_can_be_true_has_no_flaw() {
    assert_eq!(flaws(&good(), &GOOD), []);
    let mut open = good();
    open.push(change([80, 90], "c", Outcome::Unknown));
    open.push(change([80, 90], "d", Outcome::Refused));
    assert_eq!(flaws(&open, &GOOD), [], "an open one may not have happened");
    assert_eq!(flaws(&open, &["create", "a", "b", "c"]), [], "or have");
}

#[test]
fn what_is_sent_again_has_one_answer() {
    let mut calls = good();
    calls.push(accepted([100, 110], "a", 2));
    assert_eq!(flaws(&calls, &GOOD), []);
    calls.push(change(
        [120, 130],
        "a",
        Outcome::Done {
            version: 2,
            answer: 99,
        },
    ));
    assert_eq!(flaws(&calls, &GOOD), [Flaw::TwoAnswers("a".into())]);
}

#[test]
fn what_was_answered_and_is_not_there_is_lost() {
    let log = ["create", "a"];
    let mut calls = good();
    calls.truncate(3);
    assert_eq!(flaws(&calls, &log), [Flaw::Lost("b".into(), 3)]);
    assert_eq!(flaws(&calls, &["create", "b", "a"]).len(), 2, "exchanged");
}

#[test]
fn what_is_there_twice_is_doubled() {
    assert_eq!(
        flaws(&good(), &["create", "a", "b", "a"]),
        [Flaw::Doubled("a".into())]
    );
    let mut open = good();
    open.push(change([80, 90], "c", Outcome::Unknown));
    assert_eq!(
        flaws(&open, &["create", "a", "b", "c", "c"]),
        [Flaw::Doubled("c".into())]
    );
}

#[test]
fn what_was_refused_or_never_asked_is_not_there() {
    let mut calls = good();
    calls.push(change([80, 90], "c", Outcome::Refused));
    assert_eq!(
        flaws(&calls, &["create", "a", "b", "c"]),
        [Flaw::PlayedThough("c".into())]
    );
    assert_eq!(
        flaws(&good(), &["create", "a", "b", "?"]),
        [Flaw::OfNobody(4)]
    );
}

#[test]
fn two_answers_do_not_share_a_version() {
    let mut calls = good();
    calls.push(accepted([25, 45], "c", 2));
    let reported = flaws(&calls, &GOOD);
    let both = ["a".into(), "c".into()];
    assert_eq!(
        reported,
        [Flaw::SameVersion(both, 2), Flaw::Lost("c".into(), 2)]
    );
}

#[test]
fn what_begins_later_is_later() {
    let calls = [
        accepted([0, 10], "create", 1),
        accepted([20, 30], "b", 3),
        accepted([40, 50], "a", 2),
    ];
    assert_eq!(flaws(&calls, &GOOD), [Flaw::OutOfOrder("a".into(), 2)]);
    let seen_too_early = [
        accepted([0, 10], "create", 1),
        read([20, 30], 2),
        accepted([40, 50], "a", 2),
        accepted([60, 70], "b", 3),
    ];
    assert_eq!(
        flaws(&seen_too_early, &GOOD),
        [Flaw::OutOfOrder("a".into(), 2)]
    );
}

#[test]
fn a_read_does_not_go_back() {
    let mut calls = good();
    calls.push(read([80, 90], 2));
    assert_eq!(flaws(&calls, &GOOD), [Flaw::StaleRead(2, 3)]);
    let after_a_change = [
        accepted([0, 10], "create", 1),
        accepted([20, 30], "a", 2),
        read([31, 40], 1),
        accepted([50, 60], "b", 3),
    ];
    assert_eq!(flaws(&after_a_change, &GOOD), [Flaw::StaleRead(1, 2)]);
}

#[test]
fn nobody_sees_what_is_not_in_the_log() {
    let mut calls = good();
    calls.push(read([80, 90], 4));
    assert_eq!(flaws(&calls, &GOOD), [Flaw::BeyondTheLog(4)]);
}

#[test]
fn a_watch_brings_every_version_once_and_in_order() {
    for (after, versions) in [
        (0, vec![1, 3]),
        (0, vec![1, 2, 2]),
        (1, vec![3]),
        (1, vec![1, 2]),
        (1, vec![2, 1]),
    ] {
        let mut calls = good();
        calls.push(watched(after, &versions));
        assert_eq!(flaws(&calls, &GOOD), [Flaw::WatchGap(after, versions)]);
    }
}

#[test]
fn a_status_without_excuse_is_a_flaw() {
    let calls = [call(0, 1, What::Broken("damaged".into()))];
    assert_eq!(flaws(&calls, &[]), [Flaw::Broken("damaged".into())]);
}

const BREAK: Break = Break {
    from: Duration::from_millis(100),
    until: Duration::from_millis(200),
};

/// Builds a history in which `b` was answered, and was then lost when another primary took over.
fn failed_over() -> Vec<Call> {
    let mut calls = good();
    calls.push(read([150, 160], 3));
    calls.push(read([210, 220], 2));
    calls.push(accepted([230, 240], "c", 3));
    calls
}

#[test]
fn a_failover_may_lose_what_was_answered_last() {
    let log = logs(&["create", "a", "c"]);
    assert_eq!(judge(&failed_over(), &log, &[BREAK]), []);
    assert_ne!(judge(&failed_over(), &log, &[]), []);
}

#[test]
fn a_failover_loses_nothing_from_the_middle() {
    let calls = [
        accepted([0, 10], "create", 1),
        accepted([20, 30], "a", 2),
        accepted([40, 50], "b", 3),
    ];
    let log = logs(&["create", "?", "b"]);
    let reported = judge(&calls, &log, &[BREAK]);
    assert_eq!(reported, [Flaw::OfNobody(2), Flaw::Lost("a".into(), 2)]);
}

#[test]
fn a_failover_loses_nothing_that_was_answered_after_it() {
    let mut calls = failed_over();
    calls.push(accepted([250, 260], "d", 4));
    let log = logs(&["create", "a", "c"]);
    let reported = judge(&calls, &log, &[BREAK]);
    assert_eq!(reported, [Flaw::Lost("d".into(), 4)]);
}

/// Requests `b` and `c` are lost. `c` is resent without an answer, and happens to become the same version again.
#[test]
fn what_was_lost_and_played_anew_is_not_what_was_built_before() {
    let mut calls = good();
    calls.push(accepted([60, 70], "c", 4));
    calls.push(accepted([210, 220], "d", 3));
    let log = logs(&["create", "a", "d", "c"]);
    assert_ne!(judge(&calls, &log, &[BREAK]), [], "out of the middle");
    calls.push(change([230, 240], "c", Outcome::Unknown));
    assert_eq!(judge(&calls, &log, &[BREAK]), []);
}

#[test]
fn what_was_refused_and_is_sent_again_may_be_played() {
    let mut calls = good();
    calls.push(change([80, 90], "c", Outcome::Refused));
    calls.push(accepted([100, 110], "c", 4));
    assert_eq!(flaws(&calls, &["create", "a", "b", "c"]), []);
}
