//! Calls of the owner of games: users and labels, lists, batches, deletions and forks.

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1;
use rand::RngExt;
use tonic::{Code, Status};
use v1::game_result::Result as Came;

use super::super::shared::GUEST;
use super::Look;
use super::looks::{SPECTATOR_VIEW, VIEW, ask_facts, ask_table, spectator};
use crate::dominion::{facts, game_of, reason_of};
use crate::history::desk::happens;
use crate::history::shared::Memory;
use crate::history::{OTHER_USER, USERS, What};

/// Reads several games at once, and checks that each result is the same as on its own.
pub(super) async fn batch(mut look: Look) -> Result<(), Status> {
    let game_id = look.game.clone();
    let missing = String::from("00000000-0000-4000-8000-000000000000");
    let query = |game_id: &str| v1::GameQuery {
        game_id: game_id.to_owned(),
        viewer: spectator(),
    };
    let ask = look.desk.ask_hastily(v1::BatchGetGamesRequest {
        games: vec![query(&game_id), query(&missing)],
        show: Some(VIEW),
    });
    let answer = look.desk.games.batch_get_games(ask).await?.into_inner();
    let requested_ids = [game_id, missing];
    let is_alike = answer
        .results
        .iter()
        .map(|one| &one.game_id)
        .eq(&requested_ids);
    look.must(is_alike, || {
        format!("asked for {requested_ids:?}, told {answer:?}")
    });
    for (result, is_there) in answer.results.into_iter().zip([true, false]) {
        match result.result {
            Some(Came::Table(mut table)) => {
                look.must(is_there, || String::from("a game that nobody created"));
                let view = table.view.take().expect("a view");
                let info = facts(Some(table));
                look.same(SPECTATOR_VIEW, info.version, &view);
                look.saw_facts(&info);
            }
            // The store failed for this game alone.
            Some(Came::Problem(error)) if is_passing(&error) => {}
            Some(Came::Problem(error)) => {
                let may_miss = !is_there || look.shared.memory == Memory::Forgets;
                look.must(may_miss && error.reason == "NO_SUCH_GAME", || {
                    format!("{error:?}")
                });
            }
            None => look.must(false, || String::from("no result")),
        }
    }
    Ok(())
}

fn is_passing(error: &v1::Problem) -> bool {
    let passing = [
        Code::Unavailable,
        Code::DeadlineExceeded,
        Code::ResourceExhausted,
    ];
    passing.contains(&Code::from(error.code))
}

/// Lists the games of the first user. The user has a seat at all tables except plain ones until the seat is given to
/// another user, so this game must be among them, and each game must occur once.
pub(super) async fn list(look: Look) -> Result<(), Status> {
    let before = look.is_of_first_user().await?;
    let listed = look.list(USERS[0]).await?;
    let mut ids: Vec<&str> = listed.iter().map(|info| info.game_id.as_str()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    look.must(ids.len() == count, || {
        String::from("a list shows a game twice")
    });
    for info in &listed {
        look.shared.facts(info);
        let read = What::Read(info.version);
        look.shared.recorder.note(&info.game_id, look.begun, read);
    }
    let after = look.is_of_first_user().await?;
    let is_listed = listed.iter().any(|info| info.game_id == look.game);
    // A concurrent call may give the seat to another user before or after the list is read.
    let may_differ = look.shared.memory == Memory::Forgets || before != after;
    look.must(may_differ || is_listed == after, || {
        format!("listed: {is_listed}, of the user: {after}")
    });
    Ok(())
}

impl Look {
    /// Returns whether the first user has a seat in this game.
    async fn is_of_first_user(&self) -> Result<bool, Status> {
        let mut desk = self.caller.desk();
        let ask = desk.ask(ask_facts(&self.game));
        let info = facts(desk.games.get_game(ask).await?.into_inner().table);
        Ok(info.players.iter().any(|player| player.user == USERS[0]))
    }

    async fn list(&self, user: &str) -> Result<Vec<v1::GameInfo>, Status> {
        let mut desk = self.desk.clone();
        let (mut games, mut page_token) = (Vec::new(), String::new());
        loop {
            let ask = desk.ask(v1::ListGamesRequest {
                filter: Some(v1::GameFilter {
                    user: user.to_owned(),
                    ..Default::default()
                }),
                page_size: 10,
                page_token,
                ..Default::default()
            });
            let page = desk.games.list_games(ask).await?.into_inner();
            games.extend(page.games);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return Ok(games);
            }
        }
    }

    async fn update(&self, change: v1::UpdateGameRequest) -> Result<v1::GameInfo, Status> {
        let mut desk = self.desk.clone();
        let ask = desk.ask_hastily(v1::UpdateGameRequest {
            game_id: self.game.clone(),
            ..change
        });
        let answer = desk.games.update_game(ask).await?.into_inner();
        Ok(answer.game.expect("the facts of a game"))
    }
}

/// Sets the label of this player, which no other player sets.
pub(super) async fn label(look: Look) -> Result<(), Status> {
    let (key, value) = (look.caller.name.clone(), look.shared.new_value());
    let set = look.update(v1::UpdateGameRequest {
        set_labels: BTreeMap::from([(key.clone(), value.to_string())]),
        ..Default::default()
    });
    let set = set.await;
    let is_done = set.is_ok();
    let labeled = What::Labeled {
        key,
        value,
        is_done,
    };
    look.shared.recorder.note(&look.game, look.begun, labeled);
    look.saw_facts(&set?);
    Ok(())
}

/// Gives the last seat to another user.
pub(super) async fn move_user(look: Look) -> Result<(), Status> {
    let [.., last] = USERS;
    let user = if happens(50) { last } else { OTHER_USER };
    let seat = u32::try_from(USERS.len()).unwrap_or(u32::MAX);
    let user = Some(user.to_owned());
    let players = vec![v1::PlayerUpdate {
        seat,
        user,
        name: None,
    }];
    let moved = look.update(v1::UpdateGameRequest {
        players,
        ..Default::default()
    });
    look.saw_facts(&moved.await?);
    Ok(())
}

/// Creates a game of its own and deletes it: the game must exist until then, and never after.
pub(super) async fn delete(mut look: Look) -> Result<(), Status> {
    let ask = look.desk.ask(game_of(&["Eve", "Fay"]));
    let created = look.desk.games.create_game(ask).await?.into_inner();
    let game_id = facts(created.table).game_id;
    let mut desk = look.caller.desk();
    let ask = desk.ask(v1::DeleteGameRequest {
        game_id: game_id.clone(),
        allow_missing: true,
    });
    desk.games.delete_game(ask).await?;
    let mut desk = look.caller.desk();
    let ask = desk.ask(ask_facts(&game_id));
    let response = desk.games.get_game(ask).await;
    let gone = |status: &Status| {
        let is_missing = reason_of(status).as_deref() == Some("NO_SUCH_GAME");
        is_missing && status.code() == Code::NotFound
    };
    match response {
        Err(status) if gone(&status) => Ok(()),
        Err(status) => Err(status),
        Ok(_) => {
            let may_be = look.shared.memory == Memory::Forgets;
            look.must(may_be, || String::from("a game that was deleted is there"));
            Ok(())
        }
    }
}

/// Erases a user and checks that a game of its own has no data of the user, in whatever order the calls were made.
pub(super) async fn erase(mut look: Look) -> Result<(), Status> {
    let user = format!("{GUEST}{:016x}", crate::chance::rng().random::<u64>());
    let mut call = game_of(&["Eve", "Fay"]);
    call.players[1].user.clone_from(&user);
    let ask = look.desk.ask(call);
    let created = look.desk.games.create_game(ask).await?.into_inner();
    let game_id = facts(created.table).game_id;
    let mut desk = look.caller.desk();
    let mut page_token = String::new();
    loop {
        let ask = desk.ask(v1::EraseUserRequest {
            user: user.clone(),
            page_token,
            ..Default::default()
        });
        page_token = desk
            .games
            .erase_user(ask)
            .await?
            .into_inner()
            .next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    let ask = desk.ask(ask_facts(&game_id));
    let info = facts(desk.games.get_game(ask).await?.into_inner().table);
    let may_be = look.shared.memory == Memory::Forgets;
    let player = &info.players[1];
    look.must(
        may_be || (player.user.is_empty() && player.name == "Player 2"),
        || format!("a user who was erased is there: {player:?}"),
    );
    let ask = desk.ask(v1::DeleteGameRequest {
        game_id,
        allow_missing: true,
    });
    desk.games.delete_game(ask).await?;
    Ok(())
}

/// Requests the same fork twice: it must be a single game that equals its origin at that version. It is then deleted.
pub(super) async fn fork(look: Look) -> Result<(), Status> {
    let mut desk = look.caller.desk();
    let ask = desk.ask(ask_facts(&look.game));
    let newest = facts(desk.games.get_game(ask).await?.into_inner().table).version;
    // Not at the newest version, which may be the end of the game.
    let at_version = crate::chance::rng().random_range(1..newest.max(2));
    let call = v1::ForkGameRequest {
        game_id: look.game.clone(),
        at_version,
        request_id: format!("fork {:016x}", crate::chance::rng().random::<u64>()),
        seed: Vec::new(),
    };
    let mut forks = Vec::new();
    for _ in 0..2 {
        let ask = desk.ask(call.clone());
        let answer = desk.games.fork_game(ask).await?.into_inner();
        forks.push(answer.game.expect("the facts of a game"));
    }
    look.must(forks[0].game_id == forks[1].game_id, || {
        format!("{forks:?}: one request, two games")
    });
    let game_id = forks.remove(0).game_id;
    // By now the clocks of the fork may have run out, and the servers may have played on.
    let ask = desk.ask(ask_table(&game_id, at_version));
    let answer = desk.games.get_game(ask).await?.into_inner();
    let mut table = answer.table.expect("a table");
    let view = table.view.take();
    let version = facts(Some(table)).version;
    look.must(version == at_version, || {
        format!("a fork at version {at_version} is at version {version}")
    });
    look.same(SPECTATOR_VIEW, version, &view.expect("a view"));
    let ask = desk.ask(v1::DeleteGameRequest {
        game_id,
        allow_missing: true,
    });
    desk.games.delete_game(ask).await?;
    Ok(())
}
