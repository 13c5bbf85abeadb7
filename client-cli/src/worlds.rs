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
const AT_ONCE: u64 = 16;

/// A sampled world, with the version of the game that it was sampled in.
pub(crate) struct Drawn {
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
pub(crate) async fn worlds(
    game: &GameClient,
    seat: u32,
    count: u64,
    seed: Option<[u8; 32]>,
) -> Result<BTreeMap<u64, Drawn>, Failure> {
    let (asks, asked) = mpsc::unbounded_channel();
    let send = |step| {
        // If the send fails, the stream has ended; the next response says why.
        let _ended = asks.send(SelfPlayRequest { step: Some(step) });
    };
    send(Step::Plan(plan(game.id(), seat, count, seed)));
    let asked = UnboundedReceiverStream::new(asked);
    let mut answers = game.self_play(asked, seat).await?;
    let mut worlds = BTreeMap::new();
    while let Some(answer) = answers.message().await? {
        let SelfPlayResponse { observations, .. } = answer;
        let mut moves = Vec::new();
        for seen in observations {
            let missing = || Failure::Contract(String::from("a world is missing"));
            let world = Drawn {
                version: seen.version,
                world: seen.world.ok_or_else(missing)?,
            };
            worlds.insert(seen.game, world);
            moves.push(SelfPlayMove {
                slot: seen.slot,
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
        games: u32::try_from(count.min(AT_ONCE)).unwrap_or(1),
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
pub(crate) fn read<W: Wire>(world: &SelfPlayWorld) -> Result<W::State, Failure> {
    let (theirs, ours) = (world.revision, W::SHEET.revision);
    if theirs != ours {
        return Err(Failure::Usage(format!(
            "the server plays revision {theirs} of {}, this program knows revision {ours}",
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
        let revision = Dominion::SHEET.revision;
        for (revision, told) in [(revision + 1, "plays revision"), (revision, "a world: ")] {
            let world = SelfPlayWorld {
                ruleset: "dominion".to_owned(),
                revision,
                state: vec![255; 3],
            };
            let failure = read::<Dominion>(&world).unwrap_err();
            assert!(failure.to_string().contains(told), "{failure}");
        }
    }
}
