//! The provinces, their borders and the seas.

use crate::mythotopia::data::{Border, BorderKind, DRAGON_STRENGTH, Province};
use crate::mythotopia::stage::Building;
use crate::mythotopia::view::{ProvinceView, SeaView, View};
use crate::table::text::{BOLD, DIM, styled, wrap};
use crate::table::{Names, Seat};

/// The provinces of a player.
pub fn controlled(view: &View, names: Names<'_>, by: Seat) -> Vec<String> {
    let places = view.provinces.iter();
    let controlled = places.filter(|place| place.controller == Some(by));
    controlled.map(|province| place(province, names)).collect()
}

/// A province with its buildings and inhabitants: `Mome (city, castle, Ann 3)`.
fn place(place: &ProvinceView, names: Names<'_>) -> String {
    let notes = notes(place, names);
    if notes.is_empty() {
        place.province.to_string()
    } else {
        format!("{} ({})", place.province, notes.join(", "))
    }
}

/// The buildings, inhabitants and armies of a province.
fn notes(place: &ProvinceView, names: Names<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    match place.building {
        Some(Building::City) => notes.push("city".to_owned()),
        Some(Building::Citadel) => notes.push("citadel".to_owned()),
        Some(Building::Town) | None => {}
    }
    for (there, word) in [
        (place.castle, "castle"),
        (place.dragon, "dragon"),
        (place.runestone, "runestone"),
    ] {
        if there {
            notes.push(word.to_owned());
        }
    }
    for force in &place.forces {
        let hired = match force.mercenaries {
            0 => String::new(),
            number => format!("+{number}"),
        };
        notes.push(format!("{} {}{hired}", names.of(force.seat), force.armies));
    }
    notes
}

/// All provinces by number, each with its owner, contents and neighbors.
pub fn map(view: &View, names: Names<'_>, columns: usize) -> String {
    let legend = "  (owner, or strength of the neutral side; neighbors; seas)";
    let mut lines = vec![format!("\n{}{}", styled(BOLD, "Map"), styled(DIM, legend))];
    for here in &view.provinces {
        let neighbors = here.province.neighbors();
        let around = neighbors
            .iter()
            .map(|other| neighbor(view, here.province, other));
        let seas = here.province.row().seas;
        let words: Vec<String> = around
            .chain(seas.iter().map(|sea| sea.to_string()))
            .collect();
        let first = format!("  {} ({}): ", here.province, of_whom(here, names));
        lines.push(wrap(&words, ", ", &first, "      ", columns));
    }
    lines.join("\n")
}

/// `Ann, city, Bob 3`, or the strength of the neutral side with inhabitants and buildings.
fn of_whom(here: &ProvinceView, names: Names<'_>) -> String {
    let dragon = if here.dragon { DRAGON_STRENGTH } else { 0 };
    let whose = match here.controller {
        Some(seat) => names.of(seat).to_string(),
        None => (here.province.row().strength + dragon).to_string(),
    };
    let notes = notes(here, names);
    [vec![whose], notes].concat().join(", ")
}

/// `Quean hills`, `Mome road`: a neighbor with its border.
fn neighbor(view: &View, from: Province, to: Province) -> String {
    let mut words = vec![to.to_string()];
    if let Some(border) = Border::between(from, to) {
        match border.row().kind {
            BorderKind::Normal => {}
            kind @ (BorderKind::Hills | BorderKind::Mountains) => words.push(kind.to_string()),
        }
        if view.roads.contains(&border) {
            words.push("road".to_owned());
        }
    }
    words.join(" ")
}

pub fn seas(view: &View, names: Names<'_>) -> String {
    let sea = |sea: &SeaView| {
        let fleets = sea
            .ships
            .iter()
            .enumerate()
            .filter(|(_, ships)| **ships > 0);
        let fleets = fleets.map(|(place, ships)| format!("{} {ships}", names.of(Seat::at(place))));
        let fleets: Vec<String> = fleets.collect();
        let who = if fleets.is_empty() {
            styled(DIM, "no ships")
        } else {
            fleets.join(", ")
        };
        format!("  {}: {who}", sea.sea)
    };
    let lines: Vec<String> = view.seas.iter().map(sea).collect();
    let mut text = format!("{}\n{}", styled(BOLD, "Seas"), lines.join("\n"));
    if !view.roads.is_empty() {
        let roads: Vec<String> = view.roads.iter().map(ToString::to_string).collect();
        text += &format!("\n{}  {}", styled(BOLD, "Roads"), roads.join(", "));
    }
    text
}

/// A heading, followed by words, wrapped.
pub fn section(heading: &str, words: &[String], columns: usize) -> String {
    let heading = format!("{}  ", styled(BOLD, heading));
    wrap(words, ", ", &heading, "  ", columns)
}
