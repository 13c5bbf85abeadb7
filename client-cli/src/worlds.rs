//! Sampled worlds of a stored game, which a seat cannot tell from the real table. The server samples them; the rules in
//! this program decode them.

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1::{
    SelfPlayAbandon, SelfPlayShow, SelfPlayWorld, SelfPlayWorlds,
};
use gamekeeper_proto::raw::self_play_move::Choice;
use gamekeeper_proto::raw::self_play_request::Step;
use gamekeeper_proto::raw::{
    SelfPlayMove, SelfPlayMoves, SelfPlayPlan, SelfPlayRequest, SelfPlayResponse,
};
use gamekeeper_rules::table::decode;
use gamekeeper_wire::Wire;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;

use crate::failure::Failure;
use crate::game_client::GameClient;

/// Number of worlds that are requested at the same time.
const MAX_CONCURRENT_WORLDS: u64 = 16;

/// A sampled world, with the version of the game that it was sampled in.
pub(crate) struct SampledWorld {
    pub(crate) version: u64,
    pub(crate) world: SelfPlayWorld,
}

/// Converts a number to a seed.
pub(crate) fn seed(number: u64) -> [u8; 32] {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

/// Samples worlds for a seat, by number. Each game of the self-play is abandoned as soon as its world has arrived.
pub(crate) async fn sample_worlds(
    game: &GameClient,
    seat: u32,
    count: u64,
    seed: Option<[u8; 32]>,
) -> Result<BTreeMap<u64, SampledWorld>, Failure> {
    let (request_sender, request_receiver) = mpsc::unbounded_channel();
    let send = |step| {
        // If the send fails, the stream has ended; the next response says why.
        let _ended = request_sender.send(SelfPlayRequest { step: Some(step) });
    };
    send(Step::Plan(plan(game.id(), seat, count, seed)));
    let requests = UnboundedReceiverStream::new(request_receiver);
    let mut responses = game.self_play(requests, seat).await?;
    let mut worlds = BTreeMap::new();
    while let Some(response) = responses.message().await? {
        let SelfPlayResponse { observations, .. } = response;
        let mut moves = Vec::new();
        for observation in observations {
            let missing = || Failure::Contract(String::from("a world is missing"));
            let world = SampledWorld {
                version: observation.version,
                world: observation.world.ok_or_else(missing)?,
            };
            worlds.insert(observation.game, world);
            moves.push(SelfPlayMove {
                slot: observation.slot,
                version: 0,
                choice: Some(Choice::Abandon(SelfPlayAbandon {})),
            });
        }
        send(Step::Moves(SelfPlayMoves { moves }));
    }
    Ok(worlds)
}

fn plan(game_id: &str, seat: u32, count: u64, seed: Option<[u8; 32]>) -> SelfPlayPlan {
    SelfPlayPlan {
        games: u32::try_from(count.min(MAX_CONCURRENT_WORLDS)).unwrap_or(1),
        total_games: count,
        seed: seed.map(Vec::from).unwrap_or_default(),
        show: Some(SelfPlayShow {
            world: true,
            ..SelfPlayShow::default()
        }),
        worlds: Some(SelfPlayWorlds {
            game_id: game_id.to_owned(),
            seat,
            worlds: 0,
        }),
        ..SelfPlayPlan::default()
    }
}

/// Decodes the table of a world with the rules in this program.
pub(crate) fn decode_world<W: Wire>(world: &SelfPlayWorld) -> Result<W::State, Failure> {
    let (server_revision, local_revision) = (world.revision, W::INFO.revision);
    if server_revision != local_revision {
        return Err(Failure::Usage(format!(
            "the server plays revision {server_revision} of {}, this program knows revision {local_revision}",
            world.ruleset
        )));
    }
    decode::<W::State>(&world.state).map_err(|error| Failure::Contract(format!("a world: {error}")))
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_rules::ruleset::Ruleset;

    use super::*;

    #[test]
    fn worlds_of_other_rules_are_refused() {
        let revision = Dominion::INFO.revision;
        for (revision, expected_text) in [(revision + 1, "plays revision"), (revision, "a world: ")]
        {
            let world = SelfPlayWorld {
                ruleset: "dominion".to_owned(),
                revision,
                state: vec![255; 3],
            };
            let failure = decode_world::<Dominion>(&world).unwrap_err();
            assert!(failure.to_string().contains(expected_text), "{failure}");
        }
    }
}
