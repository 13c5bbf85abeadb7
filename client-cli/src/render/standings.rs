//! The result of a game.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, ScoreItem, Standing};

use gamekeeper_rules::table::text::{Columns, wrap};

use crate::phrase;

/// The width of the columns for rank, player and score, and the minimum width of the breakdown.
const OTHERS: usize = 30;
const LEAST: usize = 30;

/// Formats the result, the best rank first, in this number of columns.
pub(crate) fn standings(info: &GameInfo, width: usize) -> Columns {
    let mut columns = Columns::new(&["RANK", "PLAYER", "SCORE", "FROM"]);
    for Standing {
        seat,
        rank,
        score,
        breakdown,
        tie_breaks,
    } in &info.standings
    {
        let mut from = items(&info.ruleset, breakdown);
        if !tie_breaks.is_empty() {
            let ties = items(&info.ruleset, tie_breaks).join(", ");
            let last = from.pop().unwrap_or_default();
            from.push(format!("{last} (ties: {ties})"));
        }
        let from = wrap(&from, ", ", "", "", width.saturating_sub(OTHERS).max(LEAST));
        let mut lines = from.lines().map(str::to_owned);
        columns.row([
            rank.to_string(),
            phrase::player(info, *seat),
            score.to_string(),
            lines.next().unwrap_or_default(),
        ]);
        for line in lines {
            columns.row([String::new(), String::new(), String::new(), line]);
        }
    }
    columns
}

/// Formats the items of a score. Items worth nothing are left out.
fn items(ruleset: &str, items: &[ScoreItem]) -> Vec<String> {
    items
        .iter()
        .filter(|item| item.points != 0)
        .map(|item| format!("{} {}", phrase::source(ruleset, &item.source), item.points))
        .collect()
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::Player;

    use super::*;

    #[test]
    fn long_breakdowns_take_several_lines() {
        let item = |(source, points): (&str, i32)| ScoreItem {
            source: source.to_owned(),
            points,
        };
        let standing = Standing {
            seat: 1,
            rank: 1,
            score: 104,
            breakdown: [("before_final_scoring", 96), ("fire", 0), ("area", 8)]
                .map(item)
                .to_vec(),
            tie_breaks: vec![item(("fewest_turns", 3))],
        };
        let info = GameInfo {
            players: vec![Player {
                seat: 1,
                name: "Ann".to_owned(),
                ..Player::default()
            }],
            ruleset: "terra_mystica".to_owned(),
            standings: vec![standing],
            ..GameInfo::default()
        };
        let shown = |width| {
            let columns = standings(&info, width).to_string();
            gamekeeper_rules::table::text::plain(&columns)
        };
        let wide = "\
RANK  PLAYER  SCORE  FROM
1     Ann     104    Before final scoring 96, Area 8 (ties: Fewest turns 3)";
        assert_eq!(shown(90), wide);
        let narrow = "\
RANK  PLAYER  SCORE  FROM
1     Ann     104    Before final scoring 96,
                     Area 8 (ties: Fewest turns 3)";
        assert_eq!(shown(60), narrow);
    }
}
