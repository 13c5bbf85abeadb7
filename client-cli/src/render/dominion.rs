//! The table of Dominion.

mod cards;
mod effects;

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::GameInfo;

use self::cards::Cards;
use crate::output::{BOLD, DIM, pad, styled, wrap};
use crate::phrase;

/// Columns of one pile: price, the longest name, number.
const PILE: usize = 18;

/// The table in so many columns.
pub(super) fn table(
    info: &GameInfo,
    view: &pb::View,
    catalogue: &pb::Catalogue,
    width: usize,
) -> String {
    let cards = Cards::new(catalogue);
    let mut parts = vec![turn(info, view), supply(view, &cards, width)];
    parts.extend(
        view.players
            .iter()
            .map(|player| self::player(info, view, player, &cards, width)),
    );
    parts.extend(effects::unfinished(info, view, &cards, width));
    parts.join("\n")
}

fn turn(info: &GameInfo, view: &pb::View) -> String {
    let who = phrase::player(info, view.active_player);
    let phase = match view.phase() {
        pb::Phase::Action => "Action phase",
        pb::Phase::Buy => "Buy phase",
        pb::Phase::GameOver => {
            return format!("The game is over after turn {}.\n", view.turn_number);
        }
        pb::Phase::Unspecified => "",
    };
    let left = view.counters.unwrap_or_default();
    let count = |number: u32, word: &str| {
        let plural = if number == 1 { "" } else { "s" };
        format!("{number} {word}{plural}")
    };
    let mut left = vec![
        count(left.actions, "action"),
        count(left.buys, "buy"),
        count(left.coins, "coin"),
    ];
    if view.bought_this_turn {
        left.push("no more Treasures".to_owned());
    }
    let heading = styled(
        BOLD,
        format_args!("Turn {}: {who}, {phase}", view.turn_number),
    );
    format!("{heading}   {}\n", left.join(", "))
}

/// The piles, each with price and number: what every game has, then the kingdom by price.
fn supply(view: &pb::View, cards: &Cards, width: usize) -> String {
    let is_kingdom = |pile: &&pb::Pile| view.kingdom.contains(&pile.card);
    let mut kingdom: Vec<_> = view.supply.iter().filter(is_kingdom).collect();
    kingdom.sort_by_key(|pile| cards.cost(pile.card));
    let basic: Vec<_> = view
        .supply
        .iter()
        .filter(|pile| !is_kingdom(pile))
        .collect();
    let grid = |piles: &[&pb::Pile]| {
        let cells: Vec<_> = piles.iter().map(|pile| self::pile(pile, cards)).collect();
        let lines = cells.chunks((width / (PILE + 2)).max(1));
        lines
            .map(|line| format!("  {}\n", line.join("  ").trim_end()))
            .collect::<String>()
    };
    let trash = if view.trash.is_empty() {
        styled(DIM, "empty")
    } else {
        cards.runs(&view.trash)
    };
    let heading = styled(BOLD, "Supply") + &styled(DIM, "  (price, card, left)");
    let trash = wrap(
        &[trash],
        ", ",
        &format!("{}  ", styled(BOLD, "Trash")),
        "  ",
        width,
    );
    format!("{heading}\n{}\n{}\n{trash}\n", grid(&basic), grid(&kingdom))
}

fn pile(pile: &pb::Pile, cards: &Cards) -> String {
    let price = cards
        .cost(pile.card)
        .map_or_else(|| " ".to_owned(), |cost| cost.to_string());
    let count = pile.count.to_string();
    if pile.count == 0 {
        return pad(
            &styled(
                DIM,
                format_args!("{price} {:13}{count:>3}", cards.plain(pile.card)),
            ),
            PILE,
        );
    }
    format!(
        "{} {}{count:>3}",
        styled(DIM, price),
        pad(&cards.name(pile.card), 13)
    )
}

fn player(
    info: &GameInfo,
    view: &pb::View,
    player: &pb::PlayerView,
    cards: &Cards,
    width: usize,
) -> String {
    let active = view.active_player == player.seat && view.phase() != pb::Phase::GameOver;
    let mark = if active { ">" } else { " " };
    let name = styled(BOLD, phrase::player(info, player.seat));
    let mut lines = vec![format!(
        "{mark} {} {name}   {}",
        player.seat,
        piles(player, cards)
    )];
    let mut row = |name: &str, list: &[i32]| {
        let words: Vec<_> = cards.run_words(list);
        lines.push(wrap(
            &words,
            ", ",
            &format!("    {name:9} "),
            "              ",
            width,
        ));
    };
    if !player.in_play.is_empty() {
        row("in play", &player.in_play);
    }
    if let Some(hand) = &player.hand {
        row("hand", &hand.cards);
    }
    if let Some(pile) = &player.draw_pile {
        row("draw pile", &pile.cards);
    }
    if let Some(pile) = &player.discard_pile {
        row("discard", &pile.cards);
    }
    if let Some(result) = view
        .results
        .iter()
        .find(|result| result.seat == player.seat)
    {
        let owned: Vec<i32> = result
            .cards
            .iter()
            .flat_map(|pile| (0..pile.count).map(|_| pile.card))
            .collect();
        row("owned", &owned);
    }
    lines.join("\n")
}

/// How many cards lie where, as far as the viewer may know.
fn piles(player: &pb::PlayerView, cards: &Cards) -> String {
    let draw = match (player.draw_pile_count, player.draw_pile_empty) {
        (Some(count), _) => count.to_string(),
        (None, true) => "empty".to_owned(),
        (None, false) => "some".to_owned(),
    };
    let discard = match player.discard_top {
        Some(card) => cards.name(card),
        None => "empty".to_owned(),
    };
    let part = |name: &str, value: &str| format!("{} {value}", styled(DIM, name));
    [
        part("hand", &player.hand_count.to_string()),
        part("draw pile", &draw),
        part("discard", &discard),
        part("turns", &player.turns_taken.to_string()),
    ]
    .join("   ")
}

#[cfg(test)]
mod tests;
