//! `GetGame` and other looks at a table.

use gamekeeper_proto::gamekeeper::v1::{self as pb, GetGameRequest};
use gamekeeper_proto::raw::{self, GetCatalogueResponse, GetGameResponse};
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::{Malformed, Wire, joined_catalogue};

use super::game::Game;
use super::permissions::{may_ask, may_read};
use super::seats::seat;
use super::show::Show;
use super::{Games, parse_id};
use crate::access::{Caller, Wish};
use crate::problem::Problem;

impl<W: Wire> Games<W> {
    /// The table as one viewer may see it, now or at an earlier version.
    ///
    /// # Errors
    /// When the caller lacks permission, the request is malformed, there is no such version, or the store fails.
    pub async fn look(
        &self,
        caller: &Caller,
        call: GetGameRequest,
    ) -> Result<GetGameResponse, Problem> {
        let id = parse_id(&call.game_id)?;
        let viewer = viewer(caller, call.viewer.as_ref())?;
        // A look shows a table, and nothing of what led to it.
        let show = Show {
            events: false,
            ..Show::read(viewer, call.show.as_ref())?
        };
        let game = self.open_fresh(caller, id).await?;
        may_read(caller, &game, wish(call.viewer.as_ref(), show), "get_game")?;
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
        // After the end of a game, everybody may see everything. An earlier version is still shown as its
        // viewer saw it then, unless the operator's view was requested.
        Ok(seen(caller, &then, show, seed_reveal))
    }

    /// The catalogue, unless the caller has this revision already.
    #[must_use]
    pub fn catalogue(&self, known_revision: u32) -> GetCatalogueResponse {
        let revision = W::CATALOGUE_REVISION;
        GetCatalogueResponse {
            catalogue: (known_revision != revision).then(joined_catalogue::<W>),
            revision,
        }
    }

    /// The public facts of a game.
    ///
    /// # Errors
    /// When the caller lacks permission, or the store fails.
    pub async fn info(&self, caller: &Caller, id: uuid::Uuid) -> Result<pb::GameInfo, Problem> {
        let game = self.open_fresh(caller, id).await?;
        caller.may(game.subject(), Wish::Info)?;
        Ok(game.info_for(caller))
    }

    /// A game at its newest version, as one of several.
    ///
    /// # Errors
    /// When the caller lacks permission, the request is malformed, or the store fails.
    pub async fn table(
        &self,
        caller: &Caller,
        id: uuid::Uuid,
        asked: (Option<&pb::Viewer>, Option<&pb::Show>),
    ) -> Result<raw::Table, Problem> {
        let show = Show {
            events: false,
            ..Show::read(viewer(caller, asked.0)?, asked.1)?
        };
        let game = self.open_fresh(caller, id).await?;
        may_ask(caller, &game, wish(asked.0, show))?;
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

/// What a request to look wants. The public facts are for everybody who may know of the game, whoever they look as.
pub(super) fn wish(named: Option<&pb::Viewer>, show: Show) -> Wish {
    if named.is_none() && !show.is_of_viewer() {
        return Wish::Info;
    }
    Wish::Look(show.viewer)
}

/// The viewer that a request names.
///
/// # Errors
/// For an unknown kind, for a seat number that no table has, and for a seat with another kind of viewer.
pub(super) fn viewer(caller: &Caller, asked: Option<&pb::Viewer>) -> Result<Viewer, Problem> {
    let asked = asked.copied().unwrap_or_default();
    let kind = pb::ViewerKind::try_from(asked.kind)
        .map_err(|_| Malformed::new("viewer.kind", "is unknown"))?;
    if asked.seat != 0 && kind != pb::ViewerKind::Seat {
        return Err(Malformed::new("viewer.seat", "is only for VIEWER_KIND_SEAT").into());
    }
    match kind {
        pb::ViewerKind::Seat => seat(asked.seat, "viewer.seat").map(Viewer::Seat),
        pb::ViewerKind::Spectator => Ok(Viewer::Spectator),
        pb::ViewerKind::Operator => Ok(Viewer::Operator),
        pb::ViewerKind::Unspecified => match caller {
            Caller::Seat { seat, .. } => Ok(Viewer::Seat(*seat)),
            Caller::Open | Caller::Tenant(_) | Caller::Spectator { .. } | Caller::Operator => {
                Ok(Viewer::Spectator)
            }
        },
    }
}
