//! Games through a server by single calls, as players make them: the legal list, then the action.

use futures_util::{StreamExt, stream};
use gamekeeper_proto::gamekeeper::v1::{GameInfo, Show};
use gamekeeper_proto::raw::{CreateGameRequest, Table};

use super::local_replica::{Replicas, replicas};
use super::tally::Tally;
use super::{Plan, players};
use crate::failure::Failure;
use crate::game_client::{GameClient, LegalFilter, Move, new_request_id};
use crate::progress::Progress;
use crate::session::Session;

/// Plays all games of a plan.
pub(super) async fn play(session: &Session, plan: &Plan) -> Result<Tally, Failure> {
    let side_by_side = usize::try_from(plan.args.batch).unwrap_or(1);
    let replicas = &*replicas(plan)?;
    let games = stream::iter(1..=plan.args.games)
        .map(|number| game(session, (plan, replicas), number))
        .buffer_unordered(side_by_side);
    let mut games = std::pin::pin!(games);
    let mut tally = Tally::default();
    let mut progress = Progress::new("games", plan.args.games);
    while let Some(info) = games.next().await {
        let info = info?;
        tally.add(&info.standings, info.version);
        progress.advance(1);
    }
    Ok(tally)
}

/// Plays one game to its end or to the maximum version.
async fn game(
    session: &Session,
    (plan, replicas): (&Plan, &dyn Replicas),
    number: u64,
) -> Result<GameInfo, Failure> {
    let (client, mut info) = create(session, plan, number).await?;
    let mut replica = replicas.replica(number)?;
    while let Some(seat) = info.pending.first().map(|pending| pending.seat) {
        if info.version == plan.args.until_version {
            break;
        }
        let legal = client.legal(seat, &LegalFilter::default()).await?;
        let index = replica.decide(seat)?;
        let action = legal
            .actions
            .get(index)
            .and_then(|legal| legal.action.clone());
        let action = action.ok_or_else(|| {
            Failure::Contract(format!("seat {seat} has no legal action at place {index}"))
        })?;
        let play = Move {
            seat,
            action,
            expected_version: info.version,
            request_id: new_request_id(),
            show: Show::default(),
        };
        info = facts(client.apply(&play).await?.table);
    }
    Ok(info)
}

async fn create(
    session: &Session,
    plan: &Plan,
    number: u64,
) -> Result<(GameClient, GameInfo), Failure> {
    let request = CreateGameRequest {
        ruleset: plan.args.ruleset.clone(),
        players: players(plan.args.seats),
        options: plan.options.clone(),
        request_id: new_request_id(),
        seed: plan.seed(number).to_vec(),
        position: plan.described(number).cloned(),
        ..CreateGameRequest::default()
    };
    let info = facts(session.call(&request).await?.table);
    let (connection, id) = (session.connection.clone(), info.game_id.clone());
    let client = GameClient::new(connection, id, session.own_tokens());
    Ok((client, info))
}

fn facts(table: Option<Table>) -> GameInfo {
    table.unwrap_or_default().game.unwrap_or_default()
}
