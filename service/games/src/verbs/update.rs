//! `UpdateGame`: **updates** of names, users and labels.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Seat;
use gamekeeper_wire::{Wire, check_name};
use uuid::Uuid;

use crate::heart::access::{Access, Caller, FirstNames, Tags, Wish, check_labels, check_user};
use crate::heart::changing::Change;
use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::load::LockedGame;
use crate::heart::problem::Problem;
use crate::heart::seats::{check_seat, seat};

/// The decoded changes.
#[derive(Debug)]
struct Retag<'a> {
    users: Vec<(Seat, &'a str)>,
    names: Vec<(Seat, &'a str)>,
    call: &'a pb::UpdateGameRequest,
}

impl<W: Wire> Games<W> {
    /// Changes names, users and labels of a game. The access record and the index row are computed from one version and
    /// stored together: if the game has changed meanwhile, both are computed again.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, or the store fails.
    pub async fn update(
        &self,
        caller: &Caller,
        id: Uuid,
        call: &pb::UpdateGameRequest,
    ) -> Result<pb::GameInfo, Problem> {
        let retag = match Retag::read(call) {
            Ok(retag) => retag,
            Err(problem) => return Err(self.unreadable(caller, id, problem).await),
        };
        self.change(caller, id, &retag).await
    }
}

impl<W: Wire> Change<W> for Retag<'_> {
    type Answer = pb::GameInfo;

    async fn attempt(
        &self,
        games: &Games<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<pb::GameInfo>, Problem> {
        caller.may(game.subject(), Wish::Manage)?;
        for (seat, _) in self.users.iter().chain(&self.names) {
            check_seat(caller, game, *seat, "players.seat")?;
        }
        let before = game.access.clone();
        let after = match self.made(before.tags()) {
            Ok(tags) => self.known(&before).tagged(tags).named(self.renamed(game)),
            // Another call may have removed labels, which leaves room for these.
            Err(_) if games.refresh(game).await? => return Ok(None),
            Err(problem) => return Err(problem),
        };
        if after == before {
            let is_stale = games.refresh(game).await?;
            return Ok((!is_stale).then(|| game.info_for(caller)));
        }
        let head = game.head();
        let is_changed = games.change_access(game, after, Some(head)).await?;
        Ok(is_changed.then(|| game.info_for(caller)))
    }
}

impl<'a> Retag<'a> {
    fn read(call: &'a pb::UpdateGameRequest) -> Result<Self, Problem> {
        let (mut users, mut names) = (Vec::new(), Vec::new());
        for (index, asked) in call.players.iter().enumerate() {
            let seat = seat(asked.seat, "players.seat")?;
            if let Some(user) = &asked.user {
                check_user(user, &format!("players[{index}].user"))?;
                users.push((seat, user.as_str()));
            }
            if let Some(name) = &asked.name {
                check_name(name, &format!("players[{index}].name"))?;
                names.push((seat, name.as_str()));
            }
        }
        check_labels(&call.set_labels, "set_labels")?;
        Ok(Self { users, names, call })
    }

    /// Returns the names of all players after the change. Returns an empty vector if they are the names at creation.
    fn renamed<W: Wire>(&self, game: &Game<W>) -> Vec<String> {
        let mut names = game.players().to_vec();
        for (seat, name) in &self.names {
            if let Some(own) = names.get_mut(seat.index()) {
                (*name).clone_into(own);
            }
        }
        let first = game.access.first_names().map(FirstNames::names);
        if names == first.unwrap_or(&game.birth.players) {
            return Vec::new();
        }
        names
    }

    /// Returns the record with each user who is the first known one of a seat as the owner of the seat's name at
    /// creation.
    fn known(&self, before: &Access) -> Access {
        let Some(first) = before.first_names() else {
            return before.clone();
        };
        let mut first = first.clone();
        for (seat, user) in &self.users {
            first = first.known_as(*seat, user);
        }
        before.begun(Some(first))
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

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::Dominion;
    use pb::TableOptions;

    use super::*;
    use crate::process::{Process, store};

    /// If another process has made the same change, nothing is stored, and the response shows the newest version.
    #[tokio::test]
    async fn a_change_that_another_process_has_made_shows_the_newest_version() {
        let store = store();
        let (one, other) = (
            Process::<Dominion>::over(&store),
            Process::<Dominion>::over(&store),
        );
        let game = one.create(2, TableOptions::default()).await;
        assert_eq!(other.info(&game).await.version, 1);
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let call = pb::UpdateGameRequest {
            players: vec![pb::PlayerUpdate {
                seat: 1,
                user: Some("ada".into()),
                name: None,
            }],
            ..Default::default()
        };
        one.games.update(&Caller::OPEN, id, &call).await.unwrap();
        let newest = one.act(&one.info(&game).await).await;
        let shown = other.games.update(&Caller::OPEN, id, &call).await.unwrap();
        assert_eq!(shown.version, newest.version);
    }
}
