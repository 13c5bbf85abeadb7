//! The table as text: players, provinces, wars, borders, seas, cards.

pub mod map;

use self::map::section;
use super::data::{ACTIONS, Card, card_names};
use super::stage::{Side, Strength};
use super::view::{PlayerView, TurnView, View};
use crate::table::Names;
use crate::table::text::{BOLD, DIM, GAP, WIDE, fact, side_by_side, styled, wrap};

/// The table in lines of at most this many columns.
pub fn board(view: &View, names: Names<'_>, columns: usize) -> String {
    let turn = turn(view, names);
    if columns < WIDE {
        let parts = [
            players(view, names, columns),
            board_of(view, names, columns),
            cards(view, columns),
        ];
        return format!("{turn}\n{}", parts.concat().join("\n"));
    }
    let half = columns / 2;
    let left = board_of(view, names, half - GAP).join("\n");
    let right = [
        players(view, names, columns - half),
        cards(view, columns - half),
    ];
    let right = right.concat().join("\n");
    format!(
        "{turn}\n{}",
        side_by_side(left.trim_start(), &right, half, columns)
    )
}

fn players(view: &View, names: Names<'_>, columns: usize) -> Vec<String> {
    let players = view.players.iter();
    let players = players.map(|player| self::player(view, names, player, columns));
    players.collect()
}

/// Map, wars and seas.
fn board_of(view: &View, names: Names<'_>, columns: usize) -> Vec<String> {
    let map = map::map(view, names, columns);
    let conflicts = wars(view, names).into_iter().chain(due(view, names));
    let seas = map::seas(view, names);
    [map].into_iter().chain(conflicts).chain([seas]).collect()
}

fn cards(view: &View, columns: usize) -> Vec<String> {
    vec![points(view, columns), display(view, columns)]
}

fn turn(view: &View, names: Names<'_>) -> String {
    if view.pending.is_empty() {
        return String::from("The game is over.\n");
    }
    let Some(turn) = &view.turn else {
        let discarded = view
            .question
            .and_then(|question| question.provinces_to_discard);
        let what = match discarded {
            None => "everybody places a citadel".to_owned(),
            Some(number) => format!("everybody gives away {number} provinces"),
        };
        return format!("{}: {what}\n", styled(BOLD, "Set-up"));
    };
    let who = format!("Turn of {}", names.of(turn.active_player));
    format!("{}   {}\n", styled(BOLD, who), done(turn).join(", "))
}

fn done(turn: &TurnView) -> Vec<String> {
    let mut notes = vec![format!("{} of {ACTIONS} actions done", turn.actions_done)];
    let marks = [
        (turn.free_action_done, "free action done"),
        (turn.drafted, "card drafted"),
        (turn.road_move_used, "armies moved by road"),
        (turn.warehouse_used, "card stored"),
    ];
    let marks = marks.into_iter().filter(|(done, _)| *done);
    notes.extend(marks.map(|(_, note)| note.to_owned()));
    let used = turn.converters_used.iter();
    notes.extend(used.map(|name| format!("{name} used")));
    notes
}

/// A row: a name, followed by words, wrapped.
fn row(name: &str, words: &[String], columns: usize) -> String {
    let (first, next) = (format!("    {name:9} "), " ".repeat(14));
    wrap(words, ", ", &first, &next, columns)
}

fn player(view: &View, names: Names<'_>, player: &PlayerView, columns: usize) -> String {
    let active = view.turn.as_ref().map(|turn| turn.active_player);
    let moves = active == Some(player.seat) && !view.pending.is_empty();
    let marker = if moves { ">" } else { " " };
    let mut lines = vec![format!("{marker} {}", heading(names, player))];
    lines.push(row("stock", &stock(player), columns));
    let provinces = map::controlled(view, names, player.seat);
    lines.push(row("provinces", &provinces, columns));
    for (name, zone) in [
        ("hand", player.hand.unwrap_or_default()),
        ("reserve", player.reserve),
        ("discard", player.discard),
        ("removed", player.removed),
    ] {
        if !zone.is_empty() {
            lines.push(row(name, &card_names(zone.iter()), columns));
        }
    }
    lines.join("\n")
}

fn heading(names: Names<'_>, player: &PlayerView) -> String {
    let hand = format!("{}/{}", player.hand_count, player.hand_limit);
    let parts = [
        fact("points", player.points.to_string()),
        fact("tokens", by_value(player.tokens)),
        fact("hand", hand),
        fact("deck", player.deck_count.to_string()),
        fact("discard", player.discard.len().to_string()),
    ];
    let chosen = if player.has_chosen {
        ", has chosen"
    } else {
        ""
    };
    format!(
        "{} {} ({}{chosen})   {}",
        player.seat.number(),
        styled(BOLD, names.of(player.seat)),
        player.color.id(),
        parts.join("   ")
    )
}

/// Tokens of value 1, 2 and 3.
fn by_value([ones, twos, threes]: [u8; 3]) -> String {
    format!("{ones}/{twos}/{threes}")
}

fn stock(player: &PlayerView) -> Vec<String> {
    let (stock, pool) = (player.stock, player.pool);
    vec![
        format!("armies {} (pool {})", stock.armies, pool.armies),
        format!("ships {} (pool {})", stock.ships, pool.ships),
        format!("towns {}", stock.towns),
        format!("cities {}", stock.cities),
        format!("reserve {}/{}", player.reserve.len(), player.reserve_limit),
    ]
}

/// The wars with their current strengths.
fn wars(view: &View, names: Names<'_>) -> Option<String> {
    let side = |it: &Strength| match it.side {
        Side::Neutral => format!("neutral {}", it.strength),
        Side::Player(seat) => format!("{} {}", names.of(seat), it.strength),
    };
    let lines: Vec<String> = view
        .wars
        .iter()
        .map(|war| {
            let sides: Vec<String> = war.strengths.iter().map(side).collect();
            format!("  {}: {}", war.province, sides.join(" : "))
        })
        .collect();
    let heading = styled(BOLD, "Wars") + &styled(DIM, "  (defender first)");
    (!lines.is_empty()).then(|| format!("{heading}\n{}", lines.join("\n")))
}

/// Prints the tokens waiting to be taken, the first of them with its sources.
fn due(view: &View, names: Names<'_>) -> Option<String> {
    let words: Vec<String> = view
        .awards
        .iter()
        .map(|award| {
            let sources: Vec<&str> = award.sources.iter().map(|source| source.id()).collect();
            let from = match &sources[..] {
                [] => String::new(),
                some => format!(" from {}", some.join(" or ")),
            };
            let (who, token) = (names.of(award.seat), award.token);
            format!("{who}: {} {}{from}", token.card, token.value)
        })
        .collect();
    let heading = styled(BOLD, "Tokens due");
    (!words.is_empty()).then(|| format!("{heading}  {}", words.join(", ")))
}

/// Prints the point cards with the tokens left on them.
fn points(view: &View, columns: usize) -> String {
    let mut words: Vec<String> = view
        .point_cards
        .iter()
        .map(|card| {
            let stacks = card.tokens.iter();
            let stacks = stacks.map(|stack| format!("{}x{}", stack.count, stack.token.value));
            format!("{} {}", card.card, stacks.collect::<Vec<_>>().join(" "))
        })
        .collect();
    words.push(format!("bank {}", by_value(view.bank)));
    let supply = view.supply;
    format!(
        "{}\n{}  roads {}, castles {}, mercenaries {}",
        section("Points", &words, columns),
        styled(BOLD, "Supply"),
        supply.roads,
        supply.castles,
        supply.mercenaries
    )
}

fn display(view: &View, columns: usize) -> String {
    let displayed = view.improvement_display.iter().map(Card::improvement);
    let text = section("Display", &card_names(displayed), columns);
    match &view.inspected {
        None => text,
        Some(shown) => {
            let shown = shown.iter().copied().map(Card::improvement);
            text + "\n" + &section("Philosopher shows", &card_names(shown), columns)
        }
    }
}
