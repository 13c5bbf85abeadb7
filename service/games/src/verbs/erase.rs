//! `EraseUser`, in one game: **erasure** of a user's id, names and labels. The log contains none of them.

use gamekeeper_rules::table::Seat;
use gamekeeper_wire::Wire;
use uuid::Uuid;

use crate::heart::access::{Access, Caller, FirstNames, Wish, nameless};
use crate::heart::changing::Change;
use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::load::LockedGame;
use crate::heart::problem::Problem;

/// The data to be erased.
#[derive(Clone, Debug)]
pub struct Erasure {
    /// The id of the user.
    pub user: String,
    /// The keys of labels to be erased whatever their values.
    pub labels: Vec<String>,
}

impl<W: Wire> Games<W> {
    /// Erases a user from a game. Returns false if the game holds nothing about them.
    ///
    /// # Errors
    /// If the caller lacks permission, or the store fails.
    pub async fn erase(
        &self,
        caller: &Caller,
        id: Uuid,
        erasure: &Erasure,
    ) -> Result<bool, Problem> {
        self.change(caller, id, erasure).await
    }
}

impl<W: Wire> Change<W> for Erasure {
    type Answer = bool;

    async fn attempt(
        &self,
        games: &Games<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<bool>, Problem> {
        caller.may(game.subject(), Wish::Manage)?;
        let after = self.applied(game);
        if after == game.access {
            let is_stale = games.refresh(game).await?;
            return Ok((!is_stale).then_some(false));
        }
        let head = game.head();
        let is_changed = games.change_access(game, after, Some(head)).await?;
        Ok(is_changed.then_some(true))
    }
}

impl Erasure {
    /// Returns the access record of a game without the user.
    fn applied<W: Wire>(&self, game: &Game<W>) -> Access {
        let before = &game.access;
        let (mut tags, mut first) = (before.tags().clone(), before.first_names().cloned());
        let mut names = game.players().to_vec();
        let mut is_theirs = false;
        for seat in Seat::all(names.len()) {
            let at = seat.index();
            let began = first.as_ref();
            let began = began.filter(|first| first.user(seat) == self.user);
            let has_first_name = began.is_some_and(|first| first.names().get(at) == names.get(at));
            let sits = tags.user(seat) == self.user;
            is_theirs |= sits || began.is_some();
            if sits || has_first_name {
                names[at] = nameless(seat);
            }
            if began.is_some() {
                first = first.map(|first| first.without(seat));
            }
            if sits {
                tags.set_user(seat, "");
            }
        }
        if !is_theirs {
            return before.clone();
        }
        let labels: Vec<String> = tags
            .labels()
            .iter()
            .filter(|(key, value)| {
                **key == self.user || **value == self.user || self.labels.contains(key)
            })
            .map(|(key, _)| key.clone())
            .collect();
        for key in &labels {
            tags.remove_label(key);
        }
        let of_creation = first.as_ref().map(FirstNames::names);
        if names == of_creation.unwrap_or(&game.birth.players) {
            names.clear();
        }
        before.begun(first).tagged(tags).named(names)
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1 as pb;
    use gamekeeper_rules::dominion::Dominion;

    use super::*;
    use crate::heart::access::Role;
    use crate::process::{Process, store};

    /// Plays a game of Ada and Bob, changes Ada's seat, and erases Ada.
    async fn erased(change: pb::PlayerUpdate) -> pb::GameInfo {
        let process = Process::<Dominion>::over(&store());
        let caller = Caller::new(Role::Tenant(String::from("red")));
        let game = process.create_of(&caller, &["ada", "bob"]).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let labels = [("host", "ada"), ("ada", "x"), ("note", "y"), ("room", "7")];
        let call = pb::UpdateGameRequest {
            players: vec![pb::PlayerUpdate { seat: 1, ..change }],
            set_labels: labels
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .into(),
            ..Default::default()
        };
        process.games.update(&caller, id, &call).await.unwrap();
        let erasure = Erasure {
            user: String::from("ada"),
            labels: vec![String::from("note")],
        };
        let erase = async || process.games.erase(&caller, id, &erasure).await.unwrap();
        assert!(erase().await);
        assert!(!erase().await, "there is nothing more");
        process.games.info(&caller, id).await.unwrap()
    }

    /// The user's names are erased at their seats and among the names at creation; a later user of the seat keeps
    /// theirs.
    #[tokio::test]
    async fn nothing_of_a_user_is_left_in_a_game() {
        let change = |user: Option<&str>, name: Option<&str>| pb::PlayerUpdate {
            user: user.map(str::to_owned),
            name: name.map(str::to_owned),
            ..Default::default()
        };
        for (change, left) in [
            (change(None, None), ("", "Player 1")),
            (change(None, Some("Ada the Great")), ("", "Player 1")),
            (change(Some("eve"), None), ("eve", "Player 1")),
            (change(Some("eve"), Some("Eve")), ("eve", "Eve")),
        ] {
            let info = erased(change).await;
            let players = info.players.iter();
            let players = players.map(|player| (player.user.as_str(), player.name.as_str()));
            assert_eq!(players.collect::<Vec<_>>(), [left, ("bob", "bob")]);
            let labels: Vec<&str> = info.labels.keys().map(String::as_str).collect();
            assert_eq!(labels, ["room"]);
        }
    }
}
