//! `UpdateGame`: **updates** of names, users and labels.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Seat;
use gamekeeper_wire::{Wire, check_name};
use uuid::Uuid;

use crate::aggregate::game::Game;
use crate::authz::{Caller, Permission};
use crate::commit::mutation::Mutation;
use crate::errors::ServiceError;
use crate::metadata::{GameMetadata, InitialNames, Tags, check_labels, check_user};
use crate::service::game_service::GameService;
use crate::service::load::LockedGame;
use crate::service::seats::{ensure_seat_exists, parse_seat};

/// The decoded changes.
#[derive(Debug)]
struct MetadataEdit<'a> {
    users: Vec<(Seat, &'a str)>,
    names: Vec<(Seat, &'a str)>,
    call: &'a pb::UpdateGameRequest,
}

impl<W: Wire> GameService<W> {
    /// Changes names, users and labels of a game. The metadata record and the index row are computed from one version
    /// and stored together: if the game has changed meanwhile, both are computed again.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, or the store fails.
    pub async fn update_game(
        &self,
        caller: &Caller,
        id: Uuid,
        call: &pb::UpdateGameRequest,
    ) -> Result<pb::GameInfo, ServiceError> {
        let edit = match MetadataEdit::from_request(call) {
            Ok(edit) => edit,
            Err(problem) => return Err(self.with_seat_count(caller, id, problem).await),
        };
        self.mutate(caller, id, &edit).await
    }
}

impl<W: Wire> Mutation<W> for MetadataEdit<'_> {
    type Response = pb::GameInfo;

    async fn attempt(
        &self,
        service: &GameService<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<pb::GameInfo>, ServiceError> {
        caller.authorize(game.access_target(), Permission::Manage)?;
        for (index, player) in self.call.players.iter().enumerate() {
            let field = seat_field(index);
            let seat = parse_seat(player.seat, field.clone())?;
            ensure_seat_exists(caller, game, seat, field)?;
        }
        let old = game.metadata.clone();
        let metadata = match self.changed_tags(old.tags()) {
            Ok(tags) => self
                .with_attributed_names(&old)
                .with_tags(tags)
                .with_names(self.changed_names(game)),
            // Another call may have removed labels, which leaves room for these.
            Err(_) if service.refresh(game).await? => return Ok(None),
            Err(problem) => return Err(problem),
        };
        if metadata == old {
            let is_stale = service.refresh(game).await?;
            return Ok((!is_stale).then(|| game.info_for(caller)));
        }
        let head = game.head();
        let is_changed = service.update_metadata(game, metadata, Some(head)).await?;
        Ok(is_changed.then(|| game.info_for(caller)))
    }
}

/// Returns the path of the seat of a player in the request.
fn seat_field(index: usize) -> String {
    format!("players[{index}].seat")
}

impl<'a> MetadataEdit<'a> {
    fn from_request(call: &'a pb::UpdateGameRequest) -> Result<Self, ServiceError> {
        let (mut users, mut names) = (Vec::new(), Vec::new());
        for (index, player) in call.players.iter().enumerate() {
            let seat = parse_seat(player.seat, seat_field(index))?;
            if let Some(user) = &player.user {
                check_user(user, &format!("players[{index}].user"))?;
                users.push((seat, user.as_str()));
            }
            if let Some(name) = &player.name {
                check_name(name, &format!("players[{index}].name"))?;
                names.push((seat, name.as_str()));
            }
        }
        check_labels(&call.set_labels, "set_labels")?;
        Ok(Self { users, names, call })
    }

    /// Returns the names of all players after the change. Returns an empty vector if they are the names at creation.
    fn changed_names<W: Wire>(&self, game: &Game<W>) -> Vec<String> {
        let mut names = game.players().to_vec();
        for (seat, name) in &self.names {
            if let Some(current) = names.get_mut(seat.index()) {
                (*name).clone_into(current);
            }
        }
        let initial_names = game.metadata.initial_names().map(InitialNames::names);
        if names == initial_names.unwrap_or(&game.genesis.players) {
            return Vec::new();
        }
        names
    }

    /// Returns the record with each user who is the first known one of a seat as the owner of the seat's name at
    /// creation.
    fn with_attributed_names(&self, old: &GameMetadata) -> GameMetadata {
        let Some(initial_names) = old.initial_names() else {
            return old.clone();
        };
        let mut initial_names = initial_names.clone();
        for (seat, user) in &self.users {
            initial_names = initial_names.attribute_to(*seat, user);
        }
        old.with_initial_names(Some(initial_names))
    }

    fn changed_tags(&self, tags: &Tags) -> Result<Tags, ServiceError> {
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
    use crate::test_server::{TestServer, store};

    /// If another process has made the same change, nothing is stored, and the response shows the newest version.
    #[tokio::test]
    async fn a_change_that_another_process_has_made_shows_the_newest_version() {
        let store = store();
        let (one, other) = (
            TestServer::<Dominion>::new(&store),
            TestServer::<Dominion>::new(&store),
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
        one.games
            .update_game(&Caller::UNAUTHENTICATED, id, &call)
            .await
            .unwrap();
        let newest = one.play_first_legal(&one.info(&game).await).await;
        let shown = other
            .games
            .update_game(&Caller::UNAUTHENTICATED, id, &call)
            .await
            .unwrap();
        assert_eq!(shown.version, newest.version);
    }
}
