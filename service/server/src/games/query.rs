//! `GetGame` and other looks at a table.

use gamekeeper_proto::Opaque;
use gamekeeper_proto::envelope::{
    AnyRuleset, GetCatalogueRequest, GetCatalogueResponse, GetGameRequest, GetGameResponse, packed,
};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::{Malformed, Wire};

use super::game::Game;
use super::permissions::{may_ask, may_read};
use super::seats::seat;
use super::show::{Board, Show};
use super::{Games, parse_id};
use crate::auth::{Caller, Wish};
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
    ) -> Result<GetGameResponse<AnyRuleset>, Problem> {
        let id = parse_id(&call.game_id)?;
        let show = Show {
            viewer: viewer(caller, call.viewer.as_ref())?,
            view: true,
            board: Board::read(call.with_board)?,
            text: false,
        };
        let game = self.open_fresh(caller, id).await?;
        may_read(caller, &game, Wish::Look(show.viewer), "get_game")?;
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
    pub fn catalogue(&self, call: GetCatalogueRequest) -> GetCatalogueResponse<AnyRuleset> {
        let revision = W::CATALOGUE_REVISION;
        GetCatalogueResponse {
            catalogue: (call.known_revision != revision).then(|| Opaque::of(&W::catalogue())),
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

    /// A game at its newest version: the public facts and, for a viewer, the view, packed.
    ///
    /// # Errors
    /// When the caller lacks permission, or the store fails.
    pub async fn found(
        &self,
        caller: &Caller,
        id: uuid::Uuid,
        viewer: Option<Viewer>,
    ) -> Result<pb::FoundGame, Problem> {
        let game = self.open_fresh(caller, id).await?;
        let wish = viewer.map_or(Wish::Info, Wish::Look);
        may_ask(caller, &game, wish)?;
        let view = viewer.map(|viewer| W::encoded_view(&W::view(&game.state, viewer)));
        Ok(pb::FoundGame {
            game: Some(game.info_for(caller)),
            view: view.map(|view| packed(W::PACKAGE, "View", &view)),
        })
    }
}

fn seen<W: Wire>(
    caller: &Caller,
    game: &Game<W>,
    show: Show,
    seed_reveal: Option<pb::SeedReveal>,
) -> GetGameResponse<AnyRuleset> {
    let (view, board) = show.table(game);
    GetGameResponse {
        game: Some(game.info_for(caller)),
        view,
        seed_reveal,
        board,
    }
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
