//! `gamekeeper legal`

use crate::args::{GameArg, SeatArg};
use crate::failure::Failure;
use crate::fields::Fields;
use crate::game_client::{Legal, LegalFilter, info_of};
use crate::keys::Looker;
use crate::output::{DIM, Output, styled};
use crate::phrase;
use crate::render::Table;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    seat: SeatArg,
    /// Only actions of this kind, such as `buy_card`; may be given several times
    #[arg(long, value_name = "KIND")]
    kind: Vec<String>,
    /// Every way to pay for every move
    #[arg(long)]
    all_payments: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (game, mut info) = session.open(&args.game).await?;
    let filter = LegalFilter {
        kinds: args.kind.clone(),
        all_payments: args.all_payments,
    };
    let legal = game.legal(args.seat.seat, &filter).await?;
    if output.is_json() {
        return legal
            .actions
            .iter()
            .try_for_each(|action| output.json(action));
    }
    info.pending.clone_from(&legal.pending);
    if legal.actions.is_empty() && filter.kinds.is_empty() {
        let waits = if info.pending.is_empty() {
            "the game is over".to_owned()
        } else {
            phrase::pending(&info)
        };
        return output.line(format_args!(
            "Nothing to decide at version {}; {waits}.",
            legal.version
        ));
    }
    let answer = game
        .get(Looker::Seat(args.seat.seat), legal.version)
        .await?;
    let (view, catalogue) = (answer.child("view"), game.catalogue().await?);
    let table = Table {
        info: &info_of(&answer)?,
        view: view.as_ref(),
        catalogue: Some(&catalogue),
    };
    output.line(numbered(&legal, &table.say(&legal.actions)?))
}

fn numbered(legal: &Legal, names: &[String]) -> String {
    let digits = names.len().to_string().len();
    let mut lines: Vec<String> = (1..)
        .zip(names)
        .map(|(number, name)| format!("{number:>digits$}  {name}"))
        .collect();
    if !legal.exhaustive {
        let text = "One way to pay stands for many; --all-payments lists them all.";
        lines.push(styled(DIM, text));
    }
    lines.join("\n")
}
