//! `gamekeeper sample`: sampled worlds that a seat cannot tell from the real table, printed as boards. The server
//! samples them; the rules in this program show them in full.

use gamekeeper_proto::EncodedMessage;
use gamekeeper_proto::gamekeeper::v1::{GameInfo, SelfPlayWorld};
use gamekeeper_rules::ruleset;
use gamekeeper_rules::table::{Names, Viewer};
use gamekeeper_wire::Wire;

use crate::args::{GameArg, SeatArg};
use crate::contract::{dynamic, ruleset_message};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::table;
use crate::session::Session;
use crate::worlds::{decode_world, sample_worlds, seed};

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
    let seed = args.seed.map(seed);
    let worlds = sample_worlds(&game, args.seat.seat, args.worlds, seed).await?;
    let view = ruleset_message(&info.ruleset, "View")?;
    for (number, world) in worlds {
        let shown = shown(&info, &world.world, output.width())?;
        if output.is_json() {
            output.json(&dynamic(&view, &shown.view)?)?;
        } else {
            output.line(format_args!("World {number} of {}\n", args.worlds))?;
            output.line(table(&info, &shown.board, output.width()))?;
        }
    }
    Ok(())
}

/// A world with all its facts.
struct Rendered {
    view: EncodedMessage,
    board: String,
}

/// Shows a world with the rules of its ruleset.
fn shown(info: &GameInfo, world: &SelfPlayWorld, columns: usize) -> Result<Rendered, Failure> {
    let ruleset = &*world.ruleset;
    gamekeeper_rules::with_ruleset!(ruleset,
        R => render_with_rules::<R>(info, world, columns),
        _ => Err(Failure::unknown_ruleset(ruleset)))
}

fn render_with_rules<W: Wire>(
    info: &GameInfo,
    world: &SelfPlayWorld,
    columns: usize,
) -> Result<Rendered, Failure> {
    let state = decode_world::<W>(world)?;
    let players = info.players.iter();
    let players: Vec<String> = players.map(|player| player.name.clone()).collect();
    let view = W::view(&state, Viewer::Operator);
    Ok(Rendered {
        board: ruleset::board::<W>(&view, Names::new(&players), columns),
        view: W::encoded_view(&view),
    })
}
