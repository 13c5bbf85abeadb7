//! Reads of a game.

use gamekeeper_proto::gamekeeper::v1::{
    GetGameRequest, ListLegalActionsRequest, Show, Viewer, ViewerKind,
};
use rand::RngExt;
use tonic::Status;

use super::Look;
use crate::dominion::facts;

pub(super) const SPECTATOR_VIEW: &str = "as spectators see it";

/// Requests the table's view alone.
pub(super) const VIEW: Show = Show {
    view: true,
    events: false,
    text: false,
    board: None,
    components: false,
    drawing: None,
    amounts: false,
    anonymous: false,
    numbers: 0,
};

pub(super) fn spectator() -> Option<Viewer> {
    let kind = ViewerKind::Spectator.into();
    Some(Viewer { kind, seat: 0 })
}

/// Builds a request for the public facts of a game, without its table.
pub(in crate::history) fn ask_facts(game: &str) -> GetGameRequest {
    GetGameRequest {
        game_id: game.to_owned(),
        ..Default::default()
    }
}

/// Builds a request for the table as spectators see it, at a version; 0 for the newest.
pub(super) fn ask_table(game: &str, at_version: u64) -> GetGameRequest {
    GetGameRequest {
        viewer: spectator(),
        at_version,
        show: Some(VIEW),
        ..ask_facts(game)
    }
}

pub(super) async fn facts_alone(mut look: Look) -> Result<(), Status> {
    let ask = look.desk.ask_hastily(ask_facts(&look.game));
    let answer = look.desk.games.get_game(ask).await?.into_inner();
    look.saw_facts(&facts(answer.table));
    Ok(())
}

pub(super) async fn table(look: Look) -> Result<(), Status> {
    let (look, version) = table_at(look, 0).await?;
    look.saw(version);
    Ok(())
}

/// Checks that the table at an earlier version never changes.
pub(super) async fn earlier_table(look: Look) -> Result<(), Status> {
    let (look, newest) = table_at(look, 0).await?;
    look.saw(newest);
    let earlier = crate::chance::rng().random_range(1..=newest);
    let (look, version) = table_at(look, earlier).await?;
    look.must(version == earlier, || {
        format!("asked for version {earlier}, told {version}")
    });
    Ok(())
}

/// Reads the table at a version, 0 for the newest, and returns its version.
async fn table_at(mut look: Look, at_version: u64) -> Result<(Look, u64), Status> {
    let ask = look.desk.ask_hastily(ask_table(&look.game, at_version));
    let answer = look.desk.games.get_game(ask).await?.into_inner();
    let mut table = answer.table.expect("a table");
    let view = table.view.take();
    let facts = facts(Some(table));
    let version = facts.version;
    look.shared.facts(&facts);
    look.same(SPECTATOR_VIEW, version, &view.expect("a view"));
    Ok((look, version))
}

pub(super) async fn legal_actions(mut look: Look) -> Result<(), Status> {
    let seat = crate::chance::rng().random_range(1..=2);
    let ask = look.desk.ask_hastily(ListLegalActionsRequest {
        game_id: look.game.clone(),
        seat,
        ..Default::default()
    });
    let legal = look.desk.games.list_legal_actions(ask).await?.into_inner();
    look.saw(legal.version);
    let of_seat = format!("that seat {seat} may do");
    look.same(&of_seat, legal.version, &legal);
    Ok(())
}
