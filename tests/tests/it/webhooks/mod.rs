//! `gamekeeper forward`: signed webhooks from the feed of a tenant.

mod faults;
mod kinds;
mod receivers;

use std::collections::{BTreeMap, BTreeSet};

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::Client;
use gamekeeper_tests::tokens::{RED, bearing};
use gamekeeper_tests::webhooks::Hook;
use tonic::Status;

/// The version, kind and seat of a webhook.
type About = (u64, String, u64);

/// Builds a request for a short game of Goofspiel with these users.
pub(crate) fn short_game(users: &[&str]) -> pb::CreateGameRequest {
    let player = |user: &&str| pb::Player {
        name: format!("Player {user}"),
        user: (*user).to_owned(),
        ..Default::default()
    };
    let options = gamekeeper_proto::gamekeeper::goofspiel::v1::Options {
        cards: Some(5),
        ..Default::default()
    };
    pb::CreateGameRequest {
        ruleset: String::from("goofspiel"),
        options: Some(pb::Options {
            ruleset: Some(pb::options::Ruleset::Goofspiel(options)),
        }),
        players: users.iter().map(player).collect(),
        ..Default::default()
    }
}

pub(crate) async fn created(
    client: &mut Client,
    call: pb::CreateGameRequest,
) -> Result<String, Status> {
    let created = client.create_game(bearing(RED, call)).await?.into_inner();
    Ok(facts(created.table).game_id)
}

fn facts(table: Option<pb::Table>) -> pb::GameInfo {
    table.and_then(|table| table.game).unwrap()
}

/// Reads a game, now (version 0) or at a version.
pub(crate) async fn game_at(
    client: &mut Client,
    game_id: &str,
    at_version: u64,
) -> Result<pb::GameInfo, Status> {
    let call = pb::GetGameRequest {
        game_id: game_id.to_owned(),
        at_version,
        ..Default::default()
    };
    Ok(facts(
        client
            .get_game(bearing(RED, call))
            .await?
            .into_inner()
            .table,
    ))
}

/// Plays the first legal action of a seat.
async fn act(client: &mut Client, game_id: &str, seat: u32) -> Result<(), Status> {
    let call = pb::ListLegalActionsRequest {
        game_id: game_id.to_owned(),
        seat,
        ..Default::default()
    };
    let legal = client
        .list_legal_actions(bearing(RED, call))
        .await?
        .into_inner();
    let call = pb::ApplyActionRequest {
        game_id: game_id.to_owned(),
        seat,
        action: legal.actions.into_iter().next().and_then(|one| one.action),
        ..Default::default()
    };
    client.apply_action(bearing(RED, call)).await?;
    Ok(())
}

/// Plays a game to its end.
pub(crate) async fn play(client: &mut Client, game_id: &str) {
    loop {
        let info = game_at(client, game_id, 0).await.unwrap();
        let Some(open) = info.pending.first() else {
            return;
        };
        act(client, game_id, open.seat).await.unwrap();
    }
}

/// Computes from the log what must have arrived about a game that was played to its end: every turn of every round, and
/// the end for every seat.
async fn expected(client: &mut Client, game_id: &str) -> BTreeSet<About> {
    let last = game_at(client, game_id, 0).await.unwrap();
    let call = pb::ListEventsRequest {
        game_id: game_id.to_owned(),
        page_size: 1_000,
        ..Default::default()
    };
    let entries = client
        .list_events(bearing(RED, call))
        .await
        .unwrap()
        .into_inner()
        .entries;
    let actors: BTreeMap<u64, u32> = entries
        .iter()
        .map(|entry| (entry.version, entry.seat))
        .collect();
    let mut all = BTreeSet::new();
    let mut before: Vec<u32> = Vec::new();
    for version in 1..=last.version {
        let info = game_at(client, game_id, version).await.unwrap();
        let owing: Vec<u32> = info.pending.iter().map(|open| open.seat).collect();
        for seat in &owing {
            if !before.contains(seat) || actors.get(&version) == Some(seat) {
                all.insert((version, String::from("your_turn"), u64::from(*seat)));
            }
        }
        before = owing;
    }
    let seats = last.players.iter().map(|player| u64::from(player.seat));
    all.extend(seats.map(|seat| (last.version, String::from("over"), seat)));
    all
}

fn about(hook: &Hook) -> About {
    (hook.version(), hook.kind().to_owned(), hook.seat())
}

/// Checks what arrived about a game: nothing was lost, nothing came with two ids, and no version before an earlier one.
fn check_arrivals(hooks: &[Hook], game_id: &str, expected: &BTreeSet<About>) {
    let mut ids: BTreeMap<About, &str> = BTreeMap::new();
    let mut newest = 0;
    for hook in hooks.iter().filter(|hook| hook.game() == game_id) {
        let about = about(hook);
        match ids.get(&about) {
            Some(id) => assert_eq!(*id, hook.id, "{game_id}: {about:?}"),
            None => {
                assert!(
                    newest <= about.0,
                    "{game_id}: {about:?} after version {newest}"
                );
                newest = about.0;
                ids.insert(about, &hook.id);
            }
        }
    }
    let arrived: BTreeSet<About> = ids.keys().cloned().collect();
    assert_eq!(arrived, *expected, "{game_id}");
    let ids: BTreeSet<&str> = ids.into_values().collect();
    assert_eq!(ids.len(), expected.len(), "each event has an id of its own");
}
