//! The table of Terra Mystica: rounds, map, cults, tiles and faction boards.

mod boards;
mod cults;
mod map;
mod names;
mod tiles;
mod words;

use gamekeeper_proto::gamekeeper::terra_mystica::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::GameInfo;

use self::names::{Names, told};
use crate::output::{BOLD, DIM, pad, styled, wrap};

/// Columns between the map and what stands beside it.
const GAP: usize = 3;
/// The fewest columns for what stands beside the map.
const BESIDE: usize = 72;

/// The table in so many columns.
pub(super) fn table(
    info: &GameInfo,
    view: &pb::View,
    catalogue: &pb::Catalogue,
    width: usize,
) -> String {
    let names = Names::new(info, catalogue);
    let mut parts = vec![now(view, &names, width)];
    let room = width
        .checked_sub(map::WIDTH + GAP)
        .filter(|room| *room >= BESIDE);
    match room {
        Some(room) => {
            let map = map::map(view, &names, map::WIDTH);
            parts.push(side_by_side(&map, &beside(view, &names, room)));
        }
        None => {
            parts.push(map::map(view, &names, width));
            parts.push(beside(view, &names, width));
        }
    }
    parts.push(boards(view, &names, width, room));
    parts.extend(house_rules(view, &names, width));
    parts.join("\n\n")
}

/// The faction boards in turn order; two side by side where there is room.
fn boards(view: &pb::View, names: &Names<'_>, width: usize, room: Option<usize>) -> String {
    let players: Vec<_> = in_turn_order(view).collect();
    let board = |player: &&pb::PlayerView, width| boards::board(view, player, names, width);
    let rows = players.chunks(if room.is_some() { 2 } else { 1 });
    let rows = rows.map(|row| match (row, room) {
        ([left, right], Some(room)) => side_by_side(&board(left, map::WIDTH), &board(right, room)),
        _ => row.iter().map(|player| board(player, width)).collect(),
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// An action in words; nothing where the general words are as good.
pub(super) fn action(
    info: &GameInfo,
    view: &pb::View,
    catalogue: &pb::Catalogue,
    action: &pb::Action,
) -> Option<String> {
    words::action(view, &Names::new(info, catalogue), action)
}

/// What has its place beside the map, if there is room.
fn beside(view: &pb::View, names: &Names<'_>, width: usize) -> String {
    let tiles = [
        tiles::power_actions(view, names, width),
        tiles::pools(view, names, width),
    ];
    let parts = [
        tiles::rounds(view, names, width),
        cults::cults(view, names, width),
        tiles.join("\n"),
    ];
    parts.join("\n\n")
}

fn side_by_side(left: &str, right: &str) -> String {
    let (mut left, mut right) = (left.lines(), right.lines());
    let mut lines = Vec::new();
    loop {
        let line = match (left.next(), right.next()) {
            (None, None) => return lines.join("\n"),
            (Some(left), None) => left.to_owned(),
            (left, Some(right)) => {
                let left = pad(left.unwrap_or_default(), map::WIDTH + GAP);
                format!("{left}{right}")
            }
        };
        lines.push(line);
    }
}

/// The players as they act; in the set-up by seat.
fn in_turn_order(view: &pb::View) -> impl Iterator<Item = &pb::PlayerView> {
    let mut players: Vec<_> = view.players.iter().collect();
    let place = |seat: u32| view.turn_order.iter().position(|other| *other == seat);
    players.sort_by_key(|player| place(player.seat));
    players.into_iter()
}

/// A heading and words beside it, in as many lines as they need.
fn line(heading: &str, words: &[String], width: usize) -> String {
    let heading = format!("{}  ", styled(BOLD, heading));
    wrap(words, ";  ", &heading, "  ", width)
}

/// `name value`, with a dim name.
fn fact(name: &str, value: impl std::fmt::Display) -> String {
    format!("{} {value}", styled(DIM, name))
}

/// The round, whose turn it is, and what is open in it.
fn now(view: &pb::View, names: &Names<'_>, width: usize) -> String {
    let phase = told(view.phase().as_str_name(), "PHASE_");
    let heading = match view.round {
        0 => String::from("Set-up"),
        round => format!("Round {round} of {}: {phase}", names.catalogue.rounds),
    };
    let mut words = vec![fact("order", names.players(&view.turn_order))];
    if !view.passed_order.is_empty() {
        words.push(fact("passed", names.players(&view.passed_order)));
    }
    let mut lines = vec![line(&heading, &words, width)];
    lines.extend(
        view.turn
            .as_ref()
            .map(|turn| self::turn(turn, names, width)),
    );
    lines.extend(open(view, names, width));
    lines.join("\n")
}

fn turn(turn: &pb::Turn, names: &Names<'_>, width: usize) -> String {
    let heading = format!("Turn of {}", names.player(turn.seat));
    let mut words = vec![match (turn.main_action_done, turn.extra_actions) {
        (true, _) => String::from("main action done"),
        (false, 0) => String::from("main action to be taken"),
        (false, actions) => format!("{actions} actions of the double turn to be taken"),
    }];
    if !turn.late_build.is_empty() {
        words.push(fact("may still build on", turn.late_build.join(" ")));
    }
    line(&heading, &words, width)
}

/// Offers, choices and spades that wait.
fn open(view: &pb::View, names: &Names<'_>, width: usize) -> Vec<String> {
    let offers = view.power_offers.iter().map(|offer| {
        let who = names.player(offer.seat);
        let price = offer.gainable.saturating_sub(1);
        let builder = names.player(offer.builder);
        format!(
            "{who} may gain {} for {price} VP ({builder} on {})",
            offer.gainable, offer.space
        )
    });
    let choices = view.follow_ups.iter().map(|choice| {
        let kind = told(choice.kind().as_str_name(), "FOLLOW_UP_KIND_");
        match choice.count {
            0 | 1 => kind.trim_end_matches('s').to_owned(),
            count => format!("{count} {kind}"),
        }
    });
    let spades = view.cult_spades.iter();
    let spades = spades.map(|owed| fact(&names.player(owed.seat), owed.spades));
    [
        ("Power offered", offers.collect::<Vec<_>>()),
        ("To be chosen", choices.collect()),
        ("Spades of the cults", spades.collect()),
    ]
    .into_iter()
    .filter(|(_, words)| !words.is_empty())
    .map(|(heading, words)| line(heading, &words, width))
    .collect()
}

/// The rules that differ from the usual ones, and what is not in play.
fn house_rules(view: &pb::View, names: &Names<'_>, width: usize) -> Option<String> {
    let rules = view.rules.unwrap_or_default();
    let order = rules.turn_order() == pb::TurnOrder::PassingOrder;
    let mut words: Vec<String> = [
        (rules.free_sacrifice, "power may be sacrificed at will"),
        (rules.auto_end_turn, "turns end by themselves"),
        (order, "turn order by passing"),
    ]
    .into_iter()
    .filter(|(holds, _)| *holds)
    .map(|(_, text)| text.to_owned())
    .collect();
    let unused = view.unused_scoring_tiles.iter();
    let unused = unused.map(|tile| names.scoring(*tile).id);
    let cards = view.unused_bonus_cards.iter();
    let unused = unused.chain(cards.map(|card| names.bonus(*card).id));
    let unused: Vec<_> = unused.collect();
    if !unused.is_empty() {
        words.push(fact("not in play", unused.join(" ")));
    }
    (!words.is_empty()).then(|| line("Rules", &words, width))
}

#[cfg(test)]
mod tests;
