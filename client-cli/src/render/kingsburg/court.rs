//! The King's court: who gives what, and whose dice lie where.

use gamekeeper_proto::gamekeeper::kingsburg::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::GameInfo;

use super::names::{Names, good};
use crate::output::{BOLD, DIM, pad, styled};
use crate::phrase;

/// Columns of what an advisor gives.
const HELP: usize = 30;

/// A line for each advisor. Occupied ones are dimmed.
pub(super) fn court(info: &GameInfo, view: &pb::View, names: &Names<'_>, width: usize) -> String {
    let advisor = |advisor: i32| {
        let groups: Vec<String> = view
            .court
            .iter()
            .filter(|group| group.advisor == advisor)
            .map(|group| self::group(info, group))
            .collect();
        let mut line = format!("  {advisor:>2} {:14}", names.advisor(advisor));
        if width >= 70 {
            line.push_str(&pad(&help(names, advisor), HELP));
        }
        if groups.is_empty() {
            return line.trim_end().to_owned();
        }
        format!("{}  {}", styled(DIM, line), groups.join(" and "))
    };
    let lines: Vec<String> = (1..=18).map(advisor).collect();
    format!("{}\n{}\n", styled(BOLD, "Court"), lines.join("\n"))
}

/// A group: `Ann 3+5 +2 -1 (envoy)`.
fn group(info: &GameInfo, group: &pb::GroupView) -> String {
    let owner = group.owner.map_or_else(
        || String::from("neutral"),
        |seat| phrase::player(info, seat),
    );
    let values: Vec<String> = group.values.iter().map(u32::to_string).collect();
    let mut text = format!("{owner} {}", values.join("+"));
    if group.plus2 > 0 {
        text = format!("{text}, {} token", group.plus2);
    }
    if group.market_offset != 0 {
        text = format!("{text}, Market {:+}", group.market_offset);
    }
    if group.via_envoy {
        text.push_str(", envoy");
    }
    text
}

/// What an advisor gives, as far as the catalogue tells it.
fn help(names: &Names<'_>, advisor: i32) -> String {
    let Some(info) = names.advisor_info(advisor) else {
        return String::new();
    };
    let goods = info.goods.unwrap_or_default();
    let plural = |count: u32, one, more| if count == 1 { one } else { more };
    let amounts = [
        (goods.gold, "gold"),
        (goods.wood, "wood"),
        (goods.stone, "stone"),
        (info.vp, "VP"),
        (info.soldiers, plural(info.soldiers, "soldier", "soldiers")),
        (info.plus2, plural(info.plus2, "token", "tokens")),
    ];
    let mut parts: Vec<String> = amounts
        .iter()
        .filter(|(amount, _)| *amount > 0)
        .map(|(amount, name)| format!("{amount} {name}"))
        .collect();
    if info.choose_amount > 0 {
        let kinds: Vec<&str> = info.choose_from().map(good).collect();
        let kinds = if kinds.len() == 3 {
            String::from("any")
        } else {
            kinds.join("/")
        };
        parts.push(format!("{} {kinds}", info.choose_amount));
    }
    if info.exchanges {
        parts.push(String::from("1 good for the 2 others"));
    }
    if info.shows_enemy {
        parts.push(String::from("shows the enemy"));
    }
    parts.join(", ")
}
