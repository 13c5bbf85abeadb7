//! `gamekeeper legal`

use gamekeeper_rules::table::text::{DIM, styled};

use crate::args::{GameArg, SeatArg};
use crate::failure::Failure;
use crate::game_client::{Legal, LegalFilter, ruleset_action};
use crate::output::Output;
use crate::phrase;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    seat: SeatArg,
    /// Only actions of this kind, such as `buy_card`; can be repeated
    #[arg(long, value_name = "KIND")]
    kind: Vec<String>,
    /// List every way to pay for every move [default: one way where there are very many]
    #[arg(long)]
    all_payments: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let game = session.game(&args.game)?;
    let filter = LegalFilter {
        kinds: args.kind.clone(),
        all_payments: args.all_payments,
        with_text: !output.is_json(),
        ..LegalFilter::default()
    };
    let legal = game.legal(args.seat.seat, &filter).await?;
    if output.is_json() {
        let mut actions = legal
            .actions
            .iter()
            .filter_map(|legal| legal.action.as_ref());
        return actions.try_for_each(|action| output.json(&ruleset_action(action)?));
    }
    if legal.actions.is_empty() && filter.kinds.is_empty() {
        let info = session.game_info(game.id()).await?;
        let waits = if info.pending.is_empty() {
            "the game is over".to_owned()
        } else {
            phrase::pending(&info)
        };
        let version = info.version;
        let text = format_args!("Nothing to decide at version {version}; {waits}.");
        return output.line(text);
    }
    output.line(numbered(&legal))
}

fn numbered(legal: &Legal) -> String {
    let digits = legal.actions.len().to_string().len();
    let mut lines: Vec<String> = (1..)
        .zip(&legal.actions)
        .map(|(number, action)| format!("{number:>digits$}  {}", action.text))
        .collect();
    if !legal.exhaustive {
        let text = "Some ways to pay and larger sets are left out; --all-payments lists them all.";
        lines.push(styled(DIM, text));
    }
    lines.join("\n")
}
