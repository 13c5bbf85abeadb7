//! The result of a game.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, ScoreItem, Standing};

use crate::output::Columns;
use crate::phrase;

/// The result, best rank first.
pub(crate) fn standings(info: &GameInfo) -> Columns {
    let mut columns = Columns::new(&["RANK", "PLAYER", "SCORE", "FROM"]);
    for Standing {
        seat,
        rank,
        score,
        breakdown,
        tie_breaks,
    } in &info.standings
    {
        let mut from = items(breakdown);
        if !tie_breaks.is_empty() {
            from = format!("{from} (ties: {})", items(tie_breaks));
        }
        columns.row([
            rank.to_string(),
            phrase::player(info, *seat),
            score.to_string(),
            from,
        ]);
    }
    columns
}

/// What is worth nothing is left out.
fn items(items: &[ScoreItem]) -> String {
    let told = items
        .iter()
        .filter(|item| item.points != 0)
        .map(|item| format!("{} {}", phrase::words(&item.source), item.points));
    told.collect::<Vec<_>>().join(", ")
}
