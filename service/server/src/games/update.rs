//! `UpdateGame`: users and labels.

use std::collections::BTreeSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Seat;
use gamekeeper_wire::Wire;
use uuid::Uuid;

use super::Games;
use super::append::MOST_TRIES;
use super::create::row;
use super::game::Game;
use super::seats::{check_seat, seat};
use super::tags::lists;
use crate::auth::{Caller, Tags, Wish, check_labels, check_user};
use crate::problem::Problem;
use crate::store::IndexRow;

/// The requested changes.
#[derive(Debug)]
struct Change<'a> {
    users: Vec<(Seat, &'a str)>,
    call: &'a pb::UpdateGameRequest,
}

impl<W: Wire> Games<W> {
    /// Changes users and labels of a game. Its access record and its row in lists change together and follow
    /// from one version: if the game has changed meanwhile, both are made again.
    ///
    /// # Errors
    /// When the caller lacks permission, the request is malformed, or the store fails.
    pub async fn update(
        &self,
        caller: &Caller,
        id: Uuid,
        call: &pb::UpdateGameRequest,
    ) -> Result<pb::GameInfo, Problem> {
        let change = Change::read(call)?;
        let mut game = self.open_fresh(caller, id).await?;
        for _ in 0..MOST_TRIES {
            caller.may(game.subject(), Wish::Manage)?;
            for (seat, _) in &change.users {
                check_seat(caller, &game, *seat, "players.seat")?;
            }
            let before = game.access.clone();
            let after = before.tagged(change.made(before.tags())?);
            if after == before {
                return Ok(game.info_for(caller));
            }
            let row = relisted(&game, after.tags(), self.shared.clock.now_ms());
            let (expected, access) = (before.to_bytes(), after.to_bytes());
            let store = &self.shared.store;
            if store
                .set_access(id, expected, access, Some(game.head()), Some(row))
                .await?
            {
                let users = |tags: &Tags| tags.users().iter().cloned().collect::<BTreeSet<_>>();
                let moved = &users(before.tags()) ^ &users(after.tags());
                self.shared.wake_users(&game.birth.tenant, moved);
                game.access = after;
                return Ok(game.info_for(caller));
            }
            self.refresh(&mut game).await?;
        }
        Err(Problem::Contended)
    }
}

/// The row of a game with other users and labels.
fn relisted<W: Wire>(game: &Game<W>, tags: &Tags, now_ms: u64) -> IndexRow {
    let changed_ms = now_ms.max(game.time_ms);
    IndexRow {
        lists: lists(tags, &game.pending(), changed_ms),
        ..row(game)
    }
}

impl<'a> Change<'a> {
    fn read(call: &'a pb::UpdateGameRequest) -> Result<Self, Problem> {
        let mut users = Vec::with_capacity(call.players.len());
        for (index, asked) in call.players.iter().enumerate() {
            let seat = seat(asked.seat, "players.seat")?;
            let Some(user) = &asked.user else {
                continue;
            };
            check_user(user, &format!("players[{index}].user"))?;
            users.push((seat, user.as_str()));
        }
        check_labels(&call.set_labels, "set_labels")?;
        Ok(Self { users, call })
    }

    fn made(&self, tags: &Tags) -> Result<Tags, Problem> {
        let mut tags = tags.clone();
        for (seat, user) in &self.users {
            tags.set_user(*seat, user);
        }
        for key in &self.call.remove_labels {
            tags.remove_label(key);
        }
        tags.set_labels(&self.call.set_labels, "set_labels")?;
        Ok(tags)
    }
}
