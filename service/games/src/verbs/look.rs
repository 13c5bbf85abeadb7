//! `GetGame` and other calls that **read** a game.

use gamekeeper_proto::gamekeeper::v1::{self as pb, GetGameRequest};
use gamekeeper_proto::raw::{self, GetCatalogueResponse, GetGameResponse};
use gamekeeper_wire::{Wire, joined_catalogue};

use crate::heart::access::{Caller, Wish};
use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::looking::{from_seat, viewer, wish};
use crate::heart::permissions::may_read;
use crate::heart::problem::Problem;
use crate::heart::requests::parse_id;
use crate::heart::show::Show;

impl<W: Wire> Games<W> {
    /// Returns the table as one viewer may see it, now or at an earlier version.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, there is no such version, or the store fails.
    pub async fn look(
        &self,
        caller: &Caller,
        call: GetGameRequest,
    ) -> Result<GetGameResponse, Problem> {
        let id = parse_id(&call.game_id)?;
        let viewer = match viewer(caller, call.viewer.as_ref()) {
            Ok(viewer) => viewer,
            Err(problem) => return Err(self.unreadable(caller, id, problem).await),
        };
        // The response shows a table, and no events.
        let show = Show {
            events: false,
            ..Show::read(viewer, call.show.as_ref())?
        };
        let game = self.open_fresh(caller, id).await?;
        let show = from_seat(caller, call.viewer.as_ref(), &game, show);
        may_read(caller, &game, wish(call.viewer.as_ref(), show))?;
        let seed_reveal = game.seed_reveal();
        if call.at_version == 0 || call.at_version == game.version {
            return Ok(seen(caller, &game, show, seed_reveal));
        }
        if call.at_version > game.version {
            let (asked, current) = (call.at_version, game.version);
            return Err(Problem::NoSuchVersion { asked, current });
        }
        let access = game.access.clone();
        drop(game);
        let mut then = Box::pin(self.at_version(id, call.at_version)).await?;
        then.access = access;
        // After the end of a game, everybody may see everything. An earlier version is still shown as its viewer saw it
        // then, unless the operator's view was requested.
        Ok(seen(caller, &then, show, seed_reveal))
    }

    /// Returns the catalogue, unless the caller has this revision already.
    #[must_use]
    pub fn catalogue(&self, known_revision: u32) -> GetCatalogueResponse {
        let revision = W::CATALOGUE_REVISION;
        GetCatalogueResponse {
            catalogue: (known_revision != revision).then(joined_catalogue::<W>),
            revision,
        }
    }

    /// Returns the public facts of a game.
    ///
    /// # Errors
    /// If the caller lacks permission, or the store fails.
    pub async fn info(&self, caller: &Caller, id: uuid::Uuid) -> Result<pb::GameInfo, Problem> {
        let game = self.open_fresh(caller, id).await?;
        caller.may(game.subject(), Wish::Info)?;
        Ok(game.info_for(caller))
    }

    /// Returns a game at its newest version, as one of several.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, or the store fails.
    pub async fn table(
        &self,
        caller: &Caller,
        id: uuid::Uuid,
        asked: (Option<&pb::Viewer>, Option<&pb::Show>),
    ) -> Result<raw::Table, Problem> {
        let viewer = match viewer(caller, asked.0) {
            Ok(viewer) => viewer,
            Err(problem) => return Err(self.unreadable(caller, id, problem).await),
        };
        let show = Show {
            events: false,
            ..Show::read(viewer, asked.1)?
        };
        let game = self.open_fresh(caller, id).await?;
        let show = from_seat(caller, asked.0, &game, show);
        may_read(caller, &game, wish(asked.0, show))?;
        Ok(show.table(&game, game.info_for(caller)))
    }
}

fn seen<W: Wire>(
    caller: &Caller,
    game: &Game<W>,
    show: Show,
    seed_reveal: Option<pb::SeedReveal>,
) -> GetGameResponse {
    GetGameResponse {
        table: Some(show.table(game, game.info_for(caller))),
        seed_reveal,
    }
}
