//! A table whose legal list is longer than a plan shows.

use gamekeeper_rules::dominion::{Action, Dominion};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::starts::Start;

use super::*;
use crate::handlers::list_legal_actions::tests::cellar;

/// The number of groups of 37 cards in hand.
const ALL: u32 = 2_332_800;

fn plan(show: pb::SelfPlayShow) -> Plan<Dominion> {
    let names = ["Ada", "Bob"].map(String::from);
    Plan {
        options: Dominion::options(&names, &Default::default()).unwrap(),
        start_mode: StartMode::Fresh(Start::SetUp),
        seed: Seed::from_number(1),
        show,
        tensor_encoder: None,
        detail: Detail::Moves,
        max_actions: 10,
        max_versions: 0,
    }
}

async fn table(plan: &Plan<Dominion>) -> SelfPlayGame<Dominion> {
    let mut table = SelfPlayGame::start(plan, 0, 1).await.unwrap();
    table.state = cellar();
    table
}

fn index(index: u32) -> SelfPlayMove {
    SelfPlayMove {
        slot: 0,
        version: 0,
        choice: Some(Choice::Index(index)),
    }
}

#[tokio::test]
async fn a_list_that_is_cut_is_counted_to_its_end() {
    for actions in [false, true] {
        let plan = plan(pb::SelfPlayShow {
            action_count: true,
            actions,
            ..Default::default()
        });
        let mut table = table(&plan).await;
        let seen = table.observe(&plan).await;
        assert_eq!(seen.action_count, ALL);
        assert_eq!(seen.actions.len(), if actions { 10 } else { 0 });
        assert_eq!(
            seen.exhaustive, !actions,
            "the list is cut, the count is not"
        );
    }
}

/// An index can be chosen with and without a requested count.
#[tokio::test]
async fn every_action_that_is_counted_can_be_chosen() {
    for action_count in [false, true] {
        let plan = plan(pb::SelfPlayShow {
            action_count,
            ..Default::default()
        });
        let mut table = table(&plan).await;
        table.observe(&plan).await;
        let beyond = table.apply_move(&plan, (0, index(ALL))).await.unwrap_err();
        assert_eq!(beyond.reason, "MALFORMED");
        assert!(
            beyond.message.contains("2332800 actions"),
            "{}",
            beyond.message
        );
        let last = table.action_at(&plan, ALL - 1).await.unwrap();
        let Action::CellarDiscard { cards } = &last else {
            panic!("{last:?}");
        };
        assert_eq!(cards.len(), 1, "the last card alone comes last");
        table.apply_move(&plan, (0, index(ALL - 1))).await.unwrap();
        assert_eq!(table.version, 2);
    }
}

/// The observations and the result of a game show each seat everything that happened, in order.
#[tokio::test]
async fn a_result_has_the_events_that_no_observation_had() {
    let plan = plan(pb::SelfPlayShow {
        events: true,
        ..Default::default()
    });
    let mut table = SelfPlayGame::start(&plan, 0, 1).await.unwrap();
    let mut seen = vec![Vec::new(); 2];
    let mut happened = table.undelivered[0].events.clone();
    while !table.is_over() {
        let observation = table.observe(&plan).await;
        let seat = Seat::new(u8::try_from(observation.seat).unwrap()).unwrap();
        seen[seat.index()].extend(observation.events);
        let before = table.undelivered[seat.index()].events.len();
        let count = table.list_legal_prefix(&plan).await.count.actions;
        let choice = index(u32::try_from(count).unwrap() - 1);
        table.apply_move(&plan, (0, choice)).await.unwrap();
        happened.extend_from_slice(&table.undelivered[seat.index()].events[before..]);
        if table.version > 100 {
            // As at the limit of versions: nobody buys anything here.
            table.seat_to_move = None;
        }
    }
    let result = table.result(&plan);
    assert_eq!(result.version, table.version);
    assert!(!result.last_events.is_empty());
    for last in result.last_events {
        seen[usize::try_from(last.seat).unwrap() - 1].extend(last.events);
    }
    for (seat, seen) in Seat::all(2).zip(seen) {
        let visible = happened.iter();
        let visible = visible.filter_map(|(event, forced)| {
            Some((Dominion::event_view(event, Viewer::Seat(seat))?, *forced))
        });
        let wrapped = visible
            .map(|(event, forced)| gamekeeper_wire::wrap_event::<Dominion>(&event, forced, None));
        assert_eq!(seen, wrapped.collect::<Vec<_>>(), "{seat}");
    }
}
