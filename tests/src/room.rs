//! Games without a network: the part of the server that judges and stores actions, over any store.

use std::sync::Arc;

use clap::Parser;
use futures_util::StreamExt;
use gamekeeper_games::authz::{Caller, Role};
use gamekeeper_games::errors::ServiceError;
use gamekeeper_games::{AppContext, GameService, Registry, Settings};
use gamekeeper_proto::gamekeeper::v1::{
    ExportGameRequest, GetGameRequest, Player, Show, Viewer, ViewerKind,
};
use gamekeeper_proto::raw::export_game_response::Part;
use gamekeeper_proto::raw::{ExportVersion, GetGameResponse};
use gamekeeper_store::GameStore;
use gamekeeper_wire::Wire;
use gamekeeperd::auth::{AuthConfig, Authenticator};
use gamekeeperd::config::Config;
use gamekeeperd::telemetry::Telemetry;
use tokio_util::sync::CancellationToken;

/// Creates the games of one ruleset over a store, as in a server that has just started.
///
/// # Panics
/// Never: without tokens, no files are read.
#[must_use]
pub fn games<W: Wire>(store: &Arc<dyn GameStore>) -> Arc<GameService<W>> {
    games_with(store, settings().snapshot_every)
}

/// Creates the games of one ruleset with a snapshot at every version that is a multiple of `snapshot_every`.
///
/// # Panics
/// Never: without tokens, no files are read.
#[must_use]
pub fn games_with<W: Wire>(store: &Arc<dyn GameStore>, snapshot_every: u64) -> Arc<GameService<W>> {
    Arc::new(GameService::new(shared(store, snapshot_every)))
}

/// Creates the registry of a server with one ruleset, for calls that do not name a ruleset.
///
/// # Panics
/// Never: without tokens, no files are read.
#[must_use]
pub fn registry<W: Wire>(store: &Arc<dyn GameStore>) -> Arc<Registry> {
    let none = Registry::empty(shared(store, settings().snapshot_every));
    Arc::new(none.with_ruleset::<W>())
}

fn shared(store: &Arc<dyn GameStore>, snapshot_every: u64) -> Arc<AppContext> {
    let authority = Authenticator::load(&AuthConfig::Open).expect("an authority without files");
    let settings = Settings {
        allow_seeds: true,
        snapshot_every,
        ..settings()
    };
    let closing = CancellationToken::new();
    let telemetry = Telemetry::silent().expect("metrics that nobody reads");
    AppContext::new(
        Arc::clone(store),
        Arc::new(authority),
        settings,
        closing,
        Arc::clone(telemetry.metrics()),
    )
}

/// Returns the default settings.
fn settings() -> Settings {
    Config::parse_from(["gamekeeperd"]).settings()
}

/// Builds this number of players.
#[must_use]
pub fn seated(seats: usize) -> Vec<Player> {
    let names = ["Ada", "Bob", "Cyd", "Dan", "Eve"];
    let named = names.iter().take(seats).map(|name| Player {
        seat: 0,
        name: (*name).to_owned(),
        ..Player::default()
    });
    named.collect()
}

/// Builds a request for the full table; version 0 is the newest.
#[must_use]
pub fn everything(game_id: &str, at_version: u64) -> GetGameRequest {
    let viewer = Viewer {
        kind: ViewerKind::Operator.into(),
        seat: 0,
    };
    GetGameRequest {
        game_id: game_id.to_owned(),
        viewer: Some(viewer),
        at_version,
        show: Some(Show {
            view: true,
            ..Show::default()
        }),
    }
}

/// Reads the full table at a version; version 0 is the newest.
///
/// # Errors
/// Those of the games.
pub async fn table<W: Wire>(
    games: &GameService<W>,
    game_id: &str,
    at_version: u64,
) -> Result<GetGameResponse, ServiceError> {
    games
        .get_game(
            &Caller::new(Role::Operator),
            everything(game_id, at_version),
        )
        .await
}

/// Reads the full record, version by version.
///
/// # Errors
/// Those of the games.
pub async fn record<W: Wire>(
    games: &Arc<GameService<W>>,
    game_id: &str,
) -> Result<Vec<ExportVersion>, ServiceError> {
    let call = ExportGameRequest {
        game_id: game_id.to_owned(),
        ..ExportGameRequest::default()
    };
    let operator = Caller::new(Role::Operator);
    let mut parts = games.export_game(&operator, call).await?;
    let mut versions = Vec::new();
    while let Some(part) = parts.next().await {
        if let Some(Part::Version(version)) = part?.part {
            versions.push(version);
        }
    }
    Ok(versions)
}
