//! `EraseUser`, in one game: **erasure** of a user's id, names and labels. The log contains none of them.

use gamekeeper_rules::table::Seat;
use gamekeeper_wire::Wire;
use uuid::Uuid;

use crate::aggregate::game::Game;
use crate::authz::{Caller, Permission};
use crate::commit::mutation::Mutation;
use crate::errors::ServiceError;
use crate::metadata::{GameMetadata, InitialNames, placeholder_name};
use crate::service::game_service::GameService;
use crate::service::load::LockedGame;

/// The data to be erased.
#[derive(Clone, Debug)]
pub struct Erasure {
    /// The id of the user.
    pub user: String,
    /// The keys of labels to be erased whatever their values.
    pub labels: Vec<String>,
}

impl<W: Wire> GameService<W> {
    /// Erases a user from a game. Returns false if the game holds nothing about them.
    ///
    /// # Errors
    /// If the caller lacks permission, or the store fails.
    pub async fn erase_user(
        &self,
        caller: &Caller,
        id: Uuid,
        erasure: &Erasure,
    ) -> Result<bool, ServiceError> {
        self.mutate(caller, id, erasure).await
    }
}

impl<W: Wire> Mutation<W> for Erasure {
    type Response = bool;

    async fn attempt(
        &self,
        service: &GameService<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<bool>, ServiceError> {
        caller.authorize(game.access_target(), Permission::Manage)?;
        let metadata = self.erased_metadata(game);
        if metadata == game.metadata {
            let is_stale = service.refresh(game).await?;
            return Ok((!is_stale).then_some(false));
        }
        let head = game.head();
        let is_changed = service.update_metadata(game, metadata, Some(head)).await?;
        Ok(is_changed.then_some(true))
    }
}

impl Erasure {
    /// Returns the metadata record of a game without the user.
    fn erased_metadata<W: Wire>(&self, game: &Game<W>) -> GameMetadata {
        let old = &game.metadata;
        let (mut tags, mut initial_names) = (old.tags().clone(), old.initial_names().cloned());
        let mut names = game.players().to_vec();
        let mut is_involved = false;
        for seat in Seat::all(names.len()) {
            let index = seat.index();
            let initial_name = initial_names.as_ref();
            let initial_name = initial_name.filter(|first| first.user(seat) == self.user);
            let has_first_name =
                initial_name.is_some_and(|first| first.names().get(index) == names.get(index));
            let is_seated = tags.user(seat) == self.user;
            is_involved |= is_seated || initial_name.is_some();
            if is_seated || has_first_name {
                names[index] = placeholder_name(seat);
            }
            if initial_name.is_some() {
                initial_names = initial_names.map(|first| first.erase(seat));
            }
            if is_seated {
                tags.set_user(seat, "");
            }
        }
        if !is_involved {
            return old.clone();
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
        let creation_names = initial_names.as_ref().map(InitialNames::names);
        if names == creation_names.unwrap_or(&game.genesis.players) {
            names.clear();
        }
        old.with_initial_names(initial_names)
            .with_tags(tags)
            .with_names(names)
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1 as pb;
    use gamekeeper_rules::dominion::Dominion;

    use super::*;
    use crate::authz::Role;
    use crate::test_server::{TestServer, store};

    /// Plays a game of Ada and Bob, changes Ada's seat, and erases Ada.
    async fn erased(change: pb::PlayerUpdate) -> pb::GameInfo {
        let process = TestServer::<Dominion>::new(&store());
        let caller = Caller::new(Role::Tenant(String::from("red")));
        let game = process.create_with_users(&caller, &["ada", "bob"]).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let labels = [("host", "ada"), ("ada", "x"), ("note", "y"), ("room", "7")];
        let call = pb::UpdateGameRequest {
            players: vec![pb::PlayerUpdate { seat: 1, ..change }],
            set_labels: labels
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .into(),
            ..Default::default()
        };
        process.games.update_game(&caller, id, &call).await.unwrap();
        let erasure = Erasure {
            user: String::from("ada"),
            labels: vec![String::from("note")],
        };
        let erase = async || {
            process
                .games
                .erase_user(&caller, id, &erasure)
                .await
                .unwrap()
        };
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
