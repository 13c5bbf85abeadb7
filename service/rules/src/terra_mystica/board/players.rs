//! The faction boards.

use super::map::colors;
use crate::table::text::{self, BOLD, DIM, fact, styled, wrap};
use crate::table::{Names, Seat};
use crate::terra_mystica::data::{BonusCard, FavorTile, Goods, Spades, SpecialAction, Structure};
use crate::terra_mystica::view::{BoardView, PlayerView, View};
use crate::terra_mystica::words::{bonus, favor, special, town};

/// One player: goods, structures, tracks, income, tiles and special actions.
pub fn player(view: &View, player: &PlayerView, names: Names<'_>, columns: usize) -> String {
    let first = text::player(&view.pending, player.seat, names) + "  ";
    let Some(board) = &player.board else {
        let words = match player.color {
            Some(color) => format!("no faction yet, {color}"),
            None => String::from("no faction yet"),
        };
        return wrap(&[words], "", &first, "    ", columns);
    };
    let row = |name: &str, separator: &str, words: &[String]| {
        let first = styled(DIM, format_args!("    {name:8} "));
        wrap(words, separator, &first, "             ", columns)
    };
    let supply = fact("priests left", board.priest_supply);
    let mut lines = vec![
        wrap(&purse(board), "  ", &first, "    ", columns),
        row("built", "  ", &built(board)),
        row("tracks", "  ", &tracks(board)),
        row("income", "  ", &[income(board).to_string(), supply]),
        row("holds", ";  ", &holds(view, player.seat, board)),
    ];
    let actions = specials(board);
    if !actions.is_empty() {
        lines.push(row("actions", ";  ", &actions));
    }
    lines.join("\n")
}

fn purse(board: &BoardView) -> Vec<String> {
    let home = board.faction.home();
    let [first, second, third] = board.power_bowls;
    let mut words = vec![
        format!("{}, {}", board.faction, styled(colors(home), home)),
        styled(BOLD, format_args!("{} VP", board.vp)),
        fact("workers", board.workers),
        fact("coins", board.coins),
        fact("priests", board.priests),
        fact("power", format_args!("{first}/{second}/{third}")),
    ];
    if board.keys > 0 {
        words.push(fact("keys", board.keys));
    }
    if board.passed {
        words.push(String::from("passed"));
    }
    words
}

/// The number of structures of a kind on the map.
const fn standing(board: &BoardView, structure: Structure) -> u8 {
    structure.stock() - board.structures_left[structure.index()]
}

/// Structures on the map and in total: `DW 3/8`.
fn built(board: &BoardView) -> Vec<String> {
    let structures = Structure::ALL.map(|structure| {
        let count = standing(board, structure);
        fact(
            structure.code(),
            format_args!("{count}/{}", structure.stock()),
        )
    });
    let area = fact("largest area", board.largest_area);
    structures.into_iter().chain([area]).collect()
}

/// Prints shipping, leaps, the price of a spade, and the pieces left on the board.
fn tracks(board: &BoardView) -> Vec<String> {
    let sheet = board.faction.sheet();
    let mut words = Vec::new();
    if let Some((level, track)) = board.shipping.zip(sheet.shipping) {
        words.push(fact("shipping", format_args!("{level}/{}", track.max)));
    }
    words.extend(board.leap_range.map(|range| fact("leaps over", range - 1)));
    match sheet.spades {
        Spades::Workers { max_level, .. } => {
            let level = board.terraforming_level;
            words.push(fact("digging", format_args!("{level}/{max_level}")));
            words.push(fact("spade", Goods::workers(u16::from(3 - level))));
        }
        Spades::Priests => words.push(fact("spade", Goods::priests(1))),
    }
    words.push(fact("bridges left", board.bridges_left));
    words
}

/// The income of the next income phase, as of now.
fn income(board: &BoardView) -> Goods {
    let tracks = &board.faction.sheet().income;
    let structures = Structure::ALL.into_iter();
    structures
        .map(|structure| tracks.of(structure, standing(board, structure)))
        .chain(board.bonus_card.map(BonusCard::income))
        .chain(board.favor_tiles.iter().copied().map(FavorTile::income))
        .fold(Goods::NONE, Goods::and)
}

/// The bonus card, favor tiles and town tiles.
fn holds(view: &View, seat: Seat, board: &BoardView) -> Vec<String> {
    let favors = board.favor_tiles.iter().copied().map(favor);
    let towns = view.towns.iter().filter(|town| town.seat == seat);
    let towns = towns.filter_map(|founded| founded.tile.map(town));
    let cards = board.bonus_card.into_iter().map(bonus);
    let words: Vec<_> = cards.chain(favors).chain(towns).collect();
    if words.is_empty() {
        return vec![styled(DIM, "nothing")];
    }
    words
}

/// The special actions of the stronghold, the bonus card and the favor tiles; used ones are dim.
fn specials(board: &BoardView) -> Vec<String> {
    let has = |action: &SpecialAction| match action {
        SpecialAction::Bon1 => board.bonus_card == Some(BonusCard::Bon1),
        SpecialAction::Bon2 => board.bonus_card == Some(BonusCard::Bon2),
        SpecialAction::Fav6 => board.favor_tiles.contains(&FavorTile::Fav6),
        SpecialAction::ActA
        | SpecialAction::ActW
        | SpecialAction::ActS
        | SpecialAction::ActC
        | SpecialAction::ActG
        | SpecialAction::ActN => {
            board.faction.sheet().stronghold_action == Some(*action)
                && standing(board, Structure::Stronghold) > 0
        }
    };
    let action_text = |action: SpecialAction| {
        let text = special(action);
        if board.used_special.contains(&action) {
            styled(DIM, format_args!("{text} (used)"))
        } else {
            text
        }
    };
    SpecialAction::ALL
        .into_iter()
        .filter(has)
        .map(action_text)
        .collect()
}
