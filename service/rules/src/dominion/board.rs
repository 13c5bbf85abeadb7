//! The table as text: the turn, the Supply, the players, and unfinished effects.

pub mod effects;

pub use effects::effect;

use anstyle::AnsiColor;

use super::data::{Card, CardType, Pile};
use super::state::Cards;
use super::view::{PlayerView, View};
use crate::table::text::{BOLD, DIM, GAP, WIDE, fact, pad, side_by_side, styled, wrap};
use crate::table::{Count, Names};

/// Columns of the longest card name.
const NAME: usize = 13;

/// Columns of one pile: price, name, number.
const PILE: usize = NAME + 5;

/// The column in which the players begin in a wide table: the Supply takes three piles in a line.
const BESIDE: usize = 3 * (PILE + 2) + GAP;

/// The table in lines of at most this many columns.
pub fn board(view: &View, names: Names<'_>, columns: usize) -> String {
    let turn = turn(view, names);
    if columns < WIDE {
        let players = players(view, names, columns).join("\n");
        return [turn, supply(view, columns), players].join("\n");
    }
    let supply = supply(view, BESIDE - GAP);
    let players = players(view, names, columns - BESIDE).join("\n");
    format!(
        "{turn}\n{}",
        side_by_side(&supply, &players, BESIDE, columns)
    )
}

/// The players and the effects that are unfinished.
fn players(view: &View, names: Names<'_>, columns: usize) -> Vec<String> {
    let players = view.players.iter();
    let players = players.map(|player| self::player(view, names, player, columns));
    let effects = effects::unfinished(view, names, columns);
    players.chain(effects).collect()
}

fn turn(view: &View, names: Names<'_>) -> String {
    let (number, phase) = (view.turn_number, view.phase);
    if view.pending.is_empty() {
        return format!("The game is over after turn {number}.\n");
    }
    let who = names.of(view.active_player);
    let heading = styled(BOLD, format_args!("Turn {number}: {who}, {phase}"));
    let left = view.counters;
    let mut left = vec![
        Count(left.actions, "action").to_string(),
        Count(left.buys, "buy").to_string(),
        Count(left.coins, "coin").to_string(),
    ];
    if view.bought_this_turn {
        left.push("no more Treasures".to_owned());
    }
    format!("{heading}   {}\n", left.join(", "))
}

/// The piles, each with price and number: basic cards, then the kingdom by price.
fn supply(view: &View, columns: usize) -> String {
    let is_kingdom = |pile: &&Pile| view.kingdom.contains(&pile.card);
    let (mut kingdom, basic): (Vec<&Pile>, Vec<&Pile>) = view.supply.iter().partition(is_kingdom);
    kingdom.sort_by_key(|pile| pile.card.cost());
    let grid = |piles: &[&Pile]| {
        let cells: Vec<_> = piles.iter().map(|pile| self::pile(**pile)).collect();
        let lines = cells.chunks((columns / (PILE + 2)).max(1));
        lines
            .map(|line| format!("  {}\n", line.join("  ").trim_end()))
            .collect::<String>()
    };
    let trash = if view.trash.is_empty() {
        styled(DIM, "empty")
    } else {
        runs(&each(&view.trash)).join(", ")
    };
    let heading = styled(BOLD, "Supply") + &styled(DIM, "  (price, card, left)");
    let first = format!("{}  ", styled(BOLD, "Trash"));
    let trash = wrap(&[trash], ", ", &first, "  ", columns);
    format!("{heading}\n{}\n{}\n{trash}\n", grid(&basic), grid(&kingdom))
}

fn pile(Pile { card, count }: Pile) -> String {
    let price = card.cost();
    if count == 0 {
        return styled(DIM, format_args!("{price} {card:NAME$}{count:>3}"));
    }
    let name = pad(&name(card), NAME);
    format!("{} {name}{count:>3}", styled(DIM, price))
}

fn player(view: &View, names: Names<'_>, player: &PlayerView, columns: usize) -> String {
    let seat = player.seat;
    let active = view.active_player == seat && !view.pending.is_empty();
    let marker = if active { ">" } else { " " };
    let who = styled(BOLD, names.of(seat));
    let first = format!("{marker} {} {who}   ", seat.number());
    let mut lines = vec![wrap(&piles(player), "   ", &first, "    ", columns)];
    let mut row = |name: &str, cards: &[Card]| {
        let first = format!("    {name:9} ");
        lines.push(wrap(&runs(cards), ", ", &first, "              ", columns));
    };
    if !player.in_play.is_empty() {
        row("in play", &player.in_play);
    }
    if let Some(hand) = &player.hand {
        row("hand", &each(hand));
    }
    if let Some(pile) = &player.draw_pile {
        row("draw pile", pile);
    }
    if let Some(pile) = &player.discard_pile {
        row("discard", &each(pile));
    }
    if let Some(deck) = view.final_decks.iter().find(|deck| deck.seat == seat) {
        let owned: Cards = deck
            .cards
            .iter()
            .map(|pile| (pile.card, pile.count))
            .collect();
        row("owned", &each(&owned));
    }
    lines.join("\n")
}

/// The numbers of cards by zone, as far as the viewer may know.
fn piles(player: &PlayerView) -> Vec<String> {
    let draw = match player.draw_pile_count {
        Some(count) => count.to_string(),
        None if player.draw_pile_empty => "empty".to_owned(),
        None => "not empty".to_owned(),
    };
    let discard = player.discard_top.map(name);
    vec![
        fact("hand", player.hand_count),
        fact("draw pile", draw),
        fact("discard", discard.as_deref().unwrap_or("empty")),
        fact("turns", player.turns_taken),
    ]
}

/// All cards of a group.
fn each(cards: &Cards) -> Vec<Card> {
    cards.each().collect()
}

/// Cards in order, with equal neighbors counted as one item.
fn runs(cards: &[Card]) -> Vec<String> {
    let run = |run: &[Card]| match run.len() {
        1 => name(run[0]),
        count => format!("{} x{count}", name(run[0])),
    };
    cards.chunk_by(PartialEq::eq).map(run).collect()
}

/// The name in the color of its type.
fn name(card: Card) -> String {
    let colors = [
        (CardType::Attack, AnsiColor::Red),
        (CardType::Reaction, AnsiColor::Blue),
        (CardType::Curse, AnsiColor::Magenta),
        (CardType::Treasure, AnsiColor::Yellow),
        (CardType::Victory, AnsiColor::Green),
    ];
    let color = colors.into_iter().find(|(kind, _)| card.is(*kind));
    let color = color.map_or(AnsiColor::Cyan, |(_, color)| color);
    styled(color.on_default(), card)
}
