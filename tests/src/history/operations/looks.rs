//! Reads of a game.

use gamekeeper_proto::gamekeeper::{dominion::v1 as pb, v1};
use rand::RngExt;
use tonic::Status;

use super::Look;
use crate::history::packed::unpack;

pub(super) const SEEN: &str = "as spectators see it";

pub(super) fn spectator() -> Option<v1::Viewer> {
    let kind = v1::ViewerKind::Spectator.into();
    Some(v1::Viewer { kind, seat: 0 })
}

fn facts(game: Option<v1::GameInfo>) -> v1::GameInfo {
    game.expect("the facts of a game")
}

pub(super) async fn info(mut look: Look) -> Result<(), Status> {
    let ask = look.desk.ask_hastily(v1::GetGameInfoRequest {
        game_id: look.game.clone(),
    });
    let answer = look.desk.games.get_game_info(ask).await?.into_inner();
    look.saw_facts(&facts(answer.game));
    Ok(())
}

pub(super) async fn table(look: Look) -> Result<(), Status> {
    let (look, version) = table_at(look, 0).await?;
    look.saw(version);
    Ok(())
}

/// The table at an earlier version never changes.
pub(super) async fn earlier_table(look: Look) -> Result<(), Status> {
    let (look, newest) = table_at(look, 0).await?;
    look.saw(newest);
    let earlier = rand::rng().random_range(1..=newest);
    let (look, version) = table_at(look, earlier).await?;
    look.must(version == earlier, || {
        format!("asked for version {earlier}, told {version}")
    });
    Ok(())
}

/// The table at a version, 0 for the newest; its version.
async fn table_at(mut look: Look, at_version: u64) -> Result<(Look, u64), Status> {
    let ask = look.desk.ask_hastily(pb::GetGameRequest {
        game_id: look.game.clone(),
        viewer: spectator(),
        at_version,
        ..Default::default()
    });
    let answer = look.desk.own.get_game(ask).await?.into_inner();
    let facts = facts(answer.game);
    let version = facts.version;
    look.shared.facts(&facts);
    look.same(SEEN, version, &answer.view.expect("a view"));
    Ok((look, version))
}

pub(super) async fn packed_table(mut look: Look) -> Result<(), Status> {
    let ask = look.desk.ask_hastily(v1::GetGameRequest {
        game_id: look.game.clone(),
        viewer: spectator(),
        ..Default::default()
    });
    let answer = look.desk.any.get_game(ask).await?.into_inner();
    let facts = facts(answer.game);
    let version = facts.version;
    look.shared.facts(&facts);
    let view: pb::View = unpack("View", &answer.view.expect("a view"));
    look.same(SEEN, version, &view);
    look.saw(version);
    Ok(())
}

pub(super) async fn packed_legal_actions(mut look: Look) -> Result<(), Status> {
    let seat = rand::rng().random_range(1..=2);
    let ask = look.desk.ask_hastily(v1::ListLegalActionsRequest {
        game_id: look.game.clone(),
        seat,
        ..Default::default()
    });
    let legal = look.desk.any.list_legal_actions(ask).await?.into_inner();
    look.saw(legal.version);
    let owes = legal.pending.iter().any(|pending| pending.seat == seat);
    look.must(owes != legal.actions.is_empty(), || {
        format!("seat {seat} owes a decision: {owes}, and {legal:?}")
    });
    let actions = legal.actions.iter().map(|action| unpack("Action", action));
    let of_seat = format!("that seat {seat} may do");
    let legal = pb::ListLegalActionsResponse {
        version: legal.version,
        actions: actions.collect(),
        ..Default::default()
    };
    look.same(&of_seat, legal.version, &legal);
    Ok(())
}
