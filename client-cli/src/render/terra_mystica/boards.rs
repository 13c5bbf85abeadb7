//! The faction boards.

use gamekeeper_proto::gamekeeper::terra_mystica::v1 as pb;

use super::map::colors;
use super::names::{Names, goods};
use super::tiles::town;
use crate::output::{BOLD, DIM, styled, wrap};

/// One player: goods, structures, tracks, income, tiles and special actions.
pub(super) fn board(
    view: &pb::View,
    player: &pb::PlayerView,
    names: &Names<'_>,
    width: usize,
) -> String {
    let mark = if view.actor == player.seat { ">" } else { " " };
    let name = styled(BOLD, names.player(player.seat));
    let first = format!("{mark} {} {name}  ", player.seat);
    let Some(board) = &player.board else {
        let words = [without_faction(player, names)];
        return wrap(&words, "", &first, "    ", width);
    };
    let row = |name: &str, separator: &str, words: &[String]| {
        let first = styled(DIM, format_args!("    {name:8} "));
        wrap(words, separator, &first, "             ", width)
    };
    let mut lines = vec![
        wrap(&purse(board, names), "  ", &first, "    ", width),
        row("built", "  ", &built(board, names)),
        row("tracks", "  ", &tracks(board, names)),
        row("income", "  ", &income_words(board, names)),
        row("holds", ";  ", &holds(view, player.seat, board, names)),
    ];
    let actions = specials(board, names);
    if !actions.is_empty() {
        lines.push(row("actions", ";  ", &actions));
    }
    lines.join("\n")
}

fn without_faction(player: &pb::PlayerView, names: &Names<'_>) -> String {
    if player.color() == pb::Terrain::Unspecified {
        return String::from("no faction yet");
    }
    format!("no faction yet, {}", names.terrain(player.color))
}

/// `name value`, with a dim name.
fn fact(name: &str, value: impl std::fmt::Display) -> String {
    format!("{} {value}", styled(DIM, name))
}

fn purse(board: &pb::FactionBoard, names: &Names<'_>) -> Vec<String> {
    let info = names.faction_info(board.faction);
    let mut title = names.faction(board.faction);
    if let Some(info) = info {
        let home = styled(colors(info.home()), names.terrain(info.home));
        title = format!("{title}, {home}");
    }
    let bowls = board.power_bowls.unwrap_or_default();
    let bowls = format!("{}/{}/{}", bowls.first, bowls.second, bowls.third);
    let mut words = vec![
        title,
        styled(BOLD, format_args!("{} VP", board.vp)),
        fact("workers", board.workers),
        fact("coins", board.coins),
        fact("priests", board.priests),
        fact("power", bowls),
    ];
    if board.keys > 0 {
        words.push(fact("keys", board.keys));
    }
    if board.passed {
        words.push(String::from("passed"));
    }
    words
}

/// Structures on the map and how many there are: `DW 3/8`.
fn built(board: &pb::FactionBoard, names: &Names<'_>) -> Vec<String> {
    let structures = names.catalogue.structures.iter();
    let structures = structures.zip(&board.structures_left).map(|(info, left)| {
        let built = info.stock.saturating_sub(*left);
        fact(
            &names.code(info.structure),
            format_args!("{built}/{}", info.stock),
        )
    });
    let area = fact("largest area", board.largest_area);
    structures.chain([area]).collect()
}

/// Shipping, leaps, what a spade costs, and what else is left on the board.
fn tracks(board: &pb::FactionBoard, names: &Names<'_>) -> Vec<String> {
    let info = names.faction_info(board.faction);
    let most = |track: Option<&pb::LevelTrack>| {
        track.map_or_else(String::new, |track| format!("/{}", track.max))
    };
    let shipping = info.and_then(|info| info.shipping.as_ref());
    let digging = info.and_then(|info| info.terraforming.as_ref());
    let mut words = Vec::new();
    words.extend(
        board
            .shipping
            .map(|level| fact("shipping", format!("{level}{}", most(shipping)))),
    );
    words.extend(board.leap_range.map(|range| fact("leaps over", range - 1)));
    if info.is_none() || digging.is_some() {
        let level = format!("{}{}", board.terraforming_level, most(digging));
        words.push(fact("digging", level));
    }
    let prices = info.map_or(&[][..], |info| &info.spade_costs);
    let price = prices.get(board.terraforming_level as usize);
    words.extend(price.map(|price| fact("spade", goods(*price, 0))));
    words.push(fact("bridges left", board.bridges_left));
    words
}

/// The income, and the priests that there are for it.
fn income_words(board: &pb::FactionBoard, names: &Names<'_>) -> [String; 2] {
    let supply = fact("priests left", board.priest_supply);
    [goods(income(board, names), 0), supply]
}

/// What the next income phase would bring, as things stand.
fn income(board: &pb::FactionBoard, names: &Names<'_>) -> pb::Goods {
    let info = names.faction_info(board.faction);
    let tracks = info.map_or(&[][..], |info| &info.income).iter();
    let structures = tracks.filter_map(|track| {
        let (place, info) = names.structure_info(track.structure)?;
        let left = board.structures_left.get(place)?;
        track
            .income
            .get(info.stock.checked_sub(*left)? as usize)
            .copied()
    });
    let mut cards = names.catalogue.bonus_cards.iter();
    let card = cards.find(|info| info.card == board.bonus_card);
    let favors = names.catalogue.favor_tiles.iter();
    let favors = favors.filter(|info| board.favor_tiles.contains(&info.tile));
    structures
        .chain(card.and_then(|info| info.income))
        .chain(favors.filter_map(|info| info.income))
        .fold(pb::Goods::default(), |sum, more| pb::Goods {
            coins: sum.coins + more.coins,
            workers: sum.workers + more.workers,
            priests: sum.priests + more.priests,
            power: sum.power + more.power,
        })
}

/// The bonus card, favor tiles and town tiles.
fn holds(view: &pb::View, seat: u32, board: &pb::FactionBoard, names: &Names<'_>) -> Vec<String> {
    let mut words = Vec::new();
    if board.bonus_card() != pb::BonusCard::Unspecified {
        words.push(names.bonus(board.bonus_card).to_string());
    }
    let favors = board.favor_tiles.iter();
    words.extend(favors.map(|tile| names.favor(*tile).to_string()));
    let towns = view.towns.iter().filter(|town| town.seat == seat);
    let towns = towns.filter(|town| town.tile() != pb::TownTile::Unspecified);
    words.extend(towns.map(|found| town(names, found.tile).to_string()));
    if words.is_empty() {
        words.push(styled(DIM, "nothing"));
    }
    words
}

/// The special actions of the stronghold, the bonus card and the favor tiles; used ones are dim.
fn specials(board: &pb::FactionBoard, names: &Names<'_>) -> Vec<String> {
    let stronghold = names
        .structure_info(pb::Structure::Stronghold.into())
        .and_then(|(place, info)| Some(board.structures_left.get(place)? < &info.stock));
    let own = names
        .faction_info(board.faction)
        .filter(|_| stronghold == Some(true))
        .map(|info| info.stronghold_action);
    // The action of a card or a tile has the id of that card or tile.
    let mut held: Vec<String> = board
        .favor_tiles
        .iter()
        .map(|tile| names.favor(*tile).id)
        .collect();
    held.push(names.bonus(board.bonus_card).id);
    let actions = names.catalogue.special_actions.iter();
    let actions = actions.filter(|info| Some(info.action) == own || held.contains(&info.id));
    let told = |info: &pb::SpecialActionInfo| {
        let text = names.special(info.action);
        if board.used_special.contains(&info.action) {
            styled(DIM, format_args!("{text} (used)"))
        } else {
            text.to_string()
        }
    };
    actions.map(told).collect()
}
