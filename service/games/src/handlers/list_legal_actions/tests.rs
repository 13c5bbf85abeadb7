//! Long lists: a Cellar with 37 cards in hand.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use gamekeeper_proto::raw::CreateGameRequest;
use gamekeeper_rules::dominion::{Dominion, State};
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::ruleset::{Ruleset, create};
use gamekeeper_rules::table::{Chance, Seed};
use gamekeeper_store::MemoryStore;
use gamekeeper_wire::contract::action_kinds;
use serde_json::json;
use tokio::time::timeout;
use uuid::Uuid;

use super::*;
use crate::test_server::shared;

/// Builds a table at which a Cellar was played with 37 cards in hand: 2,332,800 actions.
pub(crate) fn cellar() -> State {
    let mut table = serde_json::to_value(dealt()).unwrap();
    let kinds = [
        ("Copper", 14),
        ("Silver", 5),
        ("Gold", 4),
        ("Estate", 2),
        ("Duchy", 2),
        ("Province", 2),
        ("Curse", 2),
        ("Cellar", 1),
        ("Chapel", 1),
        ("Moat", 1),
        ("Village", 1),
        ("Smithy", 1),
        ("Market", 1),
    ];
    for player in 0..2 {
        table["players"][player]["hand"] = json!(kinds);
    }
    table["stack"] = json!(["Cellar"]);
    serde_json::from_value(table).unwrap()
}

fn asks<'a, W: Wire>(state: &'a W::State, kinds: &'a [&str]) -> LegalList<'a, W> {
    let detail = Detail::Moves;
    LegalList {
        state,
        seat: W::pending(state)[0].seat,
        wanted: Wanted { detail, kinds },
    }
}

/// Returns the number of actions on a page, and the position of the next page.
async fn page(state: &State, kinds: &[&str], from: ActionCursor) -> (usize, Option<ActionCursor>) {
    let mut count = 0;
    let table = asks::<Dominion>(state, kinds);
    let next = table.page(from, MAX_PAGE, &mut |_| count += 1).await;
    (count, next)
}

/// A list of kinds that no action has is computed without walking the other kinds.
#[test]
fn what_is_not_asked_for_is_not_walked() {
    let state = cellar();
    let mut context = Context::from_waker(Waker::noop());
    let polled = pin!(page(&state, &["buy_card"], ActionCursor::default())).poll(&mut context);
    assert_eq!(polled, Poll::Ready((0, None)));
    let table = asks::<Dominion>(&state, &[]);
    assert!(pin!(table.is_exhaustive()).poll(&mut context).is_ready());
}

/// A client that disconnects in the middle of a long list cancels it, and other calls get their turn.
#[tokio::test]
async fn a_long_list_gives_way() {
    let state = cellar();
    let table = asks::<Dominion>(&state, &[]);
    let mut listed = 0_u32;
    let mut take = |_| listed += 1;
    {
        let mut full_page = pin!(table.page(ActionCursor::default(), usize::MAX, &mut take));
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..3 {
            assert!(full_page.as_mut().poll(&mut context).is_pending());
        }
    }
    assert!(listed > 0 && listed < 2_332_800 / 2, "{listed}");
}

/// Groups are counted without being walked: in a single poll, whereas a walk would yield after a few steps.
#[test]
fn groups_of_cards_are_counted_at_once() {
    let state = cellar();
    let table = asks::<Dominion>(&state, &[]);
    let mut context = Context::from_waker(Waker::noop());
    let actions = 2_332_800;
    let complete_count = Count {
        actions,
        is_complete: true,
    };
    assert_eq!(
        pin!(table.count(1)).poll(&mut context),
        Poll::Ready(complete_count)
    );
    // Only the empty group is a single action.
    let cut = pin!(table.count(0)).poll(&mut context);
    let nothing = Count {
        actions: 0,
        is_complete: false,
    };
    assert_eq!(cut, Poll::Ready(nothing));
    let last = pin!(table.at(actions - 1)).poll(&mut context);
    assert!(matches!(last, Poll::Ready(Some(_))));
    assert_eq!(
        pin!(table.at(actions)).poll(&mut context),
        Poll::Ready(None)
    );
}

/// Each index yields the action that the list shows there.
#[tokio::test]
async fn places_of_a_long_list_are_found_without_walking_there() {
    let state = cellar();
    let table = asks::<Dominion>(&state, &[]);
    let (mut index, mut shown) = (0, Vec::new());
    let mut take = |action| {
        if index % 9_973 == 0 {
            shown.push((index, action));
        }
        index += 1;
    };
    let end = table
        .page(ActionCursor::default(), 300_000, &mut take)
        .await;
    assert!(end.is_some() && shown.len() == 31);
    for (index, action) in shown {
        assert_eq!(table.at(index).await, Some(action), "at {index}");
    }
}

#[tokio::test]
async fn a_long_list_ends_with_its_deadline() {
    let state = cellar();
    let table = asks::<Dominion>(&state, &[]);
    let mut take = |_| {};
    let full_page = table.page(ActionCursor::default(), usize::MAX, &mut take);
    assert!(timeout(Duration::from_millis(1), full_page).await.is_err());
}

/// Creates a process with one game, in which a Cellar was played.
async fn process() -> (Arc<GameService<Dominion>>, String) {
    let shared = shared(Arc::new(MemoryStore::new()));
    let games = Arc::new(GameService::<Dominion>::new(shared));
    let player = |name: &str| pb::Player {
        name: name.to_owned(),
        ..Default::default()
    };
    let call = CreateGameRequest {
        players: ["Ada", "Bob"].map(player).to_vec(),
        ..Default::default()
    };
    let created = games
        .create_game(&Caller::UNAUTHENTICATED, call)
        .await
        .unwrap();
    let game_id = created.table.unwrap().game.unwrap().game_id;
    let id = Uuid::try_parse(&game_id).unwrap();
    games
        .lock_cached(&Caller::UNAUTHENTICATED, id)
        .await
        .unwrap()
        .state = cellar();
    (games, game_id)
}

/// Sixteen clients page through the list endlessly, or request kinds that it does not have, while another client keeps
/// getting responses. Their calls end when they are aborted.
#[tokio::test]
async fn long_lists_hold_up_nobody() {
    let (games, game_id) = process().await;
    let seat = u32::from(cellar_seat().number());
    let attack = |number: usize| {
        let (games, game_id) = (Arc::clone(&games), game_id.clone());
        let kinds = [&["cellar_discard"][..], &["buy_card"], &[]][number % 3];
        let kinds: Vec<String> = kinds.iter().copied().map(String::from).collect();
        tokio::spawn(async move {
            let mut page_token = String::new();
            loop {
                let call = ListLegalActionsRequest {
                    game_id: game_id.clone(),
                    seat,
                    kinds: kinds.clone(),
                    page_size: i32::MAX,
                    page_token,
                    show: Some(pb::Show {
                        text: number.is_multiple_of(2),
                        amounts: number.is_multiple_of(4),
                        ..Default::default()
                    }),
                    ..Default::default()
                };
                let legal = games
                    .list_legal_actions(&Caller::UNAUTHENTICATED, call)
                    .await
                    .unwrap();
                assert!(legal.exhaustive && legal.actions.len() <= MAX_PAGE);
                page_token = legal.next_page_token;
                tokio::task::yield_now().await;
            }
        })
    };
    let attackers: Vec<_> = (0..16).map(attack).collect();
    let id = Uuid::try_parse(&game_id).unwrap();
    for _ in 0..20 {
        let begun = Instant::now();
        tokio::task::yield_now().await;
        games.info(&Caller::UNAUTHENTICATED, id).await.unwrap();
        // The bound is generous, for unoptimized builds on a busy machine. Before lists yielded, a single one took this
        // long.
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
    for attacker in attackers {
        attacker.abort();
        assert!(attacker.await.unwrap_err().is_cancelled());
    }
}

/// Builds a table at which nothing was played.
fn dealt() -> State {
    let names = ["Ada", "Bob"].map(String::from);
    let options = Dominion::options(&names, &Default::default()).unwrap();
    create::<Dominion>(&options, Chance::from_seed(&Seed::from_number(1))).state
}

/// Amounts are added to actions and to their sentences only if they are requested.
#[tokio::test]
async fn amounts_are_given_if_asked_for() {
    let (games, game_id) = process().await;
    let id = Uuid::try_parse(&game_id).unwrap();
    let dealt = dealt();
    let seat = u32::from(Dominion::pending(&dealt)[0].seat.number());
    games
        .lock_cached(&Caller::UNAUTHENTICATED, id)
        .await
        .unwrap()
        .state = dealt;
    let list = async |amounts| {
        let call = ListLegalActionsRequest {
            game_id: game_id.clone(),
            seat,
            page_size: 40,
            show: Some(pb::Show {
                text: true,
                amounts,
                ..Default::default()
            }),
            ..Default::default()
        };
        games
            .list_legal_actions(&Caller::UNAUTHENTICATED, call)
            .await
            .unwrap()
            .actions
    };
    let (plain, priced) = (list(false).await, list(true).await);
    let is_priced = |action: &raw::LegalAction| !action.cost.is_empty() || !action.gains.is_empty();
    assert!(!plain.iter().any(is_priced) && priced.iter().any(is_priced));
    for (plain, priced) in plain.iter().zip(&priced) {
        assert_eq!(plain.action, priced.action);
        assert!(priced.text.starts_with(&plain.text));
        let amounts = priced.cost.iter().chain(&priced.gains);
        assert!(amounts.into_iter().all(|amount| amount.amount > 0));
    }
}

/// Returns the seat that plays the Cellar.
fn cellar_seat() -> Seat {
    Dominion::pending(&cellar())[0].seat
}

/// Pages follow each other without gaps, and no action is shown twice.
#[tokio::test]
async fn pages_go_on_where_the_last_ended() {
    let state = cellar();
    let (mut all, mut next) = (0, Some(ActionCursor::default()));
    for _ in 0..20 {
        let (count, position) = page(&state, &["cellar_discard"], next.unwrap()).await;
        (all, next) = (all + count, position);
    }
    let mut at_once = Vec::new();
    let table = asks::<Dominion>(&state, &[]);
    let mut take = |action| at_once.push(action);
    let position = table.page(ActionCursor::default(), all, &mut take).await;
    assert_eq!((all, position), (20 * MAX_PAGE, next));
}

/// A position survives the conversion to the numbers of a token.
#[test]
fn places_survive_their_tokens() {
    let position = ActionCursor::from_numbers(vec![3, 0, 17]);
    for exhaustive in [false, true] {
        let start = ListCursor::new(exhaustive, position.clone());
        let read = ListCursor::decode(&start.encode(9), 9).unwrap();
        assert_eq!(
            (read.exhaustive, read.position),
            (exhaustive, position.clone())
        );
        assert!(matches!(
            ListCursor::decode(&start.encode(9), 10),
            Err(ServiceError::StaleVersion { .. })
        ));
    }
    assert!(ListCursor::decode(&[9], 9).is_err());
    assert!(ListCursor::decode(&[9, 1, u64::MAX], 9).is_err());
}

#[test]
fn kinds_are_named_as_the_contract_names_them() {
    let all = action_kinds::<Mythotopia>();
    let read = |names: &[&str]| {
        let names: Vec<String> = names.iter().copied().map(String::from).collect();
        let read = parse_kinds(&all, &names);
        read.map(|kinds| kinds.into_iter().map(String::from).collect::<Vec<_>>())
    };
    let kinds_read = read(&["invade", "place_armies"]).unwrap();
    assert_eq!(kinds_read, ["invade", "place_armies"]);
    assert_eq!(
        read(&["invade", "placeArmies"]).unwrap_err().field,
        "kinds[1]"
    );
    assert_eq!(read(&[""]).unwrap_err().field, "kinds[0]");
}
