//! The parts of a table's text around the board, which comes from the server.

mod markdown;
mod standings;
mod tree;

pub(crate) use markdown::{markdown, rule, rule_in_line};
pub(crate) use standings::standings;
pub(crate) use tree::{find, tree};

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus};
use gamekeeper_rules::table::text::{BOLD, DIM, styled};

use crate::phrase;

/// Formats a table: its heading, its board and its ending, in this number of columns.
pub(crate) fn table(info: &GameInfo, board: &str, width: usize) -> String {
    let parts = [heading(info), board.to_owned(), ending(info, width)];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

fn heading(info: &GameInfo) -> String {
    let GameInfo {
        game_id,
        ruleset,
        version,
        ..
    } = info;
    let title = styled(BOLD, phrase::ruleset(ruleset));
    let game_position = styled(DIM, format_args!("{game_id}  version {version}"));
    format!("{title}  {game_position}")
}

fn ending(info: &GameInfo, width: usize) -> String {
    if info.status() == GameStatus::Finished {
        return standings(info, width).to_string();
    }
    format!("To decide: {}.", phrase::pending(info))
}
