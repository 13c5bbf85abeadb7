//! Texts beside the map: the tiles of the rounds, the power actions, and the remaining tiles and cards.

use std::cmp::Ordering;

use anstyle::Style;

use crate::table::text::{BOLD, DIM, styled, wrap};
use crate::terra_mystica::data::{PowerAction, ROUNDS};
use crate::terra_mystica::view::View;
use crate::terra_mystica::words::{pooled, power, town_text};

/// A line for each round: its tile, the current round in bold.
pub fn rounds(view: &View, columns: usize) -> String {
    let rounds = (1..).zip(&view.scoring_tiles).map(|(round, tile)| {
        let (style, marker) = match u8::cmp(&round, &view.round) {
            Ordering::Less => (DIM, " "),
            Ordering::Equal => (BOLD, ">"),
            Ordering::Greater => (Style::new(), " "),
        };
        let void = if round == ROUNDS { " (no reward)" } else { "" };
        let text = format!("{} {tile}{void}", tile.id());
        let words: Vec<_> = text.split(' ').map(|word| styled(style, word)).collect();
        let first = styled(style, format_args!("{marker} {round} "));
        wrap(&words, " ", &first, "    ", columns)
    });
    let lines: Vec<_> = rounds.collect();
    format!("{}\n{}", styled(BOLD, "Rounds"), lines.join("\n"))
}

/// The power actions with their prices; used ones are dim.
pub fn power_actions(view: &View, columns: usize) -> String {
    let actions = PowerAction::ALL.map(|action| {
        let text = power(action);
        if view.used_power_actions.contains(&action) {
            styled(DIM, format_args!("{text} (used)"))
        } else {
            text
        }
    });
    row("Power", &actions, columns)
}

/// The favor tiles, town tiles and bonus cards that can be taken.
pub fn pools(view: &View, columns: usize) -> String {
    let favors = view.favor_pool.iter().filter(|(_, count)| *count > 0);
    let favors = favors.map(|(tile, count)| several(tile.id(), *count, tile.name()));
    let towns = view.town_pool.iter().filter(|(_, count)| *count > 0);
    let towns = towns.map(|(tile, count)| several(tile.id(), *count, &town_text(*tile)));
    let cards = view.bonus_pool.iter().map(pooled);
    [
        row("Favors", &favors.collect::<Vec<_>>(), columns),
        row("Towns", &towns.collect::<Vec<_>>(), columns),
        row("Bonus", &cards.collect::<Vec<_>>(), columns),
    ]
    .join("\n")
}

/// `FAV5 (3) 2 fire, towns of power 6`.
fn several(id: &str, count: u8, text: &str) -> String {
    match count {
        1 => format!("{id} {text}"),
        _ => format!("{id} ({count}) {text}"),
    }
}

/// A heading, followed by words, wrapped under the first one.
fn row(heading: &str, words: &[String], columns: usize) -> String {
    let first = format!("{} ", styled(BOLD, format_args!("{heading:6}")));
    wrap(words, ";  ", &first, "       ", columns)
}
