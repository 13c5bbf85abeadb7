//! `gamekeeper sample`: sampled worlds that a seat cannot tell from the real table, printed as boards. The server
//! samples them; the rules in this program show them in full.

use gamekeeper_proto::Opaque;
use gamekeeper_proto::gamekeeper::v1::{GameInfo, SelfPlayWorld};
use gamekeeper_rules::ruleset::{self, Ruleset};
use gamekeeper_rules::table::{Names, Viewer};
use gamekeeper_wire::Wire;

use crate::args::{GameArg, SeatArg};
use crate::contract::{dynamic, noun};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::table;
use crate::session::Session;
use crate::worlds::{read, seed, worlds};

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
    let worlds = worlds(&game, args.seat.seat, args.worlds, seed).await?;
    let view = noun(&info.ruleset, "View")?;
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
struct Shown {
    view: Opaque,
    board: String,
}

macro_rules! shown_by_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        /// Shows a world with the rules of its ruleset.
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
    let state = read::<W>(world)?;
    let players = info.players.iter();
    let players: Vec<String> = players.map(|player| player.name.clone()).collect();
    let view = W::view(&state, Viewer::Operator);
    Ok(Shown {
        board: ruleset::board::<W>(&view, Names::new(&players), columns),
        view: W::encoded_view(&view),
    })
}
