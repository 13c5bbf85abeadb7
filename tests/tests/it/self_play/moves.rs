//! Single moves, and games that end early.

use std::collections::BTreeSet;

use dominion::action::Kind;
use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;
use gamekeeper_tests::dominion::{action, assert_planned_end};
use gamekeeper_tests::server::Gamekeeperd;
use tokio_stream::StreamExt;
use tonic::{Code, Status};

use super::pb::self_play_move::Choice;
use super::pb::self_play_request::Step;
use super::{ALL, Line, choose, pb, plan};

fn buy(card: dominion::Card) -> Choice {
    let card = card.into();
    Choice::Action(action(Kind::BuyCard(dominion::BuyCard { card })))
}

/// A refused move has the same metadata as the details of a refused call.
#[tokio::test]
async fn refusals_carry_their_values() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    line.ask(Step::Plan(plan(1))).await.unwrap();
    let moves = vec![
        choose(0, 1, Some(buy(dominion::Card::Gold))),
        choose(0, 9, Some(Choice::Index(0))),
        choose(0, 1, None),
    ];
    let answer = line.moves(moves).await.unwrap();
    let refusals = answer.observations.iter();
    let refusals: Vec<_> = refusals
        .filter_map(|observation| observation.refusal.as_ref())
        .collect();
    let [afford, stale, malformed] = &refusals[..] else {
        panic!("{refusals:?}");
    };
    let detail = afford.detail.as_ref().unwrap().detail.as_ref().unwrap();
    let pb::refusal_detail::Detail::Dominion(detail) = detail else {
        panic!("{detail:?}");
    };
    let Some(dominion::refusal_detail::Refusal::CannotAfford(values)) = detail.refusal else {
        panic!("{detail:?}");
    };
    assert_eq!(Code::from(afford.code), Code::FailedPrecondition);
    assert_eq!((values.card(), values.cost), (dominion::Card::Gold, 6));
    let metadata = &afford.metadata;
    assert_eq!(metadata["rule"], "DOM-6.10");
    assert_eq!((&*metadata["card"], &*metadata["cost"]), ("CARD_GOLD", "6"));
    let versions = (&*stale.metadata["expected"], &*stale.metadata["current"]);
    assert_eq!(versions, ("9", "1"));
    assert_eq!(malformed.metadata["field"], "moves.moves[2].choice");
    assert_eq!((&stale.detail, &malformed.detail), (&None, &None));
}

/// Returns slot, version and reason of each observation.
fn reasons(answer: &pb::SelfPlayResponse) -> Vec<(u32, u64, Option<&str>)> {
    let observations = answer.observations.iter();
    observations
        .map(|observation| {
            let refusal = observation.refusal.as_ref();
            let reason = refusal.map(|refusal| &*refusal.reason);
            (observation.slot, observation.version, reason)
        })
        .collect()
}

#[tokio::test]
async fn a_refused_move_changes_nothing_and_ends_nothing() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    let begun = line.ask(Step::Plan(plan(1))).await.unwrap();
    let first = begun.observations[0].clone();
    assert_eq!(
        (first.version, first.view, first.actions.len()),
        (1, None, 0)
    );
    let wrong = [
        (buy(dominion::Card::Gold), "CANNOT_AFFORD", "DOM-6.10"),
        (buy(dominion::Card::Unspecified), "UNKNOWN_ID", "DOM-"),
        (Choice::Index(1_000_000), "MALFORMED", ""),
        (Choice::Action(pb::Action::default()), "MALFORMED", ""),
    ];
    for (choice, code, rule) in wrong {
        let answer = line.moves(vec![choose(0, 1, Some(choice))]).await.unwrap();
        let observation = &answer.observations[0];
        let refusal = observation.refusal.as_ref().unwrap();
        assert_eq!((observation.version, refusal.reason.as_str()), (1, code));
        let cited = refusal.metadata.get("rule").map_or("", String::as_str);
        let is_cited = cited.starts_with(rule) && cited.is_empty() == rule.is_empty();
        assert!(is_cited && !refusal.message.is_empty(), "{refusal:?}");
        let path = match code {
            "UNKNOWN_ID" => &refusal.metadata["path"],
            "MALFORMED" => &refusal.metadata["field"],
            _ => continue,
        };
        assert!(path.starts_with("moves.moves[0]."), "{path}");
    }
    let mixed = vec![
        choose(0, 9, Some(Choice::Index(0))),
        choose(0, 1, None),
        choose(5, 0, Some(Choice::Index(0))),
        choose(0, 1, Some(Choice::Index(0))),
    ];
    let answer = line.moves(mixed).await.unwrap();
    let expected = [
        (0, 1, Some("STALE_VERSION")),
        (0, 1, Some("MALFORMED")),
        (5, 0, Some("MALFORMED")),
        (0, 2, None),
    ];
    assert_eq!(reasons(&answer), expected);
    assert_eq!(
        line.moves(Vec::new()).await.unwrap(),
        pb::SelfPlayResponse::default()
    );
}

#[tokio::test]
async fn games_can_be_abandoned_and_cut_short() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    let short = pb::SelfPlayPlan {
        total_games: 3,
        max_versions: 3,
        ..plan(1)
    };
    let begun = line.ask(Step::Plan(short)).await.unwrap();
    assert_eq!(begun.observations[0].game, 1);
    let abandon = Some(Choice::Abandon(pb::SelfPlayAbandon {}));
    let answer = line.moves(vec![choose(0, 0, abandon)]).await.unwrap();
    assert_eq!((answer.results[0].game, answer.results[0].version), (1, 1));
    assert_eq!(answer.observations[0].game, 2);
    let end_turn = || {
        let kind = Kind::EndTurn(dominion::EndTurn::default());
        Some(Choice::Action(action(kind)))
    };
    let both = vec![choose(0, 1, end_turn()), choose(0, 2, end_turn())];
    let answer = line.moves(both).await.unwrap();
    let cut = &answer.results[0];
    assert_eq!((cut.game, cut.version, cut.finished), (2, 3, false));
    assert!(cut.standings.is_empty() && cut.seed.len() == 32);
    let positions: Vec<_> = answer
        .observations
        .iter()
        .map(|observation| (observation.game, observation.version))
        .collect();
    assert_eq!(positions, [(2, 2), (3, 1)]);
}

#[tokio::test]
async fn long_answers_come_in_parts_and_games_have_lives_of_their_own() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let (asks, receiver) = tokio::sync::mpsc::channel(1);
    let stream = tokio_stream::wrappers::ReceiverStream::new(receiver);
    let mut answers = server
        .self_play()
        .self_play(stream)
        .await
        .unwrap()
        .into_inner();
    let plan = pb::SelfPlayPlan {
        show: Some(ALL),
        ..plan(1_024)
    };
    let step = Some(Step::Plan(plan));
    asks.send(pb::SelfPlayRequest { step }).await.unwrap();
    let (mut parts, mut slots, mut tables) = (0, BTreeSet::new(), BTreeSet::new());
    loop {
        let part = answers.next().await.unwrap().unwrap();
        parts += 1;
        slots.extend(part.observations.iter().map(|observation| observation.slot));
        tables.extend(
            part.observations
                .iter()
                .map(|observation| format!("{:?}", observation.view)),
        );
        if !part.more {
            break;
        }
    }
    assert!(parts > 1, "{parts} parts");
    assert_eq!(slots.len(), 1_024);
    assert!(tables.len() > 4, "every game has its own luck");
}

#[tokio::test]
async fn a_stopping_server_says_so() {
    let mut server = Gamekeeperd::start(&["--store=memory"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    line.ask(Step::Plan(plan(1))).await.unwrap();
    let stopped = tokio::task::spawn_blocking(move || server.stop());
    let ended: Status = line.answer().await.unwrap_err();
    assert_planned_end(&ended, "SHUTDOWN");
    assert!(stopped.await.unwrap());
}
