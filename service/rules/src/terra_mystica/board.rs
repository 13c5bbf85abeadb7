//! The table as text: rounds, map, cults, tiles and faction boards.

pub mod cults;
pub mod map;
pub mod players;
pub mod tiles;

use super::data::ROUNDS;
use super::options::TurnOrder;
use super::view::{FollowUp, OfferView, PlayerView, TurnView, View};
use crate::table::text::{GAP, WIDE, fact, side_by_side, with_heading};
use crate::table::{JoinCommas, Names, Seat};

/// The column in which the texts beside the map begin.
const BESIDE: usize = map::WIDTH + GAP;
/// The minimum number of columns for a faction board beside another one.
const BOARD: usize = 72;

/// The table in lines of at most this many columns.
pub fn board(view: &View, names: Names<'_>, columns: usize) -> String {
    let mut parts = vec![now(view, names, columns)];
    let map = map::map(view, names, columns.min(map::WIDTH));
    if columns >= BESIDE + BOARD {
        let texts = [
            tracks(view, columns - BESIDE),
            tiles(view, columns - BESIDE),
        ];
        parts.push(side_by_side(&map, &texts.join("\n\n"), BESIDE, columns));
    } else if columns >= WIDE {
        let texts = tracks(view, columns - BESIDE);
        parts.push(side_by_side(&map, &texts, BESIDE, columns));
        parts.push(tiles(view, columns));
    } else {
        parts.extend([map, tracks(view, columns), tiles(view, columns)]);
    }
    parts.push(boards(view, names, columns));
    parts.extend(house_rules(view, columns));
    parts.join("\n\n")
}

/// The faction boards in turn order; two side by side if there is room.
fn boards(view: &View, names: Names<'_>, columns: usize) -> String {
    let room = columns.checked_sub(BESIDE).filter(|room| *room >= BOARD);
    let players: Vec<_> = in_turn_order(view).collect();
    let board = |player: &&PlayerView, columns| players::player(view, player, names, columns);
    let rows = players.chunks(if room.is_some() { 2 } else { 1 });
    let rows = rows.map(|row| match (row, room) {
        ([left, right], Some(room)) => side_by_side(
            &board(left, map::WIDTH),
            &board(right, room),
            BESIDE,
            columns,
        ),
        _ => row.iter().map(|player| board(player, columns)).collect(),
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// The rounds and the cults.
fn tracks(view: &View, columns: usize) -> String {
    [tiles::rounds(view, columns), cults::cults(view, columns)].join("\n\n")
}

/// The power actions, and the tiles and cards that are left.
fn tiles(view: &View, columns: usize) -> String {
    [
        tiles::power_actions(view, columns),
        tiles::pools(view, columns),
    ]
    .join("\n")
}

/// The players in turn order; in the set-up by seat.
fn in_turn_order(view: &View) -> impl Iterator<Item = &PlayerView> {
    let mut players: Vec<_> = view.players.iter().collect();
    let place = |seat: Seat| view.turn_order.iter().position(|other| *other == seat);
    players.sort_by_key(|player| place(player.seat));
    players.into_iter()
}

/// Prints the round, the active player, and the pending decision.
fn now(view: &View, names: Names<'_>, columns: usize) -> String {
    let heading = match view.round {
        0 => String::from("Set-up"),
        round => format!("Round {round} of {ROUNDS}: {}", view.phase),
    };
    let players = |seats: &[Seat]| JoinCommas(seats.iter().map(|&seat| names.of(seat))).to_string();
    let mut words = vec![fact("order", players(&view.turn_order))];
    if !view.passed_order.is_empty() {
        words.push(fact("passed", players(&view.passed_order)));
    }
    let mut lines = vec![with_heading(&heading, &words, columns)];
    let turn = view.turn.as_ref();
    lines.extend(turn.map(|turn| self::turn(turn, names, columns)));
    lines.extend(open(view, names, columns));
    lines.join("\n")
}

fn turn(turn: &TurnView, names: Names<'_>, columns: usize) -> String {
    let heading = format!("Turn of {}", names.of(turn.seat));
    let mut words = vec![match (turn.main_action_done, turn.extra_actions) {
        (true, _) => String::from("main action done"),
        (false, 0) => String::from("main action to be taken"),
        (false, actions) => format!("{actions} actions of the double turn to be taken"),
    }];
    if !turn.late_build.is_empty() {
        let spaces: Vec<_> = turn.late_build.iter().map(|land| land.id()).collect();
        words.push(fact("may still build on", spaces.join(" ")));
    }
    with_heading(&heading, &words, columns)
}

/// Pending offers, choices and spades.
fn open(view: &View, names: Names<'_>, columns: usize) -> Vec<String> {
    let offer = |offer: &OfferView| {
        let (who, builder) = (names.of(offer.seat), names.of(offer.builder));
        let (power, vp) = (offer.gainable, offer.gainable.saturating_sub(1));
        format!(
            "{who} may gain {power} for {vp} VP ({builder} on {})",
            offer.space
        )
    };
    let offers: Vec<_> = view.power_offers.iter().map(offer).collect();
    let choices: Vec<_> = view.follow_ups.iter().copied().map(follow_up).collect();
    let spades = view.cult_spades.iter();
    let spades = spades.map(|spades_view| fact(names.of(spades_view.seat), spades_view.spades));
    [
        ("Power offered", offers),
        ("To be chosen", choices),
        ("Spades of the cults", spades.collect()),
    ]
    .into_iter()
    .filter(|(_, words)| !words.is_empty())
    .map(|(heading, words)| with_heading(heading, &words, columns))
    .collect()
}

fn follow_up(choice: FollowUp) -> String {
    match choice {
        FollowUp::FavorTiles(1) => String::from("favor tile"),
        FollowUp::FavorTiles(count) => format!("{count} favor tiles"),
        FollowUp::TownTiles(1) => String::from("town tile"),
        FollowUp::TownTiles(count) => format!("{count} town tiles"),
        FollowUp::CultStep => String::from("cult step"),
        FollowUp::Ordination => String::from("ordination"),
        FollowUp::StrongholdSpades => String::from("stronghold spade"),
    }
}

/// Prints the rules that differ from the usual ones, and the components that are not in play.
fn house_rules(view: &View, columns: usize) -> Option<String> {
    let rules = view.rules;
    let order = rules.turn_order == TurnOrder::PassingOrder;
    let mut words: Vec<String> = [
        (rules.free_sacrifice, "power may be sacrificed freely"),
        (rules.auto_end_turn, "turns end by themselves"),
        (order, "turn order by passing"),
        (
            rules.cultist_power_needs_offer,
            "the Cultists' power needs an offer",
        ),
    ]
    .into_iter()
    .filter(|(holds, _)| *holds)
    .map(|(_, text)| text.to_owned())
    .collect();
    let tiles = view.unused_scoring_tiles.iter().map(|tile| tile.id());
    let cards = view.unused_bonus_cards.iter().map(|card| card.id());
    let unused: Vec<_> = tiles.chain(cards).collect();
    if !unused.is_empty() {
        words.push(fact("not in play", unused.join(" ")));
    }
    (!words.is_empty()).then(|| with_heading("Rules", &words, columns))
}
