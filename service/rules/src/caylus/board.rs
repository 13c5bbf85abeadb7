//! The table as text: workers, road, castle, players, favors and supply.

pub mod road;

use super::data::{FavorLine, Resource, Section};
use super::view::{PlayerView, SectionView, View};
use crate::table::text::{
    BOLD, Columns, DIM, GAP, WIDE, fact, side_by_side, styled, width, with_heading, wrap,
};
use crate::table::{JoinCommas, Names, Seat};

/// The minimum number of columns for castle and tiles beside the road.
const BESIDE: usize = 40;

/// The table in lines of at most this many columns.
pub fn board(view: &View, names: Names<'_>, columns: usize) -> String {
    let heading = [turn(view, names, columns), specials(view, names, columns)];
    let road = road::road(view, names);
    let beside = road.lines().map(width).max().unwrap_or(0) + GAP;
    let rest = match columns.checked_sub(beside) {
        Some(room) if columns >= WIDE && room >= BESIDE => {
            let texts = [castle(view, names, room), supply(view, room)];
            let road = side_by_side(&road, &texts.join("\n\n"), beside, columns);
            vec![road, players(view, names), favors(view, names)]
        }
        Some(_) | None => vec![
            road,
            castle(view, names, columns),
            players(view, names),
            favors(view, names),
            supply(view, columns),
        ],
    };
    [&heading[..], &rest].concat().join("\n\n")
}

/// Players in this order.
fn list(seats: &[Seat], names: Names<'_>) -> String {
    JoinCommas(seats.iter().map(|seat| names.of(*seat))).to_string()
}

fn turn(view: &View, names: Names<'_>, columns: usize) -> String {
    let heading = format!("Turn {}: {}", view.turn, view.phase);
    let mut words = vec![fact("turn order", list(&view.turn_order, names))];
    if !view.pass_order.is_empty() {
        words.push(fact("passed", list(&view.pass_order, names)));
    }
    if let Some(favors) = view.pending_favors {
        let whose = format!("favors of {}", names.of(favors.seat));
        words.push(fact(whose, favors.count));
    }
    with_heading(&heading, &words, columns)
}

/// The workers before the bridge, in the order of activation.
fn specials(view: &View, names: Names<'_>, columns: usize) -> String {
    let special = &view.special;
    let workers = |name, seats: &[Seat]| match seats {
        [] => fact(name, "-"),
        _ => fact(name, list(seats, names)),
    };
    let words = [
        workers("gate", special.gate.as_slice()),
        workers("trading post", special.trading_post.as_slice()),
        workers("guild", special.merchants_guild.as_slice()),
        workers("joust field", special.joust_field.as_slice()),
        workers("stables", &special.stables),
        workers("inn left", special.inn_left.as_slice()),
        workers("inn right", special.inn_right.as_slice()),
    ];
    with_heading("Before the bridge", &words, columns)
}

/// The sections, with the parts that each player built, and the builders of this turn.
fn castle(view: &View, names: Names<'_>, columns: usize) -> String {
    let castle = &view.castle;
    let built = by_seat(&castle.batches_this_turn);
    let mut words: Vec<_> = built
        .map(|(seat, batches)| fact(names.of(seat), format!("+{batches}")))
        .collect();
    if !castle.queue.is_empty() {
        words.push(fact("builders", list(&castle.queue, names)));
    }
    let mut sections = Columns::plain();
    for section in &castle.sections {
        sections.row(self::section(section, castle.current_section, names));
    }
    let heading = with_heading("Castle", &words, columns);
    format!("{}\n{sections}", heading.trim_end())
}

/// The seats with a count above 0, with their counts.
fn by_seat(counts: &[u8]) -> impl Iterator<Item = (Seat, u8)> + Clone {
    let seats = Seat::all(counts.len()).zip(counts.iter().copied());
    seats.filter(|(_, count)| *count > 0)
}

fn section(view: &SectionView, current: Option<Section>, names: Names<'_>) -> [String; 4] {
    let built: u8 = view.parts.iter().sum();
    let state = match (view.scored, current == Some(view.section)) {
        (true, _) => "scored",
        (false, true) => "current",
        (false, false) => "",
    };
    let owners = by_seat(&view.parts).map(|(seat, parts)| format!("{} {parts}", names.of(seat)));
    [
        format!("  {}", view.section),
        format!("{built}/{}", view.section.sheet().parts),
        styled(DIM, state),
        JoinCommas(owners).to_string(),
    ]
}

/// Prints the possessions of each player; `>` marks the player who has to decide.
fn players(view: &View, names: Names<'_>) -> String {
    let mut columns = Columns::new(&[
        "", "Player", "VP", "Deniers", "Food", "Wood", "Stone", "Cloth", "Gold", "Workers", "Price",
    ]);
    let acting = view.pending.first().map(|pending| pending.seat);
    for player in &view.players {
        let marker = if acting == Some(player.seat) {
            ">"
        } else {
            " "
        };
        let first = [marker.to_owned(), styled(BOLD, names.of(player.seat))];
        let cubes = Resource::ALL.map(|resource| player.cubes.count(resource));
        let figures = [player.vp, player.deniers]
            .into_iter()
            .chain(cubes)
            .chain([u16::from(player.workers_available)]);
        let price = player.placement_price;
        let last = price.map_or_else(|| "passed".to_owned(), |price| price.to_string());
        let figures = figures.map(|figure| figure.to_string());
        columns.row(first.into_iter().chain(figures).chain([last]));
    }
    columns.to_string()
}

/// The markers of the favor table; `*` marks lines used in this phase.
fn favors(view: &View, names: Names<'_>) -> String {
    if view.simplified_favors {
        return with_heading("Favors", &["3 VP each".to_owned()], usize::MAX);
    }
    let open = format!("Favors to {}", view.columns_available);
    let headings: Vec<_> = [open.as_str()]
        .into_iter()
        .chain(FavorLine::ALL.map(FavorLine::name))
        .collect();
    let mut columns = Columns::new(&headings);
    for player in &view.players {
        let name = format!("  {}", names.of(player.seat));
        columns.row([name].into_iter().chain(markers(player)));
    }
    columns.to_string()
}

fn markers(player: &PlayerView) -> [String; FavorLine::COUNT] {
    FavorLine::ALL.map(|line| {
        let used = player.favor_lines_used.contains(&line);
        let marker = player.favor_markers[line.index()];
        format!("{marker}{}", if used { "*" } else { "" })
    })
}

/// The tiles that can be built.
fn supply(view: &View, columns: usize) -> String {
    let kinds = [
        ("Wood tiles", &view.supply.wood),
        ("Stone tiles", &view.supply.stone),
        ("Prestige tiles", &view.supply.prestige),
    ];
    kinds
        .map(|(kind, tiles)| {
            let words: Vec<_> = tiles.iter().map(ToString::to_string).collect();
            let heading = format!("{}  ", styled(BOLD, kind));
            wrap(&words, ", ", &heading, "  ", columns)
        })
        .join("\n")
}
