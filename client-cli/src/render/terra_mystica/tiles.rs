//! What lies beside the map: the tiles of the rounds, the power actions, and what is left to take.

use std::cmp::Ordering;

use anstyle::Style;
use gamekeeper_proto::gamekeeper::terra_mystica::v1 as pb;

use super::names::{Component, Names};
use crate::output::{BOLD, DIM, styled, wrap};

/// A line for each round: its tile, the round of now in bold.
pub(super) fn rounds(view: &pb::View, names: &Names<'_>, width: usize) -> String {
    let round = |(round, tile): (u32, &i32)| {
        let style = match round.cmp(&view.round) {
            Ordering::Less => DIM,
            Ordering::Equal => BOLD,
            Ordering::Greater => Style::new(),
        };
        let mark = if round == view.round { ">" } else { " " };
        let last = round == names.catalogue.rounds;
        let void = if last { " (no reward)" } else { "" };
        let text = format!("{}{void}", names.scoring(*tile));
        let words: Vec<_> = text.split(' ').map(|word| styled(style, word)).collect();
        let first = styled(style, format_args!("{mark} {round} "));
        wrap(&words, " ", &first, "    ", width)
    };
    let lines: Vec<_> = (1..).zip(&view.scoring_tiles).map(round).collect();
    format!("{}\n{}", styled(BOLD, "Rounds"), lines.join("\n"))
}

/// The power actions with their prices; used ones are dim.
pub(super) fn power_actions(view: &pb::View, names: &Names<'_>, width: usize) -> String {
    let action = |info: &pb::PowerActionInfo| {
        let text = format!("{} {} for {}", info.id, info.text, info.power);
        if view.used_power_actions.contains(&info.action) {
            styled(DIM, format_args!("{text} (used)"))
        } else {
            text
        }
    };
    let words: Vec<_> = names.catalogue.power_actions.iter().map(action).collect();
    row("Power", &words, width)
}

/// The favor tiles, town tiles and bonus cards that can be taken.
pub(super) fn pools(view: &pb::View, names: &Names<'_>, width: usize) -> String {
    let favors = view.favor_pool.iter().filter(|tile| tile.count > 0);
    let favors = favors.map(|tile| several(&names.favor(tile.tile), tile.count));
    let towns = view.town_pool.iter().filter(|tile| tile.count > 0);
    let towns = towns.map(|tile| several(&town(names, tile.tile), tile.count));
    let cards = view.bonus_pool.iter().map(|pooled| card(names, pooled));
    [
        row("Favors", &favors.collect::<Vec<_>>(), width),
        row("Towns", &towns.collect::<Vec<_>>(), width),
        row("Bonus", &cards.collect::<Vec<_>>(), width),
    ]
    .join("\n")
}

/// `FAV5 (3) 2 fire, towns of power 6`.
fn several(tile: &Component, count: u32) -> String {
    if count == 1 {
        return tile.to_string();
    }
    format!("{} ({count}) {}", tile.id, tile.text)
}

/// A card of the pool: `BON8 1 priest (with 2 coins)`.
pub(super) fn card(names: &Names<'_>, pooled: &pb::PoolCard) -> String {
    let name = names.bonus(pooled.card);
    match pooled.coins {
        0 => name.to_string(),
        1 => format!("{name} (with 1 coin)"),
        coins => format!("{name} (with {coins} coins)"),
    }
}

/// `TW1 5 VP, 6 coins`.
pub(super) fn town(names: &Names<'_>, tile: i32) -> Component {
    let mut infos = names.catalogue.town_tiles.iter();
    let name = names.town(tile);
    match infos.find(|info| info.tile == tile) {
        Some(info) if !info.text.contains("VP") => Component {
            text: format!("{} VP, {}", info.vp, info.text),
            ..name
        },
        Some(_) | None => name,
    }
}

/// A heading and words behind it, wrapped under the first one.
fn row(heading: &str, words: &[String], width: usize) -> String {
    let first = format!("{} ", styled(BOLD, format_args!("{heading:6}")));
    wrap(words, ";  ", &first, "       ", width)
}
