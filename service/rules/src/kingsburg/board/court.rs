//! The King's court: the advisors' help, and the dice placed on them.

use crate::kingsburg::data::{Advisor, Choice, Good};
use crate::kingsburg::view::{GroupView, View};
use crate::table::text::{BOLD, DIM, pad, styled};
use crate::table::{Count, Names};

/// Columns of an advisor's help.
const HELP: usize = 30;
/// The minimum number of columns of a table that shows the advisors' help.
const WIDE: usize = 70;

/// A line for each advisor. Occupied ones are dimmed.
pub fn court(view: &View, names: Names<'_>, columns: usize) -> String {
    let advisor = |advisor: Advisor| {
        let groups = view.court.iter();
        let groups = groups.filter(|group| group.advisor == advisor);
        let groups: Vec<String> = groups.map(|group| self::group(names, group)).collect();
        let mut line = format!("  {:>2} {advisor:14}", advisor.number());
        if columns >= WIDE {
            line.push_str(&pad(&help(advisor), HELP));
        }
        if groups.is_empty() {
            return line.trim_end().to_owned();
        }
        format!("{}  {}", styled(DIM, line), groups.join(" and "))
    };
    let lines = Advisor::ALL.map(advisor);
    format!("{}\n{}\n", styled(BOLD, "Court"), lines.join("\n"))
}

/// A group: `Ann 3+5, 1 token, Market -1, envoy`.
fn group(names: Names<'_>, group: &GroupView) -> String {
    let owner = match group.owner {
        Some(seat) => names.of(seat).to_string(),
        None => String::from("neutral"),
    };
    let values: Vec<String> = group.values.iter().map(u8::to_string).collect();
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

/// The help of an advisor, in short.
fn help(advisor: Advisor) -> String {
    let help = advisor.help();
    let goods = Good::ALL.map(|good| (help.goods.amount(good), good.name()));
    let given = goods.into_iter().chain([(help.vp, "VP")]);
    let given = given.filter(|(amount, _)| *amount > 0);
    let mut parts: Vec<String> = given
        .map(|(amount, what)| format!("{amount} {what}"))
        .collect();
    let counted = [(help.soldiers, "soldier"), (help.plus2, "token")].into_iter();
    let counted = counted.filter(|(amount, _)| *amount > 0);
    parts.extend(counted.map(|(amount, what)| Count(amount, what).to_string()));
    match help.choice {
        Some(Choice::OneOf { amount, goods }) if goods.len() == Good::COUNT => {
            parts.push(format!("{amount} any"));
        }
        Some(Choice::OneOf { amount, goods }) => {
            let kinds: Vec<&str> = goods.iter().map(|good| good.name()).collect();
            parts.push(format!("{amount} {}", kinds.join("/")));
        }
        Some(Choice::Exchange) => parts.push(String::from("1 good for the 2 others")),
        None => {}
    }
    if help.peek {
        parts.push(String::from("shows the enemy"));
    }
    parts.join(", ")
}
