//! The table of Caylus.

mod names;
mod road;
mod words;

use gamekeeper_proto::gamekeeper::caylus::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::GameInfo;

use self::names::Names;
use crate::output::{BOLD, Columns, DIM, styled, wrap};
use crate::phrase;

/// The table in so many columns.
pub(super) fn table(
    info: &GameInfo,
    view: &pb::View,
    catalogue: &pb::Catalogue,
    width: usize,
) -> String {
    let names = Names::new(info, catalogue);
    let parts = [
        turn(view, &names, width),
        specials(view, &names, width),
        road::road(view, &names),
        castle(view, &names, width),
        players(view, &names),
        favors(view, &names),
        supply(view, &names, width),
    ];
    let shown = parts.iter().filter(|part| !part.is_empty());
    shown.cloned().collect::<Vec<_>>().join("\n\n")
}

/// The action in words; nothing where the general words are as good.
pub(super) fn action(
    info: &GameInfo,
    view: &pb::View,
    catalogue: &pb::Catalogue,
    action: &pb::Action,
) -> Option<String> {
    words::action(view, &Names::new(info, catalogue), action)
}

/// A heading and words beside it, in as many lines as they need.
fn line(heading: &str, words: &[String], width: usize) -> String {
    let heading = format!("{}  ", styled(BOLD, heading));
    wrap(words, ";  ", &heading, "  ", width)
}

/// `name value`, with a dim name.
fn fact(name: &str, value: &str) -> String {
    format!("{} {value}", styled(DIM, name))
}

fn turn(view: &pb::View, names: &Names, width: usize) -> String {
    let phase = phrase::words(view.phase().as_str_name().trim_start_matches("PHASE_"));
    let heading = format!("Turn {}: {}", view.turn, phase.to_lowercase());
    let mut words = vec![fact("turn order", &names.list(&view.turn_order))];
    if !view.pass_order.is_empty() {
        words.push(fact("passed", &names.list(&view.pass_order)));
    }
    if let Some(favors) = view.pending_favors {
        let count = favors.count.to_string();
        words.push(fact(
            &format!("favors of {}", names.player(favors.seat)),
            &count,
        ));
    }
    line(&heading, &words, width)
}

/// The workers before the bridge, in the order of activation.
fn specials(view: &pb::View, names: &Names, width: usize) -> String {
    let Some(special) = &view.special else {
        return String::new();
    };
    let seat = |seat: Option<u32>| seat.map_or_else(|| "-".to_owned(), |seat| names.player(seat));
    let stables = if special.stables.is_empty() {
        "-".to_owned()
    } else {
        names.list(&special.stables)
    };
    let words = [
        fact("gate", &seat(special.gate)),
        fact("trading post", &seat(special.trading_post)),
        fact("guild", &seat(special.merchants_guild)),
        fact("joust field", &seat(special.joust_field)),
        fact("stables", &stables),
        fact("inn left", &seat(special.inn_left)),
        fact("inn right", &seat(special.inn_right)),
    ];
    line("Before the bridge", &words, width)
}

/// The sections, who built how much of them, and who builds this turn.
fn castle(view: &pb::View, names: &Names, width: usize) -> String {
    let Some(castle) = &view.castle else {
        return String::new();
    };
    let mut words = Vec::new();
    for (seat, batches) in (1..).zip(&castle.batches_this_turn) {
        if *batches > 0 {
            words.push(fact(&names.player(seat), &format!("+{batches}")));
        }
    }
    if !castle.queue.is_empty() {
        words.push(fact("builders", &names.list(&castle.queue)));
    }
    let mut sections = Columns::plain();
    for section in &castle.sections {
        sections.row(self::section(section, castle.current_section, names));
    }
    format!("{}\n{sections}", line("Castle", &words, width).trim_end())
}

fn section(section: &pb::SectionView, current: Option<i32>, names: &Names) -> [String; 4] {
    let built: u32 = section.parts.iter().sum();
    let of = names
        .section_parts(section.section)
        .map_or_else(String::new, |parts| format!("/{parts}"));
    let state = match (section.scored, current == Some(section.section)) {
        (true, _) => "scored",
        (false, true) => "current",
        (false, false) => "",
    };
    let owners = (1..).zip(&section.parts).filter(|(_, parts)| **parts > 0);
    let owners: Vec<_> = owners
        .map(|(seat, parts)| format!("{} {parts}", names.player(seat)))
        .collect();
    [
        format!("  {}", names.section(section.section)),
        format!("{built}{of}"),
        styled(DIM, state),
        owners.join(", "),
    ]
}

/// What everybody has; `>` marks who has to decide.
fn players(view: &pb::View, names: &Names) -> String {
    let mut columns = Columns::new(&[
        "", "Player", "VP", "Deniers", "Food", "Wood", "Stone", "Cloth", "Gold", "Workers", "Price",
    ]);
    let acting = view.question.map(|question| question.seat);
    for player in &view.players {
        let cubes = player.cubes.unwrap_or_default();
        let price = player.placement_price;
        let figures = [
            player.vp,
            player.deniers,
            cubes.food,
            cubes.wood,
            cubes.stone,
            cubes.cloth,
            cubes.gold,
            player.workers_available,
        ];
        let mark = if acting == Some(player.seat) {
            ">"
        } else {
            " "
        };
        let first = [mark.to_owned(), styled(BOLD, names.player(player.seat))];
        let last = price.map_or_else(|| "passed".to_owned(), |price| price.to_string());
        let figures = figures.iter().map(ToString::to_string);
        columns.row(first.into_iter().chain(figures).chain([last]));
    }
    columns.to_string()
}

/// The markers of the favor table; `*` marks lines used in this phase.
fn favors(view: &pb::View, names: &Names) -> String {
    if view.simplified_favors {
        return line("Favors", &["3 VP each".to_owned()], usize::MAX);
    }
    let lines = [
        pb::FavorLine::Prestige,
        pb::FavorLine::Deniers,
        pb::FavorLine::Resources,
        pb::FavorLine::Buildings,
    ];
    let open = format!("Favors to {}", view.columns_available);
    let mut headings = vec![open.as_str()];
    headings.extend(["Prestige", "Deniers", "Resources", "Buildings"]);
    let mut columns = Columns::new(&headings);
    for player in &view.players {
        let marker = |(line, marker): (pb::FavorLine, &u32)| {
            let used = player.favor_lines_used().any(|used| used == line);
            format!("{marker}{}", if used { "*" } else { "" })
        };
        let markers = lines.into_iter().zip(&player.favor_markers).map(marker);
        columns.row(
            [format!("  {}", names.player(player.seat))]
                .into_iter()
                .chain(markers),
        );
    }
    columns.to_string()
}

/// The tiles that can be built.
fn supply(view: &pb::View, names: &Names, width: usize) -> String {
    let Some(supply) = &view.supply else {
        return String::new();
    };
    let kinds = [
        ("Wood tiles", &supply.wood),
        ("Stone tiles", &supply.stone),
        ("Prestige tiles", &supply.prestige),
    ];
    let shown = kinds.into_iter().map(|(kind, tiles)| {
        let words: Vec<_> = tiles.iter().map(|tile| names.tile(*tile)).collect();
        let heading = format!("{}  ", styled(BOLD, kind));
        wrap(&words, ", ", &heading, "  ", width)
    });
    shown.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
