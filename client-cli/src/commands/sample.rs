//! `gamekeeper sample`: worlds that a seat may be in, as boards. The server draws them; the rules in this
//! program show them whole.

use std::collections::BTreeMap;

use gamekeeper_proto::envelope::self_play_move::Choice;
use gamekeeper_proto::envelope::self_play_request::Step;
use gamekeeper_proto::envelope::{
    SelfPlayAbandon, SelfPlayMove, SelfPlayMoves, SelfPlayPlan, SelfPlayRequest, SelfPlayResponse,
};
use gamekeeper_proto::gamekeeper::v1::{GameInfo, SelfPlayFrom, SelfPlayShow, SelfPlayWorld};
use gamekeeper_rules::ruleset::{self, Ruleset};
use gamekeeper_rules::table::{Names, Viewer, decode};
use gamekeeper_wire::Wire;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;

use crate::args::{GameArg, SeatArg};
use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::opaque::{Any, Opaque};
use crate::output::Output;
use crate::render::table;
use crate::session::Session;

/// Worlds that are asked for at the same time.
const AT_ONCE: u64 = 16;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    seat: SeatArg,
    /// Number of worlds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    worlds: u64,
    /// Seed of the worlds: the same number gives the same worlds [default: random]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (game, info) = session.open(&args.game).await?;
    let worlds = worlds(&game, args).await?;
    let view = game.view()?;
    for (number, world) in worlds {
        let shown = shown(&info, &world, output.width())?;
        if output.is_json() {
            output.json(&shown.view.described(&view)?)?;
        } else {
            output.line(format_args!("World {number} of {}\n", args.worlds))?;
            output.line(table(&info, &shown.board, output.width()))?;
        }
    }
    Ok(())
}

/// The worlds by number. A game of the self-play is left as soon as its world is there.
async fn worlds(game: &GameClient, args: &Args) -> Result<BTreeMap<u64, SelfPlayWorld>, Failure> {
    let (asks, asked) = mpsc::unbounded_channel();
    let send = |step| {
        // Why the stream has ended is said by the answers.
        let _ended = asks.send(SelfPlayRequest { step: Some(step) });
    };
    send(Step::Plan(plan(game.id(), args)));
    let asked = UnboundedReceiverStream::new(asked);
    let mut answers = game.self_play(asked, args.seat.seat).await?;
    let mut worlds = BTreeMap::new();
    while let Some(answer) = answers.message().await? {
        let SelfPlayResponse { observations, .. } = answer;
        let mut moves = Vec::new();
        for seen in observations {
            let missing = || Failure::Contract(String::from("a world is missing"));
            worlds.insert(seen.game, seen.world.ok_or_else(missing)?);
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

fn plan(game_id: &str, args: &Args) -> SelfPlayPlan<Any> {
    let seed = args.seed.map(|number| {
        let mut seed = vec![0; 32];
        seed[..8].copy_from_slice(&number.to_le_bytes());
        seed
    });
    SelfPlayPlan {
        games: u32::try_from(args.worlds.min(AT_ONCE)).unwrap_or(1),
        total_games: args.worlds,
        seed: seed.unwrap_or_default(),
        show: Some(SelfPlayShow {
            world: true,
            ..SelfPlayShow::default()
        }),
        from: Some(SelfPlayFrom {
            game_id: game_id.to_owned(),
            seat: args.seat.seat,
            worlds: 0,
        }),
        ..SelfPlayPlan::default()
    }
}

/// A world, whole.
struct Shown {
    view: Opaque,
    board: String,
}

macro_rules! shown_by_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        /// Shows a world by the rules that it names.
        fn shown(info: &GameInfo, world: &SelfPlayWorld, columns: usize) -> Result<Shown, Failure> {
            $(
                if world.ruleset == <gamekeeper_rules::$module::$Ruleset as Ruleset>::SHEET.id {
                    return shown_by::<gamekeeper_rules::$module::$Ruleset>(info, world, columns);
                }
            )*
            Err(Failure::Usage(format!("this program does not know the ruleset {:?}", world.ruleset)))
        }
    };
}

gamekeeper_wire::for_each_ruleset!(shown_by_ruleset);

fn shown_by<W: Wire>(
    info: &GameInfo,
    world: &SelfPlayWorld,
    columns: usize,
) -> Result<Shown, Failure> {
    let (theirs, ours) = (world.revision, W::SHEET.revision);
    if theirs != ours {
        return Err(Failure::Usage(format!(
            "the server plays revision {theirs} of {}, this program knows revision {ours}",
            world.ruleset
        )));
    }
    let state = decode::<W::State>(&world.state)
        .map_err(|error| Failure::Contract(format!("a world: {error}")))?;
    let players = info.players.iter();
    let players: Vec<String> = players.map(|player| player.name.clone()).collect();
    let view = W::view(&state, Viewer::Operator);
    Ok(Shown {
        board: ruleset::board::<W>(&view, Names::new(&players), columns),
        view: Opaque::of(&W::view_message(&view)),
    })
}
