use gamekeeper_proto::gamekeeper::v1::table_event::{
    Answered, Ended, Kind as Beside, Proposed, TakenBack, TimedOut,
};
use gamekeeper_proto::gamekeeper::v1::{Bot, ForkedFrom, Player, Proposal};
use gamekeeper_proto::raw::Event;

use super::*;

/// Creates an active game of three people whose seats owe these decisions.
fn game(version: u64, pending: &[(u32, &str)]) -> GameInfo {
    GameInfo {
        game_id: String::from("a"),
        version,
        status: GameStatus::Active.into(),
        players: (1..=3).map(player).collect(),
        pending: owing(pending),
        update_time: Some(Timestamp {
            seconds: i64::try_from(version).unwrap(),
            nanos: 5_000_000,
        }),
        ..GameInfo::default()
    }
}

fn player(seat: u32) -> Player {
    Player {
        seat,
        user: format!("user {seat}"),
        ..Player::default()
    }
}

fn owing(pending: &[(u32, &str)]) -> Vec<PendingDecision> {
    let owed = pending.iter().map(|(seat, decision)| PendingDecision {
        seat: *seat,
        decision: (*decision).to_owned(),
        ..PendingDecision::default()
    });
    owed.collect()
}

/// Creates the entry of an action of a seat.
fn action(seat: u32) -> LogEntry {
    LogEntry {
        seat,
        events: vec![Event::default()],
        ..LogEntry::default()
    }
}

/// Creates the entry of something beside the rules.
fn beside(seat: u32, kind: Beside) -> LogEntry {
    let event = Event {
        table: Some(TableEvent { kind: Some(kind) }),
        ..Event::default()
    };
    LogEntry {
        seat,
        events: vec![event],
        ..LogEntry::default()
    }
}

fn told(info: &GameInfo, entry: Option<&LogEntry>, before: &[(u32, &str)]) -> Vec<(Kind, u32)> {
    let news = news_of_version(info, entry, &owing(before));
    news.webhooks
        .iter()
        .map(|one| (one.kind, one.seat))
        .collect()
}

const BOTH: [(u32, &str); 2] = [(1, "bid"), (2, "bid")];

#[test]
fn a_turn_is_told_once_for_each_decision() {
    use Kind::YourTurn;
    let begin = game(1, &BOTH);
    assert_eq!(told(&begin, None, &[]), [(YourTurn, 1), (YourTurn, 2)]);
    // Seat 2 goes on to think.
    assert_eq!(told(&game(2, &BOTH[1..]), Some(&action(1)), &BOTH), []);
    // The next round asks both, by the same name.
    let next = game(3, &BOTH);
    assert_eq!(
        told(&next, Some(&action(2)), &BOTH[1..]),
        [(YourTurn, 1), (YourTurn, 2)]
    );
    // An action after which the seat owes the same kind of decision again.
    assert_eq!(
        told(&game(4, &BOTH[..1]), Some(&action(1)), &BOTH[..1]),
        [(YourTurn, 1)]
    );
    // Another decision of a seat that did nothing.
    let other = game(5, &[(1, "pay")]);
    assert_eq!(told(&other, Some(&action(2)), &BOTH[..1]), [(YourTurn, 1)]);
}

#[test]
fn what_happens_beside_the_rules_begins_no_decision() {
    let info = game(2, &BOTH);
    let answered = Beside::Answered(Answered {
        seat: 1,
        agrees: false,
    });
    let back = Beside::TakenBack(TakenBack {
        to_version: 1,
        ..TakenBack::default()
    });
    let late = Beside::TimedOut(TimedOut {
        seat: 3,
        claimed_by: 1,
    });
    for kind in [answered, back, late] {
        assert_eq!(
            told(&info, Some(&beside(1, kind.clone())), &BOTH),
            [],
            "{kind:?}"
        );
    }
    // A take-back asks again whoever has answered: everybody got a webhook before.
    let back = Beside::TakenBack(TakenBack {
        to_version: 1,
        ..TakenBack::default()
    });
    assert_eq!(told(&info, Some(&beside(1, back)), &BOTH[1..]), []);
    let late = Beside::TimedOut(TimedOut {
        seat: 2,
        claimed_by: 1,
    });
    assert_eq!(
        told(&info, Some(&beside(0, late)), &BOTH),
        [(Kind::YourTurn, 2)]
    );
}

#[test]
fn a_proposal_is_told_to_those_who_have_to_answer() {
    let proposed = || {
        Some(beside(
            1,
            Beside::Proposed(Proposed {
                seat: 1,
                kind: None,
            }),
        ))
    };
    let mut info = game(7, &BOTH);
    info.proposal = Some(Proposal {
        number: 7,
        seat: 1,
        ..Proposal::default()
    });
    assert_eq!(
        told(&info, proposed().as_ref(), &BOTH),
        [(Kind::Proposal, 2), (Kind::Proposal, 3)]
    );
    info.resigned = vec![3];
    assert_eq!(
        told(&info, proposed().as_ref(), &BOTH),
        [(Kind::Proposal, 2)]
    );
    info.version = 8;
    let turns = [(Kind::YourTurn, 1), (Kind::YourTurn, 2)];
    assert_eq!(told(&info, Some(&action(2)), &[]), turns, "no second time");
    assert_eq!(proposals(&info, |_| true)[0].version, 7);
}

#[test]
fn the_end_is_told_to_everybody_and_bots_are_told_nothing() {
    let mut info = game(9, &[]);
    info.status = GameStatus::Finished.into();
    info.players[1].bot = Some(Bot::default());
    let mut entry = action(1);
    entry
        .events
        .extend(beside(0, Beside::Ended(Ended::default())).events);
    assert_eq!(
        told(&info, Some(&entry), &[]),
        [(Kind::Over, 1), (Kind::Over, 3)]
    );
    let mut info = game(1, &BOTH);
    info.players[1].bot = Some(Bot::default());
    assert_eq!(told(&info, None, &[]), [(Kind::YourTurn, 1)]);
    assert_eq!(news_of_version(&info, None, &[]).waiting.len(), 1);
}

#[test]
fn a_webhook_names_user_time_and_due() {
    let mut info = game(4, &[(2, "bid")]);
    info.pending[0].due = Some(Timestamp {
        seconds: 60,
        nanos: 0,
    });
    let news = news_of_version(&info, Some(&action(1)), &[]);
    let one = &news.webhooks[0];
    let facts = (one.version, one.seat, &*one.user, one.due_ms, one.time_ms);
    assert_eq!(facts, (4, 2, "user 2", Some(60_000), 4_005));
    assert!(!news.is_start);
    assert_eq!(first_version(&info), 1);
    let forked_from = ForkedFrom {
        version: 3,
        ..ForkedFrom::default()
    };
    assert_eq!(
        first_version(&GameInfo {
            forked_from: Some(forked_from),
            ..info
        }),
        3
    );
}
