//! `GetGame` and other calls that **read** a game.

use gamekeeper_proto::gamekeeper::v1::{self as pb, GetGameRequest};
use gamekeeper_proto::raw::{self, GetCatalogueResponse, GetGameResponse};
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_store::Version;
use gamekeeper_wire::{Wire, wrap_catalogue};
use uuid::Uuid;

use crate::aggregate::game::Game;
use crate::authz::{Caller, Permission};
use crate::errors::ServiceError;
use crate::rendering::projection::Projection;
use crate::requests::ids::parse_id;
use crate::service::authorization::authorize_read;
use crate::service::game_service::GameService;
use crate::service::load::LockedGame;
use crate::service::numbers::SeatNumbers;
use crate::service::viewer::{required_permission, resolve_implicit_seat, resolve_viewer};

impl<W: Wire> GameService<W> {
    /// Returns the table as one viewer may see it, now or at an earlier version.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, there is no such version, or the store fails.
    pub async fn get_game(
        &self,
        caller: &Caller,
        call: GetGameRequest,
    ) -> Result<GetGameResponse, ServiceError> {
        let id = parse_id(&call.game_id)?;
        let viewer = match resolve_viewer(caller, call.viewer.as_ref()) {
            Ok(viewer) => viewer,
            Err(problem) => return Err(self.with_seat_count(caller, id, problem).await),
        };
        // The response shows a table, and no events.
        let mut show = Projection {
            events: false,
            ..Projection::from_get_request(viewer, call.show.as_ref())?
        };
        let wants_raster = show.wants_raster();
        if wants_raster {
            self.ensure_can_paint()?;
        }
        let response = self.shown_game(caller, &call, (id, &mut show)).await?;
        if wants_raster {
            // Boxed: pictures must not enlarge the future of every call.
            return Box::pin(self.painted(caller, response)).await;
        }
        Ok(response)
    }

    /// Returns the table with what is to be shown of it.
    async fn shown_game(
        &self,
        caller: &Caller,
        call: &GetGameRequest,
        (id, show): (Uuid, &mut Projection),
    ) -> Result<GetGameResponse, ServiceError> {
        let game = self.lock_current(caller, id).await?;
        resolve_implicit_seat(caller, call.viewer.as_ref(), &game, show);
        authorize_read(
            caller,
            &game,
            required_permission(call.viewer.as_ref(), show),
        )?;
        if let Some(numbers) = SeatNumbers::from_request(show)? {
            // Boxed: numbers must not enlarge the future of every call.
            let requested = (numbers, call.at_version);
            return Box::pin(self.get_with_numbers(caller, game, show, requested)).await;
        }
        let seed_reveal = game.seed_reveal();
        if call.at_version == 0 || call.at_version == game.version {
            return Ok(get_game_response(caller, &game, show, seed_reveal));
        }
        game.ensure_has_version(call.at_version)?;
        let access = game.metadata.clone();
        drop(game);
        let mut at_version = Box::pin(self.at_version(id, call.at_version)).await?;
        at_version.metadata = access;
        // After the end of a game, everybody may see everything. An earlier version is still shown as its viewer saw it
        // then, unless the operator's view was requested.
        Ok(get_game_response(caller, &at_version, show, seed_reveal))
    }

    /// Returns the table with what a seat knows and can do, as numbers; version 0 is the newest.
    async fn get_with_numbers(
        &self,
        caller: &Caller,
        game: LockedGame<W>,
        show: &Projection,
        (numbers, at_version): (SeatNumbers, Version),
    ) -> Result<GetGameResponse, ServiceError> {
        let seed_reveal = game.seed_reveal();
        let (mut response, counted) = if at_version == 0 || at_version == game.version {
            let response = get_game_response(caller, &game, show, seed_reveal);
            (response, self.count_events(game).await?)
        } else {
            game.ensure_has_version(at_version)?;
            let (id, access) = (game.id, game.metadata.clone());
            drop(game);
            let mut earlier = self.at_version_with_events(id, at_version).await?;
            earlier.metadata = access;
            let response = get_game_response(caller, &earlier, show, seed_reveal);
            (response, Self::counted(&earlier)?)
        };
        let tensor = self.numbers(&counted, numbers).await?;
        if let Some(table) = &mut response.table {
            table.numbers = Some(tensor);
        }
        Ok(response)
    }

    /// Returns the rulebook, which is parsed when it is first needed.
    pub(crate) fn rulebook(&self) -> &Rulebook {
        self.rulebook.get_or_init(|| Rulebook::read(W::RULES))
    }

    /// Returns the catalogue, unless the caller has this revision already.
    #[must_use]
    pub fn get_catalogue(&self, known_revision: u32) -> GetCatalogueResponse {
        let revision = W::CATALOGUE_REVISION;
        let wrapped = || wrap_catalogue::<W>(self.rulebook());
        let catalogue = || self.catalogue.get_or_init(wrapped).clone();
        GetCatalogueResponse {
            catalogue: (known_revision != revision).then(catalogue),
            revision,
        }
    }

    /// Returns the public facts of a game.
    ///
    /// # Errors
    /// If the caller lacks permission, or the store fails.
    pub async fn info(&self, caller: &Caller, id: Uuid) -> Result<pb::GameInfo, ServiceError> {
        let game = self.lock_current(caller, id).await?;
        caller.authorize(game.access_target(), Permission::ReadInfo)?;
        Ok(game.info_for(caller))
    }

    /// Returns a game at its newest version, as one of several.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, or the store fails.
    pub async fn table(
        &self,
        caller: &Caller,
        id: Uuid,
        request: (Option<&pb::Viewer>, Option<&pb::Show>),
    ) -> Result<raw::Table, ServiceError> {
        let viewer = match resolve_viewer(caller, request.0) {
            Ok(viewer) => viewer,
            Err(problem) => return Err(self.with_seat_count(caller, id, problem).await),
        };
        let mut show = Projection {
            events: false,
            ..Projection::from_request(viewer, request.1)?
        };
        let game = self.lock_current(caller, id).await?;
        resolve_implicit_seat(caller, request.0, &game, &mut show);
        authorize_read(caller, &game, required_permission(request.0, &show))?;
        Ok(show.table(&game, game.info_for(caller)))
    }
}

fn get_game_response<W: Wire>(
    caller: &Caller,
    game: &Game<W>,
    show: &Projection,
    seed_reveal: Option<pb::SeedReveal>,
) -> GetGameResponse {
    GetGameResponse {
        table: Some(show.table(game, game.info_for(caller))),
        seed_reveal,
    }
}
